//! Which boards can be reached from which.
//!
//! Reading a board row by row and leaving the blank out gives a sequence of tiles. A horizontal
//! move does not change it. A vertical move carries one tile past `columns - 1` others and so
//! changes the number of inversions by an odd or an even amount, as `columns - 1` is odd or even.
//! Hence the parity of the inversions never changes where the number of columns is odd, and the
//! parity of inversions plus the blank's row never changes where it is even. Two boards with equal
//! parities can be reached from each other; the tests show it for whole small spaces.

use std::fmt;

use super::{Board, GoalSizeError, Size, Tile};

/// What no move changes, for one board, with the numbers it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Invariant {
    size: Size,
    inversions: u64,
    blank_row: usize,
}

impl Invariant {
    /// Counts a board's inversions.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        Self {
            size: board.size(),
            inversions: if board.size().cells() <= 64 {
                inversions_by_mask(board)
            } else {
                inversions_by_tree(board)
            },
            blank_row: board.blank_row(),
        }
    }

    /// Pairs of tiles of which the larger one comes first in reading order.
    #[must_use]
    pub const fn inversions(self) -> u64 {
        self.inversions
    }

    /// The blank's row, counted from 0 at the bottom.
    #[must_use]
    pub const fn blank_row_from_bottom(self) -> usize {
        self.size.rows() - 1 - self.blank_row
    }

    /// Whether the blank's row counts: only on an even number of columns.
    #[must_use]
    pub const fn counts_blank_row(self) -> bool {
        self.size.columns().is_multiple_of(2)
    }

    /// The number whose parity no move changes: the inversions, and on an even number of columns
    /// the blank's row from the bottom added to them.
    #[must_use]
    pub const fn value(self) -> u64 {
        if self.counts_blank_row() {
            self.inversions + self.blank_row_from_bottom() as u64
        } else {
            self.inversions
        }
    }

    /// 0 or 1: the parity of [`value`](Self::value).
    #[must_use]
    pub const fn parity(self) -> u8 {
        (self.value() % 2) as u8
    }
}

/// Reads the tiles from the last to the first and counts the smaller ones already seen.
fn inversions_by_mask(board: &Board) -> u64 {
    let mut seen = 0_u64;
    let mut inversions = 0;
    for tile in board.tiles().rev().filter(|&t| t > 0) {
        let bit = 1_u64 << tile;
        inversions += u64::from((seen & (bit - 1)).count_ones());
        seen |= bit;
    }
    inversions
}

/// Counts the inversions with a Fenwick tree, for boards of any size in n log n steps.
fn inversions_by_tree(board: &Board) -> u64 {
    let mut counts = vec![0_u32; board.size().cells()];
    let mut inversions = 0;
    for tile in board.tiles().rev().filter(|&t| t > 0).map(usize::from) {
        let mut i = tile;
        while i > 0 {
            inversions += u64::from(counts[i]);
            i &= i - 1;
        }
        let mut i = tile;
        while i < counts.len() {
            counts[i] += 1;
            i += i & i.wrapping_neg();
        }
    }
    inversions
}

/// Whether a board can reach a goal, and why.
///
/// Its `Display` gives the reason in words and numbers.
///
/// ```
/// use taquin::{Board, Goal, Solvability};
///
/// let board: Board = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0".parse()?;
/// let verdict = Solvability::of(&board, &Goal::Classic.board(board.size())?)?;
/// assert!(!verdict.is_solvable());
/// assert_eq!(verdict.board().inversions(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solvability {
    board: Invariant,
    goal: Invariant,
}

impl Solvability {
    /// Compares a board with a goal of the same size.
    pub fn of(board: &Board, goal: &Board) -> Result<Self, GoalSizeError> {
        Self::between(Invariant::of(board), Invariant::of(goal))
    }

    /// Compares two invariants; for many boards with one goal, whose invariant is counted once.
    pub fn between(board: Invariant, goal: Invariant) -> Result<Self, GoalSizeError> {
        if board.size == goal.size {
            Ok(Self { board, goal })
        } else {
            Err(GoalSizeError {
                goal: goal.size,
                board: board.size,
            })
        }
    }

    /// The verdict.
    #[must_use]
    pub const fn is_solvable(self) -> bool {
        self.board.parity() == self.goal.parity()
    }

    /// The board's invariant.
    #[must_use]
    pub const fn board(self) -> Invariant {
        self.board
    }

    /// The goal's invariant.
    #[must_use]
    pub const fn goal(self) -> Invariant {
        self.goal
    }

