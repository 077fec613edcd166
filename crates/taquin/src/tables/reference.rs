//! The plain build of a table, which judges the fast one.

use thiserror::Error;

use super::{Key, lehmer};
use crate::Size;

/// A pattern database as in the textbooks: a byte for every way to place the pattern's tiles and
/// the blank, filled by a breadth-first search from the goal.
///
/// A value is the least number of moves *of the pattern's tiles* that brings them and the blank
/// home; moves of other tiles are free. So the blank may wander for nothing through its *zone*, the
/// cells that it reaches without moving a tile of the pattern, and all states of a zone have one
/// value.
///
/// It is here to be right, and shares no code with what it judges. It takes a byte for each cell
/// of the blank, where one bit for each zone would do.
///
/// ```
/// use taquin::tables::{Key, Pattern, Reference};
///
/// // Tiles 1 and 2 of the 8-puzzle.
/// let pattern = Pattern::from_iter([0, 1]);
/// let table = Reference::build(Key::new("3x3".parse()?, 8, pattern)?)?;
/// assert_eq!(table.value(&[0, 1], 8), Some(0));
/// // Each has taken the other's place: one leaves the row and comes back, so that both can pass.
/// assert_eq!(table.value(&[1, 0], 8), Some(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reference {
    key: Key,
    /// The values by the rank of the tiles' cells, in the order of their homes, and the blank's.
    values: Vec<u8>,
    /// The cells next to each cell, as sets.
    neighbours: Vec<u64>,
    max: u8,
}

/// A state of the pattern, and what the table says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceEntry {
    state: State,
    tiles: usize,
    /// The least number of moves of the pattern's tiles to the goal; `None` if there is no way.
    pub value: Option<u8>,
}

/// A table that is not built, with what it would take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the plain table of the {tiles} tiles {pattern} on {size} takes {bytes} bytes: only up to \
     {most_tiles} tiles and {most} bytes are built",
    tiles = .key.pattern().tiles(),
    pattern = .key.pattern(),
    size = .key.size(),
    most_tiles = Reference::MAX_TILES,
    most = Reference::MAX_BYTES
)]
pub struct ReferenceTooLargeError {
    /// The table asked for.
    pub key: Key,
    /// How many bytes it would take: one for each state.
    pub bytes: u64,
}

/// The cells of the tiles in the order of their homes, then that of the blank; then nothing.
type State = [usize; Reference::MAX_TILES + 1];

/// The byte of a state that no path has reached. Values are far smaller, since where the ways are
/// long only few tiles fit: the largest seen is 86, for five tiles in two rows of seventeen cells.
const UNREACHED: u8 = u8::MAX;

impl Reference {
    /// The most tiles of a pattern.
    pub const MAX_TILES: usize = 6;

    /// The most bytes of a table: a gigabyte.
    pub const MAX_BYTES: u64 = 1 << 30;

    /// How many states a table has; each takes a byte.
    #[must_use]
    pub fn states(key: &Key) -> u64 {
        lehmer::count(key.size().cells(), key.pattern().tiles() + 1)
    }

    /// Builds the table.
    pub fn build(key: Key) -> Result<Self, ReferenceTooLargeError> {
        let bytes = Self::states(&key);
        if key.pattern().tiles() > Self::MAX_TILES || bytes > Self::MAX_BYTES {
            return Err(ReferenceTooLargeError { key, bytes });
        }
        let mut table = Self {
            key,
            values: vec![UNREACHED; bytes as usize],
            neighbours: neighbours(key.size()),
            max: 0,
        };

        // Step 1: the goal has the value 0, wherever the blank is in its zone.
        let mut goal = State::default();
        for (slot, home) in goal.iter_mut().zip(key.pattern().iter()) {
            *slot = home;
        }
        goal[key.pattern().tiles()] = key.blank();
        table.reach(goal, 0);

        // Step 2: moves can be taken back, so what one move leads to from the states of a value, and
        // no fewer moves reach, has the next value. The last value is the one that leads nowhere.
        while table.expand(table.max) {
            table.max += 1;
        }
        Ok(table)
    }

    /// Moves each tile of each state with this value that can move. Whether that led to a new state.
    fn expand(&mut self, value: u8) -> bool {
        let tiles = self.key.pattern().tiles();
        let mut found = false;
        // Scanning the table takes no memory, unlike a list of the states that came last.
        for rank in 0..self.values.len() {
            if self.values[rank] != value {
                continue;
            }
            let state = self.state(rank);
            let blank = state[tiles];
            for tile in 0..tiles {
                if has(self.neighbours[blank], state[tile]) {
                    let mut next = state;
                    next.swap(tile, tiles);
                    found |= self.reach(next, value + 1);
                }
            }
        }
        found
    }

