//! The end of a solution: with the first row and the first column in place, the rest is known.

use super::Grid;
use super::region::{Places, Region};
use crate::Move;

/// How many moves every arrangement of the last 3×3 cells is away from the goal.
#[derive(Clone, Debug)]
pub(super) struct End {
    distances: Box<[u8]>,
}

impl End {
    const REGION: Region = Region::REST;

    pub(super) fn new() -> Self {
        let mut distances = vec![0; Self::REGION.states()].into_boxed_slice();
        Self::REGION.explore(|_, rank, distance, _| distances[rank] = distance);
        Self { distances }
    }

    pub(super) fn bytes(&self) -> usize {
        self.distances.len()
    }

    /// How many moves a board is away whose first row and first column are in place.
    #[inline(always)]
    pub(super) fn distance(&self, grid: Grid) -> u8 {
        self.at(Self::REGION.places(&grid.cells()))
    }

    #[inline(always)]
    fn at(&self, places: Places) -> u8 {
        self.distances[Self::REGION.rank(places)]
    }

    /// Adds the moves that lead such a board to the goal.
    pub(super) fn finish(&self, grid: Grid, moves: &mut Vec<Move>) {
        let mut places = Self::REGION.places(&grid.cells());
        for left in (0..self.at(places)).rev() {
            let next = Move::ALL.into_iter().find_map(|m| {
                let after = Self::REGION.after(places, m)?;
                (self.at(after) == left).then_some((m, after))
            });
            let Some((m, after)) = next else { return };
            moves.push(m);
            places = after;
        }
    }
}
