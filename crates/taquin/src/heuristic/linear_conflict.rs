//! Manhattan distance, and the tiles that stand in one another's way.

use super::homes::Homes;
use super::lines::{Axis, Lines};
use super::{Heuristic, Manhattan};
use crate::Move;
use crate::domain::{Sliding, TileState};

/// Manhattan distance, and for each row and column twice the fewest tiles that must leave it; with
/// heavy costs, twice the least weight.
///
/// Tiles that are in their own line but in the wrong order cannot pass one another within it: some
/// must step aside and come back, by moves across the line that Manhattan distance does not count.
/// How many is found exactly: all of the line's own tiles but a longest increasing subsequence of
/// their homes. Rows and columns add up, because the moves across a row are not the moves across a
/// column.
///
/// It is consistent with both costs. A tile of weight w that comes into its own line lowers the
/// Manhattan part by w and raises the conflicts by 0 to 2w. A tile that leaves its line does the
/// reverse, and no other move changes a conflict. So a move changes the estimate by w at most. With
/// unit costs that is Hansson, Mayer & Yung's claim of 1992; the tests check it, and the heavy form,
/// on every move of whole small spaces.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    manhattan: Manhattan,
    rows: Lines,
    columns: Lines,
}

impl LinearConflict {
    /// The most bytes that it takes.
    pub(super) const MAX_BYTES: u64 = 2 * Lines::MAX_BYTES;

    /// The heuristic for a puzzle.
    #[must_use]
    pub fn new<S: TileState>(puzzle: &Sliding<S>) -> Self {
        let manhattan = Manhattan::new(puzzle);
        let lines = |axis| Lines::new(manhattan.homes(), axis, puzzle.cost());
        Self {
            rows: lines(Axis::Rows),
            columns: lines(Axis::Columns),
            manhattan,
        }
    }

    pub(super) const fn homes(&self) -> &Homes {
        self.manhattan.homes()
    }

    /// The rows and the columns, in this order.
    pub(super) const fn lines(&self) -> [&Lines; 2] {
        [&self.rows, &self.columns]
    }
}

impl<S: TileState> Heuristic<Sliding<S>> for LinearConflict {
    type Memo = u32;

    fn evaluate(&self, puzzle: &Sliding<S>, state: &S) -> u32 {
        let conflicts = |lines: &Lines| {
            (0..lines.count())
                .map(|i| lines.added(state, i))
                .sum::<u32>()
        };
        self.manhattan.evaluate(puzzle, state) + conflicts(&self.rows) + conflicts(&self.columns)
    }

    #[inline]
    fn step(&self, puzzle: &Sliding<S>, before: &u32, after: &S, m: Move) -> u32 {
        let (tile, from, to) = puzzle.last_slide(after, m);
        let lines = match m {
            Move::Up | Move::Down => &self.rows,
            Move::Left | Move::Right => &self.columns,
        };
        before
            .wrapping_add(self.manhattan.change(tile, from, to))
            .wrapping_add(lines.change(after, tile, from, to))
    }

    #[inline]
    fn value(&self, memo: &u32) -> u32 {
        *memo
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Cost, FlatState};
    use crate::{Board, Goal, Symmetry};

    /// What the conflicts of a board add, and the same for the board turned on its side.
    fn added(board: &str, goal: &Goal, cost: Cost) -> u32 {
        let board: Board = board.parse().unwrap();
        let goal = goal.board(board.size()).unwrap();
        let conflicts = |board: &Board, goal: &Board| {
            let puzzle = Sliding::<FlatState>::new(goal, cost).unwrap();
            let state = puzzle.state(board).unwrap();
            LinearConflict::new(&puzzle).evaluate(&puzzle, &state)
                - Manhattan::new(&puzzle).evaluate(&puzzle, &state)
        };
        let added = conflicts(&board, &goal);
        for symmetry in Symmetry::ALL {
            let turned = (board.transformed(symmetry), goal.transformed(symmetry));
            assert_eq!(conflicts(&turned.0, &turned.1), added, "{symmetry:?}");
        }
        added
    }

    #[test]
    fn the_row_3_2_1_adds_four() {
        assert_eq!(added("3 2 1/4 5 6/7 8 0", &Goal::Classic, Cost::Unit), 4);
    }

    #[test]
    fn three_tiles_that_all_conflict_add_four_and_not_six() {
        let board = "3 2 1 4/5 6 7 8/9 10 11 12/13 14 15 0";
        assert_eq!(added(board, &Goal::Classic, Cost::Unit), 4);
        // One tile that is in the way of three others adds two and not six.
        let board = "4 1 2 3/5 6 7 8/9 10 11 12/13 14 15 0";
        assert_eq!(added(board, &Goal::Classic, Cost::Unit), 2);
    }

    #[test]
    fn lines_too_long_for_a_table_count_the_same() {
        let board = "8 7 6 5 4 3 2 1/9 10 11 12 13 14 15 0";
        assert_eq!(added(board, &Goal::Classic, Cost::Unit), 14);
        // The heaviest tile stays.
        assert_eq!(added(board, &Goal::Classic, Cost::Tile), 2 * (36 - 8));
    }

    #[test]
    fn with_heavy_costs_the_lighter_tiles_leave() {
        assert_eq!(added("3 2 1/4 5 6/7 8 0", &Goal::Classic, Cost::Tile), 6);
        // Tile 3 outweighs neither 1 and 2 together nor is it outweighed: 3 against 3.
        assert_eq!(added("3 1 2/4 5 6/7 8 0", &Goal::Classic, Cost::Tile), 6);
        assert_eq!(added("1 2 3/6 4 5/7 8 0", &Goal::Classic, Cost::Tile), 12);
    }

    #[test]
    fn a_tile_in_a_foreign_line_and_the_blank_conflict_with_nothing() {
        assert_eq!(added("4 2 3/1 5 6/7 8 0", &Goal::Classic, Cost::Unit), 2);
        assert_eq!(added("1 0 2/4 5 3/7 8 6", &Goal::Classic, Cost::Unit), 0);
        assert_eq!(added("2 1 0/3 4 5/6 7 8", &Goal::BlankFirst, Cost::Unit), 2);
    }
}
