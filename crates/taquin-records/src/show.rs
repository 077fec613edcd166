//! A board as numbers.

use std::borrow::Cow;

use serde::Serialize;
use taquin::{Board, Tile};

/// A board as numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Show<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The tiles of each row, 0 for the blank.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Vec<u16>>))]
    pub rows: Vec<Vec<Tile>>,
}

impl Show<'_> {
    /// The record of a board.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let tiles: Vec<Tile> = board.tiles().collect();
        let rows = tiles.chunks(board.size().columns());
        Self {
            board: board.to_string().into(),
            size: board.size().to_string().into(),
            rows: rows.map(<[Tile]>::to_vec).collect(),
        }
    }
}
