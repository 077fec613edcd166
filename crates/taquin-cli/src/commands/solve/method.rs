//! How a board is solved: with tables, in the laboratory, or as well as it gets in a given time.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use taquin::heuristic::HeuristicKind;
use taquin::search::{
    Algorithm, Cost, Laboratory, Limit, Limits, Outcome, Refused, Report, Statistics,
};
use taquin::solve::{Effort, Provider, SolveError, Solver, Unready, build_time};
use taquin::tables::{BuildError, Catalogue, Key, Tier};
use taquin::{Board, Goal, GoalSizeError, Move, Size, Solvability};

use super::anytime::{Anytime, News};
use crate::output::remark;

/// What became of one board.
pub(super) struct Answer {
    pub(super) found: Result<Report<Move>, Refusal>,
    /// The name of what searched.
    pub(super) algorithm: &'static str,
    /// The name of the heuristic, if one was used.
    pub(super) heuristic: Option<String>,
    /// How many shortest solutions there are, if that was asked for and is known.
    pub(super) count: Option<u64>,
    /// All shortest solutions, or the first ones, if that was asked for.
    pub(super) solutions: Option<Vec<Vec<Move>>>,
}

/// Why a board was not searched.
pub(super) enum Refusal {
    /// It cannot be solved; the reason is inside.
    Unsolvable(String),
    /// It cannot be searched as asked.
    Unfit(String),
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Unsolvable(_) => Self::Unsolvable(refused.to_string()),
            other => Self::Unfit(other.to_string()),
        }
    }
}

impl From<SolveError> for Refusal {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Unsolvable(_) => Self::Unsolvable(error.to_string()),
            other => Self::Unfit(other.to_string()),
        }
    }
}

/// How boards are solved; all threads share it.
pub(super) enum Method {
    Tables(Box<WithTables>),
    Laboratory(InLaboratory),
    Anytime(Box<Anytime>),
}

impl Method {
    /// Solves a board; `tell` hears of what is known on the way, from methods that know something.
    pub(super) fn solve(&self, board: &Board, tell: &mut dyn FnMut(News)) -> Answer {
        match self {
            Self::Tables(tables) => tables.solve(board),
            Self::Laboratory(laboratory) => laboratory.solve(board),
            Self::Anytime(anytime) => anytime.solve(board, tell),
        }
    }
}

/// The goal as a board of this one's size, if that can be reached.
pub(super) fn reachable(goal: &Goal, board: &Board) -> Result<Board, Refusal> {
    let unfit = |error: GoalSizeError| Refusal::Unfit(error.to_string());
    let goal = goal.board(board.size()).map_err(unfit)?;
    let verdict = Solvability::of(board, &goal).map_err(unfit)?;
    if verdict.is_solvable() {
        Ok(goal)
    } else {
        Err(SolveError::Unsolvable(verdict).into())
    }
}

/// The laboratory: the algorithm and the heuristic that were asked for.
pub(super) struct InLaboratory {
    pub(super) goal: Goal,
    pub(super) algorithm: Algorithm,
    pub(super) heuristic: Option<HeuristicKind>,
    pub(super) weight: f64,
    pub(super) cost: Cost,
    pub(super) limits: Limits,
    pub(super) laboratories: Mutex<HashMap<Size, Arc<Laboratory>>>,
}

impl InLaboratory {
    fn solve(&self, board: &Board) -> Answer {
        let laboratory = match self.laboratory(board.size()) {
            Ok(laboratory) => laboratory,
            Err(refused) => {
                return self.answer(Err(refused), self.heuristic);
            }
        };
        let uses = self.algorithm.uses_heuristic();
        let found = laboratory.search(board, self.algorithm, &self.limits);
        self.answer(found, uses.then(|| laboratory.heuristic()))
    }

    fn answer(
        &self,
        found: Result<Report<Move>, Refused>,
        heuristic: Option<HeuristicKind>,
    ) -> Answer {
        Answer {
            found: found.map_err(Refusal::from),
            algorithm: self.algorithm.name(),
            heuristic: heuristic.map(|kind| kind.name().to_string()),
            count: None,
            solutions: None,
        }
    }

    /// The laboratory for a size; the first thread that needs one builds it, the others wait.
    fn laboratory(&self, size: Size) -> Result<Arc<Laboratory>, Refused> {
        let mut laboratories = self
            .laboratories
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(laboratory) = laboratories.get(&size) {
            return Ok(Arc::clone(laboratory));
        }
        let goal = self.goal.board(size)?;
        let laboratory = match self.heuristic {
            // Who asks for it by name is ready to wait for it.
            Some(kind) => Laboratory::with_limit(&goal, self.cost, kind, Laboratory::MANY_STATES),
            // A blind search needs no tables.
            None if !self.algorithm.uses_heuristic() => {
                Laboratory::new(&goal, self.cost, HeuristicKind::LinearConflict)
            }
            None => Laboratory::strongest(&goal, self.cost),
        };
        let laboratory = Arc::new(laboratory?.with_weight(self.weight));
        laboratories.insert(size, Arc::clone(&laboratory));
        Ok(laboratory)
    }
}

