//! What tables and plans are for.

use crate::tables::{AnyCatalogue, KeyError, Tier};
use crate::{Board, Metric, Reduction};

/// A goal, and what counts as a move on the way to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Puzzle<'a> {
    pub(super) goal: &'a Board,
    pub(super) metric: Metric,
}

/// What puzzles that share their tables have in common: the canonical goal, and the metric.
pub(super) type PuzzleKey = (Board, Metric);

impl<'a> Puzzle<'a> {
    /// A goal in single-tile moves.
    pub(super) const fn single(goal: &'a Board) -> Self {
        Self {
            goal,
            metric: Metric::Single,
        }
    }

    /// What it has in common with all that share its tables.
    pub(super) fn key(self) -> PuzzleKey {
        (Reduction::new(self.goal).goal().clone(), self.metric)
    }

    /// The tables that it uses.
    pub(super) fn catalogue(self, tier: Tier) -> Result<AnyCatalogue, KeyError> {
        AnyCatalogue::for_goal(self.goal, self.metric, tier)
    }
}
