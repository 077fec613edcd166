//! Where the goal has each tile, and what a move of that tile counts.

use crate::domain::Cost;
use crate::{Board, Size, Tile};

/// The home cell of each tile, which is where the goal has it, and the weight of its moves.
#[derive(Clone, Debug)]
pub(super) struct Homes {
    size: Size,
    cells: Box<[u16]>,
    heaviest: u32,
}

impl Homes {
    pub(super) fn new(goal: &Board, cost: Cost) -> Self {
        let size = goal.size();
        let heaviest = match cost {
            Cost::Unit => 1,
            // No estimate may overflow. The largest one is less than rows + columns + 2 moves for
            // each tile: its Manhattan distance, and two for a conflict in its row and its column.
            // From 74x74 on this makes the heaviest tiles lighter than they are. An estimate from
            // lighter tiles is still a lower bound.
            Cost::Tile => u32::MAX / (size.cells() * (size.rows() + size.columns() + 2)) as u32,
        };
        Self {
            size,
            cells: goal
                .cells_of_tiles()
                .into_iter()
                .map(|cell| cell as u16)
                .collect(),
            heaviest,
        }
    }

    pub(super) const fn size(&self) -> Size {
        self.size
    }

    /// The cell on which the goal has the tile.
    #[inline]
    pub(super) fn cell(&self, tile: Tile) -> usize {
        usize::from(self.cells[usize::from(tile)])
    }

    /// What one move of the tile counts: at most its cost, and 0 for the blank, which therefore
    /// never counts.
    #[inline]
    pub(super) fn weight(&self, tile: Tile) -> u32 {
        u32::from(tile).min(self.heaviest)
    }

    /// How many moves the tile needs from a cell to its home, if nothing is in its way.
    pub(super) fn distance(&self, tile: Tile, cell: usize) -> u32 {
        self.size.distance(self.cell(tile), cell) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Goal;

    #[test]
    fn the_largest_estimate_fits_for_every_size() {
        for (rows, columns) in [(2, 2), (4, 4), (73, 73), (74, 74), (2, 255), (255, 255)] {
            let size = Size::new(rows, columns).unwrap();
            let homes = Homes::new(&Goal::Classic.board(size).unwrap(), Cost::Tile);
            let last = (size.cells() - 1) as Tile;
            let heaviest = u64::from(homes.weight(last));
            let most = size.cells() as u64 * (rows + columns + 2) as u64 * heaviest;
            assert!(u32::try_from(most).is_ok(), "{size}");
            assert_eq!(
                heaviest == u64::from(last),
                rows.min(columns) < 74,
                "{size}"
            );
            assert_eq!(homes.weight(0), 0);
        }
    }
}
