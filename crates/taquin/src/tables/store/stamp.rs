//! What the system says of a file, to notice that it was written to.

use std::fs::{File, Metadata};
use std::io;
use std::time::{Duration, SystemTime};

/// What the system says of an open file at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    bytes: u64,
    /// When it was last written to.
    written: SystemTime,
    /// When it was last changed in any way, also given another name or none. `None` where the
    /// system does not tell.
    changed: Option<SystemTime>,
}

/// Times of files go in steps: two writes within one of them leave the same time. A step of Linux
/// is a few milliseconds.
const FINE_STEP: Duration = Duration::from_millis(50);
/// Some file systems keep whole seconds, or every other one.
const COARSE_STEP: Duration = Duration::from_secs(2);

impl Stamp {
    /// The stamp of a file as it is now.
    pub(super) fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Ok(Self {
            bytes: metadata.len(),
            written: metadata.modified()?,
            changed: changed(&metadata),
        })
    }

    /// Whether the file was written to between an earlier stamp and this one.
    pub(super) fn is_written_since(&self, before: &Self) -> bool {
        (self.bytes, self.written) != (before.bytes, before.written)
    }

    /// Whether a write from now on is sure to give another stamp: the last one is long enough ago.
    pub(super) fn is_settled(&self, now: SystemTime) -> bool {
        let mut times = std::iter::once(self.written).chain(self.changed);
        times.all(|time| {
            // A time in the future would become one of today, which is another one too.
            let age = now.duration_since(time);
            age.unwrap_or_else(|future| future.duration()) > step(time)
        })
    }
}

/// How far apart two times of files are at least, where this one was kept.
fn step(time: SystemTime) -> Duration {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    let is_whole = since.is_ok_and(|since| since.subsec_nanos() == 0);
    if is_whole { COARSE_STEP } else { FINE_STEP }
}

/// When a file was last changed in any way. Unlike the time of the last write, nobody can set it.
#[cfg(unix)]
fn changed(metadata: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(metadata.ctime()).ok()?;
    let nanoseconds = u32::try_from(metadata.ctime_nsec()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds))
}

/// When a file was last changed in any way: this system does not tell.
#[cfg(not(unix))]
const fn changed(_: &Metadata) -> Option<SystemTime> {
    None
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_write_is_told_from_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut file = File::create(&path).unwrap();
        file.write_all(b"old").unwrap();
        let before = Stamp::of(&file).unwrap();
        std::fs::rename(&path, folder.path().join("b")).unwrap();
        assert!(!Stamp::of(&file).unwrap().is_written_since(&before));
        file.write_all(b"er").unwrap();
        let after = Stamp::of(&file).unwrap();
        assert!(after.is_written_since(&before));
        assert_ne!(after, before);
    }

    #[test]
    fn a_file_settles_some_time_after_a_write() {
        let time = |milliseconds| SystemTime::UNIX_EPOCH + Duration::from_millis(milliseconds);
        let written = |milliseconds| Stamp {
            bytes: 1,
            written: time(milliseconds),
            changed: None,
        };
        let fine = written(1_000_123);
        assert!(!fine.is_settled(time(1_000_130)));
        assert!(fine.is_settled(time(1_000_200)));
        // From a system that keeps whole seconds only, as far as anybody can tell.
        let coarse = written(1_000_000);
        assert!(!coarse.is_settled(time(1_001_500)));
        assert!(coarse.is_settled(time(1_002_500)));
        let future = written(9_000_123);
        assert!(future.is_settled(time(1_000_000)));
    }
}
