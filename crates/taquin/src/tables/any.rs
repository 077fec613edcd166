//! Tables of either metric: which ones a goal uses, and the tables themselves.

use super::{
    Catalogue, ClassCatalogue, ClassKey, ClassTables, KeyError, TableSet, TableSubject, Tier,
};
use crate::{Board, Metric, Size};

/// The tables that a puzzle uses in a metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyCatalogue {
    /// Pattern databases, for single-tile moves.
    Patterns(Catalogue),
    /// Classes of coloured boards, for multi-tile moves.
    Classes(ClassCatalogue),
}

/// The tables of a catalogue, ready to be looked up. A clone shares them.
#[derive(Clone, Debug)]
pub enum AnyTables {
    /// Pattern databases, for single-tile moves.
    Patterns(TableSet),
    /// Classes of coloured boards, for multi-tile moves.
    Classes(ClassTables),
}

impl AnyCatalogue {
    /// The catalogue of the canonical puzzle that a goal [reduces](crate::Reduction) to.
    ///
    /// ```
    /// use taquin::tables::{AnyCatalogue, Tier};
    /// use taquin::{Goal, Metric};
    ///
    /// let goal = Goal::Classic.board("5x5".parse()?)?;
    /// assert!(AnyCatalogue::for_goal(&goal, Metric::Single, Tier::Quick).is_ok());
    /// let refused = AnyCatalogue::for_goal(&goal, Metric::Multi, Tier::Quick);
    /// assert!(refused.is_err_and(|error| error.to_string().contains("up to 16 cells")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_goal(goal: &Board, metric: Metric, tier: Tier) -> Result<Self, KeyError> {
        Ok(match metric {
            Metric::Single => Self::Patterns(Catalogue::for_goal(goal, tier)?),
            Metric::Multi => Self::Classes(ClassCatalogue::for_goal(goal, tier)?),
        })
    }

    /// The size of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        match self {
            Self::Patterns(catalogue) => catalogue.size(),
            Self::Classes(catalogue) => catalogue.size(),
        }
    }

    /// Every table that it needs, once.
    #[must_use]
    pub fn subjects(&self) -> Vec<TableSubject> {
        match self {
            Self::Patterns(catalogue) => catalogue.keys().iter().map(Into::into).collect(),
            Self::Classes(catalogue) => catalogue.keys().iter().map(|&key| key.into()).collect(),
        }
    }
}

impl AnyTables {
    /// The metric that they are for.
    #[must_use]
    pub const fn metric(&self) -> Metric {
        match self {
            Self::Patterns(_) => Metric::Single,
            Self::Classes(_) => Metric::Multi,
        }
    }

    /// The size of the board, and the home of its blank.
    pub(crate) const fn puzzle(&self) -> (Size, usize) {
        match self {
            Self::Patterns(tables) => (tables.size(), tables.blank()),
            Self::Classes(tables) => (tables.size(), tables.blank()),
        }
    }

    /// How many tables there are.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::Patterns(tables) => tables.tables().count(),
            Self::Classes(tables) => tables.catalogue().keys().len(),
        }
    }

    /// How many bytes the tables themselves have.
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        match self {
            Self::Patterns(set) => set.tables().map(|table| table.bytes().len() as u64).sum(),
            Self::Classes(set) => set.catalogue().keys().iter().map(ClassKey::bytes).sum(),
        }
    }

    /// How many bytes they take: the tables, and what numbers their states.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Patterns(tables) => tables.bytes(),
            Self::Classes(tables) => tables.bytes(),
        }
    }
}

impl From<Catalogue> for AnyCatalogue {
    fn from(catalogue: Catalogue) -> Self {
        Self::Patterns(catalogue)
    }
}

impl From<ClassCatalogue> for AnyCatalogue {
    fn from(catalogue: ClassCatalogue) -> Self {
        Self::Classes(catalogue)
    }
}

impl From<&TableSet> for AnyTables {
    fn from(tables: &TableSet) -> Self {
        Self::Patterns(tables.clone())
    }
}

impl From<&ClassTables> for AnyTables {
    fn from(tables: &ClassTables) -> Self {
        Self::Classes(tables.clone())
    }
}

impl From<&Self> for AnyTables {
    fn from(tables: &Self) -> Self {
        tables.clone()
    }
}
