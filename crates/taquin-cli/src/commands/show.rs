//! `taquin show`: boards drawn in the terminal.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use taquin::Board;
use taquin_records::Show;

use crate::goals::GoalArgs;
use crate::input::{BadBoard, BoardArgs};
use crate::output::Output;
use crate::status::Status;

/// Draw boards.
///
/// With colour, tiles that are in their place are green.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin show \"1 2 3/4 5 6/7 0 8\"
  $ taquin scramble --seed 7 | taquin show --ascii")]
pub(crate) struct Args {
    #[command(flatten)]
    boards: BoardArgs,

    #[command(flatten)]
    goal: GoalArgs,

    /// Draw with + - | instead of box-drawing characters.
    #[arg(long)]
    ascii: bool,

    /// Print JSON Lines: the rows as lists of numbers.
    #[arg(long)]
    json: bool,
}

/// The characters of a frame: left, line, crossing and right of the top, a middle and the bottom
/// line, and the upright one.
struct Frame {
    top: [char; 4],
    middle: [char; 4],
    bottom: [char; 4],
    upright: char,
}

const BOX: Frame = Frame {
    top: ['┌', '─', '┬', '┐'],
    middle: ['├', '─', '┼', '┤'],
    bottom: ['└', '─', '┴', '┘'],
    upright: '│',
};

const ASCII: Frame = Frame {
    top: ['+', '-', '+', '+'],
    middle: ['+', '-', '+', '+'],
    bottom: ['+', '-', '+', '+'],
    upright: '|',
};

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let frame = if args.ascii { &ASCII } else { &BOX };
    let mut goals = args.goal.goals(None);
    let mut first = true;
    args.boards.each(out, args.json, |out, origin, entry| {
        let entry = entry?;
        let board = &entry.board;
        if args.json {
            out.json(&Show::new(board))?;
            return Ok(Status::Done);
        }
        if !std::mem::take(&mut first) {
            out.text("\n")?;
        }
        let goal = goals.of(&entry);
        let goal = goal.map_err(|error| BadBoard::in_entry(origin, &entry, error))?;
        let drawing = draw(board, &goal.board, frame, out);
        out.record(&drawing)?;
        Ok(Status::Done)
    })
}

fn draw(board: &Board, goal: &Board, frame: &Frame, out: &Output) -> String {
    let size = board.size();
    let width = (size.cells() - 1).to_string().len();
    let in_place = AnsiColor::Green.on_default().bold();
    let line = |[left, dash, cross, right]: [char; 4]| {
        let cell = dash.to_string().repeat(width + 2);
        let cells = vec![cell; size.columns()].join(&cross.to_string());
        format!("{left}{cells}{right}\n")
    };
    let upright = frame.upright;
    let mut text = line(frame.top);
    for row in 0..size.rows() {
        if row > 0 {
            text.push_str(&line(frame.middle));
        }
        for column in 0..size.columns() {
            let cell = row * size.columns() + column;
            let tile = board.tile(cell).unwrap_or_default();
            let number = match tile {
                0 => " ".repeat(width),
                tile => format!("{tile:width$}"),
            };
            let at_home = tile > 0 && goal.tile(cell) == Some(tile);
            let style = if at_home { in_place } else { Style::new() };
            let number = out.styled(style, number);
            write!(text, "{upright} {number} ").expect("strings take all");
        }
        text.push(upright);
        text.push('\n');
    }
    text.push_str(&line(frame.bottom));
    text
}
