//! A random board at one distance.

use std::borrow::Cow;

use serde::Serialize;
use taquin::{Board, Metric};

use crate::word::{MetricWord, Word};

/// A random board at a given distance from the goal, and how to draw it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sample<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// What counts as a move.
    pub metric: MetricWord,
    /// Moves that the board needs.
    pub distance: u32,
    /// The seed that it was drawn from.
    pub seed: u64,
    /// Which board of this seed it is, from 0.
    pub index: u64,
}

impl<'a> Sample<'a> {
    /// The record of a board. The size and the goal are texts, because programs that draw many
    /// boards write them once.
    #[must_use]
    pub fn new(
        board: &Board,
        size: impl Into<Cow<'a, str>>,
        goal: impl Into<Cow<'a, str>>,
        metric: Metric,
        distance: u32,
        seed: u64,
        index: u64,
    ) -> Self {
        Self {
            board: board.to_string().into(),
            size: size.into(),
            goal: goal.into(),
            metric: Word(metric),
            distance,
            seed,
            index,
        }
    }
}
