//! The engine room: specialised and fast.
//!
//! [`GoalSolver`] is its front door.

mod all;
mod any_engine;
mod anytime;
mod automaton;
mod beam;
mod checkpoint;
mod damaged;
mod effort;
mod goal_solver;
mod greedy;
mod optimal;
mod outside_in;
mod position;
mod published;
mod shortest;
mod slides;

pub use all::All;
use any_engine::AnyEngine;
pub use anytime::Improvement;
pub(crate) use anytime::{Known, Start};
// Not a part of the API: for the tests, benches and chores of this project.
#[doc(hidden)]
pub use automaton::{Automaton, AutomatonState};
pub use checkpoint::{Checkpoint, CheckpointKeeper, OtherSearchError};
#[cfg(feature = "store")]
pub use checkpoint::{
    CheckpointFile, CheckpointFileError, CheckpointFileErrorKind, CheckpointTextError,
};
pub use damaged::DamagedTableError;
pub use effort::{Aim, Effort};
pub use goal_solver::{EngineError, GoalSolver, OtherPuzzleError};
pub use greedy::of_board as greedy;
// Not a part of the API: for the tests, benches and chores of this project.
#[doc(hidden)]
pub use optimal::Engine;
pub use optimal::{NodesAbove, SearchState, Task, TaskCount, TaskOutcome, TaskReport, TaskState};
pub use published::{StageStatistics, Staged, Swift, UnsuitedGoalError};
