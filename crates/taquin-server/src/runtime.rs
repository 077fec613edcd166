//! The threads that connections are served on.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::{io, thread};

use tokio::runtime::{Builder, Runtime};

/// Threads that are needed besides those for connections: for the first search, the log, signals.
const OTHERS: usize = 3;
/// The most threads for what may block besides searches, which is to read files.
const BLOCKING: usize = 4;

/// A runtime for a [`Server`](crate::Server), with a thread a core, or with fewer where there are no
/// more to be had.
///
/// Fails if there are too few to serve anybody. The runtime itself would panic then, or wait for ever
/// for a thread that never comes.
pub fn runtime() -> io::Result<Runtime> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let workers = affordable_threads(cores + OTHERS).saturating_sub(OTHERS);
    if workers == 0 {
        return Err(io::Error::other(
            "the system gives this process too few threads; a limit on processes or memory may be \
             too low (ulimit -u, ulimit -v, pids.max)",
        ));
    }
    Builder::new_multi_thread()
        .worker_threads(workers)
        .max_blocking_threads(BLOCKING)
        .enable_all()
        .build()
}

/// How many threads can be had at once, up to a number.
fn affordable_threads(most: usize) -> usize {
    let wait = Mutex::new(());
    thread::scope(|scope| {
        let all_started = wait.lock();
        let stay = || drop(wait.lock().unwrap_or_else(PoisonError::into_inner));
        let started = (0..most)
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, stay).ok())
            .count();
        drop(all_started);
        started
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_threads_are_counted_as_were_asked_for_and_can_be_had() {
        assert_eq!(affordable_threads(0), 0);
        assert_eq!(affordable_threads(5), 5);
        runtime().unwrap();
    }
}
