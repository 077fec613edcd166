//! What heuristics say of a board.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use taquin::heuristic::{
    self, Breakdown, HeuristicKind, LineConflict, PatternBreakdown, SlideBreakdown,
};
use taquin::search::Counting;
use taquin::{Board, Tile, Unsolvable};

#[cfg(feature = "openapi")]
use crate::openapi::{Pair, UnsolvableWord};
use crate::word::{CostWord, Line, MetricWord, Status, Word};

/// What each heuristic says of a board, and where it comes from.
///
/// Rows, columns and cells are counted from 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Estimate<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// `unsolvable`, or `null` because nothing has been solved.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<UnsolvableWord>, required))]
    pub status: Option<Status>,
    /// What counts as a move in the values and in the walking distance.
    pub metric: MetricWord,
    /// What moves cost.
    pub costs: CostWord,
    /// The values by name.
    pub estimates: Estimates,
    /// How far each tile is from home.
    pub tiles: Vec<TileEstimate>,
    /// The lines in which tiles conflict.
    pub conflicts: Vec<Conflict<'a>>,
    /// The two halves of the walking distance.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub walking_distance: Option<Halves<'a>>,
    /// What the moves of single tiles say of slides; `null` in single-tile moves.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub slides: Option<Slides>,
    /// Why there is no walking distance.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub infeasible: Option<Cow<'a, str>>,
    /// The pattern databases that were asked for, pattern by pattern.
    pub patterns: Vec<Patterns>,
    /// Why the board is unsolvable.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub reason: Option<Cow<'a, str>>,
}

impl<'a> Estimate<'a> {
    /// The record of a board, why it is unsolvable if it is, the parts of the estimates and the
    /// estimates.
    #[must_use]
    pub fn new(
        board: &Board,
        goal: impl Into<Cow<'a, str>>,
        unsolvable: Option<&Unsolvable>,
        counting: impl Into<Counting>,
        parts: &'a Breakdown,
        estimates: Estimates,
    ) -> Self {
        let counting = counting.into();
        let infeasible = parts.walking_distance.err();
        Self {
            board: board.to_string().into(),
            size: board.size().to_string().into(),
            goal: goal.into(),
            status: unsolvable.map(|_| Status::Unsolvable),
            metric: Word(counting.metric()),
            costs: Word(counting.cost()),
            estimates,
            tiles: parts.tiles.iter().map(Into::into).collect(),
            conflicts: parts.conflicts.iter().map(Into::into).collect(),
            walking_distance: Halves::of(parts),
            slides: parts.slides.as_ref().map(Into::into),
            infeasible: infeasible.map(|error| error.to_string().into()),
            patterns: Vec::new(),
            reason: unsolvable.map(|unsolvable| unsolvable.to_string().into()),
        }
    }

    /// Adds what pattern databases say.
    #[must_use]
    pub fn with_patterns(mut self, patterns: &[PatternBreakdown]) -> Self {
        self.patterns = patterns.iter().map(Into::into).collect();
        self
    }
}

/// The values by name, weak ones first; `None` for what cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimates(pub Vec<(HeuristicKind, Option<u32>)>);

