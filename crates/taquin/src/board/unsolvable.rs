//! A board that cannot reach its goal, and what it can reach instead.

use std::fmt;

use super::{Board, Goal, GoalSizeError, Solvability};

/// Why a board cannot reach its goal, and which well-known goals it can reach.
///
/// ```
/// use taquin::{Board, Goal, Unsolvable};
///
/// // From a textbook, whose goal is the snail.
/// let board: Board = "2 8 3/1 6 4/7 0 5".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let unsolvable = Unsolvable::check(&board, &goal)?.unwrap_err();
/// assert_eq!(unsolvable.reachable, [Goal::Snail, Goal::Snake]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsolvable {
    /// The verdict, with the numbers it rests on.
    pub verdict: Solvability,
    /// The [named goals](Goal::NAMED) that the board can reach.
    pub reachable: Vec<Goal>,
}

impl Unsolvable {
    /// Whether a board can reach a goal; `Err` says why not.
    pub fn check(board: &Board, goal: &Board) -> Result<Result<Solvability, Self>, GoalSizeError> {
        let verdict = Solvability::of(board, goal)?;
        if verdict.is_solvable() {
            return Ok(Ok(verdict));
        }
        Ok(Err(Self {
            verdict,
            reachable: reachable(board)?,
        }))
    }
}

/// The named goals that a board can reach.
fn reachable(board: &Board) -> Result<Vec<Goal>, GoalSizeError> {
    let mut reachable = Vec::new();
    for goal in Goal::NAMED {
        if Solvability::of(board, &goal.board(board.size())?)?.is_solvable() {
            reachable.push(goal);
        }
    }
    Ok(reachable)
}

impl fmt::Display for Unsolvable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.verdict)?;
        let names: Vec<_> = self.reachable.iter().map(Goal::name).collect();
        match names.as_slice() {
            [] => Ok(()),
            [one] => write!(f, "; it can reach the goal {one}"),
            [first @ .., last] => write!(
                f,
                "; it can reach the goals {} and {last}",
                first.join(", ")
            ),
        }
    }
}
