//! `taquin tables build`: tables before they are needed.

use std::time::Instant;

use anyhow::{Context, Result};
use clap::value_parser;
use taquin::Size;
use taquin::solve::Provider;
use taquin::tables::store::Check;
use taquin::tables::{BuildError, Indexer, Key, TableSet, Tier};

use super::{catalogue, tables};
use crate::goals::GoalArgs;
use crate::output::Output;
use crate::status::Status;
use crate::tables::{TablesArgs, with_bar};
use crate::{figures, names, units};

/// Build the tables of a board size.
///
/// Then the first solution need not wait for them. Tables that are already there are checked, and built again if they are damaged. Goals with the
/// blank in any corner share their tables; so do a board and the same board turned over. A table is
/// named after the cells where its tiles belong, counted from 0 in reading order.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin tables build 3x3

  Small tables, ready in under a second
  $ taquin tables build 3x4 --tier quick

  For goals with the blank in the middle
  $ taquin tables build 3x3 --goal snail

Exit code: 0 if all tables are there, 2 if one cannot be built or written, 130 if interrupted: the
tables that are complete by then are kept.")]
pub(crate) struct Args {
    /// Rows x columns, up to 36 cells.
    #[arg(value_name = "SIZE", value_parser = names::size)]
    size: Size,

    /// How strong the tables are to be.
    #[arg(long, value_name = "TIER", default_value = "full", value_parser = names::tier())]
    tier: Tier,

    #[command(flatten)]
    goal: GoalArgs,

    /// How many threads build. Default: as many as the machine runs at once.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// The most memory that building a table may take, as in 500MB or 2GB. Default: what there is.
    #[arg(long, value_name = "MEMORY", value_parser = units::memory)]
    limit_memory: Option<u64>,

    #[command(flatten)]
    tables: TablesArgs,
}

/// What to do when a folder cannot be written to.
const ELSEWHERE: &str = "tables cannot be kept there; choose a folder with --tables-dir";

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let named = args.goal.goal(None);
    let goal = named.board(args.size)?;
    let catalogue = catalogue(&goal, args.tier)?;
    let mut provider = args.tables.provider(&named)?;
    if let Some(threads) = args.threads {
        provider = provider.with_threads(threads.into());
    }
    if let Some(bytes) = args.limit_memory {
        provider = provider.with_memory(bytes);
    }
    // Who builds for a minute wants to know first that there is a place for it.
    if let Some(key) = provider.missing(&catalogue).first() {
        let lock = provider.store().try_lock(key);
        drop(lock.context(ELSEWHERE)?);
    }
    let set = TableSet::new(catalogue, |key, indexer| {
        one(key, indexer, &provider, out).map_err(|error| advise(error, args.tier))
    })?;
    let bytes: usize = set.tables().map(|table| table.bytes().len()).sum();
    out.record(&format!(
        "{} for {} in {}: {}\n",
        tables(set.tables().count()),
        args.size,
        figures::size(bytes as u64),
        provider.store().folder().display(),
    ))?;
    Ok(Status::Done)
}

/// Gets one table into its file and says how that went.
fn one(
    key: Key,
    indexer: &Indexer,
    provider: &Provider,
    out: &mut Output,
) -> Result<taquin::tables::Table> {
    let threads = provider.threads();
    let building = provider.building();
    let what = format!("building the table of cells {}", key.pattern());
    let start = Instant::now();
    let obtained = with_bar(&what, &[key], &building, || {
        provider.table(key, indexer, Check::All { threads }, &building)
    })?;
    let time = start.elapsed();
    let how = match obtained.unwritten {
        Some(unwritten) => {
            unwritten.write().context(ELSEWHERE)?;
            format!("built in {}", figures::time(time))
        }
        None => "already there".to_owned(),
    };
    out.record(&format!(
        "cells {}: {} entries, {}, values up to {}, {how}\n",
        key.pattern(),
        figures::count(indexer.entries()),
        figures::size(indexer.bytes() as u64),
        obtained.table.max(),
    ))?;
    Ok(obtained.table)
}

/// Adds what to do about an error.
fn advise(error: anyhow::Error, tier: Tier) -> anyhow::Error {
    match error.downcast_ref() {
        Some(BuildError::Limit(_) | BuildError::Memory(_)) if tier > Tier::Quick => {
            error.context("not enough memory; --tier quick takes less")
        }
        Some(BuildError::Cancelled) => error.context("tables that are complete are kept"),
        _ => error,
    }
}
