//! Boards in another form, and moves in another notation.

use std::borrow::Cow;

use serde::Serialize;
use taquin::notation::{BoardForm, MoveNotation};
use taquin::{Board, Metric, Moves};

use crate::apply::Lengths;
use crate::word::{FormWord, MetricWord, NotationWord, Word};

/// A board in another form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ConvertBoard<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The form.
    pub form: FormWord,
    /// The board in that form.
    pub text: Cow<'a, str>,
}

impl<'a> ConvertBoard<'a> {
    /// The record of a board and of its text in a form.
    #[must_use]
    pub fn new(board: &Board, form: BoardForm, text: impl Into<Cow<'a, str>>) -> Self {
        Self {
            board: board.to_string().into(),
            size: board.size().to_string().into(),
            form: Word(form),
            text: text.into(),
        }
    }
}

/// Moves in another notation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ConvertMoves<'a> {
    /// The board that the moves start from, in the form `rows`; `null` if there is none.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub board: Option<Cow<'a, str>>,
    /// The moves in the notation.
    pub moves: Cow<'a, str>,
    /// What the moves stand for.
    pub notation: NotationWord,
    /// The metric of the length.
    pub metric: MetricWord,
    /// How many moves there are, in the metric.
    pub length: usize,
    /// How many there are in either metric.
    pub lengths: Lengths,
}

impl<'a> ConvertMoves<'a> {
    /// The record of moves and of their text in a notation.
    #[must_use]
    pub fn new(
        board: Option<&Board>,
        moves: &Moves,
        notation: MoveNotation,
        text: impl Into<Cow<'a, str>>,
    ) -> Self {
        let metric = Metric::Single;
        Self {
            board: board.map(|board| board.to_string().into()),
            moves: text.into(),
            notation: Word(notation),
            metric: Word(metric),
            length: moves.length(metric),
            lengths: Lengths::of(moves),
        }
    }
}
