//! What this server is and takes.

use axum::extract::State;
use serde::Serialize;
use taquin::heuristic::HeuristicKind;
use taquin::notation::{BoardForm, MoveNotation, MoveStyle};
use taquin::search::Algorithm;
use taquin::{Goal, Named};
use utoipa::ToSchema;

use super::Answered;
use crate::problem::Refusals;
use crate::state::App;

/// What this server is and takes.
#[derive(Serialize, ToSchema)]
pub(crate) struct About {
    /// The version of Taquin.
    version: &'static str,
    /// What a caller can have at most.
    limits: AboutLimits,
    /// The goals that have a name; any board can be one too.
    goals: Vec<String>,
    /// The algorithms of the laboratory.
    algorithms: Vec<AboutAlgorithm>,
    /// The heuristics of the laboratory.
    heuristics: Vec<AboutHeuristic>,
    /// The forms in which boards are written.
    forms: Vec<&'static str>,
    /// What moves can stand for.
    notations: Vec<&'static str>,
    /// How directions can be written.
    styles: Vec<&'static str>,
}

/// What a caller can have at most.
#[derive(Serialize, ToSchema)]
struct AboutLimits {
    /// Searches at once.
    searches: usize,
    /// Searches that may wait.
    queue: usize,
    /// The milliseconds of a search.
    limit_time_ms: u64,
    /// The nodes of a search.
    limit_nodes: u64,
    /// The bytes in which a search keeps states.
    limit_memory: u64,
    /// The bytes that all searches of whole spaces may take at once.
    survey_memory: u64,
    /// The bytes of what is kept for the next request.
    kept: u64,
    /// The events of a trace.
    max_events: u64,
    /// The cells of a board.
    cells: usize,
    /// The bytes of a body.
    body: usize,
}

/// An algorithm.
#[derive(Serialize, ToSchema)]
struct AboutAlgorithm {
    name: &'static str,
    summary: &'static str,
    /// Whether it looks at a heuristic.
    uses_heuristic: bool,
}

/// One that every board is shown; pattern databases have names of their own making (`pdb:5-5-5`).
#[derive(Serialize, ToSchema)]
struct AboutHeuristic {
    name: String,
    summary: &'static str,
}

/// Names and limits.
///
/// What this server is and takes: its version, its limits, and the names of things.
#[utoipa::path(
    get,
    path = "/api/v1/about",
    responses((status = 200, description = "The answer.", body = About), Refusals)
)]
pub(crate) async fn about(State(app): State<App>) -> Answered<About> {
    let bounds = &app.bounds;
    Answered(About {
        version: env!("CARGO_PKG_VERSION"),
        limits: AboutLimits {
            searches: bounds.searches,
            queue: bounds.queue,
            limit_time_ms: u64::try_from(bounds.time.as_millis()).unwrap_or(u64::MAX),
            limit_nodes: bounds.nodes,
            limit_memory: bounds.memory,
            survey_memory: bounds.survey_memory,
            kept: bounds.kept,
            max_events: bounds.events,
            cells: bounds.cells,
            body: bounds.body,
        },
        goals: Goal::NAMED.map(|goal| goal.name().into_owned()).into(),
        algorithms: Algorithm::ALL
            .map(|algorithm| AboutAlgorithm {
                name: algorithm.name(),
                summary: algorithm.summary(),
                uses_heuristic: algorithm.uses_heuristic(),
            })
            .into(),
        heuristics: HeuristicKind::ALL
            .map(|kind| AboutHeuristic {
                name: kind.name().into_owned(),
                summary: kind.summary(),
            })
            .into(),
        forms: BoardForm::names().collect(),
        notations: MoveNotation::names().collect(),
        styles: MoveStyle::names().collect(),
    })
}
