//! Which tables each size of board uses.

use thiserror::Error;

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

impl Tier {
    /// The next smaller one, if there is one.
    #[must_use]
    pub fn smaller(self) -> Option<Self> {
        Self::ALL.into_iter().rfind(|&other| other < self)
    }
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

/// Why partitions make no catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// There are none.
    #[error("a catalogue has one partition at least")]
    Empty,
    /// A partition is for another size or for another home of the blank.
    #[error(
        "the table of the tiles {} is for {} with the blank at home in cell {}, not for {size} with \
         the blank in cell {blank}",
        .key.pattern(), .key.size(), .key.blank()
    )]
    OtherPuzzle {
        /// A table of the partition.
        key: Key,
        /// The size of the catalogue.
        size: Size,
        /// The home of its blank.
        blank: usize,
    },
}

/// The drawings of all sizes that have been measured.
const DRAWINGS: &str = include_str!("catalogue.txt");

impl Catalogue {
    /// The catalogue of a canonical puzzle, by its size and the home of its blank.
    pub fn of(size: Size, blank: usize, tier: Tier) -> Result<Self, KeyError> {
        Key::check_puzzle(size, blank)?;
        let drawn = drawings(size, blank, tier)
            .into_iter()
            .filter_map(|drawing| {
                let partition = Partition::from_drawing(size, blank, &drawing);
                debug_assert!(partition.is_ok(), "catalogue.txt: {partition:?}");
                partition.ok()
            });
        let mut partitions: Vec<Partition> = drawn.collect();
        if partitions.is_empty() {
            partitions.push(Partition::stripes(size, blank, most_tiles(size, tier))?);
        }
        Ok(Self {
            size,
            blank,
            partitions,
        })
    }

    /// The catalogue of the canonical puzzle that a goal [reduces](Reduction) to.
    pub fn for_goal(goal: &Board, tier: Tier) -> Result<Self, KeyError> {
        let reduction = Reduction::new(goal);
        Self::of(reduction.goal().size(), reduction.goal().blank(), tier)
    }

    /// A catalogue of one's own, for a canonical puzzle by its size and the home of its blank.
    pub fn new(
        size: Size,
        blank: usize,
        partitions: Vec<Partition>,
    ) -> Result<Self, CatalogueError> {
        if partitions.is_empty() {
            return Err(CatalogueError::Empty);
        }
        let mut keys = partitions.iter().flat_map(Partition::keys);
        if let Some(&key) = keys.find(|key| (key.size(), key.blank()) != (size, blank)) {
            return Err(CatalogueError::OtherPuzzle { key, size, blank });
        }
        Ok(Self {
            size,
            blank,
            partitions,
        })
    }

    /// The catalogue of one partition.
    #[must_use]
    pub fn of_partition(partition: Partition) -> Self {
        let key = partition.keys()[0];
        Self {
            size: key.size(),
            blank: key.blank(),
            partitions: vec![partition],
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

/// The drawings of a size and tier, those between its heading and the next one, for a home of the
/// blank: those that have a dot there if there are any, else those without a dot.
fn drawings(size: Size, blank: usize, tier: Tier) -> Vec<String> {
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
    let home = |rows: &[&str]| rows.concat().find('.');
    let all = || rows.chunks_exact(size.rows());
    let is_drawn = all().any(|rows| home(rows) == Some(blank));
    let wanted = is_drawn.then_some(blank);
    let chosen = all().filter(|rows| home(rows) == wanted);
    chosen.map(|rows| rows.join("/")).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Goal;

    /// A goal with its blank on another cell may use no larger table than the usual one, whose blank
    /// is in a corner: otherwise it costs many times the memory and the time.
    #[test]
    fn no_home_of_the_blank_needs_a_larger_table_than_the_corner() {
        for size in (2..=6).flat_map(|rows| (rows..=36 / rows).map(move |columns| (rows, columns)))
        {
            let size = Size::new(size.0, size.1).unwrap();
            let most_tiles = |blank: usize, tier| {
                let mut goal = Goal::Classic.board(size).unwrap();
                let tiles = goal.cells_of_tiles();
                // Any board with the blank there will do: tiles are renamed anyway.
                if blank != goal.blank() {
                    let mut cells: Vec<u16> = goal.tiles().collect();
                    cells.swap(blank, tiles[0]);
                    goal = Board::from_tiles(size, &cells).unwrap();
                }
                let keys = Catalogue::for_goal(&goal, tier).unwrap().keys();
                keys.iter().map(|key| key.pattern().tiles()).max()
            };
            for tier in Tier::ALL {
                let usual = most_tiles(size.cells() - 1, tier);
                for blank in 0..size.cells() {
                    assert!(
                        most_tiles(blank, tier) <= usual,
                        "{size} {tier}, blank on {blank}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_drawing_with_a_dot_is_for_that_home_alone() {
        let size = Size::new(5, 5).unwrap();
        let of = |blank| drawings(size, blank, Tier::Full);
        for blank in [18, 22, 23] {
            assert_eq!(of(blank).len(), 3, "{blank}");
            assert!(of(blank).iter().all(|drawing| !drawing.contains('.')));
        }
        for (blank, count) in [(12, 3), (17, 3), (24, 7)] {
            assert_eq!(of(blank).len(), count, "{blank}");
            let has_dot = |drawing: &String| drawing.replace('/', "").find('.') == Some(blank);
            assert!(of(blank).iter().all(has_dot), "{blank}");
        }
    }
}
