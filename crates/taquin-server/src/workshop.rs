//! Solvers, laboratories and whole spaces, kept for the next request.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use taquin::heuristic::{Estimator, HeuristicKind, PatternChoice};
use taquin::search::{Cost, Laboratory};
use taquin::solve::{
    Attendant, Coach, Effort, Equipment, Equipped, Hint, Notice, Provider, SolveError, Solver,
};
use taquin::tables::store::Store;
use taquin::tables::{Building, Indexer, Key, TableSet};
use taquin::{Board, Goal, Metric, Size};

use crate::problem::Problem;

/// Where requests get what they search with. Everything in here is bounded in number, and what takes
/// long to make is made once.
pub struct Workshop {
    threads: usize,
    equipment: Equipment,
    laboratories: Recent<(Board, Cost, HeuristicKind), Arc<Laboratory>>,
    estimators: Recent<(Board, Cost), Arc<Estimator>>,
    /// What is known of whole spaces, as it was answered.
    surveys: Recent<Survey, Bytes>,
    /// With the time that each had.
    coaches: Mutex<VecDeque<(Duration, Coach)>>,
    /// Raised at the end: nothing more is built.
    cancel: Arc<AtomicBool>,
}

/// Sets of tables that are kept at hand.
const SETS: usize = 16;
/// Goals of which it is remembered which tables they use.
const GOALS: usize = 256;
/// Laboratories and estimators with tables of their own.
const LABORATORIES: usize = 8;
/// Answers about whole spaces, of some kilobytes each.
const SURVEYS: usize = 64;
/// Players whose way to the goal is remembered.
const PLAYERS: usize = 32;
/// The most that is built for one request.
const LONGEST_BUILD: Duration = Duration::from_secs(3);
/// The most bytes of a laboratory's pattern databases: a second or so to build.
const MOST_BYTES: usize = 32 << 20;
/// The most memory that building a table takes.
const BUILD_MEMORY: u64 = 1 << 30;

impl Workshop {
    /// With tables from that folder, which are built there when they are missing and soon made, on
    /// so many threads.
    #[must_use]
    pub fn new(store: Store, threads: usize) -> Self {
        let cancel = Arc::<AtomicBool>::default();
        let provider = Provider::new(store)
            .with_threads(threads)
            .with_memory(BUILD_MEMORY)
            .with_cancel(Arc::clone(&cancel))
            .with_attendant(Arc::new(Keeper))
            .with_capacity(SETS);
        Self {
            threads,
            equipment: Equipment::new(Arc::new(provider)).with_capacity(GOALS),
            laboratories: Recent::new(LABORATORIES),
            estimators: Recent::new(LABORATORIES),
            surveys: Recent::new(SURVEYS),
            coaches: Mutex::default(),
            cancel,
        }
    }

    /// How many threads there are for all searches.
    pub(crate) const fn threads(&self) -> usize {
        self.threads
    }

    /// Gets ready what most people ask for first.
    pub(crate) fn warm_up(&self) {
        let goal = Size::new(4, 4).ok().map(|size| Goal::Classic.board(size));
        if let Some(Ok(goal)) = goal {
            self.solver(&goal, Some(LONGEST_BUILD * Equipment::SHARE));
        }
    }

