//! IDA*: one iteration after the other, on one thread or several.

use crate::outcome::{self, Budget, Limit, Outcome, Proof, Report, Solution, Statistics};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Instant;

use crate::cpu::run_fast;
use crate::solve::{All, Effort};
use crate::threads::{on_each, useful};
use crate::{Board, Moves};

use super::engine::Engine;
use super::lanes::{Found, Iteration, Job, Lanes, Want};
use super::lookup::Lookup;
use super::tasks::Tasks;
use crate::solve::DamagedTableError;

/// Tasks for the lanes of one thread, and for several threads.
const FEW_TASKS: usize = 32;
const MANY_TASKS: usize = 1024;
/// Tasks that are searched before it is seen whether there are enough solutions.
const SOME_TASKS: usize = 64;
/// Several threads join in after an iteration of this many nodes.
const LONG_ITERATION: u64 = 20_000;
/// Nodes of the last iteration for each thread that joins in. The next one has several times as
/// many, which take some milliseconds: much longer than to start a thread.
const THREAD_NODES: u64 = 4000;
/// About how many nodes the first iteration has, and how many times as many the next one: a guess
/// at iterations that are left out.
const FIRST_NODES: u64 = 50;
const GROWTH: u64 = 6;

const OPTIMAL: &str = "all shorter lengths were searched in full";

impl Engine {
    /// What the tables say of a canonical board: no solution is shorter.
    pub fn estimate(&self, board: &Board) -> Result<u32, DamagedTableError> {
        let start = self.start(board)?;
        Ok(self.sums(&start.values).max().unwrap_or(0))
    }

    /// A shortest solution of a canonical board, which must be solvable.
    pub fn solve(&self, board: &Board, effort: &Effort) -> Result<Report, DamagedTableError> {
        self.solve_from(board, effort, 0)
    }

    /// What [`solve`](Self::solve) finds where it is proven already that no solution is shorter than
    /// `proven`. What is proven is not searched again.
    pub(in crate::solve) fn solve_from(
        &self,
        board: &Board,
        effort: &Effort,
        proven: u32,
    ) -> Result<Report, DamagedTableError> {
        let budget = Budget::new(&effort.limits);
        let deepening = Deepening::new(self, board, effort, &budget)?;
        Ok(deepening.from(proven).run(Want::First).report)
    }

    /// All shortest solutions of a canonical board, which must be solvable: those that come first,
    /// `list` of them at most, and the number of all if `count`.
    pub fn all(
        &self,
        board: &Board,
        effort: &Effort,
        list: usize,
        count: bool,
    ) -> Result<All, DamagedTableError> {
        self.all_from(board, effort, (list, count), 0)
    }

    /// What [`all`](Self::all) finds where it is proven already that no solution is shorter than
    /// `proven`.
    pub(in crate::solve) fn all_from(
        &self,
        board: &Board,
        effort: &Effort,
        (list, count): (usize, bool),
        proven: u32,
    ) -> Result<All, DamagedTableError> {
        // Duplicate pruning leaves one of several shortest solutions, so it must not be used; but
        // with it the length is found sooner.
        let budget = Budget::new(&effort.limits);
        let deepening = Deepening::new(self, board, effort, &budget)?;
        let first = deepening.from(proven).run(Want::First);
        let Outcome::Solved(solution) = &first.report.outcome else {
            return Ok(first);
        };
        if list == 0 && !count {
            return Ok(first.without_solutions());
        }
        let every = self.without_automaton();
        let mut deepening = Deepening::new(&every, board, effort, &budget)?;
        deepening.threshold = solution.cost as u16;
        deepening.statistics = first.report.statistics.clone();
        deepening.last = expanded_last(&deepening.statistics);
        let want = if count {
            Want::Each(list)
        } else {
            Want::Some(list)
        };
        Ok(deepening.run(want).after(&first.report, solution, list))
    }
}

/// A search under way.
struct Deepening<'a> {
    engine: &'a Engine,
    lookups: Vec<Lookup<'a>>,
    tasks: Tasks,
    threads: usize,
    cost: u32,
    budget: &'a Budget,
    effort: &'a Effort,
    threshold: u16,
    /// Nodes of the last iteration.
    last: u64,
    statistics: Statistics,
    begin: Instant,
}

