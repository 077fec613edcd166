//! Tiles that are not at home.

use super::Heuristic;
use super::homes::Homes;
use crate::domain::{Sliding, TileState};
use crate::{Move, Tile};

/// The number of tiles that are not on their goal cells; with heavy costs, their sum.
///
/// Each of them has to move at least once. One move changes the state of one tile, so the estimate
/// is consistent.
#[derive(Clone, Debug)]
pub struct Hamming {
    homes: Homes,
}

impl Hamming {
    /// The heuristic for a puzzle.
    #[must_use]
    pub fn new<S: TileState>(puzzle: &Sliding<S>) -> Self {
        Self {
            homes: Homes::new(puzzle.goal_board(), puzzle.cost()),
        }
    }

    #[inline]
    fn of_tile(&self, tile: Tile, cell: usize) -> u32 {
        if cell == self.homes.cell(tile) {
            0
        } else {
            self.homes.weight(tile)
        }
    }
}

impl<S: TileState> Heuristic<Sliding<S>> for Hamming {
    type Memo = u32;

    fn evaluate(&self, puzzle: &Sliding<S>, state: &S) -> u32 {
        (0..puzzle.size().cells())
            .map(|cell| self.of_tile(state.tile(cell), cell))
            .sum()
    }

    #[inline]
    fn step(&self, puzzle: &Sliding<S>, before: &u32, after: &S, m: Move) -> u32 {
        let (tile, from, to) = puzzle.last_slide(after, m);
        before + self.of_tile(tile, to) - self.of_tile(tile, from)
    }

    #[inline]
    fn value(&self, memo: &u32) -> u32 {
        *memo
    }

    fn is_consistent(&self) -> bool {
        true
    }
}
