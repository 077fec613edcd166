//! Our method: a narrow search towards the first row and the first column, and an exact end.

use super::beam::Search;
use super::end::End;
use super::lines::{self, Line, Part};
use super::{Front, Grid, UnsuitedGoalError, across};
use crate::cpu::run_fast;
use crate::solve::EngineError;
use crate::solve::greedy::greedy;
use crate::{Board, Move, Moves};

/// Solves 4×4 boards with short solutions in some tens of microseconds. For games, which want a hint
/// at once: no files, 1.5 MB of tables that are built at the start in less than a tenth of a second.
///
/// Solutions have 58 moves on average where the shortest have 53, and 65 with
/// [`Staged`](super::Staged). The same board has the same solution, always. Several threads may
/// share one `Swift`.
///
/// ```
/// use taquin::solve::Swift;
/// use taquin::{Board, Goal};
///
/// let goal = Goal::Classic.board("4x4".parse()?)?;
/// let swift = Swift::new(&goal)?;
/// let board: Board = "13 14 4 12/3 15 10 8/9 1 5 7/6 11 2 0".parse()?;
/// let moves = swift.solve(&board)?;
/// assert_eq!(board.after(&moves)?, goal);
/// assert!(moves.len() < 80);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Swift {
    front: Front,
    line: Line,
    parts: [Part; 4],
    pub(super) end: End,
}

impl Swift {
    /// How many boards are kept of each depth.
    const WIDTH: usize = 20;
    /// How many if that was not good enough.
    const WIDE: usize = 256;
    /// Solutions of more moves are not good enough.
    const LONG: usize = 76;
    /// No search goes deeper.
    pub(super) const DEPTH: usize = 120;

    /// Builds the tables for a goal, which must be of 4×4 with the blank in a corner.
    pub fn new(goal: &Board) -> Result<Self, UnsuitedGoalError> {
        Ok(Self {
            front: Front::new(goal)?,
            line: lines::line(),
            parts: lines::parts(),
            end: End::new(),
        })
    }

    /// The bytes of all tables.
    #[must_use]
    pub fn table_bytes(&self) -> usize {
        let parts: usize = self.parts.iter().map(|part| part.len()).sum();
        self.line.len() + parts + self.end.bytes()
    }

    /// A short solution.
    pub fn solve(&self, board: &Board) -> Result<Moves, EngineError> {
        let position = self.front.position(board)?;
        let grid = Grid::new(&position);
        let mut found = self.search(grid, Self::WIDTH);
        if found.as_ref().is_none_or(|moves| moves.len() > Self::LONG) {
            let again = self.search(grid, Self::WIDE);
            let both = found.into_iter().chain(again);
            found = both.min_by_key(Vec::len);
        }
        // The search has not failed on any board that was tried, but nobody has proved that it
        // cannot.
        let moves = found.unwrap_or_else(|| greedy(&position));
        self.front.restore(board, moves)
    }

    /// What the tiles of a part need at least.
    #[inline(always)]
    pub(super) fn value(&self, part: usize, cells: u64) -> u8 {
        self.parts[part % 4][usize::from((cells >> (16 * part)) as u16)]
    }

    /// How many moves bring both lines into place, each by itself.
    #[inline(always)]
    pub(super) fn lines(&self, [row, column]: [u32; 2], blank: u8) -> u8 {
        let look =
            |line: u32, blank: u8| self.line[(line | u32::from(blank)) as usize % self.line.len()];
        look(row, blank) + look(column, across(blank))
    }

    fn search(&self, grid: Grid, width: usize) -> Option<Vec<Move>> {
        run_fast(Search {
            swift: self,
            grid,
            width,
        })
    }
}
