//! One step of a table's value along a path.

use crate::tables::{EntryPlace, Key, OCCUPIED, Order, PART, moved};

use super::engine::{PADDED, Slot};

/// Where the tiles of a slot are, and their value modulo 4: the set in bits 0 to 35, the value in
/// 36 and 37, the order from 40 on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::solve) struct Word(pub(in crate::solve) u64);

impl Word {
    const SET: u64 = (1 << Key::MAX_CELLS) - 1;
    const VALUE: u32 = 36;
    const ORDER: u32 = 40;

    pub(in crate::solve) fn new(place: EntryPlace, value: u32) -> Self {
        Self::pack(place.set, place.order).with_value(u64::from(value & 3))
    }

    #[inline(always)]
    fn pack(set: u64, order: Order) -> Self {
        Self(set | u64::from(order) << Self::ORDER)
    }

    #[inline(always)]
    const fn with_value(self, value: u64) -> Self {
        Self(self.0 | value << Self::VALUE)
    }

    /// The value modulo 4.
    #[inline(always)]
    const fn value(self) -> u64 {
        self.0 >> Self::VALUE & 3
    }

    /// The word after a move, from what [`Lookup::advance`] left, which still has the value from
    /// before it, and the bit that the table has; and whether the value rose (1) or fell (0).
    #[inline(always)]
    pub(in crate::solve) const fn landed(self, bit: u8) -> (Self, u8) {
        let value = self.value();
        // It rose if bit 1 of the value plus one is what the table has.
        let rose = !((value + 1) >> 1 ^ bit as u64) & 1;
        let after = (value + 2 * rose).wrapping_sub(1) & 3;
        (Self(self.0 ^ (value ^ after) << Self::VALUE), rose as u8)
    }
}

/// All that a lookup in one slot needs, side by side.
#[derive(Debug)]
pub(in crate::solve) struct Lookup<'a> {
    pub(in crate::solve) bytes: &'a [u8],
    cells: &'a [u8; PADDED],
    low: &'a [u32],
    high: &'a [u32],
    first: &'a [u32],
    zones: &'a [u8],
    lane: &'a [u16; PART],
    within: &'a [u8; PART],
    half: u32,
    zone_shift: u32,
    cut: u32,
    row_bits: usize,
}

impl<'a> Lookup<'a> {
    pub(in crate::solve) fn new(slot: &'a Slot) -> Self {
        let geometry = &*slot.indexer.geometry;
        let ranks = &*slot.indexer.ranks;
        Self {
            bytes: slot.table.bytes(),
            cells: &slot.cells,
            low: &geometry.low,
            high: &geometry.high,
            first: &geometry.first,
            zones: &geometry.zones,
            lane: &ranks.lane,
            within: &ranks.within,
            half: geometry.half,
            zone_shift: geometry.zone_bytes.trailing_zeros(),
            cut: 3 * ranks.head() as u32,
            row_bits: slot.indexer.row_bits(),
        }
    }

    /// What becomes of a slot when one of its tiles moves between two cells, but for its value,
    /// which stays as it was, and which bit tells the new one.
    #[inline(always)]
    pub(in crate::solve) fn advance(&self, word: Word, from: u8, to: u8) -> (Word, usize) {
        let (set, order) = (word.0 & Word::SET, (word.0 >> Word::ORDER) as Order);
        let from = self.cells[usize::from(from) % PADDED];
        let to = self.cells[usize::from(to) % PADDED];
        // How many tiles are before it, without itself: its position in the order. A move along a
        // row gives the same twice, and the order stays; to find that out would cost more.
        let others = set & !(1 << from);
        let position = |cell: u8| (others & ((1 << cell) - 1)).count_ones();
        let order = moved(order, position(from), position(to));
        let set = others | 1 << to;
        let after = Word::pack(set, order).with_value(word.value());
        (after, self.index(set, order, from))
    }

    /// What `Indexer::index` gives, from what lies here side by side.
    #[inline(always)]
    fn index(&self, set: u64, order: Order, blank: u8) -> usize {
        let low = self.low[(set & ((1 << self.half) - 1)) as usize];
        let rank = (low + self.high[(set >> self.half) as usize]) as usize;
        let pair = self.zones[(rank << self.zone_shift) + usize::from(blank / 2)];
        let zone = pair >> (blank % 2 * 4) & OCCUPIED;
        let block = self.first[rank] as usize + usize::from(zone);
        let lane = self.lane[(order & ((1 << self.cut) - 1)) as usize % PART];
        let within = self.within[(order >> self.cut) as usize % PART];
        (usize::from(lane) + usize::from(within)) * self.row_bits + block
    }

    #[inline(always)]
    pub(in crate::solve) fn bit(&self, index: usize) -> u8 {
        self.bytes[index / 8] >> (index % 8) & 1
    }
}
