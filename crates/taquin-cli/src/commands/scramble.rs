//! `taquin scramble`: random boards from a seed.

use anyhow::{Context, Result};
use taquin::notation::BoardForm;
use taquin::{Rng, Size, random_walk_end, uniform};
use taquin_records::Scramble;

use crate::goals::GoalArgs;
use crate::names;
use crate::output::Output;
use crate::seeds::SeedArgs;
use crate::status::Status;

/// Draw random solvable boards.
///
/// All solvable boards are equally likely, unless --walk asks for a random walk from the goal. The
/// same seed gives the same boards on every platform and in every version; docs/formats.md says
/// how, so that other programs can draw them too.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin scramble --size 4x4 --seed 7

  Ten easy 3x3 boards: at most twelve moves from the goal
  $ taquin scramble --size 3x3 --walk 12 --count 10 --seed 1

  Input for a judge
  $ taquin scramble --size 4x4 --count 3 --seed 1 --output uva10181")]
pub(crate) struct Args {
    /// Rows x columns.
    #[arg(long, value_name = "SIZE", default_value = "4x4", value_parser = names::size)]
    size: Size,

    #[command(flatten)]
    seed: SeedArgs,

    /// How many boards.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    count: u64,

    /// Walk this many random moves from the goal, never taking the last one back.
    #[arg(long, value_name = "MOVES")]
    walk: Option<usize>,

    #[command(flatten)]
    goal: GoalArgs,

    /// The form to print boards in.
    #[arg(
        long,
        value_name = "FORM",
        default_value = "rows",
        value_parser = names::board_form(),
        hide_possible_values = true
    )]
    output: BoardForm,

    /// Print JSON Lines, one object a board.
    #[arg(long, conflicts_with = "output")]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let goal = args.goal.goal(args.output);
    let goal_name = goal.name().into_owned();
    let goal = goal
        .board(args.size)
        .context("--goal and --size do not fit")?;
    let seed = args.seed.seed();
    let size = args.size.to_string();
    let mut rng = Rng::from_seed(seed);
    let mut text = String::new();
    // A form that cannot hold the boards is told before anything is printed.
    args.output.write(&goal, &mut text)?;
    if args.output.is_case_list() {
        out.text(&format!("{}\n", args.count))?;
    }
    for index in 0..args.count {
        let board = match args.walk {
            Some(length) => random_walk_end(&goal, length, &mut rng),
            None => uniform(&goal, &mut rng),
        };
        if args.json {
            let record = Scramble::new(&board, &size, &goal_name, seed, index, args.walk);
            out.json(&record)?;
        } else {
            text.clear();
            args.output.write(&board, &mut text)?;
            out.record(&text)?;
        }
    }
    Ok(Status::Done)
}
