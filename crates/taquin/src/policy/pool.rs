//! Solvers with tables, each made ready once.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::{Cache, GuardResult};

use crate::outcome::{Budget, Limit};
use crate::solve::GoalSolver;
use crate::supply::{ReadyTables, TableSource, TablesError};
use crate::tables::{BuildError, Tier};
use crate::{Board, Reduction};

/// Solvers by canonical goal and tier, with tables from one source.
///
/// Whichever thread needs a solver first gets it ready, the others wait within their budgets. A
/// bounded number is kept for the next request. Goals that reduce to the same one share it, so a
/// request with a new goal has nothing read, checked or built again, and drives nothing out.
pub(super) struct SolverPool {
    pub(super) source: TableSource,
    solvers: Cache<(Board, Tier), Arc<PooledSolver>>,
}

/// A solver with tables.
#[derive(Debug)]
pub(super) struct PooledSolver {
    pub(super) solver: GoalSolver,
    /// The tables it has.
    pub(super) tier: Tier,
}

/// How often a thread that waits for another looks at its budget.
const LOOK: Duration = Duration::from_millis(20);

impl SolverPool {
    /// A pool that keeps this many solvers.
    pub(super) fn new(source: TableSource, capacity: usize) -> Self {
        Self {
            source,
            solvers: Cache::new(capacity),
        }
    }

    /// The solver of a goal, with tables of that tier, or of a smaller one where memory is short.
    pub(super) fn get(
        &self,
        goal: &Board,
        tier: Tier,
        budget: &Budget,
    ) -> Result<Arc<PooledSolver>, TablesError> {
        let reduction = Reduction::new(goal);
        let key = (reduction.goal().clone(), tier);
        let make = || self.make(&key.0, tier, budget);
        let stopped = |limit| TablesError::Build(BuildError::Stopped(limit));
        let shared = get_or_make(&self.solvers, &key, budget, stopped, make)?;
        Ok(shared.for_goal(goal))
    }

    /// The solver of a goal with tables of that tier, if they are in memory.
    pub(super) fn at_hand(&self, goal: &Board, tier: Tier) -> Option<Arc<PooledSolver>> {
        let reduction = Reduction::new(goal);
        let shared = self.solvers.get(&(reduction.goal().clone(), tier))?;
        Some(shared.for_goal(goal))
    }

    /// A solver of a canonical goal, with tables from the source.
    fn make(
        &self,
        goal: &Board,
        tier: Tier,
        budget: &Budget,
    ) -> Result<Arc<PooledSolver>, TablesError> {
        let ready = self.source.get(goal, tier, budget)?;
        let solver = Arc::new(PooledSolver::new(goal, &ready));
        if ready.tier != tier {
            let key = (goal.clone(), ready.tier);
            self.solvers.insert(key, Arc::clone(&solver));
        }
        Ok(solver)
    }
}

/// What a cache has for a key, or what `make` makes. Of several threads that want the same thing one
/// makes it; the others wait, and give up with `stopped` when their budgets end.
pub(super) fn get_or_make<K: Clone + Eq + Hash, V: Clone, E>(
    cache: &Cache<K, V>,
    key: &K,
    budget: &Budget,
    stopped: impl Fn(Limit) -> E,
    make: impl FnOnce() -> Result<V, E>,
) -> Result<V, E> {
    loop {
        match cache.get_value_or_guard(key, Some(LOOK)) {
            GuardResult::Value(value) => return Ok(value),
            GuardResult::Guard(guard) => {
                let value = make()?;
                // Fails only where the place was given to another meanwhile.
                drop(guard.insert(value.clone()));
                return Ok(value);
            }
            GuardResult::Timeout => budget.check().map_err(&stopped)?,
        }
    }
}

impl PooledSolver {
    fn new(goal: &Board, ready: &ReadyTables) -> Self {
        let solver = GoalSolver::new(goal, &ready.tables);
        Self {
            solver: solver.expect("the tables are those of the goal"),
            tier: ready.tier,
        }
    }

    /// This solver for a goal that reduces to its own.
    fn for_goal(self: &Arc<Self>, goal: &Board) -> Arc<Self> {
        if self.solver.goal() == goal {
            return Arc::clone(self);
        }
        let solver = self.solver.for_goal(goal);
        Arc::new(Self {
            solver: solver.expect("it is reduced to the goal of those tables"),
            tier: self.tier,
        })
    }

    /// The name of its tables in results.
    pub(super) fn heuristic(&self) -> String {
        format!("pdb:{}", self.tier)
    }
}
