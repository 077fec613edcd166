//! Tiles that are not at home, in multi-tile moves.

use crate::domain::{Cost, MultiSliding, TileState};
use crate::heuristic::Heuristic;
use crate::heuristic::homes::Homes;
use crate::{Slide, Tile};

/// The number of tiles that are not on their goal cells, divided by the most tiles that slide at
/// once, and rounded up.
///
/// Each of these tiles has to move at least once, and a slide moves no more tiles than a line has
/// besides the blank. A slide changes the number of these tiles by no more than that, so the
/// estimate is consistent.
#[derive(Clone, Debug)]
pub struct MultiHamming {
    homes: Homes,
    most_tiles: u32,
}

impl MultiHamming {
    /// The heuristic for a puzzle.
    #[must_use]
    pub fn new<S: TileState>(puzzle: &MultiSliding<S>) -> Self {
        let size = puzzle.size();
        Self {
            homes: Homes::new(puzzle.goal_board(), Cost::Unit),
            most_tiles: size.rows().max(size.columns()) as u32 - 1,
        }
    }

    #[inline]
    fn of_tile(&self, tile: Tile, cell: usize) -> u32 {
        u32::from(tile != 0 && cell != self.homes.cell(tile))
    }
}

impl<S: TileState> Heuristic<MultiSliding<S>> for MultiHamming {
    /// How many tiles are not at home.
    type Memo = u32;

    fn evaluate(&self, puzzle: &MultiSliding<S>, state: &S) -> u32 {
        (0..puzzle.size().cells())
            .map(|cell| self.of_tile(state.tile(cell), cell))
            .sum()
    }

    #[inline]
    fn step(&self, puzzle: &MultiSliding<S>, before: &u32, after: &S, slide: Slide) -> u32 {
        let moved = puzzle.last_slide(after, slide);
        moved.fold(*before, |sum, (tile, from, to)| {
            sum + self.of_tile(tile, to) - self.of_tile(tile, from)
        })
    }

    #[inline]
    fn value(&self, memo: &u32) -> u32 {
        memo.div_ceil(self.most_tiles)
    }

    fn is_consistent(&self) -> bool {
        true
    }
}
