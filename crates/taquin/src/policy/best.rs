//! Good solutions with a bound: the first one, the best in a given time, and the default on large
//! boards.
//!
//! The search starts without tables. Those that are stored or soon built are made ready on another
//! thread, and when they are there, the search goes on with them. An answer waits for no build. If
//! the observer of the table source writes tables at once, it may wait for a file to be written.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use super::answer::{Answer, SearchedBy, SolveError};
use super::event::Event;
use super::pool::PooledSolver;
use super::request::Want;
use super::solver::{Job, Solver};
use super::useful::{FULL_CELLS, Useful};
use crate::Metric;
use crate::heuristic::HeuristicKind;
use crate::outcome::{Budget, Limits, Outcome, Proof, Report, Statistics};
use crate::solve::{Aim, Effort, GoalSolver, Improvement, Known, Start};
use crate::supply::TablesError;
use crate::tables::Tier;
use crate::threads::start;

/// Tables that come when less than this part of the time is left are of no use.
const TOO_LATE: f64 = 0.4;
/// The shortest search without tables before the next look whether the tables are there.
const SLICE: Duration = Duration::from_millis(20);
/// The part of the time for a proof where a shortest solution is wanted if it is found in time.
const PROOF_SHARE: f64 = 0.55;
/// The part of the time for a proof without tables, where none will come and where some will; and
/// how far the solution may be above the bound for a proof to be worth trying.
const BARE_PROOF_SHARE: f64 = 0.25;
const EARLY_PROOF_SHARE: f64 = 0.03;
const BARE_PROOF_GAP: u32 = 14;
/// A slide has more choices than a move of one tile, and less is known of it.
const BARE_PROOF_GAP_OF_SLIDES: u32 = 7;

const PROVEN: &str = "all shorter lengths were searched in full";

/// A search for better and better solutions.
struct Search<'a> {
    job: &'a Job<'a>,
    bare: GoalSolver,
    budget: Budget,
    /// Whether a proof is worth more of the time than usual.
    wants_proof: bool,
    /// What was found last; it knows all that was found before.
    report: Option<Report>,
    statistics: Statistics,
    /// The tables that were used.
    heuristic: Option<String>,
    events: &'a mut dyn FnMut(Event<'_>),
}

