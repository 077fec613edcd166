//! `taquin sample`: random boards at exactly one distance.

use anyhow::{Error, Result};
use clap::value_parser;
use taquin::Rng;
use taquin::notation::BoardForm;
use taquin::space::SampleError;
use taquin_records::Sample;

use crate::names;
use crate::output::Output;
use crate::seeds::SeedArgs;
use crate::spaces::{EffortArgs, SpaceArgs, Spaces};
use crate::status::Status;

/// Draw random boards at a given distance from the goal.
///
/// All boards at that distance are equally likely. The same seed gives the same boards on every
/// platform and in every version. How many boards there are to draw from is told by "taquin
/// enumerate".
///
/// In single-tile moves the blank of a board at an even distance is always on a cell of the same
/// colour as the goal's, as on a chessboard, at an odd distance never; in multi-tile moves it can be
/// anywhere.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  Five boards that take ten moves
  $ taquin sample 3x3 --distance 10 --count 5 --seed 1

  Hard ones, for programs
  $ taquin sample 3x3 --distance 30 --count 5 --seed 1 --json

  From easy to hard
  $ for d in 5 10 15 20; do taquin sample 3x3 --distance $d --seed 1; done

Exit code: 0, or 1 if --limit-time was over first, 2 if there is no board at that distance or the
size is too large; 130 if interrupted.")]
pub(crate) struct Args {
    #[command(flatten)]
    space: SpaceArgs,

    /// How many moves from the goal.
    #[arg(long, value_name = "MOVES", value_parser = value_parser!(u32))]
    distance: u32,

    /// How many boards.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    count: u64,

    #[command(flatten)]
    seed: SeedArgs,

    #[command(flatten)]
    effort: EffortArgs,

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

/// How many boards are drawn at a time: enough that a search for rare ones is worth it.
const PORTION: u64 = 1 << 20;

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let asked = args.space.asked(Some(args.output))?;
    let mut text = String::new();
    // A form that cannot hold the boards is told before anything is searched.
    args.output.write(&asked.goal, &mut text)?;
    let spaces = Spaces::new(&args.effort)?;
    let space = spaces.space(&asked.goal, asked.metric)?;
    let atlas = spaces.atlas(&space, false)?.atlas;
    let (distance, farthest) = (args.distance, atlas.census().all().farthest());
    if distance > farthest {
        return Err(SampleError::Distance { distance, farthest }.into());
    }
    let seed = args.seed.seed();
    let mut rng = Rng::from_seed(seed);
    if args.output.is_case_list() {
        out.text(&format!("{}\n", args.count))?;
    }
    let size = asked.size.to_string();
    let what = format!("looking for boards of {size} at distance {distance}");
    let mut index = 0;
    while index < args.count {
        let count = (args.count - index).min(PORTION) as usize;
        let boards = spaces.work(&what, &space, |budget| {
            let drawn = atlas.sample(distance, count, &mut rng, spaces.threads(), budget);
            drawn.map_err(|error| match error {
                SampleError::Build(error) => Error::from(error),
                other => Error::from(other),
            })
        })?;
        for board in boards {
            if args.json {
                let (goal, metric) = (&asked.goal_name, asked.metric);
                let record = Sample::new(&board, &size, goal, metric, distance, seed, index);
                out.json(&record)?;
            } else {
                text.clear();
                args.output.write(&board, &mut text)?;
                out.record(&text)?;
            }
            index += 1;
        }
    }
    Ok(Status::Done)
}
