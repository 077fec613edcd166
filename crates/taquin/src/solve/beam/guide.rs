//! What tells a beam which boards look nearest to the goal.

/// A move as a guide sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slide {
    /// The home of the tile that slides.
    pub(crate) tile: u8,
    /// The cell it leaves.
    pub(crate) from: u8,
    /// The cell of the blank, which it comes to.
    pub(crate) to: u8,
}

/// What a guide thinks of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Appraisal {
    /// The smaller, the more promising.
    pub(crate) score: u32,
    /// Moves that are needed at least: 0 at the goal and nowhere else.
    pub(crate) bound: u32,
}

/// Ranks boards, with notes for each that a move brings up to date.
///
/// A board is given as the home of what is in each cell; what the blank's cell holds is of no
/// interest.
pub(crate) trait Guide: Sync {
    /// What a look at a move leaves for [`appraise`](Self::appraise).
    type Glance: Copy;

    /// How many words of notes a board needs.
    fn words(&self) -> usize;

    /// Writes the notes of a board.
    fn begin(&self, homes: &[u8], blank: u8, notes: &mut [u64]) -> Appraisal;

    /// A first look at a move: may ask for memory that [`appraise`](Self::appraise) will read.
    fn glance(&self, notes: &[u64], slide: Slide) -> Self::Glance;

    /// What the board after the move is worth.
    fn appraise(
        &self,
        homes: &[u8],
        notes: &[u64],
        slide: Slide,
        glance: Self::Glance,
    ) -> Appraisal;

    /// Brings the notes up to date. `homes` is still the board before the move.
    fn advance(&self, homes: &[u8], notes: &mut [u64], slide: Slide);
}
