//! What the searches of the laboratory need for a board size or a board.

use crate::domain::{Cost, FlatState, PackedState, Sliding, TileState};
use crate::outcome::{Limits, Outcome};

use thiserror::Error;

use super::Distribution;
use super::branching::{branching_factor, to_f64};
use crate::heuristic::{Heuristic, LinearConflict};
use crate::search::{Algorithm, astar_bytes, idastar, stored_bytes};
use crate::{Board, GoalSizeError, Size, Solvability};

/// A typical board's expected nodes times this must fit before A* is advised: boards of one size
/// differ by orders of magnitude.
const MARGIN: f64 = 10.0;

/// Sizes of up to this many cells have their IDA* nodes predicted from a sample.
const MAX_CELLS: usize = 25;

const SAMPLES: usize = 40_000;

/// What an algorithm of the laboratory needs for a typical board or for one board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needs {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Whether it fits in the memory and in an hour.
    pub fits: bool,
    /// The natural logarithm of the bytes it needs.
    pub ln_bytes: f64,
    /// The natural logarithm of the nodes it expands.
    pub ln_nodes: f64,
    /// The natural logarithm of the seconds it takes.
    pub ln_seconds: f64,
    /// Why it fits or not, in a sentence.
    pub reason: &'static str,
}

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Published, or a matter of counting.
    Known,
    /// Measured on random boards of this size.
    Measured,
    /// Extrapolated from sizes for which it is known.
    Estimated,
}

/// Where the expected nodes of IDA* come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodesFrom {
    /// Predicted from a sample of boards, for a typical one.
    Sample,
    /// The board's own first iterations.
    Probe,
    /// A rule of thumb.
    Rule,
}

/// A number with its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The number.
    pub value: f64,
    /// Where it comes from.
    pub basis: Basis,
}

/// Why there is no forecast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ForecastError {
    /// The board and the goal differ in size.
    #[error(transparent)]
    Size(#[from] GoalSizeError),
    /// No method solves a board that cannot be solved.
    #[error("{0}")]
    Unsolvable(Solvability),
}

/// What is known of a puzzle before any search: how large it is, how long solutions are, and what
/// the searches of the laboratory need.
///
/// All numbers that can be too large for any type are natural logarithms.
///
/// ```
/// use taquin::Goal;
/// use taquin::space::Forecast;
///
/// let goal = Goal::Classic.board("3x3".parse()?)?;
/// let forecast = Forecast::new(&goal, None)?;
/// assert_eq!(forecast.states, Some(181_440));
/// let [bfs, _, _] = forecast.needs(1 << 30);
/// assert!(bfs.fits);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Forecast {
    /// Rows and columns.
    pub size: Size,
    /// Solvable boards, if the number fits: half of all arrangements.
    pub states: Option<u128>,
    /// The natural logarithm of the same.
    pub ln_states: f64,
    /// The share of all boards that are at one distance from the goal, for the distance that has
    /// the most of them: the widest frontier of a breadth-first search.
    pub widest_layer: Figure,
    /// Bytes that breadth-first search takes for each state.
    pub bfs_bytes: f64,
    /// Bytes that A* takes for each state.
    pub astar_bytes: f64,
    /// The asymptotic branching factor.
    pub branching: f64,
    /// The estimate of the board with linear conflict, or the mean one of a typical board.
    pub estimate: f64,
    /// How many moves a shortest solution takes.
    pub length: Figure,
    /// The natural logarithm of the nodes that IDA* with linear conflict expands in all, up to the
    /// threshold that is the solution's length. For a typical board this is the mean over all
    /// boards: those near the goal, which would be solved before, make it several times what most
    /// boards need.
    pub ln_nodes: f64,
    /// Where that comes from.
    pub nodes_from: NodesFrom,
}

impl Forecast {
    /// Nodes that IDA* with linear conflict expands in a second on one core, as a rule of thumb.
    pub const NODES_PER_SECOND: f64 = 5e6;

    /// States that a search with a table of all states stores in a second, as a rule of thumb: each
    /// costs a look at memory that no cache holds.
    pub const STORED_PER_SECOND: f64 = 2e6;