/// All shortest solutions, as far as they are wanted.
#[derive(Clone, Copy)]
pub(super) struct Every {
    /// Whether to list them, and how many at most.
    pub(super) list: Option<usize>,
    pub(super) count: bool,
}

/// The engine room, with the tables of its choice or of the user's.
pub(super) struct WithTables {
    pub(super) provider: Provider,
    pub(super) goal: Goal,
    /// The tables that were asked for.
    pub(super) tier: Option<Tier>,
    pub(super) every: Option<Every>,
    pub(super) limits: Limits,
    pub(super) threads: usize,
    /// Boards under way, which share the threads.
    pub(super) busy: AtomicUsize,
    pub(super) plans: Mutex<HashMap<Size, Plan>>,
    /// Sizes without tables of which that was said.
    pub(super) told: Mutex<HashSet<Size>>,
    /// For boards that no tables can be had for.
    pub(super) otherwise: InLaboratory,
}

/// Which tables a size uses.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    tier: Tier,
    /// How much longer boards may be searched with this tier before it pays to build the full one;
    /// `None` if it never does.
    patience: Option<Duration>,
}

/// A search with the quick tables goes on at least so long before others are built.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);
/// Nobody waits longer than this for tables that he did not ask for.
const LONGEST_BUILD: Duration = Duration::from_mins(1);

impl WithTables {
    fn solve(&self, board: &Board) -> Answer {
        // No tables are built for a board that cannot be solved.
        let goal = match reachable(&self.goal, board) {
            Ok(goal) => goal,
            Err(refusal) => return answer(Err(refusal), None),
        };
        let busy = Busy::new(&self.busy);
        let solved = self.with_best_tables(board, &goal, (self.threads / busy.boards).max(1));
        drop(busy);
        solved.unwrap_or_else(|unready| self.without_tables(board, &goal, &unready))
    }

    /// Searches with the tables of the plan; when the quick ones take longer than it takes to build
    /// the full ones, builds those and goes on with them.
    fn with_best_tables(
        &self,
        board: &Board,
        goal: &Board,
        threads: usize,
    ) -> Result<Answer, Unready> {
        let begin = Instant::now();
        let plan = self.plan(goal);
        let ready = self.provider.get(goal, plan.tier)?;
        // The clock of a limit starts when the tables are there.
        let searching = Instant::now();
        let mut effort = Effort {
            limits: self.limits.clone(),
            threads,
            ..Effort::default()
        };
        let own = plan.patience.filter(|patience| {
            let limit = self.limits.time;
            limit.is_none_or(|limit| *patience < limit)
        });
        effort.limits.time = own.or(effort.limits.time);
        let first = self.search(&ready.solver, board, &effort, ready.tier);
        let out_of_patience = own.is_some() && is_out_of_time(&first);
        if !out_of_patience {
            self.spend(goal, searching.elapsed());
            return Ok(first);
        }
        let spent = searching.elapsed();
        if self.escalate(goal) {
            remark(format_args!(
                "{board}: not solved with the quick tables after {:.1} s; getting the full tables of {} ready",
                begin.elapsed().as_secs_f64(),
                goal.size()
            ));
        }
        let ready = match self.provider.get(goal, Tier::Full) {
            // What was proven before Ctrl-C stays proven.
            Err(Unready::Build(BuildError::Cancelled)) => return Ok(interrupted(first)),
            got => got?,
        };
        // The limits are for both searches together, and so are the figures.
        let limits = &mut effort.limits;
        limits.time = self.limits.time.map(|limit| limit.saturating_sub(spent));
        if let (Some(nodes), Ok(report)) = (&mut limits.nodes, &first.found) {
            *nodes = nodes.saturating_sub(report.statistics.expanded);
        }
        let second = self.search(&ready.solver, board, &effort, ready.tier);
        Ok(after(&first, second))
    }

    fn search(&self, solver: &Solver, board: &Board, effort: &Effort, tier: Tier) -> Answer {
        let name = Some(format!("pdb:{tier}"));
        let Some(every) = self.every else {
            let found = solver.solve(board, effort);
            return answer(found.map_err(Refusal::from), name);
        };
        match solver.all(board, effort, every.list.unwrap_or(0), every.count) {
            Ok(all) => Answer {
                count: all.count,
                solutions: every.list.map(|_| all.solutions),
                ..answer(Ok(all.report), name)
            },
            Err(error) => answer(Err(error.into()), name),
        }
    }

