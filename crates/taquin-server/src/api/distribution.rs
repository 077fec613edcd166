//! Every board of a small puzzle, counted.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use taquin::space::Space;
use taquin::{Goal, Metric};
use taquin_records::{Enumerate, MetricWord};
use utoipa::IntoParams;

use crate::client::Client;
use crate::fields;
use crate::problem::{Problem, Refusals};
use crate::read::{Query, Segment};
use crate::search_task;
use crate::state::App;

/// Which puzzle.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DistributionQuery {
    /// The goal: a name, or a board. Default: `classic`.
    goal: Option<String>,
    /// What counts as a move. Default: `single`.
    #[param(inline)]
    metric: Option<MetricWord>,
}

/// Larger puzzles take more memory and time than a stranger should be given.
const MOST_CELLS: usize = 12;

/// Every board of a small puzzle, counted by its distance.
///
/// Up to 12 cells.
#[utoipa::path(
    get,
    path = "/api/v1/distribution/{size}",
    params(("size" = String, Path, description = "Rows x columns.", example = "3x3"), DistributionQuery),
    responses((status = 200, description = "The answer.", body = Enumerate), Refusals)
)]
pub(crate) async fn distribution(
    State(app): State<App>,
    client: Client,
    Segment(size): Segment,
    Query(query): Query<DistributionQuery>,
) -> Result<Response, Problem> {
    let metric = query.metric.map_or_else(Metric::default, |metric| metric.0);
    let (space, goal) = space_of(&app, &size, query.goal.as_deref(), metric, MOST_CELLS)?;
    let shared = app.clone();
    let json = search_task::run(&app, &client, move |cancel| {
        let (threads, limits) = shared.survey_effort(cancel);
        let (summary, time) = shared.resources.summary(&space, threads, &limits)?;
        let record = Enumerate::of_summary(&summary, goal.name(), time);
        serde_json::to_vec(&record).map_err(|_| Problem::internal())
    });
    json.await.map(super::json)
}

/// All boards of a size that is not too large, and the goal that they lead to.
pub(super) fn space_of(
    app: &App,
    size: &str,
    goal: Option<&str>,
    metric: Metric,
    most_cells: usize,
) -> Result<(Space, Goal), Problem> {
    let size = fields::size(app, size)?;
    if size.cells() > most_cells {
        let detail =
            format!("only puzzles of up to {most_cells} cells are searched as a whole here");
        return Err(Problem::too_large(detail).about("/size"));
    }
    let goal = fields::goal(goal)?.unwrap_or_default();
    let board = fields::goal_board(&goal, size)?;
    let space = Space::new(&board, metric)
        .map_err(|error| Problem::too_large(error.to_string()).about("/size"))?;
    Ok((space, goal))
}
