//! Which tiles count as the same: what the tables of a size see of it.

use super::graph::CELLS;
use super::numbering::{COLOURS, Counts};
use crate::Size;
use crate::tables::Tier;

// How the colourings of 4×4 were chosen
//
// Every class has three children, so a search expands about as many nodes as the mean of 3^-h over
// all classes says, where h is the largest value of all views. That mean depends on the few classes
// of which all views say little, much more than on the mean value. Colourings drawn by hand and
// connected regions grown at random were built; each was asked about the same million random
// classes, also through its transposed view; then sets within a size were put together one by one,
// the best twenty of each number kept. No known boards, such as Korf's, were used for it.
//
// Colourings by rows say little on average (23.3 with the transposed view, where quarters say
// 23.9), but seldom very little, and what they miss others see. So the best sets mix rows with
// crooked regions.

/// Colourings of 4×4 for the full tables: the colour of the tile that belongs into each cell.
///
/// They take 156 MB, and 19 s of computing to build, which two threads share. Nodes expanded for
/// 100 random boards: 1.95 million; without the last one 2.80 million. Five tables with 145 MB
/// that were chosen by their mean values needed 4.00 million. A seventh table would save one node in
/// eight by the mean of 3^-h, and take 189 MB together.
const FULL_4X4: [&str; 6] = [
    "1111/2223/3223/4444",
    "1112/1222/3334/4344",
    "4411/3441/3222/3322",
    "1122/3322/3344/3444",
    "1112/1112/2333/4444",
    "3334/2344/2114/2111",
];

/// How many of them are used where the goal has no transposed view. Their transposed colourings are
/// tables of their own then, 176 MB in all. By the mean of 3^-h, the six without transposed ones
/// would have 1.7 times as many nodes.
const FULL_WITHOUT_VIEWS: usize = 3;

/// Colourings of 4×4 for the quick tables.
///
/// They take 3.5 MB, and a third of a second to build on two threads; a random board then takes a
/// tenth of a second, where two tables took a quarter of one. With 8 MB, boards would take two thirds
/// of that, but the build twice as long.
const QUICK_4X4: [&str; 4] = [
    "2221/3311/3311/3311",
    "1222/1112/1122/3333",
    "1111/2222/3333/3333",
    "3333/3331/2111/2222",
];

/// From this number of cells on, four colours take longer than a second to build.
const MANY_CELLS: usize = 14;

/// A colour for each cell: that of the tile that belongs there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Colouring {
    size: Size,
    colours: [u8; CELLS],
}

impl Colouring {
    pub(crate) fn new(size: Size, colour: impl Fn(usize) -> usize) -> Self {
        let mut colours = [0; CELLS];
        for (cell, of_cell) in colours[..size.cells()].iter_mut().enumerate() {
            *of_cell = (colour(cell) % COLOURS) as u8;
        }
        Self { size, colours }
    }

    /// A drawing: a digit a cell, rows divided by slashes.
    pub(crate) fn drawn(size: Size, drawing: &str) -> Self {
        let digits: Vec<u8> = drawing.bytes().filter(|&byte| byte != b'/').collect();
        Self::new(size, |cell| usize::from(digits[cell] - b'1'))
    }

    /// The colourings of a size that has at most sixteen cells, for a goal with the blank in this
    /// cell.
    ///
    /// Random boards of 2×7 and 3×5 take less than 0.1 s with the quick tables and less than 20 ms
    /// with the full ones; of 2×8, where a row has many cells to go to, 2 s and 0.3 s.
    pub(crate) fn catalogue(size: Size, blank: usize, tier: Tier) -> Vec<Self> {
        let cells = size.cells();
        if cells == CELLS && size.is_square() {
            let has_views = Self::has_transposed_view(size, blank);
            let drawings = match tier {
                Tier::Quick => &QUICK_4X4[..],
                Tier::Full if has_views => &FULL_4X4[..],
                Tier::Full => &FULL_4X4[..FULL_WITHOUT_VIEWS],
            };
            let drawings = drawings.iter();
            let mut all: Vec<Self> = drawings.map(|drawing| Self::drawn(size, drawing)).collect();
            if !has_views {
                all.extend(all.clone().iter().map(Self::transposed));
            }
            return all;
        }
        let colours = if tier == Tier::Quick && cells >= MANY_CELLS {
            COLOURS - 1
        } else {
            COLOURS
        };
        // Runs of cells in reading order, runs from the top to the bottom, and quarters.
        let by_rows = Self::new(size, |cell| cell * colours / cells);
        let by_columns = Self::new(size, |cell| {
            (size.column(cell) * size.rows() + size.row(cell)) * colours / cells
        });
        let mut all = vec![by_rows];
        if !Self::has_transposed_view(size, blank) {
            all.push(by_columns);
        }
        if colours == COLOURS {
            all.push(Self::new(size, |cell| {
                let lower = size.row(cell) * 2 >= size.rows();
                let right = size.column(cell) * 2 >= size.columns();
                2 * usize::from(lower) + usize::from(right)
            }));
        }
        all
    }

