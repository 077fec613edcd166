//! An arrangement of tiles.

use thiserror::Error;

use super::packed::Packed;
use super::{Move, Moves, Size, Symmetry, Tile};

/// An arrangement of the tiles 0..n on a board of n cells, 0 being the blank.
///
/// Always a valid permutation: it is checked once, in [`Board::from_tiles`], and nothing that a
/// board offers can break it. Boards of up to sixteen cells live in one `u64`; larger ones in a
/// flat array.
///
/// ```
/// use taquin::{Board, Goal, Move};
///
/// let mut board: Board = "1 2 3/4 5 6/7 0 8".parse()?;
/// assert_eq!(board.slide(Move::Left)?, 8);
/// assert_eq!(board, Goal::Classic.board(board.size())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    size: Size,
    blank_row: u8,
    blank_column: u8,
    cells: Cells,
}

/// Which variant a board uses follows from its size alone, so equal boards have equal variants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Cells {
    Packed(Packed),
    Flat(Box<[Tile]>),
}

/// Why a list of tiles is not a board. Cells are counted from 0 in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BoardError {
    /// Too few or too many tiles for the size.
    #[error("a {size} board has {} cells, not {found}", size.cells())]
    Count {
        /// The size asked for.
        size: Size,
        /// How many tiles there were.
        found: usize,
    },
    /// A tile that no board of this size has.
    #[error("tile {tile} is too large: a {size} board has the tiles 0 to {}", size.cells() - 1)]
    TooLarge {
        /// The size asked for.
        size: Size,
        /// The offending tile.
        tile: Tile,
        /// The cell it is on.
        cell: usize,
    },
    /// A tile that is there twice, so that another one is missing.
    #[error("{} appears twice and {} is missing", name(*tile), name(*missing))]
    Repeated {
        /// The tile that is there twice.
        tile: Tile,
        /// The cell it is on first.
        first: usize,
        /// The cell it is on again.
        cell: usize,
        /// The smallest tile that is nowhere.
        missing: Tile,
    },
}

/// How messages call a tile.
fn name(tile: Tile) -> String {
    if tile == 0 {
        "the blank".to_owned()
    } else {
        format!("tile {tile}")
    }
}

/// A move that has no tile to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no tile can slide {}: the blank is in {}", direction(*.attempted), edge(*.attempted))]
pub struct IllegalMoveError {
    /// The move.
    pub attempted: Move,
    /// Its place in the sequence, from 0.
    pub index: usize,
}

fn direction(m: Move) -> &'static str {
    match m {
        Move::Up => "up",
        Move::Down => "down",
        Move::Left => "left",
        Move::Right => "right",
    }
}

fn edge(m: Move) -> &'static str {
    match m {
        Move::Up => "the last row",
        Move::Down => "the first row",
        Move::Left => "the last column",
        Move::Right => "the first column",
    }
}

impl Board {
    /// A board from its tiles in reading order.
    pub fn from_tiles(size: Size, tiles: &[Tile]) -> Result<Self, BoardError> {
        let cells = size.cells();
        if tiles.len() != cells {
            return Err(BoardError::Count {
                size,
                found: tiles.len(),
            });
        }
        let all_different = if cells <= 64 {
            // A tile of 64 or more falls out of the mask, so that a bit stays unset.
            let seen = tiles.iter().fold(0_u64, |seen, &t| {
                seen | 1_u64.checked_shl(t.into()).unwrap_or(0)
            });
            seen == u64::MAX >> (64 - cells)
        } else {
            let mut seen = vec![false; cells];
            tiles.iter().all(|&t| {
                seen.get_mut(usize::from(t))
                    .is_some_and(|s| !std::mem::replace(s, true))
            })
        };
        if all_different {
            Ok(Self::from_permutation(size, tiles))
        } else {
            Err(Self::find_fault(size, tiles))
        }
    }

    /// A board from tiles that are known to be a permutation of 0..cells.
    pub(crate) fn from_permutation(size: Size, tiles: &[Tile]) -> Self {
        let blank = tiles.iter().position(|&t| t == 0).unwrap_or_default();
        let cells = if size.cells() <= Packed::MAX_CELLS {
            Cells::Packed(Packed::from_tiles(tiles))
        } else {
            Cells::Flat(tiles.into())
        };
        Self {
            size,
            blank_row: size.row(blank) as u8,
            blank_column: size.column(blank) as u8,
            cells,
        }
    }

    /// The first thing that is wrong with tiles that are not a permutation.
    fn find_fault(size: Size, tiles: &[Tile]) -> BoardError {
        let mut first_at = vec![None; size.cells()];
        let mut repeated = None;
        for (cell, &tile) in tiles.iter().enumerate() {
            match first_at.get_mut(usize::from(tile)) {
                None => return BoardError::TooLarge { size, tile, cell },
                Some(slot @ None) => *slot = Some(cell),
                Some(&mut Some(first)) => repeated = repeated.or(Some((tile, first, cell))),
            }
        }
        let (tile, first, cell) = repeated.expect("without a large or repeated tile it is a board");
        let missing = first_at.iter().position(Option::is_none);
        BoardError::Repeated {
            tile,
            first,
            cell,
            missing: missing.expect("a repeated tile leaves one out") as Tile,
        }
    }

