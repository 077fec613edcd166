//! `taquin tables`: the pattern databases that are kept, and how good they are.

pub(crate) mod build;
pub(crate) mod list;
pub(crate) mod path;
pub(crate) mod quality;
pub(crate) mod remove;
pub(crate) mod verify;

use anyhow::{Context, Result};
use clap::Subcommand;
use taquin::tables::store::{Listed, ListedState};
use taquin::tables::{AnyCatalogue, Catalogue, Tier};
use taquin::{Board, Metric, Size};

use crate::output::Output;
use crate::status::Status;

/// Build, list, check and remove the tables that make solving fast.
///
/// A table, also called a pattern database, says of every arrangement of some of the tiles how many
/// of their moves it takes to get them home. Several that share out the tiles add up. Those of
/// multi-tile moves look at all tiles, but take tiles of one colour for the same. Commands that
/// need tables build them by themselves; they are kept in one folder, a file each.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin tables build 3x3
  $ taquin tables list
  $ taquin tables path")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Build(build::Args),
    List(list::Args),
    Verify(verify::Args),
    Remove(remove::Args),
    Path(path::Args),
    Quality(quality::Args),
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    match &args.what {
        What::Build(args) => build::run(args, out),
        What::List(args) => list::run(args, out),
        What::Verify(args) => verify::run(args, out),
        What::Remove(args) => remove::run(args, out),
        What::Path(args) => path::run(args, out),
        What::Quality(args) => quality::run(args, out),
    }
}

/// The tables of a goal.
fn catalogue(goal: &Board, tier: Tier) -> Result<Catalogue> {
    Catalogue::for_goal(goal, tier).context(WITHOUT)
}

/// What becomes of boards that have no tables.
const WITHOUT: &str = "larger boards are searched without tables";

/// The tables of a goal in a metric.
fn any_catalogue(goal: &Board, metric: Metric, tier: Tier) -> Result<AnyCatalogue> {
    AnyCatalogue::for_goal(goal, metric, tier).context(WITHOUT)
}

/// The name of a file in the folder.
fn name(file: &Listed) -> String {
    let name = file.path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Whether a file is a table for boards of a size, or claims to be. A board and the same board
/// turned over have the same tables, under the name of the one with more columns.
fn is_for(file: &Listed, size: Size) -> bool {
    let (rows, columns) = (size.rows(), size.columns());
    let (rows, columns) = (rows.min(columns), rows.max(columns));
    match &file.state {
        ListedState::Table(stored) => {
            let size = stored.description().subject.size();
            (size.rows(), size.columns()) == (rows, columns)
        }
        _ => name(file).starts_with(&format!("{rows}x{columns}-")),
    }
}

/// `1 table`, `2 tables`.
fn tables(count: usize) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} table{s}")
}
