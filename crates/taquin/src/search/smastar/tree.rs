//! The nodes that SMA* has in memory.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::Index;

use crate::domain::Domain;
use crate::outcome::Limit;
use crate::search::hash::Mix;
use crate::search::room::Probe;

/// What a node is sorted by: f, then the depth with the deepest first.
type Key = (u32, Reverse<u32>, u32);

/// The f of a branch that cannot lead to a cheapest solution.
pub(super) const NEVER: u32 = u32::MAX;

/// A node of the tree, always with what is known of all its successors.
pub(super) struct Node<D: Domain, M> {
    pub(super) state: D::State,
    pub(super) action: Option<D::Action>,
    pub(super) parent: u32,
    pub(super) depth: u32,
    pub(super) g: u32,
    /// No solution through this node costs less, as far as anything below it was searched.
    pub(super) f: u32,
    pub(super) memo: M,
    pub(super) branches: Vec<Branch<D::Action>>,
    /// The entries in the tree's ordered sets.
    in_open: Option<Key>,
    in_leaves: Option<Key>,
}

/// A successor, in memory or not.
pub(super) struct Branch<A> {
    pub(super) action: A,
    /// Its f while it is not in memory: an estimate at first, later what was learned before it was
    /// forgotten.
    pub(super) f: u32,
    /// Its number while it is in memory.
    pub(super) node: Option<u32>,
}

/// The tree of nodes, which learn from what is below them.
pub(super) struct Tree<D: Domain, M> {
    /// The most nodes that it holds.
    pub(super) capacity: usize,
    nodes: Vec<Node<D, M>>,
    /// Numbers of forgotten nodes, to be used again.
    free: Vec<u32>,
    /// Where a state is in memory; one place, if there are several.
    places: HashMap<D::State, u32, Mix>,
    /// Nodes with a branch that is not in memory, by the smallest f of such a branch.
    open: BTreeSet<Key>,
    /// Nodes without a successor in memory, by their f.
    leaves: BTreeSet<Key>,
    /// Bytes of a node that come in small pieces.
    small_bytes: usize,
    probe: Probe,
}

impl<D: Domain, M> Node<D, M> {
    /// A node with its parent and depth, its g and f, and what is known of its successors.
    pub(super) fn new(
        state: D::State,
        action: Option<D::Action>,
        (parent, depth): (u32, u32),
        (g, f): (u32, u32),
        memo: M,
        branches: Vec<Branch<D::Action>>,
    ) -> Self {
        Self {
            state,
            action,
            parent,
            depth,
            g,
            f,
            memo,
            branches,
            in_open: None,
            in_leaves: None,
        }
    }
}

impl<D: Domain, M> Index<u32> for Tree<D, M> {
    type Output = Node<D, M>;

    fn index(&self, number: u32) -> &Node<D, M> {
        &self.nodes[number as usize]
    }
}

impl<D: Domain, M> Tree<D, M> {
    /// A tree of at most so many nodes, of which each takes so many bytes.
    pub(super) fn new(capacity: usize, node_bytes: u64) -> Self {
        Self {
            capacity,
            nodes: Vec::new(),
            free: Vec::new(),
            places: HashMap::default(),
            open: BTreeSet::new(),
            leaves: BTreeSet::new(),
            small_bytes: node_bytes as usize - size_of::<Node<D, M>>(),
            probe: Probe::default(),
        }
    }

    /// Bytes that one node takes, all told.
    pub(super) fn node_bytes(domain: &D, start: &D::State) -> u64 {
        let heap = domain.state_bytes(start) - size_of::<D::State>();
        let branches = domain.actions(start).count().max(4) * size_of::<Branch<D::Action>>();
        // The array of nodes grows to its final size with the half of it beside; the table doubles and
        // leaves slots free; the two ordered sets have an entry each in nodes that are half full.
        let node = size_of::<Node<D, M>>();
        let place = size_of::<(D::State, u32)>() + 1;
        let keys = 2 * size_of::<Key>();
        (node + node / 2 + heap + branches + 4 * place + heap + 2 * keys) as u64
    }

    /// How many nodes are in memory.
    pub(super) const fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    pub(super) const fn is_full(&self) -> bool {
        self.len() == self.capacity
    }

    /// Makes sure that there is memory for one more node, if there may be one. Where there is none,
    /// the tree is full from now on.
    pub(super) fn make_room(&mut self) {
        if self.len() < self.capacity && self.try_make_room().is_err() {
            self.capacity = self.len();
        }
    }

    fn try_make_room(&mut self) -> Result<(), Limit> {
        if self.free.is_empty() && self.nodes.len() == self.nodes.capacity() {
            // Doubled, but never beyond what the capacity allows.
            let more = self.nodes.len().max(16);
            let most = self.capacity - self.nodes.len();
            let reserved = self.nodes.try_reserve_exact(more.min(most));
            reserved.map_err(|_| Limit::Memory)?;
            // Every node may be forgotten.
            let numbers = self.nodes.capacity();
            let reserved = self.free.try_reserve_exact(numbers);
            reserved.map_err(|_| Limit::Memory)?;
        }
        if self.places.len() == self.places.capacity() {
            let reserved = self.places.try_reserve(1);
            reserved.map_err(|_| Limit::Memory)?;
        }
        self.probe.ask(self.small_bytes)
    }

