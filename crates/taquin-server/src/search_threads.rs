//! The threads that searches run on.

use std::collections::VecDeque;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::memory::give_free_memory_back;

/// When no search has run for this long, what they have left behind is cleared up.
const QUIET: Duration = Duration::from_millis(200);

/// A bounded number of threads, started when they are needed and kept for the next search.
///
/// The first one is started at once: as long as there is one, every search gets done, even if the
/// system has no more threads to give.
pub(crate) struct SearchThreads {
    shared: Arc<Shared>,
    most: usize,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    news: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    threads: usize,
    /// Threads that wait for a job.
    idle: usize,
    is_closed: bool,
}

type Job = Box<dyn FnOnce() + Send>;

impl SearchThreads {
    /// Up to this many threads; fails if not even one can be started.
    pub(crate) fn start(most: usize) -> io::Result<Self> {
        let threads = Self {
            shared: Arc::default(),
            most: most.max(1),
        };
        threads.add(&mut threads.shared.lock())?;
        Ok(threads)
    }

    /// Does something on one of the threads, as soon as one is free.
    pub(crate) fn run(&self, job: impl FnOnce() + Send + 'static) {
        let mut state = self.shared.lock();
        if state.idle <= state.jobs.len()
            && state.threads < self.most
            && let Err(error) = self.add(&mut state)
        {
            tracing::warn!(%error, threads = state.threads, "no more threads");
        }
        state.jobs.push_back(Box::new(job));
        drop(state);
        self.shared.news.notify_one();
    }

    fn add(&self, state: &mut State) -> io::Result<()> {
        let shared = Arc::clone(&self.shared);
        thread::Builder::new()
            .name("search".to_owned())
            .spawn(move || shared.work())?;
        state.threads += 1;
        Ok(())
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does one job after the other.
    fn work(&self) {
        while let Some(job) = self.next() {
            // After a panic the waiting request sees its channel closed; the hook has told where it was.
            let _ = panic::catch_unwind(AssertUnwindSafe(job));
        }
    }

    fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        state.idle += 1;
        let is_waiting = |state: &mut State| state.jobs.is_empty() && !state.is_closed;
        if state.idle == state.threads {
            // The last one to become idle clears up, if it stays quiet.
            let quiet = self.news.wait_timeout_while(state, QUIET, is_waiting);
            let (quiet, time) = quiet.unwrap_or_else(PoisonError::into_inner);
            state = quiet;
            if time.timed_out() {
                drop(state);
                give_free_memory_back();
                state = self.lock();
            }
        }
        let state = self.news.wait_while(state, is_waiting);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.idle -= 1;
        state.jobs.pop_front()
    }
}

impl Drop for SearchThreads {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.news.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::mpsc;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    #[test]
    fn as_many_jobs_as_there_are_threads_run_at_once() {
        let threads = SearchThreads::start(3).unwrap();
        let barrier = Arc::new(Barrier::new(3));
        let (send, receive) = mpsc::channel();
        for _ in 0..3 {
            let (barrier, send) = (Arc::clone(&barrier), send.clone());
            threads.run(move || {
                barrier.wait();
                send.send(thread::current().id()).unwrap();
            });
        }
        let ids: Vec<_> = (0..3)
            .map(|_| receive.recv_timeout(PATIENCE).unwrap())
            .collect();
        assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
    }

    #[test]
    fn more_jobs_than_threads_wait_and_a_panic_harms_nobody() {
        let threads = SearchThreads::start(2).unwrap();
        let (send, receive) = mpsc::channel();
        for number in 0..20 {
            let send = send.clone();
            threads.run(move || {
                assert!(number % 4 != 0, "some jobs fail");
                send.send(number).unwrap();
            });
        }
        drop(send);
        let mut done: Vec<u32> = (0..15)
            .map(|_| receive.recv_timeout(PATIENCE).unwrap())
            .collect();
        done.sort_unstable();
        assert_eq!(done, (0..20).filter(|n| n % 4 != 0).collect::<Vec<_>>());
        assert!(threads.shared.lock().threads <= 2);
    }

    #[test]
    fn the_threads_end_with_it() {
        let threads = SearchThreads::start(2).unwrap();
        let shared = Arc::downgrade(&threads.shared);
        drop(threads);
        let begin = std::time::Instant::now();
        while shared.strong_count() > 0 {
            assert!(begin.elapsed() < PATIENCE, "a thread goes on");
            thread::yield_now();
        }
    }
}
