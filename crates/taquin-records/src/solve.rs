//! What came of solving a board.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use taquin::search::Cost;
use taquin::{AbandonedSearch, Answer, Board, Ending, Goal, Metric, SearchedBy, solve};

use crate::apply::Lengths;
use crate::figures::{milliseconds, ratio};
#[cfg(feature = "openapi")]
use crate::openapi::StatusWord;
use crate::word::{ImprovementEvent, LimitWord, MetricWord, NotationWord, Status, Word};
use crate::writing::Writing;

/// What came of solving a board.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Solve<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// `solved`, `unsolvable` or `limit`.
    #[cfg_attr(feature = "openapi", schema(value_type = StatusWord))]
    pub status: Status,
    /// How many moves the solution has, in the metric.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub length: Option<usize>,
    /// How many moves the solution has in either metric. Only the length in `metric` may be proven
    /// to be the shortest.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub lengths: Option<Lengths>,
    /// What every solution takes at least, in the metric.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub lower_bound: Option<u32>,
    /// The cost divided by the bound, rounded up.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub ratio: Option<f64>,
    /// Whether the solution is proven to be a shortest one.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub optimal: Option<bool>,
    /// The solution.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub moves: Option<Cow<'a, str>>,
    /// What the moves stand for.
    pub notation: NotationWord,
    /// The metric of the length and of the bound.
    pub metric: MetricWord,
    /// If that was asked for: how many shortest solutions there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub count: Option<u64>,
    /// If they were asked for: the shortest solutions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub solutions: Option<Vec<String>>,
    /// In the heavy variant, what the moves cost; the bound is on it.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub cost: Option<u32>,
    /// What searched.
    #[serde(serialize_with = "searched_by")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub algorithm: SearchedBy,
    /// The heuristic or the tables that it used.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub heuristic: Option<Cow<'a, str>>,
    /// Nodes expanded.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub nodes: Option<u64>,
    /// Nodes generated.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub generated: Option<u64>,
    /// Most states kept at once.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub peak_states: Option<u64>,
    /// The iterations of a search that has them.
    pub iterations: Vec<Iteration>,
    /// The time of the search.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub time_ms: Option<f64>,
    /// A search with quick tables that was given up for this one; its nodes and time are not
    /// counted above.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub abandoned: Option<Abandoned>,
    /// Which limit stopped it. Of a solved board: which limit stopped the listing or the counting of
    /// all shortest solutions. The length is proven all the same, but `solutions` may lack some that
    /// were asked for, and there is no `count`.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub limit: Option<LimitWord>,
    /// Why the solution is a shortest one or need not be, or why the board is unsolvable.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub reason: Option<Cow<'a, str>>,
    /// Of an unsolvable board: the names of the goals that it can reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, value_type = Vec<String>))]
    pub reachable: Option<Vec<Cow<'static, str>>>,
    /// What is wrong with the board.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub error: Option<Cow<'a, str>>,
}

/// Writes the name of what searched.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over references"
)]
fn searched_by<S: Serializer>(by: &SearchedBy, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(by.name())
}

/// A search that was given up for one with better tables.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Abandoned {
    /// The tables that it used.
    pub heuristic: String,
    /// Nodes expanded.
    pub nodes: u64,
    /// Nodes generated.
    pub generated: u64,
    /// The time it took.
    pub time_ms: f64,
}

impl From<&AbandonedSearch> for Abandoned {
    fn from(search: &AbandonedSearch) -> Self {
        Self {
            heuristic: search.heuristic.clone(),
            nodes: search.statistics.expanded,
            generated: search.statistics.generated,
            time_ms: milliseconds(search.statistics.time),
        }
    }
}

