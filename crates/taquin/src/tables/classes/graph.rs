//! The class graph: classes of coloured boards as words, and the edges between them.
//!
//! A *word* is the colours of the tiles in reading order, two bits each, the first tile lowest; the
//! blank is left out. A slide along a row leaves the word as it is, so the word and the row are
//! the row class. A column class is written with the blank in one row, the *rest row*, the same
//! for all: its word and its column. So the edge of a board whose blank is in the rest row joins
//! classes of one word, and every other edge joins words that differ in a few neighbouring
//! tiles.

use crate::Size;

/// The two kinds of classes: numbers, because they index arrays, and because `kind ^ 1` is the
/// other one.
pub(crate) const ROW: usize = 0;
pub(crate) const COLUMN: usize = 1;

/// The most cells of a board.
pub(crate) const CELLS: usize = 16;

/// Bits of a tile's colour.
pub(crate) const COLOUR_BITS: usize = 2;

/// What an edge does to a word: some tiles stay, some go up by a number of bits, some down.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    stay: u32,
    up: u32,
    down: u32,
    up_by: u8,
    down_by: u8,
}

impl Step {
    /// What moves the blank from one row to another in a column does to the word of the board.
    ///
    /// When the blank goes down by one row, the tile that comes up jumps over the tiles between:
    /// in reading order, all but one of as many as there are columns.
    fn new(columns: usize, column: usize, from: usize, to: usize) -> Self {
        let tiles = |first: usize, count: usize| {
            (((1_u64 << (COLOUR_BITS * count)) - 1) << (COLOUR_BITS * first)) as u32
        };
        let one = COLOUR_BITS as u8;
        let over = one * (columns as u8 - 1);
        let mut step = Self {
            stay: u32::MAX,
            ..Self::default()
        };
        for row in from.min(to)..from.max(to) {
            let first = row * columns + column;
            step.stay &= !tiles(first, columns);
            if from < to {
                step.up |= tiles(first, columns - 1);
                step.down |= tiles(first + columns - 1, 1);
                (step.up_by, step.down_by) = (one, over);
            } else {
                step.up |= tiles(first, 1);
                step.down |= tiles(first + 1, columns - 1);
                (step.up_by, step.down_by) = (over, one);
            }
        }
        step
    }

    /// The word at the other end of the edge.
    #[inline(always)]
    pub(crate) const fn apply(&self, word: u32) -> u32 {
        word & self.stay
            | (word & self.up) << (self.up_by & 31)
            | (word & self.down) >> (self.down_by & 31)
    }
}

/// The graph of the classes of one size.
#[derive(Clone, Debug)]
pub(crate) struct ClassGraph {
    size: Size,
    /// For each kind of class and each cell, the edge of the boards whose blank is there.
    steps: [[Step; CELLS]; 2],
    /// The first bit of each kind among those of a word.
    first_line: [u8; 2],
    /// Bytes for the lines of a word: a bit for each row and for each column.
    word_bytes: usize,
    /// The row that the blank is in where a column class is written as a word.
    rest: usize,
}

impl ClassGraph {
    /// The graph of a size, which has at most [`CELLS`] cells.
    pub(crate) fn new(size: Size) -> Self {
        let (rows, columns) = (size.rows(), size.columns());
        let rest = rows / 2;
        let step = |kind: usize, cell: usize| {
            if cell >= size.cells() {
                return Step::default();
            }
            let (row, column) = (size.row(cell), size.column(cell));
            if kind == ROW {
                Step::new(columns, column, row, rest)
            } else {
                Step::new(columns, column, rest, row)
            }
        };
        let steps = [ROW, COLUMN].map(|kind| std::array::from_fn(|cell| step(kind, cell)));
        let word_bytes = Self::word_bytes_of(size);
        Self {
            size,
            steps,
            first_line: [0, if word_bytes == 1 { rows as u8 } else { 8 }],
            word_bytes,
            rest,
        }
    }

    pub(crate) const fn size(&self) -> Size {
        self.size
    }

    /// Bytes of each word in a table of boards of this size.
    pub(crate) const fn word_bytes_of(size: Size) -> usize {
        if size.rows() + size.columns() <= 8 {
            1
        } else {
            2
        }
    }

