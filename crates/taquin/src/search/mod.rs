//! The laboratory: the search algorithms of the textbooks, side by side.
//!
//! One algorithm a file, each a free function generic over a [`Domain`] (the problem), a
//! [`Heuristic`](crate::heuristic::Heuristic) where it uses one, and an [`Observer`] that sees what
//! it does and costs nothing when it is `()`. All obey [`Limits`] and give a [`Report`].
//!
//! They are written to be read. The engine room in `solve` is the fast one; both must agree.

mod arena;
mod astar;
mod best_first;
mod bfs;
mod bibfs;
mod dijkstra;
mod domain;
mod frontier;
mod greedy;
mod hash;
mod idastar;
mod idastar_tt;
mod laboratory;
mod limits;
mod nbs;
mod observer;
mod queue;
mod rbfs;
mod report;
mod run;
mod sliding;
mod smastar;
mod wastar;

pub(crate) use arena::stored_bytes;
pub use astar::astar;
pub(crate) use best_first::astar_bytes;
pub use bfs::bfs;
pub use bibfs::bibfs;
pub use dijkstra::dijkstra;
pub use domain::{Domain, Reversible};
pub use frontier::frontier;
pub use greedy::greedy;
pub use idastar::idastar;
pub use idastar_tt::{DEFAULT_TABLE_BYTES, idastar_tt};
pub use laboratory::{Algorithm, Laboratory, Refused};
pub use limits::{Budget, Limit, Limits, Progress};
pub use nbs::nbs;
pub use observer::{Event, Observer, PruneReason};
pub use rbfs::rbfs;
pub use report::{Iteration, Outcome, Proof, Report, Solution, Statistics};
pub use sliding::{Cost, FlatState, PackedState, Sliding, TileState};
pub use smastar::smastar;
pub use wastar::wastar;