    /// Ends whatever is being built, and builds nothing more.
    pub(crate) fn close(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// The solver for a goal, with the tables that fit into the time for a board; without a time,
    /// those for the first solution. Nothing is built that takes long: no client could end it by
    /// leaving.
    pub(crate) fn solver(&self, goal: &Board, within: Option<Duration>) -> Equipped {
        let most = LONGEST_BUILD * Equipment::SHARE;
        self.equipment
            .of(goal, within.map(|within| within.min(most)))
    }

    /// A laboratory; those with tables of their own are kept. Building them ends when the flag is
    /// raised.
    pub(crate) fn laboratory(
        &self,
        goal: &Board,
        cost: Cost,
        kind: HeuristicKind,
        cancel: &Arc<AtomicBool>,
    ) -> Result<Arc<Laboratory>, String> {
        let make = || {
            let made = match kind {
                HeuristicKind::Patterns(choice) => {
                    let tables = self.small_tables(goal, choice, cancel)?;
                    Laboratory::with_tables(goal, cost, choice, &tables)
                }
                _ => Laboratory::new(goal, cost, kind),
            };
            made.map(Arc::new).map_err(|error| error.to_string())
        };
        match kind {
            HeuristicKind::WalkingDistance | HeuristicKind::Max | HeuristicKind::Patterns(_) => {
                self.laboratories.get((goal.clone(), cost, kind), make)
            }
            _ => make(),
        }
    }

    /// The tables of pattern databases that are built for one request, in memory.
    fn small_tables(
        &self,
        goal: &Board,
        choice: PatternChoice,
        cancel: &Arc<AtomicBool>,
    ) -> Result<TableSet, String> {
        let catalogue = choice.catalogue(goal).map_err(|error| error.to_string())?;
        let bytes = |key: &Key| Indexer::new(key).bytes();
        // What numbers the states of a large table is large itself, so that comes second.
        if catalogue.least_states() > MOST_BYTES as u64 * 8
            || catalogue.keys().iter().map(bytes).sum::<usize>() > MOST_BYTES
        {
            let (name, size) = (HeuristicKind::Patterns(choice).name(), goal.size());
            return Err(format!(
                "the tables of {name} for {size} are too large to be built for a request; the \
                 program has them: taquin solve --heuristic {name}"
            ));
        }
        let building = building(Arc::clone(cancel));
        TableSet::build(catalogue, self.threads, &building).map_err(|error| error.to_string())
    }

    /// What tells the parts of the usual heuristics.
    pub(crate) fn estimator(&self, goal: &Board, cost: Cost) -> Arc<Estimator> {
        let make = || Ok::<_, String>(Arc::new(Estimator::new(goal, cost)));
        let made = self.estimators.get((goal.clone(), cost), make);
        made.unwrap_or_else(|_| Arc::new(Estimator::new(goal, cost)))
    }

    /// The next move of a player who is on a way that was shown, if that was looked for as long as
    /// this player would wait, or is a shortest one.
    pub(crate) fn recall(&self, goal: &Board, board: &Board, within: Duration) -> Option<Hint> {
        let mut coaches = lock(&self.coaches);
        let own = coaches.iter_mut();
        let own = own.filter(|(_, coach)| coach.solver().goal() == goal);
        let hints = own.filter_map(|(had, coach)| Some((*had, coach.recall(board)?)));
        hints
            .filter(|(had, hint)| *had >= within || hint.is_optimal())
            .map(|(_, hint)| hint)
            .min_by_key(|hint| hint.remaining)
    }

    /// The next move, which is remembered with what comes after it.
    pub(crate) fn hint(
        &self,
        solver: &Solver,
        board: &Board,
        effort: &Effort,
        within: Duration,
    ) -> Result<Hint, SolveError> {
        let mut coach = Coach::new(solver.clone());
        let hint = coach.hint(board, effort)?;
        let mut coaches = lock(&self.coaches);
        if coaches.len() >= PLAYERS {
            coaches.pop_front();
        }
        coaches.push_back((within, coach));
        Ok(hint)
    }

    /// What is known of a whole space; `draw` finds it out from all of its boards, on so many
    /// threads, until the flag is raised.
    pub(crate) fn survey(
        &self,
        survey: Survey,
        cancel: Arc<AtomicBool>,
        draw: impl FnOnce(usize, &Building) -> Result<Vec<u8>, Problem>,
    ) -> Result<Bytes, Problem> {
        let building = building(cancel);
        self.surveys
            .get(survey, || draw(self.threads, &building).map(Bytes::from))
    }
}

/// Something that is known of a whole space.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Survey {
    /// How far its boards are from the goal.
    Distribution(Board, Metric),
    /// How good a heuristic is.
    Quality(Board, HeuristicKind),
}

/// Writes what is done about tables into the log.
struct Keeper;

impl Attendant for Keeper {
    fn notice(&self, notice: &Notice) {
        tracing::warn!("{notice}");
    }
}

/// Things by their keys, the last used one last: the first makes room when there are too many.
struct Recent<K, V> {
    most: usize,
    things: Mutex<VecDeque<(K, V)>>,
}

impl<K: PartialEq, V: Clone> Recent<K, V> {
    fn new(most: usize) -> Self {
        Self {
            most,
            things: Mutex::default(),
        }
    }

    /// The thing of a key, made if it is not there. Nobody waits meanwhile: two who want the same
    /// one at the same time both make it.
    fn get<E>(&self, key: K, make: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        let found = {
            let mut things = lock(&self.things);
            let at = things.iter().position(|(known, _)| *known == key);
            at.and_then(|at| things.remove(at))
        };
        let thing = match found {
            Some((_, thing)) => thing,
            None => make()?,
        };
        let mut things = lock(&self.things);
        things.retain(|(known, _)| *known != key);
        if things.len() >= self.most {
            things.pop_front();
        }
        things.push_back((key, thing.clone()));
        Ok(thing)
    }
}

/// What building something for a request must obey.
fn building(cancel: Arc<AtomicBool>) -> Building {
    let mut building = Building::default();
    building.cancel = Some(cancel);
    building.memory = Some(BUILD_MEMORY);
    building
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_makes_room() {
        let recent = Recent::new(2);
        let get = |key: u32| {
            let mut made = false;
            let thing = recent.get(key, || {
                made = true;
                Ok::<_, ()>(key)
            });
            assert_eq!(thing, Ok(key));
            made
        };
        assert!(get(1) && get(2) && !get(1) && get(3));
        assert!(!get(1) && !get(3) && get(2));
        assert_eq!(recent.get(9, || Err::<u32, _>("no")), Err("no"));
        assert!(!get(2));
    }
}
