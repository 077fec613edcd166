//! One search among several.

use std::borrow::Cow;

use serde::Serialize;
use taquin::search::{Algorithm, Counting};
use taquin::{Board, Outcome, Report, Unsolvable};

use crate::figures::{milliseconds, rounded};
#[cfg(feature = "openapi")]
use crate::openapi::StatusWord;
use crate::word::{AlgorithmWord, CostWord, LimitWord, MetricWord, Status, Word};

/// One search, or one unsolvable board.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Compare<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// What moves cost.
    pub costs: CostWord,
    /// What searched.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub algorithm: Option<AlgorithmWord>,
    /// The heuristic that it used.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub heuristic: Option<Cow<'a, str>>,
    /// `solved`, `unsolvable` or `limit`.
    #[cfg_attr(feature = "openapi", schema(value_type = StatusWord))]
    pub status: Status,
    /// Moves of the metric; with unit costs the same as `cost`.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub length: Option<usize>,
    /// What they cost.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub cost: Option<u32>,
    /// What every solution costs at least.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub lower_bound: Option<u32>,
    /// Whether the solution is proven to be a cheapest one.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub optimal: Option<bool>,
    /// The cost is at most this many times the optimal one.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub within: Option<f64>,
    /// Nodes expanded.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub nodes: Option<u64>,
    /// Nodes generated.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub generated: Option<u64>,
    /// The effective branching factor.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub branching: Option<f64>,
    /// Most states kept at once.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub peak_states: Option<u64>,
    /// The time of the search.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub time_ms: Option<f64>,
    /// Which limit stopped it.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub limit: Option<LimitWord>,
    /// Why the solution is a cheapest one or need not be, or why the board is unsolvable.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub reason: Option<Cow<'a, str>>,
    /// What counts as a move.
    pub metric: MetricWord,
}

impl<'a> Compare<'a> {
    /// The record of a search.
    #[must_use]
    pub fn new(
        board: &Board,
        goal: impl Into<Cow<'a, str>>,
        counting: impl Into<Counting>,
        algorithm: Algorithm,
        heuristic: Option<Cow<'a, str>>,
        report: &Report,
    ) -> Self {
        let (took, counting) = (&report.statistics, counting.into());
        let record = Self {
            algorithm: Some(Word(algorithm)),
            heuristic,
            nodes: Some(took.expanded),
            generated: Some(took.generated),
            peak_states: Some(took.peak_states),
            time_ms: Some(milliseconds(took.time)),
            ..Self::blank(board, goal.into(), counting)
        };
        match &report.outcome {
            Outcome::Solved(solution) => Self {
                status: Status::Solved,
                length: Some(solution.moves.length(counting.metric())),
                cost: Some(solution.cost),
                lower_bound: Some(solution.lower_bound),
                optimal: Some(solution.proof.is_optimal()),
                within: solution.factor(),
                branching: took
                    .branching(solution.moves.length(counting.metric()))
                    .map(rounded),
                reason: Some(solution.proof.why().into()),
                ..record
            },
            Outcome::NoSolution => Self {
                lower_bound: Some(u32::MAX),
                ..record
            },
            Outcome::Stopped { limit, lower_bound } => Self {
                status: Status::Limit,
                lower_bound: Some(*lower_bound),
                limit: Some(Word(*limit)),
                ..record
            },
        }
    }

    /// The record of a board that was not searched because it cannot be solved.
    #[must_use]
    pub fn unsolvable(
        board: &Board,
        goal: impl Into<Cow<'a, str>>,
        counting: impl Into<Counting>,
        unsolvable: &Unsolvable,
    ) -> Self {
        Self {
            reason: Some(unsolvable.to_string().into()),
            ..Self::blank(board, goal.into(), counting.into())
        }
    }

    /// Nothing is known yet.
    fn blank(board: &Board, goal: Cow<'a, str>, counting: Counting) -> Self {
        Self {
            board: board.to_string().into(),
            size: board.size().to_string().into(),
            goal,
            metric: Word(counting.metric()),
            costs: Word(counting.cost()),
            algorithm: None,
            heuristic: None,
            status: Status::Unsolvable,
            length: None,
            cost: None,
            lower_bound: None,
            optimal: None,
            within: None,
            nodes: None,
            generated: None,
            branching: None,
            peak_states: None,
            time_ms: None,
            limit: None,
            reason: None,
        }
    }
}
