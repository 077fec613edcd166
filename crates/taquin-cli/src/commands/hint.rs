//! `taquin hint`: what to do next.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use anyhow::Result;
use taquin::notation::{MoveNotation, MoveStyle};
use taquin::{Board, Coach, HintError, Limits, Solver, UnsolvedError};
use taquin_records::{Hint, Writing};

use crate::figures;
use crate::goals::GoalArgs;
use crate::input::{BadBoard, BoardArgs, Fault};
use crate::interrupt;
use crate::names;
use crate::output::Output;
use crate::search_args::DEFAULT_MEMORY;
use crate::spaces::MetricArgs;
use crate::status::Status;
use crate::tables::TablesArgs;
use crate::units;

/// Say what to do next.
///
/// The next move, and how many remain with it: proven to be the fewest where that can be done in
/// the time there is, else the best that was found, with a bound. Boards of one size are taken for
/// positions of one game, so a hint for a board on the way that was shown before costs nothing.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin hint \"8 1 3/4 0 2/7 6 5\"

  Several tiles at once count as one move
  $ taquin hint --metric multi \"8 1 3/4 0 2/7 6 5\"

  Quickly, on a board that nobody can solve optimally
  $ taquin scramble --size 8x8 --seed 1 | taquin hint --within 200ms

Exit code: 0 if there is a hint for every board, 1 if one is unsolvable, 2 if one could not be read,
130 if interrupted: Ctrl-C gives the best hint so far.")]
pub(crate) struct Args {
    #[command(flatten)]
    boards: BoardArgs,

    #[command(flatten)]
    goal: GoalArgs,

    #[command(flatten)]
    metric: MetricArgs,

    /// How long to think about a board, as in 50ms or 5s.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::duration)]
    within: Duration,

    #[command(flatten)]
    tables_dir: TablesArgs,

    /// The notation to print the move in.
    #[arg(long, value_name = "NOTATION", default_value = "tile", value_parser = names::move_notation())]
    notation: MoveNotation,

    /// How to print directions. Default: letters; with --metric multi compact.
    #[arg(long, value_name = "STYLE", value_parser = names::move_style())]
    style: Option<MoveStyle>,

    /// Print JSON Lines, one object a board.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let mut goals = args.goal.goals(None);
    let cancel = interrupt::flag();
    interrupt::unlisten();
    let metric = args.metric.metric;
    let solver = Solver::with_source(args.tables_dir.source()?);
    let limits = Limits {
        cancel: Some(Arc::clone(&cancel)),
        memory: Some(DEFAULT_MEMORY),
        ..Limits::default()
    };
    let writing = Writing::new(args.notation, args.style, metric);
    // Boards with one goal and size are positions of one game.
    let mut coaches: HashMap<Board, Coach> = HashMap::new();
    let status = args.boards.each(out, args.json, |out, origin, entry| {
        let entry = entry?;
        let board = &entry.board;
        let bad = |error: &dyn std::fmt::Display| BadBoard::in_entry(origin, &entry, error);
        let goal = goals.of(&entry).map_err(|error| bad(&error))?;
        let begin = Instant::now();
        let coach = coaches.entry(goal.board.clone());
        let coach =
            coach.or_insert_with(|| Coach::new(goal.goal.clone(), args.within).in_metric(metric));
        // While it thinks, Ctrl-C gives the best hint so far; while it waits for the next board,
        // there is nothing to wait for.
        drop(interrupt::flag());
        let found = coach.hint(&solver, board, &limits);
        interrupt::unlisten();
        let hint = match &found {
            Ok(hint) => Hint::new(board, &goal.name, metric, writing, hint, begin.elapsed()),
            Err(HintError::Unsolved(UnsolvedError::Unsolvable(unsolvable))) => {
                Hint::unsolvable(board, &goal.name, metric, writing, unsolvable)
            }
            Err(error) => return Err(bad(error).into()),
        };
        if args.json {
            out.json(&hint)?;
        } else {
            out.record(&text(&hint, out))?;
        }
        if cancel.load(Ordering::Relaxed) {
            return Err(Fault::Enough);
        }
        Ok(Status::of_answer(found.is_ok()))
    })?;
    Ok(if cancel.load(Ordering::Relaxed) {
        Status::Interrupted
    } else {
        status
    })
}

/// A hint for a board, or why there is none, for people.
fn text(hint: &Hint<'_>, out: &Output) -> String {
    let board = &hint.board;
    if let Some(reason) = hint.reason.as_deref() {
        let word = out.styled(AnsiColor::Red.on_default(), "unsolvable");
        return format!("{board}: {word}\n  {reason}\n");
    }
    let (Some(next), Some(lengths), Some(least)) = (&hint.next, hint.lengths, hint.lower_bound)
    else {
        return format!("{board}: solved, nothing to do\n");
    };
    let tile = hint.tile.unwrap_or(0);
    let tiles = match hint.tiles {
        None | Some(1) => format!("tile {tile}"),
        Some(tiles) => format!("{tiles} tiles, first {tile}"),
    };
    let (moves, other) = figures::moves(hint.metric.0, lengths);
    let proof = if hint.optimal == Some(true) {
        out.styled(AnsiColor::Green.on_default(), "optimal")
    } else {
        let times = hint.ratio.map_or_else(String::new, |times| {
            format!(", so at most {times} times the fewest")
        });
        format!("not proven optimal; at least {least}{times}")
    };
    format!("{board}: {next} ({tiles})\n  {moves} to go with it, {proof}{other}\n")
}
