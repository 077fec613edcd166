//! One board under several searches.

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use taquin::heuristic::HeuristicKind;
use taquin::search::Counting;
use taquin::{Limit, Limits, Outcome, Report, Statistics};
use taquin_records::{AlgorithmWord, Compare, CostWord, FormWord, MetricWord, Word};
use utoipa::ToSchema;

use crate::client::Client;
use crate::fields::{self, Heuristic, Task};
use crate::problem::{Problem, Refusals, heuristic_limit};
use crate::read::Json;
use crate::resources::Resources;
use crate::search_task;
use crate::state::{App, RequestedLimits};

/// A board, and the searches to compare on it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompareRequest {
    /// The board, in any form.
    #[schema(example = "8 1 3/4 0 2/7 6 5")]
    board: String,
    /// The form of the board; without it, it is found.
    #[schema(inline)]
    form: Option<FormWord>,
    /// The goal: a name, or a board. Default: `classic`, or the goal that belongs to the form.
    #[schema(example = "classic")]
    goal: Option<String>,
    /// What counts as a move. Default: `single`.
    #[schema(inline)]
    metric: Option<MetricWord>,
    /// What a move costs; `unit` in multi-tile moves. Default: `unit`.
    #[schema(inline)]
    cost: Option<CostWord>,
    /// The searches, in the order of the answer.
    #[schema(min_items = 1, max_items = 8)]
    searches: Vec<Contender>,
    /// Stop the search after this many milliseconds.
    limit_time_ms: Option<u64>,
    /// Stop the search after it has expanded this many nodes.
    limit_nodes: Option<u64>,
    /// Stop a search that needs more bytes for its states.
    limit_memory: Option<u64>,
}

/// An algorithm with the heuristic that it uses, if it uses any.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Contender {
    /// The algorithm.
    #[schema(inline)]
    algorithm: AlgorithmWord,
    /// The heuristic. Default: `manhattan`.
    #[schema(inline)]
    heuristic: Option<Heuristic>,
}

/// What came of each search, in the order of the request; of an unsolvable board there is one.
#[derive(Serialize, ToSchema)]
pub(crate) struct Comparison<'a> {
    /// One record a search.
    results: Vec<Compare<'a>>,
}

/// The most searches of one request.
const MOST: usize = 8;

/// One board under several searches.
#[utoipa::path(
    post,
    path = "/api/v1/compare",
    request_body = CompareRequest,
    responses((status = 200, description = "The answer.", body = Comparison), Refusals)
)]
pub(crate) async fn compare(
    State(app): State<App>,
    client: Client,
    Json(request): Json<CompareRequest>,
) -> Result<Response, Problem> {
    let task = Task::read(&app, &request.board, request.form, request.goal.as_deref())?;
    if !(1..=MOST).contains(&request.searches.len()) {
        let detail = format!("from 1 to {MOST} searches are compared at once");
        return Err(Problem::invalid("/searches", detail));
    }
    let counting = fields::counting(request.metric, request.cost)?;
    if let Err(unsolvable) = task.solvability()? {
        let name = task.goal_name();
        return answer(vec![Compare::unsolvable(
            &task.board,
            name,
            counting,
            &unsolvable,
        )]);
    }
    let mut limits = app.bounds.lowered(RequestedLimits {
        time_ms: request.limit_time_ms,
        nodes: request.limit_nodes,
        memory: request.limit_memory,
    });
    // All of them together take no longer than one may.
    limits.time = limits.time.map(|time| time / request.searches.len() as u32);
    let shared = app.clone();
    let results = search_task::run(&app, &client, move |cancel| {
        limits.cancel = Some(cancel);
        let mut results = Vec::new();
        for (index, pair) in request.searches.iter().enumerate() {
            let Word(algorithm) = pair.algorithm;
            let asked = pair
                .heuristic
                .map_or(HeuristicKind::Manhattan, |asked| asked.0);
            let uses = algorithm.uses_heuristic();
            let kind = if uses { asked } else { HeuristicKind::Zero };
            let pointer = format!("/searches/{index}");
            let laboratory = shared
                .resources
                .laboratory(&task.goal_board, counting, kind, &limits);
            let report = match laboratory {
                Ok(laboratory) => laboratory
                    .search(&task.board, algorithm, &limits)
                    .map_err(|error| Problem::of_laboratory(error, pointer))?,
                Err(error) => match heuristic_limit(&error) {
                    Some(limit) => without_heuristic(&shared.resources, &task, counting, limit),
                    None => return Err(Problem::of_heuristic(error, pointer)),
                },
            };
            shared.account(&report.statistics);
            let heuristic = uses.then(|| kind.name());
            let goal = task.goal_name();
            results.push(Compare::new(
                &task.board,
                goal,
                counting,
                algorithm,
                heuristic,
                &report,
            ));
        }
        Ok(results)
    });
    answer(results.await?)
}

/// What comes of a search whose heuristic a limit did not allow to be made.
fn without_heuristic(
    resources: &Resources,
    task: &Task,
    counting: Counting,
    limit: Limit,
) -> Report {
    // Manhattan distance needs no tables, and is a bound of every solution.
    let free = Limits::default();
    let simple = resources.laboratory(&task.goal_board, counting, HeuristicKind::Manhattan, &free);
    let bound = simple.ok().map(|simple| simple.estimate(&task.board));
    let lower_bound = bound.and_then(Result::ok).unwrap_or(0);
    Report {
        outcome: Outcome::Stopped { limit, lower_bound },
        statistics: Statistics::default(),
    }
}

fn answer(results: Vec<Compare<'_>>) -> Result<Response, Problem> {
    let json = serde_json::to_vec(&Comparison { results });
    json.map(super::json).map_err(|_| Problem::internal())
}
