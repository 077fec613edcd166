//! Tables are written while they are already used: an answer need not wait for the disk.

use std::sync::{Mutex, Once, PoisonError};
use std::thread::{self, JoinHandle};

use taquin::tables::store::{StoreError, Unwritten};

use crate::output::remark;

/// The threads that write.
static WRITERS: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());

/// Writes a table in the background.
pub(super) fn write_later(unwritten: Unwritten) {
    let write = || {
        if let Err(error) = unwritten.write() {
            tell(&error);
        }
    };
    // Where there can be no thread the table is not kept, and the next process builds it again.
    if let Ok(writer) = thread::Builder::new().spawn(write) {
        let mut writers = WRITERS.lock().unwrap_or_else(PoisonError::into_inner);
        writers.push(writer);
    }
}

/// Waits until all tables are written. If the process ends without that, nothing is kept of those
/// that were not.
pub(crate) fn finish() {
    let mut writers = WRITERS.lock().unwrap_or_else(PoisonError::into_inner);
    for writer in writers.drain(..) {
        // A panic was told when it happened.
        drop(writer.join());
    }
}

/// Says that tables are not kept: once, since all of them go to the same folder.
fn tell(error: &StoreError) {
    static TOLD: Once = Once::new();
    TOLD.call_once(|| {
        remark(format_args!(
            "{error}; tables are not kept and will be built again the next time; \
             --tables-dir says where to keep them"
        ));
    });
}
