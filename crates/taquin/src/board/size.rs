//! The dimensions of a board.

use std::fmt;

use thiserror::Error;

/// Rows × columns of a board, each from 2 to 255.
///
/// ```
/// use taquin::Size;
///
/// let size: Size = "3x4".parse()?;
/// assert_eq!((size.rows(), size.columns(), size.cells()), (3, 4, 12));
/// assert!(Size::new(1, 9).is_err());
/// # Ok::<(), taquin::notation::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    rows: u8,
    columns: u8,
}

/// A number of rows or columns outside 2..=255; it hands back what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a board has 2 to 255 rows and columns, not {rows}x{columns}")]
pub struct SizeError {
    /// The rows asked for.
    pub rows: usize,
    /// The columns asked for.
    pub columns: usize,
}

impl Size {
    /// The fewest rows or columns a board can have.
    pub const MIN: usize = 2;
    /// The most rows or columns a board can have.
    pub const MAX: usize = 255;

    /// A size, if both dimensions are within [`Size::MIN`]..=[`Size::MAX`].
    pub fn new(rows: usize, columns: usize) -> Result<Self, SizeError> {
        let valid = Self::MIN..=Self::MAX;
        if valid.contains(&rows) && valid.contains(&columns) {
            Ok(Self {
                rows: rows as u8,
                columns: columns as u8,
            })
        } else {
            Err(SizeError { rows, columns })
        }
    }

    /// A size whose dimensions are known to be within [`Size::MIN`]..=[`Size::MAX`].
    pub(crate) const fn known(rows: u8, columns: u8) -> Self {
        debug_assert!(rows as usize >= Self::MIN && columns as usize >= Self::MIN);
        Self { rows, columns }
    }

    /// The square size with this many cells, if there is one.
    #[must_use]
    pub fn square_of(cells: usize) -> Option<Self> {
        let side = cells.isqrt();
        if side * side == cells {
            Self::new(side, side).ok()
        } else {
            None
        }
    }

    /// Number of rows.
    #[must_use]
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// Number of columns.
    #[must_use]
    pub const fn columns(self) -> usize {
        self.columns as usize
    }

    /// Number of cells: one more than the number of tiles.
    #[must_use]
    pub const fn cells(self) -> usize {
        self.rows() * self.columns()
    }

    /// Whether rows and columns are equal in number.
    #[must_use]
    pub const fn is_square(self) -> bool {
        self.rows == self.columns
    }

    /// Rows and columns exchanged.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
        }
    }
}

/// Prints `rows`x`columns`, as in `3x4`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_to_255_rows_and_columns_are_boards() {
        assert!(Size::new(2, 2).is_ok());
        assert!(Size::new(255, 255).is_ok());
        for (rows, columns) in [
            (0, 0),
            (1, 9),
            (9, 1),
            (256, 2),
            (300, 300),
            (usize::MAX, 2),
        ] {
            assert_eq!(Size::new(rows, columns), Err(SizeError { rows, columns }));
        }
    }

    #[test]
    fn a_square_is_found_from_its_cells() {
        assert_eq!(Size::square_of(16), Size::new(4, 4).ok());
        for cells in [0, 1, 6, 12, 256 * 256] {
            assert_eq!(Size::square_of(cells), None, "{cells} cells");
        }
    }
}
