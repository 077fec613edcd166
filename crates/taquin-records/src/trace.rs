//! What a search does, step by step.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use taquin::heuristic::HeuristicKind;
use taquin::search::{
    Algorithm, Cost, Event, Limit, Observer, Outcome, Report, Sliding, TileState,
};
use taquin::{Board, Move, Moves, Size, Solvability};

#[cfg(feature = "openapi")]
use crate::openapi::{
    AlgorithmWord, CostWord, DirectionWord, ReasonWord, StatusWord, TraceLimitWord,
};
use crate::status::{LIMIT, SOLVED, UNSOLVABLE};
use crate::writing::letter;

/// One step of a search. A trace begins with `start` and ends with `end`.
///
/// `g` is what the moves to a node cost, `h` the estimate of the rest, `f` their sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Trace<'a> {
    /// What is searched, and how.
    Start {
        /// The board, in the form `rows`.
        board: Cow<'a, str>,
        /// Rows x columns.
        size: Cow<'a, str>,
        /// The goal's name or board.
        goal: Cow<'a, str>,
        /// What moves cost.
        #[cfg_attr(feature = "openapi", schema(value_type = CostWord))]
        costs: &'static str,
        /// What searches.
        #[cfg_attr(feature = "openapi", schema(value_type = AlgorithmWord))]
        algorithm: &'static str,
        /// The heuristic that it uses; `null` for algorithms that look at none.
        #[cfg_attr(feature = "openapi", schema(required))]
        heuristic: Option<Cow<'a, str>>,
        /// The estimate of the board.
        h: u32,
    },
    /// An iteration begins.
    Iteration {
        /// Counted from 1.
        number: usize,
        /// Nodes with a larger f are cut off.
        threshold: u32,
    },
    /// The node's successors are made.
    Expanded {
        /// The node's board.
        board: Cow<'a, str>,
        /// The move that led to it: `U`, `D`, `L` or `R`; `null` where a search begins.
        #[serde(rename = "move")]
        #[cfg_attr(feature = "openapi", schema(value_type = Option<DirectionWord>, required))]
        action: Option<char>,
        /// What the moves to it cost.
        g: u32,
        /// The estimate of the rest.
        h: u32,
        /// The sum of the two.
        f: u32,
    },
    /// The node was made and is not followed.
    Pruned {
        /// The node's board.
        board: Cow<'a, str>,
        /// The move that led to it: `U`, `D`, `L` or `R`.
        #[serde(rename = "move")]
        #[cfg_attr(feature = "openapi", schema(value_type = DirectionWord))]
        action: char,
        /// What the moves to it cost.
        g: u32,
        /// The estimate of the rest.
        h: u32,
        /// The sum of the two.
        f: u32,
        /// Why it is not followed.
        #[cfg_attr(feature = "openapi", schema(value_type = ReasonWord))]
        reason: &'static str,
    },
    /// An iteration ended without a solution.
    NextThreshold {
        /// The smallest f that was cut off.
        threshold: u32,
        /// The first board that had it; `null` where the search does not know.
        #[cfg_attr(feature = "openapi", schema(required))]
        board: Option<Cow<'a, str>>,
    },
    /// The goal was reached.
    Solved {
        /// What the moves cost.
        cost: u32,
        /// The moves, as directions of tiles.
        moves: Cow<'a, str>,
    },
    /// How it ended, and what it took.
    End {
        /// `solved`, `unsolvable` or `limit`.
        #[cfg_attr(feature = "openapi", schema(value_type = StatusWord))]
        status: &'static str,
        /// Which limit stopped it: also `events`.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<TraceLimitWord>, required))]
        limit: Option<&'static str>,
        /// Why the board is unsolvable.
        #[cfg_attr(feature = "openapi", schema(required))]
        reason: Option<Cow<'a, str>>,
        /// What every solution costs at least.
        #[cfg_attr(feature = "openapi", schema(required))]
        lower_bound: Option<u32>,
        /// Whether the solution is proven to be a cheapest one.
        #[cfg_attr(feature = "openapi", schema(required))]
        optimal: Option<bool>,
        /// Nodes expanded.
        nodes: u64,
        /// Nodes generated.
        generated: u64,
        /// How many records there were between the start and the end.
        events: u64,
        /// Whether there would have been more.
        truncated: bool,
    },
}

