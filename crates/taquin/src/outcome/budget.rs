//! Limits while something runs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::{Limit, Limits, Progress};

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
    /// Nodes that were expanded, as far as that was told. Those that were taken in lots may be more.
    done: AtomicU64,
    /// The longest wait for other processes where the work itself has more time.
    longest_wait: Option<Duration>,
}

impl Budget {
    /// Nodes of a [lot](Self::take): well below a millisecond's work.
    const LOT: u64 = 2048;
    /// The part of the time that goes into waiting for others.
    const WAITING_SHARE: f64 = 0.25;

    /// Starts the clock.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        let began = Instant::now();
        Self {
            limits: limits.clone(),
            began,
            deadline: limits.time.and_then(|time| began.checked_add(time)),
            spent: AtomicU64::new(0),
            done: AtomicU64::new(0),
            longest_wait: None,
        }
    }

    /// A budget for work that was asked for by name: only the cancel flag ends it. It still waits
    /// for other processes no longer than this budget would.
    pub(crate) fn patient(&self) -> Self {
        let limits = Limits {
            cancel: self.limits.cancel.clone(),
            ..Limits::default()
        };
        Self {
            longest_wait: self.waiting(Duration::MAX).limits.time,
            ..Self::new(&limits)
        }
    }

    /// A budget with other limits that waits for other processes as long as this one.
    pub(crate) fn with_limits(&self, limits: &Limits) -> Self {
        Self {
            longest_wait: self.longest_wait,
            ..Self::new(limits)
        }
    }

    /// The limits it began with.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The limits for what comes next: the time and the nodes that are left, the rest unchanged.
    /// What comes next adds its nodes to the progress so far.
    #[must_use]
    pub fn left(&self) -> Limits {
        let progress = self.limits.progress.as_ref();
        Limits {
            nodes: self.limits.nodes.map(|_| self.nodes_left()),
            time: self.time_left(),
            progress: progress.map(|progress| Progress::part_of(progress, self.spent())),
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

    /// A budget for a part of the work: this share of the time that is left, if there is a limit,
    /// and the same flag. It counts nothing.
    pub(crate) fn part(&self, share: f64) -> Self {
        self.with_limits(&Limits {
            time: self.time_left().map(|left| left.mul_f64(share)),
            cancel: self.limits.cancel.clone(),
            ..Limits::default()
        })
    }

    /// A budget for a wait: a quarter of the time that is left, at most `most`. The rest of the time
    /// is for working without the result. Without a time limit the wait has none either.
    pub(crate) fn waiting(&self, most: Duration) -> Self {
        let part = self.part(Self::WAITING_SHARE);
        match part.limits.time {
            Some(_) => Self::new(&part.limits.capped(Some(most))),
            None => part,
        }
    }

    /// A [`waiting`](Self::waiting) budget for another process, which may never be done.
    pub(crate) fn waiting_for_process(&self, most: Duration) -> Self {
        let wait = self.waiting(most);
        Self::new(&wait.limits.capped(self.longest_wait))
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
        self.spent.fetch_add(nodes, Ordering::Relaxed);
        self.finish(nodes);
    }

    /// Tells of nodes that were expanded after they had been taken.
    pub(crate) fn finish(&self, nodes: u64) {
        let before = self.done.fetch_add(nodes, Ordering::Relaxed);
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
    fn waiting_takes_a_part_of_the_time_and_ends_with_the_flag() {
        let cancel = Arc::new(AtomicBool::new(false));
        let limits = |time| Limits {
            time,
            nodes: Some(7),
            cancel: Some(Arc::clone(&cancel)),
            ..Limits::default()
        };
        let minute = Budget::new(&limits(Some(Duration::from_secs(60))));
        let second = Duration::from_secs(1);
        let time = |budget: &Budget| budget.limits().time;
        assert!(time(&minute.waiting(Duration::MAX)).unwrap() <= 15 * second);
        assert!(time(&minute.waiting(Duration::MAX)).unwrap() > 5 * second);
        assert_eq!(time(&minute.waiting(second)), Some(second));
        let open = Budget::new(&limits(None));
        assert_eq!(time(&open.waiting(second)), None);
        let waiting = [minute.waiting(second), open.waiting(second)];
        assert!(waiting.iter().all(|waiting| waiting.check().is_ok()));
        cancel.store(true, Ordering::Relaxed);
        assert!(waiting.iter().all(Budget::is_cancelled));
    }

    #[test]
    fn what_is_counted_is_shown() {
        let progress = Arc::new(Progress::default());
        let budget = budget(|l| l.progress = Some(Arc::clone(&progress)));
        budget.count(7);
        budget.count(5);
        assert_eq!((budget.spent(), progress.nodes()), (12, 12));
    }

    #[test]
    fn what_comes_next_goes_on_counting() {
        let progress = Arc::new(Progress::default());
        let budget = budget(|l| l.progress = Some(Arc::clone(&progress)));
        budget.count(7);
        let next = Budget::new(&budget.left());
        next.count(5);
        assert_eq!((next.spent(), progress.nodes()), (5, 12));
        // It is told of what it has seen already.
        budget.count(5);
        assert_eq!(progress.nodes(), 12);
        assert_eq!(next.reach(20), Ok(()));
        assert_eq!(Budget::new(&budget.left()).reach(18), Ok(()));
        assert_eq!(progress.lower_bound(), 20);
    }
}
