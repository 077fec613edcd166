//! Shortest solutions in multi-tile moves, on boards of up to sixteen cells.
//!
//! A *slide* moves one or more tiles of a line at once. Two slides along the same line are one, so
//! in a shortest solution slides along rows and along columns alternate. Call the boards that
//! differ only by the blank's place in its row a *row class*, and those that differ only by its
//! place in its column a *column class*. A board is in one of each: it is an edge between them, in
//! a bipartite graph of classes. A slide along the row goes to another edge of the same row class.
//! So n slides are a path of n - 1 edges, from a class of the board to a class of the goal, and
//! nodes of the search are classes.
//!
//! Tiles of one [colour](colouring) count as the same. That maps classes to classes and edges to
//! edges, so distances between coloured classes are never longer than those between classes
//! themselves: they are lower bounds, small enough to be [looked up](table).

mod build;
mod colouring;
mod engine;
mod graph;
mod lanes;
mod lookup;
mod numbering;
mod search;
mod table;
mod tasks;
#[cfg(test)]
mod tests;

use thiserror::Error;

use super::{Effort, EngineError};
use crate::outcome::{Budget, Outcome, Report};
use crate::tables::{BuildError, Tier};
use crate::{Board, Metric, Move, Moves, Reduction, Size, Solvability};

pub use engine::DamagedColouringError;

use engine::Engine;

/// Finds shortest solutions in multi-tile moves, for one goal.
///
/// ```
/// use taquin::solve::{Effort, SlideSolver};
/// use taquin::tables::Tier;
/// use taquin::{Board, Budget, Goal, Metric, Outcome};
///
/// let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let solver = SlideSolver::new(&goal, Tier::Quick, 1, &Budget::default())?;
/// let report = solver.solve(&board, &Effort::default())?;
/// let Outcome::Solved(solution) = report.outcome else { panic!("no limit was set") };
/// assert_eq!(solution.moves.length(Metric::Multi), solution.cost as usize);
/// assert!(solution.proof.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SlideSolver {
    goal: Board,
    reduction: Reduction,
    engine: Engine,
}

/// Why there is no solver for a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SlideSolverError {
    /// The board is too large; it hands back the size.
    #[error("shortest solutions in multi-tile moves go up to {max} cells, and {size} has {cells}", max = SlideSolver::MAX_CELLS, cells = size.cells())]
    TooLarge {
        /// The size.
        size: Size,
    },
    /// The tables were not built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl SlideSolver {
    /// The most cells of a board that can be solved.
    pub const MAX_CELLS: usize = graph::CELLS;

    /// Builds the tables of a goal in memory, on `threads` threads and within the budget: its time,
    /// its cancel flag, and the memory that one table takes to build.
    pub fn new(
        goal: &Board,
        tier: Tier,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, SlideSolverError> {
        if goal.size().cells() > Self::MAX_CELLS {
            return Err(SlideSolverError::TooLarge { size: goal.size() });
        }
        let reduction = Reduction::new(goal);
        let engine = Engine::build(reduction.goal(), tier, threads, budget)?;
        Ok(Self {
            goal: goal.clone(),
            reduction,
            engine,
        })
    }

    /// The goal.
    #[must_use]
    pub const fn goal(&self) -> &Board {
        &self.goal
    }

    /// Bytes of its tables.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.engine.bytes()
    }

    /// What the tables say: no solution of this board has fewer slides.
    pub fn estimate(&self, board: &Board) -> Result<u32, EngineError> {
        let board = self.canonical(board)?;
        Ok(self.engine.estimate(&board)?)
    }

    /// A solution with the fewest slides. Costs are slides, and so is the limit of the cost; the
    /// aim of the effort is of no interest.
    pub fn solve(&self, board: &Board, effort: &Effort) -> Result<Report, EngineError> {
        let canonical = self.canonical(board)?;
        let mut report = self.engine.solve(&canonical, effort)?;
        if let Outcome::Solved(solution) = &mut report.outcome {
            solution.moves = self.reduction.restore(&solution.moves);
        }
        let slides = |moves: &[Move]| Moves::from(moves.to_vec()).length(Metric::Multi) as u32;
        report.check(board, &self.goal, slides)?;
        Ok(report)
    }

    /// The board of the canonical puzzle, if it can be solved.
    fn canonical(&self, board: &Board) -> Result<Board, EngineError> {
        let verdict = Solvability::of(board, &self.goal)?;
        if !verdict.is_solvable() {
            return Err(EngineError::Unsolvable(verdict));
        }
        Ok(self.reduction.reduce(board)?)
    }
}
