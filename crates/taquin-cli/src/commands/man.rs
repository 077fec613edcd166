//! `taquin man`: manual pages.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap_mangen::Man;

use crate::interrupt;
use crate::output::Output;
use crate::status::Status;

/// Print a manual page, or write all of them to a folder.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin man check > taquin-check.1

  All pages, for an installer
  $ taquin man --dir man1")]
pub(crate) struct Args {
    /// The command whose page to print; without one, the program's own.
    #[arg(value_name = "COMMAND")]
    command: Option<String>,

    /// Write the pages of the program and all its commands to this folder.
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, mut command: clap::Command, out: &mut Output) -> Result<Status> {
    if let Some(dir) = &args.dir {
        let failed = || format!("cannot write manual pages to {}", dir.display());
        std::fs::create_dir_all(dir).with_context(failed)?;
        // It is not built yet, so that there is no page for every `taquin help …`.
        interrupt::wait_for(|| clap_mangen::generate_to(command, dir)).with_context(failed)?;
        return Ok(Status::Done);
    }
    command.build();
    let page = match &args.command {
        None => command,
        Some(name) => command
            .find_subcommand(name)
            .with_context(|| format!("there is no command {name:?}; see taquin --help"))?
            .clone(),
    };
    let mut text = Vec::new();
    let version = format!("taquin {}", env!("CARGO_PKG_VERSION"));
    Man::new(page).source(version).render(&mut text)?;
    out.text(&String::from_utf8_lossy(&text))?;
    Ok(Status::Done)
}
