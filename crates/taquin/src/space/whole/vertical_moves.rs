//! What a tile that slides up or down does to whole words of boards at once.
//!
//! The tile passes the others between its two cells, so the order of the tiles changes in a window
//! of as many tiles as the board has columns: its last tile comes first and the others move back by
//! one, or the other way round. How words and bits change depends on where the window lies:
//!
//! * Among the tiles of the word: words change places, in runs that agree in what comes after the
//!   window.
//! * Among the last five: the bits of each word change places.
//! * Across both: the bits of each word change places first, or afterwards, such that it is only the
//!   first of the low tiles that changes with the high ones; and all bits with the same first tile,
//!   a *field*, go to a field of another word.

use std::sync::atomic::{AtomicU64, Ordering};

use super::layout::{FIELD, LOW, Layout, Order};
use super::memory::filled;
use crate::outcome::Budget;
use crate::tables::{BuildError, lehmer};

/// Which tile of a window goes to its other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rotation {
    /// The last one becomes the first.
    Right,
    /// The first one becomes the last.
    Left,
}

impl Rotation {
    /// Turns a window, by swaps: it has a few tiles, and walks turn one at every other step.
    #[inline(always)]
    fn apply<T>(self, window: &mut [T]) {
        match self {
            Self::Right => {
                for i in (1..window.len()).rev() {
                    window.swap(i, i - 1);
                }
            }
            Self::Left => {
                for i in 1..window.len() {
                    window.swap(i, i - 1);
                }
            }
        }
    }
}

/// Where the window begins that turns, and the way, as the blank moves from one cell to the one
/// above or below. The window has as many tiles as there are columns.
const fn window(columns: usize, from: usize, to: usize) -> (usize, Rotation) {
    if to > from {
        (from, Rotation::Right)
    } else {
        (from - columns, Rotation::Left)
    }
}

/// Turns the order of a board as its blank moves from one cell to the one above or below.
#[inline(always)]
pub(super) fn turn(order: &mut Order, columns: usize, from: usize, to: usize) {
    let (start, turn) = window(columns, from, to);
    turn.apply(&mut order[start..start + columns]);
}

/// Words from which bits are pulled: those in which two planes have a pattern.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// The two planes at the blank's cell.
    pub(super) planes: [&'a [AtomicU64]; 2],
    /// What to flip in them, so that a board is meant if both then have its bit.
    pub(super) flip: [u64; 2],
}

impl Source<'_> {
    /// The boards of a word that are meant.
    ///
    /// The second plane is read first: see [`Planes`](super::planes::Planes).
    #[inline(always)]
    pub(super) fn get(&self, word: usize) -> u64 {
        let second = self.planes[1][word].load(Ordering::Acquire) ^ self.flip[1];
        let first = self.planes[0][word].load(Ordering::Relaxed) ^ self.flip[0];
        first & second
    }

    /// Reads a stretch of words, and says whether there is any board in it.
    #[inline(always)]
    pub(super) fn read(&self, start: usize, length: usize, words: &mut Vec<u64>) -> bool {
        let stretch = Source {
            planes: self.planes.map(|plane| &plane[start..start + length]),
            flip: self.flip,
        };
        let mut any = 0;
        words.clear();
        words.extend((0..length).map(|word| {
            let word = stretch.get(word);
            any |= word;
            word
        }));
        any != 0
    }
}

/// A stretch of words at one cell of the blank that is filled.
pub(super) struct Target<'a> {
    /// The first of them.
    pub(super) start: usize,
    /// Gathers the boards that were reached.
    pub(super) reached: &'a mut [u64],
    /// Boards that need not be reached any more.
    pub(super) seen: &'a [u64],
    /// For each of the words the parity of its low tiles' order.
    pub(super) parities: Parities<'a>,
}

/// The parities of the low tiles' orders in a stretch of words.
#[derive(Clone, Copy)]
pub(super) struct Parities<'a> {
    /// Those of the words' own tiles, apart from what all words of the stretch have in common.
    pub(super) words: &'a [u8],
    /// What they have in common, and what the blank's cell adds.
    pub(super) common: usize,
}

impl Parities<'_> {
    #[inline(always)]
    fn get(&self, i: usize) -> usize {
        usize::from(self.words[i]) ^ self.common
    }
}

/// How the boards with the blank in one cell are reached from those with the blank above or below.
#[derive(Debug)]
pub(super) enum Pull {
    /// Runs of words change places.
    Runs {
        /// Where each run comes from, among those that agree in the tiles before the window.
        from: Vec<u32>,
        /// Words in a run.
        run: usize,
    },
    /// The bits of each word change places.
    Bits(Shuffle),
    /// Fields are gathered from other words, then the bits change places.
    Gather(Exchange, Option<Shuffle>),
    /// The bits change places, then fields go to other words.
    Scatter(Exchange, Option<Shuffle>),
}

