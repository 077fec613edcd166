//! A random board.

use std::borrow::Cow;

use serde::Serialize;
use taquin::Board;

/// A random board, and how to draw it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Scramble<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// The seed that it was drawn from.
    pub seed: u64,
    /// Which board of this seed it is, from 0.
    pub index: u64,
    /// The length of the walk from the goal, if it was one.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub walk: Option<usize>,
}

impl<'a> Scramble<'a> {
    /// The record of a board that was drawn. The size and the goal are texts, because programs that
    /// draw many boards write them once.
    #[must_use]
    pub fn new(
        board: &Board,
        size: impl Into<Cow<'a, str>>,
        goal: impl Into<Cow<'a, str>>,
        seed: u64,
        index: u64,
        walk: Option<usize>,
    ) -> Self {
        Self {
            board: board.to_string().into(),
            size: size.into(),
            goal: goal.into(),
            seed,
            index,
            walk,
        }
    }
}
