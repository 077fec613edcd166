//! How far each tile is from home, in multi-tile moves.

use super::{TileMoves, alternating, most_tiles, slides};
use crate::domain::{Cost, MultiSliding, TileState};
use crate::heuristic::Heuristic;
use crate::heuristic::homes::Homes;
use crate::{Size, Slide, Tile};

/// The rows between the tiles and their homes, divided by the most tiles that slide along a column,
/// and the same for columns; each rounded up.
///
/// A slide along a column moves each of its tiles by one row and none by a column. So it takes at
/// least the first number of slides along columns, and the second number along rows. The two kinds
/// alternate: 2 and 5 of them are 9 slides at least. A single slide can lower that by 2, so the
/// estimate is not consistent.
///
/// ```
/// use taquin::heuristic::{Heuristic, MultiManhattan};
/// use taquin::search::{MultiSliding, PackedState};
/// use taquin::{Board, Goal};
///
/// let board: Board = "0 1 2/4 5 3/7 8 6".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let puzzle = MultiSliding::<PackedState>::new(&goal).unwrap();
/// let manhattan = MultiManhattan::new(&puzzle);
/// let memo = manhattan.evaluate(&puzzle, &puzzle.state(&board)?);
/// assert_eq!((memo.vertical, memo.horizontal), (2, 2));
/// assert_eq!(Heuristic::<MultiSliding<PackedState>>::value(&manhattan, &memo), 1 + 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MultiManhattan {
    homes: Homes,
    /// The row and the column of each cell.
    positions: Box<[(u8, u8)]>,
    most_tiles: TileMoves,
}

impl MultiManhattan {
    /// The heuristic for a puzzle.
    #[must_use]
    pub fn new<S: TileState>(puzzle: &MultiSliding<S>) -> Self {
        let size = puzzle.size();
        let position = |cell| (size.row(cell) as u8, size.column(cell) as u8);
        Self {
            homes: Homes::new(puzzle.goal_board(), Cost::Unit),
            positions: (0..size.cells()).map(position).collect(),
            most_tiles: most_tiles(size),
        }
    }

    pub(super) const fn homes(&self) -> &Homes {
        &self.homes
    }

    /// What every solution has at least of slides along columns and along rows.
    #[inline]
    pub(super) const fn slides(&self, moves: TileMoves) -> (u32, u32) {
        slides(moves, self.most_tiles)
    }

    /// The rows and the columns between a tile on a cell and its home.
    #[inline]
    fn of_tile(&self, tile: Tile, cell: usize) -> TileMoves {
        if tile == 0 {
            return TileMoves::default();
        }
        let (row, column) = self.positions[cell];
        let (home_row, home_column) = self.positions[self.homes.cell(tile)];
        TileMoves {
            vertical: row.abs_diff(home_row).into(),
            horizontal: column.abs_diff(home_column).into(),
        }
    }

    /// All rows and all columns between tiles and their homes.
    pub(super) fn of_state<S: TileState>(&self, size: Size, state: &S) -> TileMoves {
        let tiles = (0..size.cells()).map(|cell| self.of_tile(state.tile(cell), cell));
        tiles.fold(TileMoves::default(), |sum, tile| TileMoves {
            vertical: sum.vertical + tile.vertical,
            horizontal: sum.horizontal + tile.horizontal,
        })
    }

    /// What was known of a state, after a tile went from one cell to another.
    #[inline]
    pub(super) fn moved(&self, before: TileMoves, tile: Tile, from: usize, to: usize) -> TileMoves {
        let (had, has) = (self.of_tile(tile, from), self.of_tile(tile, to));
        TileMoves {
            vertical: before.vertical + has.vertical - had.vertical,
            horizontal: before.horizontal + has.horizontal - had.horizontal,
        }
    }
}

impl<S: TileState> Heuristic<MultiSliding<S>> for MultiManhattan {
    type Memo = TileMoves;

    fn evaluate(&self, puzzle: &MultiSliding<S>, state: &S) -> TileMoves {
        self.of_state(puzzle.size(), state)
    }

    #[inline]
    fn step(
        &self,
        puzzle: &MultiSliding<S>,
        before: &TileMoves,
        after: &S,
        slide: Slide,
    ) -> TileMoves {
        let moved = puzzle.last_slide(after, slide);
        moved.fold(*before, |sum, (tile, from, to)| {
            self.moved(sum, tile, from, to)
        })
    }

    #[inline]
    fn value(&self, memo: &TileMoves) -> u32 {
        let (vertical, horizontal) = self.slides(*memo);
        alternating(vertical, horizontal)
    }

    fn is_consistent(&self) -> bool {
        false
    }
}
