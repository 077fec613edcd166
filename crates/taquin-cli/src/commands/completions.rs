//! `taquin completions`: what a shell needs to complete commands and options.

use anyhow::Result;
use clap_complete::Shell;

use crate::output::Output;
use crate::status::Status;

/// Print the completion script of a shell.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin completions bash > taquin.bash
  $ taquin completions fish > taquin.fish")]
pub(crate) struct Args {
    /// The shell.
    shell: Shell,
}

pub(crate) fn run(args: &Args, mut command: clap::Command, out: &mut Output) -> Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "taquin", &mut script);
    out.text(&String::from_utf8_lossy(&script))?;
    Ok(Status::Done)
}