    /// Bytes of each word in a table.
    pub(crate) const fn word_bytes(&self) -> usize {
        self.word_bytes
    }

    /// The bit of a class among those of its word.
    pub(crate) fn line_bit(&self, kind: usize, line: usize) -> usize {
        usize::from(self.first_line[kind]) + line
    }

    /// How many lines a kind has: rows, or columns.
    pub(crate) const fn lines(&self, kind: usize) -> usize {
        if kind == ROW {
            self.size.rows()
        } else {
            self.size.columns()
        }
    }

    /// The line of a cell.
    pub(crate) const fn line(&self, kind: usize, cell: usize) -> usize {
        if kind == ROW {
            self.size.row(cell)
        } else {
            self.size.column(cell)
        }
    }

    /// The cell of a class that an edge to this line of the other kind leaves the blank in.
    pub(crate) const fn cell(&self, kind: usize, line: usize, other: usize) -> usize {
        if kind == ROW {
            line * self.size.columns() + other
        } else {
            other * self.size.columns() + line
        }
    }

    /// The edge from a class of this kind that stands for boards with the blank in this cell.
    #[inline(always)]
    pub(crate) const fn step(&self, kind: usize, cell: usize) -> &Step {
        &self.steps[kind][cell % CELLS]
    }

    /// The neighbours with the same word of some classes of one word: lines as bits.
    #[inline(always)]
    pub(crate) const fn near(&self, kind: usize, lines: u32) -> u32 {
        if kind == ROW {
            // The class in the rest row is joined with all columns.
            (lines >> self.rest & 1) * ((1 << self.size.columns()) - 1)
        } else {
            ((lines != 0) as u32) << self.rest
        }
    }

    /// The lines of the neighbours of a class that have other words.
    #[inline(always)]
    pub(crate) fn far(&self, kind: usize, line: usize) -> impl Iterator<Item = usize> + use<> {
        let rest = self.rest;
        let lines = if kind == ROW && line == rest {
            0
        } else {
            self.lines(kind ^ 1)
        };
        (0..lines).filter(move |&other| kind == ROW || other != rest)
    }

    /// The word of a board's class, from the colours of its cells in reading order.
    pub(crate) fn word(&self, kind: usize, colours: &[u8], blank: usize) -> u32 {
        let mut word = 0;
        let tiles = colours
            .iter()
            .enumerate()
            .filter(|&(cell, _)| cell != blank);
        for (i, (_, &colour)) in tiles.enumerate() {
            word |= u32::from(colour) << (COLOUR_BITS * i);
        }
        if kind == ROW {
            word
        } else {
            self.step(ROW, blank).apply(word)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, Rng, uniform};

    fn colours(board: &crate::Board) -> Vec<u8> {
        // Two low bits of the tiles: any colouring will do.
        board.tiles().map(|tile| (tile % 4) as u8).collect()
    }

    #[test]
    fn slides_keep_one_class_and_follow_an_edge_of_the_other() {
        for size in [
            "2x2", "2x3", "3x2", "3x3", "3x4", "2x8", "8x2", "5x3", "4x4",
        ] {
            let size: Size = size.parse().unwrap();
            let graph = ClassGraph::new(size);
            let goal = crate::Goal::Classic.board(size).unwrap();
            let mut rng = Rng::from_seed(1);
            for _ in 0..50 {
                let board = uniform(&goal, &mut rng);
                for first in board.legal_moves() {
                    let mut after = board.clone();
                    let mut moves = crate::Moves::new();
                    while after.slide(first).is_ok() {
                        moves.push(first);
                        assert_eq!(moves.length(Metric::Multi), 1);
                        let along = size.row(after.blank()) == size.row(board.blank());
                        let kept = if along { ROW } else { COLUMN };
                        let word = |kind, board: &crate::Board| {
                            graph.word(kind, &colours(board), board.blank())
                        };
                        assert_eq!(word(kept, &board), word(kept, &after));
                        // Over the edge of `after` to its other class, and back.
                        let other = graph.step(kept, after.blank()).apply(word(kept, &board));
                        assert_eq!(other, word(kept ^ 1, &after));
                        let back = graph.step(kept ^ 1, after.blank()).apply(other);
                        assert_eq!(back, word(kept, &board));
                    }
                }
            }
        }
    }
}
