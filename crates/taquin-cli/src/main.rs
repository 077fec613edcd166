//! The `taquin` program: one file a command, everything else in the library.

mod apart;
mod batch;
mod commands;
mod export;
mod figures;
mod goals;
mod input;
mod interrupt;
mod moves_input;
mod names;
mod output;
mod plot;
mod search_args;
mod seeds;
mod spaces;
mod status;
mod tables;
mod ticker;
mod units;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, Parser, Subcommand};
use taquin::Limit;

use crate::commands::{
    advise, apply, bench, check, compare, completions, convert, distance, enumerate, estimate,
    farthest, hint, man, predict, quality, sample, scramble, serve, show, solve,
    tables as tables_command, trace,
};
use crate::output::Output;
use crate::status::Status;

/// Sliding-tile puzzles of every size: solve, check, scramble, convert and draw boards.
///
/// Boards are written row by row with slashes, as in "1 2 3/4 5 6/7 8 0"; many other forms are
/// recognised. Moves name the direction in which the tile slides.
#[derive(Parser)]
#[command(
    name = "taquin",
    // Help reads alike everywhere, also where the file is called `taquin.exe`.
    bin_name = "taquin",
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
    Solve(solve::Args),
    Hint(hint::Args),
    Check(check::Args),
    Scramble(scramble::Args),
    Convert(convert::Args),
    Apply(apply::Args),
    Show(show::Args),
    Predict(predict::Args),
    Advise(advise::Args),
    Estimate(estimate::Args),
    Compare(compare::Args),
    Trace(trace::Args),
    Enumerate(enumerate::Args),
    Distance(distance::Args),
    Farthest(farthest::Args),
    Sample(sample::Args),
    Quality(quality::Args),
    Serve(serve::Args),
    Bench(bench::Args),
    Tables(tables_command::Args),
    Completions(completions::Args),
    Man(man::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse_or_help(&error),
    };
    interrupt::install();

    let mut out = Output::new(cli.color);
    let result = run(cli.command, &mut out).and_then(|status| {
        out.flush()?;
        Ok(status)
    });
    // The answer is out; what the next run will be glad of may take a moment longer.
    tables::finish_writing();
    match result {
        Ok(status) => status.into(),
        Err(error) => failed(&error),
    }
}

/// Prints what is wrong with the arguments, or the help that was asked for.
fn refuse_or_help(error: &clap::Error) -> ExitCode {
    let printed = error.print().and_then(|()| io::stdout().flush());
    let status = if error.use_stderr() {
        Status::BadInput
    } else {
        Status::Done
    };
    match printed {
        // When standard error is gone there is nobody left to tell.
        _ if error.use_stderr() => status.into(),
        Err(error) => failed(&anyhow::Error::new(error).context(output::WRITING)),
        Ok(()) => status.into(),
    }
}

/// Tells of the error that ended the program.
fn failed(error: &anyhow::Error) -> ExitCode {
    // The reader of our output has seen enough, as `head` does.
    if output::is_closed_pipe(error) {
        return ExitCode::SUCCESS;
    }
    output::complain(format_args!("{error:#}"));
    let status = match tables::stopped_by(error) {
        Some(Limit::Cancelled) => Status::Interrupted,
        Some(_) => Status::No,
        None => Status::BadInput,
    };
    status.into()
}

fn run(command: Command, out: &mut Output) -> anyhow::Result<Status> {
    match command {
        Command::Solve(args) => solve::run(&args, out),
        Command::Hint(args) => hint::run(&args, out),
        Command::Check(args) => check::run(&args, out),
        Command::Scramble(args) => scramble::run(&args, out),
        Command::Convert(args) => convert::run(&args, out),
        Command::Apply(args) => apply::run(&args, out),
        Command::Show(args) => show::run(&args, out),
        Command::Predict(args) => predict::run(&args, out),
        Command::Advise(args) => advise::run(&args, out),
        Command::Estimate(args) => estimate::run(&args, out),
        Command::Compare(args) => compare::run(&args, out),
        Command::Trace(args) => trace::run(&args, out),
        Command::Enumerate(args) => enumerate::run(&args, out),
        Command::Distance(args) => distance::run(&args, out),
        Command::Farthest(args) => farthest::run(&args, out),
        Command::Sample(args) => sample::run(&args, out),
        Command::Quality(args) => quality::run(&args, out),
        Command::Serve(args) => serve::run(&args, out),
        Command::Bench(args) => bench::run(&args, out),
        Command::Tables(args) => tables_command::run(&args, out),
        Command::Completions(args) => completions::run(&args, Cli::command(), out),
        Command::Man(args) => man::run(&args, Cli::command(), out),
    }
}
