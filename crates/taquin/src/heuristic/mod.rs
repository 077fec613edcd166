//! Admissible estimates of the distance to the goal.
//!
//! Each has a full form, which looks at the whole state, and an incremental form, which updates
//! what it knew before a move. A debug build checks at every node that the two agree.
//!
//! | name | what it counts | builds |
//! |---|---|---|
//! | [`Zero`] | nothing | nothing |
//! | [`Hamming`] | tiles that are not at home | nothing to speak of |
//! | [`Manhattan`] | rows and columns from each tile to its home | a distance per tile and cell |
//! | [`LinearConflict`] | Manhattan, and two moves for each tile that must leave its own line | a small table per line length |
//! | [`WalkingDistance`] | moves of two simpler puzzles, one of rows and one of columns | a table of each puzzle's states |
//! | [`PatternDatabase`] | moves of the tiles of some disjoint patterns | a table of each pattern's states |
//! | [`Max`] | the larger of two others | what they build |
//!
//! All of them work for every goal and both [costs](crate::search::Cost), and all are consistent:
//! the tests check it on every move of whole small spaces. The blank is never counted.
//!
//! These count moves of single tiles. Heuristics for
//! [multi-tile moves](crate::Metric::Multi) have the same names and types of their own:
//! [`MultiHamming`], [`MultiManhattan`], [`MultiLinearConflict`], [`MultiWalkingDistance`] and
//! [`MultiMax`]. They never say too much either, but most are not consistent.
//!
//! ```
//! use taquin::heuristic::{Heuristic, LinearConflict, Manhattan};
//! use taquin::search::{Cost, PackedState, Sliding};
//! use taquin::{Board, Goal};
//!
//! let board: Board = "3 2 1/4 5 6/7 8 0".parse()?;
//! let goal = Goal::Classic.board(board.size())?;
//! let puzzle = Sliding::<PackedState>::new(&goal, Cost::Unit).unwrap();
//! let state = puzzle.state(&board)?;
//!
//! // Tiles 1 and 3 are two columns away from home each; two of the three tiles in the first row
//! // must leave it to let the others pass.
//! assert_eq!(Manhattan::new(&puzzle).evaluate(&puzzle, &state), 4);
//! assert_eq!(LinearConflict::new(&puzzle).evaluate(&puzzle, &state), 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any;
mod breakdown;
mod chosen;
mod hamming;
mod homes;
mod linear_conflict;
mod lines;
mod manhattan;
mod max;
mod multi;
mod pattern;
mod walking_distance;
mod zero;

pub use any::{AnyHeuristic, HeuristicError, HeuristicKind, HeuristicNameError};
// Not a part of the API: for the tests, benches and chores of this project.
#[doc(hidden)]
pub use any::{AnyMemo, HeuristicUser};
pub use breakdown::{Breakdown, Estimator, Line, LineConflict, SlideBreakdown, TileEstimate};
pub(crate) use chosen::{Choosable, working_memory};
pub use hamming::Hamming;
pub use linear_conflict::LinearConflict;
pub use manhattan::Manhattan;
pub use max::Max;
pub use multi::{
    AnyMultiHeuristic, MultiHamming, MultiLinearConflict, MultiManhattan, MultiMax, TileMoves,
};
pub(crate) use multi::{alternating, alternating_from};
// Not a part of the API: for the tests, benches and chores of this project.
#[doc(hidden)]
pub use multi::AnyMultiMemo;
pub use pattern::{
    PatternBreakdown, PatternChoice, PatternDatabase, PatternError, PatternNameError, PatternPart,
    PatternSum,
};
// Not a part of the API: for the tests, benches and chores of this project.
#[doc(hidden)]
pub use pattern::SlotMemo;
pub use walking_distance::{
    MultiWalkingDistance, TooManyStatesError, WalkingDistance, WalkingError, WalkingHalves,
};
// Not a part of the API: for the tests, benches and chores of this project.
#[doc(hidden)]
pub use walking_distance::WalkingMemo;
pub use zero::Zero;

use crate::domain::Domain;

/// An estimate of what a solution costs at least.
///
/// `evaluate` looks at a whole state; `step` gives the same from what was known before an action.
/// What is known is the `Memo`: at least the value, and whatever else makes the step cheap.
///
/// A heuristic is made for one problem, and asked about the states of that problem only.
pub trait Heuristic<D: Domain> {
    /// What is known of a state.
    type Memo: Clone + PartialEq + std::fmt::Debug;

    /// What is known of a state, from the state alone.
    fn evaluate(&self, domain: &D, state: &D::State) -> Self::Memo;

    /// What is known after an action, from what was known before it. Equal to
    /// `evaluate(domain, after)`.
    fn step(
        &self,
        domain: &D,
        before: &Self::Memo,
        after: &D::State,
        action: D::Action,
    ) -> Self::Memo;

    /// The estimate: never more than the cheapest solution costs.
    fn value(&self, memo: &Self::Memo) -> u32;

    /// Whether no action lowers the estimate by more than its cost. Searches with a closed list
    /// reopen nodes where this is false.
    fn is_consistent(&self) -> bool;

    /// Bytes that each memo holds elsewhere, for searches that store many.
    fn memo_bytes(&self) -> usize {
        0
    }
}

/// In a debug build, panics if what the steps led to is not what a look at the whole state gives.
/// Searches call it at every node; in a release build it is nothing.
#[doc(hidden)]
#[inline]
pub fn debug_check<D: Domain, H: Heuristic<D>>(
    heuristic: &H,
    domain: &D,
    memo: &H::Memo,
    state: &D::State,
) {
    debug_assert_eq!(
        *memo,
        heuristic.evaluate(domain, state),
        "the incremental estimate (left) differs from the full one (right)"
    );
}