/// The window that a pull turns: known before its tables are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct PullWindow {
    start: usize,
    end: usize,
    turn: Rotation,
}

impl PullWindow {
    /// The window for boards with the blank in `to` when it was in `from`, above or below.
    pub(super) const fn new(layout: &Layout, from: usize, to: usize) -> Self {
        let columns = layout.size().columns();
        // The move is looked at from its end: from a board with the blank in `to` back to the one
        // that it came from.
        let (start, turn) = window(columns, to, from);
        let end = start + columns;
        Self { start, end, turn }
    }

    /// A stretch of words that is filled at once has to begin at a multiple of this number, and to
    /// be as long or a multiple of it.
    pub(super) fn unit(self, layout: &Layout) -> usize {
        match layout.high() {
            high if self.end <= high => layout.group(self.end),
            high if self.start >= high => 1,
            _ => layout.group(self.start),
        }
    }

    /// The bytes of the pull's tables.
    pub(super) fn bytes(self, layout: &Layout) -> u64 {
        let shuffle = size_of::<[[[u64; 256]; 8]; 2]>() as u64;
        match layout.high() {
            high if self.end <= high => {
                let left = layout.tiles() - self.start;
                lehmer::count(left, self.end - self.start) * size_of::<u32>() as u64
            }
            high if self.start >= high => shuffle,
            _ => layout.group(self.start) as u64 * size_of::<[u32; LOW]>() as u64 + shuffle,
        }
    }
}

impl Pull {
    /// The pull that turns this window.
    pub(super) fn new(
        layout: &Layout,
        window: PullWindow,
        budget: &Budget,
    ) -> Result<Self, BuildError> {
        let PullWindow { start, end, turn } = window;
        let high = layout.high();
        if end <= high {
            return Ok(Self::Runs {
                from: turned_runs(layout, start, end, turn, budget)?,
                run: layout.group(end),
            });
        }
        if start >= high {
            let shuffle = Shuffle::new(layout, start - high, end - high, turn);
            return Ok(Self::Bits(shuffle));
        }
        let exchange = Exchange::new(layout, start, budget)?;
        let within = end - high;
        let shuffle = (within > 1).then(|| Shuffle::new(layout, 0, within, turn));
        Ok(match turn {
            Rotation::Right => Self::Gather(exchange, shuffle),
            Rotation::Left => Self::Scatter(exchange, shuffle),
        })
    }

    /// Adds what is reached from the source to what was reached. `words` is for its use.
    #[inline(always)]
    pub(super) fn pull(&self, source: Source<'_>, target: &mut Target<'_>, words: &mut Vec<u64>) {
        if let Self::Runs { from, run } = self {
            return pull_runs(from, *run, source, target);
        }
        // All others pull from the same stretch of words that they fill.
        if !source.read(target.start, target.reached.len(), words) {
            return;
        }
        match self {
            Self::Runs { .. } => {}
            Self::Bits(shuffle) => pull_bits(shuffle, words, target),
            Self::Gather(exchange, shuffle) => exchange.gather(words, shuffle.as_ref(), target),
            Self::Scatter(exchange, shuffle) => exchange.scatter(words, shuffle.as_ref(), target),
        }
    }
}

#[inline(always)]
fn pull_runs(from: &[u32], run: usize, source: Source<'_>, target: &mut Target<'_>) {
    for (i, reached) in target.reached.chunks_exact_mut(run).enumerate() {
        let number = target.start / run + i;
        let (group, within) = (number / from.len(), number % from.len());
        let begin = (group * from.len() + from[within] as usize) * run;
        for (word, reached) in (begin..).zip(reached) {
            *reached |= source.get(word);
        }
    }
}

#[inline(always)]
fn pull_bits(shuffle: &Shuffle, words: &[u64], target: &mut Target<'_>) {
    let stretch = target.reached.iter_mut().zip(target.seen).zip(words);
    for (i, ((reached, &seen), &word)) in stretch.enumerate() {
        // Nothing new can be reached where all was seen.
        if word != 0 && seen != u64::MAX {
            *reached |= shuffle.apply(word, target.parities.get(i));
        }
    }
}

/// For each arrangement of the tiles in a window, the number of the turned one.
fn turned_runs(
    layout: &Layout,
    start: usize,
    end: usize,
    turn: Rotation,
    budget: &Budget,
) -> Result<Vec<u32>, BuildError> {
    let left = layout.tiles() - start;
    let mut tiles = vec![0; end - start];
    let count = lehmer::count(left, tiles.len()) as usize;
    filled(count, budget, |number| {
        lehmer::unrank(number, left, &mut tiles);
        turn.apply(&mut tiles);
        lehmer::rank(&tiles, left) as u32
    })
}

/// A rearrangement of the bits of a word, a byte at a time.
#[derive(Debug)]
pub(super) struct Shuffle {
    /// For both parities of the resulting orders, each byte and each of its values: the bits that
    /// come of it.
    bytes: [Box<[[u64; 256]; 8]>; 2],
}

