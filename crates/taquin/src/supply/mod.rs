//! Where tables come from: built in memory, or kept in the files of a store.
//!
//! [`TableSource`] gets them, within a [`Budget`](crate::Budget); a [`BuildObserver`] hears what it
//! does. Solvers and whole spaces both get theirs here.

mod classes;
#[cfg(feature = "store")]
mod control_groups;
mod memory;
mod observer;
mod room;
mod source;
#[cfg(all(test, feature = "store"))]
mod tests;
#[cfg(feature = "store")]
mod writers;

pub use memory::available_memory;
#[cfg(feature = "store")]
pub use observer::GotTable;
pub use observer::{BuildObserver, TableNotice};
pub use room::{Room, TakenRoom};
pub(crate) use source::reading_time;
pub use source::{ReadyTables, TableSource, TablesError, build_time};
#[cfg(feature = "store")]
pub use writers::Writers;
