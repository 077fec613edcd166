//! Hints for a player.

use std::time::Duration;

use thiserror::Error;

use super::answer::{SolveError, UnsolvedError};
use super::request::{Request, Want};
use super::solver::Solver;
use crate::outcome::{Limits, WrongSolutionError};
use crate::{Board, Goal, Move};

/// Tells a player what to do next, and remembers what it found out: while the player does what it
/// said, or takes a move back, the next hint costs nothing.
///
/// ```
/// use std::time::Duration;
/// use taquin::{Board, Coach, Goal, Limits, Solver};
///
/// let mut board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
/// let solver = Solver::in_memory();
/// let mut coach = Coach::new(Goal::Classic, Duration::from_secs(10));
/// let mut remaining = 14;
/// while let hint = coach.hint(&solver, &board, &Limits::default())? && let Some(next) = hint.next {
///     assert!(hint.is_optimal() && hint.remaining == remaining);
///     board.slide(next)?;
///     remaining -= 1;
/// }
/// assert_eq!(board, Goal::Classic.board(board.size())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Coach {
    goal: Goal,
    within: Duration,
    known: Option<Known>,
}

/// Why there is no hint.
#[derive(Clone, Debug, Error)]
pub enum HintError {
    /// The board cannot be searched.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// There is no solution to go along.
    #[error(transparent)]
    Unsolved(#[from] UnsolvedError),
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The move; none if the board is solved.
    pub next: Option<Move>,
    /// How many moves remain with this one, if one goes on as the coach would.
    pub remaining: u32,
    /// How many remain at least, whatever one does.
    pub lower_bound: u32,
}

impl Hint {
    /// Whether nobody can do it with fewer moves.
    #[must_use]
    pub const fn is_optimal(&self) -> bool {
        self.remaining == self.lower_bound
    }
}

/// A board and the best solution of it that is known.
#[derive(Clone, Debug)]
struct Known {
    board: Board,
    /// The last move first.
    moves: Vec<Move>,
    lower_bound: u32,
}

/// The most moves that a player has made since the last hint.
const FURTHER: usize = 100;

impl Coach {
    /// A coach for a goal, who thinks this long about a board at most.
    #[must_use]
    pub const fn new(goal: Goal, within: Duration) -> Self {
        Self {
            goal,
            within,
            known: None,
        }
    }

    /// The goal.
    #[must_use]
    pub const fn goal(&self) -> &Goal {
        &self.goal
    }

    /// How long it thinks about a board.
    #[must_use]
    pub const fn within(&self) -> Duration {
        self.within
    }

    /// The next move.
    ///
    /// On the way that it showed, the coach goes on from what it knows. Elsewhere it searches for
    /// the best solution in its time, and takes what it knew if that leads home sooner.
    pub fn hint(
        &mut self,
        solver: &Solver,
        board: &Board,
        limits: &Limits,
    ) -> Result<Hint, HintError> {
        if let Some(hint) = self.recall(board) {
            return Ok(hint);
        }
        self.known = self.known.take().and_then(|known| known.stray(board));
        let answer = solver.solve(&Request {
            goal: self.goal.clone(),
            want: Want::Within(self.within),
            limits: limits.clone(),
            ..Request::new(board.clone())
        })?;
        let solution = answer.solution()?;
        let found = Known {
            board: board.clone(),
            lower_bound: solution.lower_bound,
            moves: solution.moves.iter().rev().copied().collect(),
        };
        let best = match self.known.take() {
            Some(known) => found.or(known),
            None => found,
        };
        // What was found was replayed, what was known and gone on from was not.
        let goal = self.goal.board(board.size()).map_err(SolveError::from)?;
        let moves: Vec<Move> = best.moves.iter().rev().copied().collect();
        WrongSolutionError::check(board, &goal, &moves).map_err(SolveError::from)?;
        Ok(self.remember(best).hint())
    }

    /// The next move if it is known without a search: on the way that was shown.
    pub fn recall(&mut self, board: &Board) -> Option<Hint> {
        let known = self.known.take()?.follow(board);
        let known = self.remember(known);
        (known.board == *board).then(|| known.hint())
    }

    fn remember(&mut self, known: Known) -> &Known {
        self.known.insert(known)
    }
}

impl Known {
    fn hint(&self) -> Hint {
        Hint {
            next: self.moves.last().copied(),
            remaining: self.moves.len() as u32,
            lower_bound: self.lower_bound,
        }
    }

    /// Goes along the solution as far as this board, if it is there; else stays.
    fn follow(mut self, board: &Board) -> Self {
        let mut ahead = self.board.clone();
        let moves = self.moves.iter().rev().take(FURTHER);
        let steps = moves.enumerate().find_map(|(i, &m)| {
            if ahead == *board {
                return Some(i);
            }
            ahead.slide(m).ok()?;
            (ahead == *board).then_some(i + 1)
        });
        if let Some(steps) = steps.filter(|&steps| steps > 0) {
            self.moves.truncate(self.moves.len() - steps);
            // With a move fewer to go no bound falls by more than one.
            self.lower_bound = self.lower_bound.saturating_sub(steps as u32);
            self.board = ahead;
        }
        self
    }

    /// What is known of a board that is one move beside it: that move taken back, and on from there.
    fn stray(mut self, board: &Board) -> Option<Self> {
        let moves = board.legal_moves();
        let back = moves.into_iter().find(|&m| {
            let mut there = board.clone();
            there.slide(m).is_ok() && there == self.board
        })?;
        self.moves.push(back);
        self.lower_bound = self.lower_bound.saturating_sub(1);
        self.board = board.clone();
        Some(self)
    }

    /// The better of two, with the better bound.
    fn or(self, other: Self) -> Self {
        let lower_bound = self.lower_bound.max(other.lower_bound);
        let better = if other.moves.len() < self.moves.len() {
            other
        } else {
            self
        };
        Self {
            lower_bound,
            ..better
        }
    }
}
