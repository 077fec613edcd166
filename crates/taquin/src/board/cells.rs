//! The cells of a board: which lie beside which, how far apart they are, their colours.
//!
//! This is the one place that knows what a slide does to the blank's cell. Inner loops that cannot
//! afford to ask keep tables made from the answers.

use super::{BlankClass, Move, Size};

/// Cells are counted from 0 in reading order.
impl Size {
    /// The row of a cell, from 0 at the top.
    #[inline]
    #[must_use]
    pub const fn row(self, cell: usize) -> usize {
        cell / self.columns()
    }

    /// The column of a cell, from 0 at the left.
    #[inline]
    #[must_use]
    pub const fn column(self, cell: usize) -> usize {
        cell % self.columns()
    }

    /// The cell of the tile that a move slides when the blank is on `cell`, which is also the cell
    /// that the blank goes to; `None` if there is no such tile.
    ///
    /// ```
    /// use taquin::{Move, Size};
    ///
    /// let size: Size = "3x4".parse()?;
    /// assert_eq!(size.neighbour(0, Move::Up), Some(4));
    /// assert_eq!(size.neighbour(3, Move::Left), None);
    /// # Ok::<(), taquin::notation::ParseError>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn neighbour(self, cell: usize, m: Move) -> Option<usize> {
        if cell >= self.cells() {
            return None;
        }
        // Vertical moves are told without a division.
        let exists = match m {
            Move::Up => cell + self.columns() < self.cells(),
            Move::Down => cell >= self.columns(),
            Move::Left => self.column(cell + 1) != 0,
            Move::Right => self.column(cell) != 0,
        };
        if exists {
            Some(cell.wrapping_add(self.offset(m)))
        } else {
            None
        }
    }

    /// The moves that are possible when the blank is on a cell, in the order of [`Move::ALL`].
    pub fn legal_moves(self, blank: usize) -> impl Iterator<Item = Move> {
        let is_legal = move |m: &Move| self.neighbour(blank, *m).is_some();
        Move::ALL.into_iter().filter(is_legal)
    }

    /// The cells beside a cell, in the order of the [moves](Move::ALL) that bring the blank there.
    pub fn neighbours(self, cell: usize) -> impl Iterator<Item = usize> {
        let moves = Move::ALL.into_iter();
        moves.filter_map(move |m| self.neighbour(cell, m))
    }

    /// The rows and columns between two cells: the fewest moves that take a tile from one to the
    /// other.
    ///
    /// ```
    /// # use taquin::Size;
    /// let size: Size = "3x4".parse()?;
    /// assert_eq!(size.distance(0, 11), 5);
    /// # Ok::<(), taquin::notation::ParseError>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn distance(self, a: usize, b: usize) -> usize {
        self.row(a).abs_diff(self.row(b)) + self.column(a).abs_diff(self.column(b))
    }

    /// The colour of a cell as on a chessboard: 0 like the first cell's, or 1. Every move takes a
    /// tile, and the blank, to a cell of the other colour.
    #[inline]
    #[must_use]
    pub const fn colour(self, cell: usize) -> usize {
        (self.row(cell) + self.column(cell)) % 2
    }

    /// Whether a cell is a corner, on an edge or inside.
    pub(crate) fn class(self, cell: usize) -> BlankClass {
        match self.neighbours(cell).count() {
            ..=2 => BlankClass::Corner,
            3 => BlankClass::Edge,
            4.. => BlankClass::Inside,
        }
    }

    /// What a possible move adds to the blank's cell, modulo the range of `usize`.
    #[inline]
    pub(crate) const fn offset(self, m: Move) -> usize {
        match m {
            Move::Up => self.columns(),
            Move::Down => self.columns().wrapping_neg(),
            Move::Left => 1,
            Move::Right => 1_usize.wrapping_neg(),
        }
    }

    /// [`neighbour`](Self::neighbour) by row and column, where those are at hand.
    #[inline]
    pub(super) const fn neighbour_at(
        self,
        (row, column): (usize, usize),
        m: Move,
    ) -> Option<(usize, usize)> {
        match m {
            Move::Up if row + 1 < self.rows() => Some((row + 1, column)),
            Move::Down if row > 0 => Some((row - 1, column)),
            Move::Left if column + 1 < self.columns() => Some((row, column + 1)),
            Move::Right if column > 0 => Some((row, column - 1)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes() -> impl Iterator<Item = Size> {
        let sides = || [2, 3, 4, 7, 255].into_iter();
        let sizes = sides().flat_map(move |rows| sides().map(move |columns| (rows, columns)));
        sizes.map(|(rows, columns)| Size::new(rows, columns).unwrap())
    }

    #[test]
    fn the_moves_of_a_3x4_board_are_the_expected_ones() {
        use Move::{Down, Left, Right, Up};
        let size = Size::new(3, 4).unwrap();
        let from = |cell| Move::ALL.map(|m| size.neighbour(cell, m));
        assert_eq!(from(0), [Some(4), None, Some(1), None]);
        assert_eq!(from(3), [Some(7), None, None, Some(2)]);
        assert_eq!(from(5), [Some(9), Some(1), Some(6), Some(4)]);
        assert_eq!(from(8), [None, Some(4), Some(9), None]);
        assert_eq!(from(11), [None, Some(7), None, Some(10)]);
        assert!(size.legal_moves(4).eq([Up, Down, Left]));
        assert!(size.legal_moves(11).eq([Down, Right]));
        assert!(size.neighbours(7).eq([11, 3, 6]));
    }

    #[test]
    fn two_cells_are_neighbours_if_they_are_one_step_apart() {
        for size in sizes().filter(|size| size.cells() <= 49) {
            for a in 0..size.cells() {
                let beside: Vec<usize> = (0..size.cells())
                    .filter(|&b| size.distance(a, b) == 1)
                    .collect();
                let mut neighbours: Vec<usize> = size.neighbours(a).collect();
                neighbours.sort_unstable();
                assert_eq!(neighbours, beside, "{size} {a}");
                assert!(neighbours.iter().all(|&b| size.colour(a) != size.colour(b)));
            }
        }
    }

    #[test]
    fn cells_and_rows_with_columns_tell_the_same() {
        for size in sizes() {
            for cell in 0..size.cells() {
                let place = (size.row(cell), size.column(cell));
                for m in Move::ALL {
                    let by_place = size.neighbour_at(place, m);
                    let by_place = by_place.map(|(row, column)| row * size.columns() + column);
                    assert_eq!(size.neighbour(cell, m), by_place, "{size} {cell} {m:?}");
                    if let Some(there) = by_place {
                        assert_eq!(size.neighbour(there, m.opposite()), Some(cell));
                    }
                }
            }
        }
    }

    #[test]
    fn cells_outside_the_board_have_no_neighbours() {
        for size in sizes() {
            for cell in [size.cells(), size.cells() + 1, usize::MAX] {
                assert_eq!(size.neighbours(cell).count(), 0, "{size} {cell}");
            }
        }
    }

    #[test]
    fn there_are_four_corners_and_the_edges_between_them() {
        for size in sizes() {
            let count = |class| {
                (0..size.cells())
                    .filter(|&c| size.class(c) == class)
                    .count()
            };
            let (rows, columns) = (size.rows() - 2, size.columns() - 2);
            assert_eq!(count(BlankClass::Corner), 4, "{size}");
            assert_eq!(count(BlankClass::Edge), 2 * (rows + columns), "{size}");
            assert_eq!(count(BlankClass::Inside), rows * columns, "{size}");
        }
    }
}
