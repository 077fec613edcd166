//! Shortest solutions: which tables, and what happens where there are none.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::answer::{AbandonedSearch, Answer, Ending, SearchedBy, SolveError};
use super::event::{Event, Notice};
use super::pool::PooledSolver;
use super::puzzle::Puzzle;
use super::request::{AllShortest, LaboratoryChoice};
use super::solver::{Job, Solver};
use crate::outcome::{Budget, Limit};
use crate::solve::EngineError;
use crate::supply::{TablesError, build_time};
use crate::tables::{BuildError, Tier};

/// Which tables a goal uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) tier: Tier,
    /// How much longer boards may be searched with this tier before building the full one pays;
    /// `None` if it never does.
    pub(super) patience: Option<Duration>,
}

/// A search with the quick tables goes on at least this long before others are built.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);
/// The part of the time that may go into getting the larger tables ready.
const LARGE_SHARE: f64 = 0.5;

impl Plan {
    const FULL: Self = Self::settled(Tier::Full);

    pub(super) const fn settled(tier: Tier) -> Self {
        Self {
            tier,
            patience: None,
        }
    }
}

impl Solver {
    /// A shortest solution, or all of them.
    pub(super) fn shortest(
        &self,
        job: &Job<'_>,
        all: Option<AllShortest>,
        events: &mut dyn FnMut(Event<'_>),
    ) -> Result<Answer, SolveError> {
        let error = match self.with_tables(job, all, events) {
            Ok(answer) => return answer,
            Err(error) => error,
        };
        // Where only the wait for room was over, the laboratory has the rest of the time.
        let is_over = all.is_some() || job.budget.check().is_err();
        if let (TablesError::Build(BuildError::Stopped(limit)), true) = (&error, is_over) {
            let limit = *limit;
            return Ok(Answer::without_search(
                Ending::Stopped {
                    limit,
                    lower_bound: estimate(job),
                },
                SearchedBy::Engine,
            ));
        }
        if all.is_some() {
            return Err(SolveError::NoTables(error));
        }
        if job.request.checkpoint.is_some() {
            return Err(SolveError::NoCheckpoint(error));
        }
        self.say_without(job, error, events);
        self.in_laboratory(job, LaboratoryChoice::default())
    }

    /// Searches with the tables of the plan. When the quick ones take longer than building the full
    /// ones would, builds those and goes on with them.
    fn with_tables(
        &self,
        job: &Job<'_>,
        all: Option<AllShortest>,
        events: &mut dyn FnMut(Event<'_>),
    ) -> Result<Result<Answer, SolveError>, TablesError> {
        // Step 1: the tables that were asked for, however long they take.
        let kept = job.request.checkpoint.as_ref().map(|_| Tier::Full);
        if let Some(tier) = job.request.tables.or(kept) {
            let budget = job.patient_budget();
            let pooled = self.tables(job, tier, &budget, events)?;
            // The clock of the limits starts when the tables are there.
            let own = Job {
                budget: Budget::new(&job.request.limits),
                goal: job.goal.clone(),
                ..*job
            };
            return Ok(search(&own, &pooled, all, None, 0));
        }

        // Step 2: those of the plan, for as long as the patience with them lasts.
        let plan = self.plan(job.puzzle());
        let tier = self.tier_in_time(job.puzzle(), plan.tier, &job.budget);
        let pooled = self.tables(job, tier, &job.budget, events)?;
        let begin = job.budget.elapsed();
        let patience = plan
            .patience
            .filter(|&patience| job.budget.time_left().is_none_or(|left| patience < left));
        let first = search(job, &pooled, all, patience, 0);
        let time = job.budget.elapsed().saturating_sub(begin);
        let quick = match first {
            Ok(answer) if patience.is_some() && limit_of(&answer) == Some(Limit::Time) => answer,
            first => {
                self.spend(job, time, events);
                return Ok(first);
            }
        };

        // Step 3: the full ones. The limits are for both searches together, and the second goes on
        // from what the first has proven.
        job.budget.count(quick.statistics.expanded);
        if self.escalate(job.puzzle()) {
            events(Event::Notice(Notice::QuickTablesTooSlow {
                board: job.board.clone(),
                after: job.budget.elapsed(),
            }));
        }
        let pooled = match self.tables(job, Tier::Full, &job.budget, events) {
            Ok(full) => full,
            // What was proven before stays proven.
            Err(TablesError::Build(BuildError::Stopped(limit))) => {
                return Ok(Ok(stopped_by(quick, limit)));
            }
            // The quick ones are there, and better than none.
            Err(_) => pooled,
        };
        let full = search(job, &pooled, all, None, proven(&quick));
        Ok(full.map(|answer| after(quick, answer)))
    }

    /// A solver with tables; tells if they have to be built. The larger ones get a part of the
    /// time: if they are not ready by then, smaller ones get the rest.
    pub(super) fn tables(
        &self,
        job: &Job<'_>,
        tier: Tier,
        budget: &Budget,
        events: &mut dyn FnMut(Event<'_>),
    ) -> Result<Arc<PooledSolver>, TablesError> {
        if let Some(pooled) = self.pool.at_hand(job.puzzle(), tier) {
            return Ok(pooled);
        }
        if !self.is_stored(job.puzzle(), tier) {
            let size = job.board.size();
            events(Event::Building { size, tier });
        }
        let Some(smaller) = tier.smaller() else {
            return self.pool.get(job.puzzle(), tier, budget);
        };
        match self.pool.get(job.puzzle(), tier, &budget.part(LARGE_SHARE)) {
            Err(error) if error.is_stopped() && budget.check().is_ok() => {
                self.tables(job, smaller, budget, events)
            }
            got => got,
        }
    }

    /// The tier to use: this one if its tables are in memory or can be ready in half of the time
    /// that is left, else the next smaller one. So a request with little time does not wait for
    /// tables that another one wanted.
    fn tier_in_time(&self, puzzle: Puzzle<'_>, tier: Tier, budget: &Budget) -> Tier {
        let (Some(smaller), Some(left)) = (tier.smaller(), budget.time_left()) else {
            return tier;
        };
        let [catalogue, lesser] = [tier, smaller].map(|tier| puzzle.catalogue(tier).ok());
        let Some(catalogue) = catalogue.filter(|own| Some(own) != lesser.as_ref()) else {
            return tier;
        };
        let is_in_time = || {
            let is_stored = self.is_stored(puzzle, tier);
            self.time_to_ready(&catalogue, is_stored) <= left.mul_f64(LARGE_SHARE)
        };
        if self.pool.at_hand(puzzle, tier).is_some() || is_in_time() {
            return tier;
        }
        smaller
    }

    /// The tables for a puzzle: the full ones if they are there, else the quick ones.
    pub(super) fn plan(&self, puzzle: Puzzle<'_>) -> Plan {
        let key = puzzle.key();
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = plans.get(&key) {
            return *plan;
        }
        let plan = self.new_plan(puzzle);
        // Sizes are few, goals may be many: those with the blank at some odd place.
        if plans.len() < Self::MOST_PLANS {
            plans.insert(key, plan);
        }
        plan
    }

    /// Goals whose plans are remembered; others have no patience that lasts for a whole batch.
    const MOST_PLANS: usize = 1024;

    fn new_plan(&self, puzzle: Puzzle<'_>) -> Plan {
        let [quick, full] = [Tier::Quick, Tier::Full].map(|tier| puzzle.catalogue(tier));
        let (Ok(quick), Ok(full)) = (quick, full) else {
            return Plan::settled(Tier::Quick);
        };
        // Small boards have one and the same tables for both.
        if quick == full || self.is_stored(puzzle, Tier::Full) {
            return Plan::FULL;
        }
        let time = build_time(&full, self.threads);
        if time > self.longest_build {
            return Plan::settled(Tier::Quick);
        }
        Plan {
            tier: Tier::Quick,
            patience: Some(time.max(LEAST_PATIENCE)),
        }
    }

    /// Takes the time of a search off the patience with a tier. A batch that has used up what a
    /// build takes will repay it.
    pub(super) fn spend(&self, job: &Job<'_>, time: Duration, events: &mut dyn FnMut(Event<'_>)) {
        let key = job.puzzle().key();
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = plans.get_mut(&key)
            && let Some(patience) = &mut plan.patience
        {
            *patience = patience.saturating_sub(time);
            if patience.is_zero() {
                *plan = Plan::FULL;
                drop(plans);
                let size = job.board.size();
                events(Event::Notice(Notice::FullTablesRepay { size }));
            }
        }
    }

    /// Goes over to the full tables; whether this is the first request to do so.
    fn escalate(&self, puzzle: Puzzle<'_>) -> bool {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let before = plans.insert(puzzle.key(), Plan::FULL);
        before.is_none_or(|plan| plan.tier != Tier::Full)
    }
}

/// One search with tables, for as long as the budget and the patience last. It is proven already
/// that no solution is shorter than `proven`.
pub(super) fn search(
    job: &Job<'_>,
    pooled: &PooledSolver,
    all: Option<AllShortest>,
    patience: Option<Duration>,
    proven: u32,
) -> Result<Answer, SolveError> {
    let mut effort = job.effort();
    effort.limits = effort.limits.capped(patience);
    let name = Some(pooled.heuristic());
    let Some(all) = all else {
        let keeper = job.request.checkpoint.as_deref();
        let report = pooled
            .solver
            .solve_kept(job.board, &effort, proven, keeper)?;
        return Answer::of(report, SearchedBy::Engine, name);
    };
    let wanted = (all.list.unwrap_or(0), all.count);
    let found = pooled.solver.all_from(job.board, &effort, wanted, proven)?;
    Ok(Answer {
        count: found.count,
        list: all.list.map(|_| found.solutions),
        incomplete: found.stopped,
        ..Answer::of(found.report, SearchedBy::Engine, name)?
    })
}

/// What is known of a board without tables: no solution is shorter.
pub(super) fn estimate(job: &Job<'_>) -> u32 {
    job.without_tables().estimate(job.board).unwrap_or(0)
}

/// The limit that stopped a search, before its solution or after it.
const fn limit_of(answer: &Answer) -> Option<Limit> {
    match answer.ending {
        Ending::Stopped { limit, .. } => Some(limit),
        _ => answer.incomplete,
    }
}

/// What every solution takes at least, as an answer tells.
const fn proven(answer: &Answer) -> u32 {
    match &answer.ending {
        Ending::Stopped { lower_bound, .. } => *lower_bound,
        Ending::Solved(solution) => solution.lower_bound,
        Ending::Unsolvable(_) => 0,
    }
}

/// A search that was stopped, as that limit would have stopped it.
const fn stopped_by(mut answer: Answer, by: Limit) -> Answer {
    match &mut answer.ending {
        Ending::Stopped { limit, .. } => *limit = by,
        _ => answer.incomplete = Some(by),
    }
    answer
}

/// A second search, with what the first one has found and proven.
pub(super) fn after(first: Answer, mut second: Answer) -> Answer {
    if let Ending::Stopped { limit, lower_bound } = &mut second.ending {
        *lower_bound = proven(&first).max(*lower_bound);
        if let Ending::Solved(_) = first.ending {
            second.incomplete = Some(*limit);
            second.ending = first.ending;
            second.list = first.list;
        }
    }
    second.abandoned = Some(AbandonedSearch {
        heuristic: first.heuristic.unwrap_or_default(),
        statistics: first.statistics,
    });
    second
}

impl From<EngineError> for SolveError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Size(error) => error.into(),
            EngineError::Damaged(error) => error.into(),
            EngineError::Changed(error) => error.into(),
            EngineError::Wrong(error) => error.into(),
            EngineError::OtherSearch(error) => error.into(),
            // Unsolvable boards are answered before, and only solvers with tables are asked.
            _ => Self::Exhausted,
        }
    }
}
