//! Gets tables: from the files of a store, or built.

use std::cell::OnceCell;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, thread};

use thiserror::Error;

use super::available_memory;
use super::observer::{BuildObserver, TableNotice};
use super::room::{Room, TakenRoom};
use crate::outcome::{Budget, Limits};
use crate::tables::{
    AnyCatalogue, AnyTables, BuildError, Bytes, Catalogue, ClassKey, Indexer, Key, KeyError, Table,
    TablePlan, TableSet, TableSubject, Tier,
};
use crate::{Board, Metric};
#[cfg(feature = "store")]
use crate::{
    supply::GotTable,
    tables::store::{FileCheck, Store, StoreNotice, Stored, TableRequest, Unwritten},
};

/// Gets tables: from the files of a store, which it fills, or built in memory each time.
///
/// It keeps nothing itself. What is handed out was checked to the last byte; damaged files are
/// named and built again.
///
/// ```
/// use taquin::supply::TableSource;
/// use taquin::tables::Tier;
/// use taquin::{Budget, Goal, Metric};
///
/// let goal = Goal::Classic.board("3x3".parse()?)?;
/// let source = TableSource::in_memory();
/// let ready = source.get(&goal, Metric::Single, Tier::Quick, &Budget::default())?;
/// assert_eq!((ready.tables.metric(), ready.tier), (Metric::Single, Tier::Quick));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TableSource {
    #[cfg(feature = "store")]
    store: Option<Store>,
    threads: usize,
    /// The most bytes that building a table may take, whatever there is.
    memory: Option<u64>,
    /// What all builds that run at once may take.
    room: Option<Arc<Room>>,
    observer: Arc<dyn BuildObserver>,
}

/// The tables of a goal, checked to the last byte.
#[derive(Clone, Debug)]
pub struct ReadyTables {
    /// The tables.
    pub tables: AnyTables,
    /// What was asked for, or less if that did not fit into memory.
    pub tier: Tier,
}

/// Why there are no tables.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum TablesError {
    /// None exist for such boards.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// They cannot be built, not even small ones, or nobody wants them any more.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl TablesError {
    /// Whether the budget ended the build: its time was over, or it was cancelled.
    #[must_use]
    pub const fn is_stopped(&self) -> bool {
        matches!(self, Self::Build(BuildError::Stopped(_)))
    }
}

impl TableSource {
    /// Tables built in memory, with all threads and in what memory there is.
    #[must_use]
    pub fn in_memory() -> Self {
        Self {
            #[cfg(feature = "store")]
            store: None,
            threads: thread::available_parallelism().map_or(1, usize::from),
            memory: None,
            room: None,
            observer: Arc::new(()),
        }
    }

    /// Tables from that store, built where they are missing.
    #[must_use]
    #[cfg(feature = "store")]
    pub fn stored(store: Store) -> Self {
        Self {
            store: Some(store),
            ..Self::in_memory()
        }
    }

