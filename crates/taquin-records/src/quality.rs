//! How good a heuristic is.

use std::borrow::Cow;

use serde::Serialize;
use taquin::space::{self, Inconsistent, Space, Underestimate};

use crate::figures::rounded;
use crate::word::{MetricWord, SlideWord, Word};

/// A heuristic against the true distances, over every board of a small puzzle.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Quality<'a> {
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// What counts as a move.
    pub metric: MetricWord,
    /// The heuristic.
    pub heuristic: Cow<'a, str>,
    /// Boards from which the goal can be reached.
    pub boards: u64,
    /// Moves between two of these boards, either way counted once.
    pub moves: u64,
    /// The mean estimate.
    pub mean_h: f64,
    /// The mean distance.
    pub mean_distance: f64,
    /// The mean of the distance less the estimate.
    pub mean_error: f64,
    /// The share of boards whose estimate is their distance.
    pub exact: f64,
    /// The board that is underestimated most.
    pub worst: Estimated,
    /// Whether no board is overestimated.
    pub admissible: bool,
    /// Whether no move changes the estimate by more than one.
    pub consistent: bool,
    /// What disproves one of the two; `null` if both hold.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub counterexamples: Option<Counterexamples>,
    /// For each distance how many boards have h 0, 1, 2 and so on.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Vec<u64>>))]
    pub pairs: Cow<'a, [Vec<u64>]>,
}

impl<'a> Quality<'a> {
    /// The record of a heuristic that was measured on all boards of a space.
    #[must_use]
    pub fn new(space: &Space, goal: impl Into<Cow<'a, str>>, measured: &'a space::Quality) -> Self {
        let admissible = measured.inadmissible().map(Estimated::from);
        let consistent = measured.inconsistent().map(Step::from);
        Self {
            size: space.goal().size().to_string().into(),
            goal: goal.into(),
            metric: Word(space.metric()),
            heuristic: measured.kind().name(),
            boards: measured.boards(),
            moves: space.moves(),
            mean_h: rounded(measured.mean_estimate()),
            mean_distance: rounded(measured.mean_distance()),
            mean_error: rounded(measured.mean_error()),
            exact: rounded(measured.exact()),
            worst: measured.worst().into(),
            admissible: admissible.is_none(),
            consistent: consistent.is_none(),
            counterexamples: (admissible.is_some() || consistent.is_some()).then_some(
                Counterexamples {
                    admissible,
                    consistent,
                },
            ),
            pairs: measured.pairs().into(),
        }
    }
}

/// A board with its distance and its estimate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Estimated {
    /// The board, in the form `rows`.
    pub board: String,
    /// Its distance.
    pub distance: u32,
    /// Its estimate.
    pub h: u32,
}

impl From<&Underestimate> for Estimated {
    fn from(found: &Underestimate) -> Self {
        Self {
            board: found.board.to_string(),
            distance: found.distance,
            h: found.estimate,
        }
    }
}

/// What disproves that a heuristic is admissible or consistent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Counterexamples {
    /// A board that is overestimated.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub admissible: Option<Estimated>,
    /// A move that changes the estimate by more than one.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub consistent: Option<Step>,
}

/// A move that changes an estimate too much.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Step {
    /// The board before it, in the form `rows`.
    pub board: String,
    /// The move: `U`, `D`, `L` or `R`, the direction of the tile, and in multi-tile moves the number
    /// of tiles if there are several, as in `U2`.
    #[serde(rename = "move")]
    pub written: SlideWord,
    /// The estimate before it.
    pub h: u32,
    /// The estimate after it.
    pub h_after: u32,
}

impl From<&Inconsistent> for Step {
    fn from(found: &Inconsistent) -> Self {
        Self {
            board: found.board.to_string(),
            written: SlideWord(found.slide),
            h: found.estimates.0,
            h_after: found.estimates.1,
        }
    }
}
