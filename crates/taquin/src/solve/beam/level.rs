//! The boards of one level, side by side.

use bytemuck::{cast_slice, cast_slice_mut};

use super::guide::{Guide, Slide};

/// How a board lies in memory: hash, blank and last move, homes, notes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    cells: usize,
    /// Where the notes begin.
    notes: usize,
    stride: usize,
}

const HASH: usize = 0;
const PLACE: usize = 1;
const HOMES: usize = 2;

impl Shape {
    pub(super) const fn new(cells: usize, words: usize) -> Self {
        let notes = HOMES + cells.div_ceil(8);
        Self {
            cells,
            notes,
            stride: notes + words,
        }
    }

    /// Bytes of one board.
    pub(super) const fn bytes(&self) -> usize {
        self.stride * 8
    }
}

/// Boards.
#[derive(Debug)]
pub(super) struct Level {
    shape: Shape,
    words: Vec<u64>,
}

/// One of them.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    pub(super) hash: u64,
    pub(super) blank: u8,
    /// The last move's number, or 4 or more at the start.
    pub(super) last: u8,
    pub(super) homes: &'a [u8],
    pub(super) notes: &'a [u64],
}

impl Level {
    pub(super) const fn new(shape: Shape) -> Self {
        Self {
            shape,
            words: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len() / self.shape.stride
    }

    pub(super) fn clear(&mut self) {
        self.words.clear();
    }

    pub(super) fn push_start(&mut self, hash: u64, homes: &[u8], blank: u8, notes: &[u64]) {
        let at = self.words.len();
        self.words.resize(at + self.shape.stride, 0);
        let item = &mut self.words[at..];
        item[HASH] = hash;
        item[PLACE] = u64::from(blank) | 4 << 8;
        let bytes: &mut [u8] = cast_slice_mut(&mut item[HOMES..self.shape.notes]);
        bytes[..homes.len()].copy_from_slice(homes);
        item[self.shape.notes..].copy_from_slice(notes);
    }

    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> Item<'_> {
        let item = &self.words[index * self.shape.stride..][..self.shape.stride];
        let homes: &[u8] = cast_slice(&item[HOMES..self.shape.notes]);
        Item {
            hash: item[HASH],
            blank: item[PLACE] as u8,
            last: (item[PLACE] >> 8) as u8,
            homes: &homes[..self.shape.cells],
            notes: &item[self.shape.notes..],
        }
    }

    /// Adds the board that a move of another level's board leads to.
    #[inline(always)]
    pub(super) fn push_after<G: Guide>(
        &mut self,
        guide: &G,
        (parents, index): (&Self, usize),
        (number, from): (u8, u8),
        hash: u64,
    ) {
        let shape = self.shape;
        let at = self.words.len();
        self.words
            .extend_from_slice(&parents.words[index * shape.stride..][..shape.stride]);
        let item = &mut self.words[at..];
        let to = item[PLACE] as u8;
        item[HASH] = hash;
        item[PLACE] = u64::from(from) | u64::from(number) << 8;
        let (head, notes) = item.split_at_mut(shape.notes);
        let homes: &mut [u8] = cast_slice_mut(&mut head[HOMES..]);
        let tile = homes[usize::from(from)];
        guide.advance(&homes[..shape.cells], notes, Slide { tile, from, to });
        homes[usize::from(to)] = tile;
    }
}
