//! Shortest solutions in multi-tile moves, on boards of up to sixteen cells.
//!
//! A *slide* moves one or more tiles of a line at once. Two slides along the same line are one, so
//! in a shortest solution slides along rows and along columns alternate. Call the boards that
//! differ only by the blank's place in its row a *row class*, and those that differ only by its
//! place in its column a *column class*. A board is in one of each: it is an edge between them, in
//! a bipartite graph of classes. A slide along the row goes to another edge of the same row class.
//! So n slides are a path of n - 1 edges, from a class of the board to a class of the goal, and
//! nodes of the search are classes.
//!
//! The [tables](crate::tables::classes) have distances between classes of boards whose tiles are
//! coloured, which are lower bounds. A search looks for paths [length by length](search), does not
//! follow [detours](automaton), and looks up only what can [cut off](lanes) something.

mod automaton;
mod engine;
mod lanes;
mod lookup;
mod search;
mod tasks;
#[cfg(test)]
mod tests;

pub(super) use engine::Engine;
