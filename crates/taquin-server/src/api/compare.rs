//! The same board under several searches.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use taquin::heuristic::HeuristicKind;
use taquin::search::Cost;
use taquin_records::Compare;
use utoipa::ToSchema;

use crate::errand;
use crate::fields::{AlgorithmName, CostName, FormName, Heuristic, Named, Task};
use crate::problem::{Problem, Refusals};
use crate::read::Json;
use crate::state::{App, Wishes};

/// A board, and the searches to compare on it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompareRequest {
    /// The board, in any form.
    #[schema(example = "8 1 3/4 0 2/7 6 5")]
    board: String,
    /// The form of the board; without it, it is found.
    #[schema(inline)]
    form: Option<FormName>,
    /// The goal: a name, or a board. Default: `classic`, or the goal that belongs to the form.
    #[schema(example = "classic")]
    goal: Option<String>,
    /// What a move costs. Default: `unit`.
    #[schema(inline)]
    cost: Option<CostName>,
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
    algorithm: AlgorithmName,
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

/// The same board under several searches.
#[utoipa::path(
    post,
    path = "/api/v1/compare",
    request_body = CompareRequest,
    responses((status = 200, description = "The answer.", body = Comparison), Refusals)
)]
pub(crate) async fn compare(
    State(app): State<App>,
    Json(request): Json<CompareRequest>,
) -> Result<Response, Problem> {
    let task = Task::read(&app, &request.board, request.form, request.goal.as_deref())?;
    if !(1..=MOST).contains(&request.searches.len()) {
        let detail = format!("from 1 to {MOST} searches are compared at once");
        return Err(Problem::invalid("/searches", detail));
    }
    let cost = request.cost.map_or_else(Cost::default, |cost| cost.0);
    let verdict = task.verdict()?;
    if !verdict.is_solvable() {
        let record = Compare::unsolvable(&task.board, task.goal_name, cost, verdict);
        return answer(vec![record]);
    }
    let mut limits = app.bounds.lowered(Wishes {
        time_ms: request.limit_time_ms,
        nodes: request.limit_nodes,
        memory: request.limit_memory,
    });
    // All of them together take no longer than one may.
    limits.time = limits.time.map(|time| time / request.searches.len() as u32);
    let shared = app.clone();
    let results = errand::run(&app, move |cancel| {
        limits.cancel = Some(Arc::clone(&cancel));
        let mut results = Vec::new();
        for (index, pair) in request.searches.iter().enumerate() {
            let Named(algorithm) = pair.algorithm;
            let asked = pair
                .heuristic
                .map_or(HeuristicKind::Manhattan, |asked| asked.0);
            let uses = algorithm.uses_heuristic();
            let kind = if uses { asked } else { HeuristicKind::Zero };
            let refused = |error: &dyn std::fmt::Display| {
                Problem::invalid(format!("/searches/{index}"), error.to_string())
            };
            let laboratory = shared.workshop.laboratory(&task.goal, cost, kind, &cancel);
            let laboratory = laboratory.map_err(|error| refused(&error))?;
            let report = laboratory.search(&task.board, algorithm, &limits);
            let report = report.map_err(|error| refused(&error))?;
            shared.account(&report);
            let heuristic = uses.then(|| kind.name());
            let goal = task.goal_name.clone();
            results.push(Compare::new(
                &task.board,
                goal,
                cost,
                algorithm,
                heuristic,
                &report,
            ));
        }
        Ok(results)
    });
    answer(results.await?)
}

fn answer(results: Vec<Compare<'_>>) -> Result<Response, Problem> {
    let json = serde_json::to_vec(&Comparison { results });
    json.map(super::json).map_err(|_| Problem::internal())
}
