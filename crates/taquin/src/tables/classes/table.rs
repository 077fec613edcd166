//! One bit for each class of coloured boards, and what it tells.
//!
//! Along an edge the distance to a class changes by exactly one, because the graph is bipartite,
//! and whether it is odd follows from the two kinds. So bit 1 of the distance is enough to know it
//! modulo 4, and to follow it along a path. Where no distance is known yet, a walk to the target
//! counts it.

use std::sync::Arc;

use super::graph::{COLUMN, ClassGraph, ROW};
use super::numbering::Numbering;
use super::{ClassIndexer, ClassKey};
use crate::tables::Bytes;

/// The distances from all classes of coloured boards to the two classes of the goal.
#[derive(Debug)]
pub(crate) struct ClassTable {
    key: ClassKey,
    pub(crate) graph: ClassGraph,
    pub(crate) numbering: Arc<Numbering>,
    /// Bit 1 of the distance from every class to the goal's row class, then to its column class. A
    /// word has [`ClassGraph::word_bytes`] bytes in each half.
    bytes: Bytes,
    /// The largest distance.
    max: u8,
    /// The goal's two classes.
    pub(crate) goal: [Class; 2],
}

/// A class of coloured boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) kind: usize,
    pub(crate) line: usize,
    pub(crate) word: u32,
}

impl Class {
    /// The class of a board, from the colours of its cells.
    pub(crate) fn new(graph: &ClassGraph, kind: usize, colours: &[u8], blank: usize) -> Self {
        Self {
            kind,
            line: graph.line(kind, blank),
            word: graph.word(kind, colours, blank),
        }
    }

    /// The two classes of a goal.
    pub(crate) fn of_goal(graph: &ClassGraph, key: &ClassKey) -> [Self; 2] {
        let colours = key.colouring().colours();
        [ROW, COLUMN].map(|kind| Self::new(graph, kind, colours, key.blank()))
    }

    /// The classes at the other ends of its edges.
    pub(crate) fn neighbours(self, graph: &ClassGraph) -> impl Iterator<Item = Self> + '_ {
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
    /// A table from its bytes; `None` if there are not as many as it has.
    pub(crate) fn from_bytes(
        key: ClassKey,
        indexer: ClassIndexer,
        bytes: Bytes,
        max: u8,
    ) -> Option<Self> {
        let ClassIndexer { graph, numbering } = indexer;
        (bytes.len() as u64 == key.bytes()).then(|| Self {
            goal: Class::of_goal(&graph, &key),
            key,
            graph,
            numbering,
            bytes,
            max,
        })
    }

    /// What it is of.
    pub(crate) const fn key(&self) -> &ClassKey {
        &self.key
    }

    /// The largest distance in it.
    pub(crate) const fn max(&self) -> u8 {
        self.max
    }

    /// All of it.
    pub(crate) const fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The bits of the distances to the goal's class of a kind.
    #[inline(always)]
    pub(crate) fn bits(&self, target: usize) -> &[u8] {
        let half = self.bytes.len() / 2;
        &self.bytes[half * target..][..half]
    }

    /// Bit 1 of the distance from a class to the goal's class of a kind.
    fn bit(&self, class: Class, target: usize) -> u32 {
        let word = self.numbering.rank(class.word) * self.graph.word_bytes() * 8;
        let bit = word + self.graph.line_bit(class.kind, class.line);
        u32::from(self.bits(target)[bit / 8] >> (bit % 8) & 1)
    }

    /// The distance modulo 4.
    fn modulo_4(&self, class: Class, target: usize) -> u32 {
        2 * self.bit(class, target) + u32::from(class.kind != target)
    }

    /// The distance from a class to the goal's class of a kind; `None` if the table leads nowhere.
    pub(crate) fn distance(&self, class: Class, target: usize) -> Option<u32> {
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
}
