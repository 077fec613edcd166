//! The front door: requests in, answers out.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{fmt, thread};

use super::answer::{Answer, Ending, SearchedBy, SolveError};
use super::event::{Event, Notice};
use super::laboratory::Laboratories;
use super::pool::SolverPool;
use super::puzzle::{Puzzle, PuzzleKey};
use super::request::{Request, Want};
use super::shortest::Plan;
use crate::outcome::{Budget, Limits};
use crate::solve::{Effort, GoalSolver};
use crate::supply::{TableSource, TablesError};
use crate::tables::Tier;
#[cfg(feature = "store")]
use crate::tables::store::Store;
use crate::{Board, Goal, Metric, Size, Unsolvable};

/// Solves boards: one [`Request`] in, one [`Answer`] out.
///
/// It gets the tables it needs, keeps them for the next request, and can be shared by threads:
/// requests that run side by side share its threads.
///
/// ```
/// use taquin::{Board, Request, Solver};
///
/// let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
/// let answer = Solver::in_memory().solve(&Request::new(board))?;
/// assert_eq!(answer.solution()?.moves.len(), 14);
/// assert!(answer.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    pub(super) pool: SolverPool,
    pub(super) laboratories: Laboratories,
    pub(super) threads: usize,
    pub(super) longest_build: Duration,
    /// Requests under way, which share the threads.
    busy: AtomicUsize,
    /// Which tables each canonical goal uses in each metric.
    pub(super) plans: Mutex<HashMap<PuzzleKey, Plan>>,
    /// Sizes of which it was said that they have no tables in a metric, or not the best ones.
    told: Mutex<HashSet<(Size, Metric)>>,
}

/// A request under way.
pub(super) struct Job<'a> {
    pub(super) request: &'a Request,
    pub(super) board: &'a Board,
    /// The goal as a board, which can be reached.
    pub(super) goal: Board,
    pub(super) threads: usize,
    pub(super) budget: Budget,
}

impl Solver {
    /// How many bytes of tables are kept unless [`with_kept_bytes`](Self::with_kept_bytes) says
    /// otherwise.
    const KEPT_BYTES: u64 = 8 << 30;
    /// The longest time that goes into building tables that were not asked for, unless
    /// [`with_longest_build`](Self::with_longest_build) says otherwise.
    const LONGEST_BUILD: Duration = Duration::from_secs(60);

