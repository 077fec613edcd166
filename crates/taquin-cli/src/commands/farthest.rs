//! `taquin farthest`: the hardest boards.

use anyhow::Result;
use taquin::notation::BoardForm;
use taquin_records::Farthest;

use crate::figures;
use crate::names;
use crate::output::Output;
use crate::spaces::{EffortArgs, SpaceArgs, Spaces};
use crate::status::Status;

/// List the hardest boards of a small puzzle: those that are farthest from the goal.
///
/// They come in the order of their tiles, one a line. In the form that is the default a comment
/// stands above them, which says how far they are; commands that read boards skip it.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin farthest 3x3

  Proof that there is no shorter way
  $ taquin farthest 3x3 | taquin solve

  In multi-tile moves, for programs
  $ taquin farthest 2x4 --metric multi --json

Exit code: 0, or 1 if --limit-time was over first, 2 if the size is too large: then it is said what
a search would take; 130 if interrupted.")]
pub(crate) struct Args {
    #[command(flatten)]
    space: SpaceArgs,

    /// The most boards to list. Default: all.
    #[arg(short = 'n', long, value_name = "N")]
    count: Option<usize>,

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

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let asked = args.space.asked(Some(args.output))?;
    let mut text = String::new();
    // A form that cannot hold the boards is told before anything is searched.
    args.output.write(&asked.goal, &mut text)?;
    let spaces = Spaces::new(&args.effort)?;
    let space = spaces.space(&asked.goal, asked.metric)?;
    let atlas = spaces.atlas(&space, false)?.atlas;
    let tally = atlas.census().all();
    let (distance, there) = (tally.farthest(), tally.at(tally.farthest()));
    let count = args.count.unwrap_or(usize::MAX);
    let boards = if count <= atlas.farthest().len() {
        atlas.farthest().to_vec()
    } else {
        spaces.farthest(&atlas)?
    };
    let shown = boards.len().min(count);

    if args.json {
        let size = asked.size.to_string();
        for (index, board) in boards.iter().take(count).enumerate() {
            let (goal, metric) = (&asked.goal_name, asked.metric);
            let record = Farthest::new(board, &size, goal, metric, distance, index);
            out.json(&record)?;
        }
        return Ok(Status::Done);
    }
    if args.output.is_case_list() {
        out.text(&format!("{shown}\n"))?;
    } else if args.output == BoardForm::Rows {
        let title = asked.title();
        let boards = if there == 1 { "board" } else { "boards" };
        let there = figures::count(there);
        out.record(&format!(
            "# {title}: {there} {boards} at distance {distance}\n"
        ))?;
    }
    for board in boards.iter().take(count) {
        text.clear();
        args.output.write(board, &mut text)?;
        out.record(&text)?;
    }
    Ok(Status::Done)
}
