//! The puzzle itself: sizes, boards, goals, moves, solvability, scrambles. No text, no search.

#[expect(
    clippy::module_inception,
    reason = "the module is private and the type is reached as `taquin::Board`"
)]
mod board;
mod cells;
mod goal;
mod moves;
mod packed;
mod parity;
mod reduction;
mod rng;
mod scramble;
mod size;
mod slide;
mod symmetry;
mod unsolvable;

pub use board::{Board, BoardError, IllegalMoveError};
pub use goal::{Goal, GoalSizeError};
pub use moves::{Metric, Move, Moves};
pub(crate) use packed::Packed;
pub use parity::{Invariant, Solvability};
pub use reduction::{BlankClass, Reduction};
pub use rng::Rng;
pub use scramble::{random_walk, random_walk_end, uniform};
pub use size::{Size, SizeError};
pub use slide::Slide;
pub use symmetry::Symmetry;
pub use unsolvable::Unsolvable;

/// A tile's number; 0 is the blank.
pub type Tile = u16;
