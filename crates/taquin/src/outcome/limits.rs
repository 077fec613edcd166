//! When to give up.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::Progress;
use crate::named::named;

/// Bounds on a search or a build. The default has none.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Most nodes to expand, as [`Statistics::expanded`](super::Statistics::expanded) counts them.
    pub nodes: Option<u64>,
    /// Most time to take.
    pub time: Option<Duration>,
    /// Most bytes to keep states in, and to build the table of a whole space in. Pattern databases
    /// have a limit of their own: see
    /// [`TableSource::with_memory`](crate::supply::TableSource::with_memory).
    pub memory: Option<u64>,
    /// The cost from which on solutions are of no interest: a search stops once it has proven that
    /// every solution costs more. One that finds solutions before it proves anything, such as
    /// [`greedy`](crate::search::greedy()), can still give one that costs more.
    pub cost: Option<u32>,
    /// Stops the search soon after it becomes true.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Is told now and then how far the search is. No limit, but it travels with them.
    pub progress: Option<Arc<Progress>>,
}

impl Limits {
    /// No limit but a time.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        Self {
            time: Some(time),
            ..Self::default()
        }
    }

    /// These limits with no more than this time.
    #[must_use]
    pub fn capped(self, time: Option<Duration>) -> Self {
        Self {
            time: self.time.into_iter().chain(time).min(),
            ..self
        }
    }
}

/// The limit that stopped a search or a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Limits::nodes`].
    Nodes,
    /// [`Limits::time`].
    Time,
    /// [`Limits::memory`].
    Memory,
    /// [`Limits::cost`].
    Cost,
    /// [`Limits::cancel`].
    Cancelled,
    /// Not one of [`Limits`]: every solution has more than 254 moves, the most that the engine can
    /// search.
    Length,
}

named! {
    Limit: "a limit";
    Nodes => "nodes", "the most nodes to expand";
    Time => "time", "the most time to take";
    Memory => "memory", "the most memory to use";
    Cost => "cost", "the cost from which on solutions are of no interest";
    Cancelled => "cancelled", "stopped from outside";
    Length => "length", "the longest solution that the engine can follow: 254 moves";
}
