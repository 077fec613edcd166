//! The upper part of a search tree, cut into tasks.

use super::engine::{Engine, Node};
use super::lookup::{Lookup, child};

/// A node from which a subtree is searched.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) node: Node,
    /// The cells that the blank has gone to.
    pub(super) path: Vec<u8>,
}

impl Task {
    /// Edges of any path from the root to the target that goes through here, at least.
    pub(super) fn bound(&self) -> u32 {
        bound(&self.node) + self.path.len() as u32
    }
}

/// What the strongest view says.
pub(super) fn bound(node: &Node) -> u32 {
    u32::from(node.values.iter().copied().max().unwrap_or(0))
}

/// A search tree above its tasks: one kind of class to begin with, one target.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) tasks: Vec<Task>,
    /// The kind of the root, and that of the target.
    pub(super) kind: usize,
    pub(super) target: usize,
    /// The bound and the number of children of each node above the tasks.
    inner: Vec<(u32, u8)>,
    /// How many edges every path to the target has: no task is deeper.
    shortest: u32,
    /// Edges from the root to each task.
    depth: u32,
}

impl Tree {
    /// One task: the root.
    pub(super) fn new(root: Node, kind: usize, target: usize) -> Self {
        let path = Vec::new();
        Self {
            tasks: vec![Task { node: root, path }],
            kind,
            target,
            inner: Vec::new(),
            shortest: bound(&root),
            depth: 0,
        }
    }

    /// The kind of the tasks' classes.
    pub(super) const fn task_kind(&self) -> usize {
        self.kind ^ (self.depth as usize & 1)
    }

    /// Whether a path with this many edges can lead to the target.
    pub(super) const fn is_within(&self, edges: u32) -> bool {
        self.shortest <= edges
    }

    /// Goes down level by level until there are this many tasks, if there ever are.
    pub(super) fn split(&mut self, engine: &Engine, lookups: &[Lookup<'_>], count: usize) {
        while self.tasks.len() < count && self.depth < self.shortest {
            let kind = self.task_kind();
            for task in std::mem::take(&mut self.tasks) {
                let arcs = engine.automaton.arcs(task.node.state);
                self.inner.push((task.bound(), arcs.len() as u8));
                self.tasks.extend(arcs.iter().map(|&arc| {
                    let node = child(lookups, &task.node, kind, arc);
                    let path = task.path.iter().copied().chain([arc.cell]).collect();
                    Task { node, path }
                }));
            }
            self.depth += 1;
        }
    }

    /// Nodes above the tasks that an iteration expands, and generates.
    pub(super) fn above(&self, edges: u32) -> (u64, u64) {
        let within = self.inner.iter().filter(|(bound, _)| *bound <= edges);
        within.fold((0, 0), |(expanded, generated), (_, children)| {
            (expanded + 1, generated + u64::from(*children))
        })
    }
}
