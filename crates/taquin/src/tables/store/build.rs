//! A table from its file, or built if there is none that can be used.

use std::fmt;
use std::path::PathBuf;

use super::error::{StoreError, StoreErrorKind};
use super::format::Description;
use super::{BuildLock, Store, Stored};
use crate::outcome::Budget;
use crate::tables::{Bytes, TableSubject};

/// A table that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableRequest {
    /// What it is of.
    pub subject: TableSubject,
    /// How many entries it has to have.
    pub entries: u64,
    /// How many bytes they take.
    pub bytes: usize,
    /// How well to look at the file before it is used.
    pub check: FileCheck,
}

/// How well to look at a file before it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileCheck {
    /// The header only: the caller calls [`Stored::verify`], perhaps while it already uses the
    /// table, before it trusts what came of it. If that fails, it asks again with [`FileCheck::All`].
    Header,
    /// Not at all: whatever there is, the table is built and replaces it.
    Anew,
    /// All of it, on `threads` threads.
    All {
        /// How many.
        threads: usize,
    },
}

/// Something that the user should know, though the table is there.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreNotice {
    /// There is a file that cannot be used, so the table is built and replaces it.
    Rebuilding(StoreError),
    /// Someone else is building the table, and we wait for that.
    Waiting {
        /// The table's file.
        path: PathBuf,
    },
    /// Someone else was building the table for so long that we build it too, for ourselves.
    NotWaiting {
        /// The table's file.
        path: PathBuf,
    },
    /// There was no time to check all of the file, so the table is built in memory.
    NotChecked(StoreError),
    /// The table was built, but it could not be written and will have to be built the next time.
    NotKept(StoreError),
}

/// A table that was built and is not yet in its file. Nobody else can build it as long as this
/// lives.
#[derive(Debug)]
#[must_use = "the table is lost with the process if nobody writes it"]
pub struct Unwritten {
    lock: Result<BuildLock, StoreError>,
    description: Description,
    bytes: Bytes,
}

impl Unwritten {
    /// Writes the file. It takes the place of an older one when all of it is on the disk; until
    /// then, and after an error, what was there stays.
    pub fn write(self) -> Result<(), StoreError> {
        let Description { entries, max, .. } = self.description;
        self.lock?.write(entries, max, &self.bytes)
    }
}

impl fmt::Display for StoreNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rebuilding(error) => write!(f, "{error}; building it again"),
            Self::Waiting { path } => {
                let path = path.display();
                write!(f, "{path}: another process is building it; waiting")
            }
            Self::NotWaiting { path } => {
                let path = path.display();
                write!(
                    f,
                    "{path}: another process is still building it; doing without the file"
                )
            }
            Self::NotChecked(error) => write!(f, "{error}; doing without the file"),
            Self::NotKept(error) => write!(f, "{error}; the table is not kept"),
        }
    }
}

impl Store {
    /// A table: from its file, or built if there is none that can be used, and then written.
    ///
    /// * `build` gives the bytes of the table and its largest value. Its error is the only one:
    ///   whatever the files do, the table can be had. It is called with the table's lock held, so
    ///   that of several threads and processes one builds, and the others wait and read.
    /// * `notices` is told what the user should know.
    ///
    /// The bytes of a table that was built stay where they are; they are not mapped from the file.
    pub fn get_or_build<E>(
        &self,
        request: &TableRequest,
        build: impl FnOnce() -> Result<(Bytes, u8), E>,
        notices: &mut dyn FnMut(StoreNotice),
    ) -> Result<Stored, E> {
        let budget = Budget::default();
        let got = self.get_unwritten(request, build, &budget, &budget, notices);
        let (stored, unwritten) = got?;
        if let Some(Err(error)) = unwritten.map(Unwritten::write) {
            notices(StoreNotice::NotKept(error));
        }
        Ok(stored)
    }

