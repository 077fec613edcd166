//! Where tables come from: built in memory, or kept in the files of a store.
//!
//! [`TableSource`] gets them, within a [`Budget`](crate::Budget); a [`BuildObserver`] hears what it
//! does. Solvers and whole spaces both get theirs here.

mod memory;
mod observer;
mod source;
#[cfg(all(test, feature = "store"))]
mod tests;

pub use memory::available_memory;
#[cfg(feature = "store")]
pub use observer::GotTable;
pub use observer::{BuildObserver, TableNotice};
pub(crate) use source::reading_time;
pub use source::{ReadyTables, TableSource, TablesError, build_time};
