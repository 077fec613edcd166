//! Up to sixteen tiles in one `u64`, four bits a cell.

use super::Tile;

/// The cells of a board of at most sixteen cells: cell `i` is bits `4i..4i + 4`, the blank is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Packed(u64);

impl Packed {
    /// The largest board that fits.
    pub(crate) const MAX_CELLS: usize = 16;

    /// Packs valid tiles; the caller has checked that they are at most sixteen, each below 16.
    pub(super) fn from_tiles(tiles: &[Tile]) -> Self {
        debug_assert!(tiles.len() <= Self::MAX_CELLS);
        let bits = tiles
            .iter()
            .rev()
            .fold(0, |bits, &tile| bits << 4 | u64::from(tile));
        Self(bits)
    }

    /// The cells that [`bits`](Self::bits) gave.
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The tile on a cell.
    #[inline]
    pub(crate) const fn tile(self, cell: usize) -> Tile {
        (self.0 >> (4 * cell) & 15) as Tile
    }

    /// Slides the tile on `from` to the blank's cell `to`, and gives that tile.
    ///
    /// Because the blank is 0, one exclusive-or clears the tile where it was and sets it where it
    /// goes.
    #[inline]
    pub(crate) const fn slide(&mut self, from: usize, to: usize) -> Tile {
        let tile = self.0 >> (4 * from) & 15;
        self.0 ^= tile << (4 * from) | tile << (4 * to);
        tile as Tile
    }

    /// The sixty-four bits.
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }
}
