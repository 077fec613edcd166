//! The solver, and what else is kept for the next request.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use quick_cache::sync::{Cache, GuardResult};
use taquin::heuristic::{Estimator, HeuristicKind};
use taquin::search::{Cost, Laboratory};
use taquin::supply::{BuildObserver, TableNotice, TableSource};
use taquin::tables::store::Store;
use taquin::{
    Board, Budget, Coach, Goal, Hint, HintError, Limits, Metric, Size, SolveError, Solver,
};

use crate::problem::Problem;

/// Where requests get what they search with. Everything in here is bounded in number, and what takes
/// long to make is made once.
pub struct Resources {
    solver: Solver,
    estimators: Cache<(Board, Cost), Arc<Estimator>>,
    /// What is known of whole spaces, as it was answered.
    surveys: Cache<Survey, Bytes>,
    /// Players whose way to the goal is remembered, the latest last.
    coaches: Mutex<VecDeque<Coach>>,
    /// Ends the warm-up.
    cancel_warm_up: Arc<AtomicBool>,
}

/// Sets of tables that are kept at hand.
const SETS: usize = 16;
/// Estimators with tables of their own.
const ESTIMATORS: usize = 8;
/// Answers about whole spaces, of some kilobytes each.
const SURVEYS: usize = 64;
/// Players whose way to the goal is remembered.
const PLAYERS: usize = 32;
/// The longest time that goes into building the better tables of a size.
const LONGEST_BUILD: Duration = Duration::from_secs(3);
/// The most bytes of a laboratory's pattern databases: a second or so to build.
const LABORATORY_BYTES: u64 = 32 << 20;
/// The most memory that building a table takes.
const BUILD_MEMORY: u64 = 1 << 30;
/// How often a request that waits for another's survey looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(20);

impl Resources {
    /// With tables from that folder, which are built there when they are missing, on this many
    /// threads.
    #[must_use]
    pub fn new(store: Store, threads: usize) -> Self {
        let source = TableSource::stored(store)
            .with_threads(threads)
            .with_memory(BUILD_MEMORY)
            .with_observer(Arc::new(LogNotices));
        let solver = Solver::with_source(source)
            .with_threads(threads)
            .with_capacity(SETS)
            .with_longest_build(LONGEST_BUILD)
            .with_laboratory_bytes(LABORATORY_BYTES);
        Self {
            solver,
            estimators: Cache::new(ESTIMATORS),
            surveys: Cache::new(SURVEYS),
            coaches: Mutex::default(),
            cancel_warm_up: Arc::default(),
        }
    }

    /// What solves boards.
    pub(crate) const fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Gets the tables ready that are most likely to be needed first.
    pub(crate) fn warm_up(&self) {
        let limits = cancelled_by(Arc::clone(&self.cancel_warm_up));
        let ready = Size::new(4, 4).map(|size| self.solver.warm_up(&Goal::Classic, size, &limits));
        if let Ok(Err(error)) = ready {
            tracing::warn!("{error}");
        }
    }

    /// Ends the warm-up. What requests have built ends with them.
    pub(crate) fn close(&self) {
        self.cancel_warm_up.store(true, Ordering::Relaxed);
    }

    /// A laboratory; building its tables ends when the flag is raised.
    pub(crate) fn laboratory(
        &self,
        goal: &Board,
        cost: Cost,
        kind: HeuristicKind,
        cancel: &Arc<AtomicBool>,
    ) -> Result<Arc<Laboratory>, SolveError> {
        let budget = Budget::new(&cancelled_by(Arc::clone(cancel)));
        self.solver.laboratory(goal, cost, kind, &budget)
    }

    /// What tells the parts of the usual heuristics.
    pub(crate) fn estimator(&self, goal: &Board, cost: Cost) -> Arc<Estimator> {
        let make = || Ok::<_, Infallible>(Arc::new(Estimator::new(goal, cost)));
        let Ok(estimator) = self
            .estimators
            .get_or_insert_with(&(goal.clone(), cost), make);
        estimator
    }

    /// The next move of a player who is on a way that was shown, if that was looked for as long as
    /// this player would wait, or is a shortest one.
    pub(crate) fn recall(&self, goal: &Board, board: &Board, within: Duration) -> Option<Hint> {
        let goal = Goal::Board(goal.clone());
        let mut coaches = self.coaches.lock().unwrap_or_else(PoisonError::into_inner);
        coaches
            .iter_mut()
            .filter(|coach| *coach.goal() == goal)
            .filter_map(|coach| Some((coach.within(), coach.recall(board)?)))
            .filter(|(had, hint)| *had >= within || hint.is_optimal())
            .map(|(_, hint)| hint)
            .min_by_key(|hint| hint.remaining)
    }

