//! The file of a checkpoint: written whole, and used by one process at a time.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::{Checkpoint, CheckpointKeeper, CheckpointTextError};

/// A checkpoint in a file.
///
/// The file always holds a whole checkpoint, the last one or the one before, whenever the process
/// or the machine ends. A lock on an empty file beside it, `….lock`, keeps other processes away;
/// the system gives it back when the process ends in whatever way.
#[derive(Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    kept: Option<Checkpoint>,
    /// When to write again.
    next: Mutex<Instant>,
    /// Why the last checkpoint could not be written.
    problem: Mutex<Option<CheckpointFileError>>,
    _lock: File,
}

/// A file of a checkpoint that cannot be used, and why.
#[derive(Debug, Error)]
#[error("{}: {kind}", path.display())]
pub struct CheckpointFileError {
    path: PathBuf,
    kind: CheckpointFileErrorKind,
}

/// Why a file of a checkpoint cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointFileErrorKind {
    /// The system refused.
    #[error("cannot {doing}: {error}")]
    Io {
        /// What was to be done, as in `read it`.
        doing: &'static str,
        /// What the system says.
        error: io::Error,
    },
    /// A folder, or no name at all.
    #[error("not the name of a file")]
    NoFile,
    /// Another process uses it.
    #[error("another process is searching with this checkpoint")]
    InUse,
    /// It is much longer than a checkpoint.
    #[error("not a checkpoint of Taquin: it has more than {MOST_BYTES} bytes")]
    Long,
    /// It holds no checkpoint.
    #[error("{0}")]
    Text(#[from] CheckpointTextError),
}

/// Tasks are bounded in number and length, and so are checkpoints.
const MOST_BYTES: u64 = 64 << 20;

impl CheckpointFile {
    /// Checkpoints are this far apart at least.
    const PERIOD: Duration = Duration::from_millis(500);
    /// And as many times as far as it takes to write one, which is then less than a hundredth of
    /// the work of all threads.
    const TIMES: u32 = 150;

    /// The file at this path, read if it is there, and locked.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, CheckpointFileError> {
        let path = path.into();
        match Self::read(&path) {
            Ok((lock, kept)) => Ok(Self {
                path,
                kept,
                next: Mutex::new(Instant::now() + Self::PERIOD),
                problem: Mutex::default(),
                _lock: lock,
            }),
            Err(kind) => Err(CheckpointFileError { path, kind }),
        }
    }

    fn read(path: &Path) -> Result<(File, Option<Checkpoint>), CheckpointFileErrorKind> {
        if path.file_name().is_none() || path.is_dir() {
            return Err(CheckpointFileErrorKind::NoFile);
        }
        let lock = lock(path)?;
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((lock, None)),
            Err(error) => return Err(io("read it")(error)),
        };
        let mut text = String::new();
        let read = file.take(MOST_BYTES + 1).read_to_string(&mut text);
        match read {
            Ok(length) if length as u64 > MOST_BYTES => return Err(CheckpointFileErrorKind::Long),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(CheckpointTextError::Foreign.into());
            }
            Err(error) => return Err(io("read it")(error)),
        }
        // A new file that is still empty is as good as none.
        if text.is_empty() {
            return Ok((lock, None));
        }
        Ok((lock, Some(Checkpoint::from_text(&text)?)))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was in the file when it was opened.
    #[must_use]
    pub const fn found(&self) -> Option<&Checkpoint> {
        self.kept.as_ref()
    }

    /// Why the last checkpoint could not be written, if it could not. Says it once.
    pub fn take_problem(&self) -> Option<CheckpointFileError> {
        let mut problem = self.problem.lock().unwrap_or_else(PoisonError::into_inner);
        problem.take()
    }

    fn write(&self, checkpoint: &Checkpoint) -> io::Result<()> {
        // The lock says that nobody else writes under this name, so what a killed process has left
        // there is in nobody's way.
        let path = folder(&self.path).join(name(&self.path, ".tmp"));
        let written = write_new(&path, &checkpoint.to_text());
        let written = written.and_then(|()| fs::rename(&path, &self.path));
        if written.is_err() {
            drop(fs::remove_file(&path));
        }
        written
    }
}

impl CheckpointKeeper for CheckpointFile {
    fn kept(&self) -> Option<Checkpoint> {
        self.kept.clone()
    }

    fn is_due(&self) -> bool {
        self.next
            .try_lock()
            .is_ok_and(|next| Instant::now() >= *next)
    }

    fn keep(&self, checkpoint: &Checkpoint) {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let began = Instant::now();
        let written = self.write(checkpoint).map_err(|error| CheckpointFileError {
            path: self.path.clone(),
            kind: io("write it")(error),
        });
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = written.err();
        *next = Instant::now() + Self::PERIOD.max(began.elapsed() * Self::TIMES);
    }
}

