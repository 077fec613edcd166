//! Opening files, and nothing but files.

use std::fs::{self, File, OpenOptions};
use std::path::Path;

use super::error::StoreErrorKind;

/// Opens a regular file, without ever waiting: a pipe, a folder or a device in its place is an
/// error.
pub(super) fn regular(path: &Path, options: &mut OpenOptions) -> Result<File, StoreErrorKind> {
    // A look before, because opening a device may do something.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(StoreErrorKind::NoFile);
    }
    let refused = |error| StoreErrorKind::Io {
        doing: "open it",
        error,
    };
    let file = without_waiting(options).open(path).map_err(refused)?;
    // And a look after, because it may have been replaced meanwhile.
    if file.metadata().map_err(refused)?.is_file() {
        Ok(file)
    } else {
        Err(StoreErrorKind::NoFile)
    }
}

/// Opening a pipe blocks until its other end is opened, so do not block. Regular files are not
/// affected.
#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
}

/// Other systems have no such files among the regular ones.
#[cfg(not(unix))]
const fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}
