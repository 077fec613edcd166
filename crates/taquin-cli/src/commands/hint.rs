//! `taquin hint`: what to do next.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use anyhow::Result;
use taquin::notation::{MoveNotation, MoveStyle};
use taquin::search::Limits;
use taquin::solve::{Coach, Effort, Equipment};
use taquin::{Size, Solvability};
use taquin_records::{Hint, Writing};

use crate::goals::GoalArgs;
use crate::input::{BadBoard, BoardArgs, Fault};
use crate::interrupt;
use crate::names;
use crate::output::Output;
use crate::search_args::DEFAULT_MEMORY;
use crate::status::Status;
use crate::tables::{self, TablesArgs};
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

  Quickly, on a board that nobody can solve optimally
  $ taquin scramble --size 8x8 --seed 1 | taquin hint --within 200ms

Exit code: 0 if there is a hint for every board, 1 if one is unsolvable, 2 if one could not be read,
130 if interrupted: Ctrl-C gives the best hint so far.")]
pub(crate) struct Args {
    #[command(flatten)]
    boards: BoardArgs,

    #[command(flatten)]
    goal: GoalArgs,

    /// How long to think about a board, as in 50ms or 5s.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::duration)]
    within: Duration,

    #[command(flatten)]
    tables_dir: TablesArgs,

    /// The notation to print the move in.
    #[arg(long, value_name = "NOTATION", default_value = "tile", value_parser = names::move_notation())]
    notation: MoveNotation,

    /// How to print directions.
    #[arg(long, value_name = "STYLE", default_value = "letters", value_parser = names::move_style())]
    style: MoveStyle,

    /// Print JSON Lines, one object a board.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let mut goals = args.goal.with_form(args.boards.input);
    let goal_name = goals.name().to_owned();
    let cancel = interrupt::flag();
    let goal = args.goal.goal(args.boards.input);
    let provider = args.tables_dir.provider(&goal)?;
    let equipment = Equipment::new(Arc::new(provider));
    let effort = Effort {
        threads: tables::threads(),
        limits: Limits {
            cancel: Some(Arc::clone(&cancel)),
            memory: Some(DEFAULT_MEMORY),
            ..Effort::within(args.within).limits
        },
        ..Effort::within(args.within)
    };
    let writing = Writing {
        notation: args.notation,
        style: args.style,
    };
    let mut coaches: HashMap<Size, Coach> = HashMap::new();
    let status = args.boards.each(out, args.json, |out, origin, entry| {
        let entry = entry?;
        let board = &entry.board;
        let bad = |error: &dyn std::fmt::Display| BadBoard::in_entry(origin, &entry, error);
        let (goal, _) = goals.of(board.size()).map_err(|error| bad(&error))?;
        let begin = Instant::now();
        let verdict = Solvability::of(board, goal).map_err(|error| bad(&error))?;
        // No tables are built for a board that cannot be solved.
        let hint = if verdict.is_solvable() {
            let equip = || Coach::new(equipment.of(goal, Some(args.within)).solver().clone());
            let coach = coaches.entry(board.size()).or_insert_with(equip);
            let hint = coach.hint(board, &effort).map_err(|error| bad(&error))?;
            Hint::new(board, &goal_name, writing, &hint, begin.elapsed())
        } else {
            Hint::unsolvable(board, &goal_name, writing, verdict)
        };
        if args.json {
            out.json(&hint)?;
        } else {
            out.record(&text(&hint, out))?;
        }
        if cancel.load(Ordering::Relaxed) {
            return Err(Fault::Enough);
        }
        Ok(Status::of_answer(verdict.is_solvable()))
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
    if let Some(words) = hint.reason.as_deref() {
        let (word, reason) = words.split_once(": ").unwrap_or((words, ""));
        let word = out.styled(AnsiColor::Red.on_default(), word);
        return format!("{board}: {word}\n  {reason}\n");
    }
    let (Some(next), Some(left), Some(least)) = (&hint.next, hint.length, hint.lower_bound) else {
        return format!("{board}: solved, nothing to do\n");
    };
    let tile = hint.tile.unwrap_or(0);
    let moves = if left == 1 { "move" } else { "moves" };
    let proof = if hint.optimal == Some(true) {
        out.styled(AnsiColor::Green.on_default(), "optimal")
    } else {
        let times = hint.ratio.map_or_else(String::new, |times| {
            format!(", so at most {times} times the fewest")
        });
        format!("not proven optimal; at least {least}{times}")
    };
    format!("{board}: {next} (tile {tile})\n  {left} {moves} to go with it, {proof}\n")
}
