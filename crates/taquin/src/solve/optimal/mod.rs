//! Optimal solutions: IDA* over pattern databases.

mod allowance;
mod engine;
mod lanes;
mod lookup;
mod search;
mod tasks;

pub use engine::{Damaged, Engine};
pub use search::{All, Effort};
