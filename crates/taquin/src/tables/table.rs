//! A pattern database: one bit for each state of a pattern's tiles.

use std::fmt;
use std::sync::Arc;

use super::geometry::{Geometry, bits, black_cells, neighbours};
use super::ranks::{Order, Ranks, moved};
use super::{BuildError, Bytes, Key, build};
use crate::outcome::Budget;

/// Where the bit of each state lies.
///
/// All blocks of one order lie together, so that the moves which keep the order, half of them all,
/// stay within some kilobytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    row_bytes: usize,
    rows: usize,
}

impl Layout {
    pub(super) fn new(geometry: &Geometry, ranks: &Ranks) -> Self {
        Self {
            row_bytes: geometry.blocks().div_ceil(64) * 8,
            rows: ranks.orders(),
        }
    }

    /// Bytes of all blocks of one order.
    pub(super) const fn row_bytes(&self) -> usize {
        self.row_bytes
    }

    /// Bytes of the whole table.
    pub(super) const fn bytes(&self) -> usize {
        self.row_bytes * self.rows
    }
}

/// The numbers of all states of patterns with as many tiles on boards of one size.
#[derive(Clone)]
pub struct Indexer {
    pub(crate) geometry: Arc<Geometry>,
    pub(crate) ranks: Arc<Ranks>,
    layout: Layout,
}

impl fmt::Debug for Indexer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Indexer")
            .field("size", &self.geometry.size())
            .field("tiles", &self.geometry.tiles())
            .finish_non_exhaustive()
    }
}

impl Indexer {
    /// For patterns as large as that of this key.
    #[must_use]
    pub fn new(key: &Key) -> Self {
        let geometry = Geometry::new(key.size(), key.pattern().tiles());
        let ranks = Ranks::new(key.pattern().tiles());
        Self {
            layout: Layout::new(&geometry, &ranks),
            geometry: Arc::new(geometry),
            ranks: Arc::new(ranks),
        }
    }

    /// How many states there are.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.geometry.blocks() as u64 * self.ranks.orders() as u64
    }

    /// How many bytes a table has.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.layout.bytes()
    }

    /// Bits from one order's blocks to the next order's.
    pub(crate) const fn row_bits(&self) -> usize {
        self.layout.row_bytes * 8
    }

    /// Where the bit of a state is.
    #[inline(always)]
    pub(crate) fn index(&self, set: u64, order: Order, blank: usize) -> usize {
        self.ranks.rank(order) * (self.layout.row_bytes * 8) + self.geometry.block(set, blank)
    }
}

/// Where the tiles of a pattern are: the cells, the order of the tiles in them, and a cell of the
/// zone that holds the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EntryPlace {
    pub(crate) set: u64,
    pub(crate) order: Order,
    pub(crate) blank: usize,
}

/// A pattern database: what the tiles of a pattern need at least to get home, each of their moves
/// counted, with the blank free to move among the others.
///
/// Every move of one of the tiles changes that number by exactly one, and its parity follows from
/// the occupied cells; so one bit a state is enough to know, at every step of a path, whether the
/// number rose or fell. The first number of a path comes from walking downhill to the goal.
#[derive(Clone, Debug)]
pub struct Table {
    key: Key,
    max: u8,
    bytes: Bytes,
}

impl Table {
    pub(super) fn from_parts(key: Key, max: u8, layout: Layout, bytes: Bytes) -> Self {
        debug_assert_eq!(bytes.len(), layout.bytes(), "one bit a state");
        Self { key, max, bytes }
    }

    /// A table that was stored; `None` if the bytes are too few or too many.
    #[must_use]
    pub fn from_bytes(key: Key, max: u8, indexer: &Indexer, bytes: Bytes) -> Option<Self> {
        (bytes.len() == indexer.bytes()).then(|| Self::from_parts(key, max, indexer.layout, bytes))
    }

    /// Builds a table on so many threads.
    pub fn build(
        key: Key,
        indexer: &Indexer,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, BuildError> {
        build::build(key, &indexer.geometry, &indexer.ranks, threads, budget)
    }

    /// What it was built for.
    #[must_use]
    pub const fn key(&self) -> &Key {
        &self.key
    }

    /// The largest number in it.
    #[must_use]
    pub const fn max(&self) -> u8 {
        self.max
    }

    /// Its bits.
    #[must_use]
    pub const fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// What tiles in these cells need at least, in the sequence of their homes, with the blank in
    /// this one; `None` if they cannot get home from there, or if the table is damaged.
    ///
    /// The cells must be different cells of the board.
    #[must_use]
    pub fn value(&self, indexer: &Indexer, cells: &[usize], blank: usize) -> Option<u32> {
        let mut places: Vec<(usize, u32)> = cells.iter().copied().zip(0..).collect();
        places.sort_unstable();
        let set = places.iter().fold(0, |set, (cell, _)| set | 1 << cell);
        let order = places
            .iter()
            .rev()
            .fold(0, |order, (_, tile)| order << 3 | tile);
        self.walk(indexer, EntryPlace { set, order, blank })
    }

    /// Counts the steps downhill to the goal.
    pub(crate) fn walk(&self, indexer: &Indexer, start: EntryPlace) -> Option<u32> {
        let geometry = &indexer.geometry;
        let tiles = geometry.tiles() as u32;
        let beside = neighbours(geometry.size());
        let goal_block = geometry.block(self.key.pattern().homes(), self.key.blank());
        let goal_order = (0..tiles).fold(0, |order, tile| order | tile << (3 * tile));
        // Bit 1 of a value as it is stored, and its parity from the colours of the cells: together
        // the value modulo 4.
        let black = black_cells(geometry.size());
        let parity = |set: u64| ((set ^ self.key.pattern().homes()) & black).count_ones() & 1;
        let modulo4 = |place: EntryPlace| {
            let index = indexer.index(place.set, place.order, place.blank);
            parity(place.set) | u32::from(self.bytes[index / 8] >> (index % 8) & 1) << 1
        };
        let mut place = start;
        let mut steps = 0;
        loop {
            if place.order == goal_order && geometry.block(place.set, place.blank) == goal_block {
                return Some(steps);
            }
            // Nothing is further away than the maximum says.
            if steps > u32::from(self.max) {
                return None;
            }
            let wanted = (modulo4(place) + 3) % 4;
            place =
                after_one_move(geometry, &beside, place).find(|&next| modulo4(next) == wanted)?;
            steps += 1;
        }
    }
}

/// Every place that one move of a pattern's tile leads to.
fn after_one_move<'a>(
    geometry: &'a Geometry,
    beside: &'a [u64],
    place: EntryPlace,
) -> impl Iterator<Item = EntryPlace> + 'a {
    let block = geometry.block(place.set, place.blank);
    bits(place.set).flat_map(move |tile| {
        bits(beside[tile] & !place.set)
            .filter(move |&free| geometry.block(place.set, free) == block)
            .map(move |free| {
                let position = |set: u64, cell: usize| (set & ((1 << cell) - 1)).count_ones();
                let set = place.set & !(1 << tile) | 1 << free;
                EntryPlace {
                    set,
                    order: moved(place.order, position(place.set, tile), position(set, free)),
                    blank: tile,
                }
            })
    })
}
