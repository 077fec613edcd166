//! The tables of a catalogue before they are there.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{
    BuildError, Catalogue, Indexer, Key, OverLimitError, Table, TableMismatchError, TableSet, build,
};
use crate::outcome::Budget;

/// The tables of a catalogue before they are there: what numbers their states, and with that how
/// much memory they take.
#[derive(Clone, Debug)]
pub struct TablePlan {
    catalogue: Catalogue,
    /// By the number of tiles.
    indexers: HashMap<usize, Indexer>,
}

impl TablePlan {
    /// The plan of a catalogue, made within a budget.
    pub fn new(catalogue: Catalogue, budget: &Budget) -> Result<Self, BuildError> {
        let mut indexers = HashMap::new();
        for key in catalogue.keys() {
            if let Entry::Vacant(place) = indexers.entry(key.pattern().tiles()) {
                place.insert(Indexer::within(&key, budget)?);
            }
        }
        Ok(Self {
            catalogue,
            indexers,
        })
    }

    /// The tables.
    #[must_use]
    pub const fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The numbers of a table's states.
    ///
    /// # Panics
    /// If the table is not of this catalogue.
    #[must_use]
    pub fn indexer(&self, key: &Key) -> &Indexer {
        &self.indexers[&key.pattern().tiles()]
    }

    /// How many bytes the files of all tables have.
    #[must_use]
    pub fn tables_bytes(&self) -> u64 {
        let keys = self.catalogue.keys();
        let each = keys.iter().map(|key| self.indexer(key).bytes() as u64);
        each.sum()
    }

    /// How many bytes it takes at most at once to build these tables one after the other in memory,
    /// on `threads` threads. Tables of other catalogues do not count.
    #[must_use]
    pub fn working_memory(&self, missing: &[Key], threads: usize) -> u64 {
        let each = self.steps(missing, threads).map(|(_, bytes)| bytes);
        each.max().unwrap_or(0)
    }

    /// Refuses to build these tables if one of them would take more memory than the budget has: all
    /// are looked at before the first is built.
    pub fn allow(
        &self,
        missing: &[Key],
        threads: usize,
        budget: &Budget,
    ) -> Result<(), OverLimitError> {
        for (key, bytes) in self.steps(missing, threads) {
            build::allow(key, bytes, budget)?;
        }
        Ok(())
    }

    /// For each of these tables the bytes that are taken while it is built: its own, and those of
    /// the tables before it.
    fn steps(&self, missing: &[Key], threads: usize) -> impl Iterator<Item = (Key, u64)> {
        let mut kept = self.own_bytes();
        let own = self.catalogue.keys();
        let missing = missing.iter().filter(move |key| own.contains(key));
        missing.map(move |key| {
            let indexer = self.indexer(key);
            let building = indexer.working_memory(threads) - indexer.own_bytes();
            let bytes = kept + building;
            kept += indexer.bytes() as u64;
            (*key, bytes)
        })
    }

    fn own_bytes(&self) -> u64 {
        self.indexers.values().map(Indexer::own_bytes).sum()
    }

    /// Gets every table from `get`, which may build it or read it. A table for another key is
    /// refused.
    pub fn fill<E: From<BuildError>>(
        self,
        mut get: impl FnMut(Key, &Indexer) -> Result<Table, E>,
    ) -> Result<TableSet, E> {
        let mut tables = HashMap::new();
        for key in self.catalogue.keys() {
            let table = get(key, self.indexer(&key))?;
            if *table.key() != key {
                return Err(BuildError::from(TableMismatchError::Table(*table.key())).into());
            }
            tables.insert(key, table);
        }
        Ok(TableSet::from_parts(self.catalogue, tables, self.indexers))
    }

    /// Builds every table in memory on `threads` threads, if all of them fit.
    pub fn build(self, threads: usize, budget: &Budget) -> Result<TableSet, BuildError> {
        self.allow(&self.catalogue.keys(), threads, budget)?;
        self.fill(|key, indexer| Table::build(key, indexer, threads, budget))
    }
}