    /// Whether the transposed goal has its blank in the same cell, so that tables of the goal are
    /// tables of the transposed one.
    pub(crate) fn has_transposed_view(size: Size, blank: usize) -> bool {
        size.is_square() && size.row(blank) == size.column(blank)
    }

    /// The colouring of the transposed board of a square size.
    pub(crate) fn transposed(&self) -> Self {
        let size = self.size;
        Self::new(size, |cell| {
            usize::from(self.colours[size.column(cell) * size.columns() + size.row(cell)])
        })
    }

    /// Whether the two differ at most in the names of their colours, and in the colour of the
    /// blank's cell.
    pub(crate) fn is_like(&self, other: &Self, blank: usize) -> bool {
        let mut names = [None; COLOURS];
        let cells = self.colours().iter().zip(&other.colours).enumerate();
        let mut cells = cells.filter_map(|(cell, pair)| (cell != blank).then_some(pair));
        let one_to_one = |names: [Option<u8>; COLOURS]| {
            let mut seen = [false; COLOURS];
            names
                .into_iter()
                .flatten()
                .all(|name| !std::mem::replace(&mut seen[usize::from(name)], true))
        };
        cells.all(|(&mine, &theirs)| *names[usize::from(mine)].get_or_insert(theirs) == theirs)
            && one_to_one(names)
    }

    /// The size of the board.
    pub(crate) const fn size(&self) -> Size {
        self.size
    }

    /// This one, where the blank's own cell has the first colour: no tile belongs there.
    pub(crate) fn without(&self, blank: usize) -> Self {
        let mut colours = self.colours;
        colours[blank] = 0;
        Self { colours, ..*self }
    }

    /// The colour of each cell's tile.
    pub(crate) fn colours(&self) -> &[u8] {
        &self.colours[..self.size.cells()]
    }

    /// How many tiles have each colour where the goal's blank is in this cell.
    pub(crate) fn counts(&self, blank: usize) -> Counts {
        let mut counts = [0; COLOURS];
        for (cell, &colour) in self.colours().iter().enumerate() {
            counts[usize::from(colour)] += u8::from(cell != blank);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colourings_that_differ_only_in_names_are_alike() {
        let size = Size::new(4, 4).unwrap();
        let drawn = |drawing| Colouring::drawn(size, drawing);
        let quarters = drawn("1122/1122/3344/3344");
        assert!(quarters.is_like(&quarters.transposed(), 15));
        assert!(quarters != quarters.transposed());
        let rows = drawn("1111/2222/3333/4444");
        assert_eq!(rows.transposed(), drawn("1234/1234/1234/1234"));
        assert!(!rows.is_like(&rows.transposed(), 15));
        let coarser = drawn("1111/2222/3333/3333");
        assert!(!rows.is_like(&coarser, 15) && !coarser.is_like(&rows, 15));
    }

    #[test]
    fn a_goal_of_4x4_without_transposed_views_has_transposed_tables() {
        let size = Size::new(4, 4).unwrap();
        for tier in [Tier::Quick, Tier::Full] {
            let corner = Colouring::catalogue(size, 15, tier);
            assert!(corner.iter().all(|one| !one.is_like(&one.transposed(), 15)));
            let edge = Colouring::catalogue(size, 14, tier);
            for one in &edge {
                assert!(edge.contains(&one.transposed()) && !one.is_like(&one.transposed(), 14));
            }
        }
    }

    #[test]
    fn every_size_has_colourings_that_use_their_colours_evenly() {
        for rows in 2..=8 {
            for columns in 2..=CELLS / rows {
                let size = Size::new(rows, columns).unwrap();
                for blank in 0..size.cells() {
                    for tier in [Tier::Quick, Tier::Full] {
                        let all = Colouring::catalogue(size, blank, tier);
                        assert!(!all.is_empty());
                        for colouring in all {
                            let counts = colouring.counts(blank);
                            let tiles = counts.iter().map(|&n| usize::from(n)).sum::<usize>();
                            assert_eq!(tiles + 1, size.cells());
                        }
                    }
                }
            }
        }
    }
}
