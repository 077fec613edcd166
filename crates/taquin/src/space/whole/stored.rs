//! Atlases of whole spaces: from the store, or by a search.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::{Atlas, Space};
use crate::outcome::{Budget, Limits};
use crate::supply::{TableNotice, TableSource};
use crate::tables::BuildError;
use crate::tables::store::{FileCheck, TableRequest};

/// An atlas, and what it took.
#[derive(Clone, Debug)]
pub struct AtlasFrom {
    /// The atlas.
    pub atlas: Atlas,
    /// How long the search took; `None` if the atlas was stored.
    pub time: Option<Duration>,
}

/// Spaces with fewer boards are searched in some milliseconds, which is not worth a file.
const KEPT_FROM: u64 = 1_000_000;
/// A larger atlas is not kept: nobody expects gigabytes in a folder for caches.
const KEPT_BYTES: usize = 100_000_000;

impl Space {
    /// The atlas of this space: from its file, unless it is to be `fresh`, or by a search of all
    /// boards. It is not kept in memory.
    #[expect(clippy::missing_panics_doc, reason = "a search gives an atlas")]
    pub fn atlas(
        &self,
        source: &TableSource,
        fresh: bool,
        budget: &Budget,
    ) -> Result<AtlasFrom, BuildError> {
        let building = source.build_budget(budget);
        let memory = [building.limits().memory, budget.limits().memory];
        let budget = Budget::new(&Limits {
            memory: memory.into_iter().flatten().min(),
            ..building.left()
        });
        let what = format!("searching all boards of {}", self.goal().size());
        let took = Cell::new(None);
        let search = || {
            let begin = Instant::now();
            let atlas = self.search(source.threads(), &budget);
            took.set(Some(begin.elapsed()));
            atlas
        };
        let work = || {
            let store = source.store();
            let Some(store) = store.filter(|_| self.is_kept()) else {
                return search();
            };
            if let Some(atlas) = self.kept_atlas(source, fresh, &budget, search)? {
                return Ok(atlas);
            }
            // The checksums are right, but what they are of is not: it was made that way.
            let path = store.path(self.key());
            source.observer().notice(&TableNotice::NoAtlas { path });
            let searched = self.kept_atlas(source, true, &budget, search)?;
            Ok(searched.expect("a search gives an atlas"))
        };
        let atlas = source.observed(&what, &|| self.boards(), &budget, work)?;
        Ok(AtlasFrom {
            atlas,
            time: took.get(),
        })
    }

    /// Whether an atlas of this space is worth a file.
    fn is_kept(&self) -> bool {
        self.boards() >= KEPT_FROM && self.atlas_bytes() <= KEPT_BYTES
    }

    /// An atlas from its file or else by a search, which the observer then writes; `None` if the
    /// file holds something else.
    fn kept_atlas(
        &self,
        source: &TableSource,
        fresh: bool,
        budget: &Budget,
        search: impl FnOnce() -> Result<Atlas, BuildError>,
    ) -> Result<Option<Atlas>, BuildError> {
        let threads = source.threads();
        let request = TableRequest {
            subject: self.key().into(),
            entries: self.boards(),
            bytes: self.atlas_bytes(),
            check: if fresh {
                FileCheck::Anew
            } else {
                FileCheck::All { threads }
            },
        };
        let build = || -> Result<_, BuildError> {
            let atlas = search()?;
            let farthest = atlas.census().all().farthest();
            Ok((atlas.bytes().clone(), farthest as u8))
        };
        let wait = budget.waiting(Duration::MAX);
        let (stored, unwritten) = source.obtain(&request, build, &wait, budget)?;
        if let Some(unwritten) = unwritten {
            source.observer().write(unwritten);
        }
        let atlas = Atlas::from_bytes(self, stored.bytes().clone());
        // Some of it was read just now, and must be what was checked.
        Ok(atlas.filter(|atlas| atlas.confirm().is_ok()))
    }
}
