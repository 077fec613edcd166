//! Where boards come from: arguments, files, standard input.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use taquin::Size;
use taquin::notation::{BoardForm, BoardReader, Entry, ParseError, ReadError, ReadOptions};

use crate::names;
use crate::output::{Output, complain, remark};
use crate::status::Status;

/// The options of every command that takes boards.
#[derive(Args)]
pub(crate) struct BoardArgs {
    /// Boards in any form, each in quotation marks. Without any, standard input is read.
    #[arg(value_name = "BOARD")]
    boards: Vec<String>,

    /// Read boards from a file; "-" is standard input. Can be given several times.
    #[arg(short, long = "file", value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The form of the boards, where it should not be guessed.
    #[arg(long, value_name = "FORM", value_parser = names::board_form(), hide_possible_values = true)]
    pub(crate) input: Option<BoardForm>,

    /// The size of the boards, rows x columns: needed for flat lists that are not square.
    #[arg(long, value_name = "SIZE", value_parser = names::size)]
    size: Option<Size>,

    /// Stop at the first board that cannot be read instead of going on with the next.
    #[arg(long)]
    strict: bool,
}

/// What is wrong with one board, and where.
#[derive(Debug)]
pub(crate) struct BadBoard(String);

impl BadBoard {
    /// A fault that was found in an entry after it was read.
    pub(crate) fn in_entry(origin: &Origin, entry: &Entry, reason: impl fmt::Display) -> Self {
        Self(format!("{}: {reason}", origin.at_line(entry.line)))
    }
}

impl fmt::Display for BadBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The record of a board that could not be read.
#[derive(Serialize)]
struct ErrorRecord<'a> {
    board: Option<&'a str>,
    size: Option<&'a str>,
    goal: Option<&'a str>,
    status: &'a str,
    error: &'a str,
}

/// What a command does with a board: answers it, or finds a fault that the reader could not see.
pub(crate) type Answer = Result<Status, Fault>;

/// Why a board was not answered.
pub(crate) enum Fault {
    /// This board is bad; the next one may be good.
    Board(BadBoard),
    /// Nothing can go on.
    Fatal(anyhow::Error),
}

impl From<anyhow::Error> for Fault {
    fn from(error: anyhow::Error) -> Self {
        Self::Fatal(error)
    }
}

impl From<BadBoard> for Fault {
    fn from(bad: BadBoard) -> Self {
        Self::Board(bad)
    }
}

/// One source of boards.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// An argument, counted from 1; the only one if `alone`.
    Argument {
        number: usize,
        alone: bool,
        text: String,
    },
    File(PathBuf),
    StandardInput,
}

impl Origin {
    fn at_line(&self, line: u64) -> String {
        match self {
            Self::Argument { .. } => self.to_string(),
            Self::File(path) => format!("{}:{line}", path.display()),
            Self::StandardInput => format!("{self}, line {line}"),
        }
    }

    fn describe(&self, error: &ParseError) -> String {
        let (place, kind) = (error.place(), error.kind());
        match self {
            Self::Argument { text, .. } if place.line == 1 => {
                let is_file = Path::new(text).is_file();
                let hint = if is_file {
                    " (to read the file of this name, use --file)"
                } else {
                    ""
                };
                format!("{self}, column {}: {kind}{hint}", place.column)
            }
            Self::File(path) => {
                format!("{}:{}:{}: {kind}", path.display(), place.line, place.column)
            }
            _ => format!("{self}, {place}: {kind}"),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument { alone: true, .. } => f.write_str("board"),
            Self::Argument { number, .. } => write!(f, "board {number}"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::StandardInput => f.write_str("standard input"),
        }
    }
}

impl BoardArgs {
    /// Whether boards were named, so that standard input will not be read for them.
    pub(crate) fn are_given(&self) -> bool {
        !self.boards.is_empty() || !self.files.is_empty()
    }

    /// Hands every board to `answer`, in order, and gives the worst status.
    ///
    /// A bad board gets one line on standard error, and with `json` an object of its own among the
    /// results.
    pub(crate) fn each(
        &self,
        out: &mut Output,
        json: bool,
        mut answer: impl FnMut(&mut Output, &Origin, Entry) -> Answer,
    ) -> Result<Status> {
        let mut status = Status::Done;
        for origin in self.origins() {
            let (from_source, stop) = self.source(&origin, out, json, &mut answer)?;
            status = status.max(from_source);
            if stop {
                break;
            }
        }
        Ok(status)
    }

