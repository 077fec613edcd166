//! Gets tables of multi-tile moves: from the files of a store, or built.

use std::cell::OnceCell;

use super::room::TakenRoom;
use super::source::TableSource;
use crate::outcome::Budget;
use crate::tables::classes::{ClassIndexer, ClassTable};
use crate::tables::{BuildError, ClassCatalogue, ClassKey, ClassTables, Tier};
#[cfg(feature = "store")]
use crate::{
    supply::GotTable,
    tables::store::{FileCheck, TableRequest},
};

impl TableSource {
    /// Every table of a tier's catalogue.
    pub(super) fn class_set(
        &self,
        catalogue: &ClassCatalogue,
        tier: Tier,
        budget: &Budget,
    ) -> Result<ClassTables, BuildError> {
        let budget = self.build_budget(budget);
        // For all tables together.
        let wait = budget.waiting_for_process(self.patience(&catalogue.clone().into()));
        let mut missing = catalogue.keys().to_vec();
        missing.retain(|&key| !self.has_file(key));
        // A set of which one table is too large is refused before the first is built.
        for key in &missing {
            key.allow(&budget)?;
        }
        let total = || missing.iter().map(ClassKey::classes).sum();
        // Taken when the first table is built, and not while another process builds it.
        let taken = OnceCell::new();
        let make_room = || self.make_class_room(&taken, catalogue, &missing, &budget);
        let work = || {
            ClassTables::new(catalogue.clone(), |key, indexer| {
                self.class_table(key, indexer, &make_room, &budget, &wait)
            })
        };
        if missing.is_empty() {
            return work();
        }
        let size = catalogue.size();
        let what = format!("building the {tier} tables of multi-tile moves for {size}");
        self.observed(&what, &total, &budget, work)
    }

    /// Takes the room for building these tables, unless it is taken already.
    fn make_class_room<'a>(
        &'a self,
        taken: &OnceCell<TakenRoom<'a>>,
        catalogue: &ClassCatalogue,
        missing: &[ClassKey],
        budget: &Budget,
    ) -> Result<(), BuildError> {
        // A file with a good header is not missing, and yet what follows may have to be built again.
        let building = if missing.is_empty() {
            catalogue.keys()
        } else {
            missing
        };
        // The tables that are ready stay while the next one is built.
        let bytes: u64 = building.iter().map(ClassKey::bytes).sum();
        let more = building
            .iter()
            .map(|key| key.working_memory() - key.bytes());
        self.take_room(taken, || bytes + more.max().unwrap_or(0), budget)
    }

    /// One table, from its file or built. `wait` is for other processes that build it.
    #[cfg(feature = "store")]
    fn class_table(
        &self,
        key: ClassKey,
        indexer: ClassIndexer,
        make_room: &dyn Fn() -> Result<(), BuildError>,
        budget: &Budget,
        wait: &Budget,
    ) -> Result<ClassTable, BuildError> {
        let threads = self.threads();
        let request = TableRequest {
            subject: key.into(),
            entries: 2 * key.classes(),
            // A table of sixteen cells has some tens of megabytes.
            bytes: key.bytes() as usize,
            check: FileCheck::All { threads },
        };
        let mut built_in = None;
        let build = || -> Result<_, BuildError> {
            make_room()?;
            let begin = std::time::Instant::now();
            let table = ClassTable::build(key, indexer.clone(), threads, budget)?;
            built_in = Some(begin.elapsed());
            Ok((table.bytes().clone(), table.max()))
        };
        let (stored, unwritten) = self.obtain(&request, build, wait, budget)?;
        if let Some(unwritten) = unwritten {
            self.observer().write(unwritten);
        }
        self.observer().table(&GotTable {
            subject: key.into(),
            stored: &stored,
            built_in,
        });
        let (bytes, max) = (stored.bytes().clone(), stored.description().max);
        Ok(ClassTable::from_bytes(key, indexer, bytes, max)
            .expect("the store compares the length with the one asked for"))
    }

    /// One table, built.
    #[cfg(not(feature = "store"))]
    fn class_table(
        &self,
        key: ClassKey,
        indexer: ClassIndexer,
        make_room: &dyn Fn() -> Result<(), BuildError>,
        budget: &Budget,
        _: &Budget,
    ) -> Result<ClassTable, BuildError> {
        make_room()?;
        ClassTable::build(key, indexer, self.threads(), budget)
    }
}
