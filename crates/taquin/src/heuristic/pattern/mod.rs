//! Pattern databases, added up.

mod breakdown;
mod choice;
mod slot;

use std::collections::HashMap;
use std::sync::Arc;
use std::thread;

use thiserror::Error;

use slot::Slot;

pub use breakdown::{PatternBreakdown, PatternPart, PatternSum};
pub use choice::{PatternChoice, PatternNameError};
pub use slot::SlotMemo;

use super::{Heuristic, HeuristicUser};
use crate::domain::{Sliding, TileState};
use crate::outcome::{Budget, Limits};
use crate::tables::{
    BuildError, ChangedTableError, Indexer, Key, OverLimitError, PartsError, Table, TablePlan,
    TableSet, TableSubject,
};
use crate::{Board, Move, Reduction, Symmetry};

/// Pattern databases (Culberson & Schaeffer 1998; additive ones: Korf & Felner 2002): for each of
/// some disjoint sets of tiles, the moves of its own tiles that it needs, looked up and added up.
///
/// A move changes the value of the one set that has its tile by exactly 1, so the sum is
/// consistent; so is the largest of several sums, of more partitions or under the symmetries of the
/// puzzle. With heavy costs it counts moves as well, each of which costs 1 at least.
///
/// The tables are those of the canonical puzzle that the goal [reduces](Reduction) to, on boards of
/// up to 36 cells. Clones share them.
#[derive(Clone, Debug)]
pub struct PatternDatabase {
    choice: PatternChoice,
    tables: Arc<Tables>,
    slots: Arc<[Slot]>,
    views: Arc<[View]>,
    /// For each tile, the slots that follow it.
    followers: Arc<[Box<[u8]>]>,
}

/// One of the sums.
#[derive(Debug)]
struct View {
    /// What is added up.
    slots: Box<[u8]>,
    /// Whether it is another one's mirror image.
    reflected: bool,
}

/// The tables of a canonical puzzle.
type Tables = HashMap<Key, (Table, Indexer)>;

/// Why there are no such pattern databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatternError {
    /// The size has no such partition.
    #[error(transparent)]
    Parts(#[from] PartsError),
    /// They would take too much memory.
    #[error("the pattern databases {choice} of {} take more than {} MB", .key.size(), .limit / 1_000_000)]
    TooLarge {
        /// Which were asked for.
        choice: PatternChoice,
        /// The first table for which there is no room.
        key: Key,
        /// The most bytes.
        limit: u64,
    },
    /// A table could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A table is not among those that were handed in.
    #[error("there is no table of the tiles {} for {}", .0.pattern(), .0.size())]
    Missing(Key),
}

/// Tables that take more memory than they may, by the name of the choice.
fn too_large(choice: PatternChoice, error: BuildError) -> PatternError {
    match error {
        BuildError::Limit(OverLimitError {
            subject: TableSubject::Pattern(key),
            limit,
            ..
        }) => PatternError::TooLarge { choice, key, limit },
        error => error.into(),
    }
}

impl PatternDatabase {
    /// The most bytes that [`new`](Self::new) takes, also while it builds.
    pub const MAX_BYTES: u64 = 1_000_000_000;

