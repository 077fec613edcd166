//! Work that several threads share.
//!
//! A thread that cannot be started is not missed: those that there are do its share, at the least
//! the thread that asks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

/// Threads that may be started on a machine with fewer processors.
const SOME_THREADS: usize = 16;

/// How many of these threads are worth starting. They all compute, so that many more than there are
/// processors would only wait for each other.
pub(crate) fn useful(threads: usize) -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    let processors =
        *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, usize::from));
    threads.clamp(1, processors.max(SOME_THREADS))
}

/// Starts a thread; `None` if there can be no more of them.
pub(crate) fn start<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> R + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, R>> {
    #[cfg(test)]
    if !testing::may_start() {
        return None;
    }
    thread::Builder::new().spawn_scoped(scope, work).ok()
}

/// Runs `work` on this thread and on up to `threads - 1` others, until all of them are done. They
/// share what there is to do among themselves.
pub(crate) fn on_threads(threads: usize, work: impl Fn() + Sync) {
    thread::scope(|scope| {
        for _ in 1..useful(threads) {
            if start(scope, &work).is_none() {
                break;
            }
        }
        work();
    });
}

/// Gives each thread one of the `items` to work with: the first to this thread, and one to each of
/// the others that can be started. They share what there is to do among themselves. Returns what
/// they found, in the order of the items.
pub(crate) fn on_each<T: Send, R: Send>(
    items: &mut [T],
    work: impl Fn(&mut T) -> R + Sync,
) -> Vec<R> {
    let Some((first, others)) = items.split_first_mut() else {
        return Vec::new();
    };
    let found: Vec<Mutex<Option<R>>> = others.iter().map(|_| Mutex::default()).collect();
    let mut all = Vec::with_capacity(found.len() + 1);
    thread::scope(|scope| {
        for (item, found) in others.iter_mut().zip(&found) {
            let help = || {
                let result = work(item);
                *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            };
            if start(scope, help).is_none() {
                break;
            }
        }
        all.push(work(first));
    });
    let found = found.into_iter().map(Mutex::into_inner);
    all.extend(found.filter_map(|found| found.unwrap_or_else(PoisonError::into_inner)));
    all
}

/// Hands out the pieces to the threads, and sums up what they give. No more threads are started
/// than there are pieces.
pub(crate) fn share<P: Send>(
    pieces: impl Iterator<Item = P> + Send,
    threads: usize,
    work: impl Fn(P) -> u64 + Sync,
) -> u64 {
    let most = pieces.size_hint().1.unwrap_or(threads);
    let pieces = Mutex::new(pieces);
    let sum = AtomicU64::new(0);
    let next = || pieces.lock().ok()?.next();
    on_threads(threads.min(most), || {
        while let Some(piece) = next() {
            sum.fetch_add(work(piece), Ordering::Relaxed);
        }
    });
    sum.into_inner()
}

/// A thread limit for tests, and a count of the threads that were started.
#[cfg(test)]
pub(crate) mod testing {
    use std::cell::Cell;

    thread_local! {
        static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    pub(super) fn may_start() -> bool {
        let left = LEFT.get();
        LEFT.set(left.saturating_sub(1));
        left > 0
    }

    /// Does `work` where this thread can start only `most` others; also returns how many it started.
    pub(crate) fn with_at_most<R>(most: usize, work: impl FnOnce() -> R) -> (R, usize) {
        LEFT.set(most);
        let result = work();
        let started = most - LEFT.get();
        LEFT.set(usize::MAX);
        (result, started)
    }
}

#[cfg(test)]
mod tests {
    use super::testing::with_at_most;
    use super::*;

    #[test]
    fn the_work_is_done_however_few_threads_there_are() {
        for most in [0, 1, 3, 100] {
            let (sum, started) = with_at_most(most, || share(0..1000, 8, |piece| piece));
            assert_eq!((sum, started), (499_500, most.min(7)));
            let mut items = [1, 2, 3, 4];
            let (found, started) = with_at_most(most, || on_each(&mut items, |item| *item * 10));
            assert_eq!(found, [10, 20, 30, 40][..=most.min(3)]);
            assert_eq!(started, most.min(3));
        }
        assert!(on_each(&mut [], |(): &mut ()| ()).is_empty());
    }

    #[test]
    fn small_work_starts_few_threads() {
        let ((), started) = with_at_most(10_000, || {
            assert_eq!(share(0..3, 1024, |piece| piece), 3);
            assert_eq!(share(0..0, 1024, |piece| piece), 0);
        });
        assert_eq!(started, 2);
        assert!(useful(1 << 20) < 1 << 20 && useful(0) == 1 && useful(8) == 8);
    }
}