    /// The next move, which is remembered with what comes after it.
    pub(crate) fn hint(
        &self,
        goal: &Board,
        board: &Board,
        within: Duration,
        limits: &Limits,
    ) -> Result<Hint, HintError> {
        // As a board, so that a goal has one coach whichever way it was written.
        let mut coach = Coach::new(Goal::Board(goal.clone()), within);
        let hint = coach.hint(&self.solver, board, limits)?;
        let mut coaches = self.coaches.lock().unwrap_or_else(PoisonError::into_inner);
        if coaches.len() >= PLAYERS {
            coaches.pop_front();
        }
        coaches.push_back(coach);
        Ok(hint)
    }

    /// What is known of a whole space. `draw` finds it out from all of its boards, on that many
    /// threads, until the flag is raised. Requests for the same survey wait for the first one.
    pub(crate) fn survey(
        &self,
        survey: &Survey,
        cancel: Arc<AtomicBool>,
        draw: impl FnOnce(usize, &Budget) -> Result<Vec<u8>, Problem>,
    ) -> Result<Bytes, Problem> {
        let budget = Budget::new(&Limits {
            memory: Some(BUILD_MEMORY),
            ..cancelled_by(cancel)
        });
        loop {
            match self.surveys.get_value_or_guard(survey, Some(LOOK)) {
                GuardResult::Value(answer) => return Ok(answer),
                GuardResult::Guard(guard) => {
                    let answer = Bytes::from(draw(self.solver.threads(), &budget)?);
                    // Fails only where the place was given to another meanwhile.
                    drop(guard.insert(answer.clone()));
                    return Ok(answer);
                }
                // The client is gone, or the server is about to be.
                GuardResult::Timeout if budget.is_cancelled() => return Err(Problem::stopping()),
                GuardResult::Timeout => {}
            }
        }
    }
}

/// Something that is known of a whole space.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Survey {
    /// How far its boards are from the goal.
    Distribution(Board, Metric),
    /// How good a heuristic is.
    Quality(Board, HeuristicKind),
}

/// Writes what is to be known about tables into the log.
struct LogNotices;

impl BuildObserver for LogNotices {
    fn notice(&self, notice: &TableNotice) {
        tracing::warn!("{notice}");
    }
}

/// No limit but a flag.
fn cancelled_by(cancel: Arc<AtomicBool>) -> Limits {
    Limits {
        cancel: Some(cancel),
        ..Limits::default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    fn survey() -> Survey {
        let size = Size::new(2, 2).unwrap();
        Survey::Distribution(Goal::Classic.board(size).unwrap(), Metric::Single)
    }

    fn resources() -> Resources {
        Resources::new(Store::new("nowhere"), 1)
    }

    #[test]
    fn a_survey_is_drawn_once() {
        let resources = resources();
        let fail = |_: usize, _: &Budget| Err(Problem::internal());
        assert!(resources.survey(&survey(), Arc::default(), fail).is_err());
        let draw = |_: usize, _: &Budget| Ok(b"known".to_vec());
        let drawn = resources.survey(&survey(), Arc::default(), draw);
        assert_eq!(&*drawn.unwrap(), b"known");
        let again = resources.survey(&survey(), Arc::default(), fail);
        assert_eq!(&*again.unwrap(), b"known");
    }

    #[test]
    fn who_waits_for_anothers_survey_can_leave() {
        let resources = resources();
        let (begin, began) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        thread::scope(|scope| {
            let resources = &resources;
            let first = scope.spawn(move || {
                resources.survey(&survey(), Arc::default(), |_, _| {
                    begin.send(()).unwrap();
                    ended.recv().unwrap();
                    Ok(b"known".to_vec())
                })
            });
            began.recv().unwrap();
            let left = Arc::new(AtomicBool::new(true));
            let never = |_: usize, _: &Budget| unreachable!("another draws it");
            assert!(resources.survey(&survey(), left, never).is_err());
            end.send(()).unwrap();
            assert_eq!(&*first.join().unwrap().unwrap(), b"known");
        });
    }
}
