//! Which tables of multi-tile moves each size of board uses.

use super::colouring::Colouring;
use super::graph::ClassGraph;
use super::key::ClassKey;
use super::numbering::words;
use crate::tables::{KeyError, Tier};
use crate::{Board, Reduction, Size};

/// The tables of multi-tile moves that a puzzle uses.
///
/// ```
/// use taquin::tables::{ClassCatalogue, Tier};
///
/// // The goal's blank is in the last cell.
/// let catalogue = ClassCatalogue::of("4x4".parse()?, 15, Tier::Quick)?;
/// assert!(catalogue.keys()[0].to_string().ends_with('.'));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassCatalogue {
    size: Size,
    blank: usize,
    keys: Vec<ClassKey>,
}

impl ClassCatalogue {
    /// The catalogue of a canonical puzzle, by its size and the home of its blank.
    pub fn of(size: Size, blank: usize, tier: Tier) -> Result<Self, KeyError> {
        ClassKey::check_puzzle(size, blank)?;
        let colourings = Colouring::catalogue(size, blank, tier);
        let mut keys: Vec<ClassKey> = Vec::new();
        for key in colourings.iter().map(|each| ClassKey::new(each, blank)) {
            // On small boards two drawings may come to the same.
            if !keys
                .iter()
                .any(|other| other.colouring().is_like(key.colouring(), blank))
            {
                keys.push(key);
            }
        }
        Ok(Self { size, blank, keys })
    }

    /// The catalogue of the canonical puzzle that a goal [reduces](Reduction) to.
    pub fn for_goal(goal: &Board, tier: Tier) -> Result<Self, KeyError> {
        let reduction = Reduction::new(goal);
        Self::of(reduction.goal().size(), reduction.goal().blank(), tier)
    }

    /// The size of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The home of the blank.
    #[must_use]
    pub const fn blank(&self) -> usize {
        self.blank
    }

    /// Every table that it needs, the strongest first.
    #[must_use]
    pub fn keys(&self) -> &[ClassKey] {
        &self.keys
    }

    /// How many classes all its tables have.
    #[must_use]
    pub fn classes(&self) -> u64 {
        self.keys.iter().map(ClassKey::classes).sum()
    }
}

impl ClassKey {
    /// How many classes of coloured boards there are.
    #[must_use]
    pub fn classes(&self) -> u64 {
        let lines = self.size().rows() + self.size().columns();
        self.words() * lines as u64
    }

    /// Bytes of the table.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        // For both targets.
        2 * self.words() * ClassGraph::word_bytes_of(self.size()) as u64
    }

    /// Bytes that its build takes at most at once, the table included.
    #[must_use]
    pub fn working_memory(&self) -> u64 {
        /// The list of blocks, what numbers the words, the threads.
        const SMALL_THINGS: u64 = 2 << 20;
        // Seen, seen before and fresh are as large as the bits of one target.
        self.bytes() / 2 * 5 + SMALL_THINGS
    }

    fn words(&self) -> u64 {
        words(self.colouring().counts(self.blank()))
    }
}
