//! Partitions by the numbers of their tiles.

use thiserror::Error;

use super::catalogue::most_tiles;
use super::{Key, KeyError, Partition, Pattern, Tier};
use crate::Size;

/// The drawings of all partitions that have been measured.
const DRAWINGS: &str = include_str!("named.txt");

/// Why there is no partition with these numbers of tiles; it hands back what was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PartsError {
    /// They do not add up to the board's tiles.
    #[error("these patterns have {given} tiles and {size} has {tiles}; its partitions are {}", choice(*.size), tiles = .size.cells() - 1)]
    Total {
        /// The board's size.
        size: Size,
        /// How many tiles the patterns have together.
        given: usize,
    },
    /// A pattern that cannot be.
    #[error(transparent)]
    Pattern(#[from] KeyError),
}

impl Partition {
    /// The partition into patterns of so many tiles each: the drawn one, if there is one with these
    /// numbers in any sequence; else stripes, cut from the board column by column in the sequence
    /// given. It is for a canonical puzzle, as [`Catalogue::of`](super::Catalogue::of) is.
    ///
    /// ```
    /// use taquin::tables::Partition;
    ///
    /// let drawn = Partition::of_parts("4x4".parse()?, 15, &[8, 7])?;
    /// assert_eq!(drawn, Partition::from_drawing("4x4".parse()?, 15, "aabb/aabb/aabb/aabb")?);
    /// let stripes = Partition::of_parts("3x3".parse()?, 8, &[5, 3])?;
    /// assert_eq!(stripes, Partition::from_drawing("3x3".parse()?, 8, "aab/aab/ab.")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_parts(size: Size, blank: usize, parts: &[usize]) -> Result<Self, PartsError> {
        Key::check_puzzle(size, blank)?;
        let tiles: Vec<usize> = by_columns(size).filter(|&cell| cell != blank).collect();
        let given = parts
            .iter()
            .fold(0, |sum: usize, &part| sum.saturating_add(part));
        if given != tiles.len() {
            return Err(PartsError::Total { size, given });
        }
        if let Some(drawn) = drawn(size, blank, parts) {
            return Ok(drawn);
        }
        let mut rest = &tiles[..];
        let keys = parts.iter().map(|&part| {
            let (stripe, others) = rest.split_at(part);
            rest = others;
            Key::new(size, blank, stripe.iter().copied().collect::<Pattern>())
        });
        Ok(Self::from_keys(keys.collect::<Result<_, _>>()?))
    }

    /// The numbers of the partitions that have been drawn for a size, as in `6-6-3`, large patterns
    /// first.
    pub fn drawn(size: Size) -> impl Iterator<Item = &'static str> {
        let headings = lines().filter_map(|line| line.split_once(' '));
        headings.filter_map(move |(of, name)| (of == size.to_string()).then_some(name))
    }
}

/// The cells column by column.
fn by_columns(size: Size) -> impl Iterator<Item = usize> {
    let (rows, columns) = (size.rows(), size.columns());
    (0..size.cells()).map(move |i| i % rows * columns + i / rows)
}

fn lines() -> impl Iterator<Item = &'static str> {
    let lines = DRAWINGS.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The drawing with these numbers of tiles for this home of the blank, if there is one.
fn drawn(size: Size, blank: usize, parts: &[usize]) -> Option<Partition> {
    let sorted = |mut parts: Vec<usize>| {
        parts.sort_unstable();
        parts
    };
    let wanted = sorted(parts.to_vec());
    let is_heading = |line: &&str| {
        line.split_once(' ').is_some_and(|(of, name)| {
            let numbers = name.split('-').filter_map(|part| part.parse().ok());
            of == size.to_string() && sorted(numbers.collect()) == wanted
        })
    };
    let rows: Vec<&str> = lines()
        .skip_while(|line| !is_heading(line))
        .skip(1)
        .take_while(|line| !line.contains(' '))
        .collect();
    let drawing = rows
        .chunks(size.rows())
        .find(|drawing| drawing.concat().find('.') == Some(blank))?;
    let partition = Partition::from_drawing(size, blank, &drawing.join("/"));
    debug_assert!(partition.is_ok(), "named.txt: {partition:?}");
    partition.ok()
}

/// What there is for a size, for a message to a caller that asked for something else.
fn choice(size: Size) -> String {
    let mut names: Vec<String> = Partition::drawn(size).map(str::to_owned).collect();
    if names.is_empty() {
        // Nobody has drawn any: name one that is small enough to be built.
        let tiles = size.cells() - 1;
        let count = tiles.div_ceil(most_tiles(size, Tier::Quick));
        let part = |i: usize| ((i + 1) * tiles / count - i * tiles / count).to_string();
        names.push((0..count).map(part).collect::<Vec<_>>().join("-"));
    }
    let (names, most) = (names.join(", "), Pattern::MAX_TILES);
    format!("{names} and stripes of any numbers up to {most} that add up")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_drawing_for_every_home_of_the_blank() {
        let size = Size::new(4, 4).unwrap();
        let names: Vec<&str> = Partition::drawn(size).collect();
        assert_eq!(names, ["7-8", "6-6-3", "5-5-5", "4-4-4-3"]);
        for name in names {
            let mut parts: Vec<usize> = name.split('-').map(|n| n.parse().unwrap()).collect();
            for blank in [10, 14, 15] {
                let partition = drawn(size, blank, &parts).unwrap();
                let tiles = |p: &Partition| p.keys().iter().map(|k| k.pattern().tiles()).collect();
                let mut found: Vec<usize> = tiles(&partition);
                parts.reverse();
                assert_eq!(Partition::of_parts(size, blank, &parts), Ok(partition));
                found.sort_unstable();
                parts.sort_unstable();
                assert_eq!(found, parts, "{name}, blank in {blank}");
            }
        }
    }

    #[test]
    fn numbers_that_do_not_add_up_are_refused_with_those_that_do() {
        let refused = |size: &str, parts: &[usize]| {
            let size: Size = size.parse().unwrap();
            let partition = Partition::of_parts(size, size.cells() - 1, parts);
            partition.unwrap_err().to_string()
        };
        assert_eq!(
            refused("5x5", &[7, 8]),
            "these patterns have 15 tiles and 5x5 has 24; its partitions are 4-5-5-5-5 and \
             stripes of any numbers up to 8 that add up"
        );
        assert!(refused("4x4", &[7, 7]).contains("7-8, 6-6-3, 5-5-5, 4-4-4-3"));
        assert_eq!(refused("4x4", &[9, 6]), "a pattern has 1 to 8 tiles, not 9");
        assert!(refused("6x6", &[6; 7]).contains("42 tiles and 6x6 has 35"));
        assert!(refused("6x7", &[6; 7]).contains("tables are for boards of up to 36 cells"));
        // A sum that is too large for the machine is none that adds up.
        assert!(refused("4x4", &[usize::MAX, 16]).contains("4x4 has 15"));
    }

    #[test]
    fn stripes_hold_every_tile_once() {
        for (size, blank, parts) in [
            ("3x3", 4, &[5, 3][..]),
            ("2x4", 6, &[1, 6]),
            ("5x5", 24, &[6; 4]),
        ] {
            let partition = Partition::of_parts(size.parse().unwrap(), blank, parts).unwrap();
            let homes = partition.keys().iter().map(|key| key.pattern().homes());
            let all = homes.fold(0, |all, homes| {
                assert_eq!(all & homes, 0);
                all | homes
            });
            let cells = size.parse::<Size>().unwrap().cells();
            assert_eq!(all, ((1 << cells) - 1) & !(1 << blank));
        }
    }
}
