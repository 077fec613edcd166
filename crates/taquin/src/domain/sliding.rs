//! The sliding-tile puzzle as a search problem.

use super::{Counting, Domain, Reversible, TilePuzzle};
use crate::board::Packed;
use crate::named::named;
use crate::{Board, GoalSizeError, Move, Size, Tile};

/// What a move costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cost {
    /// 1.
    #[default]
    Unit,
    /// The number of the tile that moves: the "heavy" variant.
    Tile,
}

named! {
    Cost: "a cost";
    Unit => "unit", "every move costs 1";
    Tile => "tile", "a move costs the number of its tile";
}

/// A board as searches store it.
pub trait TileState: Clone + Eq + std::hash::Hash {
    /// Packs a board, if it is not too large.
    fn from_board(board: &Board) -> Option<Self>;
    /// The tile on a cell.
    fn tile(&self, cell: usize) -> Tile;
    /// The blank's cell.
    fn blank(&self) -> usize;
    /// Slides the tile on `from` into the blank and gives that tile.
    fn slide(&mut self, from: usize) -> Tile;
    /// Bytes that a stored state takes, with what it points to.
    fn bytes(&self) -> usize;

    /// The state as a board; `None` if it is not one of this size.
    fn to_board(&self, size: Size) -> Option<Board> {
        let tiles: Vec<Tile> = (0..size.cells()).map(|cell| self.tile(cell)).collect();
        Board::from_tiles(size, &tiles).ok()
    }
}

/// Up to sixteen cells in one word, four bits a cell, and the blank's cell beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedState {
    tiles: Packed,
    blank: u8,
}

/// The tiles say where the blank is, so they are all that is hashed.
impl std::hash::Hash for PackedState {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.tiles.hash(state);
    }
}

impl PackedState {
    /// The state with these tiles, cell `i` in bits `4i..4i + 4`, and the blank in that cell.
    #[inline]
    pub(crate) const fn from_bits(tiles: u64, blank: usize) -> Self {
        Self {
            tiles: Packed::from_bits(tiles),
            blank: blank as u8,
        }
    }
}

impl TileState for PackedState {
    fn from_board(board: &Board) -> Option<Self> {
        Some(Self {
            tiles: Packed::from_bits(board.packed()?),
            blank: board.blank() as u8,
        })
    }

    #[inline]
    fn tile(&self, cell: usize) -> Tile {
        self.tiles.tile(cell)
    }

    #[inline]
    fn blank(&self) -> usize {
        usize::from(self.blank)
    }

    #[inline]
    fn slide(&mut self, from: usize) -> Tile {
        let to = self.blank();
        self.blank = from as u8;
        self.tiles.slide(from, to)
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// Any number of cells in an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FlatState {
    tiles: Box<[Tile]>,
    blank: u16,
}

impl FlatState {
    pub(super) fn new(board: &Board) -> Self {
        Self {
            tiles: board.tiles().collect(),
            blank: board.blank() as u16,
        }
    }
}

impl TileState for FlatState {
    fn from_board(board: &Board) -> Option<Self> {
        Some(Self::new(board))
    }

    #[inline]
    fn tile(&self, cell: usize) -> Tile {
        self.tiles[cell]
    }

    #[inline]
    fn blank(&self) -> usize {
        usize::from(self.blank)
    }

    #[inline]
    fn slide(&mut self, from: usize) -> Tile {
        let to = self.blank();
        self.tiles.swap(from, to);
        self.blank = from as u16;
        self.tiles[to]
    }

    fn bytes(&self) -> usize {
        // Allocators hand out multiples of sixteen bytes and keep a few for themselves.
        size_of::<Self>() + (size_of_val(&*self.tiles) + 8).next_multiple_of(16)
    }
}

/// The sliding-tile puzzle of one size with one goal.
#[derive(Clone, Debug)]
pub struct Sliding<S> {
    size: Size,
    goal_board: Board,
    goal: S,
    cost: Cost,
    /// For each cell of the blank, the possible moves.
    moves: Box<[MoveSet]>,
    /// For each move, how far behind the blank its tile lies, modulo the range of `usize`. A look
    /// here costs less than the processor's wrong guesses at which of four branches comes next.
    offsets: [usize; 4],
}

/// A set of moves, which it gives in the order of [`Move::ALL`]: a bit for each.
#[derive(Clone, Debug)]
struct MoveSet(u8);

impl MoveSet {
    #[inline]
    fn without(self, m: Move) -> Self {
        Self(self.0 & !(1 << m as u8))
    }
}

impl FromIterator<Move> for MoveSet {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        Self(moves.into_iter().fold(0, |set, m| set | 1 << m as u8))
    }
}