    /// The most seconds for a typical board: a search that takes longer does not fit.
    pub(crate) const LONGEST: f64 = 3600.0;

    /// The forecast for a board, or for a typical one: uniformly random.
    ///
    /// A board is tested for solvability first: an unsolvable one gets an error and no forecast.
    pub fn new(goal: &Board, board: Option<&Board>) -> Result<Self, ForecastError> {
        if let Some(board) = board {
            let verdict = Solvability::of(board, goal)?;
            if !verdict.is_solvable() {
                return Err(ForecastError::Unsolvable(verdict));
            }
        }
        if let Some(puzzle) = Sliding::<PackedState>::new(goal, Cost::Unit) {
            return Self::of(&puzzle, board);
        }
        let Some(puzzle) = Sliding::<FlatState>::new(goal, Cost::Unit) else {
            // Never: an array holds every board.
            let (goal, board) = (goal.size(), goal.size());
            return Err(GoalSizeError { goal, board }.into());
        };
        Self::of(&puzzle, board)
    }

    /// What breadth-first search, A* and IDA* need, with this many bytes of memory. A* and IDA*
    /// have linear conflict for a heuristic.
    #[must_use]
    pub fn needs(&self, memory: u64) -> [Needs; 3] {
        #[expect(clippy::cast_precision_loss, reason = "a logarithm forgives it")]
        let ln_memory = (memory.max(1) as f64).ln();
        [self.bfs(ln_memory), self.astar(ln_memory), self.idastar()]
    }

    /// The natural logarithm of the nodes that a good heuristic leaves, as a rule of thumb: it
    /// leaves as many moves to chance as the solution is longer than the estimate.
    pub(crate) fn ln_rule(&self) -> f64 {
        rule(self.length.value, self.estimate, self.branching)
    }

    fn of<S: TileState>(puzzle: &Sliding<S>, board: Option<&Board>) -> Result<Self, ForecastError> {
        let size = puzzle.size();
        let cells = size.cells();
        // 1. The space, and what a stored state takes.
        let states = (3..=cells as u128).try_fold(1_u128, u128::checked_mul);
        let ln_states: f64 = (3..=cells).map(|n| to_f64(n).ln()).sum();
        let heap = match S::from_board(puzzle.goal_board()) {
            Some(state) => state.bytes() - size_of::<S>(),
            None => 0,
        };
        let branching = branching_factor(size);

        // 2. How long solutions are: published, or longer than the estimate by a share that falls
        //    as boards get wider.
        let heuristic = LinearConflict::new(puzzle);
        let sampled = cells <= MAX_CELLS;
        let samples = if sampled {
            SAMPLES
        } else {
            2_000_000 / cells.pow(2).max(1) + 10
        };
        let distribution = Distribution::new(puzzle, &heuristic, samples, 1);
        let mean_estimate = distribution.mean();
        let mean_length = mean_length(size).unwrap_or(Figure {
            value: length_share(size) * mean_estimate,
            basis: Basis::Estimated,
        });
        let (estimate, length) = match board {
            None => (mean_estimate, mean_length),
            Some(board) => {
                let state = puzzle.state(board)?;
                let h = f64::from(Heuristic::<Sliding<S>>::value(
                    &heuristic,
                    &heuristic.evaluate(puzzle, &state),
                ));
                // What the estimate misses depends little on how large it is.
                let length = Figure {
                    value: h + (mean_length.value - mean_estimate).max(0.0),
                    basis: Basis::Estimated,
                };
                (h, length)
            }
        };

        // 3. What IDA* expands on the way there: for a board from its own first iterations, which say
        // more about it than any average.
        let (ln_nodes, length) = if let Some(board) = board {
            probe(puzzle, puzzle.state(board)?, &heuristic, length, branching)
        } else if sampled {
            (predict(&distribution, length.value), length)
        } else {
            (rule(length.value, estimate, branching), length)
        };
        // Every search visits at least the boards on the solution.
        let ln_nodes = ln_nodes.max(length.value.max(1.0).ln());
        Ok(Self {
            size,
            states,
            ln_states,
            widest_layer: widest_layer(size, mean_length.value),
            bfs_bytes: to_f64(stored_bytes::<Sliding<S>, ()>(heap)),
            astar_bytes: to_f64(astar_bytes::<Sliding<S>, u32>(heap)),
            branching,
            estimate,
            length,
            ln_nodes,
            nodes_from: match board {
                Some(_) => NodesFrom::Probe,
                None if sampled => NodesFrom::Sample,
                None => NodesFrom::Rule,
            },
        })
    }

