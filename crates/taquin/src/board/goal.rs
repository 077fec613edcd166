//! The arrangement to reach.

use std::borrow::Cow;
use std::fmt;

use thiserror::Error;

use super::{Board, Size, Tile};

/// The arrangement that a puzzle is to reach.
///
/// | goal | on 3×3 |
/// |---|---|
/// | `classic` | `1 2 3/4 5 6/7 8 0` |
/// | `blank-first` | `0 1 2/3 4 5/6 7 8` |
/// | `snail` | `1 2 3/8 0 4/7 6 5` |
/// | `snake` | `1 2 3/6 5 4/7 8 0` |
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Tiles in reading order, the blank last.
    #[default]
    Classic,
    /// The blank first, then the tiles in reading order.
    BlankFirst,
    /// Tiles along a spiral from the top left corner inwards, the blank at its end.
    Snail,
    /// Rows from the left and from the right in turn, the blank at the end.
    Snake,
    /// Any board, for boards of its own size.
    Board(Board),
}

/// A goal board that is asked for at another size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the goal is a {goal} board and cannot be the goal of a {board} board")]
pub struct GoalSizeError {
    /// The size of the goal.
    pub goal: Size,
    /// The size of the board that was to reach it.
    pub board: Size,
}

impl Goal {
    /// The goals that have a name and exist for every size.
    pub const NAMED: [Self; 4] = [Self::Classic, Self::BlankFirst, Self::Snail, Self::Snake];

    /// The goal's name, or for a given board that board in the default notation.
    #[must_use]
    pub fn name(&self) -> Cow<'static, str> {
        match self {
            Self::Classic => "classic".into(),
            Self::BlankFirst => "blank-first".into(),
            Self::Snail => "snail".into(),
            Self::Snake => "snake".into(),
            Self::Board(board) => board.to_string().into(),
        }
    }

    /// A line about the goal, for help texts.
    #[must_use]
    pub const fn summary(&self) -> &'static str {
        match self {
            Self::Classic => "tiles in reading order, the blank last",
            Self::BlankFirst => "the blank first, then the tiles in reading order",
            Self::Snail => "tiles along a spiral inwards, the blank at its end",
            Self::Snake => "rows from the left and from the right in turn, the blank last",
            Self::Board(_) => "the arrangement that is given",
        }
    }

    /// The goal as a board of the given size.
    pub fn board(&self, size: Size) -> Result<Board, GoalSizeError> {
        let order = match self {
            Self::Classic => (0..size.cells()).collect(),
            Self::BlankFirst => (1..size.cells()).chain([0]).collect(),
            Self::Snail => spiral(size),
            Self::Snake => snake(size),
            Self::Board(board) if board.size() == size => return Ok(board.clone()),
            Self::Board(board) => {
                return Err(GoalSizeError {
                    goal: board.size(),
                    board: size,
                });
            }
        };
        Ok(along(size, &order))
    }
}

/// Prints the [name](Goal::name).
impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name())
    }
}

/// The board with tiles 1, 2, 3 … on the cells in the given order and the blank on the last one.
fn along(size: Size, order: &[usize]) -> Board {
    let mut tiles: Vec<Tile> = vec![0; size.cells()];
    for (tile, &cell) in (1..).zip(&order[..size.cells() - 1]) {
        tiles[cell] = tile;
    }
    Board::from_permutation(size, &tiles)
}

fn snake(size: Size) -> Vec<usize> {
    let columns = size.columns();
    let row = |r: usize| {
        (0..columns).map(move |c| {
            let column = if r.is_multiple_of(2) {
                c
            } else {
                columns - 1 - c
            };
            r * columns + column
        })
    };
    (0..size.rows()).flat_map(row).collect()
}

/// Cells along a clockwise spiral from the top left corner: ring after ring.
fn spiral(size: Size) -> Vec<usize> {
    let mut order = Vec::with_capacity(size.cells());
    let at = |row: usize, column: usize| row * size.columns() + column;
    let rings = size.rows().min(size.columns()).div_ceil(2);
    for ring in 0..rings {
        let (top, left) = (ring, ring);
        let (bottom, right) = (size.rows() - 1 - ring, size.columns() - 1 - ring);
        order.extend((left..=right).map(|c| at(top, c)));
        order.extend((top + 1..=bottom).map(|r| at(r, right)));
        if bottom > top {
            order.extend((left..right).rev().map(|c| at(bottom, c)));
        }
        if right > left {
            order.extend((top + 1..bottom).rev().map(|r| at(r, left)));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(goal: &Goal, rows: usize, columns: usize) -> String {
        let size = Size::new(rows, columns).unwrap();
        goal.board(size).unwrap().to_string()
    }

    #[test]
    fn named_goals_are_what_their_users_expect() {
        assert_eq!(shown(&Goal::Classic, 2, 3), "1 2 3/4 5 0");
        assert_eq!(shown(&Goal::BlankFirst, 2, 3), "0 1 2/3 4 5");
        assert_eq!(shown(&Goal::Snail, 3, 3), "1 2 3/8 0 4/7 6 5");
        assert_eq!(
            shown(&Goal::Snail, 4, 4),
            "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7"
        );
        assert_eq!(shown(&Goal::Snail, 2, 2), "1 2/0 3");
        assert_eq!(
            shown(&Goal::Snail, 3, 5),
            "1 2 3 4 5/12 13 14 0 6/11 10 9 8 7"
        );
        assert_eq!(
            shown(&Goal::Snail, 5, 3),
            "1 2 3/12 13 4/11 14 5/10 0 6/9 8 7"
        );
        assert_eq!(shown(&Goal::Snake, 3, 3), "1 2 3/6 5 4/7 8 0");
        assert_eq!(shown(&Goal::Snake, 2, 4), "1 2 3 4/0 7 6 5");
    }

    #[test]
    fn every_named_goal_is_a_board_of_every_size() {
        for rows in 2..9 {
            for columns in 2..9 {
                let size = Size::new(rows, columns).unwrap();
                for goal in Goal::NAMED {
                    let tiles: Vec<Tile> = goal.board(size).unwrap().tiles().collect();
                    assert!(Board::from_tiles(size, &tiles).is_ok(), "{goal:?} {size}");
                }
            }
        }
    }

    #[test]
    fn a_given_board_is_a_goal_of_its_own_size_only() {
        let size = Size::new(2, 2).unwrap();
        let board = Goal::Snail.board(size).unwrap();
        let goal = Goal::Board(board.clone());
        assert_eq!(goal.board(size), Ok(board));
        assert!(goal.board(size.transposed()).is_ok());
        assert!(goal.board(Size::new(2, 3).unwrap()).is_err());
    }
}
