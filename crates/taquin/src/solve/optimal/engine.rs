//! The tables of a puzzle as the search sees them: slots, and views that add them up.

use std::collections::HashMap;
use std::sync::Arc;

use crate::solve::DamagedTableError;
use crate::solve::{Automaton, AutomatonState};
use crate::tables::{ChangedTableError, EntryPlace, Indexer, Key, Pattern, Table, TableSet};
use crate::{Board, Move, Size, Symmetry};

use super::near::Near;
use super::tasks::Start;

/// The tables of one puzzle, ready to search with.
///
/// A *slot* is a table under one of the puzzle's symmetries: it follows one set of tiles. A *view*
/// is a set of slots that holds every tile once, so that their values add up.
#[derive(Clone, Debug)]
pub struct Engine {
    pub(in crate::solve) size: Size,
    pub(in crate::solve) blank: usize,
    pub(in crate::solve) slots: Vec<Slot>,
    pub(in crate::solve) views: Vec<View>,
    pub(in crate::solve) automaton: Arc<Automaton>,
    /// For each cell, the moves that are possible with the blank there.
    legal: [u8; PADDED],
    /// For each tile, the slots that follow it.
    rows: Vec<Row>,
    /// For each move, how far the tile's cell is from the blank's.
    offsets: [u8; 4],
    /// Copies of the tables that long searches use.
    pub(super) near: Near,
    /// Whether the plain form is used on every processor.
    pub(super) is_plain: bool,
}

/// The cells of a board, rounded up to a power of two, so that a remainder is a valid index and
/// need not be checked.
pub(in crate::solve) const PADDED: usize = Key::MAX_CELLS.next_power_of_two();

/// A table under a symmetry.
#[derive(Clone, Debug)]
pub(in crate::solve) struct Slot {
    pub(in crate::solve) table: Table,
    pub(in crate::solve) indexer: Indexer,
    /// Where the symmetry takes each cell.
    pub(in crate::solve) cells: [u8; PADDED],
    /// The tiles it follows, by their homes.
    pub(in crate::solve) tiles: Pattern,
    /// The number of each tile in the table's pattern.
    numbers: [u8; PADDED],
}

/// Slots that hold every tile once.
#[derive(Clone, Debug)]
pub(in crate::solve) struct View {
    slots: Vec<u8>,
}

/// The slots that follow one tile: those that change when it moves.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Each of them once, then the first again and again.
    pub(super) padded: [u8; Engine::MAX_ROW],
    /// How many there are.
    pub(super) len: u8,
    /// For each view, the place in `slots` of the one that it adds up. Views that there are not have
    /// that of the first.
    pub(super) of_view: [u8; Engine::MAX_VIEWS],
}

impl Engine {
    /// The most views.
    pub(in crate::solve) const MAX_VIEWS: usize = 32;
    /// The most slots.
    pub(in crate::solve) const MAX_SLOTS: usize = 64;
    /// The most slots that follow one tile.
    pub(super) const MAX_ROW: usize = 16;
    /// The longest solution that a search can follow. A node's sums are within what is left of the
    /// length, and its children's are one more at most: so they fit a byte.
    pub const MAX_LENGTH: u32 = 254;

    /// The engine of a set of tables; with `reflect` each partition is looked up under every
    /// symmetry of the puzzle that leaves the goal's blank where it is.
    #[must_use]
    pub fn new(tables: &TableSet, reflect: bool) -> Self {
        let (size, blank) = (tables.size(), tables.blank());
        let mut engine = Self {
            size,
            blank,
            slots: Vec::new(),
            views: Vec::new(),
            automaton: Arc::new(Automaton::standard(size)),
            legal: std::array::from_fn(|cell| legal_moves(size, cell)),
            rows: Vec::new(),
            offsets: Move::ALL.map(|m| size.offset(m) as u8),
            near: Near::default(),
            is_plain: false,
        };
        let mut known: HashMap<(Key, Pattern), u8> = HashMap::new();
        let symmetries = Symmetry::ALL
            .into_iter()
            .filter(|s| s.size(size) == size && s.cell(size, blank) == blank)
            .filter(|&s| reflect || s == Symmetry::IDENTITY);
        for symmetry in symmetries {
            for partition in tables.partitions() {
                if engine.slots.len() + partition.len() > Self::MAX_SLOTS
                    || engine.views.len() == Self::MAX_VIEWS.min(Self::MAX_ROW)
                {
                    break;
                }
                let mut slots: Vec<u8> = partition
                    .iter()
                    .map(|table| {
                        let slot = Slot::new(table, tables.indexer(table.key()), symmetry);
                        // The same table for the same tiles gives the same values, whichever
                        // symmetry leads there.
                        let known = known.entry((*table.key(), slot.tiles));
                        *known.or_insert_with(|| {
                            engine.slots.push(slot);
                            engine.slots.len() as u8 - 1
                        })
                    })
                    .collect();
                slots.sort_unstable();
                if !engine.views.iter().any(|view| view.slots == slots) {
                    engine.views.push(View { slots });
                }
            }
        }
        engine.rows = (0..PADDED).map(|home| engine.row_of(home)).collect();
        engine
    }

