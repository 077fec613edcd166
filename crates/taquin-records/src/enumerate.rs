//! Every board of a small puzzle, counted.

use std::borrow::Cow;
use std::time::Duration;

use serde::Serialize;
use taquin::Board;
use taquin::space::{Atlas, Census, Space, Summary, Tally};

use crate::figures::{milliseconds, rounded};
use crate::word::{MetricWord, Word};

/// The boards of a small puzzle, counted by how far they are from the goal.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Enumerate<'a> {
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// What counts as a move.
    pub metric: MetricWord,
    /// Boards from which the goal can be reached.
    pub boards: u64,
    /// Boards at distance 0, 1, 2 and so on.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u64>))]
    pub counts: Cow<'a, [u64]>,
    /// The largest distance.
    pub farthest: u32,
    /// The boards there, in the order of their tiles: [`Atlas::MAX_LISTED`] at most.
    pub farthest_boards: Vec<String>,
    /// The mean distance.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub mean: Option<f64>,
    /// The standard deviation of the distances.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub deviation: Option<f64>,
    /// The median distance.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub median: Option<u32>,
    /// The boards counted for each cell of the blank, in reading order.
    pub by_blank: Vec<BlankCell<'a>>,
    /// The time of the search; `null` if the answer was stored.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub time_ms: Option<f64>,
}

/// The boards whose blank is in one cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BlankCell<'a> {
    /// From 0, in reading order.
    pub cell: usize,
    /// How many boards there are.
    pub boards: u64,
    /// Boards at distance 0, 1, 2 and so on.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u64>))]
    pub counts: Cow<'a, [u64]>,
    /// The mean distance.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub mean: Option<f64>,
    /// The standard deviation of the distances.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub deviation: Option<f64>,
    /// The largest distance.
    pub farthest: u32,
}

impl<'a> Enumerate<'a> {
    /// The record of a whole space, and how long it was searched if it was.
    #[must_use]
    pub fn new(atlas: &'a Atlas, goal: impl Into<Cow<'a, str>>, time: Option<Duration>) -> Self {
        let (space, census) = (atlas.space(), atlas.census());
        Self::of(space, census, atlas.farthest(), goal.into(), time)
    }

    /// The record of what was kept of a whole space.
    #[must_use]
    pub fn of_summary(
        summary: &'a Summary,
        goal: impl Into<Cow<'a, str>>,
        time: Option<Duration>,
    ) -> Self {
        let (space, census) = (summary.space(), summary.census());
        Self::of(space, census, summary.farthest(), goal.into(), time)
    }

    fn of(
        space: &Space,
        census: &'a Census,
        farthest: &[Board],
        goal: Cow<'a, str>,
        time: Option<Duration>,
    ) -> Self {
        let tally = census.all();
        let cells = census.by_blank().iter().enumerate();
        Self {
            size: space.goal().size().to_string().into(),
            goal,
            metric: Word(space.metric()),
            boards: tally.boards(),
            counts: tally.counts().into(),
            farthest: tally.farthest(),
            farthest_boards: farthest.iter().map(Board::to_string).collect(),
            mean: tally.mean().map(rounded),
            deviation: tally.deviation().map(rounded),
            median: tally.median(),
            by_blank: cells
                .map(|(cell, tally)| BlankCell::new(cell, tally))
                .collect(),
            time_ms: time.map(milliseconds),
        }
    }
}

impl<'a> BlankCell<'a> {
    /// The record of the boards whose blank is in a cell.
    #[must_use]
    pub fn new(cell: usize, tally: &'a Tally) -> Self {
        Self {
            cell,
            boards: tally.boards(),
            counts: tally.counts().into(),
            mean: tally.mean().map(rounded),
            deviation: tally.deviation().map(rounded),
            farthest: tally.farthest(),
        }
    }
}