impl Estimates {
    /// The values that a breakdown tells.
    #[must_use]
    pub fn of(parts: &Breakdown) -> Self {
        let of = |kind| {
            let value = match kind {
                HeuristicKind::Zero => Some(0),
                HeuristicKind::Hamming => Some(parts.hamming),
                HeuristicKind::Manhattan => Some(parts.manhattan),
                HeuristicKind::LinearConflict => Some(parts.linear_conflict),
                HeuristicKind::WalkingDistance => parts.walking(),
                HeuristicKind::Max => parts.max(),
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
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TileEstimate {
    /// The tile.
    #[cfg_attr(feature = "openapi", schema(value_type = u16))]
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
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Conflict<'a> {
    /// `row` or `column`.
    pub line: Line,
    /// Which one.
    pub index: usize,
    /// The tiles in it that belong to it, in their order on the board.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u16>))]
    pub own: Cow<'a, [Tile]>,
    /// The pairs of them in the wrong order: first as they are on the board.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Pair>))]
    pub pairs: Cow<'a, [(Tile, Tile)]>,
    /// A smallest set of tiles without which all pairs are gone.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u16>))]
    pub leaving: Cow<'a, [Tile]>,
    /// What this adds to Manhattan distance.
    pub added: u32,
}

impl<'a> From<&'a LineConflict> for Conflict<'a> {
    fn from(conflict: &'a LineConflict) -> Self {
        let (heuristic::Line::Row(index) | heuristic::Line::Column(index)) = conflict.line;
        Self {
            line: conflict.line.into(),
            index,
            own: (&conflict.own).into(),
            pairs: (&conflict.pairs).into(),
            leaving: (&conflict.leaving).into(),
            added: conflict.added,
        }
    }
}

/// The two halves of the walking distance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Halves<'a> {
    /// The moves up and down.
    pub vertical: u16,
    /// The moves to the left and right.
    pub horizontal: u16,
    /// For each row how many of its tiles belong to each row.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Vec<usize>>))]
    pub rows: Cow<'a, [Vec<usize>]>,
    /// For each column how many of its tiles belong to each column.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Vec<usize>>))]
    pub columns: Cow<'a, [Vec<usize>]>,
}

impl<'a> Halves<'a> {
    /// The halves that a breakdown tells; `None` if there are too many states.
    #[must_use]
    pub fn of(parts: &'a Breakdown) -> Option<Self> {
        let halves = parts.walking_distance.ok()?;
        Some(Self {
            vertical: halves.vertical,
            horizontal: halves.horizontal,
            rows: (&parts.rows).into(),
            columns: (&parts.columns).into(),
        })
    }
}

/// How many slides the moves of single tiles take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Slides {
    /// Up and down.
    pub vertical: LineSlides,
    /// To the left and right.
    pub horizontal: LineSlides,
}

/// How many slides along rows, or along columns, the moves of single tiles take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LineSlides {
    /// The cells between all tiles and their homes, this way.
    pub distance: u32,
    /// The same, and two for each tile that must leave its own line.
    pub moves: u32,
    /// The most tiles of one slide.
    pub most_tiles: u32,
    /// The slides that it takes for these moves, at least.
    pub slides: u32,
}

impl From<&SlideBreakdown> for Slides {
    fn from(parts: &SlideBreakdown) -> Self {
        let (vertical, horizontal) = parts.slides(parts.moves);
        Self {
            vertical: LineSlides {
                distance: parts.distances.vertical,
                moves: parts.moves.vertical,
                most_tiles: parts.most_tiles.vertical,
                slides: vertical,
            },
            horizontal: LineSlides {
                distance: parts.distances.horizontal,
                moves: parts.moves.horizontal,
                most_tiles: parts.most_tiles.horizontal,
                slides: horizontal,
            },
        }
    }
}

/// What pattern databases say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Patterns {
    /// The heuristic's name.
    pub heuristic: String,
    /// The largest value of its sets; `null` if tiles cannot get home.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub value: Option<u32>,
    /// The sets of patterns.
    pub sets: Vec<PatternSet>,
}

impl From<&PatternBreakdown> for Patterns {
    fn from(parts: &PatternBreakdown) -> Self {
        Self {
            heuristic: HeuristicKind::Patterns(parts.choice).name().into_owned(),
            value: parts.value,
            sets: parts.sums.iter().map(Into::into).collect(),
        }
    }
}

/// Patterns whose values are added up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PatternSet {
    /// Whether the board is looked at in a mirror.
    pub reflected: bool,
    /// The sum; `null` if tiles cannot get home.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub value: Option<u32>,
    /// The patterns.
    pub parts: Vec<PatternPart>,
}

impl From<&heuristic::PatternSum> for PatternSet {
    fn from(sum: &heuristic::PatternSum) -> Self {
        Self {
            reflected: sum.reflected,
            value: sum.value,
            parts: sum.parts.iter().map(Into::into).collect(),
        }
    }
}

/// The tiles of a pattern and the number that was looked up for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PatternPart {
    /// Its tiles, as they are called on the board.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u16>))]
    pub tiles: Vec<Tile>,
    /// The moves of these tiles, at least; `null` if they cannot get home.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub value: Option<u32>,
}

impl From<&heuristic::PatternPart> for PatternPart {
    fn from(part: &heuristic::PatternPart) -> Self {
        Self {
            tiles: part.tiles.clone(),
            value: part.value,
        }
    }
}
