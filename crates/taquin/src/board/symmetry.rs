//! The mirrors and turns of a rectangle.

use super::{Move, Moves, Size};

/// One of the eight ways to lay a rectangle onto a grid: as it is, or transposed; then with its
/// rows, its columns, or both in reverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    transpose: bool,
    flip_rows: bool,
    flip_columns: bool,
}

impl Symmetry {
    /// Everything stays where it is.
    pub const IDENTITY: Self = Self::new(false, false, false);
    /// Rows become columns.
    pub const TRANSPOSE: Self = Self::new(true, false, false);
    /// The top row becomes the bottom row.
    pub const FLIP_ROWS: Self = Self::new(false, true, false);
    /// The left column becomes the right column.
    pub const FLIP_COLUMNS: Self = Self::new(false, false, true);

    /// All eight.
    pub const ALL: [Self; 8] = [
        Self::IDENTITY,
        Self::FLIP_COLUMNS,
        Self::FLIP_ROWS,
        Self::new(false, true, true),
        Self::TRANSPOSE,
        Self::new(true, false, true),
        Self::new(true, true, false),
        Self::new(true, true, true),
    ];

    /// First the transposition, if asked for, then the flips of what came out of it.
    #[must_use]
    pub const fn new(transpose: bool, flip_rows: bool, flip_columns: bool) -> Self {
        Self {
            transpose,
            flip_rows,
            flip_columns,
        }
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Self {
        // Undoing means flipping first. A flip of rows before a transposition is a flip of columns
        // after it.
        if self.transpose {
            Self::new(true, self.flip_columns, self.flip_rows)
        } else {
            self
        }
    }

    /// The size of the transformed board.
    #[must_use]
    pub const fn size(self, size: Size) -> Size {
        if self.transpose {
            size.transposed()
        } else {
            size
        }
    }

    /// Where a cell of a board of this size goes. The cell must be on the board.
    #[must_use]
    pub const fn cell(self, size: Size, cell: usize) -> usize {
        let (row, column) = (size.row(cell), size.column(cell));
        let (row, column) = if self.transpose {
            (column, row)
        } else {
            (row, column)
        };
        let size = self.size(size);
        let row = if self.flip_rows {
            size.rows() - 1 - row
        } else {
            row
        };
        let column = if self.flip_columns {
            size.columns() - 1 - column
        } else {
            column
        };
        row * size.columns() + column
    }

    /// The move on the transformed board that corresponds to a move on the original.
    #[must_use]
    pub const fn transform_move(self, m: Move) -> Move {
        let m = match (self.transpose, m) {
            (false, m) => m,
            (true, Move::Up) => Move::Left,
            (true, Move::Left) => Move::Up,
            (true, Move::Down) => Move::Right,
            (true, Move::Right) => Move::Down,
        };
        match m {
            Move::Up | Move::Down if self.flip_rows => m.opposite(),
            Move::Left | Move::Right if self.flip_columns => m.opposite(),
            m => m,
        }
    }

    /// A whole sequence, move by move.
    #[must_use]
    pub fn moves(self, moves: &Moves) -> Moves {
        moves.iter().map(|&m| self.transform_move(m)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eight_differ_on_a_square_and_each_is_undone_by_its_inverse() {
        let size = Size::new(3, 3).unwrap();
        let mut images = std::collections::HashSet::new();
        for s in Symmetry::ALL {
            let image: Vec<_> = (0..9).map(|c| s.cell(size, c)).collect();
            assert!(images.insert(image), "{s:?}");
        }
        for size in [size, Size::new(2, 5).unwrap()] {
            for s in Symmetry::ALL {
                for cell in 0..size.cells() {
                    let there = s.cell(size, cell);
                    assert_eq!(s.inverse().cell(s.size(size), there), cell, "{s:?}");
                }
                for m in Move::ALL {
                    assert_eq!(s.inverse().transform_move(s.transform_move(m)), m);
                }
            }
        }
    }
}