/// Writes a text to a new file, down to the disk: without that a loss of power could leave the name
/// with nothing behind it.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn io(doing: &'static str) -> impl Fn(io::Error) -> CheckpointFileErrorKind {
    move |error| CheckpointFileErrorKind::Io { doing, error }
}

/// The lock of a file, which stays beside it: if it were removed, one process could hold the old
/// file and another one a new file.
fn lock(path: &Path) -> Result<File, CheckpointFileErrorKind> {
    let folder = folder(path);
    fs::create_dir_all(folder).map_err(io("make its folder"))?;
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    let file = options.open(folder.join(name(path, ".lock")));
    let file = file.map_err(io("make its lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(CheckpointFileErrorKind::InUse),
        Err(TryLockError::Error(error)) => Err(io("lock it")(error)),
    }
}

fn folder(path: &Path) -> &Path {
    let folder = path.parent().unwrap_or(Path::new(""));
    if folder.as_os_str().is_empty() {
        return Path::new(".");
    }
    folder
}

/// The name of a file with something behind it.
fn name(path: &Path, suffix: &str) -> std::ffi::OsString {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::SearchState;

    fn checkpoint(threshold: u32) -> Checkpoint {
        Checkpoint {
            board: "8 1 3/4 0 2/7 6 5".parse().unwrap(),
            goal: "1 2 3/4 5 6/7 8 0".parse().unwrap(),
            tables: "some".to_owned(),
            state: SearchState {
                threshold,
                ..SearchState::default()
            },
        }
    }

    fn error(path: &Path) -> String {
        let error = CheckpointFile::open(path).unwrap_err().to_string();
        let name = format!("{}: ", path.display());
        error
            .strip_prefix(&name)
            .expect("it names the file")
            .to_owned()
    }

    #[test]
    fn the_last_checkpoint_is_there_for_the_next_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new folder").join("search");
        let file = CheckpointFile::open(&path).unwrap();
        assert_eq!(file.found(), None);
        assert!(!file.is_due());
        for threshold in [14, 16] {
            file.keep(&checkpoint(threshold));
        }
        assert!(file.take_problem().is_none());
        assert_eq!(
            error(&path),
            "another process is searching with this checkpoint"
        );
        drop(file);
        let file = CheckpointFile::open(&path).unwrap();
        assert_eq!(file.found(), Some(&checkpoint(16)));
        assert_eq!(file.kept(), Some(checkpoint(16)));
    }

    #[test]
    fn what_a_killed_process_leaves_is_in_nobodys_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("search");
        CheckpointFile::open(&path).unwrap().keep(&checkpoint(14));
        fs::write(folder.path().join("search.tmp"), "taquin check").unwrap();
        let file = CheckpointFile::open(&path).unwrap();
        assert_eq!(file.found(), Some(&checkpoint(14)));
        file.keep(&checkpoint(16));
        assert!(file.take_problem().is_none());
        let names = fs::read_dir(folder.path()).unwrap();
        assert_eq!(names.count(), 2, "the file and its lock");
    }

    #[test]
    fn files_that_are_no_checkpoints_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("search");
        fs::write(&path, "").unwrap();
        assert_eq!(CheckpointFile::open(&path).unwrap().found(), None);
        for (text, why) in [
            (&b"1 2 3/4 5 6/7 8 0\n"[..], "not a checkpoint of Taquin"),
            (b"\xff\xfe", "not a checkpoint of Taquin"),
            (
                b"taquin checkpoint 1\nboard 1 2/3 0\n",
                "damaged: it ends after line 2, without its checksum",
            ),
        ] {
            fs::write(&path, text).unwrap();
            assert_eq!(error(&path), why);
            assert_eq!(fs::read(&path).unwrap(), text);
        }
        assert_eq!(error(folder.path()), "not the name of a file");
    }

    #[test]
    fn a_checkpoint_that_cannot_be_written_leaves_the_old_one_and_is_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("search");
        let file = CheckpointFile::open(&path).unwrap();
        file.keep(&checkpoint(14));
        // A folder in the place of the new file.
        fs::create_dir(folder.path().join("search.tmp")).unwrap();
        file.keep(&checkpoint(16));
        let problem = file.take_problem().expect("it could not be written");
        assert!(problem.to_string().contains("cannot write it"), "{problem}");
        assert!(file.take_problem().is_none());
        drop(file);
        let file = CheckpointFile::open(&path).unwrap();
        assert_eq!(file.found(), Some(&checkpoint(14)));
    }
}
