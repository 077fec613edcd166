//! How far a search is.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::Iteration;
use super::iteration_progress::{IterationProgress, expected};

/// How far a search is, to be read from another thread.
///
/// Its numbers never fall, whichever searches follow each other on the way to one answer. So each
/// board gets a progress of its own.
#[derive(Debug, Default)]
pub struct Progress {
    nodes: AtomicU64,
    lower_bound: AtomicU32,
    /// The length of the best solution so far; 0 if there is none.
    best: AtomicU32,
    iteration: Mutex<Option<Begun>>,
    /// What this is a part of, and the nodes of the parts before.
    whole: Option<(Arc<Self>, u64)>,
}

/// An iteration that has begun.
#[derive(Clone, Copy, Debug)]
struct Begun {
    number: u32,
    threshold: u32,
    /// The nodes that were expanded before.
    before: u64,
    resumed: u64,
    at: Instant,
    expected: Option<u64>,
}

impl Progress {
    /// Nodes expanded, as of a moment ago.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The proven lower bound on the cost of every solution, as of a moment ago.
    #[must_use]
    pub fn lower_bound(&self) -> u32 {
        self.lower_bound.load(Ordering::Relaxed)
    }

    /// The length of the best solution so far, as of a moment ago: no shortest one is longer.
    #[must_use]
    pub fn best(&self) -> Option<u32> {
        let best = self.best.load(Ordering::Relaxed);
        (best > 0).then_some(best)
    }

    /// The iteration under way, if the search goes by iterations and tells of them.
    #[must_use]
    pub fn iteration(&self) -> Option<IterationProgress> {
        let begun = (*self.begun())?;
        Some(IterationProgress {
            number: begun.number,
            threshold: begun.threshold,
            nodes: self.nodes().saturating_sub(begun.before),
            before: begun.before,
            resumed: begun.resumed,
            time: begun.at.elapsed(),
            expected: begun.expected,
        })
    }

    /// The progress of a search that is a part of another one, which has expanded `before` nodes.
    pub(crate) fn part_of(whole: &Arc<Self>, before: u64) -> Arc<Self> {
        Arc::new(Self {
            whole: Some((Arc::clone(whole), before)),
            ..Self::default()
        })
    }

    pub(crate) fn set_nodes(&self, nodes: u64) {
        // Threads that tell of an earlier moment may come later.
        self.nodes.fetch_max(nodes, Ordering::Relaxed);
        if let Some((whole, before)) = &self.whole {
            whole.set_nodes(before.saturating_add(nodes));
        }
    }

    pub(crate) fn set_lower_bound(&self, lower_bound: u32) {
        // Another search may have proven more.
        self.lower_bound.fetch_max(lower_bound, Ordering::Relaxed);
        if let Some((whole, _)) = &self.whole {
            whole.set_lower_bound(lower_bound);
        }
    }

    /// There is a solution of this length, which is at least 1.
    pub(crate) fn set_best(&self, length: u32) {
        // A search that begins anew may have longer ones first.
        let shorter = |best| (best == 0 || length < best).then_some(length);
        let order = Ordering::Relaxed;
        // Fails where a shorter one is known.
        let _ = self.best.fetch_update(order, order, shorter);
        if let Some((whole, _)) = &self.whole {
            whole.set_best(length);
        }
    }

    /// An iteration begins, after these, which this search has completed.
    pub(crate) fn begin_iteration(&self, threshold: u32, complete: &[Iteration]) {
        let before = complete.iter().map(|iteration| iteration.expanded).sum();
        let resumed = self.nodes().saturating_sub(before);
        let iteration = Begun {
            number: complete.len() as u32 + 1,
            threshold,
            before,
            resumed,
            at: Instant::now(),
            expected: expected(threshold, complete),
        };
        self.begin(iteration);
    }

    /// An iteration begins that has this number in its own search.
    fn begin(&self, iteration: Begun) {
        let threshold = iteration.threshold;
        let mut begun = self.begun();
        let number = match *begun {
            None => Some(iteration.number),
            Some(last) if threshold > last.threshold => Some(last.number + 1),
            // Another search begins it again, with better tables: what was expected of the first
            // one no longer holds.
            Some(last) if threshold == last.threshold => Some(last.number),
            // Another search has come further.
            Some(_) => None,
        };
        if let Some(number) = number {
            *begun = Some(Begun {
                number,
                ..iteration
            });
        }
        drop(begun);
        if let Some((whole, nodes)) = &self.whole {
            let before = nodes.saturating_add(iteration.before);
            whole.begin(Begun {
                before,
                ..iteration
            });
        }
    }

