//! One table, as it follows the tiles of a real board.

use crate::domain::TileState;
use crate::tables::{EntryPlace, Indexer, Key, Table, moved};
use crate::{Board, Size};

/// A table under one way to lay the real board onto the table's.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    table: Table,
    indexer: Indexer,
    /// Where each cell of the real board lies in the table.
    cells: Box<[u8]>,
    /// The number of each tile in the table's pattern; [`OTHER`] if it is not in it.
    numbers: Box<[u8]>,
}

/// Marks tiles that a table does not follow.
const OTHER: u8 = u8::MAX;

/// What is known of the tiles of a slot: where they are, and what they need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotMemo {
    /// The cells in the table: bit `c` for cell `c`.
    set: u64,
    /// The tiles in these cells, three bits for each.
    order: u32,
    value: u8,
}

/// The value of tiles that cannot get home. No table has as large ones.
const NEVER: u8 = u8::MAX;

impl SlotMemo {
    /// The moves of its tiles, at least; `None` if they cannot get home.
    #[inline]
    pub(super) const fn value(self) -> Option<u32> {
        if self.value == NEVER {
            None
        } else {
            Some(self.value as u32)
        }
    }
}

impl Slot {
    /// The slot of a table for a goal, with `cell` saying where each cell of it lies in the table.
    pub(super) fn new(
        table: &Table,
        indexer: &Indexer,
        goal: &Board,
        cell: impl Fn(usize) -> usize,
    ) -> Self {
        let pattern = table.key().pattern();
        let number = |(tile, home): (usize, usize)| {
            let place = pattern.iter().position(|of| of == cell(home));
            place
                .filter(|_| tile > 0)
                .map_or(OTHER, |number| number as u8)
        };
        Self {
            table: table.clone(),
            indexer: indexer.clone(),
            cells: (0..goal.size().cells()).map(|c| cell(c) as u8).collect(),
            numbers: goal
                .cells_of_tiles()
                .into_iter()
                .enumerate()
                .map(number)
                .collect(),
        }
    }

    pub(super) const fn key(&self) -> &Key {
        self.table.key()
    }

    /// The tiles that it follows.
    pub(super) fn tiles(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.numbers.len()).filter(|&tile| self.numbers[tile] != OTHER)
    }

    /// What is known of a state, by walking downhill.
    pub(super) fn evaluate<S: TileState>(&self, size: Size, state: &S) -> SlotMemo {
        let mut there = [OTHER; Key::MAX_CELLS];
        for cell in 0..size.cells() {
            let tile = state.tile(cell);
            there[usize::from(self.cells[cell])] = self.numbers[usize::from(tile)];
        }
        let (mut set, mut order, mut count) = (0, 0, 0);
        for (cell, &number) in there.iter().enumerate() {
            if number != OTHER {
                set |= 1 << cell;
                order |= u32::from(number) << (3 * count);
                count += 1;
            }
        }
        let blank = usize::from(self.cells[state.blank()]);
        let value = self
            .table
            .walk(&self.indexer, EntryPlace { set, order, blank });
        SlotMemo {
            set,
            order,
            value: value.map_or(NEVER, |value| value as u8),
        }
    }

    /// What is known after one of its tiles has moved between two cells of the real board.
    #[inline]
    pub(super) fn step(&self, before: SlotMemo, from: usize, to: usize) -> SlotMemo {
        let (from, to) = (self.cells[from], self.cells[to]);
        let others = before.set & !(1 << from);
        let position = |cell: u8| (others & ((1 << cell) - 1)).count_ones();
        let order = moved(before.order, position(from), position(to));
        let set = others | 1 << to;
        // The value rises or falls by one. These two differ in bit 1, which is what the table has.
        // The blank is now where the tile was.
        let index = self.indexer.index(set, order, usize::from(from));
        let bit = self.table.bytes()[index / 8] >> (index % 8) & 1;
        let value = match before.value {
            NEVER => NEVER,
            value if value.wrapping_add(1) >> 1 & 1 == bit => value.wrapping_add(1),
            value => value.wrapping_sub(1),
        };
        SlotMemo { set, order, value }
    }
}
