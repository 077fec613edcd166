//! What the cost of a solution counts.

use thiserror::Error;

use super::Cost;
use crate::{Board, Metric, Move};

/// What the cost of a solution counts: a [`Metric`] with the [`Cost`] of its moves.
///
/// ```
/// use taquin::Metric;
/// use taquin::search::{Cost, Counting};
///
/// assert_eq!(Counting::from(Cost::Tile), Counting::Tiles);
/// assert_eq!(Counting::from(Metric::Multi), Counting::Slides);
/// assert!(Counting::new(Metric::Multi, Cost::Tile).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Counting {
    /// Moves of one tile.
    #[default]
    Moves,
    /// The numbers of the tiles that move one by one.
    Tiles,
    /// Slides of one or more tiles in a line.
    Slides,
}

/// Costs by tile were asked for in multi-tile moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a multi-tile move always costs 1; costs by tile go with single-tile moves")]
pub struct HeavySlidesError;

impl Counting {
    /// What a metric and a cost count together. Slides of several tiles have no costs by tile.
    pub const fn new(metric: Metric, cost: Cost) -> Result<Self, HeavySlidesError> {
        match (metric, cost) {
            (Metric::Single, Cost::Unit) => Ok(Self::Moves),
            (Metric::Single, Cost::Tile) => Ok(Self::Tiles),
            (Metric::Multi, Cost::Unit) => Ok(Self::Slides),
            (Metric::Multi, Cost::Tile) => Err(HeavySlidesError),
        }
    }

    /// What counts as a move.
    #[must_use]
    pub const fn metric(self) -> Metric {
        match self {
            Self::Moves | Self::Tiles => Metric::Single,
            Self::Slides => Metric::Multi,
        }
    }

    /// What a move costs.
    #[must_use]
    pub const fn cost(self) -> Cost {
        match self {
            Self::Moves | Self::Slides => Cost::Unit,
            Self::Tiles => Cost::Tile,
        }
    }

    /// What moves from a board cost together, as far as they are possible.
    pub(crate) fn of(self, board: &Board, moves: &[Move]) -> u32 {
        match self {
            Self::Moves => moves.len() as u32,
            Self::Slides => moves.chunk_by(|a, b| a == b).count() as u32,
            Self::Tiles => {
                let mut there = board.clone();
                let slide = |&m: &Move| there.slide(m).ok();
                moves.iter().map_while(slide).map(u32::from).sum()
            }
        }
    }
}

/// Single-tile moves with these costs.
impl From<Cost> for Counting {
    fn from(cost: Cost) -> Self {
        match cost {
            Cost::Unit => Self::Moves,
            Cost::Tile => Self::Tiles,
        }
    }
}

/// Moves of this metric, which cost 1.
impl From<Metric> for Counting {
    fn from(metric: Metric) -> Self {
        match metric {
            Metric::Single => Self::Moves,
            Metric::Multi => Self::Slides,
        }
    }
}
