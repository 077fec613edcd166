//! Shortest solutions in either metric.

use super::{All, DamagedTableError, Effort, optimal, slides};
use crate::outcome::Report;
use crate::tables::{AnyTables, ChangedTableError};
use crate::{Board, Metric};

/// The engine of a metric, with its tables. A clone shares them.
#[derive(Clone, Debug)]
pub(in crate::solve) enum AnyEngine {
    /// Single-tile moves, with pattern databases.
    Patterns(Box<optimal::Engine>),
    /// Multi-tile moves, with tables of classes.
    Classes(Box<slides::Engine>),
}

impl AnyEngine {
    /// The engine for a canonical goal, with tables for its size and blank.
    pub(super) fn new(goal: &Board, tables: &AnyTables) -> Self {
        match tables {
            AnyTables::Patterns(tables) => {
                Self::Patterns(Box::new(optimal::Engine::new(tables, true)))
            }
            AnyTables::Classes(tables) => {
                Self::Classes(Box::new(slides::Engine::new(goal, tables)))
            }
        }
    }

    /// What it counts.
    pub(super) const fn metric(&self) -> Metric {
        match self {
            Self::Patterns(_) => Metric::Single,
            Self::Classes(_) => Metric::Multi,
        }
    }

    /// Whether the tables are still what they were when they were built or checked.
    pub(super) fn confirm(&self) -> Result<(), ChangedTableError> {
        match self {
            Self::Patterns(engine) => engine.confirm(),
            Self::Classes(engine) => engine.confirm(),
        }
    }

    /// What the tables say of a canonical board: no solution is shorter.
    pub(super) fn estimate(&self, board: &Board) -> Result<u32, DamagedTableError> {
        match self {
            Self::Patterns(engine) => engine.estimate(board),
            Self::Classes(engine) => engine.estimate(board),
        }
    }

    /// A shortest solution of a canonical board, which must be solvable. It is proven already that
    /// none is shorter than `proven`.
    pub(super) fn solve_from(
        &self,
        board: &Board,
        effort: &Effort,
        proven: u32,
    ) -> Result<Report, DamagedTableError> {
        match self {
            Self::Patterns(engine) => engine.solve_from(board, effort, proven),
            Self::Classes(engine) => engine.solve_from(board, effort, proven),
        }
    }

    /// All shortest solutions of a canonical board: those that come first, and how many there are
    /// if that is wanted too. It is proven already that none is shorter than `proven`.
    pub(super) fn all_from(
        &self,
        board: &Board,
        effort: &Effort,
        wanted: (usize, bool),
        proven: u32,
    ) -> Result<All, DamagedTableError> {
        match self {
            Self::Patterns(engine) => engine.all_from(board, effort, wanted, proven),
            Self::Classes(engine) => engine.all_from(board, effort, wanted, proven),
        }
    }
}
