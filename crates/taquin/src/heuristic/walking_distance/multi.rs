//! The walking distance in multi-tile moves.

#[cfg(doc)]
use super::WalkingHalves;
use super::half::Side;
use super::{WalkingDistance, WalkingError, WalkingMemo, working_memory};
use crate::domain::{MultiSliding, TileState};
use crate::heuristic::Heuristic;
use crate::outcome::Budget;
use crate::{Board, Metric, Slide};

/// The walking distance in multi-tile moves: the slides that two simpler puzzles need.
///
/// The two puzzles are those of [`WalkingDistance`]. A slide in the vertical one takes a tile from
/// each of some neighbouring rows to the next row, whichever tiles these are, and counts once. A
/// slide of the real puzzle is a slide of one of them and nothing in the other. So it takes at least
/// as many slides along columns as the vertical puzzle needs, and as many along rows as the
/// horizontal one does. The two kinds alternate: see [`WalkingHalves::alternating`]. A single slide
/// can lower the estimate by 2, so it is not consistent.
///
/// ```
/// use taquin::heuristic::{Heuristic, MultiWalkingDistance};
/// use taquin::search::{MultiSliding, PackedState};
/// use taquin::{Board, Goal};
///
/// let board: Board = "0 1 2/4 5 3/7 8 6".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let puzzle = MultiSliding::<PackedState>::new(&goal).unwrap();
/// let walking = MultiWalkingDistance::new(&puzzle)?;
/// let memo = walking.evaluate(&puzzle, &puzzle.state(&board)?);
/// assert_eq!((memo.halves().vertical, memo.halves().horizontal), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MultiWalkingDistance(WalkingDistance);

impl MultiWalkingDistance {
    /// The heuristic for a puzzle, if neither half has more states than
    /// [`WalkingDistance::MAX_STATES`].
    pub fn new<S: TileState>(puzzle: &MultiSliding<S>) -> Result<Self, WalkingError> {
        Self::within(puzzle, WalkingDistance::MAX_STATES, &Budget::default())
    }

    /// The heuristic for a puzzle, if neither half has more states than the limit, made within the
    /// memory and the time of a budget.
    pub fn within<S: TileState>(
        puzzle: &MultiSliding<S>,
        limit: u32,
        budget: &Budget,
    ) -> Result<Self, WalkingError> {
        let goal = puzzle.goal_board();
        WalkingDistance::solved(goal, Metric::Multi, limit, budget).map(Self)
    }

    /// Bytes that it takes at most to make the heuristic for a goal.
    #[must_use]
    pub fn working_memory(goal: &Board) -> u64 {
        working_memory(goal, Metric::Multi)
    }

    /// This heuristic for another goal, with the same tables; `None` if that goal needs others,
    /// because it has another size or its blank is elsewhere.
    #[must_use]
    pub fn towards<S: TileState>(&self, puzzle: &MultiSliding<S>) -> Option<Self> {
        self.0.shared_with(puzzle.goal_board()).map(Self)
    }

    /// Bytes of its tables. Clones share them.
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        self.0.table_bytes()
    }
}

impl<S: TileState> Heuristic<MultiSliding<S>> for MultiWalkingDistance {
    type Memo = WalkingMemo;

    fn evaluate(&self, puzzle: &MultiSliding<S>, state: &S) -> WalkingMemo {
        self.0.look(puzzle.size().columns(), state)
    }

    #[inline]
    fn step(
        &self,
        puzzle: &MultiSliding<S>,
        before: &WalkingMemo,
        after: &S,
        slide: Slide,
    ) -> WalkingMemo {
        let (walking, columns) = (&self.0, puzzle.size().columns());
        let side = Side::of(slide.direction);
        // In the order in which they moved.
        let moved = puzzle.last_slide(after, slide).rev();
        let mut homes = moved.map(|(tile, ..)| walking.homes[usize::from(tile)]);
        let mut memo = *before;
        if slide.direction.is_vertical() {
            let half = &walking.vertical;
            memo.vertical_state = homes
                .try_fold(before.vertical_state, |state, (row, _)| {
                    half.follow(state, side, row.into())
                })
                .unwrap_or_else(|| walking.vertical_state(columns, after));
            memo.halves.vertical = half.distance(memo.vertical_state);
        } else {
            let half = &walking.horizontal;
            memo.horizontal_state = homes
                .try_fold(before.horizontal_state, |state, (_, column)| {
                    half.follow(state, side, column.into())
                })
                .unwrap_or_else(|| walking.horizontal_state(columns, after));
            memo.halves.horizontal = half.distance(memo.horizontal_state);
        }
        memo
    }

    #[inline]
    fn value(&self, memo: &WalkingMemo) -> u32 {
        memo.halves.alternating()
    }

    fn is_consistent(&self) -> bool {
        false
    }
}
