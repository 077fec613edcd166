//! One step of a view's value, in the bits of one target.

use super::automaton::Arc;
use super::engine::{Engine, Node, View};
use crate::cpu;
use crate::tables::classes::{CELLS, Ranks, Step};

/// A view, and the target that a search looks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lookup<'a> {
    steps: &'a [[Step; CELLS]; 2],
    line_bits: &'a [[u8; CELLS]; 2],
    ranks: Ranks<'a>,
    bits: &'a [u8],
    word_bits: usize,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(view: &'a View, target: usize) -> Self {
        Self {
            steps: &view.steps,
            line_bits: &view.line_bits,
            ranks: view.table.numbering.ranks(),
            bits: view.table.bits(view.kind(target)),
            word_bits: 8 * view.table.graph.word_bytes(),
        }
    }

    /// All views of an engine.
    pub(super) fn all(engine: &'a Engine, target: usize) -> Vec<Self> {
        let views = engine.views.iter();
        views.map(|view| Self::new(view, target)).collect()
    }

    /// The word over an edge from a class of this kind, and where its bit is.
    #[inline(always)]
    pub(super) fn step(&self, word: u32, kind: usize, cell: u8) -> (u32, u32) {
        let cell = usize::from(cell) % CELLS;
        let word = self.steps[kind & 1][cell].apply(word);
        let line = usize::from(self.line_bits[kind & 1][cell]);
        let bit = self.ranks.rank(word) * self.word_bits + line;
        // Sixteen bits for each of the 15,765,750 words of sixteen cells: it fits.
        (word, bit as u32)
    }

    /// Asks for a bit to be brought near.
    #[inline(always)]
    pub(super) fn prefetch(&self, bit: u32) {
        cpu::prefetch(self.bits, bit as usize / 8);
    }

    /// The bit there.
    #[inline(always)]
    pub(super) fn bit(&self, bit: u32) -> u8 {
        self.bits[bit as usize / 8] >> (bit % 8) & 1
    }

    /// The value after a step from a class of this value to that bit: one more or one less.
    #[inline(always)]
    pub(super) fn value(&self, before: u8, bit: u32) -> u8 {
        let bit = self.bit(bit);
        // Of the two, one has bit 1 set and one has not.
        let more = before.wrapping_add(1);
        more.wrapping_sub(2 * ((more >> 1 ^ bit) & 1))
    }
}

/// The child of a node of this kind, with all its values.
pub(super) fn child(lookups: &[Lookup<'_>], node: &Node, kind: usize, arc: Arc) -> Node {
    let mut child = Node {
        blank: arc.cell,
        state: arc.state,
        ..Node::default()
    };
    for (i, lookup) in lookups.iter().enumerate() {
        let (word, bit) = lookup.step(node.words[i], kind, arc.cell);
        child.words[i] = word;
        child.values[i] = lookup.value(node.values[i], bit);
    }
    child
}
