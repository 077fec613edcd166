//! Tables copied from mapped files to where a processor finds them faster.
//!
//! Linux maps most files in pages of four kibibytes. The places of so many pages are too many for a
//! processor to remember, so that nearly every lookup has to ask for its page first. Memory of the
//! process's own can lie in huge pages. A long search repays the copy many times over.

use std::ptr;
use std::sync::{Arc, OnceLock};

use crate::outcome::Limits;
use crate::supply::available_memory;
use crate::tables::Bytes;

use super::engine::{Engine, Slot};
use super::lookup::Lookup;

/// How many times as much memory there must be as is taken: others need some too.
const SPARE: u64 = 4;

/// For each slot the bytes of its table, copied or as they were; nothing before they are needed.
/// Clones of an engine share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Near(Arc<OnceLock<Vec<Bytes>>>);

impl Engine {
    /// What looks up each slot.
    pub(super) fn lookups(&self) -> Vec<Lookup<'_>> {
        match self.near.0.get() {
            Some(near) => {
                let slots = self.slots.iter().zip(near);
                slots
                    .map(|(slot, bytes)| Lookup::in_bytes(slot, bytes))
                    .collect()
            }
            None => self.slots.iter().map(Lookup::new).collect(),
        }
    }

    /// Copies tables that are mapped, if the system has huge pages and memory to spare.
    ///
    /// The files are still those that [`confirm`](Self::confirm) asks about: if one was written to
    /// before it was copied, it says so.
    pub(super) fn bring_near(&self, limits: &Limits, threads: usize) {
        if cfg!(target_os = "linux") && self.near.0.get().is_none() {
            let spare = available_memory().unwrap_or(0) / SPARE;
            let spare = spare.min(limits.memory.unwrap_or(u64::MAX));
            if let Some(near) = copies(&self.slots, spare, threads) {
                // If another thread was faster, its copies are as good.
                drop(self.near.0.set(near));
            }
        }
    }
}

/// For each slot a copy of its table if that is mapped; nothing if they take more than `spare` bytes,
/// or if there is nothing to copy. Slots of one table share its copy.
fn copies(slots: &[Slot], spare: u64, threads: usize) -> Option<Vec<Bytes>> {
    let mut tables: Vec<&Bytes> = Vec::new();
    for slot in slots {
        let bytes = slot.table.bytes();
        if bytes.is_mapped() && !tables.iter().any(|&known| is_same(known, bytes)) {
            tables.push(bytes);
        }
    }
    let wanted: u64 = tables.iter().map(|bytes| bytes.len() as u64).sum();
    if tables.is_empty() || wanted > spare {
        return None;
    }
    let copies = tables.iter().map(|bytes| copy(bytes, threads));
    let copies: Vec<Bytes> = copies.collect::<Option<_>>()?;
    let near = slots.iter().map(|slot| {
        let bytes = slot.table.bytes();
        let place = tables.iter().position(|&known| is_same(known, bytes));
        place.map_or(bytes, |place| &copies[place]).clone()
    });
    Some(near.collect())
}

/// Whether both are the same bytes in memory.
fn is_same(one: &Bytes, other: &Bytes) -> bool {
    ptr::eq(one.as_ptr(), other.as_ptr()) && one.len() == other.len()
}

#[cfg(feature = "store")]
fn copy(bytes: &Bytes, threads: usize) -> Option<Bytes> {
    bytes.to_huge_pages(threads).ok()
}

/// Without the feature `store` nothing is mapped.
#[cfg(not(feature = "store"))]
#[expect(clippy::unnecessary_wraps, reason = "copies of mapped files can fail")]
fn copy(bytes: &Bytes, _: usize) -> Option<Bytes> {
    Some(bytes.clone())
}

#[cfg(all(test, feature = "store"))]
mod tests {
    use super::*;
    use crate::outcome::Budget;
    use crate::supply::TableSource;
    use crate::tables::store::Store;
    use crate::tables::{AnyTables, Tier};
    use crate::{Goal, Metric};

    #[test]
    fn copies_of_mapped_tables_are_equal_and_shared_by_slots() {
        let folder = tempfile::tempdir().unwrap();
        let goal = Goal::Classic.board("3x3".parse().unwrap()).unwrap();
        let engine = || {
            let source = TableSource::stored(Store::new(folder.path()));
            let ready = source.get(&goal, Metric::Single, Tier::Quick, &Budget::default());
            let AnyTables::Patterns(tables) = ready.unwrap().tables else {
                panic!("single-tile moves have pattern databases");
            };
            Engine::new(&tables, true)
        };
        // The first one builds the tables and writes them, the second one maps their files.
        drop(engine());
        let engine = engine();
        let near = copies(&engine.slots, u64::MAX, 2).expect("mapped tables");
        for (slot, near) in engine.slots.iter().zip(&near) {
            assert!(slot.table.bytes().is_mapped() && !near.is_mapped());
            assert_eq!(**near, **slot.table.bytes());
        }
        for (one, first) in engine.slots.iter().zip(&near) {
            for (other, second) in engine.slots.iter().zip(&near) {
                let same = is_same(one.table.bytes(), other.table.bytes());
                assert_eq!(is_same(first, second), same);
            }
        }
        assert!(copies(&engine.slots, 0, 2).is_none(), "no memory to spare");
    }
}