    /// Builds the tables for a puzzle in memory, on as many threads as there are processors.
    pub fn new<S: TileState>(
        puzzle: &Sliding<S>,
        choice: PatternChoice,
    ) -> Result<Self, PatternError> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Self::within(puzzle, choice, threads, &Budget::default())
    }

    /// Builds the tables for a puzzle in memory, on `threads` threads, within a budget and in no
    /// more than [`MAX_BYTES`](Self::MAX_BYTES).
    pub fn within<S: TileState>(
        puzzle: &Sliding<S>,
        choice: PatternChoice,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, PatternError> {
        let limits = budget.left();
        let limit = limits
            .memory
            .map_or(Self::MAX_BYTES, |most| most.min(Self::MAX_BYTES));
        let budget = Budget::new(&Limits {
            memory: Some(limit),
            ..limits
        });
        let plan = Self::plan(puzzle.goal_board(), choice, &budget)?;
        let tables = plan.build(threads, &budget);
        let tables = tables.map_err(|error| too_large(choice, error))?;
        Self::with_tables(puzzle, choice, &tables)
    }

    /// Bytes that [`within`](Self::within) takes at most at once on `threads` threads.
    pub fn working_memory(
        goal: &Board,
        choice: PatternChoice,
        threads: usize,
    ) -> Result<u64, PatternError> {
        let budget = Budget::new(&Limits {
            memory: Some(Self::MAX_BYTES),
            ..Limits::default()
        });
        let plan = Self::plan(goal, choice, &budget)?;
        let keys = choice.catalogue(goal)?.keys();
        Ok(plan.working_memory(&keys, threads))
    }

    fn plan(
        goal: &Board,
        choice: PatternChoice,
        budget: &Budget,
    ) -> Result<TablePlan, PatternError> {
        let catalogue = choice.catalogue(goal)?;
        let limit = budget.limits().memory.unwrap_or(u64::MAX);
        // What numbers the states of a large table is large itself, so look first.
        let least: u64 = catalogue.keys().iter().map(least_bytes).sum();
        if let (true, Some(&key)) = (least > limit, catalogue.keys().last()) {
            return Err(PatternError::TooLarge { choice, key, limit });
        }
        let plan = TablePlan::new(catalogue, budget);
        plan.map_err(|error| too_large(choice, error))
    }

    /// Takes the tables from a set, which may have more than are needed:
    /// [`PatternChoice::catalogue`] says which ones are.
    ///
    /// They are trusted. Of a table that was changed after it was built, the estimate may be too
    /// large: [`confirm`](Self::confirm) says whether that happened.
    pub fn with_tables<S: TileState>(
        puzzle: &Sliding<S>,
        choice: PatternChoice,
        tables: &TableSet,
    ) -> Result<Self, PatternError> {
        let keys = choice.catalogue(puzzle.goal_board())?.keys();
        let found = tables.tables().filter(|table| keys.contains(table.key()));
        let found = found.map(|table| {
            let indexer = tables.indexer(table.key()).clone();
            (*table.key(), (table.clone(), indexer))
        });
        Self::of(puzzle, choice, Arc::new(found.collect()))
    }

    /// This choice for another goal. The tables are built only if that goal needs others, as
    /// [`within`](Self::within) builds them.
    pub fn towards<S: TileState>(
        &self,
        puzzle: &Sliding<S>,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, PatternError> {
        match Self::of(puzzle, self.choice, Arc::clone(&self.tables)) {
            Err(PatternError::Missing(_)) => Self::within(puzzle, self.choice, threads, budget),
            made => made,
        }
    }

    fn of<S: TileState>(
        puzzle: &Sliding<S>,
        choice: PatternChoice,
        tables: Arc<Tables>,
    ) -> Result<Self, PatternError> {
        let goal = puzzle.goal_board();
        let catalogue = choice.catalogue(goal)?;
        let reduction = Reduction::new(goal);
        let (size, blank) = (catalogue.size(), catalogue.blank());
        let symmetries = Symmetry::ALL
            .into_iter()
            .filter(|s| s.size(size) == size && s.cell(size, blank) == blank)
            .filter(|&s| choice.is_reflected() || s == Symmetry::IDENTITY);
        let mut slots: Vec<Slot> = Vec::new();
        let mut views: Vec<View> = Vec::new();
        for symmetry in symmetries {
            let cell = |cell| symmetry.cell(size, reduction.symmetry().cell(goal.size(), cell));
            for partition in catalogue.partitions() {
                let mut view = Vec::with_capacity(partition.keys().len());
                for &key in partition.keys() {
                    let (table, indexer) = tables.get(&key).ok_or(PatternError::Missing(key))?;
                    let slot = Slot::new(table, indexer, goal, cell);
                    // A pattern that is its own mirror image says the same again.
                    let same = |known: &Slot| known.key() == &key && known.tiles().eq(slot.tiles());
                    let known = slots.iter().position(same);
                    view.push(known.unwrap_or(slots.len()) as u8);
                    if known.is_none() {
                        slots.push(slot);
                    }
                }
                view.sort_unstable();
                if !views.iter().any(|known| *known.slots == *view) {
                    views.push(View {
                        slots: view.into_boxed_slice(),
                        reflected: symmetry != Symmetry::IDENTITY,
                    });
                }
            }
        }
        let follows = |tile: usize| {
            let all = (0..slots.len()).filter(|&slot| slots[slot].tiles().any(|t| t == tile));
            all.map(|slot| slot as u8).collect()
        };
        Ok(Self {
            choice,
            tables,
            followers: (0..goal.size().cells()).map(follows).collect(),
            views: views.into(),
            slots: slots.into(),
        })
    }

    /// Bytes of its tables. Clones share them.
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        let tables = self.tables.values();
        let bytes: u64 = tables.map(|(table, _)| table.bytes().len() as u64).sum();
        // Tables of as many tiles share what numbers their states.
        let indexers = self.tables.iter();
        let indexers: HashMap<usize, u64> = indexers
            .map(|(key, (_, indexer))| (key.pattern().tiles(), indexer.own_bytes()))
            .collect();
        bytes + indexers.values().sum::<u64>()
    }

    /// Which ones they are.
    #[must_use]
    pub const fn choice(&self) -> PatternChoice {
        self.choice
    }

    /// Whether the tables are still what they were when they were built or checked: see
    /// [`Bytes::confirm`](crate::tables::Bytes::confirm).
    pub fn confirm(&self) -> Result<(), ChangedTableError> {
        let mut tables = self.tables.values();
        tables.try_for_each(|(table, _)| table.confirm())
    }

    /// How many sums are compared.
    #[must_use]
    pub fn views(&self) -> usize {
        self.views.len()
    }

    /// Hands itself to a user, with memos that need no memory of their own if they are short.
    pub(super) fn hand_to<S: TileState, U: HeuristicUser<Sliding<S>>>(&self, user: U) -> U::Result {
        match self.slots.len() {
            ..=2 => user.take(&Short::<2>(self)),
            3..=4 => user.take(&Short::<4>(self)),
            5..=8 => user.take(&Short::<8>(self)),
            _ => user.take(self),
        }
    }

    fn look<S: TileState>(&self, puzzle: &Sliding<S>, state: &S, memo: &mut [SlotMemo]) {
        for (memo, slot) in memo.iter_mut().zip(&*self.slots) {
            *memo = slot.evaluate(puzzle.size(), state);
        }
    }

    #[inline]
    fn follow<S: TileState>(&self, puzzle: &Sliding<S>, memo: &mut [SlotMemo], after: &S, m: Move) {
        let (tile, from, to) = puzzle.last_slide(after, m);
        for &slot in &*self.followers[usize::from(tile)] {
            let slot = usize::from(slot);
            memo[slot] = self.slots[slot].step(memo[slot], from, to);
        }
    }

    #[inline]
    fn largest_sum(&self, memo: &[SlotMemo]) -> u32 {
        let sum = |view: &View| -> Option<u32> {
            let slots = view.slots.iter();
            slots.map(|&slot| memo[usize::from(slot)].value()).sum()
        };
        // Of tiles that cannot get home, the estimate is that no goal can be reached.
        let sums = self.views.iter().map(|view| sum(view).unwrap_or(u32::MAX));
        sums.max().unwrap_or(0)
    }
}

