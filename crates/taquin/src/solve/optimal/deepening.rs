//! IDA*: one iteration after the other, on one thread or several.

use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::{Duration, Instant};

use crate::outcome::{self, Budget, Limit, Outcome, Proof, Report, Solution, Statistics};
use crate::solve::{All, DamagedTableError, Effort};
use crate::threads::useful;
use crate::{Board, Moves};

use super::engine::Engine;
use super::lanes::{Found, Job, Lanes, Want};
use super::ledger::Ledger;
use super::lookup::Lookup;
use super::search::LongSearch;
use super::state::{SearchState, TaskCount};
use super::tasks::{Node, Tree};
use super::workers::on_all_threads;

/// Tree that are searched before it is seen whether there are enough solutions.
const SOME_TASKS: usize = 64;
/// Several threads join in after an iteration of this many nodes.
const LONG_ITERATION: u64 = 20_000;
/// Nodes of the last iteration for each thread that joins in. The next one has several times as
/// many, which take some milliseconds: much longer than to start a thread.
const THREAD_NODES: u64 = 4000;
/// After an iteration of this many nodes tables are copied to where they are found faster. The next
/// iteration takes much longer than that.
const NEAR_NODES: u64 = 1_000_000;
/// About how many nodes the first iteration has, and how many times as many the next one: a guess
/// at iterations that are left out.
const FIRST_NODES: u64 = 50;
const GROWTH: u64 = 6;
/// Before an iteration that will take this long, a part of that time goes into good solutions: one
/// that is as short as the bound makes it unnecessary.
const IMPROVED_ITERATION: Duration = Duration::from_secs(3);
const IMPROVING_SHARE: f64 = 0.06;

const OPTIMAL: &str = "all shorter lengths were searched in full";

/// A search under way.
pub(super) struct Deepening<'a> {
    engine: &'a Engine,
    lookups: Vec<Lookup<'a>>,
    tree: Tree,
    /// What was done of the iteration under way by another search.
    done: Vec<Option<TaskCount>>,
    threads: usize,
    cost: u32,
    budget: &'a Budget,
    effort: &'a Effort,
    pub(super) threshold: u16,
    /// Nodes of the last iteration, and the time it took here.
    pub(super) last: u64,
    last_time: Duration,
    pub(super) statistics: Statistics,
    /// The best solution that is known.
    best: Option<Moves>,
    long: LongSearch<'a>,
    begin: Instant,
    /// The time that was spent before.
    before: Duration,
}

impl<'a> Deepening<'a> {
    pub(super) fn new(
        engine: &'a Engine,
        board: &Board,
        effort: &'a Effort,
        budget: &'a Budget,
    ) -> Result<Self, DamagedTableError> {
        let begin = Instant::now();
        let start = engine.start(board)?;
        let estimate = engine.sums(&start.values).max().unwrap_or(0);
        Ok(Self {
            engine,
            lookups: engine.lookups(),
            tree: Tree::new(engine, &start),
            done: Vec::new(),
            threads: effort.threads.max(1),
            cost: effort.limits.cost.unwrap_or(u32::MAX),
            budget,
            effort,
            threshold: estimate as u16,
            last: 0,
            last_time: Duration::ZERO,
            statistics: Statistics::default(),
            best: None,
            long: LongSearch::default(),
            begin,
            before: Duration::ZERO,
        })
    }

    /// Leaves out the iterations that are too short for any solution.
    pub(super) fn from(mut self, proven: u32) -> Self {
        // Parity makes every other length impossible, so it is one more where that is odd.
        let beyond = proven.saturating_sub(u32::from(self.threshold));
        let beyond = beyond.next_multiple_of(2).min(u32::from(u16::MAX / 2));
        if beyond > 0 {
            self.threshold = self.threshold.saturating_add(beyond as u16);
            self.last = FIRST_NODES.saturating_mul(GROWTH.saturating_pow(beyond / 2 - 1));
        }
        self
    }

