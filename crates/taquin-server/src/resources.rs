//! The solver, and what else is kept for the next request.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use taquin::heuristic::{Estimator, HeuristicKind, MultiWalkingDistance, WalkingDistance};
use taquin::search::{Counting, Laboratory};
use taquin::space::{Quality, QualityError, Space, Summary};
use taquin::supply::{BuildObserver, Room, TableNotice, TableSource, TakenRoom, Writers};
use taquin::tables::BuildError;
use taquin::tables::SpaceKey;
use taquin::tables::store::{Store, StoreNotice, Unwritten};
use taquin::{
    Board, Budget, Coach, Goal, Hint, HintError, Limits, Metric, Size, SolveError, Solver,
};

use crate::config::Bounds;
use crate::kept::Kept;
use crate::problem::Problem;

/// Where requests get what they search with. Everything in here is bounded in bytes, what takes long
/// to make is made once, and goals that come to the same puzzle share it.
pub struct Resources {
    solver: Solver,
    /// By the size and the cell of the goal's blank.
    estimators: Kept<(Size, usize, Metric), Arc<Estimator>>,
    /// What is known of whole spaces.
    summaries: Kept<SpaceKey, Arc<Summary>>,
    /// How good heuristics are.
    qualities: Kept<(SpaceKey, HeuristicKind), Arc<Quality>>,
    /// What all searches of whole spaces may take at once.
    survey_room: Room,
    /// Players whose way to the goal is remembered, the latest last.
    coaches: Mutex<VecDeque<Coach>>,
    /// How long the warm-up may take: where there is one thread, all searches wait for it.
    warm_up_time: Duration,
    /// Ends the warm-up.
    cancel_warm_up: Arc<AtomicBool>,
    /// Writes tables that were built.
    writers: Arc<Writers>,
}

/// Players whose way to the goal is remembered: some kilobytes each.
const PLAYERS: usize = 32;
/// The longest time that goes into building the better tables of a size.
const LONGEST_BUILD: Duration = Duration::from_secs(3);
/// The most bytes of a laboratory's pattern databases: a second or so to build.
const LABORATORY_BYTES: u64 = 32 << 20;
/// Bytes of an estimator besides its tables, and of how good a heuristic is, roughly.
const BESIDES: u64 = 64 << 10;

impl Resources {
    /// With tables from that folder, which are built there when they are missing, on this many
    /// threads.
    #[must_use]
    pub fn new(store: Store, threads: usize, bounds: &Bounds) -> Self {
        let writers = Arc::<Writers>::default();
        let source = TableSource::stored(store)
            .with_threads(threads)
            .with_memory(bounds.build_memory)
            .with_observer(Arc::new(LogNotices(Arc::clone(&writers))));
        // Tables are by far the largest.
        let part = bounds.kept / 16;
        let solver = Solver::with_source(source)
            .with_threads(threads)
            .with_kept_bytes(bounds.kept - 4 * part)
            .with_build_room(bounds.build_memory)
            .with_longest_build(LONGEST_BUILD)
            .with_laboratory_bytes(LABORATORY_BYTES);
        Self {
            solver,
            estimators: Kept::new(2 * part),
            summaries: Kept::new(part),
            qualities: Kept::new(part),
            survey_room: Room::new(bounds.survey_memory),
            coaches: Mutex::default(),
            warm_up_time: bounds.time.max(LONGEST_BUILD),
            cancel_warm_up: Arc::default(),
            writers,
        }
    }

    /// What solves boards.
    pub(crate) const fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The bytes of all that is kept.
    pub(crate) fn kept_bytes(&self) -> u64 {
        let surveys = self.summaries.bytes() + self.qualities.bytes();
        self.solver.kept_bytes() + self.estimators.bytes() + surveys
    }

    /// Gets the tables ready that are most likely to be needed first.
    pub(crate) fn warm_up(&self) {
        let limits = Limits {
            time: Some(self.warm_up_time),
            cancel: Some(Arc::clone(&self.cancel_warm_up)),
            ..Limits::default()
        };
        let goal = Goal::Classic;
        let ready =
            Size::new(4, 4).map(|size| self.solver.warm_up(&goal, size, Metric::Single, &limits));
        if let Ok(Err(error)) = ready {
            tracing::warn!("{error}");
        }
    }

    /// Ends the warm-up. What requests have built ends with them.
    pub(crate) fn close(&self) {
        self.cancel_warm_up.store(true, Ordering::Relaxed);
    }

    /// Waits until all tables that were built are written.
    pub(crate) fn finish_writing(&self) {
        self.writers.finish();
    }

