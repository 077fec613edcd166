//! The laboratory's front door: an algorithm and a heuristic chosen by name, a board in, a report
//! out.

use crate::domain::{Cost, FlatState, PackedState, Sliding, TileState};
use crate::outcome::{Limits, Outcome, Report};
use thiserror::Error;

use super::{
    Observer, astar, bfs, bibfs, dijkstra, frontier, greedy, idastar, idastar_tt, nbs, rbfs,
    smastar, wastar,
};
use crate::heuristic::{
    AnyHeuristic, Heuristic, HeuristicError, HeuristicKind, HeuristicUser, PatternBreakdown,
    PatternChoice, WalkingDistance,
};
use crate::named::named;
use crate::tables::TableSet;
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
    /// [`idastar`]
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

/// Why a board was not searched.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
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
}

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
    /// The most states of a walking distance.
    limit: u32,
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
        let puzzle = match Sliding::new(goal, cost) {
            Some(puzzle) => AnyPuzzle::Packed(Setup::new(puzzle, heuristic, limit)?),
            None => AnyPuzzle::Flat(Setup::new(Sliding::flat(goal, cost), heuristic, limit)?),
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

    /// This laboratory with another weight for weighted A*.
    #[must_use]
    pub const fn with_weight(mut self, weight: f64) -> Self {
        self.weight = weight;
        self
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
        self.observe(board, algorithm, limits, &mut ())
    }

    /// Searches from a board and tells an observer what happens.
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
            AnyPuzzle::Packed(setup) => setup.run(board, algorithm, self.weight, limits, observer),
            AnyPuzzle::Flat(setup) => setup.run(board, algorithm, self.weight, limits, observer),
        }
    }
}

impl<S: TileState> Setup<S> {
    fn new(
        puzzle: Sliding<S>,
        heuristic: HeuristicKind,
        limit: u32,
    ) -> Result<Self, HeuristicError> {
        let heuristic = AnyHeuristic::with_limit(heuristic, &puzzle, limit)?;
        Ok(Self {
            puzzle,
            heuristic,
            limit,
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
            limit: WalkingDistance::MAX_STATES,
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

    fn run<O: Observer<Sliding<S>>>(
        &self,
        board: &Board,
        algorithm: Algorithm,
        weight: f64,
        limits: &Limits,
        observer: &mut O,
    ) -> Result<Report, LaboratoryError> {
        let (puzzle, heuristic) = (&self.puzzle, &self.heuristic);
        let verdict = Solvability::of(board, puzzle.goal_board())?;
        if !verdict.is_solvable() {
            return Err(LaboratoryError::Unsolvable(verdict));
        }
        let start = puzzle.state(board)?;
        let report = match algorithm {
            Algorithm::Bfs => bfs(puzzle, start, limits, observer),
            Algorithm::Dijkstra => dijkstra(puzzle, start, limits, observer),
            Algorithm::Astar => astar(puzzle, start, heuristic, limits, observer),
            Algorithm::Wastar => wastar(puzzle, start, heuristic, weight, limits, observer),
            Algorithm::Greedy => greedy(puzzle, start, heuristic, limits, observer),
            // The algorithm that lives by its speed is made for each heuristic by itself.
            Algorithm::Idastar => heuristic.hand_to(Deepening {
                puzzle,
                start,
                limits,
                observer,
            }),
            Algorithm::IdastarTt => idastar_tt(puzzle, start, heuristic, None, limits, observer),
            Algorithm::Rbfs => rbfs(puzzle, start, heuristic, limits, observer),
            Algorithm::Smastar => smastar(puzzle, start, heuristic, None, limits, observer),
            Algorithm::Frontier => frontier(puzzle, start, limits, observer),
            Algorithm::Bibfs => bibfs(puzzle, start, limits, observer),
            Algorithm::Nbs => {
                // Seen from the goal, the start is the goal.
                let back = puzzle.towards(board)?;
                let backward = heuristic.towards(&back, self.limit)?;
                nbs(puzzle, start, heuristic, &backward, limits, observer)
            }
        };
        let mut report = report.map(Moves::from);
        // What the estimate says of the start holds whatever the search has proven.
        let estimate = self.estimate(board)?;
        match &mut report.outcome {
            Outcome::Solved(solution) => {
                solution.lower_bound = solution.lower_bound.max(estimate);
            }
            Outcome::Stopped { lower_bound, .. } => *lower_bound = estimate.max(*lower_bound),
            Outcome::NoSolution => {}
        }
        Ok(report)
    }
}

/// IDA*, waiting for a heuristic.
struct Deepening<'a, S, O> {
    puzzle: &'a Sliding<S>,
    start: S,
    limits: &'a Limits,
    observer: &'a mut O,
}

impl<S: TileState, O: Observer<Sliding<S>>> HeuristicUser<S> for Deepening<'_, S, O> {
    type Result = Report<Vec<Move>>;

    fn take<H: Heuristic<Sliding<S>> + Sync>(self, heuristic: &H) -> Self::Result {
        idastar(
            self.puzzle,
            self.start,
            heuristic,
            self.limits,
            self.observer,
        )
    }
}

#[cfg(test)]
mod tests;
