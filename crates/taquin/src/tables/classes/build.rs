//! Builds a table by breadth-first search in the class graph.
//!
//! The goal is an edge, and the search begins at both its ends. So it finds the distance to the
//! nearer end; the parity of that distance and the kind of class tell which end that is, and the
//! other one is one further, since the two ends are one edge apart. One search fills the bits of
//! both targets.
//!
//! All classes of a word lie in one or two bytes, a bit each. While the last level is small beside
//! what is left, its classes *push* to their neighbours; bits are set atomically, so any thread may
//! push to any word. Later the classes that are left *pull* from theirs.

use std::sync::atomic::{AtomicU8, Ordering};

use super::graph::{COLUMN, ClassGraph, ROW};
use super::numbering::{Block, Numbering};
use super::table::{Class, ClassTable};
use super::{ClassIndexer, ClassKey};
use crate::cpu::{Work, run_fast};
use crate::outcome::{Budget, Limit};
use crate::tables::build::allow;
use crate::tables::{BuildError, BytesMut, OutOfMemoryError, OverLimitError, try_reserve_exact};
use crate::threads::share;

/// Bytes that a thread takes at once where it goes over all of them.
const PIECE_BYTES: usize = 1 << 16;

/// Classes that are marked at once.
const MANY: usize = 64;

/// Blocks that a thread takes at once.
const PIECE_BLOCKS: usize = 16;

impl ClassKey {
    /// Refuses to build this table if it takes more memory than the budget has.
    pub(crate) fn allow(self, budget: &Budget) -> Result<(), OverLimitError> {
        allow(self, self.working_memory(), budget)
    }
}

impl ClassTable {
    /// Builds a table on `threads` threads, within a budget.
    pub(crate) fn build(
        key: ClassKey,
        indexer: ClassIndexer,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, BuildError> {
        key.allow(budget)?;
        let ClassIndexer { graph, numbering } = &indexer;
        let mut search = Levels::new(graph, numbering)?;
        for class in Class::of_goal(graph, &key) {
            let bit = graph.line_bit(class.kind, class.line);
            search.mark(numbering.rank(class.word), 1 << bit);
        }
        let blocks = numbering.blocks();
        let mut unseen = key.classes();
        let mut level = 0;
        loop {
            let found = search.settle(level, threads);
            budget.count(found);
            if found == 0 {
                break;
            }
            unseen -= found;
            search.go_on(unseen > found, &blocks, threads, budget)?;
            level += 1;
        }
        // The last level had classes of one distance, to the nearer end of the goal's edge; the
        // other end is one further. Now `level` is one more than that distance.
        let (bytes, max) = (search.planes.into(), level as u8);
        Ok(Self::from_bytes(key, indexer, bytes, max)
            .expect("it has as many bytes as its key says"))
    }
}

/// A search under way. All arrays have the same length, and a bit for each class.
struct Levels<'a> {
    graph: &'a ClassGraph,
    numbering: &'a Numbering,
    /// The classes that were reached, and those that were reached before the last push.
    seen: Vec<AtomicU8>,
    settled: BytesMut,
    /// The classes of the last level.
    fresh: BytesMut,
    /// Bit 1 of the distances to the goal's row class, then to its column class.
    planes: BytesMut,
}

impl<'a> Levels<'a> {
    fn new(graph: &'a ClassGraph, numbering: &'a Numbering) -> Result<Self, OutOfMemoryError> {
        let bytes = numbering.words() * graph.word_bytes();
        let mut seen = Vec::new();
        try_reserve_exact(&mut seen, bytes)?;
        seen.resize_with(bytes, AtomicU8::default);
        Ok(Self {
            graph,
            numbering,
            seen,
            settled: BytesMut::zeroed(bytes)?,
            fresh: BytesMut::zeroed(bytes)?,
            planes: BytesMut::zeroed(2 * bytes)?,
        })
    }

