//! Numbers for words: every arrangement of the colours, in the order of the words as numbers.

use std::sync::Arc;

use super::graph::COLOUR_BITS;

/// How many colours there are at most.
pub(crate) const COLOURS: usize = 4;

/// How many tiles of each colour there are.
pub(crate) type Counts = [u8; COLOURS];

/// How many words have these colours.
pub(crate) fn words(counts: Counts) -> u64 {
    let mut words = 1;
    let mut tiles = 0;
    for count in counts {
        // The places of this colour among those of it and the colours before.
        for i in 1..=u64::from(count) {
            tiles += 1;
            words = words * tiles / i;
        }
    }
    words
}

/// The tiles of the low part of a word, at most.
const LOW_TILES: usize = 8;

/// The low parts of words. They are the same for every colouring with as many tiles.
#[derive(Debug)]
pub(crate) struct LowParts {
    bits: usize,
    /// The number of each low part among those with its colours.
    ranks: Vec<u16>,
    /// All low parts, those of the same colours together and in order.
    parts: Vec<u16>,
    /// Where the low parts of these colours begin in `parts`, and where they end.
    ranges: Vec<(u32, u32)>,
}

impl LowParts {
    pub(crate) fn new(tiles: usize) -> Self {
        let bits = COLOUR_BITS * tiles.min(LOW_TILES);
        let mut lists = vec![Vec::new(); 1 << 16];
        let mut ranks = Vec::with_capacity(1 << bits);
        for part in 0..1_u32 << bits {
            let list = &mut lists[key(counts(part, bits))];
            ranks.push(list.len() as u16);
            list.push(part as u16);
        }
        let (mut parts, mut ranges) = (Vec::new(), Vec::new());
        for list in lists {
            let first = parts.len() as u32;
            parts.extend(list);
            ranges.push((first, parts.len() as u32));
        }
        Self {
            bits,
            ranks,
            parts,
            ranges,
        }
    }

    fn with(&self, counts: Counts) -> &[u16] {
        let (first, end) = self.ranges[key(counts)];
        &self.parts[first as usize..end as usize]
    }
}

/// The colours of some tiles.
fn counts(part: u32, bits: usize) -> Counts {
    let mut counts = [0; COLOURS];
    for i in (0..bits).step_by(COLOUR_BITS) {
        counts[(part >> i) as usize % COLOURS] += 1;
    }
    counts
}

/// Numbers that are at most eight, as one.
fn key(counts: Counts) -> usize {
    counts
        .iter()
        .fold(0, |key, &count| key << 4 | usize::from(count))
}

/// The numbers of all words with these colours.
#[derive(Debug)]
pub(crate) struct Numbering {
    counts: Counts,
    low: Arc<LowParts>,
    /// The number of the first word with each high part.
    offsets: Vec<u32>,
    words: usize,
}

/// The words that have one high part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'a> {
    /// The word whose low part is 0.
    pub(crate) high: u32,
    /// The number of the first one.
    pub(crate) first: usize,
    /// The low parts, in order.
    pub(crate) low: &'a [u16],
}

/// What numbers words, where it is quick to reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranks<'a> {
    offsets: &'a [u32],
    low: &'a [u16],
    low_bits: u32,
}

impl Ranks<'_> {
    /// The number of a word.
    #[inline(always)]
    pub(crate) fn rank(&self, word: u32) -> usize {
        let low = word & ((1 << self.low_bits) - 1);
        let high = word >> self.low_bits;
        self.offsets[high as usize] as usize + usize::from(self.low[low as usize])
    }
}

impl Numbering {
    pub(crate) fn new(counts: Counts, low: Arc<LowParts>) -> Self {
        let mut numbering = Self {
            counts,
            low,
            offsets: Vec::new(),
            words: 0,
        };
        for high in 0..1 << numbering.high_bits() {
            numbering.offsets.push(numbering.words as u32);
            numbering.words += numbering.low_parts(high).len();
        }
        numbering
    }

    pub(crate) const fn counts(&self) -> Counts {
        self.counts
    }

    /// How many words there are.
    pub(crate) const fn words(&self) -> usize {
        self.words
    }

    /// The low parts that go with a high part: those with the colours that are left.
    fn low_parts(&self, high: u32) -> &[u16] {
        let mut left = self.counts;
        let used = counts(high, self.high_bits());
        for (left, used) in left.iter_mut().zip(used) {
            let Some(rest) = left.checked_sub(used) else {
                return &[];
            };
            *left = rest;
        }
        self.low.with(left)
    }

    fn high_bits(&self) -> usize {
        let tiles: usize = self.counts.iter().map(|&count| usize::from(count)).sum();
        COLOUR_BITS * tiles - self.low.bits
    }

    /// The number of a word.
    #[inline(always)]
    pub(crate) fn rank(&self, word: u32) -> usize {
        self.ranks().rank(word)
    }

    /// What numbers words.
    #[inline(always)]
    pub(crate) fn ranks(&self) -> Ranks<'_> {
        Ranks {
            offsets: &self.offsets,
            low: &self.low.ranks,
            low_bits: self.low.bits as u32,
        }
    }

    /// All words, block by block, in the order of their numbers.
    pub(crate) fn blocks(&self) -> Vec<Block<'_>> {
        let blocks = (0..).zip(&self.offsets).map(|(high, &first)| Block {
            high: high << self.low.bits,
            first: first as usize,
            low: self.low_parts(high),
        });
        blocks.filter(|block| !block.low.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_arrangement_has_a_number_and_blocks_list_them_in_order() {
        for (counts, words) in [
            ([1, 1, 1, 0], 6),
            ([2, 1, 1, 1], 60),
            ([2, 2, 2, 2], 2520),
            ([3, 3, 3, 2], 92_400),
            ([5, 5, 5, 0], 756_756),
        ] {
            let tiles = counts.iter().sum::<u8>().into();
            let numbering = Numbering::new(counts, Arc::new(LowParts::new(tiles)));
            assert_eq!(
                (numbering.words(), super::words(counts)),
                (words, words as u64)
            );
            let mut number = 0;
            for block in numbering.blocks() {
                assert_eq!(block.first, number);
                for &low in block.low {
                    let word = block.high | u32::from(low);
                    assert_eq!(super::counts(word, COLOUR_BITS * tiles), counts);
                    assert_eq!(numbering.rank(word), number);
                    number += 1;
                }
            }
            assert_eq!(number, words);
        }
    }
}