    fn row_of(&self, home: usize) -> Row {
        let mut slots: Vec<u8> = Vec::new();
        let mut row = Row {
            padded: [0; Self::MAX_ROW],
            len: 0,
            of_view: [0; Self::MAX_VIEWS],
        };
        for (view, place) in self.views.iter().zip(&mut row.of_view) {
            let follows =
                |slot: &&u8| self.slots[usize::from(**slot)].tiles.homes() >> home & 1 == 1;
            let Some(slot) = view.slots.iter().find(follows) else {
                continue;
            };
            let known = slots.iter().position(|other| other == slot);
            *place = known.unwrap_or_else(|| {
                slots.push(*slot);
                slots.len() - 1
            }) as u8;
        }
        row.padded.fill(slots.first().copied().unwrap_or(0));
        row.padded[..slots.len()].copy_from_slice(&slots);
        row.len = slots.len() as u8;
        let first = row.of_view[0];
        row.of_view[self.views.len()..].fill(first);
        row
    }

    /// This engine without duplicate pruning, which would leave out some shortest solutions.
    pub(in crate::solve) fn without_automaton(&self) -> Self {
        Self {
            automaton: Arc::new(Automaton::reversals_only()),
            ..self.clone()
        }
    }

    /// Whether all tables are still what they were when they were built or checked.
    pub(in crate::solve) fn confirm(&self) -> Result<(), ChangedTableError> {
        self.slots.iter().try_for_each(|slot| slot.table.confirm())
    }

    /// The size of the boards.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The goal's blank cell.
    #[must_use]
    pub const fn blank(&self) -> usize {
        self.blank
    }

    /// What node counts depend on, beside the board: tables, views and automaton. Equal for equal
    /// ones only.
    pub(in crate::solve) fn identity(&self) -> String {
        let mut hash = Fnv::default();
        for slot in &self.slots {
            hash.add(&slot.table.key().pattern().homes().to_le_bytes());
            hash.add(&slot.tiles.homes().to_le_bytes());
        }
        for view in &self.views {
            hash.add(&view.slots);
            hash.add(&[u8::MAX]);
        }
        hash.add(&self.automaton.to_bytes());
        format!(
            "{} views for {}, blank {}: {:016x}",
            self.views.len(),
            self.size,
            self.blank,
            hash.0
        )
    }

    /// How many sums are compared at each node.
    #[must_use]
    pub const fn views(&self) -> usize {
        self.views.len()
    }

    /// The slot that follows a tile in a view.
    #[inline(always)]
    pub(in crate::solve) fn slot(&self, view: usize, tile: u8) -> usize {
        let row = &self.rows[usize::from(tile) % PADDED];
        usize::from(row.padded[usize::from(row.of_view[view % Self::MAX_VIEWS]) % Self::MAX_ROW])
    }

    /// The most slots that follow a tile.
    pub(super) fn widest_row(&self) -> usize {
        let widths = self.rows.iter().map(|row| row.slots().len());
        widths.max().unwrap_or(0)
    }

    /// The slots that follow a tile.
    #[inline(always)]
    pub(super) fn row(&self, tile: u8) -> &Row {
        &self.rows[usize::from(tile) % PADDED]
    }

