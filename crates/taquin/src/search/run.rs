//! What every search of the laboratory does at its edges: ask its limits, count, and report.

use crate::domain::Domain;
use crate::outcome::{
    Iteration, Limit, Limits, Meter, Outcome, Proof, Report, Solution, Statistics,
};
use std::time::Instant;

use super::{Observer, SearchEvent};

/// A search under way: what it may still spend and what it has counted so far.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) meter: Meter,
    pub(super) statistics: Statistics,
    began: Instant,
}

impl Run {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            meter: Meter::new(limits),
            statistics: Statistics::default(),
            began: Instant::now(),
        }
    }

    /// Counts one more expansion, if the limits allow it.
    #[inline]
    pub(super) fn expand(&mut self) -> Result<(), Limit> {
        self.meter.spend(self.statistics.expanded)?;
        self.statistics.expanded += 1;
        Ok(())
    }

    /// Adds what an iteration counted on its own.
    pub(super) fn iteration(&mut self, iteration: Iteration) {
        self.statistics.expanded += iteration.expanded;
        self.statistics.generated += iteration.generated;
        self.statistics.iterations.push(iteration);
    }

    /// Takes note of how many states are stored now.
    #[inline]
    pub(super) fn stored(&mut self, states: usize) {
        self.statistics.peak_states = self.statistics.peak_states.max(states as u64);
    }

    /// Ends with a solution. Its cost is what its actions cost when they are made again from the
    /// start, so that it can never disagree with them.
    pub(super) fn solved<D: Domain, O: Observer<D>>(
        self,
        domain: &D,
        mut start: D::State,
        actions: Vec<D::Action>,
        proof: Proof,
        observer: &mut O,
    ) -> Report<Vec<D::Action>> {
        let cost = actions.iter().fold(0_u32, |cost, &action| {
            cost.saturating_add(domain.apply(&mut start, action))
        });
        debug_assert!(domain.is_goal(&start));
        if O::ACTIVE {
            observer.on(SearchEvent::Solved {
                cost,
                actions: &actions,
            });
        }
        let lower_bound = match proof {
            Proof::Optimal(_) => cost,
            Proof::Within { lower_bound, .. } => lower_bound,
            Proof::Nothing(_) => 0,
        };
        self.end(Outcome::Solved(Solution {
            moves: actions,
            cost,
            proof,
            lower_bound,
        }))
    }

    /// Ends after everything was searched.
    pub(super) fn no_solution<A>(self) -> Report<Vec<A>> {
        self.end(Outcome::NoSolution)
    }

    /// Ends at a limit, with what is proven by then.
    pub(super) fn stopped<A>(self, limit: Limit, lower_bound: u32) -> Report<Vec<A>> {
        self.end(Outcome::Stopped { limit, lower_bound })
    }

    fn end<A>(mut self, outcome: Outcome<Vec<A>>) -> Report<Vec<A>> {
        self.statistics.time = self.began.elapsed();
        Report {
            outcome,
            statistics: self.statistics,
        }
    }
}
