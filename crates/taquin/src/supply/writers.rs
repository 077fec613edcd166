//! Tables are written while they are already used: an answer need not wait for the disk.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crate::tables::store::{StoreError, Unwritten};

/// Writes tables in the background, each on a thread of its own. A
/// [`BuildObserver`](super::BuildObserver) may use it for
/// [`write`](super::BuildObserver::write).
///
/// If the process ends before a table is written, nothing is kept of that table.
#[derive(Debug, Default)]
pub struct Writers {
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Writers {
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            threads: Mutex::new(Vec::new()),
        }
    }

    /// Writes a table in the background, or at once if the system has no thread to give. `refused`
    /// hears why a table was not written.
    pub fn write(&self, unwritten: Unwritten, refused: impl FnOnce(StoreError) + Send + 'static) {
        let write = move || {
            if let Err(error) = unwritten.write() {
                refused(error);
            }
        };
        // A thread that cannot be started would take the table with it, so it is kept here.
        let place = Arc::new(Mutex::new(Some(write)));
        let own = Arc::clone(&place);
        let do_it = |place: &Mutex<Option<_>>| {
            let write = place.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(write) = write {
                let write: Box<dyn FnOnce()> = Box::new(write);
                write();
            }
        };
        match thread::Builder::new().spawn(move || do_it(&own)) {
            Ok(thread) => {
                let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
                threads.retain(|thread| !thread.is_finished());
                threads.push(thread);
            }
            Err(_) => do_it(&place),
        }
    }

    /// Waits until all tables are written.
    pub fn finish(&self) {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        let threads: Vec<_> = threads.drain(..).collect();
        for thread in threads {
            // A panic was told when it happened.
            drop(thread.join());
        }
    }
}