    /// Rows and columns.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The tile on a cell, counted from 0 in reading order; `None` outside the board.
    #[must_use]
    pub fn tile(&self, cell: usize) -> Option<Tile> {
        (cell < self.size.cells()).then(|| self.tile_on(cell))
    }

    fn tile_on(&self, cell: usize) -> Tile {
        match &self.cells {
            Cells::Packed(packed) => packed.tile(cell),
            Cells::Flat(tiles) => tiles[cell],
        }
    }

    /// All tiles in reading order, the blank as 0.
    #[must_use]
    pub fn tiles(&self) -> impl DoubleEndedIterator<Item = Tile> + ExactSizeIterator {
        (0..self.size.cells()).map(|cell| self.tile_on(cell))
    }

    /// The cell of the blank.
    #[must_use]
    pub const fn blank(&self) -> usize {
        self.blank_row() * self.size.columns() + self.blank_column()
    }

    /// The blank's row, from 0 at the top.
    #[must_use]
    pub const fn blank_row(&self) -> usize {
        self.blank_row as usize
    }

    /// The blank's column, from 0 at the left.
    #[must_use]
    pub const fn blank_column(&self) -> usize {
        self.blank_column as usize
    }

    /// The cell of every tile: `cells_of_tiles()[t]` is where tile `t` lies.
    #[must_use]
    pub fn cells_of_tiles(&self) -> Vec<usize> {
        let mut cells = vec![0; self.size.cells()];
        for (cell, tile) in self.tiles().enumerate() {
            cells[usize::from(tile)] = cell;
        }
        cells
    }

    /// The sixty-four bits of a board of at most sixteen cells: cell `i` in bits `4i..4i + 4`.
    #[must_use]
    pub const fn packed(&self) -> Option<u64> {
        match &self.cells {
            Cells::Packed(packed) => Some(packed.bits()),
            Cells::Flat(_) => None,
        }
    }

    /// Whether a tile can make this move.
    #[inline]
    #[must_use]
    pub const fn can_slide(&self, m: Move) -> bool {
        self.blank_after(m).is_some()
    }

    /// The row and the column of the blank after a move, if it is possible.
    #[inline]
    const fn blank_after(&self, m: Move) -> Option<(usize, usize)> {
        let place = (self.blank_row(), self.blank_column());
        self.size.neighbour_at(place, m)
    }

    /// The cell whose tile a move would slide, if there is one.
    #[must_use]
    pub const fn sliding_cell(&self, m: Move) -> Option<usize> {
        self.size.neighbour(self.blank(), m)
    }

    /// The tile that a move would slide, if there is one.
    #[must_use]
    pub fn sliding_tile(&self, m: Move) -> Option<Tile> {
        self.sliding_cell(m).map(|cell| self.tile_on(cell))
    }

    /// The moves that are possible, in the order of [`Move::ALL`].
    pub fn legal_moves(&self) -> impl Iterator<Item = Move> + use<> {
        let legal = Move::ALL.map(|m| self.can_slide(m));
        Move::ALL
            .into_iter()
            .zip(legal)
            .filter_map(|(m, legal)| legal.then_some(m))
    }

    /// Slides one tile into the blank and gives its number.
    #[inline]
    pub fn slide(&mut self, m: Move) -> Result<Tile, IllegalMoveError> {
        let Some((row, column)) = self.blank_after(m) else {
            return Err(IllegalMoveError {
                attempted: m,
                index: 0,
            });
        };
        let to = self.blank();
        (self.blank_row, self.blank_column) = (row as u8, column as u8);
        let from = self.blank();
        Ok(match &mut self.cells {
            Cells::Packed(packed) => packed.slide(from, to),
            Cells::Flat(tiles) => {
                tiles.swap(from, to);
                tiles[to]
            }
        })
    }

    /// Makes all moves, or none: at an illegal one the board goes back to where it was.
    pub fn apply(&mut self, moves: &[Move]) -> Result<(), IllegalMoveError> {
        for (index, &m) in moves.iter().enumerate() {
            if let Err(illegal) = self.slide(m) {
                self.undo(&moves[..index])?;
                return Err(IllegalMoveError { index, ..illegal });
            }
        }
        Ok(())
    }

    /// Takes back moves that led to this board, all or none.
    pub fn undo(&mut self, moves: &[Move]) -> Result<(), IllegalMoveError> {
        for (back, &m) in moves.iter().rev().enumerate() {
            if let Err(illegal) = self.slide(m.opposite()) {
                let index = moves.len() - 1 - back;
                for &again in &moves[index + 1..] {
                    self.slide(again)?;
                }
                return Err(IllegalMoveError { index, ..illegal });
            }
        }
        Ok(())
    }

