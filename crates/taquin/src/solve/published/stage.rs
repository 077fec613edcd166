//! One stage of Parberry's method: a best next move for every arrangement.

use super::region::Region;
use crate::Move;

/// A best next move for every arrangement of a region, two bits each.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    region: Region,
    moves: Box<[u8]>,
    /// How many arrangements there are for each cell of the blank and each distance.
    counts: Vec<[u32; 64]>,
}

impl Stage {
    pub(super) fn new(region: Region) -> Self {
        let mut moves = vec![0; region.states().div_ceil(4)].into_boxed_slice();
        let mut counts = vec![[0; 64]; 16];
        region.explore(|places, rank, distance, m| {
            moves[rank / 4] |= (m as u8) << (rank % 4 * 2);
            counts[(places.0 & 15) as usize][usize::from(distance)] += 1;
        });
        Self {
            region,
            moves,
            counts,
        }
    }

    /// The bytes of the table.
    pub(super) fn bytes(&self) -> usize {
        self.moves.len()
    }

    /// The next move, given the cell of each home's owner; none at the end of the stage.
    pub(super) fn next(&self, cells: &[u8; 16]) -> Option<Move> {
        let at_home = |&home: &u8| cells[usize::from(home)] == home;
        if self.region.ends >> cells[15] & 1 == 1 && self.region.homes.iter().all(at_home) {
            return None;
        }
        let rank = self.region.rank(self.region.places(cells));
        Some(Move::ALL[usize::from(self.moves[rank / 4] >> (rank % 4 * 2) & 3)])
    }

    /// For each distance, how many arrangements have it with the blank in one of these cells of
    /// the region.
    pub(super) fn distances(&self, blanks: u16) -> Vec<u32> {
        let chosen = (0..).zip(&self.counts);
        let chosen = chosen.filter(|&(cell, _): &(u32, _)| blanks >> cell & 1 == 1);
        let mut sums = vec![0; 64];
        for (_, counts) in chosen {
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        sums
    }
}
