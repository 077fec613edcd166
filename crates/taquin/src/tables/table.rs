//! A pattern database: one bit for each state of a pattern's tiles.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::geometry::{Geometry, bits, black_cells, neighbours};
use super::ranks::{Order, PART, Ranks, moved};
use super::{BuildError, Bytes, ChangedTableError, Key, TableSubject, build};
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
    ///
    /// It takes memory itself, gigabytes for eight tiles on 36 cells: see
    /// [`within`](Self::within).
    ///
    /// # Panics
    /// If there is no memory for it.
    #[must_use]
    pub fn new(key: &Key) -> Self {
        let made = Self::within(key, &Budget::default());
        made.unwrap_or_else(|error| panic!("no numbers for the states of a table: {error}"))
    }

    /// For patterns as large as that of this key, made within the memory and the time of a budget.
    pub fn within(key: &Key, budget: &Budget) -> Result<Self, BuildError> {
        let (size, tiles) = (key.size(), key.pattern().tiles());
        build::allow(*key, Geometry::bytes_of(size, tiles), budget)?;
        let geometry = Geometry::within(size, tiles, budget)?;
        let ranks = Ranks::new(tiles);
        Ok(Self {
            layout: Layout::new(&geometry, &ranks),
            geometry: Arc::new(geometry),
            ranks: Arc::new(ranks),
        })
    }

    /// How many bytes it takes itself.
    #[must_use]
    pub fn own_bytes(&self) -> u64 {
        Geometry::bytes_of(self.geometry.size(), self.geometry.tiles())
            + size_of::<[u16; PART]>() as u64
            + size_of::<[u8; PART]>() as u64
    }

    /// How many bytes [`Table::build`] takes at most at once on `threads` threads, the table and this
    /// included.
    #[must_use]
    pub fn working_memory(&self, threads: usize) -> u64 {
        self.own_bytes() + build::working_memory(&self.geometry, &self.ranks, threads)
    }

    /// Whether it numbers the states of this key's tables.
    pub(super) fn is_for(&self, key: &Key) -> bool {
        (self.geometry.size(), self.geometry.tiles()) == (key.size(), key.pattern().tiles())
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

/// Things that do not belong to one and the same table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableMismatchError {
    /// An indexer of other tables.
    #[error("the indexer is not for {}", TableSubject::from(.0))]
    Indexer(Key),
    /// Too few bytes, or too many.
    #[error("{} has {wanted} bytes, not {given}", TableSubject::from(.key))]
    Bytes {
        /// What the table is for.
        key: Key,
        /// How many bytes it has.
        wanted: usize,
        /// How many there are.
        given: usize,
    },
    /// A table of other tiles, of another size, or for another home of the blank.
    #[error(
        "the table of the tiles {} on {} with the blank at home in cell {} is not the one that was \
         asked for",
        .0.pattern(), .0.size(), .0.blank()
    )]
    Table(Key),
}

impl Table {
    pub(super) fn from_parts(key: Key, max: u8, layout: Layout, bytes: Bytes) -> Self {
        debug_assert_eq!(bytes.len(), layout.bytes(), "one bit a state");
        Self { key, max, bytes }
    }

    /// A table that was stored. Whether its values are right is not checked.
    pub fn from_bytes(
        key: Key,
        max: u8,
        indexer: &Indexer,
        bytes: Bytes,
    ) -> Result<Self, TableMismatchError> {
        if !indexer.is_for(&key) {
            return Err(TableMismatchError::Indexer(key));
        }
        let (wanted, given) = (indexer.bytes(), bytes.len());
        if wanted != given {
            return Err(TableMismatchError::Bytes { key, wanted, given });
        }
        Ok(Self::from_parts(key, max, indexer.layout, bytes))
    }

    /// Builds a table on `threads` threads, within the budget. Its memory is compared with
    /// [`Indexer::working_memory`] first. The indexer must be [for this key](Indexer::new), or for
    /// one with as many tiles on boards of the same size.
    pub fn build(
        key: Key,
        indexer: &Indexer,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, BuildError> {
        if !indexer.is_for(&key) {
            return Err(TableMismatchError::Indexer(key).into());
        }
        build::allow(key, indexer.working_memory(threads), budget)?;
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

    /// Whether it is still what it was when it was built or checked: see [`Bytes::confirm`].
    pub fn confirm(&self) -> Result<(), ChangedTableError> {
        self.bytes.confirm()
    }

    /// What tiles in these cells need at least, in the sequence of their homes, with the blank in
    /// this one; `None` if they cannot get home from there, or if the table is damaged. Also `None`
    /// if a cell is not on the board or occurs twice, if there are more or fewer cells than tiles,
    /// or if the indexer is for other tables.
    #[must_use]
    pub fn value(&self, indexer: &Indexer, cells: &[usize], blank: usize) -> Option<u32> {
        let board = self.key.size().cells();
        let is_on_board = |cell: &usize| *cell < board && *cell != blank;
        if !indexer.is_for(&self.key)
            || blank >= board
            || cells.len() != self.key.pattern().tiles()
            || !cells.iter().all(is_on_board)
        {
            return None;
        }
        let mut places: Vec<(usize, u32)> = cells.iter().copied().zip(0..).collect();
        places.sort_unstable();
        let set: u64 = places.iter().fold(0, |set, (cell, _)| set | 1 << cell);
        if set.count_ones() as usize != cells.len() {
            return None;
        }
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