    /// Goes on where another search was, and keeps where this one is. `None` if that is no state of
    /// a search of this board with these tables.
    pub(super) fn with(mut self, mut long: LongSearch<'a>) -> Option<Self> {
        if let Some(state) = long.from.take() {
            if !state.is_possible() {
                return None;
            }
            let restored = self.tree.restore(self.engine, &self.lookups, &state);
            let threshold = u16::try_from(state.threshold).ok()?;
            // Parity: the threshold rises in steps of two from the first one.
            let is_possible =
                threshold >= self.threshold && (threshold - self.threshold).is_multiple_of(2);
            if !restored || !is_possible {
                return None;
            }
            self.threshold = threshold;
            self.done = state.done().collect();
            let iterations = state.iterations.iter();
            self.statistics.expanded = iterations.clone().map(|i| i.expanded).sum();
            self.statistics.generated = iterations.map(|i| i.generated).sum();
            self.statistics.iterations = state.iterations;
            self.last = expanded_last(&self.statistics);
            self.best = state.best;
            self.before = state.time;
            self.tell_best();
            // They were expanded elsewhere: they are shown, and no limit counts them.
            let done = self.done.iter().flatten().map(|done| done.expanded);
            self.budget
                .finish(self.statistics.expanded + done.sum::<u64>());
        }
        self.long = long;
        Some(self)
    }

    pub(super) fn run(&mut self, want: Want) -> Result<All, DamagedTableError> {
        let (slots, views) = (self.engine.slots.len(), self.engine.views.len());
        match (slots, views, self.engine.widest_row()) {
            (0..=8, 0..=4, 0..=2) => self.deepen::<8, 4, 2>(want),
            (0..=32, 0..=16, 0..=8) => self.deepen::<32, 16, 8>(want),
            (0..=32, 0..=16, _) => self.deepen::<32, 16, 16>(want),
            _ => self.deepen::<64, 32, 16>(want),
        }
    }

    fn deepen<const SLOTS: usize, const VIEWS: usize, const WIDTH: usize>(
        &mut self,
        want: Want,
    ) -> Result<All, DamagedTableError> {
        let mut lanes = vec![Lanes::<SLOTS, VIEWS, WIDTH>::new()];
        loop {
            // Step 1: is it decided already?
            let bound = u32::from(self.threshold);
            if let Some(progress) = &self.effort.limits.progress {
                progress.set_lower_bound(bound);
            }
            if bound > self.cost {
                return Ok(self.stopped(Limit::Cost, Found::default()));
            }
            if want == Want::First {
                self.improve()?;
                if self.is_best() {
                    return Ok(self.solved(Found::default()));
                }
            }
            if bound > Engine::MAX_LENGTH {
                return Ok(self.stopped(Limit::Length, Found::default()));
            }

            // Step 2: the tasks. Those of a search that goes on stay as they are for now.
            if self.done.is_empty() {
                let bytes = self.effort.limits.memory;
                self.tree.cut(self.engine, &self.lookups, bytes);
                self.done = vec![None; self.tree.tasks.len()];
            }
            if self.threads > 1 && self.last > LONG_ITERATION {
                lanes.resize_with(threads_for(self.last, self.threads), Lanes::new);
            }

            // Step 3: the iteration.
            if let Some(progress) = &self.effort.limits.progress {
                progress.begin_iteration(bound, &self.statistics.iterations);
            }
            let began = Instant::now();
            let (found, limit) = self.iterate(want, &mut lanes);
            if let Some(limit) = limit {
                self.keep_state();
                return Ok(self.stopped(limit, found));
            }
            if found.count > 0 {
                return Ok(self.solved(found));
            }
            self.last_time = began.elapsed();
            self.last = expanded_last(&self.statistics);
            self.advance();
            if WIDTH > 2 && self.last > NEAR_NODES {
                self.engine.bring_near(&self.effort.limits, self.threads);
                self.lookups = self.engine.lookups();
            }
        }
    }

