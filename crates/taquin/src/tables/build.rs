//! Builds a table by breadth-first search over blocks.
//!
//! A level of the search holds all states of one value. The colours of the occupied cells, as on a
//! chessboard, give a value's parity, so a level reads blocks of one parity and writes blocks of the
//! other: each target block pulls from its neighbours, in parallel and without locks.
//!
//! Two bits a state are kept: whether it was seen with bit 1 of its value clear, or with bit 1 set.
//! When level `d` pulls from everything whose value is `d - 1` modulo 4, it pulls from some older
//! levels too; that does no harm, because the neighbours of those were seen long ago.

use thiserror::Error;

use super::bytes::try_reserve_exact;
use super::geometry::{Geometry, binomial, bits, black_cells, neighbours};
use super::kernel::{Kernels, Scratch};
use super::ranks::Ranks;
use super::table::{Layout, Table};
use super::transpose::transpose;
use super::{BytesMut, Key, OutOfMemoryError, TableMismatchError, TableSubject};
use crate::cpu::{Work, run_fast};
use crate::outcome::{Budget, Limit};
use crate::threads::share;

/// Why a table was not built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// It would take more memory than it may.
    #[error("{}", .0)]
    Limit(#[from] OverLimitError),
    /// There is not as much memory.
    #[error("{}", .0)]
    Memory(#[from] OutOfMemoryError),
    /// The budget's time is over, or it was cancelled.
    #[error("{}", stopped(*.0))]
    Stopped(Limit),
    /// What was given does not belong to the table.
    #[error(transparent)]
    Mismatch(#[from] TableMismatchError),
}

fn stopped(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "there was no time to finish it",
        Limit::Memory => "there was not enough memory",
        _ => "interrupted before it was done",
    }
}

/// A table that takes too much memory to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{subject} takes {bytes} bytes of memory to build, and {limit} are allowed")]
pub struct OverLimitError {
    /// Which table.
    pub subject: TableSubject,
    /// How many bytes it takes to build.
    pub bytes: u64,
    /// How many were allowed.
    pub limit: u64,
}

/// The states of one level's parity.
struct Half {
    /// A row of lanes for each block: the states with bit 1 of their values clear, and set.
    planes: [BlockRows; 2],
    /// For each block, the last level that added to it.
    fresh: Vec<u8>,
    /// For each block, whether all its states were seen.
    full: Vec<bool>,
}

/// Lanes in a row, in huge pages where there are many.
pub(super) struct BlockRows {
    bytes: BytesMut,
}

impl BlockRows {
    fn zeroed(count: usize) -> Result<Self, OutOfMemoryError> {
        // One more, because the heap aligns bytes as it likes.
        let bytes = BytesMut::zeroed((count + 1) * size_of::<u32>())?;
        Ok(Self { bytes })
    }

    pub(super) fn as_slice(&self) -> &[u32] {
        bytemuck::pod_align_to(&self.bytes).1
    }

    fn as_mut_slice(&mut self) -> &mut [u32] {
        bytemuck::pod_align_to_mut(&mut self.bytes).1
    }
}

/// From where a block can be reached by one move of a pattern's tile.
#[derive(Clone, Copy)]
struct Neighbour {
    /// Its place in the other half.
    slot: u32,
    /// The tile's position in the order, before and after.
    from: u8,
    to: u8,
}

/// Blocks between two looks at the budget, where each is a little work.
const PORTION: usize = 1 << 12;

/// Lanes that a thread takes at once, some hundred kilobytes: few enough to share them out evenly.
const PIECE_LANES: usize = 1 << 16;

/// A level that has not come yet.
const NEVER: u8 = u8::MAX;

pub(super) fn build(
    key: Key,
    geometry: &Geometry,
    ranks: &Ranks,
    threads: usize,
    budget: &Budget,
) -> Result<Table, BuildError> {
    let lanes = ranks.lanes();
    let kernels = Kernels::new(ranks);
    let plan = Plan::new(geometry, budget)?;
    let half = |blocks: usize| -> Result<Half, OutOfMemoryError> {
        Ok(Half {
            planes: [
                BlockRows::zeroed(blocks * lanes)?,
                BlockRows::zeroed(blocks * lanes)?,
            ],
            fresh: filled_with(NEVER, blocks)?,
            full: filled_with(false, blocks)?,
        })
    };
    let [even, odd] = plan.counts;
    let mut halves = [half(even)?, half(odd)?];

    // Level 0 is the goal: the tiles at home, in order.
    let goal = geometry.block(key.pattern().homes(), key.blank());
    let (parity, slot) = plan.place(goal);
    let order = (0..ranks.tiles() as u32).fold(0, |order, tile| order | tile << (3 * tile));
    let rank = ranks.rank(order);
    let lane = slot * lanes + rank / ranks.width();
    halves[parity].planes[0].as_mut_slice()[lane] |= 1 << (rank % ranks.width());
    halves[parity].fresh[slot] = 0;
    budget.count(1);

    let mut max = 0;
    for level in 1..NEVER {
        let target_parity = parity ^ usize::from(level & 1);
        let [even, odd] = &mut halves;
        let (target, source) = if target_parity == 0 {
            (even, &*odd)
        } else {
            (odd, &*even)
        };
        let step = Step {
            level,
            lanes,
            full: full_lane(ranks),
            source,
            neighbours: &plan.neighbours[target_parity],
            kernels: &kernels,
            budget,
        };
        let added = step.advance(target, threads);
        budget.check().map_err(BuildError::Stopped)?;
        if added == 0 {
            break;
        }
        max = level;
    }

    // Only bit 1 is kept; the memory of the other plane goes first.
    let planes = halves.map(|half| {
        let [_, set] = half.planes;
        set
    });
    let layout = Layout::new(geometry, ranks);
    let bytes = transpose(&planes, &plan, ranks, &layout, threads)?;
    Ok(Table::from_parts(key, max, layout, bytes))
}

/// How many bytes a build takes at most at once on `threads` threads: everything but what numbers the
/// states.
pub(super) fn working_memory(geometry: &Geometry, ranks: &Ranks, threads: usize) -> u64 {
    /// The lists of a level.
    const SMALL_THINGS: u64 = 64 << 10;
    /// The stack of a thread as far as it is used: with work, and without.
    const THREAD: u64 = 24 << 10;
    const IDLE_THREAD: u64 = 4 << 10;
    /// What turns a lane of many blocks at once.
    const TURNED_LANE: u64 = 2 << 10;
    let (blocks, lanes) = (geometry.blocks() as u64, ranks.lanes() as u64);
    // For each block its place, the end of its list, the last level, and whether it is full.
    let plan = blocks * (4 + 4 + 1 + 1)
        + 2 * Plan::neighbours(geometry) as u64 * size_of::<Neighbour>() as u64;
    let plane = blocks * lanes * size_of::<u32>() as u64;
    let table = Layout::new(geometry, ranks).bytes() as u64;
    // At the end one plane is left, and becomes the table.
    let planes = (2 * plane).max(plane + table);
    let kernels = 64 * lanes * size_of::<u16>() as u64;
    let each = THREAD + 3 * lanes * size_of::<u32>() as u64 + lanes.min(16) * TURNED_LANE;
    let threads = threads.max(1) as u64;
    let working = threads.min(blocks * lanes / PIECE_LANES as u64 + 1 + lanes / 16);
    let of_threads = working * each + (threads - working) * IDLE_THREAD;
    planes + plan + kernels + of_threads + SMALL_THINGS
}

/// Refuses a table that takes more memory than it may.
pub(super) fn allow(
    subject: impl Into<TableSubject>,
    bytes: u64,
    budget: &Budget,
) -> Result<(), OverLimitError> {
    match budget.limits().memory {
        Some(limit) if bytes > limit => Err(OverLimitError {
            subject: subject.into(),
            bytes,
            limit,
        }),
        _ => Ok(()),
    }
}

/// So many equal values.
fn filled_with<T: Copy>(value: T, count: usize) -> Result<Vec<T>, OutOfMemoryError> {
    let mut values = Vec::new();
    try_reserve_exact(&mut values, count)?;
    values.resize(count, value);
    Ok(values)
}

/// A lane in which all states were seen.
fn full_lane(ranks: &Ranks) -> u32 {
    (1 << ranks.width()) - 1
}

/// Which blocks are of which parity, and what is beside what.
pub(super) struct Plan {
    /// For each block, twice its place in its half, plus the half.
    pub(super) places: Vec<u32>,
    /// How many blocks each half has.
    counts: [usize; 2],
    neighbours: [Neighbours; 2],
}

/// The neighbours of the blocks of one half, one list after the other.
#[derive(Default)]
struct Neighbours {
    list: Vec<Neighbour>,
    /// Where each list ends.
    ends: Vec<u32>,
}

impl Neighbours {
    fn of(&self, slot: usize) -> &[Neighbour] {
        let start = if slot == 0 { 0 } else { self.ends[slot - 1] };
        &self.list[start as usize..self.ends[slot] as usize]
    }
}

impl Plan {
    /// How many neighbours the blocks of each half have in all.
    ///
    /// Each is a set, a tile of it and a free cell beside the tile. The two cells are a pair of
    /// neighbours in either sequence, and the other tiles are anywhere else; of the two sequences
    /// one belongs to a set of each half.
    fn neighbours(geometry: &Geometry) -> usize {
        let size = geometry.size();
        let (rows, columns) = (size.rows(), size.columns());
        let pairs = rows * (columns - 1) + columns * (rows - 1);
        let Some(others) = geometry.tiles().checked_sub(1) else {
            return 0;
        };
        pairs * binomial(size.cells() as u64 - 2, others as u64) as usize
    }

    fn new(geometry: &Geometry, budget: &Budget) -> Result<Self, BuildError> {
        let black = black_cells(geometry.size());
        let mut counts = [0; 2];
        let mut places: Vec<u32> = Vec::new();
        try_reserve_exact(&mut places, geometry.blocks())?;
        places.extend(geometry.iter().map(|(set, _)| {
            let parity = (set & black).count_ones() as usize % 2;
            let slot = counts[parity];
            counts[parity] += 1;
            (slot * 2 + parity) as u32
        }));

        let beside = neighbours(geometry.size());
        let mut lists = [Neighbours::default(), Neighbours::default()];
        for (lists, &blocks) in lists.iter_mut().zip(&counts) {
            try_reserve_exact(&mut lists.list, Self::neighbours(geometry))?;
            try_reserve_exact(&mut lists.ends, blocks)?;
        }
        for (i, ((set, zone), place)) in geometry.iter().zip(&places).enumerate() {
            if i % PORTION == PORTION - 1 {
                budget.check().map_err(BuildError::Stopped)?;
            }
            let lists = &mut lists[(place & 1) as usize];
            for tile in bits(set) {
                let position = |set: u64, cell: usize| (set & ((1 << cell) - 1)).count_ones() as u8;
                for free in bits(beside[tile] & zone) {
                    // A tile that came from `free` left the blank there.
                    let before = set & !(1 << tile) | 1 << free;
                    lists.list.push(Neighbour {
                        slot: places[geometry.block(before, tile)] / 2,
                        from: position(before, free),
                        to: position(set, tile),
                    });
                }
            }
            lists.ends.push(lists.list.len() as u32);
        }
        debug_assert!(
            lists
                .iter()
                .all(|lists| lists.list.len() == Self::neighbours(geometry)),
            "neighbours are counted before they are listed"
        );
        Ok(Self {
            places,
            counts,
            neighbours: lists,
        })
    }

    /// The half of a block and its place there.
    fn place(&self, block: usize) -> (usize, usize) {
        let place = self.places[block] as usize;
        (place % 2, place / 2)
    }
}

/// One level of the search.
struct Step<'a> {
    level: u8,
    lanes: usize,
    full: u32,
    source: &'a Half,
    neighbours: &'a Neighbours,
    kernels: &'a Kernels,
    budget: &'a Budget,
}

