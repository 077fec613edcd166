//! A search as a sequence of events that can be kept.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Observer, PruneReason, SearchEvent, TilePuzzle, TileState};
use crate::{Board, Moves, Size, Slide};

/// What a search on boards does: a [`SearchEvent`] that borrows nothing from the search. `g` is the
/// cost so far, `h` the estimate of the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceEvent {
    /// An iteration of an iterative search begins.
    Iteration {
        /// Counted from 1.
        number: usize,
        /// Nodes with a larger f are cut off.
        threshold: u32,
    },
    /// A node is expanded.
    Expanded {
        /// The node's board.
        board: Board,
        /// The move that led to it, except for the start.
        action: Option<Slide>,
        /// Cost so far.
        g: u32,
        /// Estimate of the rest.
        h: u32,
    },
    /// A node is generated but not followed.
    Pruned {
        /// The node's board.
        board: Board,
        /// The move that led to it.
        action: Slide,
        /// Cost so far.
        g: u32,
        /// Estimate of the rest.
        h: u32,
        /// Why.
        reason: PruneReason,
    },
    /// An iteration ended without a solution.
    NextThreshold {
        /// The threshold of the next iteration: the smallest f that was cut off.
        threshold: u32,
        /// The first board that had it, where the search knows one.
        board: Option<Board>,
    },
    /// The goal was reached.
    Solved {
        /// What the solution costs.
        cost: u32,
        /// The solution.
        moves: Moves,
    },
}

impl TraceEvent {
    /// The event on boards of a size; `None` if its states are of another size.
    fn of<P: TilePuzzle>(size: Size, event: &SearchEvent<'_, P>) -> Option<Self> {
        Some(match *event {
            SearchEvent::Iteration { number, threshold } => Self::Iteration { number, threshold },
            SearchEvent::Expanded {
                state,
                action,
                g,
                h,
            } => Self::Expanded {
                board: state.to_board(size)?,
                action: action.map(Into::into),
                g,
                h,
            },
            SearchEvent::Pruned {
                state,
                action,
                g,
                h,
                reason,
            } => Self::Pruned {
                board: state.to_board(size)?,
                action: action.into(),
                g,
                h,
                reason,
            },
            SearchEvent::NextThreshold { threshold, state } => Self::NextThreshold {
                threshold,
                board: state.and_then(|state| state.to_board(size)),
            },
            SearchEvent::Solved { cost, actions } => Self::Solved {
                cost,
                moves: actions.iter().map(|&a| -> Slide { a.into() }).collect(),
            },
        })
    }
}

/// Watches a search and hands on what it does, as it happens.
///
/// After the most events that are wanted, or when the receiver takes no more, it raises the flag
/// that stops the search. What the search still tells until it looks at the flag is dropped, except
/// for the solution. Others may raise the flag as well.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
///
/// use taquin::heuristic::HeuristicKind;
/// use taquin::search::{Algorithm, Cost, Laboratory, TraceEvent, Tracer};
/// use taquin::{Board, Goal, Limits};
///
/// let board: Board = "1 2 3/4 0 6/7 5 8".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let laboratory = Laboratory::new(&goal, Cost::Unit, HeuristicKind::Manhattan)?;
///
/// let stop = Arc::default();
/// let limits = Limits { cancel: Some(Arc::clone(&stop)), ..Limits::default() };
/// let mut events = Vec::new();
/// let mut tracer = Tracer::new(board.size(), 1000, stop, |event| {
///     events.push(event);
///     ControlFlow::Continue(())
/// });
/// laboratory.observe(&board, Algorithm::Idastar, &limits, &mut tracer)?;
/// assert_eq!((tracer.events(), tracer.is_truncated()), (7, false));
/// assert_eq!(events[0], TraceEvent::Iteration { number: 1, threshold: 2 });
/// assert_eq!(events[6], TraceEvent::Solved { cost: 2, moves: "UL".parse()? });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tracer<F> {
    size: Size,
    most: u64,
    events: u64,
    is_truncated: bool,
    /// Whether the receiver takes no more.
    is_closed: bool,
    stop: Arc<AtomicBool>,
    sink: F,
}

impl<F> Tracer<F> {
    /// A tracer of boards of a size that hands at most `most` events to `sink`, until that breaks.
    /// The flag is that of the search's [limits](crate::Limits::cancel).
    pub const fn new(size: Size, most: u64, stop: Arc<AtomicBool>, sink: F) -> Self
    where
        F: FnMut(TraceEvent) -> ControlFlow<()>,
    {
        Self {
            size,
            most,
            events: 0,
            is_truncated: false,
            is_closed: false,
            stop,
            sink,
        }
    }

    /// How many events were handed on.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// Whether the search was stopped because it had more events than are wanted.
    #[must_use]
    pub const fn is_truncated(&self) -> bool {
        self.is_truncated
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl<P, F> Observer<P> for Tracer<F>
where
    P: TilePuzzle,
    F: FnMut(TraceEvent) -> ControlFlow<()>,
{
    fn on(&mut self, event: SearchEvent<'_, P>) {
        if self.is_closed {
            return;
        }
        // The solution is told even if it comes after the last event that is wanted: it is one
        // event, and what the search is for.
        if self.events >= self.most && !matches!(event, SearchEvent::Solved { .. }) {
            self.is_truncated = true;
            self.stop();
            return;
        }
        let Some(event) = TraceEvent::of(self.size, &event) else {
            return;
        };
        self.events += 1;
        if (self.sink)(event).is_break() {
            self.is_closed = true;
            self.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::HeuristicKind;
    use crate::search::{Algorithm, Cost, Laboratory};
    use crate::{Goal, Limit, Limits, Outcome};

    /// Searches from a hard board with a tracer of at most `most` events: how many there were,
    /// whether there would have been more, and the limit that stopped the search.
    fn trace(
        most: u64,
        mut sink: impl FnMut(&AtomicBool) -> ControlFlow<()>,
    ) -> (u64, bool, Option<Limit>) {
        let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
        let goal = Goal::Classic.board(board.size()).unwrap();
        let laboratory = Laboratory::new(&goal, Cost::Unit, HeuristicKind::Manhattan).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let limits = Limits {
            cancel: Some(Arc::clone(&stop)),
            ..Limits::default()
        };
        let mut tracer = Tracer::new(board.size(), most, stop, |_| sink(&flag));
        let report = laboratory.observe(&board, Algorithm::Idastar, &limits, &mut tracer);
        let limit = match report.unwrap().outcome {
            Outcome::Stopped { limit, .. } => Some(limit),
            _ => None,
        };
        assert!(flag.load(Ordering::Relaxed));
        (tracer.events(), tracer.is_truncated(), limit)
    }

    #[test]
    fn enough_events_end_the_search() {
        let traced = trace(10, |_| ControlFlow::Continue(()));
        assert_eq!(traced, (10, true, Some(Limit::Cancelled)));
    }

    #[test]
    fn the_receiver_can_end_the_search() {
        let traced = trace(u64::MAX, |_| ControlFlow::Break(()));
        assert_eq!(traced, (1, false, Some(Limit::Cancelled)));
    }

    #[test]
    fn a_search_that_is_stopped_from_outside_is_not_truncated() {
        let (_, is_truncated, limit) = trace(u64::MAX, |flag| {
            flag.store(true, Ordering::Relaxed);
            ControlFlow::Continue(())
        });
        assert_eq!((is_truncated, limit), (false, Some(Limit::Cancelled)));
    }
}
