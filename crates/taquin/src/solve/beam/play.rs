//! What a beam walks through.

use crate::{Move, Size};

use super::guide::Appraisal;
use super::level::{Level, Shape};

/// A child of one of a level's boards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    /// The parent's place in its level.
    pub(super) index: usize,
    /// Which of its children this is.
    pub(super) number: u8,
    /// Equal for boards of which one is enough.
    pub(super) hash: u64,
    pub(super) appraisal: Appraisal,
}

/// A way to count moves: which boards are one move further on, and what they are worth.
pub(crate) trait Play: Sync {
    /// Bits of a child's number.
    const BITS: u32;
    /// A child whose bound is at most this is as good as the goal.
    const LAST: u32;

    /// The size of the boards.
    fn size(&self) -> Size;

    /// How a board lies in memory.
    fn shape(&self) -> Shape;

    /// Adds the boards of the first level; the hash and the worth of each.
    fn begin(&self, level: &mut Level) -> Vec<(u64, Appraisal)>;

    /// Shows every child of a level's boards.
    fn children(&self, level: &Level, see: impl FnMut(Child));

    /// Adds a child that was seen: its parent, its number and its hash.
    fn follow(&self, level: &mut Level, parent: (&Level, usize), number: u8, hash: u64);

    /// The moves to a board: from which of the first ones, and the number of each child. If it is
    /// as good as the goal, `to_goal` asks for the moves to the goal itself.
    fn moves(&self, first: usize, numbers: &[u8], to_goal: bool) -> Vec<Move>;
}