impl<'a> Trace<'a> {
    /// The first record of a trace; `h` is what the heuristic says of the board.
    #[must_use]
    pub fn start(
        board: &Board,
        goal: impl Into<Cow<'a, str>>,
        cost: Cost,
        algorithm: Algorithm,
        heuristic: HeuristicKind,
        h: u32,
    ) -> Self {
        Self::Start {
            board: board.to_string().into(),
            size: board.size().to_string().into(),
            goal: goal.into(),
            costs: cost.name(),
            algorithm: algorithm.name(),
            heuristic: algorithm.uses_heuristic().then(|| heuristic.name()),
            h,
        }
    }

    /// The last record of a board that was not searched because it cannot be solved.
    #[must_use]
    pub fn unsolvable(verdict: Solvability) -> Self {
        Self::End {
            status: UNSOLVABLE,
            limit: None,
            reason: Some(verdict.to_string().into()),
            lower_bound: None,
            optimal: None,
            nodes: 0,
            generated: 0,
            events: 0,
            truncated: false,
        }
    }

    /// The name of the event, as in the field `event`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::Iteration { .. } => "iteration",
            Self::Expanded { .. } => "expanded",
            Self::Pruned { .. } => "pruned",
            Self::NextThreshold { .. } => "next_threshold",
            Self::Solved { .. } => "solved",
            Self::End { .. } => "end",
        }
    }
}

/// Watches a search and hands on what it does as records, as it happens.
///
/// When there have been enough, or when nobody takes them any more, it raises the flag that stops
/// the search; what the search still tells until it looks at the flag is dropped. Others may raise
/// the flag as well.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
///
/// use taquin::heuristic::HeuristicKind;
/// use taquin::search::{Algorithm, Cost, Laboratory, Limits};
/// use taquin::{Board, Goal};
/// use taquin_records::Tracer;
///
/// let board: Board = "1 2 3/4 0 6/7 5 8".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let laboratory = Laboratory::new(&goal, Cost::Unit, HeuristicKind::Manhattan)?;
///
/// let stop = Arc::default();
/// let limits = Limits { cancel: Some(Arc::clone(&stop)), ..Limits::default() };
/// let mut names = Vec::new();
/// let mut tracer = Tracer::new(board.size(), 1000, stop, |record| {
///     names.push(record.name());
///     ControlFlow::Continue(())
/// });
/// let report = laboratory.observe(&board, Algorithm::Idastar, &limits, &mut tracer)?;
/// let end = serde_json::to_string(&tracer.end(&report))?;
/// assert!(end.starts_with(r#"{"event":"end","status":"solved","#));
/// assert_eq!(names[..2], ["iteration", "expanded"]);
/// assert_eq!(names.last(), Some(&"solved"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tracer<F> {
    size: Size,
    most: u64,
    events: u64,
    /// Whether there were more events than wanted.
    truncated: bool,
    /// Whether nobody takes them any more.
    closed: bool,
    stop: Arc<AtomicBool>,
    sink: F,
}

