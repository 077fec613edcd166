//! Part of the board on which some tiles are to get home while the others are only in the way.

use super::SIZE;
use crate::{Move, Size};

/// A rectangle of the 4×4 board, the tiles that are to get home in it, and where the blank may be
/// in the end.
///
/// Cells are counted from 0 within the rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    /// The first row and the first column.
    pub(super) first: (u8, u8),
    pub(super) size: Size,
    /// The homes of the tiles, as cells of the board.
    pub(super) homes: &'static [u8],
    /// The cells of the board where the blank may be in the end.
    pub(super) ends: u16,
}

/// Where the blank and the tiles of a region are: four bits each, the blank in the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places(pub(super) u32);

impl Places {
    const fn get(self, item: usize) -> u8 {
        (self.0 >> (4 * item) & 15) as u8
    }
}

impl Region {
    /// The first row of the board, the blank below it.
    pub(super) const ROW: Self = Self {
        first: (0, 0),
        size: SIZE,
        homes: &[0, 1, 2, 3],
        ends: 0xFFF0,
    };
    /// The last 3×3 cells. Six tiles are enough: with them and the blank at home the other two are,
    /// or the board would be unsolvable.
    pub(super) const REST: Self = Self {
        first: (1, 1),
        size: Size::known(3, 3),
        homes: &[5, 6, 7, 9, 10, 11],
        ends: 1 << 15,
    };

    /// The number of a cell of the board within the region.
    #[inline(always)]
    pub(super) const fn local(&self, cell: u8) -> u8 {
        let (top, left) = self.first;
        (cell / 4 - top) * self.size.columns() as u8 + cell % 4 - left
    }

    /// Where the blank and the tiles are, from the cell of each home's owner.
    #[inline(always)]
    pub(super) fn places(&self, cells: &[u8; 16]) -> Places {
        let tiles = self.homes.iter().rev();
        let places = tiles.fold(0, |places, &home| {
            places << 4 | u32::from(self.local(cells[usize::from(home)]))
        });
        Places(places << 4 | u32::from(self.local(cells[15])))
    }

    /// How many arrangements there are.
    pub(super) fn states(&self) -> usize {
        let cells = self.size.cells();
        (cells - self.homes.len()..=cells).product()
    }

    /// The number of an arrangement among all of them.
    #[inline(always)]
    pub(super) fn rank(&self, places: Places) -> usize {
        let cells = self.size.cells();
        let mut used = 0_u32;
        (0..=self.homes.len()).fold(0, |rank, item| {
            let place = places.get(item);
            let before = used & ((1 << place) - 1);
            used |= 1 << place;
            rank * (cells - item) + usize::from(place) - before.count_ones() as usize
        })
    }

    /// The arrangement after the blank went one cell on, so that `m` slid a tile.
    pub(super) fn after(&self, places: Places, m: Move) -> Option<Places> {
        let blank = places.get(0);
        let from = self.size.neighbour(blank.into(), m)? as u8;
        let slid = (1..=self.homes.len()).find(|&item| places.get(item) == from);
        let change = u32::from(from ^ blank);
        let tile = slid.map_or(0, |item| change << (4 * item));
        Some(Places(places.0 ^ change ^ tile))
    }

    /// Visits every arrangement once, nearest to the end first: its places, its number, how many
    /// moves it is away, and the first of them.
    pub(super) fn explore(&self, mut visit: impl FnMut(Places, usize, u8, Move)) {
        let mut seen = vec![false; self.states()];
        let mut reached = Vec::new();
        let homes: [u8; 16] = std::array::from_fn(|home| home as u8);
        for blank in (0..16).filter(|cell| self.ends >> cell & 1 == 1) {
            let mut cells = homes;
            cells[15] = blank;
            let places = self.places(&cells);
            let rank = self.rank(places);
            seen[rank] = true;
            visit(places, rank, 0, Move::Up);
            reached.push(places);
        }
        for distance in 1.. {
            let mut next = Vec::new();
            for &places in &reached {
                for m in Move::ALL {
                    let Some(before) = self.after(places, m) else {
                        continue;
                    };
                    let rank = self.rank(before);
                    if !std::mem::replace(&mut seen[rank], true) {
                        visit(before, rank, distance, m.opposite());
                        next.push(before);
                    }
                }
            }
            if next.is_empty() {
                return;
            }
            reached = next;
        }
    }
}
