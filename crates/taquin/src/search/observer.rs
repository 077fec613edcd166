//! Seeing what a search does.

use crate::domain::Domain;
use crate::named::named;

/// Something a search tells its observer. `g` is the cost so far, `h` the estimate of the rest,
/// `f` their sum.
#[derive(Debug)]
pub enum SearchEvent<'a, D: Domain> {
    /// An iteration of an iterative search begins.
    Iteration {
        /// Counted from 1.
        number: usize,
        /// Nodes with a larger f are cut off.
        threshold: u32,
    },
    /// A node is expanded.
    Expanded {
        /// The node's state.
        state: &'a D::State,
        /// The action that led to it, except for the start.
        action: Option<D::Action>,
        /// Cost so far.
        g: u32,
        /// Estimate of the rest.
        h: u32,
    },
    /// A node is generated but not followed.
    Pruned {
        /// The node's state.
        state: &'a D::State,
        /// The action that led to it.
        action: D::Action,
        /// Cost so far.
        g: u32,
        /// Estimate of the rest.
        h: u32,
        /// Why.
        reason: PruneReason,
    },
    /// An iteration ended without a solution; the next one has this threshold, the smallest f
    /// that was cut off, first seen at this state.
    NextThreshold {
        /// The threshold of the next iteration.
        threshold: u32,
        /// A state whose f set it, where the search knows one.
        state: Option<&'a D::State>,
    },
    /// The goal was reached.
    Solved {
        /// What the solution costs.
        cost: u32,
        /// The solution.
        actions: &'a [D::Action],
    },
}

/// Why a node was not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PruneReason {
    /// Its f exceeds the threshold.
    Threshold,
    /// It was reached before at no greater cost.
    Duplicate,
    /// The transposition table knows that it was searched in this iteration with no greater g.
    Transposition,
    /// Its f is no better than a solution that is already known.
    Bound,
    /// It was dropped to stay within memory.
    Memory,
}

named! {
    PruneReason: "a reason";
    Threshold => "threshold", "its f exceeds the threshold";
    Duplicate => "duplicate", "it was reached before at no greater cost";
    Transposition => "transposition", "it was searched in this iteration with no greater g";
    Bound => "bound", "its f is no better than a solution that is known";
    Memory => "memory", "it was dropped to stay within memory";
}

/// Receives the events of a search.
///
/// Searches build an event only if [`ACTIVE`](Self::ACTIVE) is true, so that the observer `()`
/// costs nothing.
pub trait Observer<D: Domain> {
    /// Whether events are wanted at all.
    const ACTIVE: bool = true;

    /// Takes one event.
    fn on(&mut self, event: SearchEvent<'_, D>);
}

/// Sees nothing.
impl<D: Domain> Observer<D> for () {
    const ACTIVE: bool = false;

    fn on(&mut self, _: SearchEvent<'_, D>) {}
}

/// Forwards events to any observer. All watched searches use this one type, so that each is
/// compiled once.
pub(super) struct Watcher<'a, D: Domain>(pub(super) &'a mut dyn FnMut(SearchEvent<'_, D>));

impl<D: Domain> Observer<D> for Watcher<'_, D> {
    fn on(&mut self, event: SearchEvent<'_, D>) {
        (self.0)(event);
    }
}
