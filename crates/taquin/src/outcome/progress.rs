//! How far a search is.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// How far a search is, to be read from another thread.
#[derive(Debug, Default)]
pub struct Progress {
    nodes: AtomicU64,
    lower_bound: AtomicU32,
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

    pub(crate) fn set_nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    pub(crate) fn set_lower_bound(&self, lower_bound: u32) {
        self.lower_bound.store(lower_bound, Ordering::Relaxed);
    }
}
