//! The tables of a catalogue, in memory.

use std::collections::HashMap;

use super::{BuildError, Catalogue, ChangedTableError, Indexer, Key, Table, TablePlan};
use crate::Size;
use crate::outcome::Budget;

/// The tables of a catalogue, ready to be looked up.
#[derive(Clone, Debug)]
pub struct TableSet {
    catalogue: Catalogue,
    tables: HashMap<Key, Table>,
    /// By the number of tiles.
    indexers: HashMap<usize, Indexer>,
}

impl TableSet {
    pub(super) const fn from_parts(
        catalogue: Catalogue,
        tables: HashMap<Key, Table>,
        indexers: HashMap<usize, Indexer>,
    ) -> Self {
        Self {
            catalogue,
            tables,
            indexers,
        }
    }

    /// Gets every table of a catalogue from `get`, which may build it or read it.
    pub fn new<E: From<BuildError>>(
        catalogue: Catalogue,
        get: impl FnMut(Key, &Indexer) -> Result<Table, E>,
    ) -> Result<Self, E> {
        TablePlan::new(catalogue, &Budget::default())?.fill(get)
    }

    /// Builds every table of a catalogue in memory, on `threads` threads, within a budget. All
    /// tables are compared with its memory before the first is built.
    pub fn build(
        catalogue: Catalogue,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, BuildError> {
        TablePlan::new(catalogue, budget)?.build(threads, budget)
    }

    /// What it was made for.
    #[must_use]
    pub const fn catalogue(&self) -> &Catalogue {
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

    /// The tables of each partition.
    pub fn partitions(&self) -> impl Iterator<Item = Vec<&Table>> {
        let partitions = self.catalogue.partitions().iter();
        partitions.map(|partition| {
            partition
                .keys()
                .iter()
                .map(|key| &self.tables[key])
                .collect()
        })
    }

    /// Every table once.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.values()
    }

    /// Whether all tables are still what they were when they were built or checked: see
    /// [`Bytes::confirm`](super::Bytes::confirm).
    pub fn confirm(&self) -> Result<(), ChangedTableError> {
        self.tables().try_for_each(Table::confirm)
    }

    /// How many bytes it takes: the tables, and what numbers their states.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let tables = self.tables().map(|table| table.bytes().len() as u64);
        let indexers = self.indexers.values().map(Indexer::own_bytes);
        tables.chain(indexers).sum()
    }

    /// The numbers of a table's states.
    ///
    /// # Panics
    /// If the table is not of this set.
    #[must_use]
    pub fn indexer(&self, key: &Key) -> &Indexer {
        &self.indexers[&key.pattern().tiles()]
    }
}
