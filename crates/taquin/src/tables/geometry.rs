//! Where the tiles of a pattern can be, and where the blank can be between them.

use std::collections::HashMap;

use super::BuildError;
use super::bytes::{OutOfMemoryError, try_reserve_exact};
use crate::Size;
use crate::outcome::Budget;

/// The cell sets of one number of tiles on one board, and the zones of each.
///
/// A *zone* is a connected part of the cells that the set leaves free: the blank moves about in it
/// at no cost. A *block* is a set with one of its zones; blocks are numbered set by set, sets in
/// the order of their bits as a number, zones in the order of their first cells.
///
/// ```
/// use taquin::Size;
/// use taquin::tables::Geometry;
///
/// // Two tiles beside a corner of 3×3 cut it off: the set {1, 3} has two zones.
/// let geometry = Geometry::new(Size::new(3, 3)?, 2);
/// let set = 1 << 1 | 1 << 3;
/// assert_eq!(geometry.block(set, 0) + 1, geometry.block(set, 8));
/// assert_eq!(geometry.block(set, 4), geometry.block(set, 8));
/// assert_eq!(geometry.sets(), 9 * 8 / 2);
/// # Ok::<(), taquin::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Geometry {
    size: Size,
    tiles: usize,
    /// The rank of a set is the sum of what its low and its high half give.
    pub(crate) low: Box<[u32]>,
    pub(crate) high: Box<[u32]>,
    /// How many cells the low half has.
    pub(crate) half: u32,
    /// A [`SetRecord`] for each set, and one more at the end for the number of all blocks.
    pub(crate) records: Box<[SetRecord]>,
    /// The number of the first block of every [`GROUP`] sets.
    pub(crate) groups: Box<[u32]>,
    /// The shapes: the zone of every cell, two a byte.
    pub(crate) shapes: Vec<u8>,
    /// Bytes of a shape: a power of two.
    pub(crate) shape_bytes: usize,
}

/// What is kept of a set, in few bits, so that searches find it near.
///
/// Many sets have the same zones but for their own cells, of which nobody asks: most of them leave
/// the rest in one piece, others cut off the same corner. Such sets share a *shape*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct SetRecord(u32);

impl SetRecord {
    /// Bits for the number of the first block in its group.
    pub(crate) const BLOCK_BITS: u32 = 12;

    const fn new(block: u32, shape: u32) -> Self {
        debug_assert!(block >> Self::BLOCK_BITS == 0, "a group has few blocks");
        debug_assert!(
            shape.leading_zeros() >= Self::BLOCK_BITS,
            "there are few shapes"
        );
        Self(shape << Self::BLOCK_BITS | block)
    }

    /// How many blocks of its group are before the set's first one.
    #[inline(always)]
    pub(crate) const fn block(self) -> usize {
        (self.0 & ((1 << Self::BLOCK_BITS) - 1)) as usize
    }

    /// The number of its shape.
    #[inline(always)]
    pub(crate) const fn shape(self) -> usize {
        (self.0 >> Self::BLOCK_BITS) as usize
    }
}

/// Sets of a group: no set has more than fifteen zones, so that their blocks can be counted in
/// twelve bits.
pub(crate) const GROUP: usize = 256;

/// A zone's number, out of two in a byte.
pub(crate) const ZONE: u8 = 15;

impl Geometry {
    /// The geometry of `tiles` tiles on a board of this size.
    ///
    /// # Panics
    /// If there are more than 36 cells, or no cell is left for the blank.
    #[must_use]
    pub fn new(size: Size, tiles: usize) -> Self {
        let made = Self::within(size, tiles, &Budget::default());
        made.expect("what is asked for in tests and measurements fits into memory")
    }

