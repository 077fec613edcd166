//! Moves, sequences of moves, and how their lengths are counted.

use std::ops::Deref;

use crate::named::named;

/// One slide of one tile, named by the direction in which the **tile** moves into the blank.
///
/// Research code and contest judges name the blank's direction instead, which is the opposite;
/// [`notation`](crate::notation) reads and writes both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Move {
    /// The tile below the blank moves up.
    Up,
    /// The tile above the blank moves down.
    Down,
    /// The tile to the right of the blank moves left.
    Left,
    /// The tile to the left of the blank moves right.
    Right,
}

impl Move {
    /// All four, in the order in which the project enumerates moves everywhere.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The move that takes this one back; also the direction in which the blank goes.
    #[must_use]
    pub const fn opposite(self) -> Self {
        // Opposites stand side by side, so their numbers differ in the last bit. Searches ask this
        // for every node: four branches would be guessed wrong too often.
        Self::ALL[self as usize ^ 1]
    }

    /// Whether the tile moves up or down.
    #[must_use]
    pub const fn is_vertical(self) -> bool {
        matches!(self, Self::Up | Self::Down)
    }
}

/// How the length of a move sequence is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// Each tile that slides counts (STM).
    #[default]
    Single,
    /// One slide of several tiles in a line counts once (MTM).
    Multi,
}

named! {
    Metric: "a metric";
    Single => "single", "every tile that slides counts";
    Multi => "multi", "a slide of several tiles in a line counts once";
}

impl Metric {
    /// The length of a sequence of moves. In multi-tile moves a run in one direction is one slide of
    /// several tiles.
    #[must_use]
    pub fn length(self, moves: &[Move]) -> usize {
        match self {
            Self::Single => moves.len(),
            Self::Multi => moves.chunk_by(|a, b| a == b).count(),
        }
    }
}

/// A sequence of moves.
///
/// ```
/// use taquin::{Metric, Moves};
///
/// let moves: Moves = "R3 D".parse()?;
/// assert_eq!(moves.length(Metric::Single), 4);
/// assert_eq!(moves.length(Metric::Multi), 2);
/// assert_eq!(moves.inverse().to_string(), "ULLL");
/// # Ok::<(), taquin::notation::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Moves(Vec<Move>);

impl Moves {
    /// The empty sequence.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a move at the end.
    pub fn push(&mut self, m: Move) {
        self.0.push(m);
    }

    /// Number of moves in the given [metric](Metric::length).
    #[must_use]
    pub fn length(&self, metric: Metric) -> usize {
        metric.length(self)
    }

    /// The sequence that takes this one back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        self.0.iter().rev().map(|m| m.opposite()).collect()
    }

    /// Every move replaced by its opposite, in the same order: what the sequence means to a reader
    /// who takes the letters for the blank's directions.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        self.0.iter().map(|m| m.opposite()).collect()
    }
}

impl Deref for Moves {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl From<Vec<Move>> for Moves {
    fn from(moves: Vec<Move>) -> Self {
        Self(moves)
    }
}

impl FromIterator<Move> for Moves {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        Self(moves.into_iter().collect())
    }
}

impl Extend<Move> for Moves {
    fn extend<I: IntoIterator<Item = Move>>(&mut self, moves: I) {
        self.0.extend(moves);
    }
}

impl<'a> IntoIterator for &'a Moves {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_in_one_direction_count_once_in_the_multi_metric() {
        use Move::{Down, Left, Right};
        let moves = Moves::from(vec![Right, Right, Right, Down, Left, Left, Right]);
        assert_eq!(moves.length(Metric::Single), 7);
        assert_eq!(moves.length(Metric::Multi), 4);
        assert_eq!(Moves::new().length(Metric::Multi), 0);
    }

    #[test]
    fn opposite_is_an_involution_without_fixed_points() {
        for m in Move::ALL {
            assert_ne!(m.opposite(), m);
            assert_eq!(m.opposite().opposite(), m);
        }
        assert_eq!(Move::Up.opposite(), Move::Down);
        assert_eq!(Move::Left.opposite(), Move::Right);
    }
}
