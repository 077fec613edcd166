//! What can be wrong with a table's file.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::format::VERSION;
use super::name;
use crate::outcome::Limit;
use crate::tables::TableSubject;

/// A file that cannot be used, written or removed, and why.
#[derive(Debug, Error)]
#[error("{}: {kind}", path.display())]
pub struct StoreError {
    path: PathBuf,
    kind: StoreErrorKind,
}

/// Why a file cannot be used, written or removed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// The system refused.
    #[error("cannot {doing}: {error}")]
    Io {
        /// What was to be done, as in `read it`.
        doing: &'static str,
        /// What the system says.
        error: io::Error,
    },
    /// A folder, a pipe or a device in the place of a file.
    #[error("not a regular file; remove it, or keep tables in another folder")]
    NoFile,
    /// It was not checked to the end: a limit came first. Nothing is known to be wrong with it.
    #[error("not checked to the end: stopped by the limit on {limit}")]
    Stopped {
        /// Which limit.
        limit: Limit,
    },
    /// Not a table's file at all.
    #[error("not a table of Taquin")]
    Foreign,
    /// A table in another version of the format, older or newer.
    #[error("a table in format {found}, and this is format {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// It ends before its header does.
    #[error("damaged: it ends within its header, after {found} bytes")]
    Incomplete {
        /// Its length.
        found: u64,
    },
    /// The header's checksum is not that of the header.
    #[error("damaged: its header does not have its checksum")]
    Header,
    /// It is longer or shorter than its header says.
    #[error("damaged: it has {found} bytes, and its header says {expected}")]
    Length {
        /// The length that the header tells.
        expected: u64,
        /// The length that it has.
        found: u64,
    },
    /// A part of the payload does not have its checksum.
    #[error("damaged: bytes {start} to {last} do not have their checksum", last = end - 1)]
    Payload {
        /// Where the part begins in the file.
        start: u64,
        /// Where it ends, exclusive.
        end: u64,
    },
    /// The file was made shorter after it was opened.
    #[error("damaged: it was made shorter while it was open")]
    Shortened,
    /// A good table, but not the one of that name.
    #[error("the table {}, under a wrong name", name(found))]
    OtherTable {
        /// What it is the table of.
        found: Box<TableSubject>,
    },
    /// The right table, but not of the right measure.
    #[error(
        "a table of {} entries in {} bytes, not of {} in {}",
        found.0, found.1, expected.0, expected.1
    )]
    Measure {
        /// The entries and the bytes it should have.
        expected: (u64, u64),
        /// The entries and the bytes it has.
        found: (u64, u64),
    },
}

impl StoreError {
    pub(super) fn new(path: impl Into<PathBuf>, kind: StoreErrorKind) -> Self {
        let path = path.into();
        Self { path, kind }
    }

    /// For `map_err`: the system refused to do something with that file.
    pub(super) fn io(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::new(path, StoreErrorKind::Io { doing, error })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &StoreErrorKind {
        &self.kind
    }
}
