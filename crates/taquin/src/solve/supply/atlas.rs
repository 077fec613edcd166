//! Atlases of whole spaces: from the store, or by a search.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::attendant::Notice;
use super::provider::Provider;
use crate::space::{Atlas, Space};
use crate::tables::BuildError;
use crate::tables::store::{Check, Request};

/// An atlas, and what it took.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The atlas.
    pub atlas: Atlas,
    /// How long the search took; `None` if the atlas was there.
    pub time: Option<Duration>,
}

/// Spaces with fewer boards are searched in some milliseconds, which is not worth a file.
const KEPT_FROM: u64 = 1_000_000;
/// A larger atlas is not kept: nobody expects gigabytes in a folder for caches.
const KEPT_BYTES: usize = 100_000_000;

impl Provider {
    /// The atlas of a space: from its file, unless it is to be `fresh`, or by a search of all
    /// boards. It is not kept in memory for who asks next.
    #[expect(clippy::missing_panics_doc, reason = "a search gives an atlas")]
    pub fn atlas(&self, space: &Space, fresh: bool) -> Result<Drawn, BuildError> {
        let building = self.building();
        let what = format!("searching all boards of {}", space.goal().size());
        let took = Cell::new(None);
        let search = || {
            let begin = Instant::now();
            let atlas = space.search(self.threads, &building);
            took.set(Some(begin.elapsed()));
            atlas
        };
        let work = || {
            if space.boards() < KEPT_FROM || space.atlas_bytes() > KEPT_BYTES {
                return search();
            }
            if let Some(atlas) = self.kept_atlas(space, fresh, search)? {
                return Ok(atlas);
            }
            // The checksums are right, but what they are of is not: it was made that way.
            let path = self.store.path(space.key());
            self.attendant.notice(&Notice::NoAtlas { path });
            let searched = self.kept_atlas(space, true, search)?;
            Ok(searched.expect("a search gives an atlas"))
        };
        let atlas = self.attended(&what, &|| space.boards(), &building, work)?;
        Ok(Drawn {
            atlas,
            time: took.get(),
        })
    }

    /// An atlas from its file or else by a search, which is then for the attendant to write; `None`
    /// if the file holds something else.
    fn kept_atlas(
        &self,
        space: &Space,
        fresh: bool,
        search: impl FnOnce() -> Result<Atlas, BuildError>,
    ) -> Result<Option<Atlas>, BuildError> {
        let threads = self.threads;
        let request = Request {
            subject: space.key().into(),
            entries: space.boards(),
            bytes: space.atlas_bytes(),
            check: if fresh {
                Check::Anew
            } else {
                Check::All { threads }
            },
        };
        let build = || -> Result<_, BuildError> {
            let atlas = search()?;
            let farthest = atlas.census().all().farthest();
            Ok((atlas.bytes().clone(), farthest as u8))
        };
        let (stored, unwritten) = self.obtain(&request, build)?;
        if let Some(unwritten) = unwritten {
            self.attendant.write(unwritten);
        }
        Ok(Atlas::from_bytes(space, stored.bytes().clone()))
    }
}
