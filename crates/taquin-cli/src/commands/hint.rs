//! `taquin hint`: what to do next.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use anyhow::Result;
use serde::Serialize;
use taquin::notation::{MoveNotation, MoveStyle};
use taquin::search::Limits;
use taquin::solve::{Coach, Effort, Hint, SolveError};
use taquin::{Board, Metric, Moves, Size, Solvability, Tile};

use crate::figures;
use crate::goals::GoalArgs;
use crate::input::{BadBoard, BoardArgs, Fault};
use crate::interrupt;
use crate::names;
use crate::output::Output;
use crate::search_args::DEFAULT_MEMORY;
use crate::status::Status;
use crate::tables::{self, Equipment, Provider, TablesArgs};
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

/// The fields of `docs/formats.md`.
#[derive(Serialize)]
struct Record<'a> {
    board: String,
    size: String,
    goal: &'a str,
    status: &'a str,
    /// The next move, and the tile that it slides.
    next: Option<String>,
    tile: Option<Tile>,
    /// Moves that remain.
    length: Option<u32>,
    lower_bound: Option<u32>,
    ratio: Option<f64>,
    optimal: Option<bool>,
    notation: &'a str,
    metric: &'a str,
    time_ms: Option<f64>,
    reason: Option<String>,
    error: Option<&'a str>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let mut goals = args.goal.with_form(args.boards.input);
    let goal_name = goals.name().to_owned();
    let cancel = interrupt::flag();
    let provider = Provider::new(&args.tables_dir)?;
    let goal = args.goal.goal(args.boards.input);
    let equipment = Equipment::new(provider, goal, None, Some(args.within));
    let effort = Effort {
        threads: tables::threads(),
        limits: Limits {
            cancel: Some(Arc::clone(&cancel)),
            memory: Some(DEFAULT_MEMORY),
            ..Effort::within(args.within).limits
        },
        ..Effort::within(args.within)
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
            let equip = || Coach::new(equipment.of(goal).solver().clone());
            let coach = coaches.entry(board.size()).or_insert_with(equip);
            let hint = coach.hint(board, &effort);
            Ok(hint.map_err(|error| bad(&error))?)
        } else {
            Err(SolveError::Unsolvable(verdict).to_string())
        };
        let shown = Shown {
            args,
            goal: &goal_name,
            board,
            hint: &hint,
            time: begin.elapsed(),
        };
        if args.json {
            out.json(&shown.record())?;
        } else {
            out.record(&shown.text(out))?;
        }
        if cancel.load(Ordering::Relaxed) {
            return Err(Fault::Enough);
        }
        Ok(Status::of_answer(hint.is_ok()))
    })?;
    Ok(if cancel.load(Ordering::Relaxed) {
        Status::Interrupted
    } else {
        status
    })
}

/// A hint for a board, or why there is none, to be shown.
struct Shown<'a> {
    args: &'a Args,
    goal: &'a str,
    board: &'a Board,
    hint: &'a Result<Hint, String>,
    time: Duration,
}

impl Shown<'_> {
    fn text(&self, out: &Output) -> String {
        let board = self.board;
        let hint = match self.hint {
            Ok(hint) => hint,
            Err(words) => {
                let (word, reason) = words.split_once(": ").unwrap_or((words, ""));
                let word = out.styled(AnsiColor::Red.on_default(), word);
                return format!("{board}: {word}\n  {reason}\n");
            }
        };
        let Some(next) = hint.next else {
            return format!("{board}: solved, nothing to do\n");
        };
        let tile = board.sliding_tile(next).unwrap_or(0);
        let (left, least) = (hint.remaining, hint.lower_bound);
        let moves = if left == 1 { "move" } else { "moves" };
        let proof = if hint.is_optimal() {
            out.styled(AnsiColor::Green.on_default(), "optimal")
        } else {
            let times = figures::ratio(left, least);
            let times = times.map_or_else(String::new, |times| {
                format!(", so at most {times} times the fewest")
            });
            format!("not proven optimal; at least {least}{times}")
        };
        let next = self.written().unwrap_or_default();
        format!("{board}: {next} (tile {tile})\n  {left} {moves} to go with it, {proof}\n")
    }

    /// The move in the notation asked for.
    fn written(&self) -> Option<String> {
        let next = self.hint.as_ref().ok()?.next?;
        let mut text = String::new();
        let moves = Moves::from(vec![next]);
        let notation = self.args.notation;
        let written = notation.write(self.board, &moves, self.args.style, &mut text);
        debug_assert!(written.is_ok(), "hints are legal");
        Some(text.trim().to_owned())
    }

    fn record(&self) -> Record<'_> {
        let hint = self.hint.as_ref().ok();
        let next = hint.and_then(|hint| hint.next);
        Record {
            board: self.board.to_string(),
            size: self.board.size().to_string(),
            goal: self.goal,
            status: if hint.is_some() {
                "solved"
            } else {
                "unsolvable"
            },
            next: self.written(),
            tile: next.and_then(|next| self.board.sliding_tile(next)),
            length: hint.map(|hint| hint.remaining),
            lower_bound: hint.map(|hint| hint.lower_bound),
            ratio: hint.and_then(|hint| figures::ratio(hint.remaining, hint.lower_bound)),
            optimal: hint.map(Hint::is_optimal),
            notation: self.args.notation.name(),
            metric: Metric::Single.name(),
            time_ms: hint.map(|_| figures::milliseconds(self.time)),
            reason: self.hint.as_ref().err().cloned(),
            error: None,
        }
    }
}
