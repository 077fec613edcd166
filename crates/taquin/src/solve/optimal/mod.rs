//! Optimal solutions: IDA* over pattern databases.

mod engine;
mod lanes;
mod lookup;
mod search;
mod tasks;

pub use engine::Engine;
pub(in crate::solve) use lookup::{Lookup, Word};
