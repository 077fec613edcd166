//! What the moves of single tiles say of slides.

use crate::Board;
use crate::domain::{FlatState, MultiSliding};
use crate::heuristic::multi::{most_tiles, slides};
use crate::heuristic::{Heuristic, MultiHamming, MultiLinearConflict, TileMoves};

/// What multi-tile moves need besides.
#[derive(Clone, Debug)]
pub(super) struct SlideEstimator {
    puzzle: MultiSliding<FlatState>,
    hamming: MultiHamming,
    conflict: MultiLinearConflict,
}

/// How many slides it takes for the moves that single tiles need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlideBreakdown {
    /// The rows and the columns between all tiles and their homes.
    pub distances: TileMoves,
    /// The same, and two for each tile that must leave its own line.
    pub moves: TileMoves,
    /// The most tiles of one slide.
    pub most_tiles: TileMoves,
}

impl SlideBreakdown {
    /// The slides along columns and along rows for so many moves, at least.
    #[must_use]
    pub const fn slides(&self, moves: TileMoves) -> (u32, u32) {
        slides(moves, self.most_tiles)
    }
}

impl SlideEstimator {
    pub(super) fn new(goal: &Board) -> Self {
        let puzzle = MultiSliding::flat(goal);
        Self {
            hamming: MultiHamming::new(&puzzle),
            conflict: MultiLinearConflict::new(&puzzle),
            puzzle,
        }
    }

    pub(super) const fn puzzle(&self) -> &MultiSliding<FlatState> {
        &self.puzzle
    }

    pub(super) fn breakdown(&self, state: &FlatState) -> SlideBreakdown {
        SlideBreakdown {
            distances: self.conflict.manhattan().evaluate(&self.puzzle, state),
            moves: self.conflict.evaluate(&self.puzzle, state),
            most_tiles: most_tiles(self.puzzle.size()),
        }
    }

    /// The values of Hamming, Manhattan and linear conflict.
    pub(super) fn values(&self, state: &FlatState, parts: &SlideBreakdown) -> [u32; 3] {
        type Domain = MultiSliding<FlatState>;
        let misplaced = self.hamming.evaluate(&self.puzzle, state);
        let (manhattan, conflict) = (self.conflict.manhattan(), &self.conflict);
        [
            Heuristic::<Domain>::value(&self.hamming, &misplaced),
            Heuristic::<Domain>::value(manhattan, &parts.distances),
            Heuristic::<Domain>::value(conflict, &parts.moves),
        ]
    }
}