    /// Bytes that the geometry of `tiles` tiles takes.
    pub(super) fn bytes_of(size: Size, tiles: usize) -> u64 {
        let cells = size.cells();
        let sets = binomial(cells as u64, tiles as u64);
        let records = sets.saturating_mul(size_of::<SetRecord>() as u64);
        let groups = sets / GROUP as u64 * size_of::<u32>() as u64;
        let halves = 2 * (1 << cells.div_ceil(2)) * size_of::<u32>() as u64;
        let shapes = MOST_SHAPES.min(sets) * shape_bytes(cells) as u64;
        records.saturating_add(groups + halves + shapes)
    }

    /// The geometry of `tiles` tiles on a board of this size, made within a budget.
    ///
    /// # Panics
    /// If there are more than 36 cells, or no cell is left for the blank.
    pub(super) fn within(size: Size, tiles: usize, budget: &Budget) -> Result<Self, BuildError> {
        let cells = size.cells();
        assert!(
            cells <= super::Key::MAX_CELLS && tiles < cells,
            "no tables for {tiles} tiles on {size}"
        );
        let half = cells.div_ceil(2) as u32;
        let (low, high) = rank_halves(cells as u32, half, tiles as u32);
        let neighbours = neighbours(size);
        let sets = binomial(cells as u64, tiles as u64) as usize;
        let (mut records, mut groups) = (Vec::new(), Vec::new());
        try_reserve_exact(&mut records, sets + 1)?;
        try_reserve_exact(&mut groups, sets / GROUP + 1)?;
        let mut shapes = Shapes::new(cells);
        let mut blocks = 0;
        for (i, set) in Sets::new(cells, tiles).enumerate() {
            if i % PORTION == PORTION - 1 {
                budget.check().map_err(BuildError::Stopped)?;
            }
            if i % GROUP == 0 {
                groups.push(blocks);
            }
            let free = ((1 << cells) - 1) & !set;
            let (shape, zones) = shapes.of(free, &neighbours)?;
            records.push(SetRecord::new(blocks - groups[i / GROUP], shape));
            blocks += zones;
        }
        if sets.is_multiple_of(GROUP) {
            groups.push(blocks);
        }
        records.push(SetRecord::new(blocks - groups[sets / GROUP], 0));
        Ok(Self {
            size,
            tiles,
            low,
            high,
            half,
            records: records.into_boxed_slice(),
            groups: groups.into_boxed_slice(),
            shapes: shapes.bytes,
            shape_bytes: shape_bytes(cells),
        })
    }

    /// The board's size.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// How many tiles a set has.
    #[must_use]
    pub const fn tiles(&self) -> usize {
        self.tiles
    }

    /// How many sets there are.
    #[must_use]
    pub const fn sets(&self) -> usize {
        self.records.len() - 1
    }

    /// How many blocks there are.
    #[must_use]
    pub const fn blocks(&self) -> usize {
        self.first(self.sets())
    }

    /// The number of a set's first block.
    const fn first(&self, rank: usize) -> usize {
        self.groups[rank / GROUP] as usize + self.records[rank].block()
    }

    /// The number of a set, bit `c` for cell `c`.
    #[must_use]
    #[inline(always)]
    pub fn rank(&self, set: u64) -> usize {
        let low = self.low[(set & ((1 << self.half) - 1)) as usize];
        (low + self.high[(set >> self.half) as usize]) as usize
    }

    /// The block of a set, and of the zone that holds this cell.
    #[must_use]
    #[inline(always)]
    pub fn block(&self, set: u64, blank: usize) -> usize {
        let rank = self.rank(set);
        let shape = self.records[rank].shape() * self.shape_bytes;
        let pair = self.shapes[shape + blank / 2];
        self.first(rank) + usize::from(pair >> (blank % 2 * 4) & ZONE)
    }

    /// Every block once, in the order of their numbers: its set, and the cells of its zone.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let cells = self.size.cells();
        let sets = Sets::new(cells, self.tiles).enumerate();
        sets.flat_map(move |(rank, set)| {
            let shape = &self.shapes[self.records[rank].shape() * self.shape_bytes..];
            let zones = self.first(rank + 1) - self.first(rank);
            (0..zones as u8).map(move |zone| {
                let is_in = |&cell: &usize| {
                    set >> cell & 1 == 0 && shape[cell / 2] >> (cell % 2 * 4) & ZONE == zone
                };
                let part = (0..cells)
                    .filter(is_in)
                    .fold(0, |part, cell| part | 1 << cell);
                (set, part)
            })
        })
    }
}

