//! What heuristics that are chosen by name have in common, whatever counts as a move.

use super::{AnyHeuristic, AnyMultiHeuristic, Heuristic, HeuristicError, HeuristicKind};
use super::{HeuristicUser, PatternBreakdown};
use crate::domain::{MultiSliding, Sliding, TilePuzzle, TileState};
use crate::outcome::Budget;
use crate::tables::ChangedTableError;
use crate::{Board, Metric};

/// A puzzle whose heuristics are chosen by name.
pub(crate) trait Choosable: TilePuzzle {
    /// The chosen one.
    type Chosen: Heuristic<Self> + Clone + std::fmt::Debug;

    /// The heuristic of a kind with its tables: see [`AnyHeuristic::within`].
    fn choose(
        &self,
        kind: HeuristicKind,
        limit: u32,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self::Chosen, HeuristicError>;

    /// A heuristic that was chosen for another goal, for this one: see [`AnyHeuristic::towards`].
    fn share(
        &self,
        chosen: &Self::Chosen,
        limit: u32,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self::Chosen, HeuristicError>;

    /// Which one was chosen.
    fn kind(chosen: &Self::Chosen) -> HeuristicKind;

    /// Bytes of its tables.
    fn table_bytes(chosen: &Self::Chosen) -> u64;

    /// Hands the heuristic itself to a user: see [`AnyHeuristic::hand_to`].
    fn hand<U: HeuristicUser<Self>>(chosen: &Self::Chosen, user: U) -> U::Result;

    /// Whether its tables are still what they were: see [`AnyHeuristic::confirm`].
    fn confirm(_: &Self::Chosen) -> Result<(), ChangedTableError> {
        Ok(())
    }

    /// Where the estimate of a state comes from, for pattern databases.
    fn patterns(&self, _: &Self::Chosen, _: &Self::State) -> Option<PatternBreakdown> {
        None
    }
}

/// Bytes that it takes at most to make the tables of a heuristic for moves of a metric; few where it
/// has none.
pub(crate) fn working_memory(
    kind: HeuristicKind,
    goal: &Board,
    metric: Metric,
    threads: usize,
) -> Result<u64, HeuristicError> {
    match metric {
        Metric::Single => AnyHeuristic::working_memory(kind, goal, threads),
        Metric::Multi => AnyMultiHeuristic::working_memory(kind, goal),
    }
}

impl<S: TileState> Choosable for Sliding<S> {
    type Chosen = AnyHeuristic;

    fn choose(
        &self,
        kind: HeuristicKind,
        limit: u32,
        threads: usize,
        budget: &Budget,
    ) -> Result<AnyHeuristic, HeuristicError> {
        AnyHeuristic::within(kind, self, limit, threads, budget)
    }

    fn share(
        &self,
        chosen: &AnyHeuristic,
        limit: u32,
        threads: usize,
        budget: &Budget,
    ) -> Result<AnyHeuristic, HeuristicError> {
        chosen.towards(self, limit, threads, budget)
    }

    fn kind(chosen: &AnyHeuristic) -> HeuristicKind {
        chosen.kind()
    }

    fn table_bytes(chosen: &AnyHeuristic) -> u64 {
        chosen.table_bytes()
    }

    fn hand<U: HeuristicUser<Self>>(chosen: &AnyHeuristic, user: U) -> U::Result {
        chosen.hand_to(user)
    }

    fn confirm(chosen: &AnyHeuristic) -> Result<(), ChangedTableError> {
        chosen.confirm()
    }

    fn patterns(&self, chosen: &AnyHeuristic, state: &S) -> Option<PatternBreakdown> {
        chosen.patterns(self, state)
    }
}

impl<S: TileState> Choosable for MultiSliding<S> {
    type Chosen = AnyMultiHeuristic;

    fn choose(
        &self,
        kind: HeuristicKind,
        limit: u32,
        _: usize,
        budget: &Budget,
    ) -> Result<AnyMultiHeuristic, HeuristicError> {
        AnyMultiHeuristic::within(kind, self, limit, budget)
    }

    fn share(
        &self,
        chosen: &AnyMultiHeuristic,
        limit: u32,
        _: usize,
        budget: &Budget,
    ) -> Result<AnyMultiHeuristic, HeuristicError> {
        chosen.towards(self, limit, budget)
    }

    fn kind(chosen: &AnyMultiHeuristic) -> HeuristicKind {
        chosen.kind()
    }

    fn table_bytes(chosen: &AnyMultiHeuristic) -> u64 {
        chosen.table_bytes()
    }

    fn hand<U: HeuristicUser<Self>>(chosen: &AnyMultiHeuristic, user: U) -> U::Result {
        chosen.hand_to(user)
    }
}
