//! A puzzle with its heuristic, and the searches on it.

use super::super::idastar::idastar_from;
use super::super::observer::Watcher;
use super::super::{
    Observer, astar, bfs, bibfs, dijkstra, frontier, greedy, idastar, idastar_tt, nbs, rbfs,
    smastar, wastar,
};
use super::{Algorithm, LaboratoryError};
use crate::domain::{Counting, TilePuzzle};
use crate::heuristic::{
    Choosable, Heuristic, HeuristicError, HeuristicKind, HeuristicUser, PatternBreakdown,
};
use crate::outcome::{Budget, Limits, Outcome, Report, Statistics};
use crate::{Board, GoalSizeError, Moves, Slide, Solvability};

/// A puzzle with its heuristic.
#[derive(Clone, Debug)]
pub(super) struct Setup<P: Choosable> {
    puzzle: P,
    pub(super) heuristic: P::Chosen,
    pub(super) making: Making,
}

/// How tables of heuristics are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Making {
    /// The most states of a walking distance.
    pub(super) limit: u32,
    pub(super) threads: usize,
}

/// A path as a search finds it.
type Path<P> = Vec<<P as crate::domain::Domain>::Action>;

impl<P: Choosable> Setup<P> {
    pub(super) fn new(
        puzzle: P,
        heuristic: HeuristicKind,
        making: Making,
        budget: &Budget,
    ) -> Result<Self, HeuristicError> {
        let heuristic = puzzle.choose(heuristic, making.limit, making.threads, budget)?;
        Ok(Self::with(puzzle, heuristic, making))
    }

    /// With a heuristic that is there.
    pub(super) const fn with(puzzle: P, heuristic: P::Chosen, making: Making) -> Self {
        Self {
            puzzle,
            heuristic,
            making,
        }
    }

    /// With the heuristic of another goal, and its tables where they will do.
    pub(super) fn sharing(
        puzzle: P,
        heuristic: &P::Chosen,
        making: Making,
    ) -> Result<Self, HeuristicError> {
        let Making { limit, threads } = making;
        let heuristic = puzzle.share(heuristic, limit, threads, &Budget::default())?;
        Ok(Self::with(puzzle, heuristic, making))
    }

    pub(super) fn kind(&self) -> HeuristicKind {
        P::kind(&self.heuristic)
    }

    pub(super) fn table_bytes(&self) -> u64 {
        P::table_bytes(&self.heuristic)
    }

    pub(super) fn counting(&self) -> Counting {
        self.puzzle.counting()
    }

    pub(super) fn estimate(&self, board: &Board) -> Result<u32, GoalSizeError> {
        let state = self.puzzle.state(board)?;
        let memo = self.heuristic.evaluate(&self.puzzle, &state);
        Ok(self.heuristic.value(&memo))
    }

    pub(super) fn patterns(
        &self,
        board: &Board,
    ) -> Result<Option<PatternBreakdown>, GoalSizeError> {
        let state = self.puzzle.state(board)?;
        Ok(self.puzzle.patterns(&self.heuristic, &state))
    }

    pub(super) fn run(
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
    pub(super) fn deepen(
        &self,
        board: &Board,
        proven: u32,
        limits: &Limits,
    ) -> Result<Report, LaboratoryError> {
        let deepening = Deepening {
            puzzle: &self.puzzle,
            start: self.start(board)?,
            proven,
            limits,
        };
        let report = P::hand(&self.heuristic, deepening);
        self.complete(board, report, proven)
    }

    pub(super) fn watch(
        &self,
        board: &Board,
        algorithm: Algorithm,
        weight: f64,
        limits: &Limits,
        mut watcher: Watcher<'_, P>,
    ) -> Result<Report, LaboratoryError> {
        let start = self.start(board)?;
        let report = self.find(board, start, algorithm, weight, limits, &mut watcher)?;
        self.complete(board, report, 0)
    }

    /// The state of a board from which the goal can be reached.
    fn start(&self, board: &Board) -> Result<P::State, LaboratoryError> {
        let verdict = Solvability::of(board, self.puzzle.goal_board())?;
        if !verdict.is_solvable() {
            return Err(LaboratoryError::Unsolvable(verdict));
        }
        // What was changed since the last search is not even looked at.
        P::confirm(&self.heuristic)?;
        Ok(self.puzzle.state(board)?)
    }

    fn find<O: Observer<P>>(
        &self,
        board: &Board,
        start: P::State,
        algorithm: Algorithm,
        weight: f64,
        limits: &Limits,
        observer: &mut O,
    ) -> Result<Report<Path<P>>, LaboratoryError> {
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
                match back.share(heuristic, limit, threads, &budget) {
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
        report: Report<Path<P>>,
        proven: u32,
    ) -> Result<Report, LaboratoryError> {
        let as_moves = |path: Path<P>| path.into_iter().map(Into::<Slide>::into).collect::<Moves>();
        let mut report = report.map(as_moves);
        let estimate = self.estimate(board)?.max(proven);
        match &mut report.outcome {
            Outcome::Solved(solution) => {
                solution.lower_bound = solution.lower_bound.max(estimate);
            }
            Outcome::Stopped { lower_bound, .. } => *lower_bound = estimate.max(*lower_bound),
            Outcome::NoSolution => {}
        }
        P::confirm(&self.heuristic)?;
        report.check(board, self.puzzle.goal_board(), |moves| {
            self.counting().of(board, moves)
        })?;
        Ok(report)
    }
}

/// IDA*, waiting for a heuristic.
struct Deepening<'a, P: TilePuzzle> {
    puzzle: &'a P,
    start: P::State,
    proven: u32,
    limits: &'a Limits,
}

impl<P: TilePuzzle> HeuristicUser<P> for Deepening<'_, P> {
    type Result = Report<Path<P>>;

    fn take<H: Heuristic<P> + Sync>(self, heuristic: &H) -> Self::Result {
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
