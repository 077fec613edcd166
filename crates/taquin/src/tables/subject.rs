//! What a table is of.

use std::fmt;

use super::{ClassKey, Key};
use crate::{Metric, Size};

/// What a table is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TableSubject {
    /// Some tiles: a pattern database.
    Pattern(Key),
    /// All tiles: the distances of every board.
    Space(SpaceKey),
    /// Coloured tiles: the distances of classes of boards in multi-tile moves.
    Classes(ClassKey),
}

/// A whole space: the puzzle, by its size and the home of its blank, and what counts as a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SpaceKey {
    /// The size of the board, with at most as many rows as columns.
    pub size: Size,
    /// The goal's blank cell.
    pub blank: usize,
    /// What counts as a move.
    pub metric: Metric,
}

impl TableSubject {
    /// The size of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        match self {
            Self::Pattern(key) => key.size(),
            Self::Space(key) => key.size,
            Self::Classes(key) => key.size(),
        }
    }

    /// The key of a pattern database; `None` if it is none.
    #[must_use]
    pub const fn pattern(self) -> Option<Key> {
        match self {
            Self::Pattern(key) => Some(key),
            Self::Space(_) | Self::Classes(_) => None,
        }
    }

    /// The goal's blank cell.
    #[must_use]
    pub const fn blank(&self) -> usize {
        match self {
            Self::Pattern(key) => key.blank(),
            Self::Space(key) => key.blank,
            Self::Classes(key) => key.blank(),
        }
    }
}

impl From<Key> for TableSubject {
    fn from(key: Key) -> Self {
        Self::Pattern(key)
    }
}

impl From<&Key> for TableSubject {
    fn from(key: &Key) -> Self {
        Self::Pattern(*key)
    }
}

impl From<ClassKey> for TableSubject {
    fn from(key: ClassKey) -> Self {
        Self::Classes(key)
    }
}

impl From<SpaceKey> for TableSubject {
    fn from(key: SpaceKey) -> Self {
        Self::Space(key)
    }
}

/// As messages call it.
impl fmt::Display for TableSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern(key) => {
                let (tiles, size) = (key.pattern().tiles(), key.size());
                write!(f, "the table of {tiles} tiles on {size}")
            }
            Self::Space(SpaceKey { size, metric, .. }) => {
                write!(
                    f,
                    "the table of all boards of {size} in {metric}-tile moves",
                    metric = metric.name()
                )
            }
            Self::Classes(key) => {
                write!(f, "the table of multi-tile moves {key} on {}", key.size())
            }
        }
    }
}
