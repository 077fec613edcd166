//! Manhattan distance in multi-tile moves, and the tiles that stand in one another's way.

use super::{MultiManhattan, TileMoves, alternating};
use crate::Slide;
use crate::domain::{Cost, MultiSliding, TileState};
use crate::heuristic::Heuristic;
use crate::heuristic::lines::{Axis, Lines};

/// Manhattan distance in multi-tile moves with two moves more for each tile that must leave its own
/// line: see [`LinearConflict`](crate::heuristic::LinearConflict).
///
/// A tile that leaves its row and comes back moves up and down, so what the rows add belongs to the
/// slides along columns, and what the columns add to those along rows. As with
/// [`MultiManhattan`] the two kinds alternate, and the estimate is not consistent.
#[derive(Clone, Debug)]
pub struct MultiLinearConflict {
    manhattan: MultiManhattan,
    rows: Lines,
    columns: Lines,
}

impl MultiLinearConflict {
    /// The heuristic for a puzzle.
    #[must_use]
    pub fn new<S: TileState>(puzzle: &MultiSliding<S>) -> Self {
        let manhattan = MultiManhattan::new(puzzle);
        let lines = |axis| Lines::new(manhattan.homes(), axis, Cost::Unit);
        Self {
            rows: lines(Axis::Rows),
            columns: lines(Axis::Columns),
            manhattan,
        }
    }

    /// Its Manhattan distance.
    pub(crate) const fn manhattan(&self) -> &MultiManhattan {
        &self.manhattan
    }

    /// What every solution has at least of slides along columns and along rows.
    #[inline]
    pub(super) const fn slides(&self, moves: TileMoves) -> (u32, u32) {
        self.manhattan.slides(moves)
    }
}

impl<S: TileState> Heuristic<MultiSliding<S>> for MultiLinearConflict {
    type Memo = TileMoves;

    fn evaluate(&self, puzzle: &MultiSliding<S>, state: &S) -> TileMoves {
        let conflicts = |lines: &Lines| {
            (0..lines.count())
                .map(|i| lines.added(state, i))
                .sum::<u32>()
        };
        let distances = self.manhattan.of_state(puzzle.size(), state);
        TileMoves {
            vertical: distances.vertical + conflicts(&self.rows),
            horizontal: distances.horizontal + conflicts(&self.columns),
        }
    }

    #[inline]
    fn step(
        &self,
        puzzle: &MultiSliding<S>,
        before: &TileMoves,
        after: &S,
        slide: Slide,
    ) -> TileMoves {
        // The tiles are taken back one by one: conflicts are looked up as if one tile moved.
        let (mut state, mut memo) = (after.clone(), *before);
        for (tile, from, to) in puzzle.last_slide(after, slide) {
            memo = self.manhattan.moved(memo, tile, from, to);
            let (sum, lines) = if slide.direction.is_vertical() {
                (&mut memo.vertical, &self.rows)
            } else {
                (&mut memo.horizontal, &self.columns)
            };
            *sum = sum.wrapping_add(lines.change(&state, tile, from, to));
            state.slide(to);
        }
        memo
    }

    #[inline]
    fn value(&self, memo: &TileMoves) -> u32 {
        let (vertical, horizontal) = self.slides(*memo);
        alternating(vertical, horizontal)
    }

    fn is_consistent(&self) -> bool {
        false
    }
}
