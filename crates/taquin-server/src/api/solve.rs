//! The way to the goal.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use taquin::search::{Algorithm, Cost};
use taquin::{AllShortest, Event, LaboratoryChoice, Limits, Metric, Progress, Request, Want};
use taquin_records::{
    AlgorithmWord, CostWord, FormWord, Improvement, MetricWord, NotationWord, Solve, StyleWord,
    Word, Writing,
};
use utoipa::{IntoParams, ToSchema};

use super::hint::writing;
use super::stream::{self, ServerSentEvent};
use super::{Answer, Answered};
use crate::client::Client;
use crate::fields::{Heuristic, Task};
use crate::problem::{Problem, Refusals};
use crate::read::{Json, Query};
use crate::search_task;
use crate::state::{App, RequestedLimits};

/// A board, and how to solve it.
#[derive(Debug, Deserialize, ToSchema, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
#[expect(clippy::struct_excessive_bools, reason = "they are fields of the API")]
pub(crate) struct SolveRequest {
    /// The board, in any form.
    #[schema(example = "8 1 3/4 0 2/7 6 5")]
    #[param(example = "8 1 3/4 0 2/7 6 5")]
    board: String,
    /// The form of the board; without it, it is found.
    #[schema(inline)]
    #[param(inline)]
    form: Option<FormWord>,
    /// The goal: a name, or a board. Default: `classic`, or the goal that belongs to the form.
    #[schema(example = "classic")]
    #[param(example = "classic")]
    goal: Option<String>,
    /// What counts as a move: `single`, every tile that slides, or `multi`, a slide of several tiles
    /// in a line. Default: `single`.
    #[schema(inline)]
    #[param(inline)]
    metric: Option<MetricWord>,
    /// A shortest solution, however long it takes within the limits. Without this field, boards of
    /// more than 16 cells get some ten seconds.
    #[serde(default)]
    optimal: bool,
    /// The best solution that is found in this many milliseconds, for boards of every size.
    #[schema(example = 500)]
    #[param(example = 500)]
    within_ms: Option<u64>,
    /// The first solution that is found, for boards of every size.
    #[serde(default)]
    fast: bool,
    /// The algorithm. Default: `idastar`.
    #[schema(inline)]
    #[param(inline)]
    algorithm: Option<AlgorithmWord>,
    /// The heuristic. Default: the strongest that is soon made.
    #[schema(inline)]
    #[param(inline)]
    heuristic: Option<Heuristic>,
    /// The weight of `wastar`, from 1: its solutions are at most this many times too long.
    #[schema(minimum = 1, maximum = 1_000_000)]
    #[param(minimum = 1, maximum = 1_000_000)]
    weight: Option<f64>,
    /// What a move costs. Default: `unit`.
    #[schema(inline)]
    #[param(inline)]
    cost: Option<CostWord>,
    /// List all shortest solutions.
    #[serde(default)]
    all: bool,
    /// With `all`: list this many at most.
    #[schema(minimum = 1, maximum = 1000)]
    #[param(minimum = 1, maximum = 1000)]
    max: Option<u32>,
    /// Count the shortest solutions.
    #[serde(default)]
    count: bool,
    /// What the moves stand for. Default: `tile`, the direction in which the tile slides.
    #[schema(inline)]
    #[param(inline)]
    notation: Option<NotationWord>,
    /// How directions are written. Default: `letters`; in multi-tile moves `compact`.
    #[schema(inline)]
    #[param(inline)]
    style: Option<StyleWord>,
    /// Stop the search after this many milliseconds.
    limit_time_ms: Option<u64>,
    /// Stop the search after it has expanded this many nodes.
    limit_nodes: Option<u64>,
    /// Stop a search that needs more bytes for its states.
    limit_memory: Option<u64>,
}

/// The weights that weighted A* takes.
const WEIGHTS: std::ops::RangeInclusive<f64> = 1.0..=1e6;
/// The most shortest solutions that are listed.
const MOST_LISTED: u32 = 1_000;

