//! The nodes of a search, each state once, with the way back to the start.

use crate::outcome::{Budget, Limit};
use std::hash::BuildHasher;
use std::ops::{Index, IndexMut};

use super::hash::Mix;
use super::room::{Probe, filled};
use crate::domain::Domain;

/// A state that was reached, and how.
pub(super) struct Node<D: Domain, T> {
    pub(super) state: D::State,
    /// The action that led here, except for the root.
    pub(super) action: Option<D::Action>,
    /// The node it was taken in; the root is its own parent.
    pub(super) parent: u32,
    /// Cost of the path from the root.
    pub(super) g: u32,
    /// What else one algorithm remembers of a node.
    pub(super) extra: T,
}

/// All nodes of a search in one array, found by their state through a hash table of positions.
///
/// A node's number is its position and never changes, so parents, queues and the table refer to it
/// in four bytes, and each state is stored once only. The table has eight bytes for each slot: the
/// number, and half of the state's hash, which tells nearly all different states apart without
/// looking at them, and lets the table grow without hashing anything again.
///
/// Nothing here grows beyond the memory limit, or beyond what the system has:
/// [`make_room`](Self::make_room) asks first.
pub(super) struct Arena<D: Domain, T> {
    nodes: Vec<Node<D, T>>,
    /// Open addressing with linear probing, at most three quarters full.
    slots: Vec<u64>,
    /// Bytes that the states point to.
    heap: u64,
    probe: Probe,
}

/// Where a state is, or would be.
#[derive(Clone, Copy, Debug)]
pub(super) enum StatePlace {
    /// The node with that state.
    Known(u32),
    /// No node has it; this is what [`Arena::insert`] needs to add one.
    Vacant(Vacancy),
}

/// The free slot for a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vacancy {
    slot: usize,
    tag: u32,
}

/// A slot without a node. Its lower half is no node's number: there are never that many.
const EMPTY: u64 = u64::MAX;

impl<D: Domain, T> Arena<D, T> {
    /// An arena with only a root.
    pub(super) fn new(domain: &D, root: D::State, extra: T) -> Self {
        let mut arena = Self {
            nodes: Vec::with_capacity(16),
            slots: vec![EMPTY; 32],
            heap: 0,
            probe: Probe::default(),
        };
        if let StatePlace::Vacant(vacancy) = arena.find(&root) {
            arena.insert(domain, vacancy, root, None, 0, 0, extra);
        }
        arena
    }

    /// Counts bytes that a node's extra holds elsewhere.
    pub(super) const fn hold(&mut self, bytes: usize) {
        self.heap += bytes as u64;
    }

    /// Number of nodes.
    pub(super) const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Node<D, T>> {
        self.nodes.iter()
    }