    /// A laboratory, whose tables are built within these limits.
    pub(crate) fn laboratory(
        &self,
        goal: &Board,
        counting: Counting,
        kind: HeuristicKind,
        limits: &Limits,
    ) -> Result<Arc<Laboratory>, SolveError> {
        self.solver
            .laboratory(goal, counting, kind, &Budget::new(limits))
    }

    /// What tells the parts of the usual heuristics.
    pub(crate) fn estimator(
        &self,
        goal: &Board,
        counting: Counting,
        limits: &Limits,
    ) -> Result<Estimator, Problem> {
        let metric = counting.metric();
        let key = (goal.size(), goal.blank(), metric);
        let budget = self.survey_budget(limits);
        let shared = self.estimators.get_or_make(&key, &budget, || {
            let bytes = match metric {
                Metric::Single => WalkingDistance::working_memory(goal),
                Metric::Multi => MultiWalkingDistance::working_memory(goal),
            };
            let _room = self.survey_room(bytes, &budget)?;
            let estimator = Estimator::within(goal, counting, &budget).map_err(Problem::out_of)?;
            let bytes = estimator.table_bytes() + BESIDES;
            Ok((Arc::new(estimator), bytes))
        })?;
        // It may have been made for another goal, or for other costs.
        Ok(shared.towards(goal, counting))
    }

    /// The next move of a player who is on a way that was shown, if that was looked for as long as
    /// this player would wait, or is a shortest one.
    pub(crate) fn recall(
        &self,
        goal: &Board,
        metric: Metric,
        board: &Board,
        within: Duration,
    ) -> Option<Hint> {
        let goal = Goal::Board(goal.clone());
        let mut coaches = self.coaches.lock().unwrap_or_else(PoisonError::into_inner);
        coaches
            .iter_mut()
            .filter(|coach| *coach.goal() == goal && coach.metric() == metric)
            .filter_map(|coach| Some((coach.within(), coach.recall(board)?)))
            .filter(|(had, hint)| *had >= within || hint.is_optimal())
            .map(|(_, hint)| hint)
            .min_by_key(|hint| hint.remaining)
    }

    /// The next move, which is remembered with what comes after it.
    pub(crate) fn hint(
        &self,
        goal: &Board,
        metric: Metric,
        board: &Board,
        within: Duration,
        limits: &Limits,
    ) -> Result<Hint, HintError> {
        // As a board, so that a goal has one coach whichever way it was written.
        let mut coach = Coach::new(Goal::Board(goal.clone()), within).in_metric(metric);
        let hint = coach.hint(&self.solver, board, limits)?;
        let mut coaches = self.coaches.lock().unwrap_or_else(PoisonError::into_inner);
        if coaches.len() >= PLAYERS {
            coaches.pop_front();
        }
        coaches.push_back(coach);
        Ok(hint)
    }

    /// What is known of a whole space, and how long it was searched if it was. It is searched on this
    /// many threads within these limits, and only one request searches it.
    pub(crate) fn summary(
        &self,
        space: &Space,
        threads: usize,
        limits: &Limits,
    ) -> Result<(Summary, Option<Duration>), Problem> {
        let budget = self.survey_budget(limits);
        let mut time = None;
        let search = || {
            let _room = self.survey_room(space.working_memory(threads), &budget)?;
            let begin = Instant::now();
            let atlas = space.canonical().search(threads, &budget);
            let summary = atlas.map_err(unsurveyed)?.summary();
            time = Some(begin.elapsed());
            let bytes = summary.bytes();
            Ok((Arc::new(summary), bytes))
        };
        let known = self.summaries.get_or_make(&space.key(), &budget, search)?;
        let summary = known.towards(space).ok_or_else(Problem::internal)?;
        Ok((summary, time))
    }

    /// How good a heuristic is in a whole space, measured as [`summary`](Self::summary) searches.
    pub(crate) fn quality(
        &self,
        space: &Space,
        kind: HeuristicKind,
        threads: usize,
        limits: &Limits,
    ) -> Result<Quality, Problem> {
        let budget = self.survey_budget(limits);
        let canonical = space.canonical();
        let measure = || {
            let bytes = Quality::working_memory(&canonical, kind, threads);
            let _room = self.survey_room(bytes.unwrap_or(0), &budget)?;
            let measured = Quality::measure(&canonical, kind, threads, &budget);
            let measured = measured.map_err(|error| match error {
                QualityError::Build(error) => unsurveyed(error),
                error => Problem::invalid("/heuristic", error.to_string()),
            })?;
            let pairs = measured.pairs().iter().map(Vec::len).sum::<usize>();
            let bytes = (pairs * size_of::<u64>()) as u64 + BESIDES;
            Ok((Arc::new(measured), bytes))
        };
        let known = self
            .qualities
            .get_or_make(&(space.key(), kind), &budget, measure)?;
        known
            .towards(&canonical, space)
            .ok_or_else(Problem::internal)
    }

