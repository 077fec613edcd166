//! `taquin distance`: how far boards are, and every best first move.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use anstyle::AnsiColor;
use anyhow::Result;
use taquin::notation::{MoveNotation, MoveStyle};
use taquin::space::{Atlas, DistanceError};
use taquin::{Board, Metric, Size, Tile, Unsolvable};
use taquin_records::{Distance, FirstMove, Writing};

use crate::figures;
use crate::goals::GoalArgs;
use crate::input::{BadBoard, BoardArgs};
use crate::names;
use crate::output::Output;
use crate::spaces::{EffortArgs, MetricArgs, Spaces};
use crate::status::Status;
use crate::tables;

/// Say how far boards are from the goal, with all best first moves.
///
/// The answer is looked up in the table of all boards of the size, for sizes of up to 12 cells. If
/// it is not there yet, all boards are searched first, and the table is kept: 3x3 takes no time,
/// 3x4 and 2x6 take a while.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin distance \"8 1 3/4 0 2/7 6 5\"

  In multi-tile moves, with a solution
  $ taquin distance --metric multi --solution \"8 6 7/2 5 4/3 0 1\"

  A batch, for programs
  $ taquin scramble --size 3x3 --count 100 --seed 1 | taquin distance --json

Exit code: 0 if all boards are solvable, 1 if one is not or --limit-time was over first, 2 if one
could not be read or is too large, 130 if interrupted.")]
pub(crate) struct Args {
    #[command(flatten)]
    boards: BoardArgs,

    #[command(flatten)]
    goal: GoalArgs,

    #[command(flatten)]
    metric: MetricArgs,

    /// Show a shortest solution too.
    #[arg(long)]
    solution: bool,

    #[command(flatten)]
    effort: EffortArgs,

    /// The notation to print moves in.
    #[arg(long, value_name = "NOTATION", default_value = "tile", value_parser = names::move_notation())]
    notation: MoveNotation,

    /// How to print directions. Default: letters; with --metric multi compact.
    #[arg(long, value_name = "STYLE", value_parser = names::move_style())]
    style: Option<MoveStyle>,

    /// Print JSON Lines, one object a board.
    #[arg(long)]
    json: bool,
}

/// The most cells of a board that can be looked up.
const MAX_CELLS: usize = 12;

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let mut goals = args.goal.goals(None);
    let metric = args.metric.metric;
    let writing = Writing::new(args.notation, args.style, metric);
    let mut atlases = Atlases {
        spaces: Spaces::new(&args.effort)?,
        metric,
        made: HashMap::new(),
    };
    args.boards.each(out, args.json, |out, origin, entry| {
        let entry = entry?;
        let board = &entry.board;
        let size = board.size();
        let bad = |error: &dyn std::fmt::Display| BadBoard::in_entry(origin, &entry, error);
        if size.cells() > MAX_CELLS {
            return Err(bad(&too_large(size, metric)).into());
        }
        let goal = goals.of(&entry).map_err(|error| bad(&error))?;
        let verdict = Unsolvable::check(board, &goal.board).map_err(|error| bad(&error))?;
        // Nothing is searched for a board that cannot be solved.
        let answer = match &verdict {
            Ok(_) => {
                let atlas = atlases.of(&goal.board)?.map_err(|error| bad(&error))?;
                let found = Distance::look_up(board, &goal.name, atlas, writing, args.solution);
                if let Err(DistanceError::Changed(_)) = found {
                    atlases.forget(&goal.board);
                }
                found.map_err(|error| bad(&error))?
            }
            Err(unsolvable) => Distance::unsolvable(board, &goal.name, metric, writing, unsolvable),
        };
        if args.json {
            out.json(&answer)?;
        } else {
            out.record(&text(&answer, out))?;
        }
        Ok(Status::of_answer(verdict.is_ok()))
    })
}

/// What to say of a board that cannot be looked up.
fn too_large(size: Size, metric: Metric) -> String {
    let advice = match metric {
        Metric::Single => "`taquin solve` finds a shortest solution",
        Metric::Multi => "`taquin solve --metric multi` finds a shortest solution",
    };
    format!(
        "{size} has {} cells, and distances are looked up on boards of up to {MAX_CELLS}, such as \
         3x3, 3x4 and 2x6; {advice}",
        size.cells()
    )
}

/// The atlas of each size, made when its first board comes.
struct Atlases {
    spaces: Spaces,
    metric: Metric,
    made: HashMap<Board, Result<Atlas, String>>,
}

impl Atlases {
    /// The atlas of a goal, or why there is none. The outer error is that Ctrl-C came, or that the time is
    /// over.
    fn of(&mut self, goal: &Board) -> Result<Result<&Atlas, &str>> {
        let made = match self.made.entry(goal.clone()) {
            Entry::Occupied(made) => made.into_mut(),
            Entry::Vacant(place) => {
                let space = self.spaces.space(goal, self.metric);
                let drawn = space.and_then(|space| self.spaces.atlas(&space, false));
                let made = match drawn {
                    Ok(drawn) => Ok(drawn.atlas),
                    Err(error) if tables::stopped_by(&error).is_some() => return Err(error),
                    Err(error) => Err(format!("{error:#}")),
                };
                place.insert(made)
            }
        };
        Ok(made.as_ref().map_err(String::as_str))
    }

    /// Has the atlas of a goal read or made anew for the next board.
    fn forget(&mut self, goal: &Board) {
        self.made.remove(goal);
    }
}

/// The answer for a board, or why there is none, for people.
fn text(answer: &Distance<'_>, out: &Output) -> String {
    let board = &answer.board;
    if let Some(reason) = answer.reason.as_deref() {
        let word = out.styled(AnsiColor::Red.on_default(), "unsolvable");
        return format!("{board}: {word}\n  {reason}\n");
    }
    let distance = answer.distance.unwrap_or(0);
    if distance == 0 {
        return format!("{board}: 0 moves, it is the goal\n");
    }
    let moves = match (answer.metric.0, distance) {
        (Metric::Single, 1) => "move",
        (Metric::Single, _) => "moves",
        (Metric::Multi, 1) => "multi-tile move",
        (Metric::Multi, _) => "multi-tile moves",
    };
    let first = answer.first_moves.iter().flatten();
    let first: Vec<String> = first.map(named).collect();
    let other = answer.lengths.map_or_else(String::new, |lengths| {
        figures::moves(answer.metric.0, lengths).1
    });
    let mut text = format!(
        "{board}: {distance} {moves}{other}\n  begin with {}\n",
        first.join(" or ")
    );
    if let Some(solution) = &answer.moves {
        text.extend(["  ", solution, "\n"]);
    }
    text
}

/// A move with its tiles.
fn named(first: &FirstMove) -> String {
    let written = &first.written;
    match &first.tiles[..] {
        [tile] => format!("{written} (tile {tile})"),
        tiles => {
            let tiles: Vec<String> = tiles.iter().map(Tile::to_string).collect();
            format!("{written} (tiles {})", tiles.join(" "))
        }
    }
}
