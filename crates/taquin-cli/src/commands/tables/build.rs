//! `taquin tables build`: tables before they are needed.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

use anyhow::{Context, Result};
use clap::value_parser;
use taquin::notation::BoardForm;
use taquin::supply::{BuildObserver, GotTable, TableNotice, TableSource};
use taquin::tables::store::{StoreError, Unwritten};
use taquin::tables::{BuildError, TableSubject, Tier};
use taquin::{Budget, Size};

use super::{any_catalogue, tables};
use crate::goals::GoalArgs;
use crate::output::{Output, remark};
use crate::spaces::MetricArgs;
use crate::status::Status;
use crate::tables::{TablesArgs, interruptible, with_bar_of};
use crate::{apart, figures, names, units};

/// Build the tables of a board size.
///
/// Then the first solution need not wait for them. Tables that are already there are checked, and built again if they are damaged. Goals with the
/// blank in any corner share their tables; so do a board and the same board turned over. A table is
/// named after the cells where its tiles belong, counted from 0 in reading order; one of multi-tile
/// moves after the colours of the tiles.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin tables build 3x3

  Small tables, ready in under a second
  $ taquin tables build 3x4 --tier quick

  For multi-tile moves, on boards of up to 16 cells
  $ taquin tables build 3x3 --metric multi

  For goals with the blank in the middle
  $ taquin tables build 3x3 --goal snail

Exit code: 0 if all tables are there, 2 if one cannot be built or written, 130 if interrupted: the
tables that are complete by then are kept.")]
pub(crate) struct Args {
    /// Rows x columns, up to 36 cells; for multi-tile moves up to 16.
    #[arg(value_name = "SIZE", value_parser = names::size)]
    size: Size,

    /// How strong the tables are to be.
    #[arg(long, value_name = "TIER", default_value = "full", value_parser = names::tier())]
    tier: Tier,

    #[command(flatten)]
    goal: GoalArgs,

    #[command(flatten)]
    metric: MetricArgs,

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
    let goal = args.goal.goal(BoardForm::default()).board(args.size)?;
    let catalogue = any_catalogue(&goal, args.metric.metric, args.tier)?;
    let store = args.tables.store()?;
    let folder = store.folder().to_owned();
    // Before a minute of building it should be known that there is a place for the tables.
    let (sender, finished) = mpsc::channel();
    let mut source = TableSource::stored(store).with_observer(Arc::new(Reporter { sender }));
    if let (Some(&table), Some(store)) = (source.missing(&catalogue).first(), source.store()) {
        drop(store.try_lock(table).context(ELSEWHERE)?);
    }
    if let Some(threads) = args.threads {
        source = source.with_threads(threads.into());
    }
    if let Some(bytes) = args.limit_memory {
        source = source.with_memory(bytes);
    }

    let (budget, tier) = (interruptible(), args.tier);
    let (done, built) = mpsc::channel();
    // The source, and with it the sender, ends with the build.
    let building =
        apart::spawn_or_do(move || drop(done.send(source.set(&catalogue, tier, &budget))));
    let told = tell_of(finished, out);
    // Also after an error: a table that is being written is not left half done.
    if let Some(building) = building {
        building.join().expect("building does not panic");
    }
    told?;
    let set = built.recv().context("the build ends with a result")?;
    let set = set.map_err(|error| advise(error, tier))?;
    out.record(&format!(
        "{} for {} in {}: {}\n",
        tables(set.count()),
        args.size,
        figures::size(set.table_bytes()),
        folder.display(),
    ))?;
    Ok(Status::Done)
}

/// Tells of the tables as they are finished.
fn tell_of(finished: Receiver<Finished>, out: &mut Output) -> Result<()> {
    for event in finished {
        match event {
            Finished::Table(line) => out.record(&line)?,
            Finished::Failed(error) => return Err(error).context(ELSEWHERE),
        }
    }
    Ok(())
}

/// What the thread that builds has finished.
enum Finished {
    /// A table is in its file; a line about it.
    Table(String),
    /// A table could not be written.
    Failed(StoreError),
}

/// Writes each table at once and tells how that went.
struct Reporter {
    sender: Sender<Finished>,
}

impl Reporter {
    fn tell(&self, finished: Finished) {
        // Fails only after an error, when nobody listens any more.
        drop(self.sender.send(finished));
    }
}

impl BuildObserver for Reporter {
    fn notice(&self, notice: &TableNotice) {
        remark(format_args!("{notice}"));
    }

    fn building(
        &self,
        what: &str,
        total: &(dyn Fn() -> u64 + Sync),
        budget: &Budget,
        work: &mut dyn FnMut(),
    ) {
        with_bar_of(what, total, budget, work);
    }

    fn table(&self, table: &GotTable<'_>) {
        let description = table.stored.description();
        let how = match table.built_in {
            Some(time) => format!("built in {}", figures::time(time)),
            None => "already there".to_owned(),
        };
        let what = match table.subject {
            TableSubject::Pattern(key) => format!("cells {}", key.pattern()),
            TableSubject::Classes(key) => format!("colours {key}"),
            subject => subject.to_string(),
        };
        self.tell(Finished::Table(format!(
            "{what}: {} entries, {}, values up to {}, {how}\n",
            figures::count(description.entries),
            figures::size(table.stored.bytes().len() as u64),
            description.max,
        )));
    }

    fn write(&self, unwritten: Unwritten) {
        if let Err(error) = unwritten.write() {
            self.tell(Finished::Failed(error));
        }
    }
}

/// Adds what to do about an error.
fn advise(error: BuildError, tier: Tier) -> anyhow::Error {
    let advice = match error {
        BuildError::Limit(_) | BuildError::Memory(_) if tier > Tier::Quick => {
            "not enough memory; --tier quick takes less"
        }
        BuildError::Stopped(_) => "tables that are complete are kept",
        _ => return error.into(),
    };
    anyhow::Error::from(error).context(advice)
}