    /// Says that classes of a word were reached.
    #[inline(always)]
    fn mark(&self, number: usize, lines: u32) {
        let bytes = self.graph.word_bytes();
        for (i, seen) in self.seen[number * bytes..][..bytes].iter().enumerate() {
            let lines = (lines >> (8 * i)) as u8;
            // Most were seen before, and to read is much cheaper.
            if lines & !seen.load(Ordering::Relaxed) != 0 {
                seen.fetch_or(lines, Ordering::Relaxed);
            }
        }
    }

    /// The classes of a word that were reached.
    #[inline(always)]
    fn seen_lines(&self, number: usize) -> u32 {
        let byte = |index: usize| u32::from(self.seen[index].load(Ordering::Relaxed));
        if self.graph.word_bytes() == 1 {
            byte(number)
        } else {
            byte(2 * number) | byte(2 * number + 1) << 8
        }
    }

    /// The classes of a word that are of the last level.
    #[inline(always)]
    fn fresh_lines(&self, number: usize) -> u32 {
        let byte = |index: usize| u32::from(self.fresh[index]);
        if self.graph.word_bytes() == 1 {
            byte(number)
        } else {
            byte(2 * number) | byte(2 * number + 1) << 8
        }
    }

    /// The byte of a class, and its bit in there.
    #[inline(always)]
    fn place(&self, number: usize, bit: usize) -> (usize, u8) {
        let byte = number * self.graph.word_bytes() + bit / 8;
        (byte, 1 << (bit % 8))
    }

    /// All lines of a kind.
    #[inline(always)]
    const fn all_lines(&self, kind: usize) -> u32 {
        (1 << self.graph.lines(kind)) - 1
    }

    /// Makes what was reached last the fresh level, and writes its bits; how many classes it has.
    fn settle(&mut self, level: u32, threads: usize) -> u64 {
        let masks = [ROW, COLUMN].map(|target| self.mask(target, level));
        let (row, column) = self.planes.split_at_mut(self.seen.len());
        let pieces = self.seen.chunks_mut(PIECE_BYTES);
        let pieces = pieces.zip(self.settled.chunks_mut(PIECE_BYTES));
        let pieces = pieces.zip(self.fresh.chunks_mut(PIECE_BYTES));
        let pieces = pieces.zip(row.chunks_mut(PIECE_BYTES));
        let pieces = pieces.zip(column.chunks_mut(PIECE_BYTES));
        share(
            pieces,
            threads,
            |((((seen, settled), fresh), row), column)| {
                run_fast(Settle {
                    seen,
                    settled,
                    fresh,
                    planes: [row, column],
                    masks,
                })
            },
        )
    }

    /// The bits of a word to be set for the classes of a level: those of the kinds whose distances
    /// to the target have bit 1 set.
    fn mask(&self, target: usize, level: u32) -> [u8; 2] {
        let mut mask = 0_u16;
        for kind in [ROW, COLUMN] {
            let is_odd = u32::from(kind != target);
            // The nearer end has the parity of the level; the other is one further.
            let distance = level + u32::from(level % 2 != is_odd);
            if distance & 2 != 0 {
                for line in 0..self.graph.lines(kind) {
                    mask |= 1 << self.graph.line_bit(kind, line);
                }
            }
        }
        let [first, second] = mask.to_le_bytes();
        // Words of one byte lie side by side.
        [
            first,
            if self.graph.word_bytes() == 1 {
                first
            } else {
                second
            },
        ]
    }

