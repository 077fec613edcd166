//! The way to the goal.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use taquin::heuristic::HeuristicKind;
use taquin::search::{Algorithm, Cost, Laboratory, Limits, Progress, Report};
use taquin::solve::{self, Aim, Effort, Improvement, Solver};
use taquin::{Move, Solvability};
use taquin_records::{Search, Solve, Writing};
use utoipa::{IntoParams, ToSchema};

use super::hint::writing;
use super::stream::{self, ServerSentEvent};
use super::{Answer, Answered};
use crate::errand;
use crate::fields::{AlgorithmName, CostName, FormName, Heuristic, NotationName, StyleName, Task};
use crate::problem::{Problem, Refusals};
use crate::read::{Json, Query};
use crate::state::{App, Wishes};

/// A board, and how to solve it.
#[derive(Debug, Deserialize, ToSchema, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SolveRequest {
    /// The board, in any form.
    #[schema(example = "8 1 3/4 0 2/7 6 5")]
    #[param(example = "8 1 3/4 0 2/7 6 5")]
    board: String,
    /// The form of the board; without it, it is found.
    #[schema(inline)]
    #[param(inline)]
    form: Option<FormName>,
    /// The goal: a name, or a board. Default: `classic`, or the goal that belongs to the form.
    #[schema(example = "classic")]
    #[param(example = "classic")]
    goal: Option<String>,
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
    algorithm: Option<AlgorithmName>,
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
    cost: Option<CostName>,
    /// List all shortest solutions.
    #[serde(default)]
    all: bool,
    /// With `all`: list so many at most.
    #[schema(minimum = 1, maximum = 1000)]
    #[param(minimum = 1, maximum = 1000)]
    max: Option<u32>,
    /// Count the shortest solutions.
    #[serde(default)]
    count: bool,
    /// What the moves stand for. Default: `tile`, the direction in which the tile slides.
    #[schema(inline)]
    #[param(inline)]
    notation: Option<NotationName>,
    /// How directions are written. Default: `letters`.
    #[schema(inline)]
    #[param(inline)]
    style: Option<StyleName>,
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
/// As short as can be, unless `within_ms` or `fast` ask for less. A search that hits a limit is an
/// answer too, and tells what is proven.
#[utoipa::path(
    post,
    path = "/api/v1/solve",
    request_body = SolveRequest,
    responses((status = 200, description = "The answer.", body = Solve), Refusals)
)]
pub(crate) async fn solve(
    State(app): State<App>,
    Json(request): Json<SolveRequest>,
) -> Answer<Solve<'static>> {
    let job = match Job::new(&app, &request)? {
        Ok(job) => job,
        Err(unsolvable) => return Ok(Answered(unsolvable)),
    };
    let shared = app.clone();
    let solved = errand::run(&app, move |cancel| {
        job.run(&shared, cancel, None, &mut |_| ())
    });
    solved.await.map(Answered)
}

/// The same as a stream of events.
///
/// `queued` if it has to wait, `progress` some times a second, `improved` with every better solution
/// or bound (an `Improvement`), `end` with the `Solve`; `problem` if it fails. The search stops when
/// the client leaves. `all`, `max` and `count` are not taken.
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
    Query(request): Query<SolveRequest>,
) -> Result<Response, Problem> {
    if request.all || request.max.is_some() || request.count {
        let detail = "a stream has one solution; ask for all of them with POST /api/v1/solve";
        return Err(Problem::invalid("/all", detail));
    }
    match Job::new(&app, &request)? {
        Ok(job) => stream::solve(&app, job),
        Err(unsolvable) => Ok(stream::end(&unsolvable)),
    }
}

/// A board that can be solved, and how that is to be done.
#[derive(Debug)]
pub(crate) struct Job {
    task: Task,
    method: Method,
    limits: Limits,
    writing: Writing,
}

#[derive(Clone, Copy, Debug)]
enum Method {
    /// A shortest solution, or several of them.
    Shortest(Option<Every>),
    /// The best that is found in this time.
    Within(Duration),
    /// The first that is found.
    Fast,
    Laboratory {
        algorithm: Algorithm,
        heuristic: Option<HeuristicKind>,
        weight: f64,
        cost: Cost,
    },
}

/// All shortest solutions, as far as they are wanted.
#[derive(Clone, Copy, Debug)]
struct Every {
    list: Option<usize>,
    count: bool,
}

