//! What a search does, step by step.

use std::borrow::Cow;

use serde::Serialize;
use taquin::heuristic::HeuristicKind;
use taquin::search::{Algorithm, Counting, TraceEvent, Tracer};
use taquin::{Board, Limit, Outcome, Report, Unsolvable};

#[cfg(feature = "openapi")]
use crate::openapi::StatusWord;
use crate::word::{
    AlgorithmWord, CostWord, MetricWord, ReasonWord, SlideWord, Status, TraceLimit, Word,
};

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
        /// What counts as a move.
        metric: MetricWord,
        /// What moves cost.
        costs: CostWord,
        /// What searches.
        algorithm: AlgorithmWord,
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
        /// The move that led to it: `U`, `D`, `L` or `R`, and in multi-tile moves the number of tiles
        /// if there are several, as in `R3`; `null` where a search begins.
        #[serde(rename = "move")]
        #[cfg_attr(feature = "openapi", schema(required))]
        action: Option<SlideWord>,
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
        /// The move that led to it: `U`, `D`, `L` or `R`, and in multi-tile moves the number of tiles
        /// if there are several, as in `R3`.
        #[serde(rename = "move")]
        action: SlideWord,
        /// What the moves to it cost.
        g: u32,
        /// The estimate of the rest.
        h: u32,
        /// The sum of the two.
        f: u32,
        /// Why it is not followed.
        reason: ReasonWord,
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
        status: Status,
        /// Which limit stopped it: also `events`.
        #[cfg_attr(feature = "openapi", schema(required))]
        limit: Option<TraceLimit>,
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
    /// The first record of a trace; `h` is what the heuristic says of the board. `counting` is a
    /// [`Cost`](taquin::search::Cost) for single-tile moves, a [`Metric`](taquin::Metric), or both.
    #[must_use]
    pub fn start(
        board: &Board,
        goal: impl Into<Cow<'a, str>>,
        counting: impl Into<Counting>,
        algorithm: Algorithm,
        heuristic: HeuristicKind,
        h: u32,
    ) -> Self {
        let counting = counting.into();
        Self::Start {
            board: board.to_string().into(),
            size: board.size().to_string().into(),
            goal: goal.into(),
            metric: Word(counting.metric()),
            costs: Word(counting.cost()),
            algorithm: Word(algorithm),
            heuristic: algorithm.uses_heuristic().then(|| heuristic.name()),
            h,
        }
    }

    /// The last record of a board that was not searched because it cannot be solved.
    #[must_use]
    pub fn unsolvable(unsolvable: &Unsolvable) -> Self {
        Self::End {
            status: Status::Unsolvable,
            limit: None,
            reason: Some(unsolvable.to_string().into()),
            lower_bound: None,
            optimal: None,
            nodes: 0,
            generated: 0,
            events: 0,
            truncated: false,
        }
    }

    /// The last record of a search that was traced: what came of it.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use std::sync::Arc;
    ///
    /// use taquin::heuristic::HeuristicKind;
    /// use taquin::search::{Algorithm, Cost, Laboratory, Tracer};
    /// use taquin::{Board, Goal, Limits};
    /// use taquin_records::Trace;
    ///
    /// let board: Board = "1 2 3/4 0 6/7 5 8".parse()?;
    /// let goal = Goal::Classic.board(board.size())?;
    /// let laboratory = Laboratory::new(&goal, Cost::Unit, HeuristicKind::Manhattan)?;
    ///
    /// let stop = Arc::default();
    /// let limits = Limits { cancel: Some(Arc::clone(&stop)), ..Limits::default() };
    /// let mut names = Vec::new();
    /// let mut tracer = Tracer::new(board.size(), 1000, stop, |event| {
    ///     names.push(Trace::from(&event).name());
    ///     ControlFlow::Continue(())
    /// });
    /// let report = laboratory.observe(&board, Algorithm::Idastar, &limits, &mut tracer)?;
    /// let end = serde_json::to_string(&Trace::end(&tracer, &report))?;
    /// assert!(end.starts_with(r#"{"event":"end","status":"solved","#));
    /// assert_eq!(names[..2], ["iteration", "expanded"]);
    /// assert_eq!(names.last(), Some(&"solved"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn end<F>(tracer: &Tracer<F>, report: &Report) -> Self {
        let (status, limit, lower_bound, optimal) = match &report.outcome {
            Outcome::Solved(solution) => (
                Status::Solved,
                None,
                Some(solution.lower_bound),
                Some(solution.proof.is_optimal()),
            ),
            Outcome::NoSolution => (Status::Unsolvable, None, None, None),
            Outcome::Stopped { limit, lower_bound } => {
                let limit = match limit {
                    Limit::Cancelled if tracer.is_truncated() => TraceLimit::Events,
                    limit => TraceLimit::Search(*limit),
                };
                (Status::Limit, Some(limit), Some(*lower_bound), None)
            }
        };
        Self::End {
            status,
            limit,
            reason: None,
            lower_bound,
            optimal,
            nodes: report.statistics.expanded,
            generated: report.statistics.generated,
            events: tracer.events(),
            truncated: tracer.is_truncated(),
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

/// The record of what a search does.
impl From<&TraceEvent> for Trace<'_> {
    fn from(event: &TraceEvent) -> Self {
        match *event {
            TraceEvent::Iteration { number, threshold } => Self::Iteration { number, threshold },
            TraceEvent::Expanded {
                ref board,
                action,
                g,
                h,
            } => Self::Expanded {
                board: board.to_string().into(),
                action: action.map(SlideWord),
                g,
                h,
                f: g.saturating_add(h),
            },
            TraceEvent::Pruned {
                ref board,
                action,
                g,
                h,
                reason,
            } => Self::Pruned {
                board: board.to_string().into(),
                action: SlideWord(action),
                g,
                h,
                f: g.saturating_add(h),
                reason: Word(reason),
            },
            TraceEvent::NextThreshold {
                threshold,
                ref board,
            } => Self::NextThreshold {
                threshold,
                board: board.as_ref().map(|board| board.to_string().into()),
            },
            TraceEvent::Solved { cost, ref moves } => Self::Solved {
                cost,
                moves: moves.to_string().into(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use taquin::search::{Cost, Laboratory};
    use taquin::{Goal, Limits};

    use super::*;

    /// The last record of a search from a hard board that stops after `most` events.
    fn end(most: u64, flow: ControlFlow<()>) -> Trace<'static> {
        let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
        let goal = Goal::Classic.board(board.size()).unwrap();
        let laboratory = Laboratory::new(&goal, Cost::Unit, HeuristicKind::Manhattan).unwrap();
        let stop = Arc::default();
        let limits = Limits {
            cancel: Some(Arc::clone(&stop)),
            ..Limits::default()
        };
        let mut tracer = Tracer::new(board.size(), most, stop, |_| flow);
        let report = laboratory.observe(&board, Algorithm::Idastar, &limits, &mut tracer);
        Trace::end(&tracer, &report.unwrap())
    }

    #[test]
    fn enough_events_are_told_as_the_limit() {
        for (most, flow, word, is_truncated) in [
            (10, ControlFlow::Continue(()), "events", true),
            (u64::MAX, ControlFlow::Break(()), "cancelled", false),
        ] {
            let end = end(most, flow);
            let json = serde_json::to_string(&end).unwrap();
            let limit = format!(r#"{{"event":"end","status":"limit","limit":"{word}","#);
            assert!(json.starts_with(&limit), "{json}");
            let truncated = format!(r#""truncated":{is_truncated}}}"#);
            assert!(json.ends_with(&truncated), "{json}");
        }
    }

    /// Every record of a search from a board, from the start to the end.
    fn whole(board: &str) -> Vec<Trace<'static>> {
        let board: Board = board.parse().unwrap();
        let goal = Goal::Classic.board(board.size()).unwrap();
        let (cost, kind) = (Cost::Unit, HeuristicKind::Manhattan);
        let laboratory = Laboratory::new(&goal, cost, kind).unwrap();
        let algorithm = Algorithm::Idastar;
        let h = laboratory.estimate(&board).unwrap();
        let goal = Goal::Classic.name();
        let mut records = vec![Trace::start(&board, goal, cost, algorithm, kind, h)];
        let limits = Limits::default();
        let mut tracer = Tracer::new(board.size(), u64::MAX, Arc::default(), |event| {
            records.push(Trace::from(&event));
            ControlFlow::Continue(())
        });
        let report = laboratory.observe(&board, algorithm, &limits, &mut tracer);
        let end = Trace::end(&tracer, &report.unwrap());
        records.push(end);
        records
    }

    #[test]
    fn the_name_of_each_record_is_that_of_its_field() {
        let records = whole("8 1 3/4 0 2/7 6 5");
        for record in &records {
            let json = serde_json::to_value(record).unwrap();
            assert_eq!(json["event"], record.name(), "{json}");
        }
        let mut names: Vec<&str> = records.iter().map(Trace::name).collect();
        names.sort_unstable();
        names.dedup();
        let all = [
            "end",
            "expanded",
            "iteration",
            "next_threshold",
            "pruned",
            "solved",
            "start",
        ];
        assert_eq!(names, all);
    }
}
