//! How far a board is from the goal.

use std::borrow::Cow;

use serde::Serialize;
use taquin::space::{Atlas, DistanceError, Slide};
use taquin::{Board, Metric, Tile, Unsolvable};

use crate::apply::Lengths;
#[cfg(feature = "openapi")]
use crate::openapi::VerdictWord;
use crate::word::{Direction, MetricWord, NotationWord, Status, Word};
use crate::writing::Writing;

/// How far a board is from the goal, and every best first move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Distance<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// `solved` or `unsolvable`.
    #[cfg_attr(feature = "openapi", schema(value_type = VerdictWord))]
    pub status: Status,
    /// Moves that the board needs.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub distance: Option<u32>,
    /// All first moves of shortest solutions, none on the goal.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub first_moves: Option<Vec<FirstMove>>,
    /// A shortest solution, if it was asked for.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub moves: Option<Cow<'a, str>>,
    /// How many moves that solution has in either metric. Only the length in `metric` is proven to
    /// be the shortest.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub lengths: Option<Lengths>,
    /// What the moves stand for.
    pub notation: NotationWord,
    /// What counts as a move.
    pub metric: MetricWord,
    /// Why the board is unsolvable.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub reason: Option<Cow<'a, str>>,
    /// What is wrong with the board.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub error: Option<Cow<'a, str>>,
}

impl<'a> Distance<'a> {
    /// The record of a board that is looked up, with a solution if it is wanted.
    pub fn look_up(
        board: &Board,
        goal: impl Into<Cow<'a, str>>,
        atlas: &Atlas,
        writing: Writing,
        with_solution: bool,
    ) -> Result<Self, DistanceError> {
        let solution = with_solution.then(|| atlas.solution(board)).transpose()?;
        let first = atlas.best(board)?;
        let first = first
            .iter()
            .map(|slide| FirstMove::new(board, slide, writing));
        Ok(Self {
            status: Status::Solved,
            distance: Some(atlas.distance(board)?),
            first_moves: Some(first.collect()),
            lengths: solution.as_ref().map(|moves| Lengths::of(moves)),
            moves: solution.map(|moves| writing.text(board, &moves).into()),
            ..Self::blank(board, goal.into(), atlas.space().metric(), writing)
        })
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
            distance: None,
            first_moves: None,
            moves: None,
            lengths: None,
            notation: Word(writing.notation),
            metric: Word(metric),
            reason: None,
            error: None,
        }
    }
}

/// A first move of a shortest solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FirstMove {
    /// In the notation asked for, once for each tile.
    #[serde(rename = "move")]
    pub written: String,
    /// Where the tiles slide to: `U`, `D`, `L` or `R`.
    pub direction: Direction,
    /// The tile beside the blank.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
    pub tile: Tile,
    /// All tiles that slide, from the blank on.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u16>))]
    pub tiles: Vec<Tile>,
}

impl FirstMove {
    /// The record of a move on a board.
    #[must_use]
    pub fn new(board: &Board, slide: &Slide, writing: Writing) -> Self {
        let moves: Vec<_> = slide.moves().collect();
        let mut after = board.clone();
        let slid = moves.iter().map_while(|&m| after.slide(m).ok());
        let tiles: Vec<Tile> = slid.collect();
        Self {
            written: writing.text(board, &moves),
            direction: slide.direction.into(),
            tile: tiles.first().copied().unwrap_or(0),
            tiles,
        }
    }
}