    /// The node with the most promising branch that is not in memory, and that branch's f.
    pub(super) fn first_open(&self) -> Option<(u32, u32)> {
        self.open.first().map(|&(f, _, number)| (f, number))
    }

    /// Stores a node on a branch of its parent, and passes what it knows up the tree. There must be
    /// room: see [`make_room`](Self::make_room).
    pub(super) fn insert(&mut self, node: Node<D, M>, above: Option<(u32, usize)>) {
        let state = node.state.clone();
        let number = if let Some(number) = self.free.pop() {
            self.nodes[number as usize] = node;
            number
        } else {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        };
        self.places.insert(state, number);
        if let Some((parent, which)) = above {
            self.nodes[parent as usize].branches[which].node = Some(number);
            self.sort(parent);
        }
        self.back_up(number);
    }

    /// Takes up what is now known of a branch that is not in memory.
    pub(super) fn learn(&mut self, number: u32, which: usize, f: u32) {
        self.nodes[number as usize].branches[which].f = f;
        self.back_up(number);
    }

    /// The f of a branch that is not in memory or the node that it leads to.
    fn branch_f(&self, branch: &Branch<D::Action>) -> u32 {
        branch
            .node
            .map_or(branch.f, |node| self.nodes[node as usize].f)
    }

    /// Raises a node's f to the smallest of its branches, since every solution through it takes one
    /// of them, and does the same above it for as long as something changes.
    fn back_up(&mut self, mut number: u32) {
        loop {
            let node = &self.nodes[number as usize];
            let least = node
                .branches
                .iter()
                .map(|branch| self.branch_f(branch))
                .min()
                .unwrap_or(NEVER);
            let (old, parent, root) = (node.f, node.parent, node.action.is_none());
            self.nodes[number as usize].f = old.max(least);
            self.sort(number);
            if root || least <= old {
                return;
            }
            number = parent;
        }
    }

    /// Puts a node where it belongs in the ordered sets.
    fn sort(&mut self, number: u32) {
        let node = &self.nodes[number as usize];
        let key = |f| (f, Reverse(node.depth), number);
        let outside = node.branches.iter().filter(|branch| branch.node.is_none());
        let promise = outside.map(|branch| branch.f).min();
        let open = promise.filter(|&f| f < NEVER).map(key);
        let leaf = node.branches.iter().all(|branch| branch.node.is_none());
        let leaf = leaf.then(|| key(node.f));
        let node = &mut self.nodes[number as usize];
        replace(&mut self.open, &mut node.in_open, open);
        replace(&mut self.leaves, &mut node.in_leaves, leaf);
    }

    /// A larger f for a branch, from the node in memory with the same state, if there is one.
    ///
    /// With a cheaper path there, no cheapest solution takes this branch. With an equal one,
    /// whatever solutions cost through that node, they cost through this branch.
    pub(super) fn known_better(&self, state: &D::State, g: u32, f: u32) -> Option<u32> {
        let node = &self.nodes[*self.places.get(state)? as usize];
        if node.g < g {
            Some(NEVER)
        } else {
            (node.g == g && node.f > f).then_some(node.f)
        }
    }

    /// Forgets the worst leaf, except for one node. Gives its number, under which it can still be
    /// looked at until the next one is inserted.
    pub(super) fn forget_worst(&mut self, except: u32) -> Option<u32> {
        let &(f, _, worst) = self.leaves.iter().rev().find(|key| key.2 != except)?;
        let node = &mut self.nodes[worst as usize];
        replace(&mut self.open, &mut node.in_open, None);
        replace(&mut self.leaves, &mut node.in_leaves, None);
        node.branches = Vec::new();
        let node = &self.nodes[worst as usize];
        let parent = node.parent;
        if self.places.get(&node.state) == Some(&worst) {
            self.places.remove(&node.state);
        }
        self.free.push(worst);
        // What was learned below it stays with its parent, which can be extended there again.
        let above = &mut self.nodes[parent as usize].branches;
        if let Some(branch) = above.iter_mut().find(|branch| branch.node == Some(worst)) {
            (branch.node, branch.f) = (None, f);
        }
        self.sort(parent);
        Some(worst)
    }

    /// The actions from the start to a node, and one more.
    pub(super) fn path(&self, number: u32, last: D::Action) -> Vec<D::Action> {
        let mut actions = vec![last];
        let mut node = &self.nodes[number as usize];
        while let Some(action) = node.action {
            actions.push(action);
            node = &self.nodes[node.parent as usize];
        }
        actions.reverse();
        actions
    }
}

/// Replaces an entry of an ordered set.
fn replace(set: &mut BTreeSet<Key>, old: &mut Option<Key>, new: Option<Key>) {
    if *old != new {
        if let Some(old) = old {
            set.remove(old);
        }
        set.extend(new);
        *old = new;
    }
}