impl Iterator for MoveSet {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let m = *Move::ALL.get(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(m)
    }
}

impl Sliding<FlatState> {
    /// The puzzle of reaching `goal`, in states that hold boards of every size.
    #[must_use]
    pub fn flat(goal: &Board, cost: Cost) -> Self {
        Self::with_state(goal, FlatState::new(goal), cost)
    }
}

impl<S: TileState> Sliding<S> {
    /// The puzzle of reaching `goal`; `None` if the state type cannot hold boards of that size.
    #[must_use]
    pub fn new(goal: &Board, cost: Cost) -> Option<Self> {
        Some(Self::with_state(goal, S::from_board(goal)?, cost))
    }

    /// The puzzle of the same size and costs with another goal.
    pub fn towards(&self, goal: &Board) -> Result<Self, GoalSizeError> {
        Ok(Self::with_state(goal, self.state(goal)?, self.cost))
    }

    fn with_state(goal: &Board, state: S, cost: Cost) -> Self {
        let size = goal.size();
        let moves = (0..size.cells()).map(|blank| size.legal_moves(blank).collect());
        Self {
            size,
            goal_board: goal.clone(),
            goal: state,
            cost,
            moves: moves.collect(),
            offsets: Move::ALL.map(|m| size.offset(m)),
        }
    }

    /// The state for a board of the same size.
    pub fn state(&self, board: &Board) -> Result<S, GoalSizeError> {
        super::state_of(self.size, board)
    }

    /// Rows and columns.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The goal as a board.
    #[must_use]
    pub const fn goal_board(&self) -> &Board {
        &self.goal_board
    }

    /// What a move costs.
    #[must_use]
    pub const fn cost(&self) -> Cost {
        self.cost
    }

    /// The cell whose tile a move slides, when the blank is on `blank`.
    #[inline]
    const fn source(&self, blank: usize, m: Move) -> usize {
        blank.wrapping_add(self.offsets[m as usize])
    }

    /// The tile that the last move slid, the cell it came from and the cell it is on now.
    #[inline]
    #[must_use]
    pub fn last_slide(&self, after: &S, m: Move) -> (Tile, usize, usize) {
        let from = after.blank();
        let to = self.source(from, m.opposite());
        (after.tile(to), from, to)
    }
}

impl<S: TileState> Domain for Sliding<S> {
    type State = S;
    type Action = Move;

    #[inline]
    fn actions(&self, state: &S) -> impl Iterator<Item = Move> + use<'_, S> {
        self.moves[state.blank()].clone()
    }

    #[inline]
    fn actions_after(
        &self,
        state: &S,
        last: Option<Move>,
    ) -> impl Iterator<Item = Move> + use<'_, S> {
        let moves = self.moves[state.blank()].clone();
        match last {
            None => moves,
            Some(last) => moves.without(last.opposite()),
        }
    }

    #[inline]
    fn apply(&self, state: &mut S, m: Move) -> u32 {
        let tile = state.slide(self.source(state.blank(), m));
        match self.cost {
            Cost::Unit => 1,
            Cost::Tile => u32::from(tile),
        }
    }

    #[inline]
    fn undo(&self, state: &mut S, m: Move) {
        self.apply(state, m.opposite());
    }

    #[inline]
    fn is_goal(&self, state: &S) -> bool {
        *state == self.goal
    }

    #[inline]
    fn inverse(&self, m: Move) -> Option<Move> {
        Some(m.opposite())
    }

    #[inline]
    fn state_bytes(&self, state: &S) -> usize {
        state.bytes()
    }
}

impl<S: TileState> Reversible for Sliding<S> {
    fn goal(&self) -> S {
        self.goal.clone()
    }
}

impl<S: TileState> TilePuzzle for Sliding<S> {
    fn goal_board(&self) -> &Board {
        &self.goal_board
    }

    fn counting(&self) -> Counting {
        self.cost.into()
    }

    fn towards(&self, goal: &Board) -> Result<Self, GoalSizeError> {
        Self::towards(self, goal)
    }
}
