//! One step of a table's value along a path.

use crate::tables::{EntryPlace, GROUP, Key, Order, PART, SetRecord, ZONE, moved};

use super::engine::{PADDED, Slot};

/// Where the tiles of a slot are, and their value modulo 4: the set in bits 0 to 35, the value in
/// 36 and 37, the order from 40 on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::solve) struct Word(pub(in crate::solve) u64);

impl Word {
    pub(super) const SET: u64 = (1 << Key::MAX_CELLS) - 1;
    pub(super) const VALUE: u32 = 36;
    pub(super) const ORDER: u32 = 40;

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
    pub(super) cells: &'a [u8; PADDED],
    pub(super) low: &'a [u32],
    pub(super) high: &'a [u32],
    pub(super) records: &'a [SetRecord],
    pub(super) groups: &'a [u32],
    pub(super) shapes: &'a [u8],
    pub(super) lane: &'a [u16; PART],
    pub(super) within: &'a [u8; PART],
    pub(super) half: u32,
    pub(super) low_mask: u64,
    pub(super) high_mask: u64,
    pub(super) last_set: usize,
    /// Twice the bytes of a shape are at least the cells of a board, and a power of two.
    pub(super) cell_mask: u8,
    pub(super) shape_shift: u32,
    pub(super) cut: u32,
    pub(super) row_bits: usize,
}

impl<'a> Lookup<'a> {
    pub(in crate::solve) fn new(slot: &'a Slot) -> Self {
        Self::in_bytes(slot, slot.table.bytes())
    }

    /// Looks the slot up in these bytes, which are those of its table or a copy of them.
    pub(super) fn in_bytes(slot: &'a Slot, bytes: &'a [u8]) -> Self {
        let geometry = &*slot.indexer.geometry;
        let ranks = &*slot.indexer.ranks;
        let is_whole = |half: &[u32]| half.len().is_power_of_two();
        assert!(
            is_whole(&geometry.low) && is_whole(&geometry.high) && geometry.sets() > 0,
            "a geometry has every half, and a set"
        );
        Self {
            bytes,
            cells: &slot.cells,
            low: &geometry.low,
            high: &geometry.high,
            records: &geometry.records,
            groups: &geometry.groups,
            shapes: &geometry.shapes,
            lane: &ranks.lane,
            within: &ranks.within,
            half: geometry.half,
            low_mask: geometry.low.len() as u64 - 1,
            high_mask: geometry.high.len() as u64 - 1,
            last_set: geometry.sets() - 1,
            cell_mask: (2 * geometry.shape_bytes - 1) as u8,
            shape_shift: geometry.shape_bytes.trailing_zeros(),
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
    pub(super) fn index(&self, set: u64, order: Order, blank: u8) -> usize {
        let (low, high) = (set & self.low_mask, set >> self.half & self.high_mask);
        #[expect(
            unsafe_code,
            reason = "four checks for each lookup cost a tenth of a search"
        )]
        // SAFETY: each half has as many entries as its mask allows, which `new` has checked. The
        // rank is made that of a set, of which there is at least one. A geometry has a group for
        // every set, and a shape for every record, with room for every cell.
        let (rank, record, pair) = unsafe {
            let rank =
                self.low.get_unchecked(low as usize) + self.high.get_unchecked(high as usize);
            let rank = (rank as usize).min(self.last_set);
            let record = *self.records.get_unchecked(rank);
            let cell = usize::from(blank & self.cell_mask);
            let shape = record.shape() << self.shape_shift;
            (rank, record, *self.shapes.get_unchecked(shape + cell / 2))
        };
        let zone = usize::from(pair >> (blank % 2 * 4) & ZONE);
        let block = self.groups[rank / GROUP] as usize + record.block() + zone;
        let lane = self.lane[(order & ((1 << self.cut) - 1)) as usize % PART];
        let within = self.within[(order >> self.cut) as usize % PART];
        (usize::from(lane) + usize::from(within)) * self.row_bits + block
    }

    /// Whether it numbers the states of its slot as another does: then so do both.
    pub(super) fn numbers_like(&self, other: &Self) -> bool {
        std::ptr::eq(self.records, other.records)
    }

    #[inline(always)]
    pub(in crate::solve) fn bit(&self, index: usize) -> u8 {
        self.bytes[index / 8] >> (index % 8) & 1
    }
}
