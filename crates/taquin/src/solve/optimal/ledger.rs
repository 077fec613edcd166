//! What became of the tasks of an iteration.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::state::TaskCount;

/// The tasks of an iteration that are done, for all threads to write in.
pub(super) struct Ledger<'a> {
    done: Mutex<Vec<Option<TaskCount>>>,
    /// Hears of it when a task is done.
    watch: Option<&'a Watch<'a>>,
}

/// Is told of what is done by now, each time that a task is.
pub(super) type Watch<'a> = dyn Fn(&[Option<TaskCount>]) + Sync + 'a;

impl<'a> Ledger<'a> {
    /// For tasks of which these are done already.
    pub(super) fn new(done: Vec<Option<TaskCount>>, watch: Option<&'a Watch<'a>>) -> Self {
        Self {
            done: Mutex::new(done),
            watch,
        }
    }

    /// A task is done.
    pub(super) fn enter(&self, task: usize, count: TaskCount) {
        let mut done = self.lock();
        if let Some(entry) = done.get_mut(task) {
            *entry = Some(count);
        }
        if let Some(watch) = self.watch {
            watch(&done);
        }
    }

    /// What is done in the end.
    pub(super) fn close(self) -> Vec<Option<TaskCount>> {
        self.done
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<TaskCount>>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Ledger<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ledger").finish_non_exhaustive()
    }
}
