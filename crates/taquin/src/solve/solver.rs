//! The front door of the engine room: any goal, any board of its size.

use thiserror::Error;

use super::anytime::{Improvement, Improving, Parts, lower_bound};
use super::optimal::{All, Damaged, Engine};
use super::position::Position;
use super::{Aim, Effort};
use crate::search::{Outcome, Report};
use crate::tables::TableSet;
use crate::{Board, GoalSizeError, Move, Moves, Reduction, Solvability};

/// Solves boards: optimally with pattern databases, or as well as it gets in the time there is.
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
    engine: Option<Engine>,
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
    /// Shortest solutions can only be searched for with tables.
    #[error("a shortest solution can only be searched for with tables")]
    NoTables,
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
            engine: Some(Engine::new(tables, true)),
            reduction,
        })
    }

    /// A solver without tables: for [`Aim::Best`] and [`Aim::First`], on boards of every size.
    ///
    /// ```
    /// use taquin::search::Outcome;
    /// use taquin::solve::{Effort, Solver};
    /// use taquin::{Goal, Rng, uniform};
    ///
    /// let goal = Goal::Classic.board("30x30".parse()?)?;
    /// let solver = Solver::without_tables(&goal);
    /// let report = solver.solve(&uniform(&goal, &mut Rng::from_seed(1)), &Effort::first())?;
    /// let Outcome::Solved(solution) = report.outcome else { panic!("there always is one") };
    /// assert!(solution.lower_bound <= solution.cost);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without_tables(goal: &Board) -> Self {
        Self {
            goal: goal.clone(),
            engine: None,
            reduction: Reduction::new(goal),
        }
    }

    /// The same tables for another goal, if that [reduces](Reduction) to the same one. They are
    /// shared, not copied.
    pub fn for_goal(&self, goal: &Board) -> Result<Self, OtherPuzzle> {
        let reduction = Reduction::new(goal);
        if self.engine.is_some() && reduction.goal() != self.reduction.goal() {
            return Err(OtherPuzzle);
        }
        Ok(Self {
            goal: goal.clone(),
            engine: self.engine.clone(),
            reduction,
        })
    }

    /// The goal.
    #[must_use]
    pub const fn goal(&self) -> &Board {
        &self.goal
    }

    /// Whether it has tables.
    #[must_use]
    pub const fn has_tables(&self) -> bool {
        self.engine.is_some()
    }

    /// What is known without a search: no solution of this board is shorter.
    pub fn estimate(&self, board: &Board) -> Result<u32, SolveError> {
        let board = self.canonical(board)?;
        Ok(match &self.engine {
            Some(engine) => engine.estimate(&board)?,
            None => lower_bound(&Position::new(&self.reduction, &board)),
        })
    }

    /// A solution as the effort asks for it.
    pub fn solve(&self, board: &Board, effort: &Effort) -> Result<Report<Move>, SolveError> {
        self.improve(board, effort, &mut |_| ())
    }

    /// The same; `watch` is told of the first solution, of every better one, and when the bound
    /// rises, unless a shortest solution is wanted, of which there is one or none.
    ///
    /// ```
    /// use std::time::Duration;
    /// use taquin::solve::{Effort, Solver};
    /// use taquin::{Goal, Rng, uniform};
    ///
    /// let goal = Goal::Classic.board("6x6".parse()?)?;
    /// let solver = Solver::without_tables(&goal);
    /// let board = uniform(&goal, &mut Rng::from_seed(1));
    /// let mut lengths = Vec::new();
    /// solver.improve(&board, &Effort::within(Duration::from_millis(100)), &mut |known| {
    ///     lengths.push(known.moves.len());
    /// })?;
    /// assert!(lengths.is_sorted_by(|a, b| a >= b));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn improve(
        &self,
        board: &Board,
        effort: &Effort,
        watch: &mut dyn FnMut(Improvement<'_>),
    ) -> Result<Report<Move>, SolveError> {
        let canonical = self.canonical(board)?;
        let mut report = if effort.aim == Aim::Shortest {
            let engine = self.engine.as_ref().ok_or(SolveError::NoTables)?;
            engine.solve(&canonical, effort)?
        } else {
            let mut restored = |known: Improvement<'_>| {
                let moves = self.original(known.moves);
                watch(Improvement {
                    moves: &moves,
                    ..known
                });
            };
            let parts = Parts {
                board: &canonical,
                position: &Position::new(&self.reduction, &canonical),
                engine: self.engine.as_ref(),
            };
            Improving::new(parts, effort, &mut restored).run()?
        };
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
        let engine = self.engine.as_ref().ok_or(SolveError::NoTables)?;
        let mut all = engine.all(&self.canonical(board)?, effort, list, count)?;
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
