//! The memory of a search: two bits a board.

use std::sync::atomic::AtomicU64;

use super::layout::Layout;
use super::memory::filled;
use crate::Metric;
use crate::outcome::Budget;
use crate::tables::BuildError;

/// Two bits for each board.
///
/// * In single-tile moves the colour of the blank's cell, as on a chessboard, gives the parity of
///   the distance. The first plane says whether the board was seen, the second has bit 1 of its
///   distance.
/// * In multi-tile moves the planes hold the distance modulo 3, plus 1: its lower bit, its higher
///   bit. Zero is not yet seen.
///
/// In multi-tile moves a level reads the words that it writes. A board that another thread is just
/// adding must not look like one of the level before. Where it gets both bits, the level before had
/// the second only: so the first plane is written first and read last.
pub(super) struct Planes {
    pub(super) planes: [Box<[AtomicU64]>; 2],
}

/// What the two planes hold for a distance.
#[derive(Clone, Copy)]
pub(super) struct Code {
    pub(super) bits: [bool; 2],
}

impl Code {
    pub(super) const fn new(metric: Metric, distance: u32) -> Self {
        let bits = match metric {
            Metric::Single => [true, distance / 2 % 2 == 1],
            Metric::Multi => {
                let code = distance % 3 + 1;
                [code % 2 == 1, code / 2 == 1]
            }
        };
        Self { bits }
    }

    /// What to flip in the planes, so that a board with this code has both bits.
    pub(super) fn flip(self) -> [u64; 2] {
        self.bits.map(|bit| if bit { 0 } else { u64::MAX })
    }
}

impl Planes {
    pub(super) fn new(layout: &Layout, budget: &Budget) -> Result<Self, BuildError> {
        let plane = || zeroed(layout.all_words(), budget);
        Ok(Self {
            planes: [plane()?, plane()?],
        })
    }

    pub(super) fn at<'a>(&'a self, layout: &Layout, blank: usize) -> [&'a [AtomicU64]; 2] {
        let words = layout.words();
        [0, 1].map(|i| &self.planes[i][blank * words..][..words])
    }
}

/// So many words, all zero.
///
/// They are written to. Memory that the system only promises would be one and the same page of
/// zeros as long as it is read, and to replace that page at the first write, while other threads
/// read it, takes ten times as long.
pub(super) fn zeroed(words: usize, budget: &Budget) -> Result<Box<[AtomicU64]>, BuildError> {
    let zeroed = filled(words, budget, |_| AtomicU64::new(0))?;
    Ok(zeroed.into_boxed_slice())
}