    /// Reaches the neighbours of the fresh level: from there, or from the classes that were not
    /// reached yet.
    fn go_on(
        &self,
        is_push: bool,
        blocks: &[Block<'_>],
        threads: usize,
        budget: &Budget,
    ) -> Result<(), BuildError> {
        let stopped = share(blocks.chunks(PIECE_BLOCKS), threads, |blocks| {
            if budget.check().is_err() {
                return 1;
            }
            let levels = self;
            if is_push {
                run_fast(Push { levels, blocks });
            } else {
                run_fast(Pull { levels, blocks });
            }
            0
        });
        match budget.check() {
            Err(limit) => Err(BuildError::Stopped(limit)),
            Ok(()) if stopped > 0 => Err(BuildError::Stopped(Limit::Cancelled)),
            Ok(()) => Ok(()),
        }
    }
}

/// A piece that is settled.
struct Settle<'a> {
    seen: &'a mut [AtomicU8],
    settled: &'a mut [u8],
    fresh: &'a mut [u8],
    planes: [&'a mut [u8]; 2],
    /// For each plane, the bits of even and of odd bytes.
    masks: [[u8; 2]; 2],
}

impl Work for Settle<'_> {
    type Result = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let [row, column] = self.planes;
        let mut found = 0;
        let bytes = self.seen.iter_mut().zip(self.settled).zip(self.fresh);
        for (i, (((seen, settled), fresh), (row, column))) in
            bytes.zip(row.iter_mut().zip(column)).enumerate()
        {
            let seen = *seen.get_mut();
            *fresh = seen & !*settled;
            *settled = seen;
            *row |= *fresh & self.masks[ROW][i % 2];
            *column |= *fresh & self.masks[COLUMN][i % 2];
            found += u64::from(fresh.count_ones());
        }
        found
    }
}

/// Classes that were reached, and are yet to be marked.
///
/// They are all over the memory. Where each was marked at once, the processor would wait for one
/// after the other; the bytes of many are read together.
struct Reached<'a> {
    seen: &'a [AtomicU8],
    places: [(u32, u8); MANY],
    count: usize,
}

impl<'a> Reached<'a> {
    const fn new(seen: &'a [AtomicU8]) -> Self {
        Self {
            seen,
            places: [(0, 0); MANY],
            count: 0,
        }
    }

    #[inline(always)]
    fn push(&mut self, (byte, bit): (usize, u8)) {
        // A table has fewer bytes than that.
        self.places[self.count % MANY] = (byte as u32, bit);
        self.count += 1;
        if self.count == MANY {
            self.mark();
        }
    }

    #[inline(always)]
    fn mark(&mut self) {
        let places = &self.places[..self.count];
        let mut before = [0; MANY];
        for (before, &(byte, _)) in before.iter_mut().zip(places) {
            *before = self.seen[byte as usize].load(Ordering::Relaxed);
        }
        for (before, &(byte, bit)) in before.iter().zip(places) {
            // Most were seen before, and to read is much cheaper.
            if before & bit == 0 {
                self.seen[byte as usize].fetch_or(bit, Ordering::Relaxed);
            }
        }
        self.count = 0;
    }
}

/// Blocks whose fresh classes reach their neighbours.
struct Push<'a> {
    levels: &'a Levels<'a>,
    blocks: &'a [Block<'a>],
}

impl Work for Push<'_> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let levels = self.levels;
        let graph = levels.graph;
        let mut reached = Reached::new(&levels.seen);
        for block in self.blocks {
            for (number, &low) in (block.first..).zip(block.low) {
                let fresh = levels.fresh_lines(number);
                if fresh == 0 {
                    continue;
                }
                let word = block.high | u32::from(low);
                for kind in [ROW, COLUMN] {
                    let mut lines = fresh >> graph.line_bit(kind, 0) & levels.all_lines(kind);
                    let near = graph.near(kind, lines);
                    if near != 0 {
                        levels.mark(number, near << graph.line_bit(kind ^ 1, 0));
                    }
                    while lines != 0 {
                        let line = lines.trailing_zeros() as usize;
                        lines &= lines - 1;
                        for other in graph.far(kind, line) {
                            let step = graph.step(kind, graph.cell(kind, line, other));
                            let neighbour = levels.numbering.rank(step.apply(word));
                            let bit = graph.line_bit(kind ^ 1, other);
                            reached.push(levels.place(neighbour, bit));
                        }
                    }
                }
            }
        }
        reached.mark();
    }
}

/// Blocks whose classes are reached if they have fresh neighbours.
struct Pull<'a> {
    levels: &'a Levels<'a>,
    blocks: &'a [Block<'a>],
}

