//! The engine room: specialised and fast.
//!
//! [`Solver`] is its front door.

mod anytime;
mod automaton;
mod beam;
mod coach;
mod effort;
mod greedy;
mod optimal;
mod outside_in;
mod position;
mod solver;
mod staged;

pub use anytime::Improvement;
pub use automaton::{Automaton, State};
pub use coach::{Coach, Hint};
pub use effort::{Aim, Effort};
pub use greedy::of_board as greedy;
pub use optimal::{All, Damaged, Engine};
pub use solver::{OtherPuzzle, SolveError, Solver};
pub use staged::{StageStatistics, Staged, Swift, Unsuited};
