//! The upper part of the search tree, cut into tasks.
//!
//! A task is a node, and stands for the subtree below it. Tree are what several depth-first
//! searches on one thread, and several threads, take one after the other.

use std::collections::BTreeMap;

use crate::Move;
use crate::solve::AutomatonState;
use crate::tables::EntryPlace;

use super::engine::{Engine, PADDED};
use super::lookup::{Lookup, Word};
use super::order::{Outlook, promising_first};
use super::state::{NodesAbove, SearchState, TaskCount, TaskState};

/// All tasks are cut until there are this many.
const FEW_TASKS: usize = 32;
/// Then those of this many nodes are cut: smaller ones are done sooner than cut.
const WORTHY_NODES: u64 = 200;
/// Until there are this many. In more and smaller parts the last iteration would tell less about
/// which of them leads to the goal.
const FAMILIES: usize = 1024;
/// Then those of this many nodes, which have some two million in the next iteration: a second's
/// work, and no more than that is lost with a task.
const LARGE_NODES: u64 = 250_000;
/// Until there are this many, of less than a kilobyte each.
const MOST_TASKS: usize = 1 << 16;

/// A task as the search sees it: the node from which its subtree is searched.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The home of the tile in each cell; what the blank's cell holds is of no interest.
    pub(super) tiles: [u8; PADDED],
    pub(super) words: [Word; Engine::MAX_SLOTS],
    pub(super) sums: [u16; Engine::MAX_VIEWS],
    pub(super) blank: u8,
    /// What the automaton knows of the last moves.
    pub(super) state: AutomatonState,
    /// The moves from the start.
    pub(super) path: Vec<Move>,
    /// What it took in the last iteration that searched it, or its share of what the task took that
    /// it was cut from.
    pub(super) last: TaskCount,
    /// The number of the family: the tasks that were cut from one that was a family of its own.
    pub(super) family: u32,
}

impl Node {
    /// The whole search: the subtree below the start.
    pub(super) fn new(engine: &Engine, start: &Start) -> Self {
        let mut words = [Word::default(); Engine::MAX_SLOTS];
        for (word, &(place, value)) in words.iter_mut().zip(&start.values) {
            *word = Word::new(place, value);
        }
        let mut sums = [0; Engine::MAX_VIEWS];
        for (sum, value) in sums.iter_mut().zip(engine.sums(&start.values)) {
            *sum = value as u16;
        }
        Self {
            tiles: start.tiles,
            words,
            sums,
            blank: start.blank,
            state: engine.automaton.start(),
            path: Vec::new(),
            last: TaskCount::default(),
            family: 0,
        }
    }

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

    /// The task that begins one move further on, if the board and the automaton allow the move.
    pub(super) fn after(&self, engine: &Engine, lookups: &[Lookup<'_>], m: Move) -> Option<Self> {
        let state = engine.automaton.next(self.state, m)?;
        let index = m as usize;
        if engine.moves(usize::from(self.blank), self.state) >> index & 1 == 0 {
            return None;
        }
        let from = engine.from(self.blank, index);
        let tile = self.tiles[usize::from(from)];
        let mut child = self.clone();
        child.tiles[usize::from(self.blank)] = tile;
        child.blank = from;
        child.state = state;
        child.path.push(m);
        let row = engine.row(tile);
        let mut rises = [0; Engine::MAX_ROW];
        for (&slot, rise) in row.slots().iter().zip(&mut rises) {
            let slot = usize::from(slot);
            let (after, bit) = lookups[slot].advance(self.words[slot], from, self.blank);
            (child.words[slot], *rise) = after.landed(lookups[slot].bit(bit));
        }
        for (sum, place) in child.sums[..engine.views.len()].iter_mut().zip(row.of_view) {
            let rise = u16::from(rises[usize::from(place)]);
            *sum = sum.wrapping_add(2 * rise).wrapping_sub(1);
        }
        Some(child)
    }

    /// A view that holds every tile says 0 at the goal only.
    pub(super) const fn is_goal(&self) -> bool {
        self.sums[0] == 0
    }
}

/// The tree above the tasks.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) tasks: Vec<Node>,
    /// For each bound, how many nodes above the tasks have it, and how many children these have.
    pub(super) inner: BTreeMap<u16, (u64, u64)>,
    /// How many families there were.
    pub(super) families: u32,
}

impl Tree {
    /// One task: the start.
    pub(super) fn new(engine: &Engine, start: &Start) -> Self {
        Self {
            tasks: vec![Node::new(engine, start)],
            inner: BTreeMap::new(),
            families: 1,
        }
    }