    /// Bytes that are held.
    #[inline]
    pub(super) const fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node<D, T>>() + self.slots.len() * size_of::<u64>())
            as u64
            + self.heap
    }

    /// Makes sure that one more node fits, within the memory limit. `others` is what the search
    /// holds besides.
    #[inline]
    pub(super) fn make_room(&mut self, budget: &Budget, others: u64) -> Result<(), Limit> {
        if self.nodes.len() == self.nodes.capacity() {
            self.grow_nodes(budget, others)?;
        }
        if (self.nodes.len() + 1) * 4 > self.slots.len() * 3 {
            self.grow_slots(budget, others)?;
        }
        if self.heap > 0 {
            let each = self.heap as usize / self.nodes.len();
            self.probe.ask(each)?;
        }
        budget.keep(self.bytes() + others)
    }

    #[cold]
    fn grow_nodes(&mut self, budget: &Budget, others: u64) -> Result<(), Limit> {
        let old = self.nodes.capacity();
        if old >= u32::MAX as usize / 2 {
            // Numbers of four bytes end here, some hundred gigabytes further on.
            return Err(Limit::Memory);
        }
        for new in self.affordable(budget, others, old, size_of::<Node<D, T>>()) {
            let more = new - self.nodes.len();
            if self.nodes.try_reserve_exact(more).is_ok() {
                return Ok(());
            }
        }
        Err(Limit::Memory)
    }

    #[cold]
    fn grow_slots(&mut self, budget: &Budget, others: u64) -> Result<(), Limit> {
        let mut sizes = self.affordable(budget, others, self.slots.len(), size_of::<u64>());
        let slots = sizes.find_map(|new| filled(EMPTY, new).ok());
        let slots = slots.ok_or(Limit::Memory)?;
        let new = slots.len();
        let old = std::mem::replace(&mut self.slots, slots);
        for entry in old.into_iter().filter(|&entry| entry != EMPTY) {
            let mut slot = home((entry >> 32) as u32, new);
            while self.slots[slot] != EMPTY {
                slot = if slot + 1 == new { 0 } else { slot + 1 };
            }
            self.slots[slot] = entry;
        }
        Ok(())
    }

    /// The sizes to which an array may grow, the best first. Old and new exist side by side while it is copied, so
    /// both count. Doubling is cheapest over time; near the limit less must do.
    fn affordable(
        &self,
        budget: &Budget,
        others: u64,
        old: usize,
        entry: usize,
    ) -> impl Iterator<Item = usize> + use<D, T> {
        let held = self.bytes() + others;
        let is_allowed = |&new: &usize| budget.keep(held + (new * entry) as u64).is_ok();
        let sizes = [old, old / 2, old / 8].map(|more| old + more);
        let first = sizes.iter().position(is_allowed).unwrap_or(sizes.len());
        sizes.into_iter().skip(first)
    }

    /// The node with a state, or the place for one.
    #[inline]
    pub(super) fn find(&self, state: &D::State) -> StatePlace {
        let tag = (Mix::default().hash_one(state) >> 32) as u32;
        let mut slot = home(tag, self.slots.len());
        loop {
            let entry = self.slots[slot];
            if entry == EMPTY {
                return StatePlace::Vacant(Vacancy { slot, tag });
            }
            if (entry >> 32) as u32 == tag && self.nodes[entry as u32 as usize].state == *state {
                return StatePlace::Known(entry as u32);
            }
            slot += 1;
            if slot == self.slots.len() {
                slot = 0;
            }
        }
    }

    /// The node with a state, if there is one.
    #[inline]
    pub(super) fn get(&self, state: &D::State) -> Option<u32> {
        match self.find(state) {
            StatePlace::Known(node) => Some(node),
            StatePlace::Vacant(_) => None,
        }
    }

    /// Adds a node in the place that [`find`](Self::find) gave, with nothing done in between, and
    /// gives its number.
    #[inline]
    #[expect(
        clippy::too_many_arguments,
        reason = "a node's fields; a struct would only repeat `Node`"
    )]
    pub(super) fn insert(
        &mut self,
        domain: &D,
        vacancy: Vacancy,
        state: D::State,
        action: Option<D::Action>,
        parent: u32,
        g: u32,
        extra: T,
    ) -> u32 {
        let number = self.nodes.len() as u32;
        self.slots[vacancy.slot] = u64::from(vacancy.tag) << 32 | u64::from(number);
        self.heap += (domain.state_bytes(&state) - size_of::<D::State>()) as u64;
        self.nodes.push(Node {
            state,
            action,
            parent,
            g,
            extra,
        });
        number
    }

    /// The actions that lead from the root to a node.
    pub(super) fn path(&self, node: u32) -> Vec<D::Action> {
        let mut actions = self.path_up(node);
        actions.reverse();
        actions
    }

    /// The actions that lead from the root to a node, the last one first.
    pub(super) fn path_up(&self, node: u32) -> Vec<D::Action> {
        let mut here = &self[node];
        let mut actions = Vec::new();
        while let Some(action) = here.action {
            actions.push(action);
            here = &self[here.parent];
        }
        actions
    }
}

impl<D: Domain, T> Index<u32> for Arena<D, T> {
    type Output = Node<D, T>;

    #[inline]
    fn index(&self, node: u32) -> &Node<D, T> {
        &self.nodes[node as usize]
    }
}

impl<D: Domain, T> IndexMut<u32> for Arena<D, T> {
    #[inline]
    fn index_mut(&mut self, node: u32) -> &mut Node<D, T> {
        &mut self.nodes[node as usize]
    }
}

/// Bytes that an arena takes for each state, at most, when it fills its memory: while an array grows
/// by an eighth, the old one and the new one exist side by side; a slot of the table is for three
/// quarters of a state. What a state points to is `heap`.
pub(crate) const fn stored_bytes<D: Domain, T>(heap: usize) -> usize {
    let (node, slot) = (size_of::<Node<D, T>>(), size_of::<u64>());
    17 * node / 8 + 3 * slot / 2 + heap
}

/// The slot where a tag belongs: its share of the table, which can have any length.
#[inline]
const fn home(tag: u32, slots: usize) -> usize {
    ((tag as u64 * slots as u64) >> 32) as usize
}

/// The path that leads forward to a state and on to the goal, from a search at each end.
///
/// The backward search walked from the goal to the state; its actions are taken back, the last one
/// first.
pub(super) fn joined_path<D: Domain, T, U>(
    domain: &D,
    forward: (&Arena<D, T>, u32),
    backward: (&Arena<D, U>, u32),
) -> Vec<D::Action> {
    let mut actions = forward.0.path(forward.1);
    let rest = backward.0.path_up(backward.1);
    actions.extend(rest.into_iter().filter_map(|a| domain.inverse(a)));
    actions
}