    /// One iteration on as many threads as there are sets of lanes.
    fn iterate<const SLOTS: usize, const VIEWS: usize, const WIDTH: usize>(
        &mut self,
        want: Want,
        lanes: &mut [Lanes<SLOTS, VIEWS, WIDTH>],
    ) -> (Found, Option<Limit>) {
        let mut sum = Found::default();
        let (expanded, generated) = self.tree.above(self.threshold);
        let mut limit = self.budget.take_exactly(expanded).err();
        if limit.is_none() {
            self.budget.finish(expanded);
            (sum.expanded, sum.generated) = (expanded, generated);
        }
        for done in self.done.iter().flatten() {
            sum.expanded += done.expanded;
            sum.generated += done.generated;
        }
        // Where the first solutions are wanted, the tasks come in lots, so that the rest can be
        // left; whichever thread is faster, the result is the same.
        let (lot, enough) = match want {
            Want::Some(list) => (SOME_TASKS, list as u64),
            _ => (usize::MAX, u64::MAX),
        };
        let mut order = match want {
            Want::First => self.tree.promising_first(self.threshold),
            Want::Some(_) | Want::Each(_) => self.tree.within(self.threshold),
        };
        order.retain(|&task| self.done[task as usize].is_none());
        let keep = |done: &[Option<TaskCount>]| {
            if let Some(keeper) = self.long.keeper
                && keeper.is_due()
            {
                keeper.keep(self.state(done));
            }
        };
        let watch = self.long.keeper.is_some().then_some(&keep as &_);
        let ledger = Ledger::new(self.done.clone(), watch);
        let mut searched = 0;
        for order in order.chunks(lot) {
            if limit.is_some() || sum.count >= enough {
                break;
            }
            let job = Job {
                engine: self.engine,
                tasks: &self.tree.tasks,
                order,
                threshold: self.threshold,
                want,
                budget: self.budget,
                next: AtomicUsize::new(0),
                enough: AtomicBool::new(false),
                ledger: &ledger,
            };
            for part in on_all_threads(&job, &self.lookups, lanes) {
                sum.solutions.extend(part.solutions);
                sum.count += part.count;
                sum.expanded += part.expanded;
                sum.generated += part.generated;
                limit = limit.or(part.limit);
            }
            searched += order.len();
        }
        sum.whole = searched == order.len();
        self.done = ledger.close();
        // A solution that was found counts, whatever limit another thread ran into.
        if want == Want::First && sum.count > 0 {
            limit = None;
        }
        sum.solutions.sort_by_key(|(task, _)| *task);
        let statistics = &mut self.statistics;
        statistics.expanded += sum.expanded;
        statistics.generated += sum.generated;
        statistics.iterations.push(outcome::Iteration {
            threshold: u32::from(self.threshold),
            expanded: sum.expanded,
            generated: sum.generated,
        });
        (sum, limit)
    }

    /// Spends a part of the time that the next iteration will take on a better solution, if that is
    /// long.
    #[expect(clippy::cast_precision_loss, reason = "it is a rough figure")]
    fn improve(&mut self) -> Result<(), DamagedTableError> {
        let growth = match &self.statistics.iterations[..] {
            [.., last, _] if last.expanded == 0 => return Ok(()),
            [.., before, last] => last.expanded as f64 / before.expanded as f64,
            _ => return Ok(()),
        };
        let expected = self.last_time.mul_f64(growth.clamp(1.0, 50.0));
        let Some(improver) = self.long.improver else {
            return Ok(());
        };
        if expected < IMPROVED_ITERATION || self.is_best() {
            return Ok(());
        }
        let time = expected.mul_f64(IMPROVING_SHARE);
        let proven = u32::from(self.threshold);
        if let Some(better) = improver(proven, self.best.as_ref(), time)? {
            self.best = Some(better);
            self.tell_best();
        }
        Ok(())
    }

    fn tell_best(&self) {
        if let (Some(progress), Some(best)) = (&self.effort.limits.progress, &self.best) {
            progress.set_best(best.len() as u32);
        }
    }

    /// What any solution takes at least.
    pub(super) fn bound(&self) -> u32 {
        let bounds = self.tree.tasks.iter().map(Node::bound);
        bounds.min().map_or(0, u32::from)
    }

