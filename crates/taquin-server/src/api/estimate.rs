//! What heuristics say of a board.

use axum::extract::State;
use serde::Deserialize;
use taquin::heuristic::HeuristicKind;
use taquin::{GoalSizeError, Limits};
use taquin_records::{CostWord, Estimate, Estimates, FormWord, MetricWord};
use utoipa::ToSchema;

use crate::client::Client;
use crate::fields::{self, Heuristic, Task};
use crate::problem::{Problem, Refusals};
use crate::read::Json;
use crate::search_task;
use crate::state::{App, RequestedLimits};

/// A board, and which heuristics to ask besides the usual ones.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EstimateRequest {
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
    /// Heuristics besides those that every board is shown: pattern databases.
    #[serde(default)]
    #[schema(inline, max_items = 8)]
    heuristics: Vec<Heuristic>,
}

/// The most heuristics that are asked at once.
const MOST: usize = 8;

/// What heuristics say, and why.
///
/// Tile by tile, line by line, pattern by pattern.
#[utoipa::path(
    post,
    path = "/api/v1/estimate",
    request_body = EstimateRequest,
    responses((status = 200, description = "The answer.", body = Estimate), Refusals)
)]
pub(crate) async fn estimate(
    State(app): State<App>,
    client: Client,
    Json(request): Json<EstimateRequest>,
) -> Result<axum::response::Response, Problem> {
    let task = Task::read(&app, &request.board, request.form, request.goal.as_deref())?;
    if request.heuristics.len() > MOST {
        let detail = format!("at most {MOST} heuristics can be asked for at once");
        return Err(Problem::invalid("/heuristics", detail));
    }
    let solvability = task.solvability()?;
    let counting = fields::counting(request.metric, request.cost)?;
    let shared = app.clone();
    let limits = app.bounds.lowered(RequestedLimits::default());
    let work = move |cancel| {
        let limits = Limits {
            cancel: Some(cancel),
            ..limits
        };
        let parts = shared
            .resources
            .estimator(&task.goal_board, counting, &limits)?
            .breakdown(&task.board);
        let wrong_size = |error: GoalSizeError| Problem::invalid("/goal", error.to_string());
        let parts = parts.map_err(wrong_size)?;
        let mut estimates = Estimates::of(&parts);
        let mut patterns = Vec::new();
        for (index, Heuristic(kind)) in request.heuristics.into_iter().enumerate() {
            if HeuristicKind::ALL.contains(&kind) {
                continue;
            }
            let pointer = format!("/heuristics/{index}");
            let laboratory = shared
                .resources
                .laboratory(&task.goal_board, counting, kind, &limits)
                .map_err(|error| Problem::of_heuristic(error, pointer))?;
            let value = laboratory.estimate(&task.board).map_err(wrong_size)?;
            estimates.push(kind, value);
            let parts = laboratory.patterns(&task.board);
            patterns.extend(parts.map_err(wrong_size)?);
        }
        let unsolvable = solvability.as_ref().err();
        let name = task.goal_name();
        let record = Estimate::new(&task.board, name, unsolvable, counting, &parts, estimates);
        serde_json::to_vec(&record.with_patterns(&patterns)).map_err(|_| Problem::internal())
    };
    let json = search_task::run(&app, &client, work).await?;
    Ok(super::json(json))
}
