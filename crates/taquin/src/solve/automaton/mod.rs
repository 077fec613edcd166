//! Pruning of duplicates without memory (Taylor & Korf 1993).

mod code;
mod table;
#[cfg(test)]
mod tests;
mod words;

use crate::{Move, Size};

/// In the table: the move is forbidden.
const DEAD: u16 = u16::MAX;

/// A finite automaton that reads the moves of a search and forbids those that lead to what another
/// way leads to, no later.
///
/// Taking back a move is the simplest case. The next one: three tiles around a 2×2 block are in the
/// same order after six moves in either sense, so that one of the two can be left out. Thousands of
/// such sequences cut what a depth-first search visits to a fraction, for one look into a small
/// table per move.
///
/// # What is kept
///
/// Order sequences by length, and those of one length like words in a dictionary, with the moves in
/// the order of [`Move::ALL`]. A sequence is forbidden only if an earlier one
///
/// * has the same effect on every arrangement of a board without edges, and
/// * leads the blank nowhere outside the smallest rectangle around its way in the forbidden one, so
///   that it can be made on a rectangular board wherever the forbidden one can.
///
/// Then the first shortest way from one arrangement to another has no forbidden part: the earlier
/// sequence in its place would make the way shorter, or as short and earlier. So on every board,
/// from every start, a search that obeys the automaton finds everything at its true distance.
///
/// # What is lost
///
/// * All shortest ways but one, perhaps. A search for all of them takes
///   [`reversals_only`](Self::reversals_only).
/// * Symmetry in time: a way may be forbidden whose inverse is not.
/// * The right to forget how a board was reached. What is allowed next depends on the
///   [`AutomatonState`], so a table of boards that were searched already must not be combined with it unless
///   it tells states apart.
/// * Costs other than one a move: the earlier sequence may slide heavier tiles.
///
/// # How much it saves
///
/// Ways of 25 moves from a corner of the 4×4 board, and by how much their number grows with each
/// further move, in the long run:
///
/// | depth | forbidden | states | ways of 25 moves | growth, 4×4 | growth, 5×5 |
/// |---|---|---|---|---|---|
/// | 2 | 4 | 5 | 184,499,846 | 2.130 | 2.368 |
/// | 8 | 40 | 150 | 104,899,942 | 2.068 | 2.321 |
/// | 10 | 340 | 1,127 | 80,624,731 | 2.034 | 2.295 |
/// | 12 | 2,540 | 7,794 | 66,552,864 | 2.008 | 2.271 |
/// | 13 | 3,283 | 9,791 | 64,046,815 | 2.002 | 2.268 |
/// | 14 | 18,700 | 54,923 | 57,639,666 | 1.985 | 2.248 |
/// | 14, within 4×4 | 7,014 | 22,569 | 57,639,666 | 1.985 | 2.264 |
///
/// ```
/// use taquin::solve::Automaton;
/// use taquin::{Move, Size};
///
/// let automaton = Automaton::standard(Size::new(4, 4)?);
/// let after_up = automaton.next(automaton.start(), Move::Up).expect("the first move is free");
/// assert_eq!(automaton.next(after_up, Move::Down), None);
/// assert_eq!(automaton.allowed(after_up), 0b1101);
/// # Ok::<(), taquin::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Automaton {
    /// For each state, where each move leads: a state or [`DEAD`].
    table: Vec<[u16; 4]>,
    /// For each state, the moves that are not forbidden.
    allowed: Vec<u8>,
}

/// What an [`Automaton`] remembers of the moves so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AutomatonState(u16);

impl Automaton {
    /// The longest forbidden sequences that are looked for.
    ///
    /// At this depth there are almost as many states as sixteen bits can number.
    pub const MAX_DEPTH: usize = 14;

    /// Forbids sequences of up to `depth` moves, all that can be; a depth of more than
    /// [`MAX_DEPTH`](Self::MAX_DEPTH) counts as that.
    ///
    /// Looks through all sequences, which takes about a millisecond at a depth of 8, three times as
    /// long with each move more, and so a second at the largest depth, with 150 MB of memory.
    /// [`standard`](Self::standard) has it done already.
    #[must_use]
    pub fn new(depth: usize) -> Self {
        Self::forbid(&words::redundant(depth.min(Self::MAX_DEPTH), None))
    }

    /// Like [`new`](Self::new), but leaves out the sequences for which boards of this size have no
    /// room. That makes fewer states, and no difference on boards that are not larger.
    ///
    /// It can be used on larger boards, too, where it forbids less than it could.
    #[must_use]
    pub fn within(size: Size, depth: usize) -> Self {
        Self::forbid(&words::redundant(depth.min(Self::MAX_DEPTH), Some(size)))
    }

    /// The automaton of the largest depth for boards of this size.
    ///
    /// Comes with the program, in a form that takes a fraction of a millisecond to unfold.
    #[must_use]
    pub fn standard(size: Size) -> Self {
        Self::unfold(if size.rows() <= 4 && size.columns() <= 4 {
            include_bytes!("within-4x4.bin")
        } else {
            include_bytes!("every-size.bin")
        })
    }

    /// Forbids to take back the last move, and nothing else: all shortest ways remain.
    #[must_use]
    pub fn reversals_only() -> Self {
        Self::new(2)
    }

    fn forbid(words: &[words::Word]) -> Self {
        Self::from_table(table::table(words))
    }

    fn unfold(bytes: &[u8]) -> Self {
        let table = code::decode(bytes);
        Self::from_table(table.expect("a test unfolds what comes with the program"))
    }

    fn from_table(table: Vec<[u16; 4]>) -> Self {
        let mask = |row: &[u16; 4]| {
            let bits = row.iter().rev();
            bits.fold(0, |mask, &next| mask << 1 | u8::from(next != DEAD))
        };
        let allowed = table.iter().map(mask).collect();
        Self { table, allowed }
    }

    /// The state before the first move.
    #[must_use]
    pub const fn start(&self) -> AutomatonState {
        AutomatonState(0)
    }

    /// The state after a move; `None` if the move is forbidden.
    #[inline]
    #[must_use]
    pub fn next(&self, state: AutomatonState, m: Move) -> Option<AutomatonState> {
        let next = self.table[usize::from(state.0)][m as usize];
        (next != DEAD).then_some(AutomatonState(next))
    }

    /// The moves that are not forbidden, bit `i` for the move `Move::ALL[i]`. Whether the board has
    /// a tile to move is another matter.
    #[inline]
    #[must_use]
    pub fn allowed(&self, state: AutomatonState) -> u8 {
        self.allowed[usize::from(state.0)]
    }

    /// The number of states.
    #[must_use]
    pub const fn states(&self) -> usize {
        self.table.len()
    }

    /// The form in which automata come with the program: for the chore that writes those files.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        code::encode(&self.table)
    }
}