/// The shapes that have occurred.
struct Shapes {
    cells: usize,
    numbers: HashMap<Vec<u8>, u32>,
    bytes: Vec<u8>,
}

impl Shapes {
    /// The first shape is that of one zone.
    fn new(cells: usize) -> Self {
        let one = vec![0; shape_bytes(cells)];
        Self {
            cells,
            bytes: one.clone(),
            numbers: HashMap::from([(one, 0)]),
        }
    }

    /// The shape of what a set leaves free, and how many zones that has, which are numbered in the
    /// order of their first cells.
    fn of(&mut self, mut free: u64, neighbours: &[u64]) -> Result<(u32, u32), OutOfMemoryError> {
        let mut parts = [0_u64; ZONE as usize];
        let mut count = 0;
        while free != 0 {
            let part = connected(free & free.wrapping_neg(), free, neighbours);
            free &= !part;
            parts[count] = part;
            count += 1;
        }
        if count <= 1 {
            return Ok((0, count as u32));
        }
        // The set's own cells get the zone that most cells have.
        let parts = &parts[..count];
        let largest = (0..count).max_by_key(|&zone| parts[zone].count_ones());
        let largest = largest.unwrap_or(0) as u8;
        let mut shape = vec![largest | largest << 4; shape_bytes(self.cells)];
        for (zone, &part) in (0..).zip(parts) {
            for cell in bits(part) {
                let shift = cell % 2 * 4;
                shape[cell / 2] = shape[cell / 2] & !(ZONE << shift) | zone << shift;
            }
        }
        let next = self.numbers.len() as u32;
        let has_room = self.bytes.try_reserve(shape.len()).is_ok();
        if !has_room || self.numbers.try_reserve(1).is_err() {
            let bytes = self.numbers.len() * (2 * shape.len() + size_of::<(Vec<u8>, u32)>());
            return Err(OutOfMemoryError { bytes });
        }
        let number = *self.numbers.entry(shape).or_insert_with_key(|shape| {
            self.bytes.extend(shape);
            next
        });
        Ok((number, count as u32))
    }
}

/// More shapes than there are for any board and number of tiles.
const MOST_SHAPES: u64 = 1 << 16;

/// Bytes of a shape.
const fn shape_bytes(cells: usize) -> usize {
    cells.div_ceil(2).next_power_of_two()
}

/// Sets between two looks at the budget: about a millisecond.
const PORTION: usize = 1 << 12;

/// All sets of a number of cells, in the order of their bits as a number.
struct Sets {
    next: u64,
    end: u64,
}

impl Sets {
    const fn new(cells: usize, tiles: usize) -> Self {
        Self {
            next: (1 << tiles) - 1,
            end: 1 << cells,
        }
    }
}

impl Iterator for Sets {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let set = self.next;
        if set >= self.end {
            return None;
        }
        // The lowest run of ones gives up its highest bit to the next place; the rest of the run
        // falls to the bottom. The empty set has no successor.
        self.next = if set == 0 {
            self.end
        } else {
            let lowest = set & set.wrapping_neg();
            let carried = set + lowest;
            carried | ((set ^ carried) / lowest) >> 2
        };
        Some(set)
    }
}

/// What each half of a set of `tiles` cells adds to its rank among all such sets.
fn rank_halves(cells: u32, half: u32, tiles: u32) -> (Box<[u32]>, Box<[u32]>) {
    // The rank of cells c₀ < c₁ < … is the number of sets below it: C(c₀,1) + C(c₁,2) + …
    let sum = |set: u64, cells_below: u32, tiles_below: u32| {
        bits(set)
            .zip(u64::from(tiles_below) + 1..)
            .map(|(cell, count)| binomial(cell as u64 + u64::from(cells_below), count) as u32)
            .fold(0, u32::wrapping_add)
    };
    let low = (0..1 << half).map(|set| sum(set, 0, 0)).collect();
    // As many tiles are below the high half as are not in it; more than all are in no set.
    let high = (0..1_u64 << (cells - half))
        .map(|set| {
            tiles
                .checked_sub(set.count_ones())
                .map_or(0, |below| sum(set, half, below))
        })
        .collect();
    (low, high)
}

