//! The laboratory's front door: an algorithm and a heuristic chosen by name, a board in, a report
//! out.

use crate::domain::{Cost, FlatState, PackedState, Sliding, TileState};
use crate::outcome::{Budget, Limits, Outcome, Report, Statistics, WrongSolutionError};
use std::ops::RangeInclusive;
use std::thread;
use thiserror::Error;

use super::idastar::idastar_from;
use super::observer::Watcher;
use super::{
    Observer, SearchEvent, astar, bfs, bibfs, dijkstra, frontier, greedy, idastar, idastar_tt, nbs,
    rbfs, smastar, wastar,
};
use crate::heuristic::{
    AnyHeuristic, Heuristic, HeuristicError, HeuristicKind, HeuristicUser, PatternBreakdown,
    PatternChoice, WalkingDistance,
};
use crate::named::named;
use crate::tables::{ChangedTableError, TableSet};
use crate::{Board, GoalSizeError, Move, Moves, Solvability};

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

/// A goal, a cost and a heuristic, ready to search from any number of boards.
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
#[derive(Clone, Debug)]
pub struct Laboratory {
    puzzle: AnyPuzzle,
    weight: f64,
}

/// The puzzle in the smallest state that holds it.
#[derive(Clone, Debug)]
enum AnyPuzzle {
    Packed(Setup<PackedState>),
    Flat(Setup<FlatState>),
}

#[derive(Clone, Debug)]
struct Setup<S> {
    puzzle: Sliding<S>,
    heuristic: AnyHeuristic,
    making: Making,
}

/// How tables of heuristics are made.
#[derive(Clone, Copy, Debug)]
struct Making {
    /// The most states of a walking distance.
    limit: u32,
    threads: usize,
}

impl Laboratory {
    /// The weight that weighted A* has unless [`with_weight`](Self::with_weight) says otherwise.
    pub const DEFAULT_WEIGHT: f64 = 1.5;

    /// A limit on walking distances that includes 5×5 and 3×6: some seconds to build, and some
    /// hundred megabytes meanwhile.
    pub const MANY_STATES: u32 = 100_000_000;

    /// Builds the heuristic's tables, if it has any. Refuses walking distances that take more than a
    /// second or so, and pattern databases of more than a gigabyte; those of eight tiles on 4×4 take
    /// some seconds.
    pub fn new(goal: &Board, cost: Cost, heuristic: HeuristicKind) -> Result<Self, HeuristicError> {
        Self::with_limit(goal, cost, heuristic, WalkingDistance::MAX_STATES)
    }

    /// A laboratory with another limit on walking distances than [`new`](Self::new) has, such as
    /// [`MANY_STATES`](Self::MANY_STATES): see [`WalkingDistance::with_limit`].
    pub fn with_limit(
        goal: &Board,
        cost: Cost,
        heuristic: HeuristicKind,
        limit: u32,
    ) -> Result<Self, HeuristicError> {
        let threads = all_threads();
        Self::within(goal, cost, heuristic, limit, threads, &Budget::default())
    }

