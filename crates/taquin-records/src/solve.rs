//! What came of solving a board.

use std::borrow::Cow;

use serde::Serialize;
use taquin::search::{self, Cost, Outcome, Report};
use taquin::{Board, Metric, Move, solve};

use crate::figures::{milliseconds, ratio};
#[cfg(feature = "openapi")]
use crate::openapi::{ImprovedWord, LimitWord, MetricWord, NotationWord, StatusWord};
use crate::status::{LIMIT, SOLVED, UNSOLVABLE};
use crate::writing::Writing;

/// What came of solving a board.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Solve<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// `solved`, `unsolvable` or `limit`.
    #[cfg_attr(feature = "openapi", schema(value_type = StatusWord))]
    pub status: &'static str,
    /// How many moves the solution has.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub length: Option<usize>,
    /// What every solution takes at least.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub lower_bound: Option<u32>,
    /// The cost divided by the bound, rounded up.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub ratio: Option<f64>,
    /// Whether the solution is proven to be a shortest one.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub optimal: Option<bool>,
    /// The solution.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub moves: Option<Cow<'a, str>>,
    /// What the moves stand for.
    #[cfg_attr(feature = "openapi", schema(value_type = NotationWord))]
    pub notation: &'static str,
    /// The metric of the length.
    #[cfg_attr(feature = "openapi", schema(value_type = MetricWord))]
    pub metric: &'static str,
    /// If that was asked for: how many shortest solutions there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub count: Option<u64>,
    /// If they were asked for: the shortest solutions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub solutions: Option<Vec<String>>,
    /// In the heavy variant, what the moves cost; the bound is on it.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub cost: Option<u32>,
    /// What searched.
    pub algorithm: &'static str,
    /// The heuristic or the tables that it used.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub heuristic: Option<Cow<'a, str>>,
    /// Nodes expanded.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub nodes: Option<u64>,
    /// Nodes generated.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub generated: Option<u64>,
    /// Most states kept at once.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub peak_states: Option<u64>,
    /// The iterations of a search that has them.
    pub iterations: Vec<Iteration>,
    /// The time of the search.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub time_ms: Option<f64>,
    /// Which limit stopped it.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<LimitWord>, required))]
    pub limit: Option<&'static str>,
    /// Why the solution is a shortest one or need not be, or why the board is unsolvable.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub reason: Option<Cow<'a, str>>,
    /// What is wrong with the board.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub error: Option<Cow<'a, str>>,
}

/// How a board was to be solved: what its [`Solve`] tells besides what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Search<'a> {
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// What searches.
    pub algorithm: &'static str,
    /// The heuristic or the tables that it uses.
    pub heuristic: Option<Cow<'a, str>>,
    /// What moves cost.
    pub cost: Cost,
    /// How moves are written.
    pub writing: Writing,
}

impl<'a> Solve<'a> {
    /// The record of a search that was made.
    #[must_use]
    pub fn new(board: &Board, search: Search<'a>, report: &Report<Move>) -> Self {
        let (cost, writing) = (search.cost, search.writing);
        let statistics = &report.statistics;
        let record = Self {
            nodes: Some(statistics.expanded),
            generated: Some(statistics.generated),
            peak_states: Some(statistics.peak_states),
            iterations: statistics.iterations.iter().map(Into::into).collect(),
            time_ms: Some(milliseconds(statistics.time)),
            ..Self::blank(board, search)
        };
        match &report.outcome {
            Outcome::Solved(solution) => Self {
                status: SOLVED,
                length: Some(solution.actions.len()),
                lower_bound: Some(solution.lower_bound),
                ratio: if solution.proof.is_optimal() {
                    Some(1.0)
                } else {
                    ratio(solution.cost, solution.lower_bound)
                },
                optimal: Some(solution.proof.is_optimal()),
                moves: Some(writing.text(board, &solution.actions).into()),
                cost: (cost == Cost::Tile).then_some(solution.cost),
                reason: Some(solution.proof.why().into()),
                ..record
            },
            Outcome::NoSolution => record,
            Outcome::Stopped { limit, lower_bound } => Self {
                status: LIMIT,
                lower_bound: Some(*lower_bound),
                limit: Some(limit.name()),
                ..record
            },
        }
    }

    /// The record of a board that was not searched because it cannot be solved.
    #[must_use]
    pub fn unsolvable(board: &Board, search: Search<'a>, reason: impl Into<Cow<'a, str>>) -> Self {
        Self {
            reason: Some(reason.into()),
            ..Self::blank(board, search)
        }
    }