impl SolveRequest {
    fn method(&self) -> Result<Method, Problem> {
        let laboratory = [
            ("algorithm", self.algorithm.is_some()),
            ("heuristic", self.heuristic.is_some()),
            ("weight", self.weight.is_some()),
            ("cost", self.cost.is_some()),
        ];
        let every = [
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
            given(&every),
        ];
        let mut modes = modes.into_iter().flatten();
        if let (Some(first), Some(second)) = (modes.next(), modes.next()) {
            let detail = format!("{first} and {second} do not go together");
            return Err(Problem::invalid(format!("/{second}"), detail));
        }
        if let Some(within) = self.within_ms {
            return Ok(Method::Within(Duration::from_millis(within)));
        }
        if self.fast {
            return Ok(Method::Fast);
        }
        if given(&laboratory).is_some() {
            let weight = self.weight.unwrap_or(Laboratory::DEFAULT_WEIGHT);
            if !WEIGHTS.contains(&weight) {
                let detail = "a weight is a number from 1 to 1000000";
                return Err(Problem::invalid("/weight", detail));
            }
            let algorithm = self.algorithm.map_or(Algorithm::Idastar, |asked| asked.0);
            if self.weight.is_some() && algorithm != Algorithm::Wastar {
                return Err(Problem::invalid(
                    "/weight",
                    "weight goes with the algorithm wastar",
                ));
            }
            return Ok(Method::Laboratory {
                algorithm,
                heuristic: self.heuristic.map(|asked| asked.0),
                weight,
                cost: self.cost.map_or_else(Cost::default, |cost| cost.0),
            });
        }
        Ok(Method::Shortest(self.every()?))
    }

    fn every(&self) -> Result<Option<Every>, Problem> {
        let most = self.max.unwrap_or(MOST_LISTED);
        if !(1..=MOST_LISTED).contains(&most) {
            let detail = format!("from 1 to {MOST_LISTED} solutions can be listed");
            return Err(Problem::invalid("/max", detail));
        }
        if self.max.is_some() && !self.all {
            return Err(Problem::invalid("/max", "max goes with all"));
        }
        Ok((self.all || self.count).then(|| Every {
            list: self.all.then_some(most as usize),
            // All of them are counted on the way.
            count: self.count || self.max.is_none(),
        }))
    }
}

