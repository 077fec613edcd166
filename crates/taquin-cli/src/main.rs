//! The `taquin` program: one file a command, everything else in the library.

mod commands;
mod goals;
mod input;
mod moves_input;
mod names;
mod output;
mod status;

use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, Parser, Subcommand};

use crate::commands::{apply, check, completions, convert, man, scramble, show};
use crate::output::Output;
use crate::status::Status;

/// Sliding-tile puzzles of every size: check, scramble, convert, play and draw boards.
///
/// Boards are written row by row with slashes, as in "1 2 3/4 5 6/7 8 0"; many other forms are
/// recognised. Moves name the direction in which the tile slides.
#[derive(Parser)]
#[command(
    name = "taquin",
    version,
    propagate_version = true,
    after_help = "Exit codes: 0 yes or done, 1 no (unsolvable, goal not reached), \
                  2 bad input or usage, 130 interrupted."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// When to use colour.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "General"
    )]
    color: ColorChoice,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Args),
    Scramble(scramble::Args),
    Convert(convert::Args),
    Apply(apply::Args),
    Show(show::Args),
    Completions(completions::Args),
    Man(man::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    // Results are written board by board, so what was printed before an interruption is right.
    // Nothing else is to be saved.
    let handled = ctrlc::set_handler(|| std::process::exit(Status::INTERRUPTED));
    debug_assert!(handled.is_ok());

    let mut out = Output::new(cli.color);
    let result = run(cli.command, &mut out).and_then(|status| {
        out.flush()?;
        Ok(status)
    });
    match result {
        Ok(status) => status.into(),
        // The reader of our output has seen enough, as `head` does.
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(format_args!("{error:#}"));
            Status::BadInput.into()
        }
    }
}

fn run(command: Command, out: &mut Output) -> anyhow::Result<Status> {
    match command {
        Command::Check(args) => check::run(&args, out),
        Command::Scramble(args) => scramble::run(&args, out),
        Command::Convert(args) => convert::run(&args, out),
        Command::Apply(args) => apply::run(&args, out),
        Command::Show(args) => show::run(&args, out),
        Command::Completions(args) => completions::run(&args, Cli::command(), out),
        Command::Man(args) => man::run(&args, Cli::command(), out),
    }
}