impl<'a> Solve<'a> {
    /// The record of an answer.
    ///
    /// * `goal` is the goal's name or board.
    /// * `cost` is what moves cost; unlike a length it is shown only where moves differ in it.
    #[must_use]
    pub fn new(
        board: &Board,
        goal: impl Into<Cow<'a, str>>,
        cost: Cost,
        writing: Writing,
        answer: &Answer,
    ) -> Self {
        let record = Self::blank(board, goal.into(), writing, answer);
        let unsolvable = match &answer.ending {
            Ending::Unsolvable(unsolvable) => {
                return Self {
                    reason: Some(unsolvable.to_string().into()),
                    reachable: Some(unsolvable.reachable.iter().map(Goal::name).collect()),
                    ..record
                };
            }
            ending => ending,
        };
        let statistics = &answer.statistics;
        let record = Self {
            nodes: Some(statistics.expanded),
            generated: Some(statistics.generated),
            peak_states: Some(statistics.peak_states),
            iterations: statistics.iterations.iter().map(Into::into).collect(),
            time_ms: Some(milliseconds(statistics.time)),
            abandoned: answer.abandoned.as_ref().map(Into::into),
            ..record
        };
        match unsolvable {
            Ending::Solved(solution) => Self {
                status: Status::Solved,
                length: Some(solution.moves.length(answer.metric)),
                lengths: Some(Lengths::of(&solution.moves)),
                lower_bound: Some(solution.lower_bound),
                ratio: if solution.proof.is_optimal() {
                    Some(1.0)
                } else {
                    ratio(solution.cost, solution.lower_bound)
                },
                optimal: Some(solution.proof.is_optimal()),
                moves: Some(writing.text(board, &solution.moves).into()),
                cost: (cost == Cost::Tile).then_some(solution.cost),
                count: answer.count,
                solutions: answer.list.as_ref().map(|list| {
                    let texts = list.iter().map(|moves| writing.text(board, moves));
                    texts.collect()
                }),
                limit: answer.incomplete.map(Word),
                reason: Some(solution.proof.why().into()),
                ..record
            },
            Ending::Stopped { limit, lower_bound } => Self {
                status: Status::Limit,
                lower_bound: Some(*lower_bound),
                limit: Some(Word(*limit)),
                ..record
            },
            Ending::Unsolvable(_) => record,
        }
    }

    /// Nothing is known yet.
    fn blank(board: &Board, goal: Cow<'a, str>, writing: Writing, answer: &Answer) -> Self {
        Self {
            board: board.to_string().into(),
            size: board.size().to_string().into(),
            goal,
            status: Status::Unsolvable,
            length: None,
            lengths: None,
            lower_bound: None,
            ratio: None,
            optimal: None,
            moves: None,
            notation: Word(writing.notation),
            metric: Word(answer.metric),
            count: None,
            solutions: None,
            cost: None,
            algorithm: answer.searched_by,
            heuristic: answer.heuristic.clone().map(Into::into),
            nodes: None,
            generated: None,
            peak_states: None,
            iterations: Vec::new(),
            time_ms: None,
            abandoned: None,
            limit: None,
            reason: None,
            reachable: None,
            error: None,
        }
    }
}

/// One iteration of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Iteration {
    /// Nodes with a larger f were cut off.
    pub threshold: u32,
    /// Nodes expanded.
    pub nodes: u64,
    /// Nodes generated.
    pub generated: u64,
}

impl From<&taquin::Iteration> for Iteration {
    fn from(iteration: &taquin::Iteration) -> Self {
        Self {
            threshold: iteration.threshold,
            nodes: iteration.expanded,
            generated: iteration.generated,
        }
    }
}

/// A better solution of a board that is being solved, or a better bound: what comes before its
/// [`Solve`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Improvement<'a> {
    /// The board, in the form `rows`.
    pub board: Cow<'a, str>,
    /// Always `improved`.
    pub event: ImprovementEvent,
    /// How many moves the best solution so far has, in the metric.
    pub length: usize,
    /// How many moves it has in either metric.
    pub lengths: Lengths,
    /// What every solution takes at least, in the metric.
    pub lower_bound: u32,
    /// The length divided by the bound, rounded up.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub ratio: Option<f64>,
    /// When that was known, from the beginning of the search.
    pub time_ms: f64,
    /// The best solution so far.
    pub moves: Cow<'a, str>,
    /// What the moves stand for.
    pub notation: NotationWord,
    /// The metric of the length and of the bound.
    pub metric: MetricWord,
}