    /// The moves to make with the blank in this cell: bit `i` for `Move::ALL[i]`.
    #[inline(always)]
    pub(in crate::solve) fn moves(&self, blank: usize, state: AutomatonState) -> u8 {
        self.legal[blank % PADDED] & self.automaton.allowed(state)
    }

    /// The cell of the tile that a legal move slides.
    #[inline(always)]
    pub(in crate::solve) const fn from(&self, blank: u8, index: usize) -> u8 {
        blank.wrapping_add(self.offsets[index & 3])
    }

    /// What the automaton knows after a move that it allows.
    #[inline(always)]
    pub(in crate::solve) fn after(&self, state: AutomatonState, index: usize) -> AutomatonState {
        self.automaton
            .next(state, Move::ALL[index])
            .unwrap_or(state)
    }

    /// A board as the search sees it; the damaged table, if one is.
    pub(in crate::solve) fn start(&self, board: &Board) -> Result<Start, DamagedTableError> {
        let mut tiles = [0; PADDED];
        for (cell, tile) in board.tiles().enumerate() {
            // Tiles are numbered in the reading order of their homes, which leaves out the blank's.
            let home = usize::from(tile);
            let home = if home > self.blank {
                home
            } else {
                home.wrapping_sub(1)
            };
            tiles[cell] = home as u8;
        }
        let values = self.slots.iter().map(|slot| {
            let place = slot.place(&tiles[..self.size.cells()], board.blank());
            let value = slot.table.walk(&slot.indexer, place);
            let subject = slot.table.key().into();
            let value = value.ok_or(DamagedTableError { subject })?;
            Ok((place, value))
        });
        Ok(Start {
            tiles,
            blank: board.blank() as u8,
            values: values.collect::<Result<_, DamagedTableError>>()?,
        })
    }

    /// The sum of each view.
    pub(in crate::solve) fn sums<'a>(
        &'a self,
        values: &'a [(EntryPlace, u32)],
    ) -> impl Iterator<Item = u32> + 'a {
        self.views
            .iter()
            .map(|view| view.slots.iter().map(|&s| values[usize::from(s)].1).sum())
    }
}

impl Row {
    /// The slots, each once.
    #[inline(always)]
    pub(super) fn slots(&self) -> &[u8] {
        &self.padded[..usize::from(self.len).min(Engine::MAX_ROW)]
    }
}

impl Slot {
    fn new(table: &Table, indexer: &Indexer, symmetry: Symmetry) -> Self {
        let key = table.key();
        let size = key.size();
        let mut cells = [0; PADDED];
        let mut numbers = [0; PADDED];
        let mut tiles = Vec::new();
        for cell in 0..size.cells() {
            let there = symmetry.cell(size, cell);
            cells[cell] = there as u8;
            if let Some(number) = key.pattern().iter().position(|home| home == there) {
                numbers[cell] = number as u8;
                tiles.push(cell);
            }
        }
        Self {
            table: table.clone(),
            indexer: indexer.clone(),
            cells,
            tiles: tiles.into_iter().collect(),
            numbers,
        }
    }

    /// Where its tiles are on a board given as the home of what is in each cell.
    fn place(&self, homes: &[u8], blank: usize) -> EntryPlace {
        let mut tiles: Vec<(u8, u8)> = homes
            .iter()
            .enumerate()
            .filter(|&(cell, &home)| cell != blank && self.tiles.homes() >> home & 1 == 1)
            .map(|(cell, &home)| (self.cells[cell], self.numbers[usize::from(home)]))
            .collect();
        tiles.sort_unstable();
        EntryPlace {
            set: tiles.iter().fold(0, |set, (cell, _)| set | 1 << cell),
            order: tiles
                .iter()
                .rev()
                .fold(0, |order, &(_, tile)| order << 3 | u32::from(tile)),
            blank: usize::from(self.cells[blank]),
        }
    }
}

/// A hash that is the same in every version: FNV-1a.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

/// The moves that are possible with the blank in this cell, bit `i` for `Move::ALL[i]`.
fn legal_moves(size: Size, blank: usize) -> u8 {
    let moves = size.legal_moves(blank);
    moves.fold(0, |set, m| set | 1 << m as u8)
}