    /// Gives a state and all of its zone a value, unless it has one. Whether it had none.
    fn reach(&mut self, mut state: State, value: u8) -> bool {
        let tiles = self.key.pattern().tiles();
        let rank = self.rank(&state[..=tiles]);
        if self.values[rank] != UNREACHED {
            return false;
        }
        let zone = zone(&self.neighbours, &state[..tiles], state[tiles]);
        for blank in (0..self.key.size().cells()).filter(|&cell| has(zone, cell)) {
            state[tiles] = blank;
            let rank = self.rank(&state[..=tiles]);
            self.values[rank] = value;
        }
        true
    }

    fn rank(&self, state: &[usize]) -> usize {
        lehmer::rank(state, self.key.size().cells())
    }

    fn state(&self, rank: usize) -> State {
        let mut state = State::default();
        let tiles = self.key.pattern().tiles();
        lehmer::unrank(rank, self.key.size().cells(), &mut state[..=tiles]);
        state
    }

    /// What it is the table of.
    #[must_use]
    pub const fn key(&self) -> &Key {
        &self.key
    }

    /// The value of the state with the tiles in these cells, in the order of their homes, and the
    /// blank in this one.
    ///
    /// `None` if no way leads to the goal from there: with all tiles or all but one in the pattern,
    /// half of the states have none. Also `None` if that is no state: too few cells, too many, the
    /// same one twice, or one outside the board.
    #[must_use]
    pub fn value(&self, cells: &[usize], blank: usize) -> Option<u8> {
        let tiles = self.key.pattern().tiles();
        let mut state = State::default();
        if cells.len() != tiles {
            return None;
        }
        state[..tiles].copy_from_slice(cells);
        state[tiles] = blank;
        let state = &state[..=tiles];
        let on_board = state.iter().all(|&cell| cell < self.key.size().cells());
        if !on_board || (1..=tiles).any(|i| state[..i].contains(&state[i])) {
            return None;
        }
        known(self.values[self.rank(state)])
    }

    /// The largest value.
    #[must_use]
    pub const fn max(&self) -> u8 {
        self.max
    }

    /// Every state once, with its value.
    ///
    /// The tiles' cells come in lexicographic order; for each choice of them, the blank's cells come
    /// in reading order, all before the next choice.
    pub fn iter(&self) -> impl Iterator<Item = ReferenceEntry> + '_ {
        let tiles = self.key.pattern().tiles();
        self.values.iter().enumerate().map(move |(rank, &value)| {
            let state = self.state(rank);
            let value = known(value);
            ReferenceEntry {
                state,
                tiles,
                value,
            }
        })
    }
}

impl ReferenceEntry {
    /// The cells of the tiles, in the order of their homes.
    #[must_use]
    pub fn cells(&self) -> &[usize] {
        &self.state[..self.tiles]
    }

    /// The cell of the blank.
    #[must_use]
    pub const fn blank(&self) -> usize {
        self.state[self.tiles]
    }
}

fn known(value: u8) -> Option<u8> {
    (value != UNREACHED).then_some(value)
}

const fn has(set: u64, cell: usize) -> bool {
    set >> cell & 1 == 1
}

/// The cells next to each cell of a board, as sets.
fn neighbours(size: Size) -> Vec<u64> {
    let columns = size.columns();
    (0..size.cells())
        .map(|cell| {
            let (row, column) = (cell / columns, cell % columns);
            let next_to = |&other: &usize| {
                row.abs_diff(other / columns) + column.abs_diff(other % columns) == 1
            };
            let others = (0..size.cells()).filter(next_to);
            others.fold(0, |set, other| set | 1 << other)
        })
        .collect()
}

/// The cells that the blank reaches without moving a tile in one of these cells.
fn zone(neighbours: &[u64], tiles: &[usize], blank: usize) -> u64 {
    let walls = tiles.iter().fold(0_u64, |set, cell| set | 1 << cell);
    let mut zone = 1_u64 << blank;
    let mut to_visit = zone;
    while to_visit != 0 {
        let cell = to_visit.trailing_zeros() as usize;
        let new = neighbours[cell] & !walls & !zone;
        zone |= new;
        to_visit = to_visit & (to_visit - 1) | new;
    }
    zone
}

#[cfg(test)]
mod tests;
