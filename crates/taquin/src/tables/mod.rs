//! Pattern databases: what part of the tiles needs at least, looked up.
//!
//! A state of a [`Pattern`] is where its tiles are, and in which *zone* between them the blank is; a
//! [`Table`] has one bit for each. A [`Partition`] divides all tiles into patterns whose values add
//! up, and a [`Catalogue`] says which partitions a size uses. `docs/theory.md` tells why all this
//! never says too much; [`Reference`] is the same built plainly, for tests and for readers.
//!
//! ```
//! use taquin::Budget;
//! use taquin::tables::{Indexer, Key, Table};
//!
//! // The tiles of the first two columns of 4×4, with the goal's blank in the last cell.
//! let homes = [0, 1, 4, 5, 8, 9];
//! let key = Key::new("4x4".parse()?, 15, homes.into_iter().collect())?;
//! let indexer = Indexer::new(&key);
//! let table = Table::build(key, &indexer, 1, &Budget::default())?;
//! assert_eq!((indexer.entries(), table.bytes().len()), (11_816_640, 1_480_320));
//! // All at home, but the first two have changed places.
//! assert_eq!(table.value(&indexer, &[1, 0, 4, 5, 8, 9], 15), Some(10));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any;
mod build;
mod bytes;
mod catalogue;
mod changed;
pub(crate) mod classes;
mod geometry;
mod kernel;
pub(crate) mod lehmer;
mod named;
mod partition;
mod pattern;
mod plan;
mod ranks;
mod reference;
mod set;
#[cfg(feature = "store")]
pub mod store;
mod subject;
mod table;
mod transpose;

pub use any::{AnyCatalogue, AnyTables};
pub use build::{BuildError, OverLimitError};
pub use bytes::{Bytes, OutOfMemoryError};
// Not a part of the API: for the tests, benches and chores of this project.
#[doc(hidden)]
pub use bytes::BytesMut;
pub use catalogue::{Catalogue, CatalogueError, Tier};
pub use changed::ChangedTableError;
pub use classes::{ClassCatalogue, ClassKey, ClassTables};
// Not a part of the API: for the tests, benches and chores of this project.
#[doc(hidden)]
pub use geometry::Geometry;
pub use named::PartsError;
pub use partition::{Partition, PartitionError};
pub use pattern::{Key, KeyError, Pattern};
pub use plan::TablePlan;
// Not a part of the API: for the tests, benches and chores of this project.
#[doc(hidden)]
pub use ranks::Ranks;
// Not a part of the API: for the tests, benches and chores of this project.
#[doc(hidden)]
pub use reference::{Reference, ReferenceEntry, ReferenceTooLargeError};
pub use set::TableSet;
pub use subject::{SpaceKey, TableSubject};
pub use table::{Indexer, Table, TableMismatchError};

pub(crate) use bytes::{may_have, try_reserve_exact};
pub(crate) use geometry::{GROUP, SetRecord, ZONE};
pub(crate) use ranks::{Order, PART, moved};
pub(crate) use table::EntryPlace;