    /// The table that was asked for, handed out before it is written if it had to be built. The
    /// caller writes it when it likes, perhaps on another thread.
    ///
    /// * `wait` ends the wait while someone else builds the table, and `check` the check of its
    ///   file. Then `build` is called without the lock, and what it gives is not kept. It obeys a
    ///   budget of its own.
    pub fn get_unwritten<E>(
        &self,
        request: &TableRequest,
        build: impl FnOnce() -> Result<(Bytes, u8), E>,
        wait: &Budget,
        check: &Budget,
        notices: &mut dyn FnMut(StoreNotice),
    ) -> Result<(Stored, Option<Unwritten>), E> {
        // 1. A file that is there and in order needs no lock.
        let may_be_written = match self.find(request, check) {
            Ok(Some(stored)) => return Ok((stored, None)),
            Ok(None) => true,
            // Nothing is wrong with the file, so it stays.
            Err(error) if is_stopped(&error) => {
                say_not_checked(error, check, notices);
                false
            }
            Err(error) => {
                notices(StoreNotice::Rebuilding(error));
                true
            }
        };

        // 2. Only one may build. Where there can be no lock, nothing can be written either, and we
        //    build for ourselves.
        let mut lock = if may_be_written {
            self.lock_or_say(request.subject, wait, notices)
        } else {
            Ok(None)
        };
        if let Ok(Some(held)) = &lock {
            // Someone may have built it before we got the lock. If not, what is wrong was said.
            match self.find(request, check) {
                Ok(Some(stored)) => return Ok((stored, None)),
                Err(error) if is_stopped(&error) => {
                    say_not_checked(error, check, notices);
                    lock = Ok(None);
                }
                // What cannot be removed does no harm: it is never read.
                Ok(None) | Err(_) => drop(held.clean()),
            }
        }

        // 3. Build; what can be kept is for the caller to write.
        let (bytes, max) = build()?;
        debug_assert_eq!(bytes.len(), request.bytes, "{request:?}");
        let description = Description {
            subject: request.subject,
            entries: request.entries,
            max,
        };
        let unwritten = lock.transpose().map(|lock| Unwritten {
            lock,
            description,
            bytes: bytes.clone(),
        });
        Ok((Stored::built(description, bytes), unwritten))
    }

    /// The table from its file, if that holds what was asked for; `None` if there is no file.
    fn find(&self, request: &TableRequest, check: &Budget) -> Result<Option<Stored>, StoreError> {
        if request.check == FileCheck::Anew {
            return Ok(None);
        }
        let Some(stored) = self.open(request.subject)? else {
            return Ok(None);
        };
        let expected = (request.entries, request.bytes as u64);
        let found = (stored.description().entries, stored.bytes().len() as u64);
        if found != expected {
            let kind = StoreErrorKind::Measure { expected, found };
            return Err(StoreError::new(self.path(request.subject), kind));
        }
        if let FileCheck::All { threads } = request.check {
            stored.verify_within(threads, check)?;
        }
        Ok(Some(stored))
    }

    /// The table's lock; tells the user if it takes a while. `None` if the wait was given up.
    fn lock_or_say(
        &self,
        subject: TableSubject,
        wait: &Budget,
        notices: &mut dyn FnMut(StoreNotice),
    ) -> Result<Option<BuildLock>, StoreError> {
        if let Some(lock) = self.try_lock(subject)? {
            return Ok(Some(lock));
        }
        let path = self.path(subject);
        notices(StoreNotice::Waiting { path: path.clone() });
        let lock = self.lock(subject, wait)?;
        if lock.is_none() && !wait.is_cancelled() {
            notices(StoreNotice::NotWaiting { path });
        }
        Ok(lock)
    }
}

/// Says that a file was left alone, unless that is what was asked for.
fn say_not_checked(error: StoreError, check: &Budget, notices: &mut dyn FnMut(StoreNotice)) {
    if !check.is_cancelled() {
        notices(StoreNotice::NotChecked(error));
    }
}

/// Whether a file could be in order, and there was no time to see.
const fn is_stopped(error: &StoreError) -> bool {
    matches!(error.kind(), StoreErrorKind::Stopped { .. })
}
