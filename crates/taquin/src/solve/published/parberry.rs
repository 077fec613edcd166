//! Parberry's method of 2014: the first row, the first column, then the rest, from tables.

use super::region::Region;
use super::stage::Stage;
use super::{Front, Grid, SIZE, UnsuitedGoalError};
use crate::solve::EngineError;
use crate::{Board, Move, Moves, Size, Symmetry};

/// Solves 4×4 boards in three stages, each as short as possible: the first row, then the first
/// column, then the other 3×3 cells; and once more with rows and columns exchanged, of which the
/// shorter solution is taken (Parberry, *A Memory-Efficient Method for Fast Computation of Short
/// 15-Puzzle Solutions*, 2014).
///
/// The tables are built in some tens of milliseconds and take 180 kB. Solutions have 65 moves on
/// average; [`Swift`](super::Swift) finds shorter ones in more time.
///
/// ```
/// use taquin::solve::Staged;
/// use taquin::{Board, Goal};
///
/// let goal = Goal::Classic.board("4x4".parse()?)?;
/// let staged = Staged::new(&goal)?;
/// let board: Board = "13 14 4 12/3 15 10 8/9 1 5 7/6 11 2 0".parse()?;
/// let moves = staged.solve(&board)?;
/// assert_eq!(board.after(&moves)?, goal);
/// assert!(moves.len() <= 108);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Staged {
    front: Front,
    stages: [Stage; 3],
}

/// How long a stage is over all arrangements that it may start with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageStatistics {
    /// How many arrangements there are.
    pub arrangements: u64,
    /// The mean number of moves.
    pub mean: f64,
    /// The largest number of moves.
    pub max: u32,
}

/// The stages, and the cells of the blank that count in their statistics: the paper has those of
/// the last stage for a blank in the first row or the first column of the 3×3 cells.
const STAGES: [(Region, u16); 3] = [
    (
        Region {
            ends: 0x00F0,
            ..Region::ROW
        },
        0xFFFF,
    ),
    (
        Region {
            first: (1, 0),
            size: Size::known(3, 4),
            homes: &[4, 8, 12],
            ends: 0x2220,
        },
        0x0FFF,
    ),
    (Region::REST, 0b001_001_111),
];

impl Staged {
    /// Builds the tables for a goal, which must be of 4×4 with the blank in a corner.
    pub fn new(goal: &Board) -> Result<Self, UnsuitedGoalError> {
        Ok(Self {
            front: Front::new(goal)?,
            stages: STAGES.map(|(region, _)| Stage::new(region)),
        })
    }

    /// The bytes of all tables.
    #[must_use]
    pub fn table_bytes(&self) -> usize {
        self.stages.iter().map(Stage::bytes).sum()
    }

    /// The bytes of the last table: an optimal next move for every board of 3×3.
    #[must_use]
    pub fn rest_bytes(&self) -> usize {
        self.stages[2].bytes()
    }

    /// How long the stages are.
    #[must_use]
    pub fn statistics(&self) -> [StageStatistics; 3] {
        std::array::from_fn(|stage| {
            let distances = self.stages[stage].distances(STAGES[stage].1);
            let arrangements: u64 = distances.iter().copied().map(u64::from).sum();
            let counted = || (0..).zip(&distances).filter(|&(_, &count)| count > 0);
            let sum: u64 = counted().map(|(d, &count)| d * u64::from(count)).sum();
            #[expect(clippy::cast_precision_loss, reason = "sums are far below 2^52")]
            let mean = sum as f64 / arrangements as f64;
            StageStatistics {
                arrangements,
                mean,
                max: counted().map(|(d, _)| d as u32).max().unwrap_or(0),
            }
        })
    }

    /// A solution, not longer than 108 moves.
    pub fn solve(&self, board: &Board) -> Result<Moves, EngineError> {
        let position = self.front.position(board)?;
        if position.is_solved() {
            // Its stages end with the blank beside the line: the paper would go there and back.
            return Ok(Moves::new());
        }
        let grid = Grid::new(&position);
        let rows = self.run(grid);
        let columns = self.run(grid.transposed());
        let moves = if rows.len() <= columns.len() {
            rows
        } else {
            let across = |m| Symmetry::TRANSPOSE.transform_move(m);
            columns.into_iter().map(across).collect()
        };
        self.front.restore(board, moves)
    }

    /// All stages one after the other, the first row first.
    fn run(&self, grid: Grid) -> Vec<Move> {
        let mut cells = grid.cells();
        let mut grid = grid;
        let mut moves = Vec::with_capacity(112);
        for stage in &self.stages {
            while let Some(m) = stage.next(&cells) {
                let blank = cells[15];
                let from = blank.wrapping_add(SIZE.offset(m) as u8);
                cells[usize::from(grid.home(from))] = blank;
                cells[15] = from;
                grid = grid.slid(from, blank);
                moves.push(m);
            }
        }
        moves
    }
}
