//! Work on threads of its own, where the system allows some.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Does `work` on a thread of its own; if there can be none, here and now.
pub(crate) fn spawn_or_do(work: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    let place = Arc::new(Mutex::new(Some(work)));
    let take =
        |place: &Mutex<Option<_>>| place.lock().unwrap_or_else(PoisonError::into_inner).take();
    let apart = {
        let place = Arc::clone(&place);
        move || {
            if let Some(work) = take(&place) {
                work();
            }
        }
    };
    let spawned = thread::Builder::new().spawn(apart).ok();
    if spawned.is_none()
        && let Some(work) = take(&place)
    {
        work();
    }
    spawned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_wherever() {
        let (sender, done) = std::sync::mpsc::channel();
        spawn_or_do(move || sender.send(7).unwrap());
        assert_eq!(done.recv(), Ok(7));
    }
}
