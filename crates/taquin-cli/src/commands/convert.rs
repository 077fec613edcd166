//! `taquin convert`: between board forms, and between move notations.

use std::fs::File;
use std::io::{self, Seek, Write};

use anyhow::{Context, Result};
use taquin::notation::{BoardForm, MoveNotation, MoveStyle};
use taquin::{Board, Moves};
use taquin_records::{ConvertBoard, ConvertMoves};

use crate::input::{BadBoard, BoardArgs};
use crate::moves_input::MovesArgs;
use crate::names;
use crate::output::Output;
use crate::status::Status;

/// Rewrite boards in another form, or moves in another notation.
///
/// Boards are read in any form and printed in the one of --output. With moves (--moves,
/// --moves-file, or boards in JSON that have them) the moves are rewritten instead. Tile numbers
/// and positions of the blank need the board that the moves start from.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin convert 0xfe169b4c0a73d852
  $ taquin convert --output game-id \"1 2 3/4 5 6/7 8 0\"

  From the tiles' directions to the blank's, as judges want them
  $ taquin convert --moves \"R3 D\" --to blank --style lower

  To the numbers of the tiles that slide
  $ taquin convert --moves RRD --to numbers \"1 2 3/4 5 6/7 8 0\"")]
pub(crate) struct Args {
    #[command(flatten)]
    boards: BoardArgs,

    /// The form to print boards in. --input takes the same forms.
    #[arg(
        long,
        value_name = "FORM",
        default_value = "rows",
        value_parser = names::board_form(),
        conflicts_with_all = ["moves", "moves_file", "to", "style"]
    )]
    output: BoardForm,

    #[command(flatten)]
    moves: MovesArgs,

    /// The notation to print moves in.
    #[arg(long, value_name = "NOTATION", value_parser = names::move_notation())]
    to: Option<MoveNotation>,

    /// How to print directions.
    #[arg(long, value_name = "STYLE", value_parser = names::move_style())]
    style: Option<MoveStyle>,

    /// Print JSON Lines.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let wants_moves = args.moves.are_given() || args.to.is_some() || args.style.is_some();
    if wants_moves && !args.boards.are_given() && args.moves.are_given() {
        return moves_alone(args, out);
    }
    if wants_moves {
        return moves_on_boards(args, out);
    }
    boards(args, out)
}

fn boards(args: &Args, out: &mut Output) -> Result<Status> {
    // A case list starts with a number that is known only at its end: the boards wait in a file.
    let waits = args.output.is_case_list() && !args.json;
    let mut spool = waits.then(Spool::new).transpose()?;
    let mut text = String::new();
    let status = args.boards.each(out, args.json, |out, origin, entry| {
        let entry = entry?;
        text.clear();
        let written = args.output.write(&entry.board, &mut text);
        written.map_err(|error| BadBoard::in_entry(origin, &entry, error))?;
        if args.json {
            out.json(&ConvertBoard::new(
                &entry.board,
                args.output,
                text.trim_end(),
            ))?;
        } else if let Some(spool) = &mut spool {
            spool.add(&text)?;
        } else {
            out.record(&text)?;
        }
        Ok(Status::Done)
    })?;
    if let Some(spool) = spool {
        spool.copy_to(out)?;
    }
    Ok(status)
}

/// Boards in a temporary file, counted.
struct Spool {
    file: io::BufWriter<File>,
    count: u64,
}

impl Spool {
    fn new() -> Result<Self> {
        let file = tempfile::tempfile().context("cannot make a temporary file")?;
        Ok(Self {
            file: io::BufWriter::new(file),
            count: 0,
        })
    }

    fn add(&mut self, text: &str) -> Result<()> {
        self.count += 1;
        let written = self.file.write_all(text.as_bytes());
        written.context("cannot write to the temporary file")
    }

    fn copy_to(self, out: &mut Output) -> Result<()> {
        let copied = "cannot read the temporary file";
        let mut file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
            .context(copied)?;
        file.rewind().context(copied)?;
        out.text(&format!("{}\n", self.count))?;
        out.copy(&mut file)
    }
}

/// Sequences of directions, which need no board.
fn moves_alone(args: &Args, out: &mut Output) -> Result<Status> {
    let mut source = args.moves.open()?;
    let mut status = Status::Done;
    while let Some(sequence) = source.next() {
        let moves = sequence.and_then(|sequence| sequence.read(args.moves.notation(), None));
        match moves {
            Ok(moves) => write_moves(args, None, &moves, out)?,
            Err(reason) => status = status.max(BadBoard::new(reason).report(out, args.json)?),
        }
        if source.is_single() || args.boards.ends_after(status) {
            break;
        }
    }
    Ok(status)
}

fn moves_on_boards(args: &Args, out: &mut Output) -> Result<Status> {
    args.moves.must_not_share_standard_input(&args.boards)?;
    let mut source = args.moves.open()?;
    let status = args.boards.each(out, args.json, |out, origin, entry| {
        let (entry, moves) = source.with_entry(origin, entry, args.moves.notation())?;
        write_moves(args, Some(&entry.board), &moves, out)?;
        Ok(Status::Done)
    })?;
    source.remark_on_rest();
    Ok(status)
}

fn write_moves(args: &Args, board: Option<&Board>, moves: &Moves, out: &mut Output) -> Result<()> {
    let notation = args.to.unwrap_or_default();
    let style = args.style.unwrap_or_default();
    let mut text = String::new();
    match board {
        Some(board) => notation.write(board, moves, style, &mut text)?,
        None if notation.is_directions() => notation.write_letters(moves, style, &mut text),
        None => anyhow::bail!(
            "--to {} needs the board that the moves start from, as an argument or with --file",
            notation.name()
        ),
    }
    if args.json {
        return out.json(&ConvertMoves::new(board, moves, notation, &text));
    }
    text.push('\n');
    out.record(&text)
}
