//! What a move changes: the slots of the moved tile, all of them looked up together.
//!
//! There are two forms of the same computation. [`Plain`] goes through the slots one by one; it is
//! for every processor, and judges the other. `Wide` in the file `wide.rs` moves tiles in eight
//! slots at a time.

use crate::cpu;

use super::engine::{Engine, Row};
use super::lookup::{Lookup, Word};

/// A tile, and the cells between which it moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileMove {
    pub(super) tile: u8,
    pub(super) from: u8,
    pub(super) to: u8,
}

/// The words of a tile's row of slots after it has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct RowWords<const WIDTH: usize>(pub(super) [Word; WIDTH]);

/// For each slot of a tile's row, which bit of its table is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct RowBits<const WIDTH: usize>(pub(super) [u64; WIDTH]);

/// For each slot of a tile's row, whether its value rose (1) or fell (0).
pub(super) type Rises = [u8; Engine::MAX_ROW];

impl<const WIDTH: usize> RowWords<WIDTH> {
    /// Nothing yet.
    pub(super) const EMPTY: Self = Self([Word(0); WIDTH]);

    /// Puts the words where they belong among those of a board.
    #[inline(always)]
    pub(super) fn write_to<const SLOTS: usize>(&self, row: &Row, words: &mut [Word; SLOTS]) {
        // As many as there may be, so that the number of turns can be foreseen. The first slot is
        // there again and again behind the last.
        let lanes = || row.padded.iter().zip(&self.0);
        let mut write = |(&slot, &word): (&u8, &Word)| words[usize::from(slot) % SLOTS] = word;
        lanes().take(8).for_each(&mut write);
        if row.slots().len() > 8 {
            lanes().skip(8).for_each(write);
        }
    }
}

impl<const WIDTH: usize> RowBits<WIDTH> {
    /// Nothing yet.
    pub(super) const EMPTY: Self = Self([0; WIDTH]);
}

/// A way to look up the slots of a moved tile.
///
/// Lookups take two steps, so that other work can be done while memory answers.
pub(super) trait Form: Copy {
    /// What becomes of the tile's slots when it moves, but for their values, and which bits tell
    /// these. Asks for that memory.
    fn advance<const SLOTS: usize, const WIDTH: usize>(
        self,
        tile_move: TileMove,
        words: &[Word; SLOTS],
        after: &mut RowWords<WIDTH>,
        bits: &mut RowBits<WIDTH>,
    );

    /// Reads the bits, and completes the words with their values.
    fn land<const WIDTH: usize>(
        self,
        tile: u8,
        after: &mut RowWords<WIDTH>,
        bits: &RowBits<WIDTH>,
    ) -> Rises;

    /// The slack of each view after the move: one less where the tile's slot rose. Where it was 0,
    /// it wraps around; returns whether that happened in no view.
    fn slacken<const VIEWS: usize>(
        self,
        tile: u8,
        slack: &[u8; VIEWS],
        rises: &Rises,
        after: &mut [u8; VIEWS],
    ) -> bool;
}

/// One slot after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain<'a> {
    pub(super) engine: &'a Engine,
    pub(super) lookups: &'a [Lookup<'a>],
}

impl Form for Plain<'_> {
    #[inline(always)]
    fn advance<const SLOTS: usize, const WIDTH: usize>(
        self,
        TileMove { tile, from, to }: TileMove,
        words: &[Word; SLOTS],
        after: &mut RowWords<WIDTH>,
        bits: &mut RowBits<WIDTH>,
    ) {
        let row = self.engine.row(tile);
        for lane in 0..row.slots().len().min(WIDTH) {
            let slot = usize::from(row.padded[lane % Engine::MAX_ROW]);
            let lookup = &self.lookups[slot];
            let (word, bit) = lookup.advance(words[slot % SLOTS], from, to);
            cpu::prefetch(lookup.bytes, bit / 8);
            after.0[lane] = word;
            bits.0[lane] = bit as u64;
        }
    }

    #[inline(always)]
    fn land<const WIDTH: usize>(
        self,
        tile: u8,
        after: &mut RowWords<WIDTH>,
        bits: &RowBits<WIDTH>,
    ) -> Rises {
        let row = self.engine.row(tile);
        let mut rises = Rises::default();
        let width = row.slots().len().min(WIDTH);
        for lane in 0..width {
            let slot = usize::from(row.padded[lane % Engine::MAX_ROW]);
            let bit = self.lookups[slot].bit(bits.0[lane] as usize);
            (after.0[lane], rises[lane % Engine::MAX_ROW]) = after.0[lane].landed(bit);
        }
        let first = after.0[0];
        after.0[width..].fill(first);
        rises
    }

    #[inline(always)]
    fn slacken<const VIEWS: usize>(
        self,
        tile: u8,
        slack: &[u8; VIEWS],
        rises: &Rises,
        after: &mut [u8; VIEWS],
    ) -> bool {
        let row = self.engine.row(tile);
        let mut all = 0;
        for view in 0..VIEWS {
            let lane = usize::from(row.of_view[view % Engine::MAX_VIEWS]);
            after[view] = slack[view].wrapping_sub(rises[lane % Engine::MAX_ROW]);
            all |= after[view];
        }
        // A slack is at most half of the longest length, which leaves the highest bit free.
        all < 128
    }
}
