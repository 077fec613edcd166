//! `taquin tables path`: where the tables are.

use anyhow::Result;

use crate::output::Output;
use crate::status::Status;
use crate::tables::TablesArgs;

/// Print the folder where tables are kept.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin tables path")]
pub(crate) struct Args {
    #[command(flatten)]
    tables: TablesArgs,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let store = args.tables.store()?;
    out.record(&format!("{}\n", store.folder().display()))?;
    Ok(Status::Done)
}