    /// This source, building with that many threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// This source, where building a table may take no more than that many bytes.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Self {
        let memory = Some(bytes);
        Self { memory, ..self }
    }

    /// This source, whose builds take their memory from that room.
    #[must_use]
    pub fn with_room(self, room: Arc<Room>) -> Self {
        let room = Some(room);
        Self { room, ..self }
    }

    /// This source with an observer.
    #[must_use]
    pub fn with_observer(self, observer: Arc<dyn BuildObserver>) -> Self {
        Self { observer, ..self }
    }

    /// The store, if there is one.
    #[must_use]
    #[cfg(feature = "store")]
    pub const fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// How many threads build.
    #[must_use]
    pub const fn threads(&self) -> usize {
        self.threads
    }

    #[cfg(feature = "store")]
    pub(crate) fn observer(&self) -> &dyn BuildObserver {
        &*self.observer
    }

    /// Whether all tables of a goal's tier have files, as far as their headers tell. That takes
    /// microseconds.
    #[must_use]
    pub fn is_stored(&self, goal: &Board, metric: Metric, tier: Tier) -> bool {
        let catalogue = AnyCatalogue::for_goal(goal, metric, tier);
        catalogue.is_ok_and(|catalogue| self.missing(&catalogue).is_empty())
    }

    /// The tables of a catalogue that have no file with a good header.
    #[must_use]
    pub fn missing(&self, catalogue: &AnyCatalogue) -> Vec<TableSubject> {
        let mut subjects = catalogue.subjects();
        subjects.retain(|&subject| !self.has_file(subject));
        subjects
    }

    /// Whether a table has a file with a good header.
    #[cfg(feature = "store")]
    pub(crate) fn has_file(&self, subject: impl Into<TableSubject>) -> bool {
        let store = self.store.as_ref();
        store.is_some_and(|store| matches!(store.open(subject), Ok(Some(_))))
    }

    /// Whether a table has a file: without a store none has.
    #[cfg(not(feature = "store"))]
    #[expect(clippy::unused_self, reason = "with a store it is asked")]
    pub(crate) fn has_file(&self, _: impl Into<TableSubject>) -> bool {
        false
    }

    /// The tables of a goal: from their files, or built. A tier that does not fit into memory is
    /// replaced by a smaller one, and the observer hears of it.
    pub fn get(
        &self,
        goal: &Board,
        metric: Metric,
        tier: Tier,
        budget: &Budget,
    ) -> Result<ReadyTables, TablesError> {
        let catalogue = AnyCatalogue::for_goal(goal, metric, tier)?;
        match (self.set(&catalogue, tier, budget), tier.smaller()) {
            (Err(error), Some(smaller)) if is_for_memory(&error) => {
                self.observer.notice(&TableNotice::Smaller {
                    error,
                    asked: tier,
                    taken: smaller,
                });
                self.get(goal, metric, smaller, budget)
            }
            (tables, _) => Ok(ReadyTables {
                tables: tables?,
                tier,
            }),
        }
    }

    /// Every table of a tier's catalogue. The observer hears of each one, and writes those that had
    /// to be built.
    pub fn set(
        &self,
        catalogue: &AnyCatalogue,
        tier: Tier,
        budget: &Budget,
    ) -> Result<AnyTables, BuildError> {
        Ok(match catalogue {
            AnyCatalogue::Patterns(patterns) => {
                AnyTables::Patterns(self.pattern_set(patterns, tier, budget)?)
            }
            AnyCatalogue::Classes(classes) => {
                AnyTables::Classes(self.class_set(classes, tier, budget)?)
            }
        })
    }

    fn pattern_set(
        &self,
        catalogue: &Catalogue,
        tier: Tier,
        budget: &Budget,
    ) -> Result<TableSet, BuildError> {
        let budget = self.build_budget(budget);
        // For all tables together.
        let wait = budget.waiting_for_process(self.patience(&catalogue.clone().into()));
        let mut missing = catalogue.keys();
        missing.retain(|&key| !self.has_file(key));
        let plan = TablePlan::new(catalogue.clone(), &budget)?;
        // A set of which one table is too large is refused before the first is built.
        plan.allow(&missing, self.threads, &budget)?;
        let total = || {
            let entries = missing.iter().map(|key| plan.indexer(key).entries());
            entries.sum()
        };
        // Taken when the first table is built, and not while another process builds it.
        let taken = OnceCell::new();
        let make_room = || self.make_room(&taken, &plan, &missing, &budget);
        let work = || {
            plan.clone()
                .fill(|key, indexer| self.table(key, indexer, &make_room, &budget, &wait))
        };
        if missing.is_empty() {
            return work();
        }
        let what = format!("building the {tier} tables of {}", catalogue.size());
        self.observed(&what, &total, &budget, work)
    }

    /// Takes the room for building these tables, unless it is taken already.
    fn make_room<'a>(
        &'a self,
        taken: &OnceCell<TakenRoom<'a>>,
        plan: &TablePlan,
        missing: &[Key],
        budget: &Budget,
    ) -> Result<(), BuildError> {
        // A file with a good header is not missing, and yet what follows may have to be built again.
        let bytes = || {
            if missing.is_empty() {
                plan.working_memory(&plan.catalogue().keys(), self.threads)
            } else {
                plan.working_memory(missing, self.threads)
            }
        };
        self.take_room(taken, bytes, budget)
    }

    /// Takes room for this many bytes, unless some is taken already. A build that finds none for a
    /// quarter of its time is stopped.
    pub(super) fn take_room<'a>(
        &'a self,
        taken: &OnceCell<TakenRoom<'a>>,
        bytes: impl FnOnce() -> u64,
        budget: &Budget,
    ) -> Result<(), BuildError> {
        let Some(room) = self.room.as_ref().filter(|_| taken.get().is_none()) else {
            return Ok(());
        };
        let wait = budget.waiting(Duration::MAX);
        let part = room.take(bytes(), &wait).map_err(BuildError::Stopped)?;
        // It was empty.
        drop(taken.set(part));
        Ok(())
    }

    /// The longest wait for another process that builds these tables, if there is a time limit:
    /// twice the time that we would need. A process that takes longer is stuck or slow.
    pub(crate) fn patience(&self, catalogue: &AnyCatalogue) -> Duration {
        let most = build_time(catalogue, self.threads).saturating_mul(2);
        most.max(LEAST_PATIENCE)
    }

    /// Does `work` while the observer looks on.
    pub(crate) fn observed<T>(
        &self,
        what: &str,
        total: &(dyn Fn() -> u64 + Sync),
        budget: &Budget,
        work: impl FnOnce() -> T,
    ) -> T {
        let mut work = Some(work);
        let mut result = None;
        let mut once = || {
            if let Some(work) = work.take() {
                result = Some(work());
            }
        };
        self.observer.building(what, total, budget, &mut once);
        // An observer may have forgotten it.
        once();
        result.expect("it was done, here at the latest")
    }

    /// One table, from its file or built. `wait` is for other processes that build it.
    fn table(
        &self,
        key: Key,
        indexer: &Indexer,
        make_room: &dyn Fn() -> Result<(), BuildError>,
        budget: &Budget,
        wait: &Budget,
    ) -> Result<Table, BuildError> {
        let build = || {
            make_room()?;
            let table = Table::build(key, indexer, self.threads, budget)?;
            Ok((table.bytes().clone(), table.max()))
        };
        let measure = (indexer.entries(), indexer.bytes());
        let (bytes, max) = self.contents(key.into(), measure, build, wait, budget)?;
        Ok(Table::from_bytes(key, max, indexer, bytes).expect("it has as many bytes as asked for"))
    }

    /// The bytes of a table and its largest value: from its file, or built, and then the observer
    /// writes them. A file with other numbers of entries and bytes is not taken. `wait` is for other
    /// processes that build it.
    #[cfg(feature = "store")]
    pub(super) fn contents(
        &self,
        subject: TableSubject,
        (entries, bytes): (u64, usize),
        build: impl FnOnce() -> Result<(Bytes, u8), BuildError>,
        wait: &Budget,
        budget: &Budget,
    ) -> Result<(Bytes, u8), BuildError> {
        let request = TableRequest {
            subject,
            entries,
            bytes,
            check: FileCheck::All {
                threads: self.threads,
            },
        };
        let mut built_in = None;
        let timed = || -> Result<_, BuildError> {
            let begin = std::time::Instant::now();
            let built = build()?;
            built_in = Some(begin.elapsed());
            Ok(built)
        };
        let (stored, unwritten) = self.obtain(&request, timed, wait, budget)?;
        if let Some(unwritten) = unwritten {
            self.observer.write(unwritten);
        }
        self.observer.table(&GotTable {
            subject,
            stored: &stored,
            built_in,
        });
        Ok((stored.bytes().clone(), stored.description().max))
    }

    /// The bytes of a table and its largest value, built: there are no files.
    #[cfg(not(feature = "store"))]
    #[expect(clippy::unused_self, reason = "with a store it is asked")]
    pub(super) fn contents(
        &self,
        _: TableSubject,
        _: (u64, usize),
        build: impl FnOnce() -> Result<(Bytes, u8), BuildError>,
        _: &Budget,
        _: &Budget,
    ) -> Result<(Bytes, u8), BuildError> {
        build()
    }

    /// Something from its file or built; the observer hears what is wrong with the file. `wait` is
    /// for others who build it, `check` for looking at the file.
    #[cfg(feature = "store")]
    pub(crate) fn obtain<E>(
        &self,
        request: &TableRequest,
        build: impl FnOnce() -> Result<(Bytes, u8), E>,
        wait: &Budget,
        check: &Budget,
    ) -> Result<(Stored, Option<Unwritten>), E> {
        let Some(store) = &self.store else {
            let (bytes, max) = build()?;
            return Ok((Stored::of_request(request, bytes, max), None));
        };
        let mut notices = |notice: StoreNotice| self.observer.notice(&TableNotice::Store(notice));
        store.get_unwritten(request, build, wait, check, &mut notices)
    }

    /// What a build must obey: the time and the cancel flag of a budget, and the memory that there
    /// is now, if it may take it. It counts its own states.
    #[must_use]
    pub fn build_budget(&self, budget: &Budget) -> Budget {
        let limits = [self.memory, available_memory()];
        budget.with_limits(&Limits {
            memory: limits.into_iter().flatten().min(),
            time: budget.time_left(),
            cancel: budget.limits().cancel.clone(),
            ..Limits::default()
        })
    }
}