/// The least bytes that a table has: more if its tiles shut off parts of the board.
fn least_bytes(key: &Key) -> u64 {
    let cells = key.size().cells() as u64;
    let tiles = key.pattern().tiles() as u64;
    (cells - tiles + 1..=cells).product::<u64>() / 8
}

impl<S: TileState> Heuristic<Sliding<S>> for PatternDatabase {
    type Memo = Box<[SlotMemo]>;

    fn evaluate(&self, puzzle: &Sliding<S>, state: &S) -> Self::Memo {
        let mut memo = vec![SlotMemo::default(); self.slots.len()].into_boxed_slice();
        self.look(puzzle, state, &mut memo);
        memo
    }

    #[inline]
    fn step(&self, puzzle: &Sliding<S>, before: &Self::Memo, after: &S, m: Move) -> Self::Memo {
        let mut memo = before.clone();
        self.follow(puzzle, &mut memo, after, m);
        memo
    }

    #[inline]
    fn value(&self, memo: &Self::Memo) -> u32 {
        self.largest_sum(memo)
    }

    fn is_consistent(&self) -> bool {
        true
    }

    fn memo_bytes(&self) -> usize {
        // Allocators keep a few bytes for themselves.
        (self.slots.len() * size_of::<SlotMemo>() + 8).next_multiple_of(16)
    }
}

/// The databases with memos of up to `N` slots, which lie where they are used.
struct Short<'a, const N: usize>(&'a PatternDatabase);

impl<S: TileState, const N: usize> Heuristic<Sliding<S>> for Short<'_, N> {
    type Memo = [SlotMemo; N];

    fn evaluate(&self, puzzle: &Sliding<S>, state: &S) -> Self::Memo {
        let mut memo = [SlotMemo::default(); N];
        self.0.look(puzzle, state, &mut memo);
        memo
    }

    #[inline]
    fn step(&self, puzzle: &Sliding<S>, before: &Self::Memo, after: &S, m: Move) -> Self::Memo {
        let mut memo = *before;
        self.0.follow(puzzle, &mut memo, after, m);
        memo
    }

    #[inline]
    fn value(&self, memo: &Self::Memo) -> u32 {
        self.0.largest_sum(memo)
    }

    fn is_consistent(&self) -> bool {
        true
    }
}