    /// The same record with what is known of all shortest solutions: how many there are, and those
    /// that were asked for. Where none was found, nothing is told of them.
    #[must_use]
    pub fn with_solutions(mut self, count: Option<u64>, solutions: Option<Vec<String>>) -> Self {
        if self.status == SOLVED {
            self.count = count;
            self.solutions = solutions;
        }
        self
    }

    /// Nothing is known yet.
    fn blank(board: &Board, search: Search<'a>) -> Self {
        Self {
            board: board.to_string().into(),
            size: board.size().to_string().into(),
            goal: search.goal,
            status: UNSOLVABLE,
            length: None,
            lower_bound: None,
            ratio: None,
            optimal: None,
            moves: None,
            notation: search.writing.notation.name(),
            metric: Metric::Single.name(),
            count: None,
            solutions: None,
            cost: None,
            algorithm: search.algorithm,
            heuristic: search.heuristic,
            nodes: None,
            generated: None,
            peak_states: None,
            iterations: Vec::new(),
            time_ms: None,
            limit: None,
            reason: None,
            error: None,
        }
    }
}

/// One iteration of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Iteration {
    /// Nodes with a larger f were cut off.
    pub threshold: u32,
    /// Nodes expanded.
    pub nodes: u64,
    /// Nodes generated.
    pub generated: u64,
}

impl From<&search::Iteration> for Iteration {
    fn from(iteration: &search::Iteration) -> Self {
        Self {
            threshold: iteration.threshold,
            nodes: iteration.expanded,
            generated: iteration.generated,
        }
    }
}

/// A better solution of a board that is being solved, or a better bound: what comes before its
/// [`Solve`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Improvement<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Always `improved`.
    #[cfg_attr(feature = "openapi", schema(value_type = ImprovedWord))]
    pub event: &'static str,
    /// How many moves the best solution so far has.
    pub length: u32,
    /// What every solution takes at least.
    pub lower_bound: u32,
    /// The length divided by the bound, rounded up.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub ratio: Option<f64>,
    /// When that was known, from the beginning of the search.
    pub time_ms: f64,
    /// The best solution so far.
    pub moves: Cow<'a, str>,
    /// What the moves stand for.
    #[cfg_attr(feature = "openapi", schema(value_type = NotationWord))]
    pub notation: &'static str,
}

impl Improvement<'_> {
    /// The record of what is known of a board.
    #[must_use]
    pub fn new(board: &Board, known: &solve::Improvement<'_>, writing: Writing) -> Self {
        let length = u32::try_from(known.moves.len()).unwrap_or(u32::MAX);
        Self {
            board: board.to_string().into(),
            event: "improved",
            length,
            lower_bound: known.lower_bound,
            ratio: ratio(length, known.lower_bound),
            time_ms: milliseconds(known.time),
            moves: writing.text(board, known.moves).into(),
            notation: writing.notation.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use taquin::Goal;
    use taquin::heuristic::HeuristicKind;
    use taquin::search::{Algorithm, Laboratory, Limits};

    use super::*;

    /// Made of what it owns alone.
    fn record(limits: &Limits) -> Solve<'static> {
        let board: Board = "8 1 3/4 0 2/7 6 5".parse().unwrap();
        let goal = Goal::Classic.board(board.size()).unwrap();
        let laboratory = Laboratory::new(&goal, Cost::Unit, HeuristicKind::Manhattan).unwrap();
        let report = laboratory.search(&board, Algorithm::Idastar, limits);
        let search = Search {
            goal: Goal::Classic.name(),
            algorithm: Algorithm::Idastar.name(),
            heuristic: Some(laboratory.heuristic().name()),
            cost: Cost::Unit,
            writing: Writing::default(),
        };
        let solutions = Some(vec!["UD".to_owned()]);
        Solve::new(&board, search, &report.unwrap()).with_solutions(Some(1), solutions)
    }

    #[test]
    fn a_solved_board_tells_of_all_its_solutions() {
        let record = record(&Limits::default());
        assert_eq!((record.status, record.length), ("solved", Some(14)));
        assert_eq!((record.optimal, record.ratio), (Some(true), Some(1.0)));
        assert_eq!(record.count, Some(1));
        let json = serde_json::to_string(&record).unwrap();
        assert!(
            json.contains(r#""count":1,"solutions":["UD"],"cost":null"#),
            "{json}"
        );
    }

    #[test]
    fn a_search_that_was_stopped_tells_of_no_solutions() {
        let record = record(&Limits {
            nodes: Some(1),
            ..Limits::default()
        });
        assert_eq!((record.status, record.limit), ("limit", Some("nodes")));
        assert_eq!((record.length, record.count), (None, None));
        let json = serde_json::to_string(&record).unwrap();
        assert!(json.contains(r#""metric":"single","cost":null"#), "{json}");
    }
}
