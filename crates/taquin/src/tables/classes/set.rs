//! The tables of multi-tile moves that a puzzle uses, in memory.

use std::sync::Arc;

use super::{ClassCatalogue, ClassIndexer, ClassIndexers, ClassKey, ClassTable};
use crate::Size;
use crate::outcome::Budget;
use crate::tables::{BuildError, ChangedTableError};

/// The tables of a catalogue, ready to be looked up. A clone shares them.
#[derive(Clone, Debug)]
pub struct ClassTables {
    catalogue: ClassCatalogue,
    pub(crate) tables: Vec<Arc<ClassTable>>,
}

impl ClassTables {
    /// Gets every table of a catalogue from `get`, which may build it or read it.
    pub(crate) fn new<E>(
        catalogue: ClassCatalogue,
        mut get: impl FnMut(ClassKey, ClassIndexer) -> Result<ClassTable, E>,
    ) -> Result<Self, E> {
        let mut indexers = ClassIndexers::new(catalogue.size());
        let mut tables = Vec::new();
        for &key in catalogue.keys() {
            tables.push(Arc::new(get(key, indexers.of(&key))?));
        }
        Ok(Self { catalogue, tables })
    }

    /// Builds every table of a catalogue in memory, on `threads` threads and within the budget: its
    /// time, its cancel flag, and the memory that one table takes to build.
    ///
    /// ```
    /// use taquin::Budget;
    /// use taquin::tables::{ClassCatalogue, ClassTables, Tier};
    ///
    /// let catalogue = ClassCatalogue::of("3x3".parse()?, 8, Tier::Full)?;
    /// let tables = ClassTables::build(catalogue, 1, &Budget::default())?;
    /// assert!(tables.bytes() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build(
        catalogue: ClassCatalogue,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, BuildError> {
        Self::new(catalogue, |key, indexer| {
            ClassTable::build(key, indexer, threads, budget)
        })
    }

    /// What they were made for.
    #[must_use]
    pub const fn catalogue(&self) -> &ClassCatalogue {
        &self.catalogue
    }

    /// The size of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.catalogue.size()
    }

    /// The home of the blank.
    #[must_use]
    pub const fn blank(&self) -> usize {
        self.catalogue.blank()
    }

    /// How many bytes they take: the tables, and what numbers their classes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let tables = self.tables.iter().map(|table| table.bytes().len() as u64);
        tables.sum::<u64>() + ClassIndexers::BYTES
    }

    /// Whether all tables are still what they were when they were built or checked: see
    /// [`Bytes::confirm`](crate::tables::Bytes::confirm).
    pub fn confirm(&self) -> Result<(), ChangedTableError> {
        let mut tables = self.tables.iter();
        tables.try_for_each(|table| table.bytes().confirm())
    }
}
