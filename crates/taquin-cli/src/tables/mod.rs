//! How every command gets tables: from the folder where they are kept, or built.

mod atlases;
mod bar;
mod equipment;
mod writers;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fs, thread};

use anyhow::{Context, Result};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueHint};
use taquin::Board;
use taquin::solve::Solver;
use taquin::tables::store::{Check, Notice, Request, Store, Stored, Unwritten};
use taquin::tables::{
    BuildError, Building, Catalogue, Indexer, Key, KeyError, Subject, Table, TableSet, Tier,
};
use thiserror::Error;

use crate::interrupt;
use crate::output::remark;

pub(crate) use atlases::Drawn;
pub(crate) use bar::{with_bar, with_bar_of};
pub(crate) use equipment::{Equipment, build_time};
pub(crate) use writers::finish as finish_writing;

/// Where tables are kept.
#[derive(Args, Clone)]
pub(crate) struct TablesArgs {
    /// Where tables are kept. Default: taquin/tables in the user's folder for caches.
    #[arg(
        long,
        value_name = "DIR",
        env = "TAQUIN_TABLES",
        hide_env_values = true,
        help_heading = "Tables",
        value_parser = OsStringValueParser::new().map(PathBuf::from),
        value_hint = ValueHint::DirPath
    )]
    tables_dir: Option<PathBuf>,
}

impl TablesArgs {
    /// The folder, as typed or where it is by default.
    pub(crate) fn store(&self) -> Result<Store> {
        // An empty variable is none.
        let folder = self
            .tables_dir
            .clone()
            .filter(|dir| !dir.as_os_str().is_empty());
        let folder = folder.or_else(Store::default_folder);
        let folder = folder.context(
            "there is no home folder to keep tables in; say where with --tables-dir or TAQUIN_TABLES",
        )?;
        Ok(Store::new(folder))
    }
}

/// As many threads as the machine runs at once.
pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Gets tables, each set once a process: whichever thread needs one first gets it ready, the others
/// wait for that.
pub(crate) struct Provider {
    store: Store,
    threads: usize,
    /// The most bytes that building a table may take.
    memory: Option<u64>,
    cancel: Arc<AtomicBool>,
    sets: Mutex<HashMap<(Board, Tier), Slot>>,
}

/// Locked while the set is made ready.
type Slot = Arc<Mutex<Option<Arc<Ready>>>>;

/// A solver with the tables of a goal, checked to the last byte.
pub(crate) struct Ready {
    pub(crate) solver: Solver,
    /// What was asked for, or less if that did not fit into memory.
    pub(crate) tier: Tier,
}

/// Why there are no tables.
#[derive(Clone, Debug, Error)]
pub(crate) enum Unready {
    /// None exist for such boards.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// They cannot be built, not even small ones, or Ctrl-C came.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// A table, and what it came from.
pub(crate) struct Obtained {
    pub(crate) table: Table,
    pub(crate) stored: Stored,
    /// If it was built just now: what is to be written.
    pub(crate) unwritten: Option<Unwritten>,
}

impl Provider {
    /// Tables from the folder that was asked for, built with all threads and in what memory there
    /// is.
    pub(crate) fn new(args: &TablesArgs) -> Result<Self> {
        Ok(Self {
            store: args.store()?,
            threads: threads(),
            memory: available_memory(),
            cancel: interrupt::flag(),
            sets: Mutex::default(),
        })
    }

    /// The same with that many threads.
    pub(crate) fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// The same where building a table may take no more than that many bytes.
    pub(crate) fn with_memory(self, bytes: u64) -> Self {
        let memory = self.memory.map_or(bytes, |available| available.min(bytes));
        Self {
            memory: Some(memory),
            ..self
        }
    }

    /// The folder of the tables.
    pub(crate) const fn store(&self) -> &Store {
        &self.store
    }

    /// How many threads build.
    pub(crate) const fn threads(&self) -> usize {
        self.threads
    }

    /// Whether all tables of a goal's tier are there, as far as their headers tell: that takes
    /// microseconds.
    pub(crate) fn is_ready(&self, goal: &Board, tier: Tier) -> bool {
        Catalogue::for_goal(goal, tier).is_ok_and(|catalogue| self.missing(&catalogue).is_empty())
    }