impl<F: FnMut(Trace<'static>) -> ControlFlow<()>> Tracer<F> {
    /// A tracer of boards of a size that hands at most so many records to `sink`, until that
    /// breaks. The flag is that of the search's [limits](taquin::search::Limits::cancel).
    pub const fn new(size: Size, most: u64, stop: Arc<AtomicBool>, sink: F) -> Self {
        Self {
            size,
            most,
            events: 0,
            truncated: false,
            closed: false,
            stop,
            sink,
        }
    }

    /// The last record: what came of the search.
    pub fn end(&self, report: &Report<Move>) -> Trace<'static> {
        let (status, limit, lower_bound, optimal) = match &report.outcome {
            Outcome::Solved(solution) => (
                SOLVED,
                None,
                Some(solution.lower_bound),
                Some(solution.proof.is_optimal()),
            ),
            Outcome::NoSolution => (UNSOLVABLE, None, None, None),
            Outcome::Stopped { limit, lower_bound } => {
                let limit = match limit {
                    Limit::Cancelled if self.truncated => "events",
                    limit => limit.name(),
                };
                (LIMIT, Some(limit), Some(*lower_bound), None)
            }
        };
        Trace::End {
            status,
            limit,
            reason: None,
            lower_bound,
            optimal,
            nodes: report.statistics.expanded,
            generated: report.statistics.generated,
            events: self.events,
            truncated: self.truncated,
        }
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl<S: TileState, F: FnMut(Trace<'static>) -> ControlFlow<()>> Observer<Sliding<S>> for Tracer<F> {
    fn on(&mut self, event: Event<'_, Sliding<S>>) {
        if self.closed {
            return;
        }
        // The solution is told even if it comes after the last event that was wanted: it is one
        // record, and what the search is for.
        if self.events >= self.most && !matches!(event, Event::Solved { .. }) {
            self.truncated = true;
            self.stop();
            return;
        }
        let record = record(self.size, &event);
        self.events += 1;
        if (self.sink)(record).is_break() {
            self.closed = true;
            self.stop();
        }
    }
}

/// The record of an event on a board of a size.
fn record<S: TileState>(size: Size, event: &Event<'_, Sliding<S>>) -> Trace<'static> {
    let board = |state: &S| -> Cow<'static, str> {
        let board = state.to_board(size);
        let board = board.map(|board| board.to_string());
        board.unwrap_or_default().into()
    };
    match *event {
        Event::Iteration { number, threshold } => Trace::Iteration { number, threshold },
        Event::Expanded {
            state,
            action,
            g,
            h,
        } => Trace::Expanded {
            board: board(state),
            action: action.map(letter),
            g,
            h,
            f: g.saturating_add(h),
        },
        Event::Pruned {
            state,
            action,
            g,
            h,
            reason,
        } => Trace::Pruned {
            board: board(state),
            action: letter(action),
            g,
            h,
            f: g.saturating_add(h),
            reason: reason.name(),
        },
        Event::NextThreshold { threshold, state } => Trace::NextThreshold {
            threshold,
            board: state.map(board),
        },
        Event::Solved { cost, actions } => Trace::Solved {
            cost,
            moves: Moves::from(actions.to_vec()).to_string().into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use taquin::Goal;
    use taquin::search::{Laboratory, Limits};

    use super::*;

    /// A hard board, of which at most so many records are taken, and the last record.
    fn last(most: u64, mut sink: impl FnMut(&AtomicBool) -> ControlFlow<()>) -> Trace<'static> {
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
        let end = tracer.end(&report.unwrap());
        assert!(flag.load(Ordering::Relaxed));
        end
    }

    #[test]
    fn enough_events_are_told_as_the_limit() {
        let end = last(10, |_| ControlFlow::Continue(()));
        let Trace::End {
            limit,
            events,
            truncated,
            ..
        } = end
        else {
            panic!("{end:?}")
        };
        assert_eq!((limit, events, truncated), (Some("events"), 10, true));
    }

    #[test]
    fn a_search_that_somebody_else_stops_was_cancelled() {
        let closed = last(u64::MAX, |_| ControlFlow::Break(()));
        let raised = last(u64::MAX, |flag| {
            flag.store(true, Ordering::Relaxed);
            ControlFlow::Continue(())
        });
        for end in [closed, raised] {
            let Trace::End {
                limit, truncated, ..
            } = end
            else {
                panic!("{end:?}")
            };
            assert_eq!((limit, truncated), (Some("cancelled"), false));
        }
    }

    #[test]
    fn the_name_is_that_of_the_field() {
        let (threshold, board) = (3, None);
        let record = Trace::NextThreshold { threshold, board };
        let json = serde_json::to_string(&record).unwrap();
        let name = record.name();
        assert_eq!(
            json,
            format!(r#"{{"event":"{name}","threshold":3,"board":null}}"#)
        );
    }
}
