//! What one table of classes is of.

use std::fmt;

use super::colouring::Colouring;
use super::graph::CELLS;
#[cfg(feature = "store")]
use super::graph::COLOUR_BITS;
use crate::Size;
use crate::tables::KeyError;

/// What one table of multi-tile moves is built for: the puzzle, by its size and the home of its
/// blank, and a colour for each tile.
///
/// It prints as a drawing of the goal, with a digit for each tile's colour and a dot for the blank:
/// `1122/3322/3344/344.`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClassKey {
    colouring: Colouring,
    blank: u8,
}

impl ClassKey {
    /// The most cells of a board that has such tables.
    pub const MAX_CELLS: usize = CELLS;

    /// The table of a colouring. The colour of the blank's own cell means nothing.
    pub(crate) fn new(colouring: &Colouring, blank: usize) -> Self {
        Self {
            colouring: colouring.without(blank),
            blank: blank as u8,
        }
    }

    /// Refuses puzzles that have no such tables.
    pub(crate) const fn check_puzzle(size: Size, blank: usize) -> Result<(), KeyError> {
        if size.cells() > Self::MAX_CELLS {
            return Err(KeyError::ClassCells(size));
        }
        if blank >= size.cells() {
            return Err(KeyError::Blank { size, blank });
        }
        Ok(())
    }

    /// The key that a number stands for: two bits a cell, the first cell lowest. `None` if there
    /// is no such table.
    #[cfg(feature = "store")]
    pub(crate) fn from_code(size: Size, blank: usize, code: u64) -> Option<Self> {
        Self::check_puzzle(size, blank).ok()?;
        let colour = |cell: usize| (code >> (COLOUR_BITS * cell)) as usize % (1 << COLOUR_BITS);
        let key = Self::new(&Colouring::new(size, colour), blank);
        (key.code() == code).then_some(key)
    }

    /// The colours as a number.
    #[cfg(feature = "store")]
    pub(crate) fn code(&self) -> u64 {
        let colours = self.colouring.colours().iter().enumerate();
        colours.fold(0, |code, (cell, &colour)| {
            code | u64::from(colour) << (COLOUR_BITS * cell)
        })
    }

    /// The size of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.colouring.size()
    }

    /// The goal's blank cell.
    #[must_use]
    pub const fn blank(&self) -> usize {
        self.blank as usize
    }

    /// The colours of the tiles.
    pub(crate) const fn colouring(&self) -> &Colouring {
        &self.colouring
    }
}

impl fmt::Display for ClassKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.size().columns();
        for (cell, colour) in self.colouring.colours().iter().enumerate() {
            if cell > 0 && cell % columns == 0 {
                f.write_str("/")?;
            }
            if cell == self.blank() {
                f.write_str(".")?;
            } else {
                write!(f, "{}", colour + 1)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "store")]
    use crate::tables::{ClassCatalogue, Tier};

    #[test]
    fn a_key_is_drawn_without_the_colour_of_the_blank() {
        let size = Size::new(4, 4).unwrap();
        let key = |drawing| ClassKey::new(&Colouring::drawn(size, drawing), 15);
        assert_eq!(
            key("1122/3322/3344/3444").to_string(),
            "1122/3322/3344/344."
        );
        assert_eq!(key("1122/3322/3344/3444"), key("1122/3322/3344/3442"));
    }

    #[test]
    #[cfg(feature = "store")]
    fn codes_are_read_back_and_others_are_refused() {
        for (size, blank) in [("2x2", 3), ("2x3", 4), ("3x5", 0), ("4x4", 15), ("2x8", 3)] {
            let size: Size = size.parse().unwrap();
            for tier in Tier::ALL {
                for key in ClassCatalogue::of(size, blank, tier).unwrap().keys() {
                    let read = ClassKey::from_code(size, blank, key.code());
                    assert_eq!(read, Some(*key));
                    // A colour for the blank, a cell that is not there, a blank that is not.
                    let blank_bit = 1 << (COLOUR_BITS * blank);
                    let refused = [
                        (blank, key.code() | blank_bit),
                        (blank, key.code() | 1 << (COLOUR_BITS * size.cells())),
                        (size.cells(), key.code()),
                    ];
                    for (blank, code) in refused {
                        assert_eq!(ClassKey::from_code(size, blank, code), None);
                    }
                }
            }
        }
        assert_eq!(ClassKey::from_code("3x6".parse().unwrap(), 0, 0), None);
    }
}
