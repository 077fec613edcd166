//! The tables of a catalogue, in memory.

use std::collections::HashMap;

use super::{BuildError, Catalogue, Indexer, Key, Table};
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
    /// Gets every table of a catalogue from `get`, which may build it or read it.
    pub fn new<E>(
        catalogue: Catalogue,
        mut get: impl FnMut(Key, &Indexer) -> Result<Table, E>,
    ) -> Result<Self, E> {
        let mut set = Self {
            catalogue,
            tables: HashMap::new(),
            indexers: HashMap::new(),
        };
        for key in set.catalogue.keys() {
            let indexer = set.indexers.entry(key.pattern().tiles());
            let indexer = indexer.or_insert_with(|| Indexer::new(&key));
            set.tables.insert(key, get(key, indexer)?);
        }
        Ok(set)
    }

    /// Builds every table of a catalogue in memory, on so many threads.
    pub fn build(
        catalogue: Catalogue,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, BuildError> {
        Self::new(catalogue, |key, indexer| {
            Table::build(key, indexer, threads, budget)
        })
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

    /// The numbers of a table's states.
    ///
    /// # Panics
    /// If the table is not of this set.
    #[must_use]
    pub fn indexer(&self, key: &Key) -> &Indexer {
        &self.indexers[&key.pattern().tiles()]
    }
}
