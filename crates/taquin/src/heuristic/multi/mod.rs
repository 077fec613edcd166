//! Heuristics for multi-tile moves, where one slide of several tiles in a line counts once.
//!
//! Slides along columns and slides along rows are counted apart, as in two simpler puzzles. A slide
//! of the one kind changes nothing in the other, so the two counts add up. In a shortest solution
//! the two kinds alternate, and that often says more: see [`alternating`].

mod any;
mod hamming;
mod linear_conflict;
mod manhattan;
mod max;

pub use any::{AnyMultiHeuristic, AnyMultiMemo};
pub use hamming::MultiHamming;
pub use linear_conflict::MultiLinearConflict;
pub use manhattan::MultiManhattan;
pub use max::MultiMax;

use crate::Size;

/// Moves of single tiles that every solution has, at least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileMoves {
    /// Up and down.
    pub vertical: u32,
    /// To the left and to the right.
    pub horizontal: u32,
}

/// The most tiles that slide at once, each way.
pub(super) const fn most_tiles(size: Size) -> TileMoves {
    TileMoves {
        vertical: size.rows() as u32 - 1,
        horizontal: size.columns() as u32 - 1,
    }
}

/// The slides that have so many moves of single tiles, at least: those along columns, those along
/// rows.
#[inline]
pub(super) const fn slides(moves: TileMoves, most_tiles: TileMoves) -> (u32, u32) {
    (
        moves.vertical.div_ceil(most_tiles.vertical),
        moves.horizontal.div_ceil(most_tiles.horizontal),
    )
}

/// The slides of a solution, at least, that has so many along columns and so many along rows.
///
/// No shortest solution has two slides along one line in a row, since one would do. So slides along
/// columns and along rows alternate: between two of the one kind there is one of the other, and n of
/// the one kind take 2n - 1 in all.
///
/// This is more than the sum where the counts differ by 2 and more, but one slide of the kind that
/// there are more of lowers it by 2: it is not consistent. No consistent estimate that knows only
/// the two counts is larger than their sum, which so many slides can bring to 0. Searches with a
/// closed list therefore reopen some states, and still expand fewer than with the sum.
#[inline]
pub(crate) const fn alternating(vertical: u32, horizontal: u32) -> u32 {
    match vertical.abs_diff(horizontal) {
        0 | 1 => vertical + horizontal,
        _ if vertical > horizontal => 2 * vertical - 1,
        _ => 2 * horizontal - 1,
    }
}

/// The slides of a solution, at least, whose first slide is of one kind, and that has so many of
/// that kind and so many of the other: they [alternate](alternating).
#[inline]
pub(crate) const fn alternating_from(first: u32, second: u32) -> u32 {
    if first > second {
        2 * first - 1
    } else {
        2 * second
    }
}

#[cfg(test)]
mod tests {
    use super::{alternating, alternating_from};

    #[test]
    fn slides_alternate() {
        for (vertical, horizontal, slides) in [
            (0, 0, 0),
            (1, 0, 1),
            (0, 2, 3),
            (3, 3, 6),
            (3, 4, 7),
            (5, 3, 9),
            (1, 6, 11),
        ] {
            assert_eq!(alternating(vertical, horizontal), slides);
            assert_eq!(alternating(horizontal, vertical), slides);
            let first = alternating_from(vertical, horizontal);
            assert_eq!(first.min(alternating_from(horizontal, vertical)), slides);
        }
    }
}
