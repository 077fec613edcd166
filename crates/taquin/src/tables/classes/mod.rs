//! Tables of multi-tile moves: distances between classes of coloured boards.
//!
//! Call the boards that differ only by the blank's place in its row a *row class*, and those that
//! differ only by its place in its column a *column class*. A board is an edge between its two
//! classes, in a bipartite [graph](graph), and a slide goes to another edge at one of its ends. So
//! the number of slides between two boards is one more than the smallest distance between an end of
//! the one edge and an end of the other.
//!
//! Tiles of one [colour](colouring) count as the same. That maps classes to classes and edges to
//! edges, so distances between coloured classes are never longer than those between the classes
//! themselves: they are lower bounds, and few enough to be looked up in a [table], one bit each.
//! `docs/theory.md` tells more.

mod build;
mod catalogue;
mod colouring;
mod graph;
mod indexer;
mod key;
mod numbering;
mod set;
mod table;

pub use catalogue::ClassCatalogue;
pub use key::ClassKey;
pub use set::ClassTables;

pub(crate) use colouring::Colouring;
pub(crate) use graph::{CELLS, COLUMN, ClassGraph, ROW, Step};
pub(crate) use indexer::{ClassIndexer, ClassIndexers};
pub(crate) use numbering::Ranks;
pub(crate) use table::{Class, ClassTable};
