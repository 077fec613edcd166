//! Optimal solutions: IDA* over pattern databases.

mod deepening;
mod engine;
mod lanes;
mod ledger;
mod lookup;
mod near;
#[cfg(target_arch = "x86_64")]
mod octets;
mod order;
mod search;
mod state;
mod step;
mod task;
mod tasks;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod wide;
mod workers;

pub use engine::Engine;
pub(in crate::solve) use lookup::{Lookup, Word};
pub(in crate::solve) use search::LongSearch;
pub(in crate::solve) use state::Keeper;
pub use state::{NodesAbove, SearchState, TaskCount, TaskState};
pub use task::{Task, TaskOutcome, TaskReport};
