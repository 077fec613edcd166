//! Which tiles a table looks at.

use std::fmt;

use thiserror::Error;

use crate::Size;

/// A set of tiles, each known by its home: the cell where the goal has it.
///
/// Cells count from 0 in reading order, so the goal's tiles are the same on every goal of one
/// size, whatever is printed on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern(u64);

impl Pattern {
    /// The most tiles of a pattern.
    pub const MAX_TILES: usize = 8;

    /// A pattern from its homes, bit `c` for cell `c`.
    #[must_use]
    pub const fn from_homes(homes: u64) -> Self {
        Self(homes)
    }

    /// Its homes, bit `c` for cell `c`.
    #[must_use]
    pub const fn homes(self) -> u64 {
        self.0
    }

    /// How many tiles it has.
    #[must_use]
    pub const fn tiles(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Its homes in reading order.
    pub fn iter(self) -> impl Iterator<Item = usize> + Clone {
        (0..64).filter(move |cell| self.0 >> cell & 1 == 1)
    }
}

impl FromIterator<usize> for Pattern {
    /// From homes below 64. Others count as 63, which is on no board that has tables, so that
    /// [`Key::new`] refuses the pattern.
    fn from_iter<I: IntoIterator<Item = usize>>(homes: I) -> Self {
        let homes = homes.into_iter();
        Self(homes.fold(0, |set, home| set | 1 << home.min(63)))
    }
}

/// Prints the homes in reading order, as in `0,1,4,5`.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, home) in self.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            write!(f, "{comma}{home}")?;
        }
        Ok(())
    }
}

/// What one table is built for: the puzzle, by its size and the home of its blank, and the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    size: Size,
    blank: u8,
    pattern: Pattern,
}

/// Why there is no such table; it hands back what was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeyError {
    /// More than [`Key::MAX_CELLS`] cells.
    #[error("tables are for boards of up to {max} cells, and {0} has {cells}", max = Key::MAX_CELLS, cells = .0.cells())]
    Cells(Size),
    /// More than [`ClassKey::MAX_CELLS`](super::ClassKey::MAX_CELLS) cells.
    #[error("tables of multi-tile moves are for boards of up to {max} cells, and {0} has {cells}", max = super::ClassKey::MAX_CELLS, cells = .0.cells())]
    ClassCells(Size),
    /// A home of the blank that is not on the board.
    #[error("the blank of {size} has its home in one of the cells 0 to {}, not in {blank}", .size.cells() - 1)]
    Blank {
        /// The board's size.
        size: Size,
        /// The cell.
        blank: usize,
    },
    /// No tile, or more than [`Pattern::MAX_TILES`].
    #[error("a pattern has 1 to {max} tiles, not {tiles}", max = Pattern::MAX_TILES, tiles = .0.tiles())]
    Tiles(Pattern),
    /// A home that is not on the board, or is that of the blank.
    #[error("the homes {0} are not all homes of tiles")]
    Homes(Pattern),
}

impl Key {
    /// The most cells of a board that has tables.
    pub const MAX_CELLS: usize = 36;

    /// The table of a pattern for goals whose blank is in cell `blank`.
    pub fn new(size: Size, blank: usize, pattern: Pattern) -> Result<Self, KeyError> {
        Self::check_puzzle(size, blank)?;
        if !(1..=Pattern::MAX_TILES).contains(&pattern.tiles()) {
            return Err(KeyError::Tiles(pattern));
        }
        let tiles = ((1 << size.cells()) - 1) & !(1 << blank);
        if pattern.homes() & !tiles != 0 {
            return Err(KeyError::Homes(pattern));
        }
        Ok(Self {
            size,
            blank: blank as u8,
            pattern,
        })
    }

    /// Refuses puzzles that have no tables.
    pub(super) const fn check_puzzle(size: Size, blank: usize) -> Result<(), KeyError> {
        if size.cells() > Self::MAX_CELLS {
            return Err(KeyError::Cells(size));
        }
        if blank >= size.cells() {
            return Err(KeyError::Blank { size, blank });
        }
        Ok(())
    }

    /// The size of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The goal's blank cell.
    #[must_use]
    pub const fn blank(&self) -> usize {
        self.blank as usize
    }

    /// The tiles it looks at.
    #[must_use]
    pub const fn pattern(&self) -> Pattern {
        self.pattern
    }
}
