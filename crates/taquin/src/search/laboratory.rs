//! The laboratory's front door: an algorithm and a heuristic chosen by name, a board in, a report
//! out.

mod setup;

use crate::domain::{Cost, Counting, FlatState, MultiSliding, PackedState, Sliding, TilePuzzle};
use crate::outcome::{Budget, Limits, Report, WrongSolutionError};
use std::ops::RangeInclusive;
use std::thread;
use thiserror::Error;

use super::observer::Watcher;
use super::{Observer, SearchEvent};
#[cfg(doc)]
use super::{
    astar, bfs, bibfs, dijkstra, frontier, greedy, idastar_tt, nbs, rbfs, smastar, wastar,
};
use crate::heuristic::{
    AnyHeuristic, HeuristicError, HeuristicKind, PatternBreakdown, PatternChoice, WalkingDistance,
};
use crate::named::named;
use crate::tables::{ChangedTableError, TableSet};
use crate::{Board, GoalSizeError, Solvability};
use setup::{Making, Setup};

/// The algorithms that have a name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// [`bfs`]
    Bfs,
    /// [`dijkstra`]
    Dijkstra,
    /// [`astar`]
    Astar,
    /// [`wastar`]
    Wastar,
    /// [`greedy`]
    Greedy,
    /// [`idastar`](super::idastar())
    Idastar,
    /// [`idastar_tt`]
    IdastarTt,
    /// [`rbfs`]
    Rbfs,
    /// [`smastar`]
    Smastar,
    /// [`frontier`]
    Frontier,
    /// [`bibfs`]
    Bibfs,
    /// [`nbs`]
    Nbs,
}

named! {
    Algorithm: "an algorithm";
    Bfs => "bfs", "breadth-first: nearest states first";
    Dijkstra => "dijkstra", "cheapest states first";
    Astar => "astar", "smallest g + h first";
    Wastar => "wastar", "smallest g + weight x h first: at most weight times too long";
    Greedy => "greedy", "smallest h first: fast, and as long as it may be";
    Idastar => "idastar", "depth-first under a rising threshold, in almost no memory";
    IdastarTt => "idastar-tt", "idastar with a table of states already searched";
    Rbfs => "rbfs", "recursive best-first, in almost no memory";
    Smastar => "smastar", "A* that forgets its worst nodes when memory is full";
    Frontier => "frontier", "breadth-first that keeps only its frontier";
    Bibfs => "bibfs", "breadth-first from both ends";
    Nbs => "nbs", "best-first from both ends, near-optimal in pairs expanded";
}

impl Algorithm {
    /// Whether it looks at a heuristic.
    #[must_use]
    pub const fn uses_heuristic(self) -> bool {
        !matches!(
            self,
            Self::Bfs | Self::Dijkstra | Self::Frontier | Self::Bibfs
        )
    }

    /// Whether its solutions are proven optimal with these costs.
    #[must_use]
    pub const fn is_optimal(self, cost: Cost) -> bool {
        match self {
            Self::Wastar | Self::Greedy => false,
            Self::Bfs => matches!(cost, Cost::Unit),
            _ => true,
        }
    }
}

