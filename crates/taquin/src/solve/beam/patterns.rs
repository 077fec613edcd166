//! Pattern databases as a guide.

use crate::Board;
use crate::cpu::prefetch;
use crate::solve::DamagedTableError;
use crate::solve::optimal::{Engine, Lookup, Word};

use super::guide::{Appraisal, Guide, Slide};

/// Ranks boards by the sums of some of the engine's views.
#[derive(Debug)]
pub(crate) struct PatternGuide<'a> {
    /// The slots of these views.
    lookups: Vec<Lookup<'a>>,
    /// For each tile and view, the number of the slot among them that follows the tile.
    slots: Vec<[u8; PatternGuide::MAX_VIEWS]>,
    views: usize,
    /// The words and sums of the start.
    start: Vec<u64>,
}

/// The views and slots of an engine that a guide uses.
struct Chosen {
    views: Vec<usize>,
    slots: Vec<usize>,
}

impl Chosen {
    fn of(engine: &Engine) -> Self {
        let count = engine.views().min(PatternGuide::MAX_VIEWS);
        // Views of one symmetry stand together: so take some of each.
        let views: Vec<usize> = (0..count).map(|i| i * engine.views() / count).collect();
        let homes = 0..engine.size().cells() as u8;
        let tiles = homes.filter(|&home| usize::from(home) != engine.blank());
        let all = views
            .iter()
            .flat_map(|&view| tiles.clone().map(move |tile| engine.slot(view, tile)));
        let mut slots: Vec<usize> = all.collect();
        slots.sort_unstable();
        slots.dedup();
        Self { views, slots }
    }
}

impl<'a> PatternGuide<'a> {
    /// More views would cost more than they tell.
    pub(crate) const MAX_VIEWS: usize = 8;

    /// A guide from a canonical board on.
    pub(crate) fn new(engine: &'a Engine, board: &Board) -> Result<Self, DamagedTableError> {
        let start = engine.start(board)?;
        let Chosen { views, slots } = Chosen::of(engine);
        let word = |&slot: &usize| {
            let (place, value) = start.values[slot];
            Word::new(place, value).0
        };
        let number = |slot| slots.binary_search(&slot).unwrap_or(0) as u8;
        let slots_of = |tile| {
            let mut numbers = [0; Self::MAX_VIEWS];
            for (own, &view) in numbers.iter_mut().zip(&views) {
                *own = number(engine.slot(view, tile));
            }
            numbers
        };
        let mut guide = Self {
            lookups: slots
                .iter()
                .map(|&slot| Lookup::new(&engine.slots[slot]))
                .collect(),
            // As many as a tile's number can say, so that none has to be checked.
            slots: (0..=u8::MAX).map(slots_of).collect(),
            views: views.len(),
            start: slots.iter().map(word).collect(),
        };
        let mut sums = [0_u64; 2];
        let all: Vec<u32> = engine.sums(&start.values).collect();
        for (own, &view) in views.iter().enumerate() {
            sums[own / 4] |= u64::from(all[view]) << (16 * (own % 4));
        }
        guide.start.extend(sums);
        Ok(guide)
    }

    /// How many words of notes a board needs.
    pub(crate) fn words_of(engine: &Engine) -> usize {
        Chosen::of(engine).slots.len() + 2
    }

    /// The slot that follows a tile in a view.
    #[inline(always)]
    fn slot(&self, view: usize, tile: u8) -> usize {
        usize::from(self.slots[usize::from(tile)][view % Self::MAX_VIEWS])
    }

    #[inline(always)]
    fn sum(&self, notes: &[u64], view: usize) -> u32 {
        u32::from((notes[self.lookups.len() + view / 4] >> (16 * (view % 4))) as u16)
    }

    /// All sums together tell more than the largest alone, but only that one is a bound.
    #[inline(always)]
    fn appraisal(sums: impl Iterator<Item = u32>) -> Appraisal {
        let (mut max, mut sum) = (0_u32, 0_u32);
        for value in sums {
            max = value.max(max);
            sum = sum.wrapping_add(value);
        }
        Appraisal {
            score: max.wrapping_add(sum),
            bound: max,
        }
    }
}

impl Guide for PatternGuide<'_> {
    type Glance = [usize; PatternGuide::MAX_VIEWS];

    fn words(&self) -> usize {
        self.start.len()
    }

    fn begin(&self, _: &[u8], _: u8, notes: &mut [u64]) -> Appraisal {
        notes.copy_from_slice(&self.start);
        Self::appraisal((0..self.views).map(|view| self.sum(notes, view)))
    }

    #[inline(always)]
    fn glance(&self, notes: &[u64], slide: Slide) -> Self::Glance {
        let mut indexes = [0; PatternGuide::MAX_VIEWS];
        for (view, index) in indexes.iter_mut().enumerate().take(self.views) {
            let slot = self.slot(view, slide.tile);
            let lookup = &self.lookups[slot];
            *index = lookup.advance(Word(notes[slot]), slide.from, slide.to).1;
            prefetch(lookup.bytes, *index / 8);
        }
        indexes
    }

    #[inline(always)]
    fn appraise(&self, _: &[u8], notes: &[u64], slide: Slide, glance: Self::Glance) -> Appraisal {
        Self::appraisal((0..self.views).map(|view| {
            let slot = self.slot(view, slide.tile);
            let (_, rose) = Word(notes[slot]).landed(self.lookups[slot].bit(glance[view]));
            // Only a table that was changed takes a sum below 0.
            (self.sum(notes, view) + 2 * u32::from(rose)).wrapping_sub(1)
        }))
    }

    #[inline(always)]
    fn advance(&self, _: &[u8], notes: &mut [u64], slide: Slide) {
        let mut seen = [usize::MAX; PatternGuide::MAX_VIEWS];
        let mut rise = [0_u8; PatternGuide::MAX_VIEWS];
        for view in 0..self.views {
            let slot = self.slot(view, slide.tile);
            // Two views may share a slot, which moves once.
            rise[view] = if let Some(same) = seen[..view].iter().position(|&s| s == slot) {
                rise[same]
            } else {
                let lookup = &self.lookups[slot];
                let (word, index) = lookup.advance(Word(notes[slot]), slide.from, slide.to);
                let (word, rose) = word.landed(lookup.bit(index));
                notes[slot] = word.0;
                rose
            };
            seen[view] = slot;
            let sums = &mut notes[self.lookups.len() + view / 4];
            let change = (2 * u64::from(rise[view])).wrapping_sub(1);
            // A sum is never below 0, so nothing is borrowed from the one above.
            *sums = sums.wrapping_add(change << (16 * (view % 4)));
        }
    }
}
