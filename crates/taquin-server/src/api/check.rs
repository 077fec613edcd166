//! Whether a board can be solved, and why.

use axum::extract::State;
use serde::Deserialize;
use taquin::Unsolvable;
use taquin_records::{Check, FormWord};
use utoipa::ToSchema;

use super::{Answer, Answered};
use crate::fields::Task;
use crate::problem::Refusals;
use crate::read::Json;
use crate::state::App;

/// A board to look at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckRequest {
    /// The board, in any form.
    #[schema(example = "8 1 3/4 0 2/7 6 5")]
    board: String,
    /// The form of the board; without it, it is found.
    #[schema(inline)]
    form: Option<FormWord>,
    /// The goal: a name, or a board. Default: `classic`, or the goal that belongs to the form.
    #[schema(example = "classic")]
    goal: Option<String>,
}

/// Can it be solved, and why.
#[utoipa::path(
    post,
    path = "/api/v1/check",
    request_body = CheckRequest,
    responses((status = 200, description = "The answer.", body = Check), Refusals)
)]
pub(crate) async fn check(
    State(app): State<App>,
    Json(request): Json<CheckRequest>,
) -> Answer<Check<'static>> {
    let task = Task::read(&app, &request.board, request.form, request.goal.as_deref())?;
    let name = task.goal_name();
    let verdict = task.solvability()?;
    let swap = |unsolvable: &Unsolvable| {
        let verdict = unsolvable.verdict;
        verdict.swap_hint(&task.board, &task.goal_board)
    };
    let swap = verdict.as_ref().err().and_then(swap);
    Ok(Answered(Check::new(&task.board, name, &verdict, swap)))
}
