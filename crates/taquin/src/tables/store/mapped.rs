//! A file in memory, and whether it still is what it was.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::SystemTime;

use memmap2::Mmap;

use super::error::{StoreError, StoreErrorKind};
use super::format::{Description, Header, PART};
use super::stamp::Stamp;
use super::{is_absence, map, open};
use crate::outcome::{Budget, Limit};
use crate::tables::ChangedTableError;
use crate::threads::on_threads;

/// The file of a table, mapped. It stays open, to be asked whether it was written to.
#[derive(Debug)]
pub(in crate::tables) struct MappedTable {
    path: Box<Path>,
    header: Header,
    map: Mmap,
    file: File,
    checked: Mutex<Checked>,
}

/// What is known of the payload.
#[derive(Clone, Copy, Debug)]
enum Checked {
    /// Nothing yet.
    Not,
    /// It was right, and as long as the file has this stamp it still is. The stamp was taken before
    /// the check.
    Right(Stamp),
    /// It was right, but a write that followed at once may have left no trace.
    Unsettled(Stamp),
    /// It was right and is no longer, or was not for a while: the bytes that are wrong now.
    Changed(Option<(u64, u64)>),
}

impl Checked {
    /// What is known of a payload that was found to be right after the file had this stamp.
    fn as_of(stamp: Option<Stamp>) -> Self {
        match stamp {
            Some(stamp) if stamp.is_settled(SystemTime::now()) => Self::Right(stamp),
            Some(stamp) => Self::Unsettled(stamp),
            None => Self::Not,
        }
    }
}

impl MappedTable {
    /// Maps a file and checks its header; `None` if there is no such file.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, StoreError> {
        let file = match open::regular(path, File::options().read(true)) {
            Ok(file) => file,
            Err(StoreErrorKind::Io { error, .. }) if is_absence(&error) => return Ok(None),
            Err(kind) => return Err(StoreError::new(path, kind)),
        };
        let map = map::map(&file).map_err(StoreError::io(path, "read it"))?;
        let header = Header::decode(&map).map_err(|kind| StoreError::new(path, kind))?;
        Ok(Some(Self {
            path: path.into(),
            header,
            map,
            file,
            checked: Mutex::new(Checked::Not),
        }))
    }

    pub(super) const fn path(&self) -> &Path {
        &self.path
    }

    pub(super) const fn description(&self) -> Description {
        self.header.description
    }

    /// The table's bytes.
    pub(in crate::tables) fn payload(&self) -> &[u8] {
        &self.map[self.header.payload_start() as usize..]
    }

    /// Compares all of the payload with its checksums, on `threads` threads, unless the budget ends
    /// before.
    pub(super) fn verify(&self, threads: usize, budget: &Budget) -> Result<(), StoreError> {
        let refused = |kind| StoreError::new(&*self.path, kind);
        let stamp = Checked::as_of(Stamp::of(&self.file).ok());
        if !self.is_whole() {
            return Err(refused(StoreErrorKind::Shortened));
        }
        let wrong = self
            .first_wrong(threads, budget)
            .map_err(|limit| refused(StoreErrorKind::Stopped { limit }))?;
        if let Some((start, end)) = wrong {
            return Err(refused(StoreErrorKind::Payload { start, end }));
        }
        let mut checked = self.checked();
        // Keep the first stamp: a write after it must be reported to everything that has used the
        // table since.
        if matches!(*checked, Checked::Not) {
            *checked = stamp;
        }
        Ok(())
    }

    /// Whether the payload has been right ever since it was checked, as far as the system tells of
    /// writes to the file. It takes less than a microsecond, unless the file was given another name
    /// or none, or was written just before it was checked: then all of it is checked again.
    pub(in crate::tables) fn confirm(&self) -> Result<(), ChangedTableError> {
        let changed = |part| ChangedTableError {
            path: self.path.to_path_buf(),
            part,
        };
        let known = *self.checked();
        let now = Stamp::of(&self.file).ok();
        let was_written = match (known, now) {
            (Checked::Right(stamp), Some(now)) if now == stamp => return Ok(()),
            (Checked::Changed(part), _) => return Err(changed(part)),
            (Checked::Right(before) | Checked::Unsettled(before), Some(now)) => {
                now.is_written_since(&before)
            }
            // Of a file of which the system says nothing, the bytes are all there is.
            (_, None) | (Checked::Not, _) => false,
        };
        // Nobody waits while all of the file is read. A file that was made shorter is not read: what
        // lies behind its end cannot be.
        let wrong = if self.is_whole() {
            let threads = thread::available_parallelism().map_or(1, usize::from);
            self.first_wrong(threads, &Budget::default())
                .expect("this budget has no end")
        } else {
            None
        };
        let mut checked = self.checked();
        match *checked {
            Checked::Changed(part) => Err(changed(part)),
            _ if was_written || wrong.is_some() || !self.is_whole() => {
                *checked = Checked::Changed(wrong);
                Err(changed(wrong))
            }
            _ => {
                *checked = Checked::as_of(now);
                Ok(())
            }
        }
    }

    /// Whether the file is as long as it was when it was mapped. To read behind its end would end
    /// the process.
    fn is_whole(&self) -> bool {
        let length = self.file.metadata().map(|metadata| metadata.len());
        length.is_ok_and(|length| length >= self.map.len() as u64)
    }

    fn checked(&self) -> std::sync::MutexGuard<'_, Checked> {
        self.checked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the first part of the payload that does not have its checksum lies in the file.
    fn first_wrong(&self, threads: usize, budget: &Budget) -> Result<Option<(u64, u64)>, Limit> {
        let (bytes, sums) = (self.payload(), &self.header.sums);
        let part = |i: usize| &bytes[i * PART..bytes.len().min((i + 1) * PART)];
        let next = AtomicUsize::new(0);
        let first_wrong = AtomicUsize::new(sums.len());
        let stopped = Mutex::new(None);
        on_threads(threads, || {
            loop {
                // Parts are given out in order, so that those before a wrong one are all looked at,
                // and the first is named whatever the threads do.
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= first_wrong.load(Ordering::Relaxed) {
                    return;
                }
                if let Err(limit) = budget.check() {
                    let mut stopped = stopped.lock().unwrap_or_else(PoisonError::into_inner);
                    *stopped = Some(limit);
                    return;
                }
                if crc32fast::hash(part(i)) != sums[i] {
                    first_wrong.fetch_min(i, Ordering::Relaxed);
                }
            }
        });
        if let Some(limit) = stopped.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(limit);
        }
        let wrong = first_wrong.into_inner();
        Ok((wrong < sums.len()).then(|| {
            let start = self.header.payload_start() + (wrong * PART) as u64;
            (start, start + part(wrong).len() as u64)
        }))
    }
}