impl Improvement<'_> {
    /// The record of what is known of a board.
    #[must_use]
    pub fn new(
        board: &Board,
        known: &solve::Improvement<'_>,
        metric: Metric,
        writing: Writing,
    ) -> Self {
        let length = metric.length(known.moves);
        Self {
            board: board.to_string().into(),
            event: ImprovementEvent::Improved,
            length,
            lengths: Lengths::of(known.moves),
            lower_bound: known.lower_bound,
            ratio: ratio(length as u32, known.lower_bound),
            time_ms: milliseconds(known.time),
            moves: writing.text(board, known.moves).into(),
            notation: Word(writing.notation),
            metric: Word(metric),
        }
    }
}

#[cfg(test)]
mod tests {
    use taquin::{AllShortest, Limit, Limits, Request, Solver, Want};

    use super::*;

    /// Made of what it owns alone.
    fn record(board: &str, limits: Limits) -> Solve<'static> {
        let all = AllShortest {
            list: Some(1),
            count: true,
        };
        let request = Request {
            want: Want::All(all),
            limits,
            ..Request::new(board.parse().unwrap())
        };
        let answer = Solver::in_memory().solve(&request).unwrap();
        let (goal, writing) = (request.goal.name(), Writing::default());
        Solve::new(&request.board, goal, Cost::Unit, writing, &answer)
    }

    #[test]
    fn a_solved_board_tells_of_all_its_solutions() {
        let record = record("1 2 3/4 5 6/0 7 8", Limits::default());
        assert_eq!((record.status, record.length), (Status::Solved, Some(2)));
        assert_eq!((record.optimal, record.ratio), (Some(true), Some(1.0)));
        let json = serde_json::to_string(&record).unwrap();
        assert!(
            json.contains(r#""count":1,"solutions":["LL"],"cost":null"#),
            "{json}"
        );
        assert!(
            !json.contains("abandoned") && !json.contains("reachable"),
            "{json}"
        );
    }

    #[test]
    fn a_search_that_was_stopped_tells_of_no_solutions() {
        let limits = Limits {
            nodes: Some(1),
            ..Limits::default()
        };
        let record = record("8 1 3/4 0 2/7 6 5", limits);
        let stopped = (Status::Limit, Some(Word(Limit::Nodes)));
        assert_eq!((record.status, record.limit), stopped);
        assert_eq!((record.length, record.count), (None, None));
        let json = serde_json::to_string(&record).unwrap();
        assert!(json.contains(r#""metric":"single","cost":null"#), "{json}");
    }

    #[test]
    fn a_count_that_was_stopped_keeps_the_shortest_solution() {
        // The farthest board of 3x3: 31 moves, in 40 ways.
        let board = "8 6 7/2 5 4/3 0 1";
        let whole = record(board, Limits::default());
        assert_eq!((whole.count, whole.limit), (Some(40), None));
        let limits = Limits {
            nodes: whole.nodes.map(|nodes| nodes - 1),
            ..Limits::default()
        };
        let record = record(board, limits);
        assert_eq!((record.status, record.length), (Status::Solved, Some(31)));
        assert_eq!((record.optimal, record.lower_bound), (Some(true), Some(31)));
        assert_eq!(
            (record.limit, record.count),
            (Some(Word(Limit::Nodes)), None)
        );
        assert_eq!(record.solutions.map(|list| list.len()), Some(1));
    }

    #[test]
    fn an_unsolvable_board_names_the_goals_that_it_can_reach() {
        let record = record("2 8 3/1 6 4/7 0 5", Limits::default());
        assert_eq!((record.status, record.nodes), (Status::Unsolvable, None));
        let reason = record.reason.unwrap();
        assert!(
            reason.ends_with("; it can reach the goals snail and snake"),
            "{reason}"
        );
        assert_eq!(record.reachable.unwrap(), ["snail", "snake"]);
    }
}