    fn bfs(&self, ln_memory: f64) -> Needs {
        let ln_bytes = self.ln_states + self.bfs_bytes.ln();
        let ln_seconds = self.ln_states - Self::STORED_PER_SECOND.ln();
        let room = ln_bytes <= ln_memory;
        let fits = room && ln_seconds <= Self::LONGEST.ln();
        let reason = if fits {
            "all solvable boards fit in the memory, so it ends for every board and needs no estimate"
        } else if room {
            "all solvable boards fit in the memory, but there are too many to visit in an hour"
        } else {
            "the solvable boards do not fit in the memory, and a far board needs nearly all of them"
        };
        Needs {
            algorithm: Algorithm::Bfs,
            fits,
            ln_bytes,
            ln_nodes: self.ln_states,
            ln_seconds,
            reason,
        }
    }

    fn astar(&self, ln_memory: f64) -> Needs {
        // A* stores no board twice, and the boards it generates, not only those it expands.
        let ln_stored = (self.ln_nodes + self.branching.ln()).min(self.ln_states);
        let ln_bytes = ln_stored + self.astar_bytes.ln();
        let ln_seconds = ln_stored - Self::STORED_PER_SECOND.ln();
        let room = ln_bytes + MARGIN.ln() <= ln_memory;
        let fits = room && ln_seconds <= Self::LONGEST.ln();
        let reason = if fits {
            "the boards it stores fit in the memory, with room for boards ten times as hard, and \
             it expands none twice"
        } else if ln_bytes <= ln_memory {
            "the boards it stores may fit in the memory, but a board ten times as hard would not"
        } else {
            "the boards it stores do not fit in the memory"
        };
        Needs {
            algorithm: Algorithm::Astar,
            fits,
            ln_bytes,
            ln_nodes: self.ln_nodes.min(self.ln_states),
            ln_seconds,
            reason,
        }
    }

    fn idastar(&self) -> Needs {
        let ln_seconds = self.ln_nodes - Self::NODES_PER_SECOND.ln();
        let fits = ln_seconds <= Self::LONGEST.ln();
        let reason = if fits {
            "it stores one path only, and the nodes it expands again cost less than storing them"
        } else {
            "memory is no matter, but it has too many nodes to expand in an hour"
        };
        Needs {
            algorithm: Algorithm::Idastar,
            fits,
            // Some hundred bytes a move.
            ln_bytes: (self.length.value.max(1.0) * 100.0).ln(),
            ln_nodes: self.ln_nodes,
            ln_seconds,
            reason,
        }
    }
}

/// The natural logarithm of the nodes of IDA*, by rule of thumb.
fn rule(length: f64, estimate: f64, branching: f64) -> f64 {
    (length - estimate).max(0.0) * branching.ln() + length.max(1.0).ln()
}

/// The natural logarithm of the nodes of all iterations up to a solution of about `moves` moves, on
/// average over all boards.
fn predict(distribution: &Distribution, moves: f64) -> f64 {
    #[expect(clippy::cast_sign_loss, reason = "lengths are positive")]
    let last = moves.round().max(0.0) as u32;
    // Thresholds rise by 2, the parity of a solution's length being fixed. The tenth iteration from
    // the end is far too small to matter.
    let total: f64 = (0..10)
        .filter_map(|back| last.checked_sub(2 * back))
        .map(|threshold| distribution.predict(threshold).nodes())
        .sum();
    total.ln()
}

/// Nodes that a probe expands.
const PROBE: u64 = 200_000;

