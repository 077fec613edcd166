//! One builder at a time, and what only the builder may do: to write the file, and to clear away
//! what builders before it have left.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::error::StoreError;
use super::format::{Description, Header};
use super::list::paths;
use super::{SUFFIX, name, open, remove_file};
use crate::outcome::Budget;
use crate::tables::TableSubject;

/// How the names of files end that are being written.
const TEMPORARY: &str = ".tmp";

/// The first and the longest pause between two attempts to take a lock. A cancel flag is noticed
/// within the longest pause.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// The right to build one table. Others who want it wait until this is dropped, or until the
/// process ends in whatever way.
///
/// It is a lock of the system on an empty file beside the table's, `….taquin.lock`, which stays
/// there: if it were removed, one process could hold the old file and another one a new file.
#[derive(Debug)]
pub struct BuildLock {
    subject: TableSubject,
    folder: PathBuf,
    _locked: Locked,
}

/// A file that is locked until this is dropped.
#[derive(Debug)]
struct Locked(File);

impl Drop for Locked {
    fn drop(&mut self) {
        // To close the file would do, unless another thread is just starting a process, which has
        // all our files open for a moment.
        drop(self.0.unlock());
    }
}

impl BuildLock {
    /// Waits for the lock until the budget ends, which gives `None`.
    ///
    /// The system's own wait could not be given up, so this looks again and again.
    pub(super) fn wait(
        folder: &Path,
        subject: TableSubject,
        budget: &Budget,
    ) -> Result<Option<Self>, StoreError> {
        let mut pause = FIRST_PAUSE;
        loop {
            if let Some(lock) = Self::take(folder, subject)? {
                return Ok(Some(lock));
            }
            if budget.check().is_err() {
                return Ok(None);
            }
            thread::sleep(budget.time_left().map_or(pause, |left| pause.min(left)));
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    pub(super) fn take(folder: &Path, subject: TableSubject) -> Result<Option<Self>, StoreError> {
        let locked = try_lock(folder, &(name(&subject) + SUFFIX))?;
        Ok(locked.map(|locked| Self::new(folder, subject, locked)))
    }

    fn new(folder: &Path, subject: TableSubject, locked: Locked) -> Self {
        Self {
            subject,
            folder: folder.to_owned(),
            _locked: locked,
        }
    }

    /// What may be built.
    #[must_use]
    pub const fn subject(&self) -> &TableSubject {
        &self.subject
    }

    /// Writes the table's file. It takes the place of an older one at the very end, when all of it
    /// is on the disk; until then, and after an error, what was there stays.
    pub fn write(&self, entries: u64, max: u8, payload: &[u8]) -> Result<(), StoreError> {
        let file_name = name(&self.subject) + SUFFIX;
        let path = self.folder.join(&file_name);
        let description = Description {
            subject: self.subject,
            entries,
            max,
        };
        let header = Header::of(description, payload).encode();
        write_whole(&self.folder, &file_name, &[&header, payload])
            .map_err(StoreError::io(&path, "write it"))
    }

    /// Removes what builders of this table have left behind that were killed. Nobody else writes
    /// it now.
    pub fn clean(&self) -> Result<(), StoreError> {
        let file_name = name(&self.subject) + SUFFIX;
        for path in paths(&self.folder)? {
            if intended_name(&path) == Some(&file_name) {
                remove_file(&path)?;
            }
        }
        Ok(())
    }
}

/// Writes parts one after the other into a new file under that name, replacing one that exists when
/// all is well and on the disk.
///
/// Each part is one request to the system, however long: Linux then holds the file in large pieces,
/// which makes it up to twice as fast to go through as one that was written in pieces of a page.
fn write_whole(folder: &Path, file_name: &str, parts: &[&[u8]]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    let prefix = format!("{file_name}.");
    builder.prefix(&prefix).suffix(TEMPORARY);
    // Tables are no secret: a folder can be shared. The process's mask still applies.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    for part in parts {
        file.write_all(part)?;
    }
    // Without this a loss of power could leave the new name with nothing behind it.
    file.as_file().sync_all()?;
    file.persist(folder.join(file_name))?;
    Ok(())
}

/// The file of a lock, not yet locked, and where it is. Makes the folder if it is not there.
fn lock_file(folder: &Path, file_name: &str) -> Result<(PathBuf, File), StoreError> {
    fs::create_dir_all(folder).map_err(StoreError::io(folder, "make this folder"))?;
    let path = folder.join(format!("{file_name}.lock"));
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    let file = open::regular(&path, &mut options).map_err(|kind| StoreError::new(&path, kind))?;
    Ok((path, file))
}

/// The lock of the table with that file, if nobody holds it.
fn try_lock(folder: &Path, file_name: &str) -> Result<Option<Locked>, StoreError> {
    let (path, file) = lock_file(folder, file_name)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Locked(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(StoreError::io(&path, "lock it")(error)),
    }
}

/// The file name of the table that a temporary file is to become, if it is a temporary file.
pub(super) fn intended_name(path: &Path) -> Option<&str> {
    let file_name = path.file_name()?.to_str()?;
    let end = file_name.rfind(SUFFIX)? + SUFFIX.len();
    let (intended, rest) = file_name.split_at(end);
    (rest.starts_with('.') && rest.ends_with(TEMPORARY)).then_some(intended)
}

/// Removes a temporary file that is to become the table of that name, and says whether it did so:
/// not if someone is writing it, who then has the table's lock.
pub(super) fn remove_temporary(path: &Path, intended: &str) -> Result<bool, StoreError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    match try_lock(folder, intended)? {
        Some(_lock) => remove_file(path),
        None => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_files_are_known_by_their_names() {
        assert_eq!(
            intended_name(Path::new("store/4x4-blank15-0,1.taquin.a8Xz.tmp")),
            Some("4x4-blank15-0,1.taquin")
        );
        for other in [
            "4x4-blank15-0,1.taquin",
            "4x4-blank15-0,1.taquin.lock",
            "4x4-blank15-0,1.taquintmp.tmp",
            "notes.tmp",
            ".tmp",
        ] {
            assert_eq!(intended_name(Path::new(other)), None, "{other}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_completed_leaves_the_old_one_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        write_whole(folder.path(), "a.taquin", &[b"old"]).unwrap();
        // A folder in the place of the new name refuses the last step.
        fs::create_dir(folder.path().join("b.taquin")).unwrap();
        assert!(write_whole(folder.path(), "b.taquin", &[b"new"]).is_err());
        write_whole(folder.path(), "a.taquin", &[b"new", b"er"]).unwrap();
        assert_eq!(fs::read(folder.path().join("a.taquin")).unwrap(), b"newer");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_what_one_user_has_built() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        write_whole(folder.path(), "a.taquin", &[b"table"]).unwrap();
        let plain = folder.path().join("plain");
        fs::write(&plain, b"as any file of this process").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&folder.path().join("a.taquin")), mode(&plain));
    }
}