    /// If the verdict on this board and goal is no: two tiles whose exchange would make it yes.
    ///
    /// Any two would do. This prefers two that lie in each other's place, then one that comes home
    /// by the exchange, and else takes the first two.
    #[must_use]
    pub fn swap_hint(self, board: &Board, goal: &Board) -> Option<(Tile, Tile)> {
        if self.is_solvable() || board.size() != goal.size() {
            return None;
        }
        let home = goal.cells_of_tiles();
        let misplaced = board
            .tiles()
            .enumerate()
            .filter(|&(cell, tile)| tile > 0 && home[usize::from(tile)] != cell);
        let mut comes_home = None;
        for (cell, tile) in misplaced {
            let other = board.tile(home[usize::from(tile)])?;
            if other == 0 {
                continue;
            }
            let pair = (tile.min(other), tile.max(other));
            if home[usize::from(other)] == cell {
                return Some(pair);
            }
            comes_home = comes_home.or(Some(pair));
        }
        comes_home.or(Some((1, 2)))
    }
}

impl fmt::Display for Solvability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (board, goal) = (self.board, self.goal);
        let columns = board.size.columns();
        if board.counts_blank_row() {
            write!(
                f,
                "{columns} columns (even), so count inversions + blank row from the bottom: "
            )?;
        } else {
            write!(f, "{columns} columns (odd), so count inversions: ")?;
        }
        f.write_str("board ")?;
        side(f, board)?;
        f.write_str(", goal ")?;
        side(f, goal)?;
        f.write_str(if self.is_solvable() {
            "; the parities agree, so the goal can be reached"
        } else {
            "; no move changes this parity, so the goal cannot be reached"
        })
    }
}

/// One board's numbers: `41 + 2 = 43 (odd)`, or `41 (odd)` where the row does not count.
fn side(f: &mut fmt::Formatter<'_>, invariant: Invariant) -> fmt::Result {
    if invariant.counts_blank_row() {
        let (inversions, row) = (invariant.inversions(), invariant.blank_row_from_bottom());
        write!(f, "{inversions} + {row} = ")?;
    }
    let parity = if invariant.parity() == 0 {
        "even"
    } else {
        "odd"
    };
    write!(f, "{} ({parity})", invariant.value())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Rng, uniform};

    #[test]
    fn both_ways_of_counting_inversions_agree_with_counting_pairs() {
        let mut rng = Rng::from_seed(1);
        for (rows, columns) in [(2, 2), (3, 3), (4, 4), (8, 8), (5, 13)] {
            let goal = Goal::Classic
                .board(Size::new(rows, columns).unwrap())
                .unwrap();
            for _ in 0..20 {
                let board = uniform(&goal, &mut rng);
                let tiles: Vec<Tile> = board.tiles().filter(|&t| t > 0).collect();
                let pairs = (0..tiles.len())
                    .flat_map(|j| (0..j).map(move |i| (i, j)))
                    .filter(|&(i, j)| tiles[i] > tiles[j])
                    .count() as u64;
                if board.size().cells() <= 64 {
                    assert_eq!(inversions_by_mask(&board), pairs);
                }
                assert_eq!(inversions_by_tree(&board), pairs);
            }
        }
    }

    #[test]
    fn the_hint_makes_the_board_solvable() {
        let mut rng = Rng::from_seed(2);
        for (rows, columns) in [(2, 2), (2, 3), (3, 3), (4, 4), (5, 6)] {
            let size = Size::new(rows, columns).unwrap();
            for goal in Goal::NAMED.map(|g| g.board(size).unwrap()) {
                for _ in 0..50 {
                    let board = uniform(&goal, &mut rng);
                    let verdict = Solvability::of(&board, &goal).unwrap();
                    assert_eq!(verdict.swap_hint(&board, &goal), None);
                    let odd = board.with_swapped(1, 3).unwrap();
                    let verdict = Solvability::of(&odd, &goal).unwrap();
                    let (a, b) = verdict.swap_hint(&odd, &goal).unwrap();
                    let mended = odd.with_swapped(a, b).unwrap();
                    assert!(Solvability::of(&mended, &goal).unwrap().is_solvable());
                }
            }
        }
    }

    #[test]
    fn a_board_where_only_blank_and_one_tile_are_exchanged_has_a_hint_too() {
        let goal = Goal::Classic.board(Size::new(3, 3).unwrap()).unwrap();
        let board: Board = "1 2 0/4 5 6/7 8 3".parse().unwrap();
        let verdict = Solvability::of(&board, &goal).unwrap();
        assert_eq!(verdict.swap_hint(&board, &goal), Some((1, 2)));
    }
}
