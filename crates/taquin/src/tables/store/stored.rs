//! A table that was opened or built.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::build::TableRequest;
use super::error::{StoreError, StoreErrorKind};
use super::format::{Description, Header, PART};
use super::{is_absence, map};
use crate::tables::Bytes;
use crate::threads::on_threads;

/// A table's bytes with what they are: a mapped file, or memory if it was just built. A clone
/// shares them.
#[derive(Clone, Debug)]
pub struct Stored {
    description: Description,
    bytes: Bytes,
    /// `None` for memory.
    file: Option<Arc<Source>>,
}

/// The file that a table was read from.
#[derive(Debug)]
struct Source {
    path: Box<Path>,
    header: Header,
}

impl Stored {
    /// A table that was just built.
    pub(super) fn built(description: Description, bytes: Bytes) -> Self {
        Self {
            description,
            bytes,
            file: None,
        }
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
        // To open a pipe would wait for someone who writes into it: so look first.
        let file = match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => {
                return Err(StoreError::new(path, StoreErrorKind::Foreign));
            }
            Ok(_) => File::open(path),
            Err(error) => Err(error),
        };
        let map = match file.and_then(|file| map::map(&file)) {
            Ok(map) => map,
            // Also if it was removed after we looked.
            Err(error) if is_absence(&error) => return Ok(None),
            Err(error) => return Err(StoreError::io(path, "read it")(error)),
        };
        let header = Header::decode(&map).map_err(|kind| StoreError::new(path, kind))?;
        Ok(Some(Self {
            description: header.description,
            bytes: Bytes::mapped(map, header.payload_start() as usize),
            file: Some(Arc::new(Source {
                path: path.into(),
                header,
            })),
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
        self.file.as_deref().map(|file| &*file.path)
    }

    /// Compares all of the payload with its checksums, on so many threads. If parts are damaged,
    /// the error names the file and the first of them.
    ///
    /// A table that was built just now is right by construction.
    pub fn verify(&self, threads: usize) -> Result<(), StoreError> {
        let Some(Source { path, header }) = self.file.as_deref() else {
            return Ok(());
        };
        let bytes: &[u8] = &self.bytes;
        let part = |i: usize| &bytes[i * PART..bytes.len().min((i + 1) * PART)];
        let next = AtomicUsize::new(0);
        let first_bad = AtomicUsize::new(header.sums.len());
        on_threads(threads, || {
            loop {
                // Parts are given out in order, so that those before a bad one are all looked at,
                // and the first is named whatever the threads do.
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= first_bad.load(Ordering::Relaxed) {
                    return;
                }
                if crc32fast::hash(part(i)) != header.sums[i] {
                    first_bad.fetch_min(i, Ordering::Relaxed);
                }
            }
        });
        let bad = first_bad.into_inner();
        if bad == header.sums.len() {
            return Ok(());
        }
        let start = header.payload_start() + (bad * PART) as u64;
        let end = start + part(bad).len() as u64;
        Err(StoreError::new(
            &**path,
            StoreErrorKind::Payload { start, end },
        ))
    }
}