/// A solution of a board.
///
/// Boards of up to 16 cells get a shortest solution. Larger ones get a shortest solution if it is
/// found and proven in some ten seconds, else the best one found by then, with a bound. `optimal`,
/// `within_ms` and `fast` ask for more or less. A search that hits a limit is an answer too, and
/// tells what is proven.
#[utoipa::path(
    post,
    path = "/api/v1/solve",
    request_body = SolveRequest,
    responses((status = 200, description = "The answer.", body = Solve), Refusals)
)]
pub(crate) async fn solve(
    State(app): State<App>,
    client: Client,
    Json(request): Json<SolveRequest>,
) -> Answer<Solve<'static>> {
    let job = Job::new(&app, &request)?;
    if !job.needs_search {
        return job.run_at_once(&app).map(Answered);
    }
    let shared = app.clone();
    let solved = search_task::run(&app, &client, move |cancel| {
        job.run(&shared, cancel, None, &mut |_| ())
    });
    solved.await.map(Answered)
}

/// A solution of a board, as a stream of events.
///
/// `queued` if it has to wait, `building` if tables have to be built first, `progress` some times a
/// second, `improved` with every better solution or bound (an `Improvement`), `end` with the
/// `Solve`; `problem` if it fails. The search stops when the client leaves. `all`, `max` and `count`
/// are not taken.
#[utoipa::path(
    get,
    path = "/api/v1/solve/stream",
    params(SolveRequest),
    responses(
        (status = 200, description = "Server-sent events.", body = ServerSentEvent, content_type = "text/event-stream"),
        Refusals
    )
)]
pub(crate) async fn solve_stream(
    State(app): State<App>,
    client: Client,
    Query(request): Query<SolveRequest>,
) -> Result<Response, Problem> {
    if request.all || request.max.is_some() || request.count {
        let detail = "a stream has one solution; ask for all of them with POST /api/v1/solve";
        return Err(Problem::invalid("/all", detail));
    }
    let job = Job::new(&app, &request)?;
    if !job.needs_search {
        return Ok(stream::end(&job.run_at_once(&app)?));
    }
    stream::solve(&app, &client, job)
}

