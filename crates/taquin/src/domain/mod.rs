//! What a search needs to know of a problem, and the sliding-tile puzzle as such a problem.

mod counting;
mod multi;
mod sliding;

pub use counting::{Counting, HeavySlidesError};
pub use multi::MultiSliding;
pub use sliding::{Cost, FlatState, PackedState, Sliding, TileState};

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Board, GoalSizeError, Size, Slide};

/// A problem to search: states, the actions between them, what they cost, and where to end.
///
/// Actions are made and taken back in place, so that depth-first searches need one state only.
/// Costs are at least 1: every search here relies on it.
pub trait Domain {
    /// A state, small enough to be stored by the million.
    type State: Clone + Eq + Hash;
    /// An action, such as a move.
    type Action: Copy + Eq + Debug;

    /// The actions that are possible in a state, in an order that never changes.
    fn actions(&self, state: &Self::State) -> impl Iterator<Item = Self::Action> + use<'_, Self>;

    /// Makes an action that is possible in the state and gives its cost.
    fn apply(&self, state: &mut Self::State, action: Self::Action) -> u32;

    /// Takes an action back that led to the state.
    fn undo(&self, state: &mut Self::State, action: Self::Action);

    /// Whether the search may end here.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// The action that takes this one back, where there is one. No shortest path has both in a row,
    /// so the searches leave it out.
    fn inverse(&self, action: Self::Action) -> Option<Self::Action>;

    /// The actions that are possible in a state that `last` led to, in the order of
    /// [`actions`](Self::actions), without the one that takes `last` back.
    ///
    /// More may be left out: every action that leads to a state which one action of a smaller cost
    /// than the two leads to from the state before `last`, if that action is left out there only
    /// where `last` is. No cheapest path has such an action after `last`.
    #[inline]
    fn actions_after(
        &self,
        state: &Self::State,
        last: Option<Self::Action>,
    ) -> impl Iterator<Item = Self::Action> + use<'_, Self> {
        let back = last.and_then(|last| self.inverse(last));
        self.actions(state)
            .filter(move |&action| Some(action) != back)
    }

    /// Bytes that a stored state takes, with what it points to: what searches count against
    /// [`Limits::memory`](crate::Limits::memory).
    fn state_bytes(&self, _: &Self::State) -> usize {
        size_of::<Self::State>()
    }

    /// The state after an action, and the action's cost.
    fn successor(&self, state: &Self::State, action: Self::Action) -> (Self::State, u32) {
        let mut next = state.clone();
        let cost = self.apply(&mut next, action);
        (next, cost)
    }
}

/// A problem with one goal state whose every action has an inverse of the same cost, so that it can
/// be searched from both ends.
pub trait Reversible: Domain {
    /// The goal state.
    fn goal(&self) -> Self::State;
}

/// The sliding-tile puzzle, whatever counts as a move: [`Sliding`] in single-tile moves,
/// [`MultiSliding`] in multi-tile moves.
pub trait TilePuzzle: Reversible<State: TileState, Action: Into<Slide>> + Sized {
    /// The goal as a board.
    fn goal_board(&self) -> &Board;

    /// What the cost of a path counts.
    fn counting(&self) -> Counting;

    /// The puzzle of the same size and costs with another goal.
    fn towards(&self, goal: &Board) -> Result<Self, GoalSizeError>;

    /// The state for a board of the same size.
    fn state(&self, board: &Board) -> Result<Self::State, GoalSizeError> {
        state_of(self.goal_board().size(), board)
    }
}

/// The state for a board of a size.
fn state_of<S: TileState>(size: Size, board: &Board) -> Result<S, GoalSizeError> {
    let mismatch = GoalSizeError {
        goal: size,
        board: board.size(),
    };
    if board.size() != size {
        return Err(mismatch);
    }
    S::from_board(board).ok_or(mismatch)
}
