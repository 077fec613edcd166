//! One bit for each class of coloured boards, and what it tells.
//!
//! Along an edge the distance to a class changes by exactly one, because the graph is bipartite,
//! and whether it is odd follows from the two kinds. So bit 1 of the distance is enough to know it
//! modulo 4, and to follow it along a path. Where no distance is known yet, a walk to the target
//! counts it.

use std::sync::Arc;

use super::colouring::Colouring;
use super::graph::{COLUMN, ClassGraph, ROW};
use super::numbering::Numbering;
use crate::tables::Bytes;

/// The distances from all classes of coloured boards to the two classes of the goal.
#[derive(Debug)]
pub(super) struct ClassTable {
    pub(super) graph: ClassGraph,
    pub(super) numbering: Arc<Numbering>,
    /// For each of the goal's two classes, bit 1 of the distance from every class. A word has
    /// [`ClassGraph::word_bytes`] bytes.
    pub(super) bits: [Bytes; 2],
    /// The goal's two classes.
    pub(super) goal: [Class; 2],
}

/// A class of coloured boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) kind: usize,
    pub(super) line: usize,
    pub(super) word: u32,
}

impl Class {
    /// The class of a board, from the colours of its cells.
    pub(super) fn new(graph: &ClassGraph, kind: usize, colours: &[u8], blank: usize) -> Self {
        Self {
            kind,
            line: graph.line(kind, blank),
            word: graph.word(kind, colours, blank),
        }
    }

    /// The two classes of a goal.
    pub(super) fn of_goal(graph: &ClassGraph, colouring: &Colouring, blank: usize) -> [Self; 2] {
        [ROW, COLUMN].map(|kind| Self::new(graph, kind, colouring.colours(), blank))
    }

    /// The classes at the other ends of its edges.
    pub(super) fn neighbours(self, graph: &ClassGraph) -> impl Iterator<Item = Self> + '_ {
        let kind = self.kind ^ 1;
        (0..graph.lines(kind)).map(move |line| {
            let cell = graph.cell(self.kind, self.line, line);
            let word = graph.step(self.kind, cell).apply(self.word);
            Self { kind, line, word }
        })
    }
}

/// The longest walk: no class is as far from the goal.
const LONGEST: u32 = 250;

impl ClassTable {
    /// Bit 1 of the distance from a class to the goal's class of a kind.
    fn bit(&self, class: Class, target: usize) -> u32 {
        let word = self.numbering.rank(class.word) * self.graph.word_bytes() * 8;
        let bit = word + self.graph.line_bit(class.kind, class.line);
        u32::from(self.bits[target][bit / 8] >> (bit % 8) & 1)
    }

    /// The distance modulo 4.
    fn modulo_4(&self, class: Class, target: usize) -> u32 {
        2 * self.bit(class, target) + u32::from(class.kind != target)
    }

    /// The distance from a class to the goal's class of a kind; `None` if the table leads nowhere.
    pub(super) fn distance(&self, class: Class, target: usize) -> Option<u32> {
        let mut here = class;
        let mut value = self.modulo_4(here, target);
        for distance in 0..LONGEST {
            if here == self.goal[target] {
                return Some(distance);
            }
            let nearer = (value + 3) % 4;
            let mut neighbours = here.neighbours(&self.graph);
            here = neighbours.find(|&next| self.modulo_4(next, target) == nearer)?;
            value = nearer;
        }
        None
    }

    /// Bytes of the table.
    pub(super) fn bytes(&self) -> usize {
        self.bits.iter().map(|bits| bits.len()).sum()
    }
}