impl<'a> Deepening<'a> {
    fn new(
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
            lookups: engine.slots.iter().map(Lookup::new).collect(),
            tasks: Tasks::new(engine, &start),
            threads: effort.threads.max(1),
            cost: effort.limits.cost.unwrap_or(u32::MAX),
            budget,
            effort,
            threshold: estimate as u16,
            last: 0,
            statistics: Statistics::default(),
            begin,
        })
    }

    /// Leaves out the iterations that are too short for any solution.
    fn from(mut self, proven: u32) -> Self {
        // Parity makes every other length impossible, so it is one more where that is odd.
        let beyond = proven.saturating_sub(u32::from(self.threshold));
        let beyond = beyond.next_multiple_of(2).min(u32::from(u16::MAX / 2));
        if beyond > 0 {
            self.threshold = self.threshold.saturating_add(beyond as u16);
            self.last = FIRST_NODES.saturating_mul(GROWTH.saturating_pow(beyond / 2 - 1));
        }
        self
    }

    fn run(self, want: Want) -> All {
        match self.engine.views.len() {
            0 | 1 => self.deepen::<1>(want),
            2 => self.deepen::<2>(want),
            3 | 4 => self.deepen::<4>(want),
            5..=8 => self.deepen::<8>(want),
            _ => self.deepen::<16>(want),
        }
    }

    fn deepen<const VIEWS: usize>(mut self, want: Want) -> All {
        let mut lanes = vec![Lanes::<VIEWS>::new()];
        self.tasks.split(self.engine, &self.lookups, FEW_TASKS);
        loop {
            let bound = u32::from(self.threshold);
            if let Some(progress) = &self.effort.limits.progress {
                progress.set_lower_bound(bound);
            }
            if bound > self.cost {
                return self.stopped(Limit::Cost, Found::default());
            }
            if bound > Engine::MAX_LENGTH {
                return self.stopped(Limit::Length, Found::default());
            }
            if self.threads > 1 && self.last > LONG_ITERATION {
                self.tasks.split(self.engine, &self.lookups, MANY_TASKS);
                lanes.resize_with(threads_for(self.last, self.threads), Lanes::new);
            }
            // Parity makes every other length impossible.
            let (found, limit) = self.iterate(want, &mut lanes);
            if let Some(limit) = limit {
                return self.stopped(limit, found);
            }
            if found.count > 0 {
                return self.solved(found);
            }
            self.last = expanded_last(&self.statistics);
            self.threshold += 2;
        }
    }

    /// One iteration on as many threads as there are sets of lanes.
    fn iterate<const VIEWS: usize>(
        &mut self,
        want: Want,
        lanes: &mut [Lanes<VIEWS>],
    ) -> (Found, Option<Limit>) {
        let mut sum = Found::default();
        let (expanded, generated) = self.tasks.above(self.threshold);
        let mut limit = self.budget.take_exactly(expanded).err();
        if limit.is_none() {
            self.budget.finish(expanded);
            (sum.expanded, sum.generated) = (expanded, generated);
        }
        // Where the first solutions are wanted, the tasks come in lots, so that the rest can be
        // left; whichever thread is faster, the result is the same.
        let (lot, enough) = match want {
            Want::Some(list) => (SOME_TASKS, list as u64),
            _ => (usize::MAX, u64::MAX),
        };
        for (i, tasks) in self.tasks.tasks.chunks(lot).enumerate() {
            if limit.is_some() || sum.count >= enough {
                break;
            }
            let job = Job {
                engine: self.engine,
                lookups: &self.lookups,
                tasks,
                threshold: self.threshold,
                want,
                budget: self.budget,
                next: AtomicUsize::new(0),
                enough: AtomicBool::new(false),
            };
            for part in on_all_threads(&job, lanes) {
                let solutions = part.solutions.into_iter();
                sum.solutions
                    .extend(solutions.map(|(task, path)| (i * lot + task, path)));
                sum.count += part.count;
                sum.expanded += part.expanded;
                sum.generated += part.generated;
                limit = limit.or(part.limit);
            }
            sum.whole = i * lot + tasks.len() == self.tasks.tasks.len();
        }
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

    fn solved(mut self, found: Found) -> All {
        self.statistics.time = self.begin.elapsed();
        let cost = u32::from(self.threshold);
        let count = found.whole.then_some(found.count);
        let solutions = found.listed();
        All {
            report: Report {
                outcome: Outcome::Solved(Solution {
                    moves: solutions.first().cloned().unwrap_or_default(),
                    cost,
                    proof: Proof::Optimal(OPTIMAL),
                    lower_bound: cost,
                }),
                statistics: self.statistics,
            },
            count,
            solutions,
            stopped: None,
        }
    }

    fn stopped(mut self, limit: Limit, found: Found) -> All {
        self.statistics.time = self.begin.elapsed();
        All {
            report: Report {
                outcome: Outcome::Stopped {
                    limit,
                    lower_bound: u32::from(self.threshold),
                },
                statistics: self.statistics,
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

fn expanded_last(statistics: &Statistics) -> u64 {
    statistics.iterations.last().map_or(0, |i| i.expanded)
}

/// How many of the threads have enough to do after an iteration of this many nodes.
fn threads_for(last: u64, threads: usize) -> usize {
    let enough = usize::try_from(last / THREAD_NODES).unwrap_or(usize::MAX);
    useful(threads.min(enough))
}

fn on_all_threads<const VIEWS: usize>(job: &Job<'_>, lanes: &mut [Lanes<VIEWS>]) -> Vec<Found> {
    on_each(lanes, |lanes| run_fast(Iteration { job, lanes }))
}