/// The cells beside each cell.
pub(super) fn neighbours(size: Size) -> Vec<u64> {
    let beside = |cell| size.neighbours(cell).fold(0, |set, other| set | 1 << other);
    (0..size.cells()).map(beside).collect()
}

/// The cells of one colour, as on a chessboard.
pub(super) fn black_cells(size: Size) -> u64 {
    (0..size.cells())
        .filter(|&cell| size.colour(cell) == 1)
        .fold(0, |set, cell| set | 1 << cell)
}

/// The part of `free` that is connected with `start`.
fn connected(start: u64, free: u64, neighbours: &[u64]) -> u64 {
    let (mut part, mut edge) = (start, start);
    while edge != 0 {
        let around = bits(edge).fold(0, |around, cell| around | neighbours[cell]);
        edge = around & free & !part;
        part |= edge;
    }
    part
}

/// The positions of the ones, from the lowest.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let lowest = set.trailing_zeros() as usize;
            set &= set - 1;
            lowest
        })
    })
}

/// n over k.
pub(super) fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_sets_in_order() {
        for (rows, columns) in [(2, 2), (2, 3), (3, 3), (2, 7), (4, 4), (3, 5)] {
            let size = Size::new(rows, columns).unwrap();
            for tiles in 0..size.cells().min(9) {
                let geometry = Geometry::new(size, tiles);
                let all = (0..1_u64 << size.cells())
                    .filter(|set: &u64| set.count_ones() as usize == tiles);
                let mut count = 0;
                for (rank, set) in all.enumerate() {
                    assert_eq!(geometry.rank(set), rank, "{size}, set {set:b}");
                    count += 1;
                }
                assert_eq!(geometry.sets(), count, "{size}, {tiles} tiles");
                let sets: Vec<u64> = Sets::new(size.cells(), tiles).collect();
                assert!(sets.is_sorted() && sets.len() == count);
            }
        }
    }

    #[test]
    fn large_boards_rank_their_sets_in_order_too() {
        for (rows, columns, tiles) in [(5, 5, 4), (6, 6, 3), (4, 6, 5)] {
            let size = Size::new(rows, columns).unwrap();
            let geometry = Geometry::new(size, tiles);
            for (rank, set) in Sets::new(size.cells(), tiles).enumerate() {
                assert_eq!(geometry.rank(set), rank);
            }
        }
    }

    #[test]
    fn blocks_are_the_known_number() {
        let blocks = |rows, columns, tiles| {
            Geometry::new(Size::new(rows, columns).unwrap(), tiles).blocks() as u64
        };
        assert_eq!(blocks(4, 4, 6) * 720, 11_816_640);
        assert_eq!(blocks(4, 4, 7) * 5040, 139_849_920);
        assert_eq!(blocks(4, 4, 8) * 40320, 1_425_191_040);
        assert_eq!(blocks(5, 5, 6) * 720, 181_008_000);
    }

    #[test]
    fn every_free_cell_is_in_the_block_of_its_zone() {
        let size = Size::new(3, 4).unwrap();
        for tiles in [0, 1, 4, 8, 11] {
            let geometry = Geometry::new(size, tiles);
            let mut number = 0;
            for (block, (set, zone)) in geometry.iter().enumerate() {
                assert_eq!(block, number);
                assert_eq!(zone & set, 0);
                for cell in bits(zone) {
                    assert_eq!(geometry.block(set, cell), block);
                }
                number += 1;
            }
            assert_eq!(number, geometry.blocks());
        }
    }
}
