//! The front door of the engine room: any goal, any board of its size.

use thiserror::Error;

use super::optimal::{All, Damaged, Effort, Engine};
use crate::search::{Outcome, Report};
use crate::tables::TableSet;
use crate::{Board, GoalSizeError, Move, Moves, Reduction, Solvability};

/// Solves boards optimally with pattern databases.
///
/// ```
/// use taquin::solve::{Effort, Solver};
/// use taquin::search::Outcome;
/// use taquin::tables::{Building, Catalogue, TableSet, Tier};
/// use taquin::{Board, Goal};
///
/// let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let catalogue = Catalogue::for_goal(&goal, Tier::Quick)?;
/// let tables = TableSet::build(catalogue, 1, &Building::default())?;
/// let solver = Solver::new(&goal, &tables)?;
/// let report = solver.solve(&board, &Effort::default())?;
/// let Outcome::Solved(solution) = report.outcome else { panic!("no limit was set") };
/// assert_eq!(solution.actions.len(), 14);
/// assert!(solution.proof.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    goal: Board,
    reduction: Reduction,
    engine: Engine,
}

/// Tables that are for another puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("these tables are for another puzzle than this goal's")]
pub struct OtherPuzzle;

/// Why a board was not searched.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The goal cannot be reached; the reason is inside.
    #[error("unsolvable: {0}")]
    Unsolvable(Solvability),
    /// The board and the goal differ in size.
    #[error(transparent)]
    Size(#[from] GoalSizeError),
    /// A table was changed after it was built.
    #[error(transparent)]
    Damaged(#[from] Damaged),
}

impl Solver {
    /// A solver for a goal, with the tables of a catalogue [for it](crate::tables::Catalogue::for_goal).
    pub fn new(goal: &Board, tables: &TableSet) -> Result<Self, OtherPuzzle> {
        let reduction = Reduction::new(goal);
        let canonical = reduction.goal();
        if (canonical.size(), canonical.blank()) != (tables.size(), tables.blank()) {
            return Err(OtherPuzzle);
        }
        Ok(Self {
            goal: goal.clone(),
            engine: Engine::new(tables, true),
            reduction,
        })
    }

    /// The goal.
    #[must_use]
    pub const fn goal(&self) -> &Board {
        &self.goal
    }

    /// What the tables say: no solution of this board is shorter.
    pub fn estimate(&self, board: &Board) -> Result<u32, SolveError> {
        Ok(self.engine.estimate(&self.canonical(board)?)?)
    }

    /// A shortest solution.
    pub fn solve(&self, board: &Board, effort: &Effort) -> Result<Report<Move>, SolveError> {
        let mut report = self.engine.solve(&self.canonical(board)?, effort)?;
        self.restore(&mut report);
        Ok(report)
    }

    /// All shortest solutions: `list` of them at most, and how many there are if `count`, which
    /// may take much longer than the first ones.
    pub fn all(
        &self,
        board: &Board,
        effort: &Effort,
        list: usize,
        count: bool,
    ) -> Result<All, SolveError> {
        let mut all = self
            .engine
            .all(&self.canonical(board)?, effort, list, count)?;
        self.restore(&mut all.report);
        for solution in &mut all.solutions {
            *solution = self.original(solution);
        }
        Ok(all)
    }

    /// The board of the canonical puzzle, if it can be solved.
    fn canonical(&self, board: &Board) -> Result<Board, SolveError> {
        let verdict = Solvability::of(board, &self.goal)?;
        if !verdict.is_solvable() {
            return Err(SolveError::Unsolvable(verdict));
        }
        Ok(self.reduction.reduce(board)?)
    }

    fn restore(&self, report: &mut Report<Move>) {
        if let Outcome::Solved(solution) = &mut report.outcome {
            solution.actions = self.original(&solution.actions);
        }
    }

    fn original(&self, moves: &[Move]) -> Vec<Move> {
        let moves: Moves = moves.to_vec().into();
        self.reduction.restore(&moves).to_vec()
    }
}
