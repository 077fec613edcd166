//! What heuristics say of a board.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use taquin::heuristic::{self, Breakdown, HeuristicKind, Line, LineConflict, WalkingHalves};
use taquin::search::Cost;
use taquin::{Board, Solvability, Tile};

use crate::status::UNSOLVABLE;

/// What each heuristic says of a board, and where it comes from.
///
/// Rows, columns and cells are counted from 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// `unsolvable`, or `null` because nothing has been solved.
    pub status: Option<&'static str>,
    /// What moves cost.
    pub costs: &'static str,
    /// The values by name.
    pub estimates: Estimates,
    /// How far each tile is from home.
    pub tiles: Vec<TileEstimate>,
    /// The lines in which tiles conflict.
    pub conflicts: Vec<Conflict<'a>>,
    /// The two halves of the walking distance.
    pub walking_distance: Option<Halves>,
    /// Why there is no walking distance.
    pub infeasible: Option<Cow<'a, str>>,
    /// Why the board is unsolvable.
    pub reason: Option<Cow<'a, str>>,
}

impl<'a> Estimate<'a> {
    /// The record of a board, the verdict on it, the parts of the estimates and the estimates.
    #[must_use]
    pub fn new(
        board: &Board,
        goal: impl Into<Cow<'a, str>>,
        verdict: Solvability,
        cost: Cost,
        parts: &'a Breakdown,
        estimates: Estimates,
    ) -> Self {
        let solvable = verdict.is_solvable();
        let infeasible = parts.walking_distance.err();
        Self {
            board: board.to_string().into(),
            size: board.size().to_string().into(),
            goal: goal.into(),
            status: (!solvable).then_some(UNSOLVABLE),
            costs: cost.name(),
            estimates,
            tiles: parts.tiles.iter().map(Into::into).collect(),
            conflicts: parts.conflicts.iter().map(Into::into).collect(),
            walking_distance: parts.walking_distance.ok().map(Into::into),
            infeasible: infeasible.map(|error| error.to_string().into()),
            reason: (!solvable).then(|| verdict.to_string().into()),
        }
    }
}

/// The values by name, weak ones first; `None` for what cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimates(pub Vec<(HeuristicKind, Option<u32>)>);

impl Estimates {
    /// The values that a breakdown tells.
    #[must_use]
    pub fn of(parts: &Breakdown) -> Self {
        let walking = parts.walking_distance.ok().map(WalkingHalves::sum);
        let of = |kind| {
            let value = match kind {
                HeuristicKind::Zero => Some(0),
                HeuristicKind::Hamming => Some(parts.hamming),
                HeuristicKind::Manhattan => Some(parts.manhattan),
                HeuristicKind::LinearConflict => Some(parts.linear_conflict),
                HeuristicKind::WalkingDistance => walking,
                HeuristicKind::Max => walking.map(|_| parts.best()),
                // Those that are not part of the breakdown.
                _ => None,
            };
            (kind, value)
        };
        Self(HeuristicKind::ALL.into_iter().map(of).collect())
    }

    /// Adds what a heuristic says that is not part of the breakdown.
    pub fn push(&mut self, kind: HeuristicKind, value: u32) {
        // Nothing can be said of what has no end.
        let value = (value < u32::MAX).then_some(value);
        self.0.push((kind, value));
    }
}

impl Serialize for Estimates {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(kind, value)| (kind.name(), value)))
    }
}

/// How far one tile is from home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TileEstimate {
    /// The tile.
    pub tile: Tile,
    /// The cell that it is on.
    pub cell: usize,
    /// The cell that the goal has it on.
    pub home: usize,
    /// The rows and columns between the two.
    pub distance: u32,
    /// What each of its moves counts: 1, or with heavy costs its number.
    pub weight: u32,
}

impl From<&heuristic::TileEstimate> for TileEstimate {
    fn from(tile: &heuristic::TileEstimate) -> Self {
        Self {
            tile: tile.tile,
            cell: tile.cell,
            home: tile.home,
            distance: tile.distance,
            weight: tile.weight,
        }
    }
}

/// The tiles of a line that stand in one another's way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conflict<'a> {
    /// `row` or `column`.
    pub line: &'static str,
    /// Which one.
    pub index: usize,
    /// The tiles in it that belong to it, in their order on the board.
    pub own: Cow<'a, [Tile]>,
    /// The pairs of them in the wrong order: first as they are on the board.
    pub pairs: Cow<'a, [(Tile, Tile)]>,
    /// A smallest set of tiles without which all pairs are gone.
    pub leaving: Cow<'a, [Tile]>,
    /// What this adds to Manhattan distance.
    pub added: u32,
}

impl<'a> From<&'a LineConflict> for Conflict<'a> {
    fn from(conflict: &'a LineConflict) -> Self {
        let (line, index) = match conflict.line {
            Line::Row(index) => ("row", index),
            Line::Column(index) => ("column", index),
        };
        Self {
            line,
            index,
            own: (&conflict.own).into(),
            pairs: (&conflict.pairs).into(),
            leaving: (&conflict.leaving).into(),
            added: conflict.added,
        }
    }
}

/// The two halves of the walking distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Halves {
    /// The moves up and down.
    pub vertical: u16,
    /// The moves to the left and right.
    pub horizontal: u16,
}

impl From<WalkingHalves> for Halves {
    fn from(halves: WalkingHalves) -> Self {
        Self {
            vertical: halves.vertical,
            horizontal: halves.horizontal,
        }
    }
}
