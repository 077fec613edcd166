//! Solvers with tables, each made ready once.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use quick_cache::Weighter;
use quick_cache::sync::{Cache, GuardResult};

use super::puzzle::{Puzzle, PuzzleKey};
use crate::outcome::{Budget, Limit};
use crate::solve::GoalSolver;
use crate::supply::{ReadyTables, Room, TableSource, TablesError};
use crate::tables::{BuildError, Tier};
use crate::{Board, Metric};

/// Solvers by canonical goal, metric and tier, with tables from one source.
///
/// The thread that needs a solver first gets it ready, and the others wait within their budgets.
/// Solvers are kept for the next request as long as their tables have no more bytes together than
/// allowed. Goals that reduce to the same one share a solver, so a request with a new goal has
/// nothing read, checked or built again, and drives nothing out.
pub(super) struct SolverPool {
    pub(super) source: TableSource,
    solvers: Kept<(PuzzleKey, Tier), PooledSolver>,
    /// What all builds that run at once may take.
    pub(super) room: Arc<Room>,
}

/// A solver with tables.
#[derive(Debug)]
pub(super) struct PooledSolver {
    pub(super) solver: GoalSolver,
    /// The tables it has.
    pub(super) tier: Tier,
    /// The bytes of these tables.
    bytes: u64,
}

/// What is kept for the next request, as long as all of it together has no more bytes than allowed.
pub(super) type Kept<K, V> = Cache<K, Arc<V>, ByBytes>;

/// Room for this many bytes of what is kept.
pub(super) fn kept<K: Eq + Hash, V: TakesBytes>(bytes: u64) -> Kept<K, V> {
    /// Few enough that they are kept in one part, which then has all of the bytes.
    const ITEMS: usize = 32;
    Cache::with_weighter(ITEMS, bytes, ByBytes)
}

/// Something that takes memory while it is kept.
pub(super) trait TakesBytes {
    /// How many bytes.
    fn bytes(&self) -> u64;
}

/// Counts what is kept in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByBytes;

impl<K, V: TakesBytes> Weighter<K, Arc<V>> for ByBytes {
    fn weight(&self, _: &K, value: &Arc<V>) -> u64 {
        value.bytes()
    }
}

/// Bytes that something takes besides its tables, roughly.
pub(super) const BESIDES: u64 = 64 << 10;

impl TakesBytes for PooledSolver {
    fn bytes(&self) -> u64 {
        self.bytes + BESIDES
    }
}

/// How often a thread that waits for another looks at its budget.
const LOOK: Duration = Duration::from_millis(20);
/// The longest wait for another thread, if there is a time limit. Quick tables are built in less
/// time.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(3);

impl SolverPool {
    /// A pool that keeps solvers whose tables have this many bytes.
    pub(super) fn new(source: TableSource, bytes: u64) -> Self {
        Self {
            source,
            solvers: kept(bytes),
            room: Arc::new(Room::new(u64::MAX)),
        }
    }

    /// This pool, keeping solvers whose tables have this many bytes.
    pub(super) fn keeping(self, bytes: u64) -> Self {
        Self {
            solvers: kept(bytes),
            ..self
        }
    }

    /// This pool, whose builds take this many bytes together.
    pub(super) fn building_in(self, bytes: u64) -> Self {
        let room = Arc::new(Room::new(bytes));
        Self {
            source: self.source.with_room(Arc::clone(&room)),
            room,
            ..self
        }
    }

    /// Bytes of the tables that are kept.
    pub(super) fn kept_bytes(&self) -> u64 {
        self.solvers.weight()
    }

    /// The solver of a puzzle, with tables of that tier, or of a smaller one where memory is short.
    pub(super) fn get(
        &self,
        puzzle: Puzzle<'_>,
        tier: Tier,
        budget: &Budget,
    ) -> Result<Arc<PooledSolver>, TablesError> {
        let key = (puzzle.key(), tier);
        let make = || self.make(&key.0, tier, budget);
        let stopped = |limit| TablesError::Build(BuildError::Stopped(limit));
        // Large tables are not built twice at once: whoever cannot wait for them takes smaller ones.
        let catalogue = |tier| puzzle.catalogue(tier).ok();
        let then = if catalogue(tier) == catalogue(Tier::Quick) {
            AfterWaiting::MakeOwn
        } else {
            AfterWaiting::Stop
        };
        let shared = get_or_make(&self.solvers, &key, budget, then, stopped, make)?;
        Ok(shared.for_goal(puzzle.goal))
    }