/// The natural logarithm of the nodes of all iterations for one board, and its length: its first
/// iterations are run, and if they do not solve it the rest follows from the branching factor.
fn probe<S: TileState>(
    puzzle: &Sliding<S>,
    start: S,
    heuristic: &LinearConflict,
    length: Figure,
    branching: f64,
) -> (f64, Figure) {
    let limits = Limits {
        nodes: Some(PROBE),
        ..Limits::default()
    };
    let report = idastar(puzzle, start, heuristic, &limits, &mut ());
    let to_ln = |nodes: u64| to_f64(nodes as usize).max(1.0).ln();
    if let Outcome::Solved(solution) = report.outcome {
        let length = Figure {
            value: f64::from(solution.cost),
            basis: Basis::Known,
        };
        return (to_ln(report.statistics.expanded), length);
    }
    // The iteration under way is not complete; if it is the first, it is all there is.
    let iterations = &report.statistics.iterations;
    let complete = &iterations[..iterations.len().saturating_sub(1)];
    let Some(last) = complete.last().or(iterations.first()) else {
        return (0.0, length);
    };
    let further = (length.value - f64::from(last.threshold)).max(2.0);
    // All iterations together take as many nodes as the last, and a share that the theory gives.
    let growth = branching * branching;
    let repeated = growth / (growth - 1.0).max(0.1);
    let ln_nodes = to_ln(last.expanded) + further * branching.ln() + repeated.ln();
    (ln_nodes, length)
}

/// By how much solutions are longer than the estimate, where nothing better is known: as on the
/// boards with as short a side whose mean length is known.
fn length_share(size: Size) -> f64 {
    match size.rows().min(size.columns()) {
        ..=2 => 1.63,
        3 => 1.40,
        4 => 1.34,
        _ => 1.29,
    }
}

/// The mean length of solutions to a goal with the blank in a corner, in single moves (OEIS A087725
/// and its relatives; Korf & Schultze 2005; for 5×5 from large samples of near-optimal solutions; for
/// 2×8 measured on 1000 random boards, seed 1, November 2026).
fn mean_length(size: Size) -> Option<Figure> {
    let (short, long) = (
        size.rows().min(size.columns()),
        size.rows().max(size.columns()),
    );
    let (moves, basis) = match (short, long) {
        (2, 2) => (3.0, Basis::Known),
        (2, 3) => (12.622, Basis::Known),
        (2, 4) => (22.678, Basis::Known),
        (3, 3) => (21.972, Basis::Known),
        (2, 5) => (34.729, Basis::Known),
        (3, 4) => (35.104, Basis::Known),
        (2, 6) => (48.994, Basis::Known),
        (2, 7) => (65.484, Basis::Known),
        (3, 5) => (51.477, Basis::Known),
        (4, 4) => (52.589, Basis::Known),
        (2, 8) => (84.4, Basis::Measured),
        (5, 5) => (101.6, Basis::Estimated),
        _ => return None,
    };
    Some(Figure {
        value: moves,
        basis,
    })
}

