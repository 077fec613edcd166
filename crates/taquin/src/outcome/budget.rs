//! Limits while something runs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::{Limit, Limits};

/// What a search, a build or a wait may still spend. Several threads can share one.
///
/// ```
/// use std::time::Duration;
/// use taquin::{Budget, Limits};
///
/// let budget = Budget::new(&Limits::within(Duration::from_secs(5)));
/// assert!(budget.check().is_ok());
/// assert!(budget.time_left() <= Some(Duration::from_secs(5)));
/// // The default has no limits, and still counts what is spent.
/// assert_eq!(Budget::default().spent(), 0);
/// ```
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    began: Instant,
    deadline: Option<Instant>,
    spent: AtomicU64,
}

impl Budget {
    /// Nodes of a [lot](Self::take): well below a millisecond's work.
    const LOT: u64 = 2048;

    /// Starts the clock.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        let began = Instant::now();
        Self {
            limits: limits.clone(),
            began,
            deadline: limits.time.and_then(|time| began.checked_add(time)),
            spent: AtomicU64::new(0),
        }
    }

    /// The limits it began with.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The limits for what comes next: the time and the nodes that are left, the rest unchanged.
    #[must_use]
    pub fn left(&self) -> Limits {
        Limits {
            nodes: self.limits.nodes.map(|_| self.nodes_left()),
            time: self.time_left(),
            ..self.limits.clone()
        }
    }

    /// The time since it began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// When the time is over, if there is a limit.
    #[must_use]
    pub const fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The time that is left, if there is a limit.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// Nodes that were expanded so far, or states whose values a build has found.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Nodes that may still be expanded.
    #[must_use]
    pub fn nodes_left(&self) -> u64 {
        let most = self.limits.nodes.unwrap_or(u64::MAX);
        most.saturating_sub(self.spent())
    }

    /// Whether [`Limits::cancel`] was set.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        let cancel = self.limits.cancel.as_ref();
        cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Looks at the cancel flag and the clock.
    pub fn check(&self) -> Result<(), Limit> {
        if self.is_cancelled() {
            return Err(Limit::Cancelled);
        }
        if self.deadline.is_some_and(|end| Instant::now() >= end) {
            return Err(Limit::Time);
        }
        Ok(())
    }

    /// Whether this many bytes may be kept.
    #[inline]
    pub fn keep(&self, bytes: u64) -> Result<(), Limit> {
        if self.limits.memory.is_some_and(|most| bytes > most) {
            Err(Limit::Memory)
        } else {
            Ok(())
        }
    }

    /// Whether a search may go on that has proven this lower bound.
    #[inline]
    pub fn reach(&self, lower_bound: u32) -> Result<(), Limit> {
        if let Some(progress) = &self.limits.progress {
            progress.set_lower_bound(lower_bound);
        }
        if self.limits.cost.is_some_and(|most| lower_bound > most) {
            Err(Limit::Cost)
        } else {
            Ok(())
        }
    }

    /// Counts nodes or states, without asking for leave.
    pub(crate) fn count(&self, nodes: u64) {
        let before = self.spent.fetch_add(nodes, Ordering::Relaxed);
        self.show(before + nodes);
    }

    /// Takes another lot of nodes: how many, none if there is `enough`, or the limit that was hit.
    /// Threads that share a budget take lots, and so look at the clock now and then.
    pub(crate) fn take(&self, enough: bool) -> Result<u64, Limit> {
        if enough {
            return Ok(0);
        }
        self.check()?;
        let spent = self.spent.fetch_add(Self::LOT, Ordering::Relaxed);
        self.show(spent);
        let most = self.limits.nodes.unwrap_or(u64::MAX);
        let granted = Self::LOT.min(most.saturating_sub(spent));
        self.give_back(Self::LOT - granted);
        if granted == 0 {
            return Err(Limit::Nodes);
        }
        Ok(granted)
    }

    /// Takes exactly this many nodes, or none.
    pub(crate) fn take_exactly(&self, nodes: u64) -> Result<(), Limit> {
        self.check()?;
        let spent = self.spent.fetch_add(nodes, Ordering::Relaxed);
        let most = self.limits.nodes.unwrap_or(u64::MAX);
        if spent.saturating_add(nodes) > most {
            self.give_back(nodes);
            return Err(Limit::Nodes);
        }
        Ok(())
    }

    /// Gives back nodes that were taken and not expanded.
    pub(crate) fn give_back(&self, nodes: u64) {
        self.spent.fetch_sub(nodes, Ordering::Relaxed);
    }

    fn show(&self, nodes: u64) {
        if let Some(progress) = &self.limits.progress {
            progress.set_nodes(nodes);
        }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(&Limits::default())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;

    fn budget(change: impl FnOnce(&mut Limits)) -> Budget {
        let mut limits = Limits::default();
        change(&mut limits);
        Budget::new(&limits)
    }

    #[test]
    fn no_more_nodes_are_granted_than_there_are() {
        let budget = budget(|l| l.nodes = Some(5000));
        assert_eq!(budget.take(false), Ok(2048));
        assert_eq!(budget.take(false), Ok(2048));
        assert_eq!(budget.take(false), Ok(904));
        assert_eq!(budget.take(false), Err(Limit::Nodes));
        budget.give_back(10);
        assert_eq!(budget.take_exactly(11), Err(Limit::Nodes));
        assert_eq!(budget.left().nodes, Some(10));
        assert_eq!(budget.take_exactly(10), Ok(()));
        assert_eq!(budget.take(true), Ok(0));
        assert_eq!((budget.spent(), budget.nodes_left()), (5000, 0));
    }

    #[test]
    fn each_limit_is_named_when_it_is_hit() {
        assert_eq!(Budget::default().check(), Ok(()));
        let timed = budget(|l| l.time = Some(Duration::ZERO));
        assert_eq!(timed.check(), Err(Limit::Time));
        assert_eq!(timed.left().time, Some(Duration::ZERO));
        assert_eq!(budget(|l| l.memory = Some(10)).keep(11), Err(Limit::Memory));
        assert_eq!(budget(|l| l.memory = Some(10)).keep(10), Ok(()));
        assert_eq!(budget(|l| l.cost = Some(15)).reach(15), Ok(()));
        assert_eq!(budget(|l| l.cost = Some(15)).reach(16), Err(Limit::Cost));
        let cancelled = |l: &mut Limits| l.cancel = Some(Arc::new(AtomicBool::new(true)));
        assert_eq!(budget(cancelled).check(), Err(Limit::Cancelled));
    }

    #[test]
    fn what_is_counted_is_shown() {
        let progress = Arc::new(super::super::Progress::default());
        let budget = budget(|l| l.progress = Some(Arc::clone(&progress)));
        budget.count(7);
        budget.count(5);
        assert_eq!((budget.spent(), progress.nodes()), (12, 12));
    }
}
