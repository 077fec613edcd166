//! A heuristic against the truth, over every board of a small puzzle.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use taquin::Metric;
use taquin::heuristic::HeuristicKind;
use taquin_records::{MetricWord, Quality};
use utoipa::IntoParams;

use super::distribution::space_of;
use crate::client::Client;
use crate::fields::Heuristic;
use crate::problem::{Problem, Refusals};
use crate::read::{Query, Segment};
use crate::search_task;
use crate::state::App;

/// Which puzzle, and which heuristic.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct QualityQuery {
    /// The goal: a name, or a board. Default: `classic`.
    goal: Option<String>,
    /// What counts as a move. Default: `single`.
    #[param(inline)]
    metric: Option<MetricWord>,
    /// The heuristic. Default: `manhattan`.
    #[param(inline)]
    heuristic: Option<Heuristic>,
}

/// Every board is evaluated, which takes longer than to count it.
const MOST_CELLS: usize = 9;

/// A heuristic against the true distances.
///
/// Over every board of a puzzle of up to 9 cells.
#[utoipa::path(
    get,
    path = "/api/v1/quality/{size}",
    params(("size" = String, Path, description = "Rows x columns.", example = "3x3"), QualityQuery),
    responses((status = 200, description = "The answer.", body = Quality), Refusals)
)]
pub(crate) async fn quality(
    State(app): State<App>,
    client: Client,
    Segment(size): Segment,
    Query(query): Query<QualityQuery>,
) -> Result<Response, Problem> {
    let metric = query.metric.map_or_else(Metric::default, |metric| metric.0);
    let (space, goal) = space_of(&app, &size, query.goal.as_deref(), metric, MOST_CELLS)?;
    let kind = query
        .heuristic
        .map_or(HeuristicKind::Manhattan, |asked| asked.0);
    let shared = app.clone();
    let json = search_task::run(&app, &client, move |cancel| {
        let (threads, limits) = shared.survey_effort(cancel);
        let measured = shared.resources.quality(&space, kind, threads, &limits)?;
        let record = Quality::new(&space, goal.name(), &measured);
        serde_json::to_vec(&record).map_err(|_| Problem::internal())
    });
    json.await.map(super::json)
}