    /// Cuts tasks before an iteration: all of them while there are few, then those that took many
    /// nodes in the last one. No more of them are made when these bytes are full.
    pub(super) fn cut(&mut self, engine: &Engine, lookups: &[Lookup<'_>], bytes: Option<u64>) {
        let room = bytes.unwrap_or(u64::MAX) / size_of::<Node>() as u64;
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        let mut cut = |most, nodes, makes_families| {
            let is_large = |task: &Node| task.last.expanded >= nodes && !task.is_leaf();
            while self.tasks.len() < room.min(most) && self.tasks.iter().any(is_large) {
                for task in std::mem::take(&mut self.tasks) {
                    if is_large(&task) {
                        self.expand(engine, lookups, &task, makes_families);
                    } else {
                        self.tasks.push(task);
                    }
                }
            }
        };
        cut(FEW_TASKS, 0, true);
        cut(FAMILIES, WORTHY_NODES, true);
        cut(MOST_TASKS, LARGE_NODES, false);
    }

    /// Puts the children of a task in its place, each a family of its own or all of the task's.
    fn expand(
        &mut self,
        engine: &Engine,
        lookups: &[Lookup<'_>],
        task: &Node,
        makes_families: bool,
    ) {
        let moves = engine.moves(usize::from(task.blank), task.state);
        let children = u64::from(moves.count_ones());
        let (nodes, all_children) = self.inner.entry(task.bound()).or_default();
        *nodes += 1;
        *all_children += children;
        let last = TaskCount {
            expanded: task.last.expanded / children.max(1),
            ..task.last
        };
        for m in Move::ALL {
            let Some(mut child) = task.after(engine, lookups, m) else {
                continue;
            };
            child.last = last;
            if makes_families {
                child.family = self.families;
                self.families += 1;
            }
            self.tasks.push(child);
        }
    }

    /// The tasks within the threshold, in the order in which to look for one solution.
    pub(super) fn promising_first(&self, threshold: u16) -> Vec<u32> {
        let tasks = self.tasks.iter();
        let outlooks: Vec<Outlook> = tasks
            .map(|task| Outlook {
                bound: task.bound(),
                family: task.family,
                last: task.last,
            })
            .collect();
        promising_first(&outlooks, u32::from(threshold))
    }

    /// The tasks within the threshold, in the order in which all solutions are listed.
    pub(super) fn within(&self, threshold: u16) -> Vec<u32> {
        let is_within = |(_, task): &(u32, &Node)| task.bound() <= threshold;
        let numbered = (0..).zip(&self.tasks);
        numbered
            .filter(is_within)
            .map(|(number, _)| number)
            .collect()
    }

    /// The tasks as values, of which these are done.
    pub(super) fn state(&self, done: &[Option<TaskCount>]) -> SearchState {
        let tasks = self.tasks.iter().zip(done);
        let above = self.inner.iter();
        SearchState {
            above: above
                .map(|(&bound, &(expanded, generated))| NodesAbove {
                    bound,
                    expanded,
                    generated,
                })
                .collect(),
            tasks: tasks
                .map(|(task, &done)| TaskState {
                    moves: task.path.clone().into(),
                    bound: task.bound(),
                    family: task.family,
                    last: task.last,
                    done,
                })
                .collect(),
            ..SearchState::default()
        }
    }

    /// Takes the tasks of a state in place of the start; whether they are tasks of this board.
    pub(super) fn restore(
        &mut self,
        engine: &Engine,
        lookups: &[Lookup<'_>],
        state: &SearchState,
    ) -> bool {
        let [start] = &self.tasks[..] else {
            return false;
        };
        // The nodes on the way to the last task: the next one has most of them in common.
        let mut way = vec![start.clone()];
        let mut tasks = Vec::with_capacity(state.tasks.len());
        for task in &state.tasks {
            let known = &way[way.len() - 1].path;
            let common = known
                .iter()
                .zip(task.moves.iter())
                .take_while(|(a, b)| a == b);
            way.truncate(common.count() + 1);
            for &m in &task.moves[way.len() - 1..] {
                let Some(next) = way[way.len() - 1].after(engine, lookups, m) else {
                    return false;
                };
                way.push(next);
            }
            tasks.push(Node {
                last: task.last,
                family: task.family,
                ..way[way.len() - 1].clone()
            });
        }
        self.tasks = tasks;
        let above = state.above.iter();
        self.inner = above
            .map(|nodes| (nodes.bound, (nodes.expanded, nodes.generated)))
            .collect();
        let families = state.tasks.iter().map(|task| task.family).max();
        self.families = families.unwrap_or(0).saturating_add(1);
        true
    }

    /// Nodes above the tasks that an iteration with this threshold expands, and generates.
    pub(super) fn above(&self, threshold: u16) -> (u64, u64) {
        let within = self.inner.range(..=threshold).map(|(_, counts)| *counts);
        within.fold((0, 0), |(expanded, generated), (nodes, children)| {
            (expanded + nodes, generated + children)
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
