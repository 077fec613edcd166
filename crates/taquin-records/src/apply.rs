//! What moves do to a board.

use std::borrow::Cow;

use serde::Serialize;
use taquin::notation::MoveNotation;
use taquin::{Board, Metric, Move, Moves};

#[cfg(feature = "openapi")]
use crate::openapi::SolvedWord;
use crate::word::{MetricWord, NotationWord, Status, Word};

/// What moves do to a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Apply<'a> {
    /// The board before the moves, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// `solved` if the moves reach the goal, else `null`.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<SolvedWord>, required))]
    pub status: Option<Status>,
    /// How many moves there are, in the metric.
    pub length: usize,
    /// How many there are in either metric.
    pub lengths: Lengths,
    /// The moves.
    pub moves: Cow<'a, str>,
    /// What the moves stand for.
    pub notation: NotationWord,
    /// The metric of the length.
    pub metric: MetricWord,
    /// The board after the moves.
    pub result: Cow<'a, str>,
    /// What is wrong with the board or the moves.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub error: Option<Cow<'a, str>>,
}

impl<'a> Apply<'a> {
    /// The record of a board, moves and the board after them, which is the goal if `solved`.
    #[must_use]
    pub fn new(
        board: &Board,
        goal: impl Into<Cow<'a, str>>,
        moves: &Moves,
        metric: Metric,
        result: &Board,
        solved: bool,
    ) -> Self {
        Self {
            board: board.to_string().into(),
            size: board.size().to_string().into(),
            goal: goal.into(),
            status: solved.then_some(Status::Solved),
            length: moves.length(metric),
            lengths: Lengths::of(moves),
            moves: moves.to_string().into(),
            notation: Word(MoveNotation::Tile),
            metric: Word(metric),
            result: result.to_string().into(),
            error: None,
        }
    }
}

/// Lengths in both metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Lengths {
    /// In single-tile moves.
    pub single: usize,
    /// In multi-tile moves.
    pub multi: usize,
}

impl Lengths {
    /// The lengths of a sequence.
    #[must_use]
    pub fn of(moves: &[Move]) -> Self {
        Self {
            single: Metric::Single.length(moves),
            multi: Metric::Multi.length(moves),
        }
    }
}
