//! Whether a board can be solved.

use std::borrow::Cow;

use serde::Serialize;
use taquin::{Board, Solvability, Tile, Unsolvable};

#[cfg(feature = "openapi")]
use crate::openapi::{Pair, UnsolvableWord};
use crate::word::Status;

/// Whether a board can be solved, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Check<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// `unsolvable`, or `null` because nothing has been solved yet.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<UnsolvableWord>, required))]
    pub status: Option<Status>,
    /// Whether it can be solved.
    pub solvable: bool,
    /// Pairs of tiles in the wrong order.
    pub inversions: u64,
    /// The blank's row from the bottom.
    pub blank_row: usize,
    /// The board's invariant.
    pub parity: u8,
    /// The goal's invariant.
    pub goal_parity: u8,
    /// Why it can or cannot be solved.
    pub reason: Cow<'a, str>,
    /// Two tiles whose exchange would make it solvable.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Pair>, required))]
    pub hint: Option<(Tile, Tile)>,
    /// What is wrong with the board.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub error: Option<Cow<'a, str>>,
}

/// The texts of a [`Check`], for programs that keep them in buffers from board to board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckTexts<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// Why it can or cannot be solved.
    pub reason: Cow<'a, str>,
}

impl<'a> Check<'a> {
    /// The record of a board, the verdict on it, and two tiles to swap.
    #[must_use]
    pub fn new(
        board: &Board,
        goal: impl Into<Cow<'a, str>>,
        verdict: &Result<Solvability, Unsolvable>,
        hint: Option<(Tile, Tile)>,
    ) -> Self {
        let (verdict, reason) = match verdict {
            Ok(verdict) => (*verdict, verdict.to_string()),
            Err(unsolvable) => (unsolvable.verdict, unsolvable.to_string()),
        };
        let texts = CheckTexts {
            board: board.to_string().into(),
            size: board.size().to_string().into(),
            goal: goal.into(),
            reason: reason.into(),
        };
        Self::with_texts(texts, verdict, hint)
    }

    /// The record of a board, from texts that are there already.
    #[must_use]
    pub fn with_texts(
        texts: CheckTexts<'a>,
        verdict: Solvability,
        hint: Option<(Tile, Tile)>,
    ) -> Self {
        let (board, goal) = (verdict.board(), verdict.goal());
        Self {
            board: texts.board,
            size: texts.size,
            goal: texts.goal,
            status: (!verdict.is_solvable()).then_some(Status::Unsolvable),
            solvable: verdict.is_solvable(),
            inversions: board.inversions(),
            blank_row: board.blank_row_from_bottom(),
            parity: board.parity(),
            goal_parity: goal.parity(),
            reason: texts.reason,
            hint,
            error: None,
        }
    }
}
