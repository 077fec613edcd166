//! The boards of one level, side by side.

use bytemuck::{Pod, cast_slice, cast_slice_mut};

/// How a board lies in memory: hash, blank and last move, homes, notes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    cells: usize,
    /// Where the notes begin.
    notes: usize,
    stride: usize,
}

const HASH: usize = 0;
const PLACE: usize = 1;
const HOMES: usize = 2;

impl Shape {
    /// The shape of boards of so many cells with tiles of the type `T`, and so many words of notes.
    pub(crate) const fn new<T>(cells: usize, words: usize) -> Self {
        let notes = HOMES + (cells * size_of::<T>()).div_ceil(8);
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
pub(crate) struct Level {
    shape: Shape,
    words: Vec<u64>,
}

/// One of them.
#[derive(Clone, Copy)]
pub(super) struct Item<'a, T> {
    pub(super) hash: u64,
    pub(super) blank: u16,
    /// What else is known of it: the last move, or the line of the next one.
    pub(super) last: u8,
    pub(super) homes: &'a [T],
    pub(super) notes: &'a [u64],
}

/// One that is being made.
pub(super) struct ItemMut<'a, T> {
    pub(super) homes: &'a mut [T],
    pub(super) notes: &'a mut [u64],
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

    pub(super) fn push_start<T: Pod>(
        &mut self,
        hash: u64,
        homes: &[T],
        (blank, last): (u16, u8),
        notes: &[u64],
    ) {
        let at = self.words.len();
        self.words.resize(at + self.shape.stride, 0);
        let item = &mut self.words[at..];
        item[HASH] = hash;
        item[PLACE] = u64::from(blank) | u64::from(last) << 16;
        let tiles: &mut [T] = cast_slice_mut(&mut item[HOMES..self.shape.notes]);
        tiles[..homes.len()].copy_from_slice(homes);
        item[self.shape.notes..].copy_from_slice(notes);
    }

    #[inline(always)]
    pub(super) fn get<T: Pod>(&self, index: usize) -> Item<'_, T> {
        let item = &self.words[index * self.shape.stride..][..self.shape.stride];
        let homes: &[T] = cast_slice(&item[HOMES..self.shape.notes]);
        Item {
            hash: item[HASH],
            blank: item[PLACE] as u16,
            last: (item[PLACE] >> 16) as u8,
            homes: &homes[..self.shape.cells],
            notes: &item[self.shape.notes..],
        }
    }

    /// Adds a copy of another level's board, with another hash and another place of the blank; the
    /// rest is for the caller to bring up to date.
    #[inline(always)]
    pub(super) fn push_copy<T: Pod>(
        &mut self,
        (parents, index): (&Self, usize),
        hash: u64,
        (blank, last): (u16, u8),
    ) -> ItemMut<'_, T> {
        let shape = self.shape;
        let at = self.words.len();
        self.words
            .extend_from_slice(&parents.words[index * shape.stride..][..shape.stride]);
        let (head, notes) = self.words[at..].split_at_mut(shape.notes);
        head[HASH] = hash;
        head[PLACE] = u64::from(blank) | u64::from(last) << 16;
        let homes: &mut [T] = cast_slice_mut(&mut head[HOMES..]);
        ItemMut {
            homes: &mut homes[..shape.cells],
            notes,
        }
    }
}
