//! The best of what is known of slides along columns and along rows.

use super::{MultiLinearConflict, TileMoves, alternating};
use crate::Slide;
use crate::domain::{MultiSliding, TileState};
use crate::heuristic::{Heuristic, MultiWalkingDistance, WalkingMemo};

/// The larger of what [`MultiLinearConflict`] and [`MultiWalkingDistance`] say of slides along
/// columns, and the same for slides along rows.
///
/// The two kinds alternate, as with each of the two heuristics, and this one is at least as large as
/// both. It is not consistent.
#[derive(Clone, Debug)]
pub struct MultiMax {
    conflict: MultiLinearConflict,
    walking: MultiWalkingDistance,
}

impl MultiMax {
    /// The maximum of the two.
    #[must_use]
    pub const fn new(conflict: MultiLinearConflict, walking: MultiWalkingDistance) -> Self {
        Self { conflict, walking }
    }

    /// Its walking distance.
    pub(super) const fn walking(&self) -> &MultiWalkingDistance {
        &self.walking
    }
}

impl<S: TileState> Heuristic<MultiSliding<S>> for MultiMax {
    type Memo = (TileMoves, WalkingMemo);

    fn evaluate(&self, puzzle: &MultiSliding<S>, state: &S) -> Self::Memo {
        (
            self.conflict.evaluate(puzzle, state),
            self.walking.evaluate(puzzle, state),
        )
    }

    #[inline]
    fn step(
        &self,
        puzzle: &MultiSliding<S>,
        before: &Self::Memo,
        after: &S,
        slide: Slide,
    ) -> Self::Memo {
        (
            self.conflict.step(puzzle, &before.0, after, slide),
            self.walking.step(puzzle, &before.1, after, slide),
        )
    }

    #[inline]
    fn value(&self, (moves, walking): &Self::Memo) -> u32 {
        let (vertical, horizontal) = self.conflict.slides(*moves);
        let halves = walking.halves();
        alternating(
            vertical.max(halves.vertical.into()),
            horizontal.max(halves.horizontal.into()),
        )
    }

    fn is_consistent(&self) -> bool {
        false
    }
}
