//! What a search does, node by node.

use std::ops::ControlFlow;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use taquin::heuristic::HeuristicKind;
use taquin::search::{Algorithm, Tracer};
use taquin_records::{AlgorithmWord, CostWord, FormWord, MetricWord, Trace};
use utoipa::IntoParams;

use super::stream::{self, ServerSentEvent};
use crate::client::Client;
use crate::fields::{self, Heuristic, Task};
use crate::problem::{Problem, Refusals};
use crate::read::Query;
use crate::search_task::CancelOnDrop;
use crate::state::{App, RequestedLimits};

/// A board, and the search to show on it.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TraceQuery {
    /// The board, in any form.
    #[param(example = "8 1 3/4 0 2/7 6 5")]
    board: String,
    /// The form of the board; without it, it is found.
    #[param(inline)]
    form: Option<FormWord>,
    /// The goal: a name, or a board. Default: `classic`, or the goal that belongs to the form.
    #[param(example = "classic")]
    goal: Option<String>,
    /// The algorithm. Default: `idastar`.
    #[param(inline)]
    algorithm: Option<AlgorithmWord>,
    /// The heuristic. Default: `manhattan`.
    #[param(inline)]
    heuristic: Option<Heuristic>,
    /// What counts as a move. Default: `single`.
    #[param(inline)]
    metric: Option<MetricWord>,
    /// What a move costs; `unit` in multi-tile moves. Default: `unit`.
    #[param(inline)]
    cost: Option<CostWord>,
    /// Stop after this many events. Default: 10000.
    max_events: Option<u64>,
    /// Stop the search after this many milliseconds.
    limit_time_ms: Option<u64>,
    /// Stop the search after it has expanded this many nodes.
    limit_nodes: Option<u64>,
    /// Stop a search that needs more bytes for its states.
    limit_memory: Option<u64>,
}

/// How many events there are unless another number is asked for.
const DEFAULT_EVENTS: u64 = 10_000;

/// What a search does, node by node, as a stream of events.
///
/// The events are those of a `Trace`, each under its own name; `queued` if it has to wait, `problem`
/// if it fails. The search stops when the client leaves.
#[utoipa::path(
    get,
    path = "/api/v1/trace/stream",
    params(TraceQuery),
    responses(
        (status = 200, description = "Server-sent events.", body = ServerSentEvent, content_type = "text/event-stream"),
        Refusals
    )
)]
pub(crate) async fn trace_stream(
    State(app): State<App>,
    client: Client,
    Query(query): Query<TraceQuery>,
) -> Result<Response, Problem> {
    let task = Task::read(&app, &query.board, query.form, query.goal.as_deref())?;
    let solvability = task.solvability()?;
    let algorithm = query.algorithm.map_or(Algorithm::Idastar, |asked| asked.0);
    let asked = query
        .heuristic
        .map_or(HeuristicKind::Manhattan, |asked| asked.0);
    let kind = if algorithm.uses_heuristic() {
        asked
    } else {
        HeuristicKind::Zero
    };
    let counting = fields::counting(query.metric, query.cost)?;
    let events = query
        .max_events
        .unwrap_or(DEFAULT_EVENTS)
        .min(app.bounds.events);
    let cancel_on_drop = CancelOnDrop::new(&app);
    let stop = cancel_on_drop.flag();
    let mut limits = app.bounds.lowered(RequestedLimits {
        time_ms: query.limit_time_ms,
        nodes: query.limit_nodes,
        memory: query.limit_memory,
    });
    limits.cancel = Some(cancel_on_drop.flag());
    let shared = app.clone();
    stream::run(&app, &client, cancel_on_drop, move |sink| {
        let laboratory = shared
            .resources
            .laboratory(&task.goal_board, counting, kind, &limits)
            .map_err(|error| Problem::of_heuristic(error, "/heuristic"))?;
        let h = laboratory
            .estimate(&task.board)
            .map_err(|error| Problem::invalid("/goal", error.to_string()))?;
        let tell = |record: &Trace<'_>| sink.send(record.name(), record);
        let name = task.goal_name();
        tell(&Trace::start(
            &task.board,
            name,
            counting,
            algorithm,
            kind,
            h,
        ));
        let last = |record: &Trace<'_>| stream::event(record.name(), record);
        if let Err(unsolvable) = solvability {
            return Ok(last(&Trace::unsolvable(&unsolvable)));
        }
        let mut tracer = Tracer::new(task.board.size(), events, stop, |event| {
            if tell(&Trace::from(&event)) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        let report = laboratory
            .observe(&task.board, algorithm, &limits, &mut tracer)
            .map_err(|error| Problem::of_laboratory(error, "/board"))?;
        shared.account(&report.statistics);
        Ok(last(&Trace::end(&tracer, &report)))
    })
}
