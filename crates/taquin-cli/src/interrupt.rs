//! Ctrl-C: ends the program at once, or lets a search say first how far it got.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use crate::status::Status;

/// Whether a command listens to [`FLAG`].
static LISTENED: AtomicBool = AtomicBool::new(false);
/// Set by the first Ctrl-C that a command listens to.
static FLAG: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Handles Ctrl-C from now on, unless whoever started us had it ignored. Results are written record by record, so when nobody listens there
/// is nothing to save.
pub(crate) fn install() {
    let handled = ctrlc::try_set_handler(|| {
        let listened = LISTENED.load(Ordering::Relaxed);
        if !listened || FLAG.swap(true, Ordering::Relaxed) {
            std::process::exit(Status::INTERRUPTED.into());
        }
    });
    // An error says that it is ignored: then it stays so.
    drop(handled);
}

/// The flag that the first Ctrl-C sets from now on; a second one still ends the program at once.
pub(crate) fn flag() -> Arc<AtomicBool> {
    LISTENED.store(true, Ordering::Relaxed);
    Arc::clone(&FLAG)
}

/// From now on Ctrl-C ends the program at once, until someone asks for the [`flag`] again.
pub(crate) fn unlisten() {
    LISTENED.store(false, Ordering::Relaxed);
}
