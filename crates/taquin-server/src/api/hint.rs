//! What to do next.

use std::time::Instant;

use axum::extract::State;
use serde::Deserialize;
use taquin::notation::MoveNotation;
use taquin::{HintError, Limits, Metric};
use taquin_records::{FormWord, Hint, MetricWord, NotationWord, StyleWord, Writing};
use utoipa::ToSchema;

use super::{Answer, Answered};
use crate::client::Client;
use crate::fields::Task;
use crate::problem::{Problem, Refusals};
use crate::read::Json;
use crate::search_task;
use crate::state::{App, RequestedLimits};

/// A board in play.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HintRequest {
    /// The board, in any form.
    #[schema(example = "8 1 3/4 0 2/7 6 5")]
    board: String,
    /// The form of the board; without it, it is found.
    #[schema(inline)]
    form: Option<FormWord>,
    /// The goal: a name, or a board. Default: `classic`, or the goal that belongs to the form.
    #[schema(example = "classic")]
    goal: Option<String>,
    /// How long to look for the best move, in milliseconds. Default: 1000.
    #[schema(example = 500)]
    within_ms: Option<u64>,
    /// What counts as a move. Default: `single`.
    #[schema(inline)]
    metric: Option<MetricWord>,
    /// What the moves stand for. Default: `tile`, the direction in which the tile slides.
    #[schema(inline)]
    notation: Option<NotationWord>,
    /// How directions are written. Default: `letters`; in multi-tile moves `compact`.
    #[schema(inline)]
    style: Option<StyleWord>,
}

/// How long a player waits unless the request says otherwise, in milliseconds.
const DEFAULT_WITHIN: u64 = 1_000;

/// The next move, and what remains.
///
/// A player who follows the hints gets the next one without a search.
#[utoipa::path(
    post,
    path = "/api/v1/hint",
    request_body = HintRequest,
    responses((status = 200, description = "The answer.", body = Hint), Refusals)
)]
pub(crate) async fn hint(
    State(app): State<App>,
    client: Client,
    Json(request): Json<HintRequest>,
) -> Answer<Hint<'static>> {
    let begin = Instant::now();
    let task = Task::read(&app, &request.board, request.form, request.goal.as_deref())?;
    let metric = request
        .metric
        .map_or_else(Metric::default, |metric| metric.0);
    let writing = writing(request.notation, request.style, metric);
    let name = task.goal_name();
    if let Err(unsolvable) = task.solvability()? {
        let hint = Hint::unsolvable(&task.board, name, metric, writing, &unsolvable);
        return Ok(Answered(hint));
    }
    let within = request.within_ms.unwrap_or(DEFAULT_WITHIN);
    let limits = app.bounds.lowered(RequestedLimits {
        time_ms: Some(within),
        ..RequestedLimits::default()
    });
    let within = limits.time.unwrap_or_default();
    let recalled = app
        .resources
        .recall(&task.goal_board, metric, &task.board, within);
    if let Some(hint) = recalled {
        let hint = Hint::new(&task.board, name, metric, writing, &hint, begin.elapsed());
        return Ok(Answered(hint));
    }
    let shared = app.clone();
    let hint = search_task::run(&app, &client, move |cancel| {
        let begin = Instant::now();
        let limits = Limits {
            cancel: Some(cancel),
            ..limits
        };
        let hint = shared
            .resources
            .hint(&task.goal_board, metric, &task.board, within, &limits)
            .map_err(|error| match error {
                HintError::Solve(error) => error.into(),
                HintError::Unsolved(error) => Problem::invalid("/board", error.to_string()),
            })?;
        Ok(Hint::new(
            &task.board,
            name,
            metric,
            writing,
            &hint,
            begin.elapsed(),
        ))
    });
    hint.await.map(Answered)
}

/// How moves are written.
pub(crate) fn writing(
    notation: Option<NotationWord>,
    style: Option<StyleWord>,
    metric: Metric,
) -> Writing {
    let notation = notation.map_or_else(MoveNotation::default, |notation| notation.0);
    Writing::new(notation, style.map(|style| style.0), metric)
}
