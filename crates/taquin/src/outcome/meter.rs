//! A budget for one thread that spends node by node.

use std::time::{Duration, Instant};

use super::{Budget, Limit, Limits};

/// A [`Budget`] that is asked before every expansion, and is cheap to ask.
///
/// The clock and the cancel flag are looked at every few milliseconds: once every
/// [`Meter::PERIOD`] nodes, and more often where nodes are expensive.
#[derive(Debug)]
pub(crate) struct Meter {
    pub(crate) budget: Budget,
    nodes: u64,
    /// Expansions until the next look, and between two looks.
    until_look: u32,
    period: u32,
    last_look: Instant,
}

impl Meter {
    /// The most expansions that go by between two looks at the clock.
    const PERIOD: u32 = 1024;
    /// Looks that are further apart than this are made more often.
    const PATIENCE: Duration = Duration::from_millis(2);

    /// Starts the clock.
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            budget: Budget::new(limits),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            until_look: 1,
            period: 1,
            last_look: Instant::now(),
        }
    }

    /// Whether a search that has expanded this many nodes may expand one more.
    #[inline]
    pub(crate) fn spend(&mut self, expanded: u64) -> Result<(), Limit> {
        if expanded >= self.nodes {
            return Err(Limit::Nodes);
        }
        self.until_look -= 1;
        if self.until_look == 0 {
            self.look(expanded)?;
        }
        Ok(())
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
        self.budget.count(expanded - self.budget.spent());
        self.budget.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_node_is_the_last() {
        let limits = Limits {
            nodes: Some(5),
            ..Limits::default()
        };
        assert_eq!(Meter::new(&Limits::default()).spend(u64::MAX - 1), Ok(()));
        assert_eq!(Meter::new(&limits).spend(4), Ok(()));
        assert_eq!(Meter::new(&limits).spend(5), Err(Limit::Nodes));
    }

    #[test]
    fn the_clock_is_looked_at_before_the_first_node() {
        let limits = Limits::within(Duration::ZERO);
        assert_eq!(Meter::new(&limits).spend(0), Err(Limit::Time));
    }
}
