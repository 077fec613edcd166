//! A heuristic for multi-tile moves that is chosen by name while the program runs.

use super::{MultiHamming, MultiLinearConflict, MultiManhattan, MultiMax, TileMoves};
use crate::domain::{MultiSliding, TileState};
use crate::heuristic::{
    Heuristic, HeuristicError, HeuristicKind, HeuristicUser, MultiWalkingDistance, WalkingDistance,
    WalkingMemo, Zero,
};
use crate::outcome::Budget;
use crate::{Board, Slide};

/// A heuristic for multi-tile moves that is chosen while the program runs.
///
/// It goes by the same names as [those for single-tile moves](crate::heuristic::AnyHeuristic).
/// Pattern databases count the moves of their tiles apart, and a slide can move tiles of several
/// patterns, so they are refused.
///
/// ```
/// use taquin::heuristic::{AnyMultiHeuristic, HeuristicKind};
/// use taquin::search::{MultiSliding, PackedState};
/// use taquin::Goal;
///
/// let goal = Goal::Classic.board("3x3".parse()?)?;
/// let puzzle = MultiSliding::<PackedState>::new(&goal).unwrap();
/// assert!(AnyMultiHeuristic::new(HeuristicKind::Max, &puzzle).is_ok());
/// let refused = AnyMultiHeuristic::new("pdb:4-4".parse()?, &puzzle).unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "pdb:4-4 is for single-tile moves; for multi-tile moves there are zero, hamming, manhattan, \
///      linear-conflict, walking-distance, max"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnyMultiHeuristic {
    choice: Choice,
}

#[derive(Clone, Debug)]
enum Choice {
    Zero(Zero),
    Hamming(MultiHamming),
    Manhattan(MultiManhattan),
    LinearConflict(MultiLinearConflict),
    WalkingDistance(MultiWalkingDistance),
    Max(MultiMax),
}

/// What an [`AnyMultiHeuristic`] knows of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnyMultiMemo {
    /// Nothing.
    Zero,
    /// How many tiles are not at home.
    Misplaced(u32),
    /// For Manhattan distance, without or with linear conflicts.
    Moves(TileMoves),
    /// For the walking distance.
    Walking(WalkingMemo),
    /// For the maximum of linear conflict and walking distance.
    Max((TileMoves, WalkingMemo)),
}

impl AnyMultiHeuristic {
    /// The heuristic of a kind for a puzzle, with its tables. Those that need walking distances
    /// refuse boards that are too large for them.
    pub fn new<S: TileState>(
        kind: HeuristicKind,
        puzzle: &MultiSliding<S>,
    ) -> Result<Self, HeuristicError> {
        Self::within(
            kind,
            puzzle,
            WalkingDistance::MAX_STATES,
            &Budget::default(),
        )
    }

    /// The heuristic of a kind with a limit on walking distances. Its tables are made within the
    /// memory, the time and the cancel flag of a budget.
    pub fn within<S: TileState>(
        kind: HeuristicKind,
        puzzle: &MultiSliding<S>,
        limit: u32,
        budget: &Budget,
    ) -> Result<Self, HeuristicError> {
        let walking = || MultiWalkingDistance::within(puzzle, limit, budget);
        let conflict = || MultiLinearConflict::new(puzzle);
        let choice = match kind {
            HeuristicKind::Zero => Choice::Zero(Zero),
            HeuristicKind::Hamming => Choice::Hamming(MultiHamming::new(puzzle)),
            HeuristicKind::Manhattan => Choice::Manhattan(MultiManhattan::new(puzzle)),
            HeuristicKind::LinearConflict => Choice::LinearConflict(conflict()),
            HeuristicKind::WalkingDistance => Choice::WalkingDistance(walking()?),
            HeuristicKind::Max => Choice::Max(MultiMax::new(conflict(), walking()?)),
            HeuristicKind::Patterns(_) => return Err(HeuristicError::SingleOnly(kind)),
        };
        Ok(Self { choice })
    }

    /// Bytes that [`within`](Self::within) takes at most to make the tables of a heuristic for a
    /// goal; few where it has none.
    pub fn working_memory(kind: HeuristicKind, goal: &Board) -> Result<u64, HeuristicError> {
        let lines = crate::heuristic::LinearConflict::MAX_BYTES;
        let walking = || MultiWalkingDistance::working_memory(goal);
        Ok(match kind {
            HeuristicKind::Zero | HeuristicKind::Hamming | HeuristicKind::Manhattan => 0,
            HeuristicKind::LinearConflict => lines,
            HeuristicKind::WalkingDistance => walking(),
            HeuristicKind::Max => walking().saturating_add(lines),
            HeuristicKind::Patterns(_) => return Err(HeuristicError::SingleOnly(kind)),
        })
    }

    /// This heuristic for another goal. Tables are built only if that goal needs others, as
    /// [`within`](Self::within) builds them.
    pub fn towards<S: TileState>(
        &self,
        puzzle: &MultiSliding<S>,
        limit: u32,
        budget: &Budget,
    ) -> Result<Self, HeuristicError> {
        let shared = match &self.choice {
            Choice::WalkingDistance(walking) => {
                walking.towards(puzzle).map(Choice::WalkingDistance)
            }
            Choice::Max(max) => max.walking().towards(puzzle).map(|walking| {
                let conflict = MultiLinearConflict::new(puzzle);
                Choice::Max(MultiMax::new(conflict, walking))
            }),
            _ => None,
        };
        match shared {
            Some(choice) => Ok(Self { choice }),
            None => Self::within(self.kind(), puzzle, limit, budget),
        }
    }

