//! `taquin check`: can a board be solved, and why?

use std::fmt::Write;

use anstyle::AnsiColor;
use anyhow::Result;
use taquin::notation::BoardForm;
use taquin::{Invariant, Solvability, Unsolvable};
use taquin_records::{Check, CheckTexts};

use crate::goals::GoalArgs;
use crate::input::{BadBoard, BoardArgs};
use crate::output::Output;
use crate::status::Status;

/// Say whether boards can be solved, and why.
///
/// An unsolvable board gets a hint: two tiles whose exchange would make it solvable.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  The classic hoax: 14 and 15 exchanged
  $ taquin check \"1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0\"

  For another goal
  $ taquin check --goal snail \"1 2 3/8 0 4/7 6 5\"

  A thousand boards as JSON Lines
  $ taquin scramble --size 5x5 --count 1000 --seed 1 | taquin check --json

Exit code: 0 if all boards are solvable, 1 if some are not, 2 if some could not be read.")]
pub(crate) struct Args {
    #[command(flatten)]
    boards: BoardArgs,

    #[command(flatten)]
    goal: GoalArgs,

    /// Print JSON Lines, one object a board.
    #[arg(long)]
    json: bool,

    /// Print nothing; the exit code is the answer.
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let mut goals = args.goal.goals(None);
    // Kept from board to board, because allocating is half the work of a small board.
    let (mut board, mut size, mut reason) = (String::new(), String::new(), String::new());

    args.boards.each(out, args.json, |out, origin, entry| {
        let entry = entry?;
        let bad = |error| BadBoard::in_entry(origin, &entry, error);
        let goal = goals.of(&entry).map_err(bad)?;
        let verdict = Solvability::between(Invariant::of(&entry.board), goal.invariant);
        let verdict = verdict.map_err(bad)?;
        let hint = verdict.swap_hint(&entry.board, &goal.board);
        let status = Status::of_answer(verdict.is_solvable());
        if args.quiet {
            return Ok(status);
        }

        board.clear();
        reason.clear();
        BoardForm::Rows
            .write(&entry.board, &mut board)
            .map_err(|error| BadBoard::in_entry(origin, &entry, error))?;
        let board = board.trim_end();
        // Most boards are solvable: only for the others it is looked up what they can reach.
        let unsolvable = if verdict.is_solvable() {
            None
        } else {
            let checked = Unsolvable::check(&entry.board, &goal.board);
            checked.map_err(bad)?.err()
        };
        match unsolvable {
            Some(unsolvable) => write!(reason, "{unsolvable}"),
            None => write!(reason, "{verdict}"),
        }
        .expect("strings take all");
        if args.json {
            size.clear();
            write!(size, "{}", entry.board.size()).expect("strings take all");
            let texts = CheckTexts {
                board: board.into(),
                size: (&size).into(),
                goal: goal.name.as_str().into(),
                reason: (&reason).into(),
            };
            out.json(&Check::with_texts(texts, verdict, hint))?;
            return Ok(status);
        }
        let word = if verdict.is_solvable() {
            out.styled(AnsiColor::Green.on_default(), "solvable")
        } else {
            out.styled(AnsiColor::Red.on_default(), "unsolvable")
        };
        let mut text = format!("{board}: {word} (goal: {})\n  {reason}\n", goal.name);
        if let Some((a, b)) = hint {
            writeln!(text, "  swapping tiles {a} and {b} would make it solvable")
                .expect("strings take all");
        }
        out.record(&text)?;
        Ok(status)
    })
}
