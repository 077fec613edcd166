//! Hashes of boards that a move changes in two places.

use crate::Rng;

/// A random number for each tile in each cell; a board's hash is the sum, bit by bit, of those of
/// its tiles.
#[derive(Clone, Debug)]
pub(super) struct Zobrist {
    cells: usize,
    keys: Box<[u64]>,
}

impl Zobrist {
    pub(super) fn new(cells: usize) -> Self {
        let mut rng = Rng::from_seed(cells as u64);
        Self {
            cells,
            keys: (0..cells * cells).map(|_| rng.next_u64()).collect(),
        }
    }

    #[inline(always)]
    fn key(&self, tile: u8, cell: u8) -> u64 {
        self.keys[usize::from(tile) * self.cells + usize::from(cell)]
    }

    pub(super) fn hash(&self, homes: &[u8], blank: u8) -> u64 {
        let tiles = (0..).zip(homes).filter(|&(cell, _)| cell != blank);
        tiles.fold(0, |hash, (cell, &tile)| hash ^ self.key(tile, cell))
    }

    /// The hash after a move.
    #[inline(always)]
    pub(super) fn after(&self, hash: u64, tile: u8, from: u8, to: u8) -> u64 {
        hash ^ self.key(tile, from) ^ self.key(tile, to)
    }
}
