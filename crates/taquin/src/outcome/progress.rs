//! How far a search is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// How far a search is, to be read from another thread.
///
/// Its numbers never fall, whichever searches follow each other on the way to one answer. So each
/// board gets a progress of its own.
#[derive(Debug, Default)]
pub struct Progress {
    nodes: AtomicU64,
    lower_bound: AtomicU32,
    /// What this is a part of, and the nodes of the parts before.
    whole: Option<(Arc<Self>, u64)>,
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
}
