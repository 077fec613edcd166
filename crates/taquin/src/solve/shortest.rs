//! A shortest solution that may take hours: checkpoints, and good solutions on the way.

use std::time::Duration;

use super::anytime::{Improving, Known, Parts, Start};
use super::checkpoint::{Checkpoint, CheckpointKeeper, OtherSearchError};
use super::optimal::{Keeper, LongSearch, SearchState};
use super::position::Position;
use super::{Aim, AnyEngine, DamagedTableError, Effort, EngineError};
use crate::outcome::{Limits, Outcome, Report};
use crate::{Board, Metric, Moves, Reduction};

/// Boards of more cells are solved with good solutions on the way: on smaller ones the search is
/// over before these would help.
const SMALL_CELLS: usize = 16;

/// A search for a shortest solution.
pub(super) struct Shortest<'a> {
    /// The board and the goal that were asked for.
    pub(super) board: &'a Board,
    pub(super) goal: &'a Board,
    /// What makes the canonical board of it.
    pub(super) reduction: &'a Reduction,
    pub(super) canonical: &'a Board,
    pub(super) engine: &'a AnyEngine,
    pub(super) effort: &'a Effort,
}

impl Shortest<'_> {
    /// Searches, on the canonical board.
    pub(super) fn solve(
        &self,
        proven: u32,
        keeper: Option<&dyn CheckpointKeeper>,
    ) -> Result<Report, EngineError> {
        let AnyEngine::Patterns(engine) = self.engine else {
            if keeper.is_some() {
                return Err(OtherSearchError::Metric.into());
            }
            let report = self.engine.solve_from(self.canonical, self.effort, proven);
            return Ok(report?);
        };
        let improver =
            |proven, best: Option<&Moves>, time| self.better_solution(proven, best, time);
        let mut long = LongSearch {
            improver: (self.board.size().cells() > SMALL_CELLS).then_some(&improver),
            ..LongSearch::default()
        };
        let kept = keeper.map(|keeper| Kept {
            keeper,
            tables: engine.identity(),
            search: self,
        });
        if let Some(kept) = &kept {
            long.from = kept.state()?;
            long.keeper = Some(kept);
        }
        let report = engine.solve_long(self.canonical, self.effort, proven, long)?;
        Ok(report.ok_or(OtherSearchError::Moves)?)
    }

    /// A better solution of the canonical board, if one is found in this time.
    fn better_solution(
        &self,
        proven: u32,
        best: Option<&Moves>,
        time: Duration,
    ) -> Result<Option<Moves>, DamagedTableError> {
        let effort = Effort {
            limits: Limits {
                time: Some(time),
                cancel: self.effort.limits.cancel.clone(),
                ..Limits::default()
            },
            threads: self.effort.threads,
            aim: Aim::Best,
        };
        let start = Start {
            known: best.map(|moves| Known {
                moves: moves.clone(),
                lower_bound: proven,
            }),
            proven,
            // The bound is proven by the search that asks.
            proof_share: 0.0,
        };
        let parts = Parts {
            board: self.canonical,
            position: &Position::new(self.reduction, self.canonical),
            engine: Some(self.engine),
            metric: Metric::Single,
        };
        let report = Improving::new(parts, &effort, start, &mut |_| ()).run()?;
        let Outcome::Solved(solution) = report.outcome else {
            return Ok(None);
        };
        Ok(Some(solution.moves))
    }
}

/// The checkpoints of a search.
struct Kept<'a> {
    keeper: &'a dyn CheckpointKeeper,
    tables: String,
    search: &'a Shortest<'a>,
}

impl Kept<'_> {
    /// The state to go on from, on the canonical board.
    fn state(&self) -> Result<Option<SearchState>, OtherSearchError> {
        let Some(checkpoint) = self.keeper.kept() else {
            return Ok(None);
        };
        checkpoint.check(self.search.board, self.search.goal)?;
        if checkpoint.tables != self.tables {
            return Err(OtherSearchError::Tables {
                kept: checkpoint.tables,
                own: self.tables.clone(),
            });
        }
        let symmetry = self.search.reduction.symmetry();
        Ok(Some(checkpoint.state.map(|moves| symmetry.moves(moves))))
    }
}

impl Keeper for Kept<'_> {
    fn is_due(&self) -> bool {
        self.keeper.is_due()
    }

    fn keep(&self, state: SearchState) {
        self.keeper.keep(&Checkpoint {
            board: self.search.board.clone(),
            goal: self.search.goal.clone(),
            tables: self.tables.clone(),
            state: state.map(|moves| self.search.reduction.restore(moves)),
        });
    }
}
