//! What is wanted.

use std::sync::Arc;
use std::time::Duration;

use crate::domain::Cost;
use crate::heuristic::HeuristicKind;
use crate::outcome::Limits;
use crate::search::{Algorithm, Laboratory};
use crate::solve::CheckpointKeeper;
use crate::tables::Tier;
use crate::{Board, Goal, Metric};

/// A board to solve, and what is wanted of the solution.
///
/// ```
/// use std::time::Duration;
/// use taquin::{Board, Goal, Request, Want};
///
/// let board: Board = "2 8 3/1 6 4/7 0 5".parse()?;
/// let request = Request {
///     goal: Goal::Snail,
///     want: Want::Within(Duration::from_millis(100)),
///     ..Request::new(board)
/// };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    /// The board.
    pub board: Board,
    /// The goal to reach.
    pub goal: Goal,
    /// What is wanted.
    pub want: Want,
    /// What counts as a move: in lengths, bounds and limits, and in what a shortest solution is.
    pub metric: Metric,
    /// What may be spent. The time covers everything, tables included, unless
    /// [`tables`](Self::tables) are asked for.
    pub limits: Limits,
    /// The tables to use, however long they take. `None` leaves the choice to the solver.
    pub tables: Option<Tier>,
    /// The most threads to use. `None` leaves the choice to the solver. With more than one, which
    /// of several equally good solutions is found may vary; with one it never does, except where a
    /// time limit ends the search.
    pub threads: Option<usize>,
    /// Where the search for a shortest solution goes on, and keeps how far it is: for
    /// [`Want::Shortest`] in single-tile moves. Such a search takes the full tables unless
    /// [`tables`](Self::tables) says otherwise, so that it finds the same ones when it goes on.
    pub checkpoint: Option<Arc<dyn CheckpointKeeper>>,
}

impl Request {
    /// A solution of a board for the classic goal, without limits.
    #[must_use]
    pub fn new(board: Board) -> Self {
        Self {
            board,
            goal: Goal::default(),
            want: Want::default(),
            metric: Metric::Single,
            limits: Limits::default(),
            tables: None,
            threads: None,
            checkpoint: None,
        }
    }
}

/// What is wanted of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Want {
    /// A solution in reasonable time: a shortest one on boards of up to
    /// [`SMALL_CELLS`](Self::SMALL_CELLS) cells. Beyond, a shortest one if it is found and proven
    /// in [`PATIENCE`](Self::PATIENCE), else the best one found by then.
    #[default]
    Solution,
    /// A shortest solution, however long it takes.
    Shortest,
    /// The best solution that is found in this time, with a bound.
    Within(Duration),
    /// The first solution that is found, with a bound.
    First,
    /// All shortest solutions.
    All(AllShortest),
    /// What a search of the laboratory finds.
    Laboratory(LaboratoryChoice),
}

impl Want {
    /// The cells of boards that are always solved optimally by [`Want::Solution`].
    pub const SMALL_CELLS: usize = 16;
    /// The time that [`Want::Solution`] takes on larger boards.
    pub const PATIENCE: Duration = Duration::from_secs(10);

    /// Whether the solution is a shortest one, if there is a solution.
    #[must_use]
    pub const fn is_shortest(self) -> bool {
        match self {
            Self::Shortest | Self::All(_) => true,
            Self::Laboratory(choice) => choice.algorithm.is_optimal(Cost::Unit),
            Self::Solution | Self::Within(_) | Self::First => false,
        }
    }
}

/// Which of all shortest solutions are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllShortest {
    /// The most to list; `None` lists none.
    pub list: Option<usize>,
    /// Whether to count all of them, which may take much longer than the first ones.
    pub count: bool,
}

/// A search of the laboratory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaboratoryChoice {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The heuristic. `None` takes the strongest whose tables are built in a second or so.
    pub heuristic: Option<HeuristicKind>,
    /// The weight of weighted A*.
    pub weight: f64,
    /// What moves cost.
    pub cost: Cost,
}

impl Default for LaboratoryChoice {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Idastar,
            heuristic: None,
            weight: Laboratory::DEFAULT_WEIGHT,
            cost: Cost::Unit,
        }
    }
}
