//! Optimal solutions: IDA* over pattern databases.

mod allowance;
mod engine;
mod lanes;
mod lookup;
mod search;
mod tasks;

pub use engine::{Damaged, Engine};
pub(in crate::solve) use lookup::{Lookup, Word};
pub use search::All;
