//! How far each tile is from home.

use super::Heuristic;
use super::homes::Homes;
use crate::domain::{Sliding, TileState};
use crate::{Move, Tile};

/// The sum over all tiles of the rows and columns between the tile and its home; with heavy costs,
/// each times the tile's number.
///
/// A move brings one tile one cell nearer to its home or farther from it, so the estimate is
/// consistent.
#[derive(Clone, Debug)]
pub struct Manhattan {
    homes: Homes,
    /// For each tile, what it contributes on each cell. Empty for boards where this would take too
    /// much memory.
    table: Box<[u32]>,
}

impl Manhattan {
    /// Boards of up to 32x32 get a table. It takes 4 MB then.
    const MAX_CELLS: usize = 1024;

    /// The heuristic for a puzzle.
    #[must_use]
    pub fn new<S: TileState>(puzzle: &Sliding<S>) -> Self {
        let homes = Homes::new(puzzle.goal_board(), puzzle.cost());
        let cells = puzzle.size().cells();
        let tiles = if cells <= Self::MAX_CELLS { cells } else { 0 };
        let table = (0..tiles as Tile)
            .flat_map(|tile| (0..cells).map(move |cell| (tile, cell)))
            .map(|(tile, cell)| homes.weight(tile) * homes.distance(tile, cell))
            .collect();
        Self { homes, table }
    }

    pub(super) const fn homes(&self) -> &Homes {
        &self.homes
    }

    /// What the tile contributes on a cell.
    #[inline]
    pub(super) fn of_tile(&self, tile: Tile, cell: usize) -> u32 {
        let index = usize::from(tile) * self.homes.size().cells() + cell;
        match self.table.get(index) {
            Some(&value) => value,
            None => self.homes.weight(tile) * self.homes.distance(tile, cell),
        }
    }

    /// What it adds that a tile went from one cell to another; modulo 2³² if that is negative.
    #[inline]
    pub(super) fn change(&self, tile: Tile, from: usize, to: usize) -> u32 {
        self.of_tile(tile, to)
            .wrapping_sub(self.of_tile(tile, from))
    }
}

impl<S: TileState> Heuristic<Sliding<S>> for Manhattan {
    type Memo = u32;

    fn evaluate(&self, puzzle: &Sliding<S>, state: &S) -> u32 {
        (0..puzzle.size().cells())
            .map(|cell| self.of_tile(state.tile(cell), cell))
            .sum()
    }

    #[inline]
    fn step(&self, puzzle: &Sliding<S>, before: &u32, after: &S, m: Move) -> u32 {
        let (tile, from, to) = puzzle.last_slide(after, m);
        before.wrapping_add(self.change(tile, from, to))
    }

    #[inline]
    fn value(&self, memo: &u32) -> u32 {
        *memo
    }

    fn is_consistent(&self) -> bool {
        true
    }
}
