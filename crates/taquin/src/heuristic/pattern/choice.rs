//! Which pattern databases, by name.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::tables::{Catalogue, Partition, PartsError, Pattern, Tier};
use crate::{Board, Named, Reduction};

/// Which pattern databases a heuristic adds up, whatever the size of the board.
///
/// ```
/// use taquin::heuristic::PatternChoice;
///
/// let choice: PatternChoice = "7-8+reflected".parse()?;
/// assert!(choice.is_reflected());
/// assert_eq!(choice.to_string(), "7-8+reflected");
/// # Ok::<(), taquin::heuristic::PatternNameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PatternChoice {
    which: Which,
    reflected: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Which {
    /// What the size's catalogue has.
    Tier(Tier),
    /// The numbers of tiles of the patterns, then zeros.
    Parts([u8; PatternChoice::MAX_PARTS]),
}

/// A name that is no choice of patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "patterns go by the numbers of their tiles, as in 7-8: up to {most} numbers from 1 to {tiles}, \
     or quick or full; then perhaps {REFLECTED}",
    most = PatternChoice::MAX_PARTS, tiles = Pattern::MAX_TILES
)]
pub struct PatternNameError;

/// What follows the names of those that look at the mirrored boards too.
const REFLECTED: &str = "+reflected";

impl PatternChoice {
    /// The most patterns of a partition.
    pub const MAX_PARTS: usize = 16;

    /// The tables of a tier of the size's catalogue.
    #[must_use]
    pub const fn tier(tier: Tier) -> Self {
        Self {
            which: Which::Tier(tier),
            reflected: false,
        }
    }

    /// Patterns with these numbers of tiles; `None` if a number is not from 1 to [`Pattern::MAX_TILES`],
    /// or if there are more than [`MAX_PARTS`](Self::MAX_PARTS). Which tiles they have is said by
    /// [`Partition::of_parts`].
    #[must_use]
    pub fn parts(tiles: &[usize]) -> Option<Self> {
        let mut parts = [0; Self::MAX_PARTS];
        let fits = tiles
            .iter()
            .all(|tiles| (1..=Pattern::MAX_TILES).contains(tiles));
        if !fits || tiles.is_empty() || tiles.len() > Self::MAX_PARTS {
            return None;
        }
        for (part, &tiles) in parts.iter_mut().zip(tiles) {
            *part = tiles as u8;
        }
        Some(Self {
            which: Which::Parts(parts),
            reflected: false,
        })
    }

    /// This choice with symmetries: the largest sum counts under those symmetries of the puzzle that
    /// leave the goal's blank in its cell. They take no more tables.
    #[must_use]
    pub const fn reflected(self) -> Self {
        Self {
            reflected: true,
            ..self
        }
    }

    /// Whether symmetries are looked at.
    #[must_use]
    pub const fn is_reflected(&self) -> bool {
        self.reflected
    }

    /// The tables that it needs for the canonical puzzle that a goal [reduces](Reduction) to.
    pub fn catalogue(&self, goal: &Board) -> Result<Catalogue, PartsError> {
        let reduction = Reduction::new(goal);
        let (size, blank) = (reduction.goal().size(), reduction.goal().blank());
        match self.which {
            Which::Tier(tier) => Ok(Catalogue::of(size, blank, tier)?),
            Which::Parts(parts) => {
                let parts: Vec<usize> = parts
                    .into_iter()
                    .take_while(|&part| part > 0)
                    .map(usize::from)
                    .collect();
                let partition = Partition::of_parts(size, blank, &parts)?;
                Ok(Catalogue::of_partition(partition))
            }
        }
    }
}

impl FromStr for PatternChoice {
    type Err = PatternNameError;

    fn from_str(name: &str) -> Result<Self, PatternNameError> {
        let (which, reflected) = match name.strip_suffix(REFLECTED) {
            Some(which) => (which, true),
            None => (name, false),
        };
        let choice = if let Some(tier) = Tier::from_name(which) {
            Self::tier(tier)
        } else {
            // A sign before a number would be read as one: `+7` is not in the language.
            let number = |part: &str| match part.as_bytes() {
                [digit @ b'1'..=b'9'] => Some(usize::from(digit - b'0')),
                _ => None,
            };
            let tiles: Option<Vec<usize>> = which.split('-').map(number).collect();
            tiles
                .and_then(|tiles| Self::parts(&tiles))
                .ok_or(PatternNameError)?
        };
        Ok(if reflected {
            choice.reflected()
        } else {
            choice
        })
    }
}

/// Prints what it is read from, with the numbers in the same sequence.
impl fmt::Display for PatternChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.which {
            Which::Tier(tier) => write!(f, "{tier}")?,
            Which::Parts(parts) => {
                for (i, part) in parts.into_iter().take_while(|&part| part > 0).enumerate() {
                    let dash = if i > 0 { "-" } else { "" };
                    write!(f, "{dash}{part}")?;
                }
            }
        }
        f.write_str(if self.reflected { REFLECTED } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Size};

    #[test]
    fn names_are_read_as_they_are_printed_and_others_are_refused() {
        for name in [
            "7-8",
            "8-7",
            "6-6-3+reflected",
            "8",
            "quick",
            "full+reflected",
        ] {
            assert_eq!(name.parse::<PatternChoice>().unwrap().to_string(), name);
        }
        let many = ["1"; PatternChoice::MAX_PARTS + 1].join("-");
        for name in [
            "",
            "9",
            "0",
            "7-",
            "7--8",
            "+7-8",
            "7 8",
            "huge",
            "7-8+",
            "10-5",
            "+reflected",
            &many,
        ] {
            assert_eq!(
                name.parse::<PatternChoice>(),
                Err(PatternNameError),
                "{name}"
            );
        }
    }

    #[test]
    fn the_sequence_of_the_numbers_does_not_matter_where_a_partition_is_drawn() {
        let goal = Goal::Snail.board(Size::new(4, 4).unwrap()).unwrap();
        let catalogue = |name: &str| name.parse::<PatternChoice>().unwrap().catalogue(&goal);
        assert_eq!(catalogue("7-8"), catalogue("8-7"));
        assert_eq!(catalogue("3-6-6"), catalogue("6-6-3+reflected"));
        assert!(catalogue("7-7").is_err());
    }
}
