//! Sets of tables, each made ready once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fmt, thread};

use thiserror::Error;

use super::attendant::{Attendant, Notice};
use super::available_memory;
use super::shelf::Shelf;
use crate::solve::Solver;
use crate::tables::store::{self, Check, Request, Store, Stored, Unwritten};
use crate::tables::{
    BuildError, Building, Bytes, Catalogue, Indexer, Key, KeyError, Subject, Table, TableSet, Tier,
};
use crate::{Board, Reduction};

/// Gets tables from a store, or builds them and has them written there.
///
/// Each set is made ready once: whichever thread needs it first does that, the others wait. Sets
/// are kept for who asks next, at most [so many](Self::with_capacity).
///
/// ```
/// use std::sync::Arc;
/// use taquin::solve::{Effort, Provider};
/// use taquin::tables::Tier;
/// use taquin::tables::store::Store;
/// use taquin::{Board, Goal};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let provider = Provider::new(Store::new(folder));
/// let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let ready = provider.get(&goal, Tier::Quick)?;
/// assert!(ready.solver.solve(&board, &Effort::default()).is_ok());
/// assert!(provider.is_ready(&goal, Tier::Quick));
/// assert!(Arc::ptr_eq(&ready, &provider.get(&goal, Tier::Quick)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Provider {
    pub(super) store: Store,
    pub(super) threads: usize,
    /// The most bytes that building a table may take, whatever there is.
    memory: Option<u64>,
    pub(super) cancel: Arc<AtomicBool>,
    pub(super) attendant: Arc<dyn Attendant>,
    sets: Shelf<(Board, Tier), Arc<Ready>>,
}

/// A solver with the tables of a goal, checked to the last byte.
#[derive(Clone, Debug)]
pub struct Ready {
    /// The solver.
    pub solver: Solver,
    /// What was asked for, or less if that did not fit into memory.
    pub tier: Tier,
}

/// Why there are no tables.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum Unready {
    /// None exist for such boards.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// They cannot be built, not even small ones, or nobody wants them any more.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// A table, and what it came from.
#[derive(Debug)]
pub struct Obtained {
    /// The table.
    pub table: Table,
    /// Its file, or what will be in it.
    pub stored: Stored,
    /// If it was built just now: what is to be written.
    pub unwritten: Option<Unwritten>,
}

