//! How every command gets tables: the folder where they are kept, and what is shown meanwhile.

mod bar;
mod observer;
mod writers;

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueHint};
use taquin::supply::{TableSource, TablesError};
use taquin::tables::BuildError;
use taquin::tables::store::Store;
use taquin::{Budget, Limit, Limits};

use self::observer::Terminal;
use crate::interrupt;

pub(crate) use bar::{with_bar, with_bar_of};
pub(crate) use observer::remark_on;
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

    /// Tables from that folder, built with all threads and in what memory there is.
    pub(crate) fn source(&self) -> Result<TableSource> {
        Ok(TableSource::stored(self.store()?).with_observer(Arc::new(Terminal)))
    }
}

/// A budget that Ctrl-C ends.
pub(crate) fn interruptible() -> Budget {
    Budget::new(&Limits {
        cancel: Some(interrupt::flag()),
        ..Limits::default()
    })
}

/// As many threads as the machine runs at once.
pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The limit that ended a command during a build: its time, or Ctrl-C.
pub(crate) fn stopped_by(error: &anyhow::Error) -> Option<Limit> {
    let unready = match error.downcast_ref() {
        Some(TablesError::Build(error)) => Some(error),
        _ => None,
    };
    match unready.or_else(|| error.downcast_ref()) {
        Some(BuildError::Stopped(limit)) => Some(*limit),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