    /// The board after the moves, or why there is none.
    pub fn after(&self, moves: &Moves) -> Result<Self, IllegalMoveError> {
        let mut board = self.clone();
        board.apply(moves)?;
        Ok(board)
    }

    /// The board seen in a mirror: what is on each cell goes where the symmetry sends the cell.
    ///
    /// If `moves` lead from `a` to `b`, then `symmetry.moves(moves)` lead from
    /// `a.transformed(symmetry)` to `b.transformed(symmetry)`.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Self {
        let mut tiles = vec![0; self.size.cells()];
        for (cell, tile) in self.tiles().enumerate() {
            tiles[symmetry.cell(self.size, cell)] = tile;
        }
        Self::from_permutation(symmetry.size(self.size), &tiles)
    }

    /// The board mirrored in its main diagonal.
    #[must_use]
    pub fn transposed(&self) -> Self {
        self.transformed(Symmetry::TRANSPOSE)
    }

    /// The board with two tiles exchanged. Neither may be the blank: `None` then, and for tiles
    /// that the board does not have.
    #[must_use]
    pub fn with_swapped(&self, a: Tile, b: Tile) -> Option<Self> {
        let last = self.size.cells() - 1;
        let on_board = |t: Tile| (1..=last).contains(&usize::from(t));
        if !on_board(a) || !on_board(b) {
            return None;
        }
        let swapped: Vec<Tile> = self
            .tiles()
            .map(|t| match t {
                _ if t == a => b,
                _ if t == b => a,
                _ => t,
            })
            .collect();
        Some(Self::from_permutation(self.size, &swapped))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(rows: usize, columns: usize) -> Size {
        Size::new(rows, columns).unwrap()
    }

    #[test]
    fn faults_are_named_with_their_cells() {
        let fault = |tiles: &[Tile]| Board::from_tiles(size(2, 2), tiles).unwrap_err();
        assert_eq!(
            fault(&[1, 2, 3]),
            BoardError::Count {
                size: size(2, 2),
                found: 3
            }
        );
        assert_eq!(
            fault(&[1, 2, 4, 0]),
            BoardError::TooLarge {
                size: size(2, 2),
                tile: 4,
                cell: 2
            }
        );
        assert_eq!(
            fault(&[1, 2, 2, 0]),
            BoardError::Repeated {
                tile: 2,
                first: 1,
                cell: 2,
                missing: 3
            }
        );
        assert_eq!(
            fault(&[0, 1, 2, 0]).to_string(),
            "the blank appears twice and tile 3 is missing"
        );
        assert!(matches!(
            fault(&[0, 1, 65535, 2]),
            BoardError::TooLarge { tile: 65535, .. }
        ));
    }

    #[test]
    fn every_move_names_the_tile_that_slides() {
        for (rows, columns) in [(3, 3), (5, 5)] {
            let size = size(rows, columns);
            // The blank in the middle: all four moves are possible.
            let middle = size.cells() / 2;
            let mut tiles: Vec<Tile> = (1..size.cells() as Tile).collect();
            tiles.insert(middle, 0);
            for (m, from) in [
                (Move::Up, middle + columns),
                (Move::Down, middle - columns),
                (Move::Left, middle + 1),
                (Move::Right, middle - 1),
            ] {
                let mut board = Board::from_tiles(size, &tiles).unwrap();
                assert_eq!(board.slide(m), Ok(tiles[from]));
                assert_eq!(board.blank(), from);
                assert_eq!(board.tile(middle), Some(tiles[from]));
                assert_eq!(board.slide(m.opposite()), Ok(tiles[from]));
                assert_eq!(board, Board::from_tiles(size, &tiles).unwrap());
            }
        }
    }

    #[test]
    fn a_refused_sequence_leaves_the_board_alone() {
        let start = Board::from_tiles(size(2, 3), &[1, 2, 3, 4, 5, 0]).unwrap();
        let mut board = start.clone();
        let refused = board.apply(&[Move::Right, Move::Right, Move::Right]);
        assert_eq!(refused.unwrap_err().index, 2);
        assert_eq!(board, start);
        let refused = board.undo(&[Move::Down, Move::Down, Move::Up]);
        assert_eq!(refused.unwrap_err().index, 0);
        assert_eq!(board, start);
    }

    #[test]
    fn illegal_moves_say_where_the_blank_is() {
        let mut board = Board::from_tiles(size(2, 2), &[1, 2, 3, 0]).unwrap();
        assert_eq!(
            board.slide(Move::Up).unwrap_err().to_string(),
            "no tile can slide up: the blank is in the last row"
        );
    }

    #[test]
    fn packed_bits_are_a_nibble_a_cell() {
        let board = Board::from_tiles(size(2, 2), &[1, 2, 3, 0]).unwrap();
        assert_eq!(board.packed(), Some(0x0321));
        let large: Vec<Tile> = (0..25).collect();
        assert_eq!(
            Board::from_tiles(size(5, 5), &large).unwrap().packed(),
            None
        );
    }
}
