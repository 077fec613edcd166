//! Tables in files, so that they are built once.
//!
//! A store is a folder with one file a table. Files are written under another name and renamed, so
//! that a table is there as a whole or not at all; one process at a time writes a table, and
//! the others wait for it as long as their time allows; and nothing in a file is trusted: its header is checked when it is opened,
//! its payload by [`Stored::verify`], which may run on other threads while the table is already in
//! use, and before anything is claimed that was found with it, by
//! [`Bytes::confirm`](super::Bytes::confirm). The format is described in `docs/formats.md`.
//!
//! ```
//! use taquin::tables::store::{FileCheck, TableRequest, Store};
//! use taquin::tables::{Bytes, Key, OutOfMemoryError};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let store = Store::new(folder);
//! let pattern = [0, 1, 4, 5].into_iter().collect();
//! let key = Key::new("4x4".parse()?, 15, pattern)?;
//! let request = TableRequest { subject: key.into(), entries: 3, bytes: 3, check: FileCheck::Header };
//! let mut notices = Vec::new();
//! for built_now in [true, false] {
//!     let mut built = false;
//!     let build = || {
//!         built = true;
//!         Ok::<_, OutOfMemoryError>((Bytes::from(vec![0, 1, 2]), 2))
//!     };
//!     let table = store.get_or_build(&request, build, &mut |notice| notices.push(notice))?;
//!     table.verify(2)?;
//!     assert_eq!(table.bytes()[..], [0, 1, 2]);
//!     assert_eq!(built, built_now);
//! }
//! assert!(notices.is_empty());
//! assert!(folder.join("4x4-blank15-0,1,4,5.taquin").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod error;
mod format;
mod list;
mod lock;
mod map;
mod mapped;
mod open;
mod stamp;
mod stored;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::TableSubject;
use crate::outcome::Budget;

pub use build::{StoreNotice, Unwritten};
// Not a part of the API: for the tests, benches and chores of this project.
#[doc(hidden)]
pub use build::{FileCheck, TableRequest};
pub use error::{StoreError, StoreErrorKind};
pub use format::Description;
pub use list::{Listed, ListedState};
// Not a part of the API: for the tests, benches and chores of this project.
#[doc(hidden)]
pub use lock::BuildLock;
pub(in crate::tables) use mapped::MappedTable;
pub use stored::Stored;

/// How the names of tables' files end.
const SUFFIX: &str = ".taquin";

/// A folder of tables. It need not exist before something is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The store in that folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self { folder }
    }

    /// Where a user's tables are kept unless she says otherwise: `taquin/tables` in the folder for
    /// caches, which is `$XDG_CACHE_HOME` or `~/.cache`, and on Windows `%LOCALAPPDATA%`. `None` if
    /// she has no home.
    #[must_use]
    pub fn default_folder() -> Option<PathBuf> {
        let caches = etcetera::choose_base_strategy().ok()?.cache_dir();
        Some(caches.join("taquin").join("tables"))
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a table, whether it exists or not: `4x4-blank15-0,1,4,5.taquin`, with the goal's
    /// blank cell and the homes of the pattern's tiles, `3x3-blank8-single.taquin` for a whole
    /// space, or `4x4-blank15-multi-1122,3322,3344,344.taquin` for coloured tiles in multi-tile
    /// moves.
    #[must_use]
    pub fn path(&self, subject: impl Into<TableSubject>) -> PathBuf {
        self.folder.join(name(&subject.into()) + SUFFIX)
    }

    /// Opens a table, in microseconds; `None` if it has no file. The header is checked; the payload
    /// is not read yet, see [`Stored::verify`].
    pub fn open(&self, subject: impl Into<TableSubject>) -> Result<Option<Stored>, StoreError> {
        let subject = subject.into();
        let path = self.path(subject);
        let Some(stored) = Stored::open(&path)? else {
            return Ok(None);
        };
        let found = stored.description().subject;
        if found == subject {
            Ok(Some(stored))
        } else {
            let found = Box::new(found);
            Err(StoreError::new(path, StoreErrorKind::OtherTable { found }))
        }
    }

    /// Waits until this is the only process, and the only thread, that may build that table; `None`
    /// if the budget ended the wait.
    pub fn lock(
        &self,
        subject: impl Into<TableSubject>,
        budget: &Budget,
    ) -> Result<Option<BuildLock>, StoreError> {
        BuildLock::wait(&self.folder, subject.into(), budget)
    }

    /// Makes this the only process and thread that may build that table, without waiting: `None` if
    /// another one is building it.
    pub fn try_lock(
        &self,
        subject: impl Into<TableSubject>,
    ) -> Result<Option<BuildLock>, StoreError> {
        BuildLock::take(&self.folder, subject.into())
    }

    /// Removes the file of a table, and says whether there was one. Processes that have it open
    /// can go on.
    pub fn remove(&self, subject: impl Into<TableSubject>) -> Result<bool, StoreError> {
        remove_file(&self.path(subject))
    }
}

/// What a table is called.
fn name(subject: &TableSubject) -> String {
    let (size, blank) = (subject.size(), subject.blank());
    match subject {
        TableSubject::Pattern(key) => format!("{size}-blank{blank}-{}", key.pattern()),
        TableSubject::Space(key) => format!("{size}-blank{blank}-{}", key.metric.name()),
        TableSubject::Classes(key) => {
            // Slashes divide folders, and a dot the ending; the blank's cell is named already.
            let drawing = key.to_string().replace('/', ",").replace('.', "");
            format!("{size}-blank{blank}-multi-{drawing}")
        }
    }
}

/// Whether an error says that there is no such file. A folder that turns out to be a file holds
/// none either.
fn is_absence(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Removes a file, and says whether there was one.
fn remove_file(path: &Path) -> Result<bool, StoreError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if is_absence(&error) => Ok(false),
        Err(error) => Err(StoreError::io(path, "remove it")(error)),
    }
}