impl SolveRequest {
    /// What is wanted, if the fields go together.
    fn want(&self) -> Result<Want, Problem> {
        let laboratory = [
            ("algorithm", self.algorithm.is_some()),
            ("heuristic", self.heuristic.is_some()),
            ("weight", self.weight.is_some()),
            ("cost", self.cost.is_some()),
        ];
        let shortest = [
            ("optimal", self.optimal),
            ("all", self.all),
            ("max", self.max.is_some()),
            ("count", self.count),
        ];
        let given = |fields: &[(&'static str, bool)]| {
            let given = fields.iter().find(|(_, given)| *given);
            given.map(|(name, _)| *name)
        };
        let modes = [
            self.within_ms.map(|_| "within_ms"),
            self.fast.then_some("fast"),
            given(&laboratory),
            given(&shortest),
        ];
        let mut modes = modes.into_iter().flatten();
        if let (Some(first), Some(second)) = (modes.next(), modes.next()) {
            let detail = format!("{first} and {second} do not go together");
            return Err(Problem::invalid(format!("/{second}"), detail));
        }
        Ok(if let Some(within) = self.within_ms {
            Want::Within(Duration::from_millis(within))
        } else if self.fast {
            Want::First
        } else if given(&laboratory).is_some() {
            Want::Laboratory(self.laboratory()?)
        } else if let Some(all) = self.all_shortest()? {
            Want::All(all)
        } else if self.optimal {
            Want::Shortest
        } else {
            Want::Solution
        })
    }

    fn laboratory(&self) -> Result<LaboratoryChoice, Problem> {
        let usual = LaboratoryChoice::default();
        let algorithm = self.algorithm.map_or(usual.algorithm, |asked| asked.0);
        let cost = self.cost.map_or(usual.cost, |cost| cost.0);
        if self.metric == Some(Word(Metric::Multi)) && cost != Cost::Unit {
            let detail = "every tile that slides has its cost, so cost goes with the metric single";
            return Err(Problem::invalid("/cost", detail));
        }
        let weight = self.weight.unwrap_or(usual.weight);
        if !WEIGHTS.contains(&weight) {
            let detail = "a weight is a number from 1 to 1000000";
            return Err(Problem::invalid("/weight", detail));
        }
        if self.weight.is_some() && algorithm != Algorithm::Wastar {
            let detail = "weight goes with the algorithm wastar";
            return Err(Problem::invalid("/weight", detail));
        }
        Ok(LaboratoryChoice {
            algorithm,
            heuristic: self.heuristic.map(|asked| asked.0),
            weight,
            cost,
        })
    }

    fn all_shortest(&self) -> Result<Option<AllShortest>, Problem> {
        let most = self.max.unwrap_or(MOST_LISTED);
        if !(1..=MOST_LISTED).contains(&most) {
            let detail = format!("from 1 to {MOST_LISTED} solutions can be listed");
            return Err(Problem::invalid("/max", detail));
        }
        if self.max.is_some() && !self.all {
            return Err(Problem::invalid("/max", "max goes with all"));
        }
        Ok((self.all || self.count).then(|| AllShortest {
            list: self.all.then_some(most as usize),
            // All of them are counted on the way.
            count: self.count || self.max.is_none(),
        }))
    }
}

/// A request to the library, and how to write the answer.
#[derive(Debug)]
pub(crate) struct Job {
    request: Request,
    writing: Writing,
    /// Whether the board can be solved. If not, the answer is there at once.
    needs_search: bool,
}

impl Job {
    fn new(app: &App, request: &SolveRequest) -> Result<Self, Problem> {
        let task = Task::read(app, &request.board, request.form, request.goal.as_deref())?;
        let want = request.want()?;
        let metric = request
            .metric
            .map_or_else(Metric::default, |metric| metric.0);
        let needs_search = task.solvability()?.is_ok();
        Ok(Self {
            request: Request {
                goal: task.goal,
                want,
                metric,
                limits: app.bounds.lowered(RequestedLimits {
                    time_ms: request.limit_time_ms,
                    nodes: request.limit_nodes,
                    memory: request.limit_memory,
                }),
                ..Request::new(task.board)
            },
            writing: writing(request.notation, request.style, metric),
            needs_search,
        })
    }

    /// The answer that takes no search.
    fn run_at_once(&self, app: &App) -> Result<Solve<'static>, Problem> {
        self.run(app, Arc::default(), None, &mut |_| ())
    }

    /// Searches; `events` is told of what happens on the way.
    pub(crate) fn run(
        &self,
        app: &App,
        cancel: Arc<AtomicBool>,
        progress: Option<Arc<Progress>>,
        events: &mut dyn FnMut(Event<'_>),
    ) -> Result<Solve<'static>, Problem> {
        let request = Request {
            limits: Limits {
                cancel: Some(cancel),
                progress,
                ..self.request.limits.clone()
            },
            ..self.request.clone()
        };
        let answer = app
            .resources
            .solver()
            .solve_with(&request, &mut |event| match event {
                Event::Notice(notice) => tracing::info!("{notice}"),
                event => events(event),
            })?;
        app.account(&answer.statistics);
        if let Some(abandoned) = &answer.abandoned {
            app.account(&abandoned.statistics);
        }
        let cost = match request.want {
            Want::Laboratory(choice) => choice.cost,
            _ => Cost::Unit,
        };
        let (board, goal) = (&request.board, request.goal.name());
        Ok(Solve::new(board, goal, cost, self.writing, &answer))
    }

    /// The record of something better that was found on the way.
    pub(crate) fn improvement(
        &self,
        known: &taquin::solve::Improvement<'_>,
    ) -> Improvement<'static> {
        let Request { board, metric, .. } = &self.request;
        Improvement::new(board, known, *metric, self.writing)
    }
}
