//! The upper part of the search tree, cut into tasks.
//!
//! A task is a node, and stands for the subtree below it. Tasks are what several depth-first
//! searches on one thread, and several threads, take one after the other.

use crate::Move;
use crate::solve::AutomatonState;
use crate::tables::EntryPlace;

use super::engine::{Engine, PADDED};
use super::lookup::{Lookup, Word};

/// A node from which a subtree is searched.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// The home of the tile in each cell; what the blank's cell holds is of no interest.
    pub(super) tiles: [u8; PADDED],
    pub(super) words: [Word; Engine::MAX_SLOTS],
    pub(super) sums: [u16; Engine::MAX_VIEWS],
    pub(super) blank: u8,
    /// What the automaton knows of the last moves.
    pub(super) state: AutomatonState,
    /// The moves from the start.
    pub(super) path: Vec<Move>,
}

impl Task {
    /// The length of any solution through here is at least this.
    pub(super) fn bound(&self) -> u16 {
        let sum = self.sums.iter().max().copied().unwrap_or(0);
        // A table that was changed may say anything, but must not stop the program.
        sum.saturating_add(self.path.len() as u16)
    }

    /// Whether nothing is below it: it is the goal, or further away from the start than a search
    /// goes, as may happen where tables that were changed know no goal.
    const fn is_leaf(&self) -> bool {
        self.is_goal() || self.path.len() >= Engine::MAX_LENGTH as usize
    }

    /// A view that holds every tile says 0 at the goal only.
    pub(super) const fn is_goal(&self) -> bool {
        self.sums[0] == 0
    }
}

/// The tree above the tasks.
#[derive(Debug)]
pub(super) struct Tasks {
    pub(super) tasks: Vec<Task>,
    /// The bound and the number of children of each node above the tasks.
    inner: Vec<(u16, u8)>,
}

impl Tasks {
    /// One task: the start.
    pub(super) fn new(engine: &Engine, start: &Start) -> Self {
        let mut words = [Word::default(); Engine::MAX_SLOTS];
        for (word, &(place, value)) in words.iter_mut().zip(&start.values) {
            *word = Word::new(place, value);
        }
        let mut sums = [0; Engine::MAX_VIEWS];
        for (sum, value) in sums.iter_mut().zip(engine.sums(&start.values)) {
            *sum = value as u16;
        }
        let task = Task {
            tiles: start.tiles,
            words,
            sums,
            blank: start.blank,
            state: engine.automaton.start(),
            path: Vec::new(),
        };
        Self {
            tasks: vec![task],
            inner: Vec::new(),
        }
    }

    /// Goes down level by level until there are this many tasks, if there ever are.
    pub(super) fn split(&mut self, engine: &Engine, lookups: &[Lookup<'_>], count: usize) {
        while self.tasks.len() < count && !self.tasks.iter().all(Task::is_leaf) {
            for task in std::mem::take(&mut self.tasks) {
                if task.is_leaf() {
                    self.tasks.push(task);
                } else {
                    self.expand(engine, lookups, &task);
                }
            }
        }
    }

    fn expand(&mut self, engine: &Engine, lookups: &[Lookup<'_>], task: &Task) {
        let moves = engine.moves(usize::from(task.blank), task.state);
        self.inner.push((task.bound(), moves.count_ones() as u8));
        for (index, m) in Move::ALL.into_iter().enumerate() {
            let Some(state) = engine.automaton.next(task.state, m) else {
                continue;
            };
            if moves >> index & 1 == 0 {
                continue;
            }
            let from = engine.from(task.blank, index);
            let tile = task.tiles[usize::from(from)];
            let mut child = task.clone();
            child.tiles[usize::from(task.blank)] = tile;
            child.blank = from;
            child.state = state;
            child.path.push(m);
            for (view, sum) in child.sums[..engine.views.len()].iter_mut().enumerate() {
                let slot = engine.slot(view, tile);
                let (after, bit) = lookups[slot].advance(task.words[slot], from, task.blank);
                let (word, rose) = after.landed(lookups[slot].bit(bit));
                child.words[slot] = word;
                *sum = sum.wrapping_add(2 * u16::from(rose)).wrapping_sub(1);
            }
            self.tasks.push(child);
        }
    }

    /// Nodes above the tasks that an iteration with this threshold expands, and generates.
    pub(super) fn above(&self, threshold: u16) -> (u64, u64) {
        let within = self.inner.iter().filter(|(bound, _)| *bound <= threshold);
        within.fold((0, 0), |(expanded, generated), (_, children)| {
            (expanded + 1, generated + u64::from(*children))
        })
    }
}

/// A board to start from, as the engine sees it.
#[derive(Debug)]
pub(in crate::solve) struct Start {
    pub(super) tiles: [u8; PADDED],
    pub(super) blank: u8,
    /// For each slot, where its tiles are and what it says of them.
    pub(in crate::solve) values: Vec<(EntryPlace, u32)>,
}
