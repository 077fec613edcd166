//! The engine room: specialised and fast.
//!
//! [`Solver`] is its front door. With the feature `store`, `Provider` gets it the tables it needs.

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
#[cfg(feature = "store")]
mod supply;

pub use anytime::Improvement;
pub use automaton::{Automaton, State};
pub use coach::{Coach, Hint};
pub use effort::{Aim, Effort};
pub use greedy::of_board as greedy;
pub use optimal::{All, Damaged, Engine};
pub use solver::{OtherPuzzle, SolveError, Solver};
pub use staged::{StageStatistics, Staged, Swift, Unsuited};
#[cfg(feature = "store")]
pub use supply::{
    Attendant, Drawn, Equipment, Equipped, Notice, Obtained, Provider, Ready, Unready,
    available_memory, build_time,
};
