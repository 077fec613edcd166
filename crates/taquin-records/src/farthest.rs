//! One of the hardest boards.

use std::borrow::Cow;

use serde::Serialize;
use taquin::{Board, Metric};

use crate::word::{MetricWord, Word};

/// One of the boards of a small puzzle that are farthest from the goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Farthest<'a> {
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
    /// Which of the farthest boards it is, from 0.
    pub index: usize,
}

impl<'a> Farthest<'a> {
    /// The record of a board. The size and the goal are texts, because programs that list many
    /// boards write them once.
    #[must_use]
    pub fn new(
        board: &Board,
        size: impl Into<Cow<'a, str>>,
        goal: impl Into<Cow<'a, str>>,
        metric: Metric,
        distance: u32,
        index: usize,
    ) -> Self {
        Self {
            board: board.to_string().into(),
            size: size.into(),
            goal: goal.into(),
            metric: Word(metric),
            distance,
            index,
        }
    }
}