    /// A laboratory whose tables are made on `threads` threads within the memory, the time and the
    /// cancel flag of a budget; `limit` is that of [`with_limit`](Self::with_limit).
    pub fn within(
        goal: &Board,
        cost: Cost,
        heuristic: HeuristicKind,
        limit: u32,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, HeuristicError> {
        let making = Making { limit, threads };
        let puzzle = if let Some(puzzle) = Sliding::new(goal, cost) {
            AnyPuzzle::Packed(Setup::new(puzzle, heuristic, making, budget)?)
        } else {
            let puzzle = Sliding::flat(goal, cost);
            AnyPuzzle::Flat(Setup::new(puzzle, heuristic, making, budget)?)
        };
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
        let puzzle = match Sliding::new(goal, cost) {
            Some(puzzle) => AnyPuzzle::Packed(Setup::with_tables(puzzle, choice, tables)?),
            None => AnyPuzzle::Flat(Setup::with_tables(
                Sliding::flat(goal, cost),
                choice,
                tables,
            )?),
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
    pub fn strongest(goal: &Board, cost: Cost) -> Result<Self, HeuristicError> {
        Self::new(goal, cost, HeuristicKind::Max)
            .or_else(|_| Self::new(goal, cost, HeuristicKind::LinearConflict))
    }

    /// This laboratory for another goal. Tables are built only if that goal needs others, and
    /// then without a limit: pattern databases are shared by goals that
    /// [reduce](crate::Reduction) to the same one, walking distances by goals of one size with the
    /// blank in one place.
    pub fn towards(&self, goal: &Board, cost: Cost) -> Result<Self, HeuristicError> {
        let (heuristic, making) = match &self.puzzle {
            AnyPuzzle::Packed(setup) => (&setup.heuristic, setup.making),
            AnyPuzzle::Flat(setup) => (&setup.heuristic, setup.making),
        };
        let puzzle = if let Some(puzzle) = Sliding::new(goal, cost) {
            AnyPuzzle::Packed(Setup::towards(puzzle, heuristic, making)?)
        } else {
            let puzzle = Sliding::flat(goal, cost);
            AnyPuzzle::Flat(Setup::towards(puzzle, heuristic, making)?)
        };
        let weight = self.weight;
        Ok(Self { puzzle, weight })
    }

    /// Bytes of its heuristic's tables. Clones share them.
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        match &self.puzzle {
            AnyPuzzle::Packed(setup) => setup.heuristic.table_bytes(),
            AnyPuzzle::Flat(setup) => setup.heuristic.table_bytes(),
        }
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
    pub const fn heuristic(&self) -> HeuristicKind {
        match &self.puzzle {
            AnyPuzzle::Packed(setup) => setup.heuristic.kind(),
            AnyPuzzle::Flat(setup) => setup.heuristic.kind(),
        }
    }

    /// What the heuristic says of a board.
    pub fn estimate(&self, board: &Board) -> Result<u32, GoalSizeError> {
        match &self.puzzle {
            AnyPuzzle::Packed(setup) => setup.estimate(board),
            AnyPuzzle::Flat(setup) => setup.estimate(board),
        }
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
        match &self.puzzle {
            AnyPuzzle::Packed(setup) => setup.patterns(board),
            AnyPuzzle::Flat(setup) => setup.patterns(board),
        }
    }

    /// Searches from a board. Unsolvable boards are refused before any search.
    pub fn search(
        &self,
        board: &Board,
        algorithm: Algorithm,
        limits: &Limits,
    ) -> Result<Report, LaboratoryError> {
        match &self.puzzle {
            AnyPuzzle::Packed(setup) => setup.run(board, algorithm, self.weight, limits),
            AnyPuzzle::Flat(setup) => setup.run(board, algorithm, self.weight, limits),
        }
    }

    /// What IDA* finds where it is proven already that no solution costs less than `proven`.
    pub(crate) fn go_on(
        &self,
        board: &Board,
        proven: u32,
        limits: &Limits,
    ) -> Result<Report, LaboratoryError> {
        match &self.puzzle {
            AnyPuzzle::Packed(setup) => setup.deepen(board, proven, limits),
            AnyPuzzle::Flat(setup) => setup.deepen(board, proven, limits),
        }
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
        O: Observer<Sliding<PackedState>> + Observer<Sliding<FlatState>>,
    {
        match &self.puzzle {
            AnyPuzzle::Packed(setup) => {
                let mut hand_on = |event: SearchEvent<'_, _>| observer.on(event);
                let watcher = Watcher(&mut hand_on);
                watch_packed(setup, board, algorithm, self.weight, limits, watcher)
            }
            AnyPuzzle::Flat(setup) => {
                let mut hand_on = |event: SearchEvent<'_, _>| observer.on(event);
                let watcher = Watcher(&mut hand_on);
                watch_flat(setup, board, algorithm, self.weight, limits, watcher)
            }
        }
    }
}

fn all_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

// These two are not generic, so that watched searches are compiled here and nowhere else.

fn watch_packed(
    setup: &Setup<PackedState>,
    board: &Board,
    algorithm: Algorithm,
    weight: f64,
    limits: &Limits,
    watcher: Watcher<'_, Sliding<PackedState>>,
) -> Result<Report, LaboratoryError> {
    setup.watch(board, algorithm, weight, limits, watcher)
}

fn watch_flat(
    setup: &Setup<FlatState>,
    board: &Board,
    algorithm: Algorithm,
    weight: f64,
    limits: &Limits,
    watcher: Watcher<'_, Sliding<FlatState>>,
) -> Result<Report, LaboratoryError> {
    setup.watch(board, algorithm, weight, limits, watcher)
}

impl<S: TileState> Setup<S> {
    fn new(
        puzzle: Sliding<S>,
        heuristic: HeuristicKind,
        making: Making,
        budget: &Budget,
    ) -> Result<Self, HeuristicError> {
        let Making { limit, threads } = making;
        let heuristic = AnyHeuristic::within(heuristic, &puzzle, limit, threads, budget)?;
        Ok(Self {
            puzzle,
            heuristic,
            making,
        })
    }

    fn towards(
        puzzle: Sliding<S>,
        heuristic: &AnyHeuristic,
        making: Making,
    ) -> Result<Self, HeuristicError> {
        let Making { limit, threads } = making;
        let heuristic = heuristic.towards(&puzzle, limit, threads, &Budget::default())?;
        Ok(Self {
            puzzle,
            heuristic,
            making,
        })
    }

    fn with_tables(
        puzzle: Sliding<S>,
        choice: PatternChoice,
        tables: &TableSet,
    ) -> Result<Self, HeuristicError> {
        let heuristic = AnyHeuristic::with_tables(choice, &puzzle, tables)?;
        Ok(Self {
            puzzle,
            heuristic,
            making: Making {
                limit: WalkingDistance::MAX_STATES,
                threads: all_threads(),
            },
        })
    }

    fn estimate(&self, board: &Board) -> Result<u32, GoalSizeError> {
        let state = self.puzzle.state(board)?;
        let memo = self.heuristic.evaluate(&self.puzzle, &state);
        Ok(Heuristic::<Sliding<S>>::value(&self.heuristic, &memo))
    }

    fn patterns(&self, board: &Board) -> Result<Option<PatternBreakdown>, GoalSizeError> {
        let state = self.puzzle.state(board)?;
        Ok(self.heuristic.patterns(&self.puzzle, &state))
    }

    fn run(
        &self,
        board: &Board,
        algorithm: Algorithm,
        weight: f64,
        limits: &Limits,
    ) -> Result<Report, LaboratoryError> {
        if algorithm == Algorithm::Idastar {
            return self.deepen(board, 0, limits);
        }
        let start = self.start(board)?;
        let report = self.find(board, start, algorithm, weight, limits, &mut ())?;
        self.complete(board, report, 0)
    }

    /// IDA*, which lives by its speed, is made for each heuristic by itself. It is proven already
    /// that no solution costs less than `proven`.
    fn deepen(
        &self,
        board: &Board,
        proven: u32,
        limits: &Limits,
    ) -> Result<Report, LaboratoryError> {
        let report = self.heuristic.hand_to(Deepening {
            puzzle: &self.puzzle,
            start: self.start(board)?,
            proven,
            limits,
        });
        self.complete(board, report, proven)
    }

    fn watch(
        &self,
        board: &Board,
        algorithm: Algorithm,
        weight: f64,
        limits: &Limits,
        mut watcher: Watcher<'_, Sliding<S>>,
    ) -> Result<Report, LaboratoryError> {
        let start = self.start(board)?;
        let report = self.find(board, start, algorithm, weight, limits, &mut watcher)?;
        self.complete(board, report, 0)
    }

    /// The state of a board from which the goal can be reached.
    fn start(&self, board: &Board) -> Result<S, LaboratoryError> {
        let verdict = Solvability::of(board, self.puzzle.goal_board())?;
        if !verdict.is_solvable() {
            return Err(LaboratoryError::Unsolvable(verdict));
        }
        // What was changed since the last search is not even looked at.
        self.heuristic.confirm()?;
        Ok(self.puzzle.state(board)?)
    }

    fn find<O: Observer<Sliding<S>>>(
        &self,
        board: &Board,
        start: S,
        algorithm: Algorithm,
        weight: f64,
        limits: &Limits,
        observer: &mut O,
    ) -> Result<Report<Vec<Move>>, LaboratoryError> {
        let (puzzle, heuristic) = (&self.puzzle, &self.heuristic);
        Ok(match algorithm {
            Algorithm::Bfs => bfs(puzzle, start, limits, observer),
            Algorithm::Dijkstra => dijkstra(puzzle, start, limits, observer),
            Algorithm::Astar => astar(puzzle, start, heuristic, limits, observer),
            Algorithm::Wastar => wastar(puzzle, start, heuristic, weight, limits, observer),
            Algorithm::Greedy => greedy(puzzle, start, heuristic, limits, observer),
            Algorithm::Idastar => idastar(puzzle, start, heuristic, limits, observer),
            Algorithm::IdastarTt => idastar_tt(puzzle, start, heuristic, None, limits, observer),
            Algorithm::Rbfs => rbfs(puzzle, start, heuristic, limits, observer),
            Algorithm::Smastar => smastar(puzzle, start, heuristic, None, limits, observer),
            Algorithm::Frontier => frontier(puzzle, start, limits, observer),
            Algorithm::Bibfs => bibfs(puzzle, start, limits, observer),
            Algorithm::Nbs => {
                // Seen from the goal, the start is the goal.
                let back = puzzle.towards(board)?;
                let Making { limit, threads } = self.making;
                let budget = Budget::new(limits);
                match heuristic.towards(&back, limit, threads, &budget) {
                    Ok(backward) => {
                        let limits = budget.left();
                        nbs(puzzle, start, heuristic, &backward, &limits, observer)
                    }
                    Err(error) => Report {
                        outcome: Outcome::Stopped {
                            limit: error.stopped_by().ok_or(error)?,
                            lower_bound: 0,
                        },
                        statistics: Statistics {
                            time: budget.elapsed(),
                            ..Statistics::default()
                        },
                    },
                }
            }
        })
    }

    /// The report with what the estimate says of the start and what was proven before, which hold
    /// whatever the search has proven.
    fn complete(
        &self,
        board: &Board,
        report: Report<Vec<Move>>,
        proven: u32,
    ) -> Result<Report, LaboratoryError> {
        let mut report = report.map(Moves::from);
        let estimate = self.estimate(board)?.max(proven);
        match &mut report.outcome {
            Outcome::Solved(solution) => {
                solution.lower_bound = solution.lower_bound.max(estimate);
            }
            Outcome::Stopped { lower_bound, .. } => *lower_bound = estimate.max(*lower_bound),
            Outcome::NoSolution => {}
        }
        self.heuristic.confirm()?;
        report.check(board, self.puzzle.goal_board(), |moves| {
            self.puzzle.cost().of(board, moves)
        })?;
        Ok(report)
    }
}

/// IDA*, waiting for a heuristic.
struct Deepening<'a, S> {
    puzzle: &'a Sliding<S>,
    start: S,
    proven: u32,
    limits: &'a Limits,
}

impl<S: TileState> HeuristicUser<S> for Deepening<'_, S> {
    type Result = Report<Vec<Move>>;

    fn take<H: Heuristic<Sliding<S>> + Sync>(self, heuristic: &H) -> Self::Result {
        idastar_from(
            self.puzzle,
            self.start,
            heuristic,
            self.proven,
            self.limits,
            &mut (),
        )
    }
}

#[cfg(test)]
mod tests;