    /// What to do where there are no tables: another search, unless somebody wants to stop.
    fn without_tables(&self, board: &Board, goal: &Board, unready: &Unready) -> Answer {
        if let Unready::Build(BuildError::Cancelled) = unready {
            let manhattan = Laboratory::new(goal, Cost::Unit, HeuristicKind::Manhattan);
            let estimate = manhattan.ok().and_then(|lab| lab.estimate(board).ok());
            let report = Report {
                outcome: Outcome::Stopped {
                    limit: Limit::Cancelled,
                    lower_bound: estimate.unwrap_or(0),
                },
                statistics: Statistics::default(),
            };
            return answer(Ok(report), None);
        }
        if self.every.is_some() {
            let reason = format!("all shortest solutions can only be had with tables: {unready}");
            return answer(Err(Refusal::Unfit(reason)), None);
        }
        // Larger boards have none, and nobody expects any.
        let expected = board.size().cells() <= Key::MAX_CELLS || self.tier.is_some();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let is_news = expected && told.insert(board.size());
        drop(told);
        if is_news {
            remark(format_args!("{unready}; searching without tables"));
        }
        self.otherwise.solve(board)
    }

    /// The tables for a size: those asked for, the full ones if they are there, else the quick ones.
    fn plan(&self, goal: &Board) -> Plan {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        *plans.entry(goal.size()).or_insert_with(|| {
            let settled = |tier| Plan {
                tier,
                patience: None,
            };
            if let Some(tier) = self.tier {
                return settled(tier);
            }
            let quick = Catalogue::for_goal(goal, Tier::Quick);
            let full = Catalogue::for_goal(goal, Tier::Full);
            let (Ok(quick), Ok(full)) = (quick, full) else {
                return settled(Tier::Quick);
            };
            // Small boards have one and the same tables for both.
            if quick == full || self.provider.is_ready(goal, Tier::Full) {
                return settled(Tier::Full);
            }
            let time = build_time(&full, self.threads);
            if time > LONGEST_BUILD {
                return settled(Tier::Quick);
            }
            Plan {
                tier: Tier::Quick,
                patience: Some(time.max(LEAST_PATIENCE)),
            }
        })
    }

    /// Takes the time of a search off the patience with a tier. A batch that has used up what a
    /// build takes will repay it.
    fn spend(&self, goal: &Board, time: Duration) {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = plans.get_mut(&goal.size())
            && let Some(patience) = &mut plan.patience
        {
            *patience = patience.saturating_sub(time);
            if patience.is_zero() {
                *plan = Plan {
                    tier: Tier::Full,
                    patience: None,
                };
                drop(plans);
                remark(format_args!(
                    "the full tables of {} repay their making from here on; getting them ready",
                    goal.size()
                ));
            }
        }
    }

    /// Goes over to the full tables; whether this is the first to do so.
    fn escalate(&self, goal: &Board) -> bool {
        let full = Plan {
            tier: Tier::Full,
            patience: None,
        };
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let before = plans.insert(goal.size(), full);
        before.is_none_or(|plan| plan.tier != Tier::Full)
    }
}

/// A board under way; no longer when this is dropped, even by a panic.
pub(super) struct Busy<'a> {
    counter: &'a AtomicUsize,
    /// How many there are with this one.
    pub(super) boards: usize,
}

impl<'a> Busy<'a> {
    pub(super) fn new(counter: &'a AtomicUsize) -> Self {
        let boards = counter.fetch_add(1, Ordering::Relaxed) + 1;
        Self { counter, boards }
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.counter.fetch_sub(1, Ordering::Relaxed);
    }
}

fn answer(found: Result<Report<Move>, Refusal>, heuristic: Option<String>) -> Answer {
    Answer {
        found,
        algorithm: Algorithm::Idastar.name(),
        heuristic,
        count: None,
        solutions: None,
    }
}

/// A search that was stopped, as Ctrl-C would have stopped it.
fn interrupted(mut answer: Answer) -> Answer {
    if let Ok(report) = &mut answer.found
        && let Outcome::Stopped { limit, .. } = &mut report.outcome
    {
        *limit = Limit::Cancelled;
    }
    answer
}

/// A second search with what was spent on the first, which was stopped, and what that has proven.
fn after(first: &Answer, mut second: Answer) -> Answer {
    let (Ok(before), Ok(report)) = (&first.found, &mut second.found) else {
        return second;
    };
    let (spent, sum) = (&before.statistics, &mut report.statistics);
    sum.expanded += spent.expanded;
    sum.generated += spent.generated;
    sum.time += spent.time;
    sum.iterations
        .splice(0..0, spent.iterations.iter().copied());
    if let Outcome::Stopped { lower_bound, .. } = &mut report.outcome
        && let Outcome::Stopped {
            lower_bound: proven,
            ..
        } = before.outcome
    {
        *lower_bound = proven.max(*lower_bound);
    }
    second
}

fn is_out_of_time(answer: &Answer) -> bool {
    matches!(
        &answer.found,
        Ok(Report {
            outcome: Outcome::Stopped {
                limit: Limit::Time,
                ..
            },
            ..
        })
    )
}