/// Why a board was not searched, or what was found is not handed out.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LaboratoryError {
    /// The goal has another size.
    #[error(transparent)]
    Size(#[from] GoalSizeError),
    /// No moves lead from the board to the goal.
    #[error("unsolvable: {0}")]
    Unsolvable(Solvability),
    /// The heuristic cannot be had for this size.
    #[error(transparent)]
    Heuristic(#[from] HeuristicError),
    /// The file of a table was changed while it was used.
    #[error(transparent)]
    Changed(#[from] ChangedTableError),
    /// What was found is no solution.
    #[error(transparent)]
    Wrong(#[from] WrongSolutionError),
}

/// A weight that weighted A* does not take.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("a weight is a number from 1 to 1000000, not {0}")]
pub struct WeightError(pub f64);

/// A goal, what counts as a move and what it costs, and a heuristic, ready to search from any number
/// of boards.
///
/// ```
/// use taquin::heuristic::HeuristicKind;
/// use taquin::search::{Algorithm, Cost, Laboratory};
/// use taquin::{Board, Goal, Limits, Outcome};
///
/// let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let laboratory = Laboratory::new(&goal, Cost::Unit, HeuristicKind::Manhattan)?;
/// let report = laboratory.search(&board, Algorithm::Idastar, &Limits::default())?;
/// let Outcome::Solved(solution) = report.outcome else { panic!("no limit was set") };
/// assert_eq!(solution.cost, 14);
/// assert!(solution.proof.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// In multi-tile moves every slide costs 1, however many tiles it has; the moves of a solution are
/// still those of single tiles:
///
/// ```
/// use taquin::heuristic::HeuristicKind;
/// use taquin::search::{Algorithm, Laboratory};
/// use taquin::{Board, Goal, Limits, Metric, Outcome};
///
/// let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let laboratory = Laboratory::new(&goal, Metric::Multi, HeuristicKind::Manhattan)?;
/// let report = laboratory.search(&board, Algorithm::Astar, &Limits::default())?;
/// let Outcome::Solved(solution) = report.outcome else { panic!("no limit was set") };
/// assert_eq!(solution.cost, 12);
/// assert_eq!(solution.moves.length(Metric::Multi), 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Laboratory {
    puzzle: AnyPuzzle,
    weight: f64,
}

/// The puzzle in the smallest state that holds it, in moves of one tile or of several.
#[derive(Clone, Debug)]
enum AnyPuzzle {
    Packed(Setup<Sliding<PackedState>>),
    Flat(Setup<Sliding<FlatState>>),
    MultiPacked(Setup<MultiSliding<PackedState>>),
    MultiFlat(Setup<MultiSliding<FlatState>>),
}

/// The same expression for the setup of whichever puzzle it is.
macro_rules! with_setup {
    ($puzzle:expr, $setup:ident => $result:expr) => {
        match $puzzle {
            AnyPuzzle::Packed($setup) => $result,
            AnyPuzzle::Flat($setup) => $result,
            AnyPuzzle::MultiPacked($setup) => $result,
            AnyPuzzle::MultiFlat($setup) => $result,
        }
    };
}

impl Laboratory {
    /// The weight that weighted A* has unless [`with_weight`](Self::with_weight) says otherwise.
    pub const DEFAULT_WEIGHT: f64 = 1.5;

    /// A limit on walking distances that includes 5×5 and 3×6: some seconds to build, and some
    /// hundred megabytes meanwhile.
    pub const MANY_STATES: u32 = 100_000_000;

    /// Builds the heuristic's tables, if it has any. Refuses walking distances that take more than a
    /// second or so, and pattern databases of more than a gigabyte; those of eight tiles on 4×4 take
    /// some seconds. Pattern databases are refused in multi-tile moves.
    ///
    /// `counting` is a [`Cost`] for single-tile moves, a [`Metric`](crate::Metric), or a
    /// [`Counting`].
    pub fn new(
        goal: &Board,
        counting: impl Into<Counting>,
        heuristic: HeuristicKind,
    ) -> Result<Self, HeuristicError> {
        Self::with_limit(goal, counting, heuristic, WalkingDistance::MAX_STATES)
    }

    /// A laboratory with another limit on walking distances than [`new`](Self::new) has, such as
    /// [`MANY_STATES`](Self::MANY_STATES): see [`WalkingDistance::with_limit`].
    pub fn with_limit(
        goal: &Board,
        counting: impl Into<Counting>,
        heuristic: HeuristicKind,
        limit: u32,
    ) -> Result<Self, HeuristicError> {
        let threads = all_threads();
        let budget = Budget::default();
        Self::within(goal, counting, heuristic, limit, threads, &budget)
    }

    /// A laboratory whose tables are made on `threads` threads within the memory, the time and the
    /// cancel flag of a budget; `limit` is that of [`with_limit`](Self::with_limit).
    pub fn within(
        goal: &Board,
        counting: impl Into<Counting>,
        heuristic: HeuristicKind,
        limit: u32,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, HeuristicError> {
        let making = Making { limit, threads };
        let puzzle = AnyPuzzle::new(goal, counting.into(), heuristic, making, budget)?;
        Ok(Self::of(puzzle))
    }

    /// With pattern databases whose tables are there: [`PatternChoice::catalogue`] says which ones it
    /// takes, and more do no harm.
    pub fn with_tables(
        goal: &Board,
        cost: Cost,
        choice: PatternChoice,
        tables: &TableSet,
    ) -> Result<Self, HeuristicError> {
        let making = Making {
            limit: WalkingDistance::MAX_STATES,
            threads: all_threads(),
        };
        let puzzle = if let Some(puzzle) = Sliding::new(goal, cost) {
            let heuristic = AnyHeuristic::with_tables(choice, &puzzle, tables)?;
            AnyPuzzle::Packed(Setup::with(puzzle, heuristic, making))
        } else {
            let puzzle = Sliding::flat(goal, cost);
            let heuristic = AnyHeuristic::with_tables(choice, &puzzle, tables)?;
            AnyPuzzle::Flat(Setup::with(puzzle, heuristic, making))
        };
        Ok(Self::of(puzzle))
    }

    const fn of(puzzle: AnyPuzzle) -> Self {
        Self {
            puzzle,
            weight: Self::DEFAULT_WEIGHT,
        }
    }

    /// The strongest heuristic without pattern databases that can be had for this goal's size.
    pub fn strongest(goal: &Board, counting: impl Into<Counting>) -> Result<Self, HeuristicError> {
        let counting = counting.into();
        Self::new(goal, counting, HeuristicKind::Max)
            .or_else(|_| Self::new(goal, counting, HeuristicKind::LinearConflict))
    }

    /// This laboratory for another goal. Tables are built only if that goal needs others or another
    /// metric is wanted, and then without a limit: pattern databases are shared by goals that
    /// [reduce](crate::Reduction) to the same one, walking distances by goals of one size with the
    /// blank in one place.
    pub fn towards(
        &self,
        goal: &Board,
        counting: impl Into<Counting>,
    ) -> Result<Self, HeuristicError> {
        let puzzle = self.puzzle.towards(goal, counting.into())?;
        let weight = self.weight;
        Ok(Self { puzzle, weight })
    }

    /// Bytes of its heuristic's tables. Clones share them.
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        with_setup!(&self.puzzle, setup => setup.table_bytes())
    }

    /// What the cost of its solutions counts.
    #[must_use]
    pub fn counting(&self) -> Counting {
        with_setup!(&self.puzzle, setup => setup.counting())
    }

    /// The weights that weighted A* takes.
    pub const WEIGHTS: RangeInclusive<f64> = 1.0..=1e6;

    /// This laboratory with another weight for weighted A*, one of [`WEIGHTS`](Self::WEIGHTS).
    pub fn with_weight(mut self, weight: f64) -> Result<Self, WeightError> {
        if !Self::WEIGHTS.contains(&weight) {
            return Err(WeightError(weight));
        }
        self.weight = weight;
        Ok(self)
    }

    /// Which heuristic it has.
    #[must_use]
    pub fn heuristic(&self) -> HeuristicKind {
        with_setup!(&self.puzzle, setup => setup.kind())
    }

    /// What the heuristic says of a board.
    pub fn estimate(&self, board: &Board) -> Result<u32, GoalSizeError> {
        with_setup!(&self.puzzle, setup => setup.estimate(board))
    }

    /// Where the estimate of a board comes from, pattern by pattern; `None` if the heuristic has no patterns.
    ///
    /// ```
    /// use taquin::heuristic::HeuristicKind;
    /// use taquin::search::{Cost, Laboratory};
    /// use taquin::{Board, Goal};
    ///
    /// let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
    /// let goal = Goal::Classic.board(board.size())?;
    /// let kind = HeuristicKind::from_name("pdb:4-4").unwrap();
    /// let laboratory = Laboratory::new(&goal, Cost::Unit, kind)?;
    /// let parts = laboratory.patterns(&board)?.unwrap();
    /// assert_eq!(parts.value, Some(laboratory.estimate(&board)?));
    /// let parts = &parts.sums[0].parts;
    /// assert_eq!(parts[0].tiles.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn patterns(&self, board: &Board) -> Result<Option<PatternBreakdown>, GoalSizeError> {
        with_setup!(&self.puzzle, setup => setup.patterns(board))
    }

    /// Searches from a board. Unsolvable boards are refused before any search.
    pub fn search(
        &self,
        board: &Board,
        algorithm: Algorithm,
        limits: &Limits,
    ) -> Result<Report, LaboratoryError> {
        with_setup!(&self.puzzle, setup => setup.run(board, algorithm, self.weight, limits))
    }

    /// What IDA* finds where it is proven already that no solution costs less than `proven`.
    pub(crate) fn go_on(
        &self,
        board: &Board,
        proven: u32,
        limits: &Limits,
    ) -> Result<Report, LaboratoryError> {
        with_setup!(&self.puzzle, setup => setup.deepen(board, proven, limits))
    }

    /// Searches from a board and tells an observer what happens. The search is the same, node by
    /// node; it takes longer.
    pub fn observe<O>(
        &self,
        board: &Board,
        algorithm: Algorithm,
        limits: &Limits,
        observer: &mut O,
    ) -> Result<Report, LaboratoryError>
    where
        O: Observer<Sliding<PackedState>>
            + Observer<Sliding<FlatState>>
            + Observer<MultiSliding<PackedState>>
            + Observer<MultiSliding<FlatState>>,
    {
        let weight = self.weight;
        with_setup!(&self.puzzle, setup => {
            let mut hand_on = |event: SearchEvent<'_, _>| observer.on(event);
            let watcher = Watcher(&mut hand_on);
            Watched::watch(setup, board, algorithm, weight, limits, watcher)
        })
    }
}

impl AnyPuzzle {
    fn new(
        goal: &Board,
        counting: Counting,
        heuristic: HeuristicKind,
        making: Making,
        budget: &Budget,
    ) -> Result<Self, HeuristicError> {
        Ok(match counting {
            Counting::Slides => match MultiSliding::new(goal) {
                Some(puzzle) => Self::MultiPacked(Setup::new(puzzle, heuristic, making, budget)?),
                None => Self::MultiFlat(Setup::new(
                    MultiSliding::flat(goal),
                    heuristic,
                    making,
                    budget,
                )?),
            },
            Counting::Moves | Counting::Tiles => match Sliding::new(goal, counting.cost()) {
                Some(puzzle) => Self::Packed(Setup::new(puzzle, heuristic, making, budget)?),
                None => Self::Flat(Setup::new(
                    Sliding::flat(goal, counting.cost()),
                    heuristic,
                    making,
                    budget,
                )?),
            },
        })
    }

    /// The puzzle for another goal, with the same tables where that goal and the metric can do with
    /// them.
    fn towards(&self, goal: &Board, counting: Counting) -> Result<Self, HeuristicError> {
        let (kind, making) = with_setup!(self, setup => (setup.kind(), setup.making));
        Ok(match (self, counting) {
            (
                Self::Packed(Setup { heuristic, .. }) | Self::Flat(Setup { heuristic, .. }),
                Counting::Moves | Counting::Tiles,
            ) => match Sliding::new(goal, counting.cost()) {
                Some(puzzle) => Self::Packed(Setup::sharing(puzzle, heuristic, making)?),
                None => Self::Flat(Setup::sharing(
                    Sliding::flat(goal, counting.cost()),
                    heuristic,
                    making,
                )?),
            },
            (
                Self::MultiPacked(Setup { heuristic, .. })
                | Self::MultiFlat(Setup { heuristic, .. }),
                Counting::Slides,
            ) => match MultiSliding::new(goal) {
                Some(puzzle) => Self::MultiPacked(Setup::sharing(puzzle, heuristic, making)?),
                None => {
                    Self::MultiFlat(Setup::sharing(MultiSliding::flat(goal), heuristic, making)?)
                }
            },
            // Another metric has other tables.
            _ => Self::new(goal, counting, kind, making, &Budget::default())?,
        })
    }
}

/// What is watched. There is an implementation for each puzzle and none for all, so that watched
/// searches are compiled here and nowhere else.
trait Watched {
    type Puzzle: TilePuzzle;

    fn watch(
        &self,
        board: &Board,
        algorithm: Algorithm,
        weight: f64,
        limits: &Limits,
        watcher: Watcher<'_, Self::Puzzle>,
    ) -> Result<Report, LaboratoryError>;
}

macro_rules! watched {
    ($($puzzle:ty),*) => {$(
        impl Watched for Setup<$puzzle> {
            type Puzzle = $puzzle;

            fn watch(
                &self,
                board: &Board,
                algorithm: Algorithm,
                weight: f64,
                limits: &Limits,
                watcher: Watcher<'_, $puzzle>,
            ) -> Result<Report, LaboratoryError> {
                self.watch(board, algorithm, weight, limits, watcher)
            }
        }
    )*};
}

watched!(
    Sliding<PackedState>,
    Sliding<FlatState>,
    MultiSliding<PackedState>,
    MultiSliding<FlatState>
);

fn all_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests;
