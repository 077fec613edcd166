//! What moves do to a board.

use axum::extract::State;
use serde::Deserialize;
use taquin::Metric;
use taquin::notation::read_moves;
use taquin_records::{Apply, FormWord, MetricWord, NotationWord};
use utoipa::ToSchema;

use super::{Answer, Answered};
use crate::client::Client;
use crate::fields::Task;
use crate::problem::{Problem, Refusals};
use crate::read::Json;
use crate::search_task;
use crate::state::App;

/// A board and moves.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApplyRequest {
    /// The board, in any form.
    #[schema(example = "8 1 3/4 0 2/7 6 5")]
    board: String,
    /// The form of the board; without it, it is found.
    #[schema(inline)]
    form: Option<FormWord>,
    /// The goal: a name, or a board. Default: `classic`, or the goal that belongs to the form.
    #[schema(example = "classic")]
    goal: Option<String>,
    /// The moves.
    #[schema(example = "LURRDDLURULDLU")]
    moves: String,
    /// What the moves stand for. Default: numbers of tiles, or the directions in which tiles slide.
    #[schema(inline)]
    notation: Option<NotationWord>,
    /// What counts as a move. Default: `single`.
    #[schema(inline)]
    metric: Option<MetricWord>,
}

/// Up to this many bytes of text a board is moved in well under a millisecond.
const SHORT: usize = 4 << 10;

/// The board after moves.
#[utoipa::path(
    post,
    path = "/api/v1/apply",
    request_body = ApplyRequest,
    responses((status = 200, description = "The answer.", body = Apply), Refusals)
)]
pub(crate) async fn apply(
    State(app): State<App>,
    client: Client,
    Json(request): Json<ApplyRequest>,
) -> Answer<Apply<'static>> {
    let is_small = request.board.len() + request.moves.len() <= SHORT;
    let shared = app.clone();
    let work = move || moved(&shared, &request);
    let applied = search_task::run_unless_small(&app, &client, is_small, work);
    applied.await.map(Answered)
}

fn moved(app: &App, request: &ApplyRequest) -> Result<Apply<'static>, Problem> {
    let task = Task::read(app, &request.board, request.form, request.goal.as_deref())?;
    let notation = request.notation.map(|notation| notation.0);
    let moves = read_moves(&request.moves, notation, Some(&task.board))
        .map_err(|error| Problem::unreadable("/moves", &error))?;
    let result = task
        .board
        .after(&moves)
        .map_err(|error| Problem::invalid("/moves", error.to_string()))?;
    let metric = request
        .metric
        .map_or_else(Metric::default, |metric| metric.0);
    let solved = result == task.goal_board;
    let name = task.goal_name();
    Ok(Apply::new(
        &task.board,
        name,
        &moves,
        metric,
        &result,
        solved,
    ))
}