    /// A solver that builds its tables in memory when they are needed.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::with_source(TableSource::in_memory())
    }

    /// A solver that keeps its tables in the files of a store, for the next program.
    #[must_use]
    #[cfg(feature = "store")]
    pub fn stored(store: Store) -> Self {
        Self::with_source(TableSource::stored(store))
    }

    /// A solver with tables from a source.
    #[must_use]
    pub fn with_source(source: TableSource) -> Self {
        Self {
            pool: SolverPool::new(source, Self::KEPT_BYTES),
            laboratories: Laboratories::new(Self::KEPT_BYTES),
            threads: thread::available_parallelism().map_or(1, usize::from),
            longest_build: Self::LONGEST_BUILD,
            busy: AtomicUsize::new(0),
            plans: Mutex::default(),
            told: Mutex::default(),
        }
    }

    /// This solver, searching with that many threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        let threads = threads.max(1);
        Self { threads, ..self }
    }

    /// This solver, building no tables that take longer than this unless they are asked for.
    #[must_use]
    pub fn with_longest_build(self, longest_build: Duration) -> Self {
        Self {
            longest_build,
            ..self
        }
    }

    /// This solver, keeping tables of at most that many bytes for the next request: three quarters
    /// of them for its own, one for those of the laboratory. Tables that are too large for that are
    /// used and not kept.
    #[must_use]
    pub fn with_kept_bytes(self, bytes: u64) -> Self {
        let laboratories = bytes / 4;
        Self {
            pool: self.pool.keeping(bytes - laboratories),
            laboratories: self.laboratories.keeping(laboratories),
            ..self
        }
    }

    /// This solver, building tables in no more than that many bytes at once, however many requests
    /// need some.
    #[must_use]
    pub fn with_build_room(self, bytes: u64) -> Self {
        Self {
            pool: self.pool.building_in(bytes),
            ..self
        }
    }

    /// Bytes of the tables that it keeps.
    #[must_use]
    pub fn kept_bytes(&self) -> u64 {
        self.pool.kept_bytes() + self.laboratories.kept_bytes()
    }

    /// This solver, building no heuristics for the laboratory that take more than that many bytes.
    #[must_use]
    pub fn with_laboratory_bytes(self, bytes: u64) -> Self {
        Self {
            laboratories: self.laboratories.bounded(bytes),
            ..self
        }
    }

    /// Whether all tables of a puzzle's tier have files.
    pub(super) fn is_stored(&self, puzzle: Puzzle<'_>, tier: Tier) -> bool {
        self.source().is_stored(puzzle.goal, puzzle.metric, tier)
    }

    /// Where its tables come from.
    #[must_use]
    pub const fn source(&self) -> &TableSource {
        &self.pool.source
    }

    /// How many threads it searches with.
    #[must_use]
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// Answers a request.
    pub fn solve(&self, request: &Request) -> Result<Answer, SolveError> {
        self.solve_with(request, &mut |_| ())
    }

    /// Answers a request, and tells of what happens on the way.
    ///
    /// Solutions were replayed before they come here, and tables that were used are still what they
    /// were when they were checked. Else there is an error in place of the answer, and tables that
    /// were changed are not used again.
    ///
    /// ```
    /// use std::time::Duration;
    /// use taquin::{Event, Goal, Request, Rng, Solver, Want, uniform};
    ///
    /// let goal = Goal::Classic.board("6x6".parse()?)?;
    /// let request = Request {
    ///     want: Want::Within(Duration::from_millis(100)),
    ///     ..Request::new(uniform(&goal, &mut Rng::from_seed(1)))
    /// };
    /// let mut lengths = Vec::new();
    /// let answer = Solver::in_memory().solve_with(&request, &mut |event| {
    ///     if let Event::Improved(known) = event {
    ///         lengths.push(known.moves.len());
    ///     }
    /// })?;
    /// assert!(lengths.is_sorted_by(|a, b| a >= b));
    /// assert_eq!(lengths.last(), Some(&answer.solution()?.moves.len()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_with(
        &self,
        request: &Request,
        events: &mut dyn FnMut(Event<'_>),
    ) -> Result<Answer, SolveError> {
        let board = &request.board;
        let goal = request.goal.board(board.size())?;
        // No tables are built for a board that cannot be solved.
        if let Err(unsolvable) = Unsolvable::check(board, &goal)? {
            let ending = Ending::Unsolvable(unsolvable);
            return Ok(Answer {
                metric: request.metric,
                ..Answer::without_search(ending, searched_by(request))
            });
        }
        // Nor are they for a checkpoint of another board.
        if let Some(kept) = request.checkpoint.as_ref().and_then(|keeper| keeper.kept()) {
            kept.check(board, &goal)?;
        }
        let busy = Busy::new(&self.busy);
        let threads = request.threads.unwrap_or(self.threads).max(1);
        let job = Job {
            request,
            board,
            goal,
            threads: (threads / busy.requests).max(1),
            budget: Budget::new(&request.limits),
        };
        let answer = match request.want {
            Want::Solution if board.size().cells() > Want::SMALL_CELLS => {
                self.best_or_shortest(&job, events)
            }
            Want::Solution | Want::Shortest => self.shortest(&job, None, events),
            Want::All(all) => self.shortest(&job, Some(all), events),
            Want::Within(time) => self.best(&job, time, events),
            Want::First => self.first(&job, events),
            Want::Laboratory(choice) => self.in_laboratory(&job, choice),
        };
        if let Err(SolveError::Changed(_)) = answer {
            self.pool.forget_changed(job.puzzle());
        }
        Ok(Answer {
            metric: request.metric,
            ..answer?
        })
    }

    /// Gets the tables of a goal ready, so that the first request in this metric need not wait for
    /// them.
    pub fn warm_up(
        &self,
        goal: &Goal,
        size: Size,
        metric: Metric,
        limits: &Limits,
    ) -> Result<(), SolveError> {
        let goal = &goal.board(size)?;
        let puzzle = Puzzle { goal, metric };
        let plan = self.plan(puzzle);
        // Where there are none, requests do without.
        drop(self.pool.get(puzzle, plan.tier, &Budget::new(limits)));
        Ok(())
    }

    /// Whether this is the first time that something is said about a size and a metric.
    pub(super) fn is_news(&self, puzzle: Puzzle<'_>) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.insert((puzzle.goal.size(), puzzle.metric))
    }

    /// Says once a size that its boards are solved without tables.
    pub(super) fn say_without(
        &self,
        job: &Job<'_>,
        error: TablesError,
        events: &mut dyn FnMut(Event<'_>),
    ) {
        // Larger boards have none, and nobody expects any.
        let is_expected = !matches!(error, TablesError::Key(_)) || job.request.tables.is_some();
        if is_expected && self.is_news(job.puzzle()) {
            events(Event::Notice(Notice::WithoutTables(error)));
        }
    }
}

impl Job<'_> {
    /// The goal and the metric.
    pub(super) const fn puzzle(&self) -> Puzzle<'_> {
        Puzzle {
            goal: &self.goal,
            metric: self.request.metric,
        }
    }

    /// A solver of the puzzle that needs no tables.
    pub(super) fn without_tables(&self) -> GoalSolver {
        GoalSolver::without_tables(&self.goal).in_metric(self.request.metric)
    }

    /// What an engine may spend on what is left of the budget.
    pub(super) fn effort(&self) -> Effort {
        Effort {
            limits: self.budget.left(),
            threads: self.threads,
            ..Effort::default()
        }
    }

    /// A budget for getting tables that were asked for: only the cancel flag ends it, but waiting
    /// for another process that builds them takes a part of the request's time at most.
    pub(super) fn patient_budget(&self) -> Budget {
        self.budget.patient()
    }
}

/// What would search, were the board solvable.
fn searched_by(request: &Request) -> SearchedBy {
    match request.want {
        Want::Solution if request.board.size().cells() > Want::SMALL_CELLS => SearchedBy::Anytime,
        Want::Solution | Want::Shortest | Want::All(_) => SearchedBy::Engine,
        Want::Within(_) => SearchedBy::Anytime,
        Want::First => SearchedBy::First,
        Want::Laboratory(choice) => SearchedBy::Laboratory(choice.algorithm),
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver")
            .field("source", &self.pool.source)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// A request under way; no longer when this is dropped, even by a panic.
struct Busy<'a> {
    counter: &'a AtomicUsize,
    /// How many there are with this one.
    requests: usize,
}

impl<'a> Busy<'a> {
    fn new(counter: &'a AtomicUsize) -> Self {
        let requests = counter.fetch_add(1, Ordering::Relaxed) + 1;
        Self { counter, requests }
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.counter.fetch_sub(1, Ordering::Relaxed);
    }
}