impl Solver {
    /// The first solution. Tables are used only if they were asked for: getting them ready takes
    /// longer than the answer.
    pub(super) fn first(
        &self,
        job: &Job<'_>,
        events: &mut dyn FnMut(Event<'_>),
    ) -> Result<Answer, SolveError> {
        let asked = self.asked_tables(job, events);
        let bare = job.without_tables();
        let solver = asked.as_ref().map_or(&bare, |pooled| &pooled.solver);
        let effort = Effort {
            aim: Aim::First,
            ..job.effort()
        };
        let watch = &mut |known: Improvement<'_>| events(Event::Improved(known));
        let report = solver.improve(job.board, &effort, watch)?;
        let heuristic = asked.map(|pooled| pooled.heuristic());
        Answer::of(report, SearchedBy::First, heuristic)
    }

    /// A shortest solution if it is found and proven in some seconds, else the best one by then.
    pub(super) fn best_or_shortest(
        &self,
        job: &Job<'_>,
        events: &mut dyn FnMut(Event<'_>),
    ) -> Result<Answer, SolveError> {
        self.improve(job, Want::PATIENCE, true, events)
    }

    /// The best solution in this time.
    pub(super) fn best(
        &self,
        job: &Job<'_>,
        time: Duration,
        events: &mut dyn FnMut(Event<'_>),
    ) -> Result<Answer, SolveError> {
        self.improve(job, time, false, events)
    }

    fn improve(
        &self,
        job: &Job<'_>,
        time: Duration,
        wants_proof: bool,
        events: &mut dyn FnMut(Event<'_>),
    ) -> Result<Answer, SolveError> {
        // Step 1: tables that were asked for. The clock starts when they are there.
        let asked = self.asked_tables(job, events);
        let limits = match job.request.tables {
            Some(_) => job.request.limits.clone(),
            None => job.budget.left(),
        };
        let mut search = Search {
            job,
            bare: job.without_tables(),
            budget: Budget::new(&limits.capped(Some(time))),
            wants_proof,
            report: None,
            statistics: Statistics::default(),
            heuristic: None,
            events,
        };
        if let Some(pooled) = asked {
            search.with_tables(&pooled)?;
            return search.answer();
        }

        // Step 2: what can be had at once. A board that is nearly solved is done with that.
        let useful = self.useful_tables(job, time, search.events);
        // Small boards are solved optimally with tables sooner than in any other way.
        if job.board.size().cells() > Want::SMALL_CELLS {
            search.first()?;
            let share = match useful {
                Useful::None if wants_proof => BARE_PROOF_SHARE,
                _ => EARLY_PROOF_SHARE,
            };
            self.prove_without_tables(&mut search, share)?;
            if search.is_over() {
                return search.answer();
            }
        }

        // Step 3: better ones.
        match useful {
            Useful::AtHand(pooled) => search.with_tables(&pooled)?,
            Useful::Soon(tier, after) => self.take_in(&mut search, tier, after)?,
            Useful::None => search.without_tables(None)?,
        }
        search.answer()
    }

    /// Searches without tables until these are ready, and then with them.
    fn take_in(
        &self,
        search: &mut Search<'_>,
        tier: Tier,
        after: Duration,
    ) -> Result<(), SolveError> {
        // Whatever ends the search ends the loader too: an easy board waits for no tables.
        let is_over = Arc::new(AtomicBool::new(search.budget.is_cancelled()));
        let budget = Budget::new(&Limits {
            cancel: Some(Arc::clone(&is_over)),
            ..search.budget.left()
        });
        let puzzle = search.job.puzzle();
        thread::scope(|scope| {
            // If others take too long with them, smaller ones may be there.
            let get = || match (self.pool.get(puzzle, tier, &budget), tier.smaller()) {
                (Err(error), Some(smaller)) if error.is_stopped() => {
                    self.pool.get(puzzle, smaller, &budget)
                }
                (got, _) => got,
            };
            let Some(loader) = start(scope, get) else {
                return search.without_tables(None);
            };
            let found = search.with_loader(loader, after);
            is_over.store(true, Ordering::Relaxed);
            found
        })
    }

    /// Tries to prove with a search of the laboratory that the solution is a shortest one, or finds
    /// a shorter one.
    fn prove_without_tables(&self, search: &mut Search<'_>, share: f64) -> Result<(), SolveError> {
        let Some(known) = search.known() else {
            return Ok(());
        };
        let (length, gap) = (search.length(&known), search.gap(&known));
        if search.is_over() || gap > search.proof_gap() {
            return Ok(());
        }
        let left = search.budget.left();
        let share = left.time.map(|time| time.mul_f64(share));
        let limits = Limits {
            cost: Some(length.saturating_sub(1)),
            ..left.capped(share)
        };
        let job = search.job;
        let kind = HeuristicKind::LinearConflict;
        let metric = job.request.metric;
        let laboratory = self.laboratory(&job.goal, metric, kind, &search.budget)?;
        let report = laboratory.go_on(job.board, known.lower_bound, &limits)?;
        search.learn(report);
        Ok(())
    }

    /// The tables that were asked for, if they can be had.
    fn asked_tables(
        &self,
        job: &Job<'_>,
        events: &mut dyn FnMut(Event<'_>),
    ) -> Option<Arc<PooledSolver>> {
        let tier = job.request.tables?;
        match self.tables(job, tier, &job.patient_budget(), events) {
            Ok(pooled) => Some(pooled),
            Err(error) => {
                // An interrupted request takes the next best solution.
                if !error.is_stopped() {
                    self.say_without(job, error, events);
                }
                None
            }
        }
    }
}

impl Search<'_> {
    /// The first solution, as [`Want::First`] gives it.
    fn first(&mut self) -> Result<(), SolveError> {
        let bare = self.bare.clone();
        self.run(&bare, Aim::First, None)
    }

    /// Better solutions without tables, in this time or in all there is.
    fn without_tables(&mut self, time: Option<Duration>) -> Result<(), SolveError> {
        let bare = self.bare.clone();
        self.run(&bare, Aim::Best, time)
    }

    /// Better solutions without tables until a thread has some, and then with them.
    fn with_loader(
        &mut self,
        loader: ScopedJoinHandle<'_, Result<Arc<PooledSolver>, TablesError>>,
        after: Duration,
    ) -> Result<(), SolveError> {
        let time = self.budget.limits().time.unwrap_or_default();
        let too_late = time.mul_f64(TOO_LATE);
        let mut slice = after.max(SLICE);
        while !loader.is_finished() && !self.is_over() {
            let left = self.budget.time_left().unwrap_or_default();
            let useful = left.saturating_sub(too_late);
            if useful.is_zero() {
                break;
            }
            self.without_tables(Some(slice.min(useful)))?;
            slice *= 2;
        }
        let ready = if loader.is_finished() {
            loader.join().ok().and_then(Result::ok)
        } else {
            None
        };
        match ready {
            Some(pooled) => self.with_tables(&pooled),
            None => self.without_tables(None),
        }
    }

    /// Better solutions with tables, in all the time there is.
    fn with_tables(&mut self, pooled: &PooledSolver) -> Result<(), SolveError> {
        self.heuristic = Some(pooled.heuristic());
        self.run(&pooled.solver, Aim::Best, None)
    }

    fn run(
        &mut self,
        solver: &GoalSolver,
        aim: Aim,
        time: Option<Duration>,
    ) -> Result<(), SolveError> {
        let effort = Effort {
            limits: self.budget.left().capped(time),
            threads: self.job.threads,
            aim,
        };
        let mut start = Start {
            known: self.known(),
            ..Start::default()
        };
        if self.wants_proof && self.may_be_proven() {
            start.proof_share = PROOF_SHARE;
        }
        let began = self.budget.elapsed();
        let events = &mut self.events;
        let report = solver.improve_from(self.job.board, &effort, start, &mut |known| {
            events(Event::Improved(Improvement {
                time: began + known.time,
                ..known
            }));
        })?;
        self.count(&report.statistics);
        self.report = Some(report);
        Ok(())
    }

    /// The best solution so far.
    fn known(&self) -> Option<Known> {
        match &self.report.as_ref()?.outcome {
            Outcome::Solved(solution) => Some(Known {
                moves: solution.moves.clone(),
                lower_bound: solution.lower_bound,
            }),
            _ => None,
        }
    }

    /// Whether a proof is within reach: on boards whose tables are strong, or near the goal.
    fn may_be_proven(&self) -> bool {
        let puzzle = self.job.puzzle();
        puzzle.metric == Metric::Single && puzzle.goal.size().cells() <= FULL_CELLS
            || self
                .known()
                .is_some_and(|known| self.gap(&known) <= self.proof_gap())
    }

    /// How long a solution is, in the metric.
    fn length(&self, known: &Known) -> u32 {
        self.job.request.metric.length(&known.moves) as u32
    }

    /// How far a solution is above the bound.
    fn gap(&self, known: &Known) -> u32 {
        self.length(known).saturating_sub(known.lower_bound)
    }

    /// How far it may be for a proof to be worth trying.
    const fn proof_gap(&self) -> u32 {
        match self.job.request.metric {
            Metric::Single => BARE_PROOF_GAP,
            Metric::Multi => BARE_PROOF_GAP_OF_SLIDES,
        }
    }

    /// Takes in what another search found or proved.
    fn learn(&mut self, other: Report) {
        self.count(&other.statistics);
        let Some(report) = &mut self.report else {
            return;
        };
        let Outcome::Solved(best) = &mut report.outcome else {
            return;
        };
        match other.outcome {
            Outcome::Solved(solution) => *best = solution,
            // Stopped by the cost: nothing is shorter than what is known.
            Outcome::Stopped { lower_bound, .. } if lower_bound > best.lower_bound => {
                best.lower_bound = lower_bound.min(best.cost);
                if best.lower_bound == best.cost {
                    best.proof = Proof::Optimal(PROVEN);
                }
            }
            Outcome::Stopped { .. } | Outcome::NoSolution => return,
        }
        (self.events)(Event::Improved(Improvement {
            moves: &best.moves,
            length: best.cost,
            lower_bound: best.lower_bound,
            time: self.budget.elapsed(),
        }));
    }

    fn count(&mut self, statistics: &Statistics) {
        self.budget.count(statistics.expanded);
        self.statistics.expanded += statistics.expanded;
        self.statistics.generated += statistics.generated;
        self.statistics.peak_states = self.statistics.peak_states.max(statistics.peak_states);
    }

    /// Whether nothing better is to be found, or nothing more may be spent.
    fn is_over(&self) -> bool {
        let is_optimal = |known: Known| self.gap(&known) == 0;
        self.known().is_some_and(is_optimal)
            || self.budget.check().is_err()
            || self.budget.nodes_left() == 0
    }

    fn answer(self) -> Result<Answer, SolveError> {
        let report = self.report.ok_or(SolveError::Exhausted)?;
        let statistics = Statistics {
            time: self.budget.elapsed(),
            ..self.statistics
        };
        let report = Report {
            statistics,
            ..report
        };
        Answer::of(report, SearchedBy::Anytime, self.heuristic)
    }
}