/// A piece of the target half.
struct Piece<'a> {
    first: usize,
    clear: &'a mut [u32],
    set: &'a mut [u32],
    fresh: &'a mut [u8],
    full: &'a mut [bool],
}

impl Step<'_> {
    /// Fills a level; gives how many states it has.
    fn advance(&self, target: &mut Half, threads: usize) -> u64 {
        let blocks = PIECE_LANES / self.lanes + 1;
        let [clear, set] = &mut target.planes;
        let pieces = clear
            .as_mut_slice()
            .chunks_mut(blocks * self.lanes)
            .zip(set.as_mut_slice().chunks_mut(blocks * self.lanes))
            .zip(target.fresh.chunks_mut(blocks))
            .zip(target.full.chunks_mut(blocks))
            .enumerate()
            .map(|(i, (((clear, set), fresh), full))| Piece {
                first: i * blocks,
                clear,
                set,
                fresh,
                full,
            });
        share(pieces, threads, |piece| {
            if self.budget.check().is_err() {
                return 0;
            }
            let added = run_fast(Fill { step: self, piece });
            self.budget.count(added);
            added
        })
    }
}

/// Fills a piece of a level.
struct Fill<'a> {
    step: &'a Step<'a>,
    piece: Piece<'a>,
}

impl Work for Fill<'_> {
    type Result = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { step, piece } = self;
        let before = step.level - 1;
        let bit = |level: u8| usize::from(level >> 1 & 1);
        let source = step.source.planes[bit(before)].as_slice();
        let mut scratch = Scratch::default();
        let mut pulled = vec![0; step.lanes];
        let mut added = 0;
        let rows = piece
            .clear
            .chunks_exact_mut(step.lanes)
            .zip(piece.set.chunks_exact_mut(step.lanes))
            .zip(piece.fresh.iter_mut().zip(piece.full))
            .enumerate();
        for (i, ((clear, set), (fresh, full))) in rows {
            if *full {
                continue;
            }
            let mut any = false;
            for neighbour in step.neighbours.of(piece.first + i) {
                let slot = neighbour.slot as usize;
                if step.source.fresh[slot] != before {
                    continue;
                }
                if !any {
                    pulled.fill(0);
                    any = true;
                }
                let row = &source[slot * step.lanes..][..step.lanes];
                let positions = (usize::from(neighbour.from), usize::from(neighbour.to));
                step.kernels.pull(positions, row, &mut pulled, &mut scratch);
            }
            if !any {
                continue;
            }
            let mut count = 0;
            let mut seen_by_all = step.full;
            let (written, other) = if bit(step.level) == 0 {
                (clear, set)
            } else {
                (set, clear)
            };
            for ((written, other), pulled) in written.iter_mut().zip(other).zip(&pulled) {
                let new = pulled & !(*written | *other);
                *written |= new;
                count += u64::from(new.count_ones());
                seen_by_all &= *written | *other;
            }
            if count > 0 {
                *fresh = step.level;
                *full = seen_by_all == step.full;
                added += count;
            }
        }
        added
    }
}
