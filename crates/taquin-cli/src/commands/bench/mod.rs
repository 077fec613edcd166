//! `taquin bench`: measurements that anybody can repeat.

pub(crate) mod ladder;
pub(crate) mod parberry;

use anyhow::Result;
use clap::Subcommand;

use crate::output::Output;
use crate::status::Status;

/// Measure, on boards that anybody can draw again.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin bench ladder --boards 3 --walk 30
  $ taquin bench parberry --boards 1000")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Ladder(ladder::Args),
    Parberry(parberry::Args),
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    match &args.what {
        What::Ladder(args) => ladder::run(args, out),
        What::Parberry(args) => parberry::run(args, out),
    }
}
