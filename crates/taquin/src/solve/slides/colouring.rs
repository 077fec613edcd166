//! Which tiles count as the same: what the tables of a size see of it.

use super::graph::CELLS;
use super::numbering::{COLOURS, Counts};
use crate::Size;
use crate::tables::Tier;

/// The strongest colourings of 4×4 that were found, the strongest first: the colour of the tile that
/// belongs into each cell.
const FULL_4X4: [&str; 5] = [
    "1122/3322/3344/3444",
    "1111/2222/3344/3344",
    "1111/2222/3333/4444",
    "1122/1122/3344/3344",
    "1122/1122/3333/4444",
];

/// Colourings of 4×4 with small tables.
const QUICK_4X4: [&str; 2] = ["1122/1122/3322/3333", "1111/1122/2223/3333"];

/// From this number of cells on, four colours take longer than a second to build.
const MANY_CELLS: usize = 14;

/// A colour for each cell: that of the tile that belongs there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colouring {
    size: Size,
    colours: [u8; CELLS],
}

impl Colouring {
    fn new(size: Size, colour: impl Fn(usize) -> usize) -> Self {
        let mut colours = [0; CELLS];
        for (cell, of_cell) in colours[..size.cells()].iter_mut().enumerate() {
            *of_cell = (colour(cell) % COLOURS) as u8;
        }
        Self { size, colours }
    }

    /// A drawing: a digit a cell, rows divided by slashes.
    fn drawn(size: Size, drawing: &str) -> Self {
        let digits: Vec<u8> = drawing.bytes().filter(|&byte| byte != b'/').collect();
        Self::new(size, |cell| usize::from(digits[cell] - b'1'))
    }

    /// The colourings of a size that has at most sixteen cells, the strongest first, for a goal
    /// with the blank in this cell.
    pub(super) fn catalogue(size: Size, blank: usize, tier: Tier) -> Vec<Self> {
        let cells = size.cells();
        if cells == CELLS && size.is_square() {
            let drawings = match tier {
                Tier::Quick => &QUICK_4X4[..],
                Tier::Full => &FULL_4X4[..],
            };
            let drawings = drawings.iter();
            return drawings.map(|drawing| Self::drawn(size, drawing)).collect();
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
    pub(super) fn has_transposed_view(size: Size, blank: usize) -> bool {
        size.is_square() && size.row(blank) == size.column(blank)
    }

    /// The colouring of the transposed board of a square size.
    pub(super) fn transposed(&self) -> Self {
        let size = self.size;
        Self::new(size, |cell| {
            usize::from(self.colours[size.column(cell) * size.columns() + size.row(cell)])
        })
    }

    /// Whether the two differ at most in the names of their colours.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let mut names = [None; COLOURS];
        let mut cells = self.colours[..self.size.cells()].iter().zip(&other.colours);
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

    /// The colour of each cell's tile.
    pub(super) fn colours(&self) -> &[u8] {
        &self.colours[..self.size.cells()]
    }

    /// How many tiles have each colour where the goal's blank is in this cell.
    pub(super) fn counts(&self, blank: usize) -> Counts {
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
        assert!(quarters.is_like(&quarters.transposed()));
        assert!(quarters != quarters.transposed());
        let rows = drawn("1111/2222/3333/4444");
        assert_eq!(rows.transposed(), drawn("1234/1234/1234/1234"));
        assert!(!rows.is_like(&rows.transposed()));
        let coarser = drawn("1111/2222/3333/3333");
        assert!(!rows.is_like(&coarser) && !coarser.is_like(&rows));
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