impl Shuffle {
    /// Each order gets the bit that its turned order had, where the window is one of the low tiles.
    fn new(layout: &Layout, start: usize, end: usize, turn: Rotation) -> Self {
        let changes_parity = (end - start - 1) % 2;
        let bytes = [0, 1].map(|parity| {
            let mut bytes: Box<[[u64; 256]; 8]> = bytemuck::allocation::zeroed_box();
            let before = layout.low_orders(parity ^ changes_parity);
            for (to, order) in layout.low_orders(parity).iter().enumerate() {
                let mut turned = *order;
                turn.apply(&mut turned[start..end]);
                let from = before.iter().position(|&other| other == turned);
                let from = from.expect("both parities have all their orders");
                let byte = &mut bytes[from / 8];
                for (value, bits) in byte.iter_mut().enumerate() {
                    *bits |= (value as u64 >> (from % 8) & 1) << to;
                }
            }
            bytes
        });
        Self { bytes }
    }

    /// The word rearranged, given the parity of the resulting orders.
    #[inline(always)]
    fn apply(&self, word: u64, parity: usize) -> u64 {
        let tables = &self.bytes[parity & 1];
        let mut shuffled = 0;
        for (table, byte) in tables.iter().zip(word.to_le_bytes()) {
            shuffled |= table[usize::from(byte)];
        }
        shuffled
    }
}

/// Where fields go when the first of the low tiles comes before some of the high ones, and the last
/// of those becomes the first of the low tiles.
#[derive(Debug)]
pub(super) struct Exchange {
    /// For each word of a group and each of its fields: eight times the word, plus the field.
    to: Vec<[u32; LOW]>,
    /// Whether the order's parity changes: with each high tile that is passed.
    changes_parity: usize,
}

/// A field's bits, at the end of a word.
const FIELD_BITS: u64 = (1 << FIELD) - 1;

impl Exchange {
    /// The exchange that begins with the tile at that place in the order.
    fn new(layout: &Layout, start: usize, budget: &Budget) -> Result<Self, BuildError> {
        debug_assert_eq!(layout.low(), LOW, "smaller boards have one word a cell");
        let left = layout.tiles() - start;
        let mut tiles = vec![0; left - LOW];
        let to = filled(layout.group(start), budget, |word| {
            lehmer::unrank(word, left, &mut tiles);
            let mut low = (0..left).filter(|tile| !tiles.contains(tile));
            std::array::from_fn(|_| {
                let first = low.next().unwrap_or_default();
                let (&last, others) = tiles.split_last().expect("the window has a high tile");
                let mut after = vec![first];
                after.extend(others);
                let word = lehmer::rank(&after, left) as u32;
                let field = (0..last).filter(|tile| !after.contains(tile)).count() as u32;
                word * 8 + field
            })
        })?;
        Ok(Self {
            to,
            changes_parity: (left - LOW) % 2,
        })
    }

    /// How many words exchange fields among themselves.
    fn group(&self) -> usize {
        self.to.len()
    }

    #[inline(always)]
    fn gather(&self, words: &[u64], shuffle: Option<&Shuffle>, target: &mut Target<'_>) {
        let groups = words.chunks_exact(self.group()).enumerate();
        for (begin, words) in groups.map(|(i, words)| (i * self.group(), words)) {
            for (at, fields) in (begin..).zip(&self.to) {
                // Nothing new can be reached where all was seen.
                if target.seen[at] == u64::MAX {
                    continue;
                }
                let mut word = 0;
                for (field, &from) in (0..).zip(fields) {
                    let bits = words[(from / 8) as usize] >> (from % 8 * FIELD) & FIELD_BITS;
                    word |= bits << (field * FIELD);
                }
                if word != 0 {
                    let word = shuffle.map_or(word, |s| s.apply(word, target.parities.get(at)));
                    target.reached[at] |= word;
                }
            }
        }
    }

    #[inline(always)]
    fn scatter(&self, words: &[u64], shuffle: Option<&Shuffle>, target: &mut Target<'_>) {
        let groups = words.chunks_exact(self.group()).enumerate();
        for (begin, words) in groups.map(|(i, words)| (i * self.group(), words)) {
            let reached = &mut target.reached[begin..][..self.group()];
            for (i, (fields, &word)) in self.to.iter().zip(words).enumerate() {
                if word == 0 {
                    continue;
                }
                // The parity of what is exchanged, not yet that of what comes of it.
                let parity = || target.parities.get(begin + i) ^ self.changes_parity;
                let word = shuffle.map_or(word, |shuffle| shuffle.apply(word, parity()));
                for (field, &to) in (0..).zip(fields) {
                    let bits = word >> (field * FIELD) & FIELD_BITS;
                    reached[(to / 8) as usize] |= bits << (to % 8 * FIELD);
                }
            }
        }
    }
}
