//! Gets tables of multi-tile moves: from the files of a store, or built.

use std::cell::OnceCell;

use super::room::TakenRoom;
use super::source::TableSource;
use crate::outcome::Budget;
use crate::tables::classes::{ClassIndexer, ClassTable};
use crate::tables::{BuildError, ClassCatalogue, ClassKey, ClassTables, Tier};

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
    fn class_table(
        &self,
        key: ClassKey,
        indexer: ClassIndexer,
        make_room: &dyn Fn() -> Result<(), BuildError>,
        budget: &Budget,
        wait: &Budget,
    ) -> Result<ClassTable, BuildError> {
        let build = || {
            make_room()?;
            let table = ClassTable::build(key, indexer.clone(), self.threads(), budget)?;
            Ok((table.bytes().clone(), table.max()))
        };
        // A table of sixteen cells has some tens of megabytes.
        let measure = (2 * key.classes(), key.bytes() as usize);
        let (bytes, max) = self.contents(key.into(), measure, build, wait, budget)?;
        Ok(ClassTable::from_bytes(key, indexer, bytes, max)
            .expect("it has as many bytes as asked for"))
    }
}
