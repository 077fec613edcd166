//! What numbers the classes of a table.

use std::sync::Arc;

use super::ClassKey;
use super::graph::ClassGraph;
use super::numbering::{LowParts, Numbering};
use crate::Size;

/// What numbers the classes of a table: the graph of its size, and the numbers of its words.
#[derive(Clone, Debug)]
pub(crate) struct ClassIndexer {
    pub(crate) graph: ClassGraph,
    pub(crate) numbering: Arc<Numbering>,
}

/// The indexers of a size, which share what they can.
#[derive(Debug)]
pub(crate) struct ClassIndexers {
    graph: ClassGraph,
    low: Arc<LowParts>,
    numberings: Vec<Arc<Numbering>>,
}

impl ClassIndexers {
    /// Bytes of all indexers of a size, roughly.
    pub(crate) const BYTES: u64 = 1 << 20;

    /// For boards of at most sixteen cells.
    pub(crate) fn new(size: Size) -> Self {
        Self {
            graph: ClassGraph::new(size),
            low: Arc::new(LowParts::new(size.cells() - 1)),
            numberings: Vec::new(),
        }
    }

    /// The indexer of a table of this size.
    pub(crate) fn of(&mut self, key: &ClassKey) -> ClassIndexer {
        let counts = key.colouring().counts(key.blank());
        let known = self
            .numberings
            .iter()
            .find(|known| known.counts() == counts);
        let numbering = known.cloned().unwrap_or_else(|| {
            let new = Arc::new(Numbering::new(counts, Arc::clone(&self.low)));
            self.numberings.push(Arc::clone(&new));
            new
        });
        ClassIndexer {
            graph: self.graph.clone(),
            numbering,
        }
    }
}