    /// Answers the boards of one source; also says whether to stop there.
    fn source(
        &self,
        origin: &Origin,
        out: &mut Output,
        json: bool,
        answer: &mut impl FnMut(&mut Output, &Origin, Entry) -> Answer,
    ) -> Result<(Status, bool)> {
        let bad = |out: &mut Output, bad: &BadBoard| -> Result<(Status, bool)> {
            if json {
                out.json(&ErrorRecord {
                    board: None,
                    size: None,
                    goal: None,
                    status: "error",
                    error: &bad.0,
                })?;
            }
            if out.is_terminal() {
                out.flush()?;
            }
            complain(format_args!("{bad}"));
            Ok((Status::BadInput, self.strict))
        };
        let reader = match Self::open(origin, out) {
            Ok(reader) => reader,
            Err(error) => return bad(out, &BadBoard(format!("cannot read {origin}: {error}"))),
        };
        let options = ReadOptions {
            form: self.input,
            size: self.size,
        };
        let mut status = Status::Done;
        let mut empty = true;
        for entry in BoardReader::new(reader, options) {
            empty = false;
            let answered = match entry {
                Ok(entry) => answer(out, origin, entry),
                Err(ReadError::Parse(error)) => Err(BadBoard(origin.describe(&error)).into()),
                Err(ReadError::Io(error)) => {
                    Err(BadBoard(format!("cannot read {origin}: {error}")).into())
                }
            };
            match answered {
                Ok(answered) => status = status.max(answered),
                Err(Fault::Fatal(error)) => return Err(error),
                Err(Fault::Board(fault)) => {
                    let (worse, stop) = bad(out, &fault)?;
                    status = status.max(worse);
                    if stop {
                        return Ok((status, true));
                    }
                }
            }
        }
        if empty {
            return bad(
                out,
                &BadBoard(format!("{origin}: no board here: the input is empty")),
            );
        }
        Ok((status, false))
    }

    fn origins(&self) -> Vec<Origin> {
        let arguments = self.arguments();
        let alone = arguments.len() == 1;
        let numbered = (1..).zip(arguments);
        let from_arguments = numbered.map(|(number, text)| match text.as_str() {
            "-" => Origin::StandardInput,
            _ => Origin::Argument {
                number,
                alone,
                text,
            },
        });
        let from_files = self.files.iter().map(|path| {
            if path == Path::new("-") {
                Origin::StandardInput
            } else {
                Origin::File(path.clone())
            }
        });
        let mut origins: Vec<Origin> = from_arguments.chain(from_files).collect();
        if origins.is_empty() {
            origins.push(Origin::StandardInput);
        }
        origins
    }

    /// The board arguments. When all are single tiles or bits of rows, the quotation marks around
    /// one board were forgotten.
    fn arguments(&self) -> Vec<String> {
        let is_tile = |word: &str| {
            let is_number = word.len() <= 5 && word.bytes().all(|b| b.is_ascii_digit());
            is_number || matches!(word, "x" | "X" | "_" | "-" | ".")
        };
        let is_bit = |argument: &String| argument.split(['/', ',']).all(is_tile);
        if self.boards.len() > 1 && self.boards.iter().all(is_bit) {
            vec![self.boards.join(" ")]
        } else {
            self.boards.clone()
        }
    }

    /// A reader of the source.
    fn open(origin: &Origin, out: &Output) -> io::Result<Box<dyn BufRead>> {
        const BUFFER: usize = 1 << 16;
        let progress = |length| progress_bar(length, out);
        Ok(match origin {
            Origin::Argument { text, .. } => Box::new(io::Cursor::new(text.clone())),
            Origin::File(path) => {
                let file = File::open(path)?;
                let about = file.metadata()?;
                if about.is_dir() {
                    return Err(io::Error::new(
                        io::ErrorKind::IsADirectory,
                        "it is a folder",
                    ));
                }
                let length = about.is_file().then_some(about.len());
                let bar = progress(length);
                Box::new(BufReader::with_capacity(BUFFER, bar.wrap_read(file)))
            }
            Origin::StandardInput => {
                let stdin = io::stdin();
                if stdin.is_terminal() {
                    remark(format_args!(
                        "reading boards from the keyboard; end with Ctrl-D, or see --help"
                    ));
                    return Ok(Box::new(stdin.lock()));
                }
                let bar = progress(None);
                let input: Box<dyn Read> = Box::new(bar.wrap_read(stdin));
                Box::new(BufReader::with_capacity(BUFFER, input))
            }
        })
    }
}

/// A bar for long inputs: only where a person watches and the results go elsewhere.
fn progress_bar(length: Option<u64>, out: &Output) -> ProgressBar {
    if out.is_terminal() || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match length {
        Some(length) => (
            ProgressBar::new(length),
            "{wide_bar} {bytes}/{total_bytes} ({bytes_per_sec}, {eta} left)",
        ),
        None => (
            ProgressBar::no_length(),
            "{spinner} {bytes} read ({bytes_per_sec})",
        ),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
