//! Fields that hold words.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use taquin::heuristic;
use taquin::notation::{BoardForm, MoveNotation, MoveStyle};
use taquin::search::{Algorithm, Cost, PruneReason};
use taquin::tables::Tier;
use taquin::{Limit, Metric, Move, Named, Slide};

/// A field that holds the name of something.
///
/// ```
/// use taquin::Metric;
/// use taquin_records::Word;
///
/// assert_eq!(serde_json::to_string(&Word(Metric::Multi))?, r#""multi""#);
/// assert_eq!(serde_json::from_str::<Word<Metric>>(r#""single""#)?, Word(Metric::Single));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word<T>(pub T);

// Fields have these types because a schema derived from `Word<Metric>` would need one of `Metric`.
/// The name of an algorithm of the laboratory.
pub type AlgorithmWord = Word<Algorithm>;
/// The name of what moves cost.
pub type CostWord = Word<Cost>;
/// The name of a form of boards.
pub type FormWord = Word<BoardForm>;
/// The name of a limit.
pub type LimitWord = Word<Limit>;
/// The name of a metric.
pub type MetricWord = Word<Metric>;
/// The name of a notation of moves.
pub type NotationWord = Word<MoveNotation>;
/// The name of a reason why a node is not followed.
pub type ReasonWord = Word<PruneReason>;
/// The name of a style of directions.
pub type StyleWord = Word<MoveStyle>;
/// The name of a tier of tables.
pub type TierWord = Word<Tier>;

impl<T> From<T> for Word<T> {
    fn from(named: T) -> Self {
        Self(named)
    }
}

/// Prints the name.
impl<T: Named> fmt::Display for Word<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.name())
    }
}

impl<T: Named> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de, T: Named> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        name.parse().map(Self).map_err(de::Error::custom)
    }
}

/// Prints what is serialised: the word.
macro_rules! display_word {
    ($($type:ty),*) => {$(
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.serialize(f)
            }
        }
    )*};
}

display_word!(Direction, Line, Status, TraceLimit);

/// What came of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The goal is reached.
    Solved,
    /// No moves lead to the goal.
    Unsolvable,
    /// A limit was hit first.
    Limit,
    /// The board or what belongs to it could not be read.
    Error,
}

/// Where a tile slides to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Direction {
    /// Up.
    #[serde(rename = "U")]
    Up,
    /// Down.
    #[serde(rename = "D")]
    Down,
    /// To the left.
    #[serde(rename = "L")]
    Left,
    /// To the right.
    #[serde(rename = "R")]
    Right,
}

impl From<Move> for Direction {
    fn from(direction: Move) -> Self {
        match direction {
            Move::Up => Self::Up,
            Move::Down => Self::Down,
            Move::Left => Self::Left,
            Move::Right => Self::Right,
        }
    }
}

/// A move in a field: the direction in which tiles slide, and how many they are if there are
/// several, as in `R` and `R3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SlideWord(pub Slide);

impl fmt::Display for SlideWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for SlideWord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A kind of line of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// From left to right.
    Row,
    /// From top to bottom.
    Column,
}

impl From<heuristic::Line> for Line {
    fn from(line: heuristic::Line) -> Self {
        match line {
            heuristic::Line::Row(_) => Self::Row,
            heuristic::Line::Column(_) => Self::Column,
        }
    }
}

/// What an improvement tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ImprovementEvent {
    /// Something better is known.
    #[default]
    Improved,
}

/// What stopped a search that is traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TraceLimit {
    /// A limit of the search.
    Search(Limit),
    /// There were more events than wanted.
    Events,
}

impl TraceLimit {
    /// The word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Search(limit) => limit.name(),
            Self::Events => "events",
        }
    }

    /// All words.
    #[cfg(feature = "openapi")]
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        Limit::names().chain([Self::Events.name()])
    }
}

impl Serialize for TraceLimit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