    /// The tables of a goal: from their files, or built. Only tables whose checksums were all
    /// compared are handed out; damaged files are named and built again.
    ///
    /// A tier that does not fit into memory is replaced by a smaller one, and that is said.
    pub(crate) fn get(&self, goal: &Board, tier: Tier) -> Result<Arc<Ready>, Unready> {
        let slot = Arc::clone(lock(&self.sets).entry((goal.clone(), tier)).or_default());
        let mut slot = lock(&slot);
        if let Some(ready) = &*slot {
            return Ok(Arc::clone(ready));
        }
        let smaller = Tier::ALL.into_iter().rfind(|&other| other < tier);
        let ready = match (self.make(goal, tier), smaller) {
            (Err(Unready::Build(error)), Some(smaller)) if is_for_memory(&error) => {
                remark(format_args!(
                    "{error}; taking the {smaller} tables instead of the {tier} ones"
                ));
                self.get(goal, smaller)?
            }
            (made, _) => Arc::new(made?),
        };
        *slot = Some(Arc::clone(&ready));
        Ok(ready)
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

    /// Every table of a catalogue. Those that had to be built, probably `missing`, are written in
    /// the background.
    fn set(
        &self,
        catalogue: &Catalogue,
        tier: Tier,
        check: Check,
        missing: &[Key],
    ) -> Result<(TableSet, Vec<Stored>), BuildError> {
        let building = self.building();
        let mut stored = Vec::new();
        let what = format!("building the {tier} tables of {}", catalogue.size());
        let tables = with_bar(&what, missing, &building, || {
            TableSet::new(catalogue.clone(), |key, indexer| -> Result<_, BuildError> {
                let obtained = self.table(key, indexer, check, &building)?;
                stored.push(obtained.stored);
                if let Some(unwritten) = obtained.unwritten {
                    writers::write_later(unwritten);
                }
                Ok(obtained.table)
            })
        })?;
        Ok((tables, stored))
    }

    /// One table, from its file or built.
    pub(crate) fn table(
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
        let give_up = || self.cancel.load(Ordering::Relaxed);
        let mut notices = |notice: Notice| remark(format_args!("{notice}"));
        let (stored, unwritten) =
            self.store
                .get_unwritten(&request, build, &give_up, &mut notices)?;
        let max = stored.description().max;
        let table = Table::from_bytes(key, max, indexer, stored.bytes().clone())
            .expect("the store compares the length with the one asked for");
        Ok(Obtained {
            table,
            stored,
            unwritten,
        })
    }

    /// What a build must obey.
    pub(crate) fn building(&self) -> Building {
        let mut building = Building::default();
        building.cancel = Some(Arc::clone(&self.cancel));
        building.memory = self.memory;
        building
    }

    /// The tables of a catalogue that have no file with a good header.
    pub(crate) fn missing(&self, catalogue: &Catalogue) -> Vec<Key> {
        let mut keys = catalogue.keys();
        keys.retain(|key| !matches!(self.store.open(key), Ok(Some(_))));
        keys
    }
}

fn solver_of(goal: &Board, tables: &TableSet) -> Solver {
    Solver::new(goal, tables).expect("the catalogue is that of the goal")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether smaller tables might do.
const fn is_for_memory(error: &BuildError) -> bool {
    matches!(error, BuildError::Limit(_) | BuildError::Memory(_))
}

/// Whether a command was ended by Ctrl-C during a build.
pub(crate) fn is_interruption(error: &anyhow::Error) -> bool {
    let unready = match error.downcast_ref() {
        Some(Unready::Build(error)) => Some(error),
        _ => None,
    };
    matches!(
        unready.or_else(|| error.downcast_ref()),
        Some(BuildError::Cancelled)
    )
}

/// The memory that the system could hand out now, where it tells.
///
/// Linux promises more than it has, and ends the process that takes it at its word: so who wants to
/// do with less has to ask first.
fn available_memory() -> Option<u64> {
    let report = fs::read_to_string("/proc/meminfo").ok()?;
    let line = report
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests;