    /// Forgets solvers of a puzzle whose tables were changed: the next request gets new ones.
    pub(super) fn forget_changed(&self, puzzle: Puzzle<'_>) {
        for tier in Tier::ALL {
            let key = (puzzle.key(), tier);
            // It is asked outside of the cache's lock: all of a file may have to be checked.
            if let Some(kept) = self.solvers.peek(&key)
                && kept.solver.confirm().is_err()
            {
                self.solvers
                    .remove_if(&key, |other| Arc::ptr_eq(other, &kept));
            }
        }
    }

    /// The solver of a puzzle with tables of that tier, if they are in memory.
    pub(super) fn at_hand(&self, puzzle: Puzzle<'_>, tier: Tier) -> Option<Arc<PooledSolver>> {
        let shared = self.solvers.get(&(puzzle.key(), tier))?;
        Some(shared.for_goal(puzzle.goal))
    }

    /// A solver of a canonical goal, with tables from the source.
    fn make(
        &self,
        puzzle: &PuzzleKey,
        tier: Tier,
        budget: &Budget,
    ) -> Result<Arc<PooledSolver>, TablesError> {
        let (goal, metric) = puzzle;
        let ready = self.source.get(goal, *metric, tier, budget)?;
        let solver = Arc::new(PooledSolver::new(goal, &ready));
        if ready.tier != tier {
            let key = (puzzle.clone(), ready.tier);
            self.solvers.insert(key, Arc::clone(&solver));
        }
        Ok(solver)
    }
}

/// What to do about something that another thread is making, when there is no more time to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AfterWaiting {
    /// Make another one, and keep that.
    MakeOwn,
    /// Give up.
    Stop,
}

/// What a cache has for a key, or what `make` makes. Of several threads that want the same thing one
/// makes it. The others wait for a part of their time, and `then` says what they do. They give up
/// with `stopped` when their budgets end.
pub(super) fn get_or_make<K: Clone + Eq + Hash, V: TakesBytes, E>(
    cache: &Kept<K, V>,
    key: &K,
    budget: &Budget,
    then: AfterWaiting,
    stopped: impl Fn(Limit) -> E,
    make: impl FnOnce() -> Result<Arc<V>, E>,
) -> Result<Arc<V>, E> {
    let wait = budget.waiting(LONGEST_WAIT);
    loop {
        match cache.get_value_or_guard(key, Some(LOOK)) {
            GuardResult::Value(value) => return Ok(value),
            GuardResult::Guard(guard) => {
                let value = make()?;
                // Fails only where the place was given to another meanwhile.
                drop(guard.insert(value.clone()));
                return Ok(value);
            }
            GuardResult::Timeout => {
                budget.check().map_err(&stopped)?;
                match (wait.check(), then) {
                    (Ok(()), _) => {}
                    (Err(limit), AfterWaiting::Stop) => return Err(stopped(limit)),
                    (Err(_), AfterWaiting::MakeOwn) => {
                        let value = make()?;
                        // For those who come now, too: the other one may never be done.
                        cache.insert(key.clone(), value.clone());
                        return Ok(value);
                    }
                }
            }
        }
    }
}

impl PooledSolver {
    fn new(goal: &Board, ready: &ReadyTables) -> Self {
        let solver = GoalSolver::new(goal, &ready.tables);
        Self {
            solver: solver.expect("the tables are those of the goal"),
            tier: ready.tier,
            bytes: ready.tables.bytes(),
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
            ..**self
        })
    }

    /// The name of its tables in results.
    pub(super) fn heuristic(&self) -> String {
        let kind = match self.solver.metric() {
            Metric::Single => "pdb",
            Metric::Multi => "classes",
        };
        format!("{kind}:{}", self.tier)
    }
}