    fn begun(&self) -> MutexGuard<'_, Option<Begun>> {
        self.iteration
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_adds_to_what_was_there_before() {
        let whole = Arc::new(Progress::default());
        whole.set_nodes(100);
        whole.set_lower_bound(30);
        let part = Progress::part_of(&whole, 100);
        part.set_nodes(5);
        part.set_lower_bound(28);
        assert_eq!((part.nodes(), part.lower_bound()), (5, 28));
        assert_eq!((whole.nodes(), whole.lower_bound()), (105, 30));
        let part_of_part = Progress::part_of(&part, 5);
        part_of_part.set_nodes(2);
        part_of_part.set_lower_bound(32);
        assert_eq!((whole.nodes(), whole.lower_bound()), (107, 32));
    }

    #[test]
    fn what_was_true_a_moment_ago_lowers_nothing() {
        let progress = Progress::default();
        progress.set_nodes(7);
        progress.set_nodes(6);
        progress.set_lower_bound(9);
        progress.set_lower_bound(8);
        assert_eq!((progress.nodes(), progress.lower_bound()), (7, 9));
    }
    fn complete(iterations: &[(u32, u64)]) -> Vec<Iteration> {
        let one = |&(threshold, expanded)| Iteration {
            threshold,
            expanded,
            generated: expanded,
        };
        iterations.iter().map(one).collect()
    }

    #[test]
    fn an_iteration_tells_its_number_and_the_nodes_since_it_began() {
        let progress = Progress::default();
        assert_eq!(progress.iteration(), None);
        progress.begin_iteration(30, &[]);
        let first = progress.iteration().unwrap();
        assert_eq!((first.number, first.threshold, first.nodes), (1, 30, 0));
        assert_eq!((first.before, first.expected), (0, None));
        progress.set_nodes(10);
        assert_eq!(progress.iteration().unwrap().nodes, 10);
        progress.begin_iteration(32, &complete(&[(30, 10)]));
        progress.set_nodes(60);
        progress.begin_iteration(34, &complete(&[(30, 10), (32, 50)]));
        progress.set_nodes(100);
        let third = progress.iteration().unwrap();
        assert_eq!((third.number, third.threshold, third.nodes), (3, 34, 40));
        assert_eq!((third.before, third.expected), (60, Some(250)));
    }

    #[test]
    fn an_iteration_that_goes_on_has_the_rate_of_what_is_done_here() {
        let progress = Progress::default();
        progress.set_nodes(1_000_060);
        progress.begin_iteration(34, &complete(&[(30, 10), (32, 50)]));
        let begun = progress.iteration().unwrap();
        assert_eq!((begun.nodes, begun.resumed), (1_000_000, 1_000_000));
        assert_eq!(begun.number, 3);
        assert_eq!(begun.rate(), None);
        progress.set_nodes(1_000_160);
        let rate = progress.iteration().unwrap().rate().unwrap();
        let time = progress.iteration().unwrap().time.as_secs_f64();
        assert!(rate * time >= 99.0 && rate * time < 100_000.0);
    }

    #[test]
    fn the_iterations_of_a_part_are_those_of_the_whole() {
        let whole = Arc::new(Progress::default());
        let part = Progress::part_of(&Progress::part_of(&whole, 1000), 100);
        part.begin_iteration(30, &complete(&[(28, 20)]));
        part.set_nodes(25);
        let iteration = whole.iteration().unwrap();
        assert_eq!((iteration.threshold, iteration.nodes), (30, 5));
        assert_eq!((iteration.before, iteration.expected), (1120, Some(120)));
        assert_eq!(part.iteration().unwrap().before, 20);
    }

    #[test]
    fn a_search_that_begins_anew_lowers_neither_threshold_nor_number() {
        let whole = Arc::new(Progress::default());
        let quick = Progress::part_of(&whole, 0);
        quick.begin_iteration(30, &[]);
        quick.begin_iteration(32, &complete(&[(30, 10)]));
        quick.set_nodes(70);
        // The same iteration again: it has no nodes yet, and nothing is known of it.
        let full = Progress::part_of(&whole, 70);
        full.begin_iteration(32, &[]);
        full.set_nodes(4);
        let again = whole.iteration().unwrap();
        assert_eq!((again.number, again.threshold, again.nodes), (2, 32, 4));
        assert_eq!((again.before, again.expected), (70, None));
        // One that has been complete before says nothing.
        Progress::part_of(&whole, 74).begin_iteration(30, &[]);
        assert_eq!(whole.iteration().unwrap().threshold, 32);
        full.begin_iteration(34, &complete(&[(32, 9)]));
        assert_eq!(whole.iteration().unwrap().number, 3);
    }

    #[test]
    fn the_best_solution_is_the_shortest_of_all_parts() {
        let whole = Arc::new(Progress::default());
        assert_eq!(whole.best(), None);
        let part = Progress::part_of(&whole, 0);
        part.set_best(104);
        part.set_best(106);
        assert_eq!((part.best(), whole.best()), (Some(104), Some(104)));
        Progress::part_of(&whole, 5).set_best(100);
        assert_eq!((part.best(), whole.best()), (Some(104), Some(100)));
    }
}
