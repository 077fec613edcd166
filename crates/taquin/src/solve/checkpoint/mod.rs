//! How far a search for a shortest solution is, kept for another process to go on with.
//!
//! A [`Checkpoint`] is a value. In a file it is a text that a person can read (`text.rs`); the file
//! is written whole and locked (`file.rs`). [`GoalSolver::solve_kept`] asks a [`CheckpointKeeper`]
//! where to go on, and tells it now and then how far it is.
//!
//! [`GoalSolver::solve_kept`]: super::GoalSolver::solve_kept

#[cfg(feature = "store")]
mod file;
#[cfg(feature = "store")]
mod text;

use std::fmt::Debug;

use thiserror::Error;

use super::optimal::SearchState;
use crate::Board;

#[cfg(feature = "store")]
pub use file::{CheckpointFile, CheckpointFileError, CheckpointFileErrorKind};
#[cfg(feature = "store")]
pub use text::CheckpointTextError;

/// How far the search for a shortest solution of a board is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The board.
    pub board: Board,
    /// The goal.
    pub goal: Board,
    /// What the search looks up: the same with the same tables only. Node counts depend on it.
    pub tables: String,
    /// Where the search is. Its moves are those of the board.
    pub state: SearchState,
}

/// A checkpoint that belongs to another search.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OtherSearchError {
    /// It is of another board.
    #[error("the checkpoint is of another board: {0}")]
    Board(Board),
    /// It is for another goal.
    #[error("the checkpoint is for another goal: {0}")]
    Goal(Board),
    /// It was made with other tables, or by a version that prunes differently.
    #[error("the checkpoint was made with other tables: {kept}; these are {own}")]
    Tables {
        /// Those of the checkpoint.
        kept: String,
        /// Those of this search.
        own: String,
    },
    /// What it says cannot be true of a search of this board.
    #[error("the checkpoint names moves that no search of this board makes; it cannot be used")]
    Moves,
    /// Moves of several tiles are searched in another way.
    #[error("checkpoints are for single-tile moves only")]
    Metric,
}

impl Checkpoint {
    /// Whether it is of this board and goal.
    pub fn check(&self, board: &Board, goal: &Board) -> Result<(), OtherSearchError> {
        if self.board != *board {
            Err(OtherSearchError::Board(self.board.clone()))
        } else if self.goal != *goal {
            Err(OtherSearchError::Goal(self.goal.clone()))
        } else {
            Ok(())
        }
    }
}

/// Keeps how far a search is, so that it can go on after the end of a process.
pub trait CheckpointKeeper: Debug + Send + Sync {
    /// What a search before this one has left.
    fn kept(&self) -> Option<Checkpoint>;

    /// Whether it is time to keep another checkpoint. The search asks after every task.
    fn is_due(&self) -> bool;

    /// Keeps a checkpoint in place of the one before. The search goes on whether this works or not.
    fn keep(&self, checkpoint: &Checkpoint);
}