impl Job {
    /// What a request asks for, or the answer if the board cannot be solved.
    fn new(app: &App, request: &SolveRequest) -> Result<Result<Self, Solve<'static>>, Problem> {
        let task = Task::read(app, &request.board, request.form, request.goal.as_deref())?;
        let job = Self {
            method: request.method()?,
            limits: app.bounds.lowered(Wishes {
                time_ms: request.limit_time_ms,
                nodes: request.limit_nodes,
                memory: request.limit_memory,
            }),
            writing: writing(request.notation, request.style),
            task,
        };
        let verdict = job.task.verdict()?;
        Ok(if verdict.is_solvable() {
            Ok(job)
        } else {
            Err(job.unsolvable(verdict))
        })
    }

    fn unsolvable(&self, verdict: Solvability) -> Solve<'static> {
        let (algorithm, heuristic) = match self.method {
            Method::Laboratory {
                algorithm,
                heuristic,
                ..
            } => (algorithm.name(), heuristic.map(HeuristicKind::name)),
            Method::Shortest(_) => (Algorithm::Idastar.name(), None),
            Method::Within(_) => (WITHIN, None),
            Method::Fast => (FAST, None),
        };
        let reason = solve::SolveError::Unsolvable(verdict).to_string();
        let search = self.search(algorithm, heuristic.map(Into::into));
        Solve::unsolvable(&self.task.board, search, reason)
    }

    fn search(&self, algorithm: &'static str, heuristic: Option<String>) -> Search<'static> {
        Search {
            goal: self.task.goal_name.clone().into(),
            algorithm,
            heuristic: heuristic.map(Into::into),
            cost: match self.method {
                Method::Laboratory { cost, .. } => cost,
                _ => Cost::Unit,
            },
            writing: self.writing,
        }
    }

    /// Searches; `watch` is told of better solutions on the way.
    pub(crate) fn run(
        &self,
        app: &App,
        cancel: Arc<AtomicBool>,
        progress: Option<Arc<Progress>>,
        watch: &mut dyn FnMut(taquin_records::Improvement<'static>),
    ) -> Result<Solve<'static>, Problem> {
        let limits = Limits {
            cancel: Some(cancel),
            progress,
            ..self.limits.clone()
        };
        match self.method {
            Method::Shortest(every) => self.shortest(app, limits, every),
            Method::Within(within) => self.best(app, limits, Some(within), watch),
            Method::Fast => self.best(app, limits, None, watch),
            Method::Laboratory {
                algorithm,
                heuristic,
                weight,
                cost,
            } => self.laboratory(app, &limits, (algorithm, heuristic, weight, cost)),
        }
    }

    fn shortest(
        &self,
        app: &App,
        mut limits: Limits,
        every: Option<Every>,
    ) -> Result<Solve<'static>, Problem> {
        let begin = Instant::now();
        let equipped = app.workshop.solver(&self.task.goal, limits.time);
        limits.time = limits.time.map(|time| time.saturating_sub(begin.elapsed()));
        let solver = equipped.solver();
        if !solver.has_tables() {
            if every.is_some() {
                let detail = "all shortest solutions can only be had where there are tables, \
                              and there are none for boards of this size";
                return Err(Problem::invalid("/board", detail));
            }
            let method = (
                Algorithm::Idastar,
                None,
                Laboratory::DEFAULT_WEIGHT,
                Cost::Unit,
            );
            return self.laboratory(app, &limits, method);
        }
        let effort = Effort {
            limits,
            threads: app.threads(),
            aim: Aim::Shortest,
        };
        let search = self.search(Algorithm::Idastar.name(), equipped.heuristic());
        let Some(every) = every else {
            return self.answer(app, search, solver.solve(&self.task.board, &effort));
        };
        let list = every.list.unwrap_or(0);
        let all = solver.all(&self.task.board, &effort, list, every.count);
        let all = all.map_err(|error| Problem::invalid("/board", error.to_string()))?;
        let written = all.solutions.iter();
        let written = written.map(|moves| self.writing.text(&self.task.board, moves));
        let written = every.list.map(|_| written.collect());
        let record = self.answer::<solve::SolveError>(app, search, Ok(all.report))?;
        Ok(record.with_solutions(all.count, written))
    }

    /// The best solution that is found in some time, or the first one.
    fn best(
        &self,
        app: &App,
        mut limits: Limits,
        within: Option<Duration>,
        watch: &mut dyn FnMut(taquin_records::Improvement<'static>),
    ) -> Result<Solve<'static>, Problem> {
        let begin = Instant::now();
        let time = within.map(|within| limits.time.map_or(within, |limit| limit.min(within)));
        let equipped = app.workshop.solver(&self.task.goal, time);
        limits.time = time.or(limits.time);
        limits.time = limits.time.map(|time| time.saturating_sub(begin.elapsed()));
        let (aim, name) = match within {
            Some(_) => (Aim::Best, WITHIN),
            None => (Aim::First, FAST),
        };
        let effort = Effort {
            limits,
            threads: app.threads(),
            aim,
        };
        let board = &self.task.board;
        let mut tell = |known: Improvement<'_>| {
            watch(taquin_records::Improvement::new(
                board,
                &known,
                self.writing,
            ));
        };
        let solver: &Solver = equipped.solver();
        let report = solver.improve(board, &effort, &mut tell);
        self.answer(app, self.search(name, equipped.heuristic()), report)
    }

    fn laboratory(
        &self,
        app: &App,
        limits: &Limits,
        (algorithm, heuristic, weight, cost): (Algorithm, Option<HeuristicKind>, f64, Cost),
    ) -> Result<Solve<'static>, Problem> {
        let begin = Instant::now();
        let cancel = limits.cancel.clone().unwrap_or_default();
        let make = |kind| {
            app.workshop
                .laboratory(&self.task.goal, cost, kind, &cancel)
        };
        let laboratory = match heuristic {
            _ if !algorithm.uses_heuristic() => make(HeuristicKind::Zero),
            Some(kind) => make(kind),
            None => make(HeuristicKind::Max).or_else(|_| make(HeuristicKind::LinearConflict)),
        };
        let laboratory = laboratory.map_err(|error| Problem::invalid("/heuristic", error))?;
        let laboratory = Laboratory::clone(&laboratory).with_weight(weight);
        let limits = Limits {
            time: limits.time.map(|time| time.saturating_sub(begin.elapsed())),
            ..limits.clone()
        };
        let report = laboratory.search(&self.task.board, algorithm, &limits);
        let kind = laboratory.heuristic();
        let heuristic = algorithm.uses_heuristic().then(|| kind.name().into_owned());
        self.answer(app, self.search(algorithm.name(), heuristic), report)
    }

    fn answer<E: std::fmt::Display>(
        &self,
        app: &App,
        search: Search<'static>,
        report: Result<Report<Move>, E>,
    ) -> Result<Solve<'static>, Problem> {
        let report = report.map_err(|error| Problem::invalid("/board", error.to_string()))?;
        app.account(&report);
        Ok(Solve::new(&self.task.board, search, &report))
    }
}

/// The names of searches that do not look for shortest solutions.
const WITHIN: &str = "anytime";
const FAST: &str = "first";
