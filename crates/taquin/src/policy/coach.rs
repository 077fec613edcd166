//! Hints for a player.

use std::time::Duration;

use thiserror::Error;

use super::answer::{SolveError, UnsolvedError};
use super::request::{Request, Want};
use super::solver::Solver;
use crate::outcome::{Limits, WrongSolutionError};
use crate::{Board, Goal, Metric, Move, Moves};

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
    metric: Metric,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The move; none if the board is solved.
    pub next: Option<Move>,
    /// How many tiles slide at once with it: one in single-tile moves, none if the board is solved.
    pub tiles: usize,
    /// How many moves remain with this one, if one goes on as the coach would.
    pub remaining: u32,
    /// How many remain at least, whatever one does.
    pub lower_bound: u32,
    /// The moves that remain, tile by tile.
    pub moves: Moves,
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
    /// A coach for a goal, who thinks this long about a board at most, and counts single-tile moves.
    #[must_use]
    pub const fn new(goal: Goal, within: Duration) -> Self {
        Self {
            goal,
            metric: Metric::Single,
            within,
            known: None,
        }
    }

    /// This coach, counting moves in that metric. What it knew is forgotten.
    #[must_use]
    pub fn in_metric(self, metric: Metric) -> Self {
        Self {
            metric,
            known: None,
            ..self
        }
    }

    /// What counts as a move.
    #[must_use]
    pub const fn metric(&self) -> Metric {
        self.metric
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
        let metric = self.metric;
        self.known = self
            .known
            .take()
            .and_then(|known| known.stray(board, metric));
        let answer = solver.solve(&Request {
            goal: self.goal.clone(),
            want: Want::Within(self.within),
            metric: self.metric,
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
            Some(known) => found.or(known, self.metric),
            None => found,
        };
        // What was found was replayed, what was known and gone on from was not.
        let goal = self.goal.board(board.size()).map_err(SolveError::from)?;
        let moves: Vec<Move> = best.moves.iter().rev().copied().collect();
        WrongSolutionError::check(board, &goal, &moves).map_err(SolveError::from)?;
        let metric = self.metric;
        Ok(self.remember(best).hint(metric))
    }

    /// The next move if it is known without a search: on the way that was shown.
    pub fn recall(&mut self, board: &Board) -> Option<Hint> {
        let metric = self.metric;
        let known = self.known.take()?.follow(board, metric);
        let known = self.remember(known);
        (known.board == *board).then(|| known.hint(metric))
    }

    fn remember(&mut self, known: Known) -> &Known {
        self.known.insert(known)
    }
}

impl Known {
    fn hint(&self, metric: Metric) -> Hint {
        let moves: Moves = self.moves.iter().rev().copied().collect();
        let tiles = match (metric, moves.first()) {
            (_, None) => 0,
            (Metric::Single, Some(_)) => 1,
            (Metric::Multi, Some(next)) => moves.iter().take_while(|m| *m == next).count(),
        };
        Hint {
            next: moves.first().copied(),
            tiles,
            remaining: moves.length(metric) as u32,
            lower_bound: self.lower_bound,
            moves,
        }
    }

    /// Goes along the solution as far as this board, if it is there; else stays. Where a slide of
    /// several tiles is one move, a part of it is not on the way: the rest would be a move more.
    fn follow(mut self, board: &Board, metric: Metric) -> Self {
        if self.board == *board {
            return self;
        }
        let mut ahead = self.board.clone();
        let mut moves = self.moves.iter().rev().take(FURTHER).enumerate().peekable();
        let mut steps = None;
        while let Some((i, &m)) = moves.next() {
            if ahead.slide(m).is_err() {
                break;
            }
            let is_whole =
                metric == Metric::Single || moves.peek().is_none_or(|(_, next)| **next != m);
            if is_whole && ahead == *board {
                steps = Some(i + 1);
                break;
            }
        }
        if let Some(steps) = steps {
            let made = self.moves.split_off(self.moves.len() - steps);
            // With a move fewer to go no bound falls by more than one.
            let made = metric.length(&made) as u32;
            self.lower_bound = self.lower_bound.saturating_sub(made);
            self.board = ahead;
        }
        self
    }

    /// What is known of a board that is one move beside it: that move taken back, and on from there.
    fn stray(mut self, board: &Board, metric: Metric) -> Option<Self> {
        let most = match metric {
            Metric::Single => 1,
            Metric::Multi => usize::MAX,
        };
        let back = board.legal_moves().into_iter().find_map(|m| {
            let mut there = board.clone();
            let mut tiles = 0;
            while tiles < most && there.slide(m).is_ok() {
                tiles += 1;
                if there == self.board {
                    return Some(vec![m; tiles]);
                }
            }
            None
        })?;
        self.moves.extend(back);
        self.lower_bound = self.lower_bound.saturating_sub(1);
        self.board = board.clone();
        Some(self)
    }

    /// The better of two, with the better bound.
    fn or(self, other: Self, metric: Metric) -> Self {
        let lower_bound = self.lower_bound.max(other.lower_bound);
        let length = |known: &Self| metric.length(&known.moves);
        let better = if length(&other) < length(&self) {
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
