//! The engine room: specialised and fast.
//!
//! [`Solver`] is its front door.

mod automaton;
mod optimal;
mod solver;

pub use automaton::{Automaton, State};
pub use optimal::{All, Damaged, Effort, Engine};
pub use solver::{OtherPuzzle, SolveError, Solver};
