//! What is in a store.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::{StoreError, StoreErrorKind};
use super::lock::{intended_name, remove_temporary};
use super::{SUFFIX, Store, Stored, is_absence, remove_file};

/// A file in a store.
#[derive(Debug)]
pub struct Listed {
    /// Where it is.
    pub path: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
    /// What it is.
    pub state: ListedState,
}

/// What a file in a store is.
#[derive(Debug)]
#[non_exhaustive]
pub enum ListedState {
    /// A table whose header is in order; its payload can be [verified](Stored::verify).
    Table(Stored),
    /// Named like a table, but it cannot be used: damaged, foreign, in another version, or under a
    /// wrong name.
    Unusable(StoreError),
    /// A table that is being written, or was when its writer was killed.
    Temporary,
}

impl Listed {
    /// Removes the file, and says whether it did so: not if it is already gone, nor if someone is
    /// writing it. Processes that have it open can go on.
    pub fn remove(&self) -> Result<bool, StoreError> {
        match intended_name(&self.path) {
            Some(intended) => remove_temporary(&self.path, intended),
            None => remove_file(&self.path),
        }
    }
}

impl Store {
    /// The files of the store in the order of their names: those that are tables or claim to be, and
    /// those that were to become tables. A folder that does not exist has none.
    pub fn list(&self) -> Result<Vec<Listed>, StoreError> {
        let mut files = Vec::new();
        for path in paths(&self.folder)? {
            let claims_to_be_a_table = path
                .file_name()
                .and_then(|name| name.to_str())
                .is_some_and(|name| name.ends_with(SUFFIX));
            let state = if claims_to_be_a_table {
                match self.look_into(&path) {
                    Ok(Some(stored)) => ListedState::Table(stored),
                    Err(error) => ListedState::Unusable(error),
                    // Removed since we saw its name.
                    Ok(None) => continue,
                }
            } else if intended_name(&path).is_some() {
                ListedState::Temporary
            } else {
                continue;
            };
            let bytes = fs::metadata(&path).map_or(0, |metadata| metadata.len());
            files.push(Listed { path, bytes, state });
        }
        Ok(files)
    }

    /// Removes files of builders that were killed before they could complete them, and says which.
    /// Those that are being written stay.
    pub fn clean(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut removed = Vec::new();
        for path in paths(&self.folder)? {
            if let Some(intended) = intended_name(&path)
                && remove_temporary(&path, intended)?
            {
                removed.push(path);
            }
        }
        Ok(removed)
    }

    /// Opens a file as what its header says, which must also be what its name says.
    fn look_into(&self, path: &Path) -> Result<Option<Stored>, StoreError> {
        let Some(stored) = Stored::open(path)? else {
            return Ok(None);
        };
        let found = stored.description().subject;
        if self.path(found).file_name() == path.file_name() {
            Ok(Some(stored))
        } else {
            let found = Box::new(found);
            Err(StoreError::new(path, StoreErrorKind::OtherTable { found }))
        }
    }
}

/// Everything in a folder, in the order of names; nothing if there is no folder.
pub(super) fn paths(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let read = || -> std::io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(folder)?;
        entries.map(|entry| Ok(entry?.path())).collect()
    };
    match read() {
        Ok(mut paths) => {
            paths.sort();
            Ok(paths)
        }
        Err(error) if is_absence(&error) => Ok(Vec::new()),
        Err(error) => Err(StoreError::io(folder, "read this folder")(error)),
    }
}
