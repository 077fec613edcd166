//! A table that was opened or built.

use std::path::Path;

use super::build::TableRequest;
use super::error::StoreError;
use super::format::Description;
use super::mapped::MappedTable;
use crate::outcome::Budget;
use crate::tables::Bytes;

/// A table's bytes with what they are: a mapped file, or memory if it was just built. A clone
/// shares them.
#[derive(Clone, Debug)]
pub struct Stored {
    description: Description,
    bytes: Bytes,
}

impl Stored {
    /// A table that was just built.
    pub(super) fn built(description: Description, bytes: Bytes) -> Self {
        Self { description, bytes }
    }

    /// A table that was just built, and has no file.
    pub(crate) fn of_request(request: &TableRequest, bytes: Bytes, max: u8) -> Self {
        let description = Description {
            subject: request.subject,
            entries: request.entries,
            max,
        };
        Self::built(description, bytes)
    }

    /// Maps the file and checks its header; `None` if there is no such file.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, StoreError> {
        let mapped = MappedTable::open(path)?;
        Ok(mapped.map(|mapped| Self {
            description: mapped.description(),
            bytes: Bytes::mapped(mapped),
        }))
    }

    /// What the table is.
    #[must_use]
    pub const fn description(&self) -> &Description {
        &self.description
    }

    /// Its payload.
    #[must_use]
    pub const fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The file that it was read from; `None` if it was built just now.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.bytes.file().map(MappedTable::path)
    }

    /// Compares all of the payload with its checksums, on `threads` threads. If parts are damaged,
    /// the error names the file and the first of them.
    ///
    /// A table that was built just now is right by construction. Whether one stays right that was
    /// verified is told by [`Bytes::confirm`].
    pub fn verify(&self, threads: usize) -> Result<(), StoreError> {
        self.verify_within(threads, &Budget::default())
    }

    /// Compares the payload with its checksums until that is done or the budget ends, which is the
    /// error [`Stopped`](super::StoreErrorKind::Stopped).
    pub fn verify_within(&self, threads: usize, budget: &Budget) -> Result<(), StoreError> {
        match self.bytes.file() {
            Some(mapped) => mapped.verify(threads, budget),
            None => Ok(()),
        }
    }
}
