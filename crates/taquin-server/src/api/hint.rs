//! What to do next.

use std::time::Instant;

use axum::extract::State;
use serde::Deserialize;
use taquin::notation::{MoveNotation, MoveStyle};
use taquin::search::Limits;
use taquin::solve::{Aim, Effort};
use taquin_records::{Hint, Writing};
use utoipa::ToSchema;

use super::{Answer, Answered};
use crate::errand;
use crate::fields::{FormName, NotationName, StyleName, Task};
use crate::problem::{Problem, Refusals};
use crate::read::Json;
use crate::state::{App, Wishes};

/// A board that somebody is playing.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HintRequest {
    /// The board, in any form.
    #[schema(example = "8 1 3/4 0 2/7 6 5")]
    board: String,
    /// The form of the board; without it, it is found.
    #[schema(inline)]
    form: Option<FormName>,
    /// The goal: a name, or a board. Default: `classic`, or the goal that belongs to the form.
    #[schema(example = "classic")]
    goal: Option<String>,
    /// How long to look for the best move, in milliseconds. Default: 1000.
    #[schema(example = 500)]
    within_ms: Option<u64>,
    /// What the moves stand for. Default: `tile`, the direction in which the tile slides.
    #[schema(inline)]
    notation: Option<NotationName>,
    /// How directions are written. Default: `letters`.
    #[schema(inline)]
    style: Option<StyleName>,
}

/// What a player may be made to wait.
const DEFAULT_WITHIN: u64 = 1_000;

/// The next move, and what remains.
///
/// Who follows the hints gets the next one without a search.
#[utoipa::path(
    post,
    path = "/api/v1/hint",
    request_body = HintRequest,
    responses((status = 200, description = "The answer.", body = Hint), Refusals)
)]
pub(crate) async fn hint(
    State(app): State<App>,
    Json(request): Json<HintRequest>,
) -> Answer<Hint<'static>> {
    let begin = Instant::now();
    let task = Task::read(&app, &request.board, request.form, request.goal.as_deref())?;
    let writing = writing(request.notation, request.style);
    let verdict = task.verdict()?;
    if !verdict.is_solvable() {
        let hint = Hint::unsolvable(&task.board, task.goal_name, writing, verdict);
        return Ok(Answered(hint));
    }
    let within = request.within_ms.unwrap_or(DEFAULT_WITHIN);
    let limits = app.bounds.lowered(Wishes {
        time_ms: Some(within),
        ..Wishes::default()
    });
    let within = limits.time.unwrap_or_default();
    if let Some(hint) = app.workshop.recall(&task.goal, &task.board, within) {
        let hint = Hint::new(&task.board, task.goal_name, writing, &hint, begin.elapsed());
        return Ok(Answered(hint));
    }
    let shared = app.clone();
    let hint = errand::run(&app, move |cancel| {
        let begin = Instant::now();
        let equipped = shared.workshop.solver(&task.goal, Some(within));
        let effort = Effort {
            limits: Limits {
                cancel: Some(cancel),
                time: Some(within.saturating_sub(begin.elapsed())),
                ..limits
            },
            threads: shared.threads(),
            aim: Aim::Best,
        };
        let hint = shared
            .workshop
            .hint(equipped.solver(), &task.board, &effort, within);
        let hint = hint.map_err(|error| Problem::invalid("/board", error.to_string()))?;
        Ok(Hint::new(
            &task.board,
            task.goal_name,
            writing,
            &hint,
            begin.elapsed(),
        ))
    });
    hint.await.map(Answered)
}

/// How moves are written.
pub(crate) fn writing(notation: Option<NotationName>, style: Option<StyleName>) -> Writing {
    Writing {
        notation: notation.map_or_else(MoveNotation::default, |notation| notation.0),
        style: style.map_or_else(MoveStyle::default, |style| style.0),
    }
}
