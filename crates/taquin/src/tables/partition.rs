//! The tiles of a puzzle, divided into patterns.

use thiserror::Error;

use super::{Key, KeyError, Pattern};
use crate::Size;

/// Patterns that hold every tile of a puzzle once, so that what their tables say adds up. There is
/// one at least.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Partition {
    keys: Vec<Key>,
}

/// Why a drawing is no partition.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// Not one sign for each cell.
    #[error("a partition of {size} has {rows} rows of {columns} letters, as in {example}", rows = .size.rows(), columns = .size.columns())]
    Shape {
        /// The board's size.
        size: Size,
        /// A drawing of the right shape.
        example: String,
    },
    /// A pattern that cannot be.
    #[error("pattern {letter}: {error}")]
    Pattern {
        /// Its letter.
        letter: char,
        /// Why not.
        error: KeyError,
    },
}

impl Partition {
    /// From a drawing: a sign for each cell, rows apart by `/` or white space; the cells with the
    /// same sign are one pattern. The goal's blank cell belongs to none, whatever its sign.
    ///
    /// ```
    /// use taquin::tables::Partition;
    ///
    /// let partition = Partition::from_drawing("4x4".parse()?, 15, "aabb/aabb/ccbb/cccb")?;
    /// assert_eq!(partition.name(), "6-5-4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_drawing(size: Size, blank: usize, drawing: &str) -> Result<Self, PartitionError> {
        let is_gap = |sign: char| sign == '/' || sign.is_whitespace();
        let rows: Vec<Vec<char>> = drawing
            .split(is_gap)
            .filter(|row| !row.is_empty())
            .map(|row| row.chars().collect())
            .collect();
        if rows.len() != size.rows() || rows.iter().any(|row| row.len() != size.columns()) {
            let example = example(size);
            return Err(PartitionError::Shape { size, example });
        }
        let signs = rows.concat();
        let mut letters: Vec<char> = signs.clone();
        letters.sort_unstable();
        letters.dedup();
        let mut keys = Vec::new();
        for letter in letters {
            let homes = (0..signs.len()).filter(|&cell| signs[cell] == letter && cell != blank);
            let homes: Vec<usize> = homes.collect();
            if homes.is_empty() {
                continue;
            }
            let key = Key::new(size, blank, homes.into_iter().collect());
            keys.push(key.map_err(|error| PartitionError::Pattern { letter, error })?);
        }
        Ok(Self { keys })
    }

    /// Patterns of up to so many tiles each, as equal as can be, cut from the board column by
    /// column.
    pub fn stripes(size: Size, blank: usize, most: usize) -> Result<Self, KeyError> {
        Key::check_puzzle(size, blank)?;
        if most == 0 {
            return Err(KeyError::Tiles(Pattern::from_homes(0)));
        }
        let (rows, columns) = (size.rows(), size.columns());
        let tiles: Vec<usize> = (0..size.cells())
            .map(|i| i % rows * columns + i / rows)
            .filter(|&cell| cell != blank)
            .collect();
        let count = tiles.len().div_ceil(most);
        let keys = (0..count).map(|i| {
            let part = &tiles[i * tiles.len() / count..(i + 1) * tiles.len() / count];
            Key::new(size, blank, part.iter().copied().collect::<Pattern>())
        });
        Ok(Self {
            keys: keys.collect::<Result<_, _>>()?,
        })
    }

    pub(super) const fn from_keys(keys: Vec<Key>) -> Self {
        Self { keys }
    }

    /// The table of each pattern.
    #[must_use]
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The numbers of tiles, as in `8-7`.
    #[must_use]
    pub fn name(&self) -> String {
        let mut tiles: Vec<usize> = self.keys.iter().map(|key| key.pattern().tiles()).collect();
        tiles.sort_unstable_by(|a, b| b.cmp(a));
        let tiles: Vec<String> = tiles.iter().map(ToString::to_string).collect();
        tiles.join("-")
    }
}

/// A drawing with eight tiles a pattern.
fn example(size: Size) -> String {
    let letter = |cell: usize| char::from(b'a' + (cell / Pattern::MAX_TILES % 26) as u8);
    let row = |row: usize| -> String {
        let columns = size.columns();
        (0..columns)
            .map(|column| letter(row * columns + column))
            .collect()
    };
    (0..size.rows()).map(row).collect::<Vec<_>>().join("/")
}
