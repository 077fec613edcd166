//! Work that several threads share.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Runs `work` on this thread and on up to `threads - 1` others, until all of them are done. They
/// share what there is to do among themselves.
pub(crate) fn on_threads(threads: usize, work: impl Fn() + Sync) {
    thread::scope(|scope| {
        for _ in 1..threads {
            // A thread that cannot be started is not missed: the others take its share.
            if thread::Builder::new().spawn_scoped(scope, &work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Hands out the pieces to the threads, and sums up what they give.
pub(crate) fn share<P: Send>(
    pieces: impl Iterator<Item = P> + Send,
    threads: usize,
    work: impl Fn(P) -> u64 + Sync,
) -> u64 {
    let pieces = Mutex::new(pieces);
    let sum = AtomicU64::new(0);
    let next = || pieces.lock().ok()?.next();
    on_threads(threads, || {
        while let Some(piece) = next() {
            sum.fetch_add(work(piece), Ordering::Relaxed);
        }
    });
    sum.into_inner()
}