impl Provider {
    /// Tables from that folder, built with all threads and in what memory there is.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self {
            store,
            threads: thread::available_parallelism().map_or(1, usize::from),
            memory: None,
            cancel: Arc::default(),
            attendant: Arc::new(()),
            sets: Shelf::new(Self::CAPACITY),
        }
    }

    /// How many sets of tables are kept unless somebody says otherwise.
    pub const CAPACITY: usize = Shelf::<(Board, Tier), Arc<Ready>>::CAPACITY;

    /// The same with that many threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// The same where building a table may take no more than that many bytes.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Self {
        let memory = Some(bytes);
        Self { memory, ..self }
    }

    /// The same where builds are broken off soon after the flag becomes true.
    #[must_use]
    pub fn with_cancel(self, cancel: Arc<AtomicBool>) -> Self {
        Self { cancel, ..self }
    }

    /// The same with somebody who hears of it all.
    #[must_use]
    pub fn with_attendant(self, attendant: Arc<dyn Attendant>) -> Self {
        Self { attendant, ..self }
    }

    /// The same, keeping at most that many sets of tables, and none yet. When there are more, the
    /// one that was not asked for the longest time is dropped; who still uses it can go on.
    #[must_use]
    pub fn with_capacity(self, sets: usize) -> Self {
        let sets = Shelf::new(sets);
        Self { sets, ..self }
    }

    /// The folder of the tables.
    #[must_use]
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// How many threads build.
    #[must_use]
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// Whether all tables of a goal's tier have files, as far as their headers tell: that takes
    /// microseconds.
    #[must_use]
    pub fn is_ready(&self, goal: &Board, tier: Tier) -> bool {
        Catalogue::for_goal(goal, tier).is_ok_and(|catalogue| self.missing(&catalogue).is_empty())
    }

    /// The tables of a goal: from their files, or built. Only tables whose checksums were all
    /// compared are handed out; damaged files are named and built again.
    ///
    /// A tier that does not fit into memory is replaced by a smaller one, and that is said.
    pub fn get(&self, goal: &Board, tier: Tier) -> Result<Arc<Ready>, Unready> {
        self.sets.with(&(goal.clone(), tier), |set| {
            if let Some(ready) = set {
                return Ok(Arc::clone(ready));
            }
            let ready = self.shared_or_made(goal, tier)?;
            *set = Some(Arc::clone(&ready));
            Ok(ready)
        })
    }

    /// The same for who cannot wait: the tables of a goal if somebody got them before.
    #[must_use]
    pub fn at_hand(&self, goal: &Board, tier: Tier) -> Option<Arc<Ready>> {
        self.sets.peek(&(goal.clone(), tier))
    }

    /// The tables of a goal that are not at hand. Goals that reduce to the same one share them: who
    /// thinks up ever new goals has nothing read, checked or built again.
    fn shared_or_made(&self, goal: &Board, tier: Tier) -> Result<Arc<Ready>, Unready> {
        let reduction = Reduction::new(goal);
        if reduction.goal() != goal {
            let shared = self.get(reduction.goal(), tier)?;
            let solver = shared.solver.for_goal(goal);
            return Ok(Arc::new(Ready {
                solver: solver.expect("it is reduced to the goal of those tables"),
                tier: shared.tier,
            }));
        }
        let smaller = Tier::ALL.into_iter().rfind(|&other| other < tier);
        match (self.make(goal, tier), smaller) {
            (Err(Unready::Build(error)), Some(smaller)) if is_for_memory(&error) => {
                self.attendant.notice(&Notice::Smaller {
                    error,
                    asked: tier,
                    taken: smaller,
                });
                self.get(goal, smaller)
            }
            (made, _) => Ok(Arc::new(made?)),
        }
    }

    fn make(&self, goal: &Board, tier: Tier) -> Result<Ready, Unready> {
        let catalogue = Catalogue::for_goal(goal, tier)?;
        let missing = self.missing(&catalogue);
        let (tables, stored) = self.set(&catalogue, tier, Check::Header, &missing)?;
        // The solver is set up while the files are checked. No search begins before that is done:
        // it could go astray in a damaged table, and what it finds would have to wait anyway.
        let (solver, damaged) = thread::scope(|scope| {
            let solver = thread::Builder::new().spawn_scoped(scope, || solver_of(goal, &tables));
            let damaged = stored
                .iter()
                .filter(|table| table.verify(self.threads).is_err());
            let subjects = damaged.map(|table| table.description().subject);
            let damaged: Vec<Key> = subjects.filter_map(Subject::pattern).collect();
            let solver = solver.ok().and_then(|solver| solver.join().ok());
            (solver, damaged)
        });
        if damaged.is_empty() {
            return Ok(Ready {
                solver: solver.unwrap_or_else(|| solver_of(goal, &tables)),
                tier,
            });
        }
        let threads = self.threads;
        let (tables, _) = self.set(&catalogue, tier, Check::All { threads }, &damaged)?;
        Ok(Ready {
            solver: solver_of(goal, &tables),
            tier,
        })
    }

    /// Every table of a catalogue. Those that had to be built, probably `missing`, are for the
    /// attendant to write.
    fn set(
        &self,
        catalogue: &Catalogue,
        tier: Tier,
        check: Check,
        missing: &[Key],
    ) -> Result<(TableSet, Vec<Stored>), BuildError> {
        let building = self.building();
        let mut stored = Vec::new();
        let mut work = || {
            TableSet::new(catalogue.clone(), |key, indexer| -> Result<_, BuildError> {
                let obtained = self.table(key, indexer, check, &building)?;
                stored.push(obtained.stored);
                if let Some(unwritten) = obtained.unwritten {
                    self.attendant.write(unwritten);
                }
                Ok(obtained.table)
            })
        };
        let tables = if missing.is_empty() {
            work()?
        } else {
            let what = format!("building the {tier} tables of {}", catalogue.size());
            let entries = |key: &Key| Indexer::new(key).entries();
            let total = || missing.iter().map(entries).sum();
            self.attended(&what, &total, &building, work)?
        };
        Ok((tables, stored))
    }

    /// Does `work` in the presence of the attendant.
    pub(super) fn attended<T>(
        &self,
        what: &str,
        total: &(dyn Fn() -> u64 + Sync),
        building: &Building,
        work: impl FnOnce() -> T,
    ) -> T {
        let mut work = Some(work);
        let mut result = None;
        let mut once = || {
            if let Some(work) = work.take() {
                result = Some(work());
            }
        };
        self.attendant.building(what, total, building, &mut once);
        // An attendant may have forgotten it.
        once();
        result.expect("it was done, here at the latest")
    }

    /// One table, from its file or built.
    #[expect(clippy::missing_panics_doc, reason = "lengths are compared before")]
    pub fn table(
        &self,
        key: Key,
        indexer: &Indexer,
        check: Check,
        building: &Building,
    ) -> Result<Obtained, BuildError> {
        let request = Request {
            subject: key.into(),
            entries: indexer.entries(),
            bytes: indexer.bytes(),
            check,
        };
        let build = || -> Result<_, BuildError> {
            let table = Table::build(key, indexer, self.threads, building)?;
            Ok((table.bytes().clone(), table.max()))
        };
        let (stored, unwritten) = self.obtain(&request, build)?;
        let max = stored.description().max;
        let table = Table::from_bytes(key, max, indexer, stored.bytes().clone())
            .expect("the store compares the length with the one asked for");
        Ok(Obtained {
            table,
            stored,
            unwritten,
        })
    }

    /// Something from its file or built; the attendant hears what is wrong with the file.
    pub(super) fn obtain<E>(
        &self,
        request: &Request,
        build: impl FnOnce() -> Result<(Bytes, u8), E>,
    ) -> Result<(Stored, Option<Unwritten>), E> {
        let give_up = || self.cancel.load(Ordering::Relaxed);
        let mut notices = |notice: store::Notice| self.attendant.notice(&Notice::Store(notice));
        self.store
            .get_unwritten(request, build, &give_up, &mut notices)
    }

    /// What a build must obey: it can be cancelled, and has the memory that there is now, if it may
    /// take it.
    #[must_use]
    pub fn building(&self) -> Building {
        let limits = [self.memory, available_memory()];
        let mut building = Building::default();
        building.cancel = Some(Arc::clone(&self.cancel));
        building.memory = limits.into_iter().flatten().min();
        building
    }

    /// The tables of a catalogue that have no file with a good header.
    #[must_use]
    pub fn missing(&self, catalogue: &Catalogue) -> Vec<Key> {
        let mut keys = catalogue.keys();
        keys.retain(|key| !matches!(self.store.open(key), Ok(Some(_))));
        keys
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider")
            .field("store", &self.store)
            .field("threads", &self.threads)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

fn solver_of(goal: &Board, tables: &TableSet) -> Solver {
    Solver::new(goal, tables).expect("the catalogue is that of the goal")
}

/// Whether smaller tables might do.
const fn is_for_memory(error: &BuildError) -> bool {
    matches!(error, BuildError::Limit(_) | BuildError::Memory(_))
}
