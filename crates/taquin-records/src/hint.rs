//! What to do next.

use std::borrow::Cow;
use std::time::Duration;

use serde::Serialize;
use taquin::{Board, Metric, Tile, Unsolvable};

use crate::apply::Lengths;
use crate::figures::{milliseconds, ratio};
#[cfg(feature = "openapi")]
use crate::openapi::VerdictWord;
use crate::word::{MetricWord, NotationWord, Status, Word};
use crate::writing::Writing;

/// What to do next, and what remains then.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Hint<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// `solved` or `unsolvable`.
    #[cfg_attr(feature = "openapi", schema(value_type = VerdictWord))]
    pub status: Status,
    /// The next move, once for each tile that slides; `null` on the goal.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub next: Option<Cow<'a, str>>,
    /// The tile beside the blank, which it slides.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u16>, required))]
    pub tile: Option<Tile>,
    /// How many tiles it slides at once: more than one in multi-tile moves only.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub tiles: Option<usize>,
    /// Moves that remain, in the metric.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub length: Option<u32>,
    /// Moves that remain in either metric, on the way that the hint goes. Only the length in
    /// `metric` may be proven to be the shortest.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub lengths: Option<Lengths>,
    /// How many remain at least in the metric, whatever one does.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub lower_bound: Option<u32>,
    /// The length divided by the bound, rounded up.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub ratio: Option<f64>,
    /// Whether nobody can do it with fewer moves.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub optimal: Option<bool>,
    /// What the move stands for.
    pub notation: NotationWord,
    /// The metric of the length.
    pub metric: MetricWord,
    /// How long it took to find it.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub time_ms: Option<f64>,
    /// Why the board is unsolvable.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub reason: Option<Cow<'a, str>>,
    /// What is wrong with the board.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub error: Option<Cow<'a, str>>,
}

impl<'a> Hint<'a> {
    /// The record of a hint that took some time.
    #[must_use]
    pub fn new(
        board: &Board,
        goal: impl Into<Cow<'a, str>>,
        metric: Metric,
        writing: Writing,
        hint: &taquin::Hint,
        time: Duration,
    ) -> Self {
        Self {
            status: Status::Solved,
            next: hint
                .next
                .map(|next| writing.text(board, &vec![next; hint.tiles]).into()),
            tile: hint.next.and_then(|next| board.sliding_tile(next)),
            tiles: hint.next.map(|_| hint.tiles),
            length: Some(hint.remaining),
            lengths: Some(Lengths::of(&hint.moves)),
            lower_bound: Some(hint.lower_bound),
            ratio: ratio(hint.remaining, hint.lower_bound),
            optimal: Some(hint.is_optimal()),
            time_ms: Some(milliseconds(time)),
            ..Self::blank(board, goal.into(), metric, writing)
        }
    }

    /// The record of a board that cannot be solved.
    #[must_use]
    pub fn unsolvable(
        board: &Board,
        goal: impl Into<Cow<'a, str>>,
        metric: Metric,
        writing: Writing,
        unsolvable: &Unsolvable,
    ) -> Self {
        Self {
            reason: Some(unsolvable.to_string().into()),
            ..Self::blank(board, goal.into(), metric, writing)
        }
    }

    /// Nothing is known yet.
    fn blank(board: &Board, goal: Cow<'a, str>, metric: Metric, writing: Writing) -> Self {
        Self {
            board: board.to_string().into(),
            size: board.size().to_string().into(),
            goal,
            status: Status::Unsolvable,
            next: None,
            tile: None,
            tiles: None,
            length: None,
            lengths: None,
            lower_bound: None,
            ratio: None,
            optimal: None,
            notation: Word(writing.notation),
            metric: Word(metric),
            time_ms: None,
            reason: None,
            error: None,
        }
    }
}