impl Work for Pull<'_> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let levels = self.levels;
        let graph = levels.graph;
        let all = [ROW, COLUMN].map(|kind| levels.all_lines(kind) << graph.line_bit(kind, 0));
        let all = all[ROW] | all[COLUMN];
        for block in self.blocks {
            for (number, &low) in (block.first..).zip(block.low) {
                let seen = levels.seen_lines(number);
                if seen == all {
                    continue;
                }
                let word = block.high | u32::from(low);
                let fresh = levels.fresh_lines(number);
                let mut reached = 0;
                for kind in [ROW, COLUMN] {
                    let first = graph.line_bit(kind, 0);
                    let beside = fresh >> graph.line_bit(kind ^ 1, 0) & levels.all_lines(kind ^ 1);
                    let near = graph.near(kind ^ 1, beside);
                    reached |= near << first;
                    let mut lines = !seen >> first & levels.all_lines(kind) & !near;
                    while lines != 0 {
                        let line = lines.trailing_zeros() as usize;
                        lines &= lines - 1;
                        // All of them, so that the processor need not wait for the first before it
                        // asks for the second.
                        let mut is_reached = false;
                        for other in graph.far(kind, line) {
                            let step = graph.step(kind, graph.cell(kind, line, other));
                            let neighbour = levels.numbering.rank(step.apply(word));
                            let bit = graph.line_bit(kind ^ 1, other);
                            let (byte, bit) = levels.place(neighbour, bit);
                            is_reached |= levels.fresh[byte] & bit != 0;
                        }
                        reached |= u32::from(is_reached) << (first + line);
                    }
                }
                if reached & !seen != 0 {
                    levels.mark(number, reached);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::outcome::Limits;
    use crate::tables::{ClassCatalogue, ClassTables, Tier};

    fn catalogue(size: &str, blank: usize) -> ClassCatalogue {
        ClassCatalogue::of(size.parse().unwrap(), blank, Tier::Quick).unwrap()
    }

    #[test]
    fn distances_are_those_of_a_plain_search() {
        for (size, blank) in [
            ("2x2", 3),
            ("2x3", 5),
            ("2x3", 1),
            ("3x3", 8),
            ("3x3", 4),
            ("2x5", 7),
            ("2x7", 13),
        ] {
            let tables = ClassTables::build(catalogue(size, blank), 2, &Budget::default()).unwrap();
            for table in &tables.tables {
                let graph = &table.graph;
                let mut farthest = 0;
                for target in [ROW, COLUMN] {
                    let goal = table.goal[target];
                    let key = |class: Class| (class.kind, class.line, class.word);
                    let mut distances = HashMap::from([(key(goal), 0)]);
                    let mut level = vec![goal];
                    for distance in 1.. {
                        let mut next = Vec::new();
                        for class in level {
                            for neighbour in class.neighbours(graph) {
                                distances.entry(key(neighbour)).or_insert_with(|| {
                                    next.push(neighbour);
                                    distance
                                });
                            }
                        }
                        if next.is_empty() {
                            break;
                        }
                        // Every class of the small boards, some of the one whose words have two
                        // bytes.
                        for class in next.iter().step_by(if size == "2x7" { 97 } else { 1 }) {
                            assert_eq!(
                                table.distance(*class, target),
                                Some(distance),
                                "{size}, {class:?}"
                            );
                        }
                        farthest = farthest.max(distance);
                        level = next;
                    }
                    assert_eq!(table.distance(goal, target), Some(0));
                }
                assert_eq!(u32::from(table.max()), farthest, "{size}");
            }
        }
    }

    #[test]
    fn a_build_obeys_its_budget() {
        let catalogue = catalogue("3x4", 11);
        let build = |limits: &Limits| {
            ClassTables::build(catalogue.clone(), 2, &Budget::new(limits)).map(drop)
        };
        let needed = catalogue.keys().iter().map(ClassKey::working_memory);
        let memory = needed.max().unwrap();
        let limits = |memory| Limits {
            memory: Some(memory),
            ..Limits::default()
        };
        let over = build(&limits(memory - 1));
        assert!(matches!(over, Err(BuildError::Limit(error)) if error.bytes == memory));
        assert_eq!(build(&limits(memory)), Ok(()));
        let stopped = |limit| Err(BuildError::Stopped(limit));
        let no_time = Limits::within(std::time::Duration::ZERO);
        assert_eq!(build(&no_time), stopped(Limit::Time));
    }
}
