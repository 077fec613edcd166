//! Limits that several threads share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crate::search::{Limit, Limits, Progress};

/// What a search may still spend. Threads take nodes in small lots, and look at the clock and the
/// cancel flag whenever they do.
#[derive(Debug)]
pub(super) struct Allowance {
    nodes: u64,
    spent: AtomicU64,
    deadline: Option<Instant>,
    cancel: Option<Arc<AtomicBool>>,
    progress: Option<Arc<Progress>>,
}

impl Allowance {
    /// Nodes of a lot: well below a millisecond's work.
    const LOT: u64 = 2048;

    /// Starts the clock.
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            nodes: limits.nodes.unwrap_or(u64::MAX),
            spent: AtomicU64::new(0),
            deadline: limits
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            cancel: limits.cancel.clone(),
            progress: limits.progress.clone(),
        }
    }

    /// Takes another lot: how many nodes, none if there is `enough`, or the limit that was hit.
    pub(super) fn take(&self, enough: bool) -> Result<u64, Limit> {
        if enough {
            return Ok(0);
        }
        self.look()?;
        let spent = self.spent.fetch_add(Self::LOT, Ordering::Relaxed);
        if let Some(progress) = &self.progress {
            progress.set_nodes(spent);
        }
        let granted = Self::LOT.min(self.nodes.saturating_sub(spent));
        self.give_back(Self::LOT - granted);
        if granted == 0 {
            return Err(Limit::Nodes);
        }
        Ok(granted)
    }

    /// Takes exactly so many nodes, if there are so many.
    pub(super) fn take_exactly(&self, nodes: u64) -> Result<(), Limit> {
        self.look()?;
        let spent = self.spent.fetch_add(nodes, Ordering::Relaxed);
        if spent.saturating_add(nodes) > self.nodes {
            self.give_back(nodes);
            return Err(Limit::Nodes);
        }
        Ok(())
    }

    /// Gives back what was taken and not spent.
    pub(super) fn give_back(&self, nodes: u64) {
        self.spent.fetch_sub(nodes, Ordering::Relaxed);
    }

    fn look(&self) -> Result<(), Limit> {
        let cancelled = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if self.cancel.as_ref().is_some_and(cancelled) {
            return Err(Limit::Cancelled);
        }
        if self.deadline.is_some_and(|end| Instant::now() >= end) {
            return Err(Limit::Time);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_nodes_are_granted_than_there_are() {
        let limits = Limits {
            nodes: Some(5000),
            ..Limits::default()
        };
        let allowance = Allowance::new(&limits);
        assert_eq!(allowance.take(false), Ok(2048));
        assert_eq!(allowance.take(false), Ok(2048));
        assert_eq!(allowance.take(false), Ok(904));
        assert_eq!(allowance.take(false), Err(Limit::Nodes));
        allowance.give_back(10);
        assert_eq!(allowance.take_exactly(11), Err(Limit::Nodes));
        assert_eq!(allowance.take_exactly(10), Ok(()));
        assert_eq!(allowance.take(true), Ok(0));
    }
}