    /// What the search of a whole space may spend: the time of any search, and the memory that there
    /// is for surveys.
    fn survey_budget(&self, limits: &Limits) -> Budget {
        Budget::new(&Limits {
            memory: Some(self.survey_room.bytes()),
            nodes: None,
            ..limits.clone()
        })
    }

    /// Waits until there is room to search a whole space. What takes more than there is for all is
    /// refused by the search itself.
    fn survey_room(&self, bytes: u64, budget: &Budget) -> Result<TakenRoom<'_>, Problem> {
        let room = self.survey_room.take(bytes, budget);
        room.map_err(Problem::out_of)
    }
}

/// Why a whole space was not searched.
fn unsurveyed(error: BuildError) -> Problem {
    match error {
        BuildError::Stopped(limit) => Problem::out_of(limit),
        error => Problem::too_large(error.to_string()).about("/size"),
    }
}

/// Writes what is to be known about tables into the log, and tables in the background.
struct LogNotices(Arc<Writers>);

impl BuildObserver for LogNotices {
    fn notice(&self, notice: &TableNotice) {
        tracing::warn!("{notice}");
    }

    fn write(&self, unwritten: Unwritten) {
        self.0.write(unwritten, |error| {
            tracing::warn!("{}", TableNotice::Store(StoreNotice::NotKept(error)));
        });
    }
}

#[cfg(test)]
mod tests {
    use taquin::tables::{Catalogue, Tier};
    use taquin::{Rng, uniform};

    use super::*;

    fn resources(bounds: &Bounds) -> Resources {
        Resources::new(Store::new("nowhere"), 1, bounds)
    }

    fn goals(size: &str) -> impl Iterator<Item = Board> {
        let classic = Goal::Classic.board(size.parse().unwrap()).unwrap();
        let mut rng = Rng::from_seed(1);
        std::iter::repeat_with(move || uniform(&classic, &mut rng))
    }

    #[test]
    fn goals_that_are_the_same_puzzle_share_what_is_kept() {
        let resources = resources(&Bounds::default());
        let limits = Limits::default();
        let mut searched = 0;
        for goal in goals("2x4").take(30) {
            let space = Space::new(&goal, Metric::Single).unwrap();
            let (summary, time) = resources.summary(&space, 1, &limits).unwrap();
            assert_eq!(summary.space().goal(), &goal);
            searched += usize::from(time.is_some());
            let kind = HeuristicKind::Manhattan;
            resources.quality(&space, kind, 1, &limits).unwrap();
            let estimator = resources
                .estimator(&goal, Counting::Moves, &limits)
                .unwrap();
            assert_eq!(estimator.breakdown(&goal).unwrap().best(), 0);
        }
        // The blank is in a corner or not, and an estimator tells eight cells apart.
        assert_eq!(searched, 2);
        assert_eq!(resources.summaries.len(), 2);
        assert_eq!(resources.qualities.len(), 2);
        assert!(resources.estimators.len() <= 8);
    }

    #[test]
    fn the_warm_up_ends_although_another_process_never_finishes_the_tables() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        let goal = Goal::Classic.board("4x4".parse().unwrap()).unwrap();
        let keys = Catalogue::for_goal(&goal, Tier::Quick).unwrap().keys();
        let _held: Vec<_> = keys.iter().map(|&key| store.try_lock(key)).collect();
        let bounds = Bounds {
            time: Duration::from_millis(100),
            ..Bounds::default()
        };
        // Without a limit of its own it would wait for ever.
        Resources::new(store, 1, &bounds).warm_up();
    }

    #[test]
    fn surveys_obey_the_limits_on_memory_and_time() {
        let goal = goals("3x3").next().unwrap();
        let space = Space::new(&goal, Metric::Single).unwrap();
        let tight = resources(&Bounds {
            survey_memory: 1000,
            ..Bounds::default()
        });
        let free = Limits::default();
        assert!(tight.summary(&space, 1, &free).is_err());
        let kind = HeuristicKind::Manhattan;
        assert!(tight.quality(&space, kind, 1, &free).is_err());
        let roomy = resources(&Bounds::default());
        let no_time = Limits::within(Duration::ZERO);
        assert!(roomy.summary(&space, 1, &no_time).is_err());
        assert!(roomy.quality(&space, kind, 1, &no_time).is_err());
        assert!(roomy.summary(&space, 1, &free).is_ok());
        // So do the tables of an estimator.
        let goal = goals("4x5").next().unwrap();
        assert!(tight.estimator(&goal, Counting::Moves, &free).is_err());
        assert!(roomy.estimator(&goal, Counting::Moves, &no_time).is_err());
    }
}
