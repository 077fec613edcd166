//! When to give up.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Bounds on a search. The default has none.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Most nodes to expand, as [`Statistics::expanded`](super::Statistics::expanded) counts them.
    pub nodes: Option<u64>,
    /// Most time to take.
    pub time: Option<Duration>,
    /// Most bytes to keep states in.
    pub memory: Option<u64>,
    /// The cost from which on solutions are of no interest: a search stops once it has proven that
    /// every solution costs more. One that finds solutions before it proves anything, such as
    /// [`greedy`](super::greedy()), can still give one that costs more.
    pub cost: Option<u32>,
    /// Stops the search soon after it becomes true.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Is told now and then how far the search is. No limit, but it travels with them.
    pub progress: Option<Arc<Progress>>,
}

/// How far a search is, for somebody who looks on from another thread.
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

    /// What any solution costs at least, as of a moment ago.
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

/// The limit that stopped a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Limits::nodes`].
    Nodes,
    /// [`Limits::time`].
    Time,
    /// [`Limits::memory`].
    Memory,
    /// [`Limits::cost`].
    Cost,
    /// [`Limits::cancel`].
    Cancelled,
}

impl Limit {
    /// The name in results: `nodes`, `time`, `memory`, `cost`, `cancelled`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Cost => "cost",
            Self::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Limits while a search runs: asked before every expansion, and cheap to ask.
///
/// The clock and the cancel flag are looked at every few milliseconds: once every
/// [`Budget::PERIOD`] nodes, and more often where nodes are dear.
#[derive(Debug)]
pub struct Budget {
    nodes: u64,
    deadline: Option<Instant>,
    memory: u64,
    cost: u32,
    cancel: Option<Arc<AtomicBool>>,
    progress: Option<Arc<Progress>>,
    /// Expansions until the next look, and between two looks.
    until_look: u32,
    period: u32,
    last_look: Instant,
}

impl Budget {
    /// The most expansions that go by between two looks at the clock.
    pub const PERIOD: u32 = 1024;
    /// Looks that are further apart than this are made more often.
    const PATIENCE: Duration = Duration::from_millis(2);

    /// Starts the clock.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self {
            nodes: limits.nodes.unwrap_or(u64::MAX),
            deadline: limits
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            memory: limits.memory.unwrap_or(u64::MAX),
            cost: limits.cost.unwrap_or(u32::MAX),
            cancel: limits.cancel.clone(),
            progress: limits.progress.clone(),
            until_look: 1,
            period: 1,
            last_look: Instant::now(),
        }
    }

    /// Whether a search that has expanded this many nodes may expand one more.
    #[inline]
    pub fn spend(&mut self, expanded: u64) -> Result<(), Limit> {
        if expanded >= self.nodes {
            return Err(Limit::Nodes);
        }
        self.until_look -= 1;
        if self.until_look == 0 {
            self.look(expanded)?;
        }
        Ok(())
    }

    /// Whether this many bytes may be kept.
    #[inline]
    pub const fn keep(&self, bytes: u64) -> Result<(), Limit> {
        if bytes > self.memory {
            Err(Limit::Memory)
        } else {
            Ok(())
        }
    }

    /// Whether a search may go on that knows that every solution costs at least this much.
    #[inline]
    pub fn reach(&self, lower_bound: u32) -> Result<(), Limit> {
        if let Some(progress) = &self.progress {
            progress.set_lower_bound(lower_bound);
        }
        if lower_bound > self.cost {
            Err(Limit::Cost)
        } else {
            Ok(())
        }
    }

    #[cold]
    fn look(&mut self, expanded: u64) -> Result<(), Limit> {
        let now = Instant::now();
        self.period = if now - self.last_look > Self::PATIENCE {
            (self.period / 2).max(1)
        } else {
            (self.period * 2).min(Self::PERIOD)
        };
        self.last_look = now;
        self.until_look = self.period;
        if let Some(progress) = &self.progress {
            progress.set_nodes(expanded);
        }
        let cancelled = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if self.cancel.as_ref().is_some_and(cancelled) {
            return Err(Limit::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Limit::Time);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_named_when_it_is_hit() {
        let limits = |change: fn(&mut Limits)| {
            let mut limits = Limits::default();
            change(&mut limits);
            Budget::new(&limits)
        };
        assert_eq!(limits(|_| ()).spend(u64::MAX - 1), Ok(()));
        assert_eq!(limits(|l| l.nodes = Some(5)).spend(4), Ok(()));
        assert_eq!(limits(|l| l.nodes = Some(5)).spend(5), Err(Limit::Nodes));
        assert_eq!(
            limits(|l| l.time = Some(Duration::ZERO)).spend(0),
            Err(Limit::Time)
        );
        assert_eq!(limits(|l| l.memory = Some(10)).keep(11), Err(Limit::Memory));
        assert_eq!(limits(|l| l.cost = Some(15)).reach(15), Ok(()));
        assert_eq!(limits(|l| l.cost = Some(15)).reach(16), Err(Limit::Cost));
        let cancelled = |l: &mut Limits| l.cancel = Some(Arc::new(AtomicBool::new(true)));
        assert_eq!(limits(cancelled).spend(0), Err(Limit::Cancelled));
    }
}