    /// The first state, or the one after a state whose tasks are all done.
    pub(super) fn next_state(self, before: Option<SearchState>) -> Option<SearchState> {
        let mut this = match before {
            None => self,
            Some(mut state) => {
                if !state.is_possible() {
                    return None;
                }
                let (expanded, generated) = state.spent();
                state.iterations.push(outcome::Iteration {
                    threshold: state.threshold,
                    expanded,
                    generated,
                });
                let mut this = self.with(LongSearch {
                    from: Some(state),
                    ..LongSearch::default()
                })?;
                this.advance();
                this
            }
        };
        this.tree.cut(this.engine, &this.lookups, None);
        Some(this.state(&vec![None; this.tree.tasks.len()]))
    }

    /// Goes on to the next iteration.
    fn advance(&mut self) {
        for (task, done) in self.tree.tasks.iter_mut().zip(self.done.drain(..)) {
            task.last = done.unwrap_or_default();
        }
        // Parity makes every other length impossible.
        self.threshold += 2;
    }

    /// Searches one task, and nothing else.
    pub(super) fn run_task(&mut self) -> Result<(All, TaskCount), DamagedTableError> {
        // It is cut for the lanes and the threads of this search.
        self.done.clear();
        self.cost = u32::from(self.threshold);
        if self.threads > 1 {
            self.last = u64::MAX;
        }
        let all = self.run(Want::First)?;
        let statistics = &all.report.statistics;
        let counts = self.tree.tasks.iter().map(|task| task.last);
        let counts = counts.chain(self.done.iter().flatten().copied());
        let count = TaskCount {
            expanded: statistics.expanded,
            generated: statistics.generated,
            solutions: u64::from(matches!(all.report.outcome, Outcome::Solved(_))),
            reached: counts.map(|count| count.reached).max().unwrap_or(0),
        };
        Ok((all, count))
    }

    /// Whether the best solution is as short as any can be.
    fn is_best(&self) -> bool {
        let best = self.best.as_ref();
        best.is_some_and(|best| best.len() <= usize::from(self.threshold))
    }

    /// Where the search is, with these tasks of the iteration under way done.
    fn state(&self, done: &[Option<TaskCount>]) -> SearchState {
        SearchState {
            iterations: self.statistics.iterations.clone(),
            threshold: u32::from(self.threshold),
            best: self.best.clone(),
            time: self.time(),
            ..self.tree.state(done)
        }
    }

    fn keep_state(&self) {
        if let Some(keeper) = self.long.keeper {
            let mut state = self.state(&self.done);
            // One that a limit has stopped will be gone on with, and is counted then.
            if !self.is_best() {
                state.iterations.retain(|i| i.threshold < state.threshold);
            }
            keeper.keep(state);
        }
    }

    fn time(&self) -> Duration {
        self.before + self.begin.elapsed()
    }

    fn solved(&mut self, found: Found) -> All {
        self.statistics.time = self.time();
        let cost = u32::from(self.threshold);
        let count = found.whole.then_some(found.count);
        let solutions = found.listed();
        if let Some(first) = solutions.first() {
            self.best = Some(first.clone());
        }
        self.keep_state();
        All {
            report: Report {
                outcome: Outcome::Solved(Solution {
                    moves: self.best.clone().unwrap_or_default(),
                    cost,
                    proof: Proof::Optimal(OPTIMAL),
                    lower_bound: cost,
                }),
                statistics: self.statistics.clone(),
            },
            count,
            solutions,
            stopped: None,
        }
    }

    fn stopped(&mut self, limit: Limit, found: Found) -> All {
        self.statistics.time = self.time();
        All {
            report: Report {
                outcome: Outcome::Stopped {
                    limit,
                    lower_bound: u32::from(self.threshold),
                },
                statistics: self.statistics.clone(),
            },
            count: None,
            solutions: found.listed(),
            stopped: None,
        }
    }
}

impl Found {
    fn listed(self) -> Vec<Moves> {
        let paths = self.solutions.into_iter();
        paths.map(|(_, path)| path.into()).collect()
    }
}

/// Nodes of the last iteration.
pub(super) fn expanded_last(statistics: &Statistics) -> u64 {
    statistics.iterations.last().map_or(0, |i| i.expanded)
}

/// How many of the threads have enough to do after an iteration of this many nodes.
fn threads_for(last: u64, threads: usize) -> usize {
    let enough = usize::try_from(last / THREAD_NODES).unwrap_or(usize::MAX);
    useful(threads.min(enough))
}
