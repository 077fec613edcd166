//! The laboratory: the search algorithms of the textbooks, side by side.
//!
//! One algorithm a file, each a free function generic over a [`Domain`] (the problem), a
//! [`Heuristic`](crate::heuristic::Heuristic) where it uses one, and an [`Observer`] that sees what
//! it does and costs nothing when it is `()`. All obey [`Limits`](crate::Limits) and give a
//! [`Report`](crate::Report).
//!
//! They are written to be read. The engine room in `solve` is the fast one; both must agree.

mod arena;
mod astar;
mod best_first;
mod bfs;
mod bibfs;
mod dijkstra;
mod frontier;
mod greedy;
mod hash;
mod idastar;
mod idastar_tt;
mod laboratory;
mod nbs;
mod observer;
mod queue;
mod rbfs;
mod room;
mod run;
mod smastar;
mod tracer;
mod wastar;

pub use crate::domain::{
    Cost, Counting, Domain, FlatState, HeavySlidesError, MultiSliding, PackedState, Reversible,
    Sliding, TilePuzzle, TileState,
};
pub(crate) use arena::stored_bytes;
pub use astar::astar;
pub(crate) use best_first::astar_bytes;
pub use bfs::bfs;
pub use bibfs::bibfs;
pub use dijkstra::dijkstra;
pub use frontier::frontier;
pub use greedy::greedy;
pub use idastar::idastar;
pub use idastar_tt::idastar_tt;
// Not a part of the API: for the tests, benches and chores of this project.
#[doc(hidden)]
pub use idastar_tt::DEFAULT_TABLE_BYTES;
pub use laboratory::{Algorithm, Laboratory, LaboratoryError, WeightError};
pub use nbs::nbs;
pub use observer::{Observer, PruneReason, SearchEvent};
pub use rbfs::rbfs;
pub use smastar::smastar;
pub use tracer::{TraceEvent, Tracer};
pub use wastar::wastar;