impl fmt::Debug for TableSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("TableSource");
        #[cfg(feature = "store")]
        debug.field("store", &self.store);
        debug
            .field("threads", &self.threads)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

/// Whether smaller tables might do.
const fn is_for_memory(error: &BuildError) -> bool {
    matches!(error, BuildError::Limit(_) | BuildError::Memory(_))
}

/// The least that [`TableSource::patience`] is.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);

/// States of patterns whose values a core finds in a second, roughly, and classes.
const STATES_PER_SECOND: f64 = 150e6;
const CLASSES_PER_SECOND: f64 = 27e6;
/// What each table takes besides, on boards of up to [`SMALL_CELLS`] cells and on larger ones.
const SMALL_TABLE: Duration = Duration::from_millis(20);
const LARGE_TABLE: Duration = Duration::from_millis(50);
const SMALL_CELLS: usize = 16;
/// Bytes of tables that are read and checked in a second, roughly.
const BYTES_PER_SECOND: f64 = 2e9;

/// How long tables take to build on this many threads, roughly.
#[must_use]
pub fn build_time(catalogue: &AnyCatalogue, threads: usize) -> Duration {
    #[expect(clippy::cast_precision_loss, reason = "it is a rough guess")]
    let seconds = match catalogue {
        AnyCatalogue::Patterns(patterns) => patterns.least_states() as f64 / STATES_PER_SECOND,
        AnyCatalogue::Classes(classes) => classes.classes() as f64 / CLASSES_PER_SECOND,
    };
    let threads = u32::try_from(threads).unwrap_or(u32::MAX);
    let seconds = seconds / f64::from(threads.max(1));
    let seconds = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let each = if catalogue.size().cells() <= SMALL_CELLS {
        SMALL_TABLE
    } else {
        LARGE_TABLE
    };
    seconds.saturating_add(each * catalogue.subjects().len() as u32)
}

/// How long tables take to read and check, roughly.
pub(crate) fn reading_time(catalogue: &AnyCatalogue) -> Duration {
    let bytes = match catalogue {
        AnyCatalogue::Patterns(patterns) => patterns.least_states() / 8,
        AnyCatalogue::Classes(classes) => classes.keys().iter().map(ClassKey::bytes).sum(),
    };
    #[expect(clippy::cast_precision_loss, reason = "it is a rough guess")]
    let seconds = bytes as f64 / BYTES_PER_SECOND;
    Duration::from_secs_f64(seconds)
}