/// The share of the widest layer: counted for small sizes, and else from what it was there in
/// proportion to the mean distance.
fn widest_layer(size: Size, mean_length: f64) -> Figure {
    let (short, long) = (
        size.rows().min(size.columns()),
        size.rows().max(size.columns()),
    );
    let (value, basis) = match (short, long) {
        (2, 2) => (2.0 / 12.0, Basis::Known),
        (2, 3) => (44.0 / 360.0, Basis::Known),
        (2, 4) => (1_999.0 / 20_160.0, Basis::Known),
        (3, 3) => (24_047.0 / 181_440.0, Basis::Known),
        (2, 5) => (133_107.0 / 1_814_400.0, Basis::Known),
        _ => (2.7 / mean_length, Basis::Estimated),
    };
    Figure { value, basis }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Goal;
    use crate::search::bfs;

    fn forecast(size: &str) -> Forecast {
        let goal = Goal::Classic.board(size.parse().unwrap()).unwrap();
        Forecast::new(&goal, None).unwrap()
    }

    fn forecast_of(board: &str) -> Result<Forecast, ForecastError> {
        let board: Board = board.parse().unwrap();
        let goal = Goal::Classic.board(board.size()).unwrap();
        Forecast::new(&goal, Some(&board))
    }

    /// The first algorithm of the laboratory that fits.
    fn fitting(forecast: &Forecast, memory: u64) -> Option<Algorithm> {
        let needs = forecast.needs(memory);
        assert!(needs.iter().all(|needs| !needs.reason.is_empty()));
        let fitting = needs.iter().find(|needs| needs.fits);
        fitting.map(|needs| needs.algorithm)
    }

    #[test]
    fn what_fits_depends_on_size_and_memory() {
        for (size, memory, algorithm) in [
            ("2x2", 1 << 20, Some(Algorithm::Bfs)),
            ("3x3", 1_000_000_000, Some(Algorithm::Bfs)),
            ("3x3", 2_000_000, Some(Algorithm::Astar)),
            ("3x3", 1, Some(Algorithm::Idastar)),
            ("3x4", 1_000_000_000, Some(Algorithm::Astar)),
            ("4x4", 100_000_000, Some(Algorithm::Idastar)),
            ("4x4", 4_000_000_000, Some(Algorithm::Idastar)),
            ("5x5", 4_000_000_000, None),
            ("10x10", u64::MAX, None),
            ("60x60", u64::MAX, None),
        ] {
            let forecast = forecast(size);
            assert_eq!(fitting(&forecast, memory), algorithm, "{size} {memory}");
            assert!(forecast.ln_nodes.is_finite());
            assert!(forecast.length.value >= forecast.estimate - 1.0, "{size}");
        }
    }

    #[test]
    fn the_numbers_are_the_known_ones() {
        let forecast = forecast("4x4");
        assert_eq!(forecast.states, Some(10_461_394_944_000));
        assert!((forecast.ln_states - 10_461_394_944_000_f64.ln()).abs() < 1e-9);
        assert!((forecast.branching - 2.1304).abs() < 0.0001);
        let estimate = forecast.estimate;
        assert!((estimate - 38.8).abs() < 0.5, "{estimate}");
        assert_eq!(self::forecast("6x6").states, None);
    }

    #[test]
    fn an_unsolvable_board_gets_the_reason_and_no_forecast() {
        let refused = forecast_of("1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0");
        let Err(ForecastError::Unsolvable(verdict)) = refused else {
            panic!("{refused:?}");
        };
        assert!(!verdict.is_solvable());
        let goal = Goal::Classic.board("3x3".parse().unwrap()).unwrap();
        let other = "1 2/3 0".parse().unwrap();
        let refused = Forecast::new(&goal, Some(&other));
        assert!(matches!(refused, Err(ForecastError::Size(_))));
    }

    #[test]
    fn an_easy_board_of_a_large_size_needs_little() {
        let easy = forecast_of("1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 0 23 24");
        let easy = easy.unwrap();
        assert_eq!(fitting(&easy, 1 << 30), Some(Algorithm::Astar));
        let hard = forecast_of("15 14 8 12/10 11 13 9/2 6 5 1/3 7 4 0").unwrap();
        assert!(hard.ln_nodes > 1e6_f64.ln(), "{}", hard.ln_nodes.exp());
    }

    #[test]
    fn breadth_first_search_gets_by_with_the_bytes_that_it_is_said_to_take() {
        let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
        let goal = Goal::Classic.board(board.size()).unwrap();
        let puzzle = Sliding::<PackedState>::new(&goal, Cost::Unit).unwrap();
        let forecast = forecast("3x3");
        let needs = (forecast.ln_states.exp() * forecast.bfs_bytes).round();
        #[expect(clippy::cast_sign_loss, reason = "positive")]
        let solves = |bytes: f64| {
            let limits = Limits {
                memory: Some(bytes as u64),
                ..Limits::default()
            };
            let report = bfs(&puzzle, puzzle.state(&board).unwrap(), &limits, &mut ());
            matches!(report.outcome, Outcome::Solved(_))
        };
        assert!(solves(needs));
        assert!(!solves(needs / 3.0));
    }
}