    /// Bytes of its tables. Clones share them, and so do those that it was made
    /// [`towards`](Self::towards) another goal from.
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        match &self.choice {
            Choice::WalkingDistance(walking) => walking.table_bytes(),
            Choice::Max(max) => max.walking().table_bytes(),
            _ => 0,
        }
    }

    /// Which one it is.
    #[must_use]
    pub const fn kind(&self) -> HeuristicKind {
        match &self.choice {
            Choice::Zero(_) => HeuristicKind::Zero,
            Choice::Hamming(_) => HeuristicKind::Hamming,
            Choice::Manhattan(_) => HeuristicKind::Manhattan,
            Choice::LinearConflict(_) => HeuristicKind::LinearConflict,
            Choice::WalkingDistance(_) => HeuristicKind::WalkingDistance,
            Choice::Max(_) => HeuristicKind::Max,
        }
    }

    /// Hands the heuristic itself to a user, who then need not look which one it is at every step.
    #[doc(hidden)]
    pub fn hand_to<S: TileState, U: HeuristicUser<MultiSliding<S>>>(&self, user: U) -> U::Result {
        match &self.choice {
            Choice::Zero(h) => user.take(h),
            Choice::Hamming(h) => user.take(h),
            Choice::Manhattan(h) => user.take(h),
            Choice::LinearConflict(h) => user.take(h),
            Choice::WalkingDistance(h) => user.take(h),
            Choice::Max(h) => user.take(h),
        }
    }
}

impl<S: TileState> Heuristic<MultiSliding<S>> for AnyMultiHeuristic {
    type Memo = AnyMultiMemo;

    fn evaluate(&self, puzzle: &MultiSliding<S>, state: &S) -> AnyMultiMemo {
        match &self.choice {
            Choice::Zero(_) => AnyMultiMemo::Zero,
            Choice::Hamming(h) => AnyMultiMemo::Misplaced(h.evaluate(puzzle, state)),
            Choice::Manhattan(h) => AnyMultiMemo::Moves(h.evaluate(puzzle, state)),
            Choice::LinearConflict(h) => AnyMultiMemo::Moves(h.evaluate(puzzle, state)),
            Choice::WalkingDistance(h) => AnyMultiMemo::Walking(h.evaluate(puzzle, state)),
            Choice::Max(h) => AnyMultiMemo::Max(h.evaluate(puzzle, state)),
        }
    }

    #[inline]
    fn step(
        &self,
        puzzle: &MultiSliding<S>,
        before: &AnyMultiMemo,
        after: &S,
        slide: Slide,
    ) -> AnyMultiMemo {
        use AnyMultiMemo::{Max, Misplaced, Moves, Walking};
        match (&self.choice, before) {
            (Choice::Hamming(h), Misplaced(b)) => Misplaced(h.step(puzzle, b, after, slide)),
            (Choice::Manhattan(h), Moves(b)) => Moves(h.step(puzzle, b, after, slide)),
            (Choice::LinearConflict(h), Moves(b)) => Moves(h.step(puzzle, b, after, slide)),
            (Choice::WalkingDistance(h), Walking(b)) => Walking(h.step(puzzle, b, after, slide)),
            (Choice::Max(h), Max(b)) => Max(h.step(puzzle, b, after, slide)),
            // Another heuristic's memo says nothing, so look at the state.
            _ => self.evaluate(puzzle, after),
        }
    }

    #[inline]
    fn value(&self, memo: &AnyMultiMemo) -> u32 {
        type Domain<S> = MultiSliding<S>;
        match (&self.choice, memo) {
            (Choice::Hamming(h), AnyMultiMemo::Misplaced(m)) => Heuristic::<Domain<S>>::value(h, m),
            (Choice::Manhattan(h), AnyMultiMemo::Moves(m)) => Heuristic::<Domain<S>>::value(h, m),
            (Choice::LinearConflict(h), AnyMultiMemo::Moves(m)) => {
                Heuristic::<Domain<S>>::value(h, m)
            }
            (Choice::WalkingDistance(h), AnyMultiMemo::Walking(m)) => {
                Heuristic::<Domain<S>>::value(h, m)
            }
            (Choice::Max(h), AnyMultiMemo::Max(m)) => Heuristic::<Domain<S>>::value(h, m),
            // Zero, or another heuristic's memo, which says nothing.
            _ => 0,
        }
    }

    fn is_consistent(&self) -> bool {
        match &self.choice {
            Choice::Zero(h) => Heuristic::<MultiSliding<S>>::is_consistent(h),
            Choice::Hamming(h) => Heuristic::<MultiSliding<S>>::is_consistent(h),
            Choice::Manhattan(h) => Heuristic::<MultiSliding<S>>::is_consistent(h),
            Choice::LinearConflict(h) => Heuristic::<MultiSliding<S>>::is_consistent(h),
            Choice::WalkingDistance(h) => Heuristic::<MultiSliding<S>>::is_consistent(h),
            Choice::Max(h) => Heuristic::<MultiSliding<S>>::is_consistent(h),
        }
    }
}
