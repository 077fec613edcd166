//! Several tiles of a line that slide together.

use super::{Move, Moves};

/// One or more tiles that slide in a line: one move in [multi-tile moves](super::Metric::Multi).
///
/// ```
/// use taquin::{Move, Moves, Slide};
///
/// let slide = Slide { direction: Move::Right, tiles: 3 };
/// assert_eq!(slide.to_string(), "R3");
/// assert_eq!(slide.moves().collect::<Moves>().to_string(), "RRR");
/// assert_eq!(Slide::from(Move::Up).to_string(), "U");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slide {
    /// Where to.
    pub direction: Move,
    /// How many tiles; always 1 where every tile that slides counts.
    pub tiles: u8,
}

impl Slide {
    /// The slide that takes this one back.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self {
            direction: self.direction.opposite(),
            tiles: self.tiles,
        }
    }

    /// Its tiles one by one, the one beside the blank first.
    pub fn moves(self) -> impl Iterator<Item = Move> {
        std::iter::repeat_n(self.direction, self.tiles.into())
    }
}

/// A slide of one tile.
impl From<Move> for Slide {
    fn from(direction: Move) -> Self {
        Self {
            direction,
            tiles: 1,
        }
    }
}

/// The moves of slides, tile by tile.
impl FromIterator<Slide> for Moves {
    fn from_iter<I: IntoIterator<Item = Slide>>(slides: I) -> Self {
        slides.into_iter().flat_map(Slide::moves).collect()
    }
}
