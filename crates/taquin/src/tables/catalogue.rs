//! Which tables each size of board uses.

use super::{Key, KeyError, Partition};
use crate::named::named;
use crate::{Board, Reduction, Size};

/// How much a catalogue's tables may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Ready in well under a second.
    Quick,
    /// The strongest that are worth building.
    Full,
}

named! {
    Tier: "a tier of tables";
    Quick => "quick", "ready in well under a second";
    Full => "full", "the strongest that are worth building";
}

/// The partitions that a puzzle uses.
///
/// ```
/// use taquin::tables::{Catalogue, Tier};
///
/// // The goal's blank is in the last cell.
/// let catalogue = Catalogue::of("4x4".parse()?, 15, Tier::Full)?;
/// assert_eq!(catalogue.partitions()[0].name(), "8-7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalogue {
    size: Size,
    blank: usize,
    partitions: Vec<Partition>,
}

/// The drawings of all sizes that have been measured.
const DRAWINGS: &str = include_str!("catalogue.txt");

impl Catalogue {
    /// The catalogue of a canonical puzzle, by its size and the home of its blank.
    pub fn of(size: Size, blank: usize, tier: Tier) -> Result<Self, KeyError> {
        let drawn = drawings(size, tier).filter_map(|drawing| {
            let partition = Partition::from_drawing(size, blank, &drawing);
            debug_assert!(partition.is_ok(), "catalogue.txt: {partition:?}");
            partition.ok()
        });
        let mut partitions: Vec<Partition> = drawn.collect();
        if partitions.is_empty() {
            partitions.push(Partition::stripes(size, blank, most_tiles(size, tier))?);
        }
        Ok(Self::new(size, blank, partitions))
    }

    /// The catalogue of the canonical puzzle that a goal [reduces](Reduction) to.
    pub fn for_goal(goal: &Board, tier: Tier) -> Result<Self, KeyError> {
        let reduction = Reduction::new(goal);
        Self::of(reduction.goal().size(), reduction.goal().blank(), tier)
    }

    /// A catalogue of one's own.
    #[must_use]
    pub const fn new(size: Size, blank: usize, partitions: Vec<Partition>) -> Self {
        Self {
            size,
            blank,
            partitions,
        }
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

    /// Its partitions.
    #[must_use]
    pub fn partitions(&self) -> &[Partition] {
        &self.partitions
    }

    /// How many states all its tables have, at least: as many as there would be with one zone
    /// wherever the tiles are.
    #[must_use]
    pub fn least_states(&self) -> u64 {
        let cells = self.size.cells() as u64;
        let states = |key: &Key| {
            let tiles = key.pattern().tiles() as u64;
            (cells - tiles + 1..=cells).product::<u64>()
        };
        self.keys().iter().map(states).sum()
    }

    /// Every table that it needs, once.
    #[must_use]
    pub fn keys(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = self
            .partitions
            .iter()
            .flat_map(Partition::keys)
            .copied()
            .collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}

/// The drawings of a size and tier: those between its heading and the next one.
fn drawings(size: Size, tier: Tier) -> impl Iterator<Item = String> {
    let heading = format!("{size} {tier}");
    let lines = DRAWINGS
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'));
    let rows: Vec<&str> = lines
        .skip_while(move |line| *line != heading)
        .skip(1)
        .take_while(|line| !line.contains(' '))
        .filter(|line| !line.is_empty())
        .collect();
    let count = rows.len() / size.rows();
    (0..count).map(move |i| rows[i * size.rows()..(i + 1) * size.rows()].join("/"))
}

/// The largest pattern for sizes that nobody has drawn.
pub(super) const fn most_tiles(size: Size, tier: Tier) -> usize {
    match (tier, size.cells()) {
        // Up to nine cells these are all tiles: the table is the puzzle.
        (_, ..=9) | (Tier::Full, ..=16) => 8,
        (Tier::Full, ..=20) => 7,
        (Tier::Quick, ..=16) | (Tier::Full, ..=30) => 6,
        (Tier::Quick, ..=25) | (Tier::Full, _) => 5,
        (Tier::Quick, _) => 4,
    }
}
