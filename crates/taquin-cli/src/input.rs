//! Where boards come from: arguments, files, standard input.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use taquin::Size;
use taquin::notation::{
    BoardEntry, BoardForm, BoardReader, ParseError, ParseErrorKind, ReadError, ReadOptions,
    read_board,
};
use taquin_records::ErrorRecord;

use crate::names;
use crate::output::{self, Flusher, Output, remark};
use crate::status::Status;

/// The options of every command that takes boards.
#[derive(Clone, Args)]
pub(crate) struct BoardArgs {
    /// Boards in any form, each in quotation marks; without any, standard input is read. One that
    /// begins with "-" goes behind "--".
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
    /// A fault whose place is in the reason.
    pub(crate) const fn new(reason: String) -> Self {
        Self(reason)
    }

    /// A fault that was found in an entry after it was read.
    pub(crate) fn in_entry(origin: &Origin, entry: &BoardEntry, reason: impl fmt::Display) -> Self {
        Self(format!("{}: {reason}", origin.at_line(entry.line)))
    }

    /// Tells of it: one line on standard error, and with `json` an object among the results.
    pub(crate) fn report(&self, out: &mut Output, json: bool) -> Result<Status> {
        if json {
            out.json(&ErrorRecord::new(&self.0))?;
        }
        out.complain(format_args!("{self}"))?;
        Ok(Status::BadInput)
    }
}

impl fmt::Display for BadBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a command does with a board: answers it, or finds a fault that the reader could not see.
pub(crate) type Answer = Result<Status, Fault>;

/// Why a board was not answered.
pub(crate) enum Fault {
    /// This board is bad; the next one may be good.
    Board(BadBoard),
    /// No more boards are wanted.
    Enough,
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
    /// A bad board, which `answer` is to hand back, gets one line on standard error, and with `json`
    /// an object of its own among the results.
    pub(crate) fn each(
        &self,
        out: &mut Output,
        json: bool,
        mut answer: impl FnMut(&mut Output, &Origin, Result<BoardEntry, BadBoard>) -> Answer,
    ) -> Result<Status> {
        let mut status = Status::Done;
        let mut fatal = None;
        let watch = Watch {
            flusher: Some(out.flusher()),
            progress: !out.is_terminal() && io::stderr().is_terminal(),
        };
        self.read(&watch, |origin, entry| {
            let answered = match answer(out, origin, entry) {
                Err(Fault::Board(bad)) => bad.report(out, json).map_err(Fault::Fatal),
                other => other,
            };
            match answered {
                Ok(answered) => status = status.max(answered),
                Err(Fault::Fatal(error)) => fatal = Some(error),
                Err(Fault::Enough) => return ControlFlow::Break(()),
                Err(Fault::Board(_)) => {}
            }
            if fatal.is_some() || self.ends_after(status) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        fatal.map_or(Ok(status), Err)
    }

    /// Whether nothing more is to be answered after a board with this status.
    pub(crate) fn ends_after(&self, status: Status) -> bool {
        self.strict && status == Status::BadInput
    }

    /// Whether standard input is read for boards.
    pub(crate) fn read_standard_input(&self) -> bool {
        let is_standard = |origin: &Origin| matches!(origin, Origin::StandardInput);
        self.origins().iter().any(is_standard)
    }

    /// Reads the boards in order and hands each, or what is wrong with it, to `sink`, until that
    /// breaks off.
    pub(crate) fn read(
        &self,
        watch: &Watch,
        mut sink: impl FnMut(&Origin, Result<BoardEntry, BadBoard>) -> ControlFlow<()>,
    ) {
        for origin in self.origins() {
            if self.read_source(&origin, watch, &mut sink).is_break() {
                return;
            }
        }
    }

    fn read_source(
        &self,
        origin: &Origin,
        watch: &Watch,
        sink: &mut impl FnMut(&Origin, Result<BoardEntry, BadBoard>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let unreadable = |error| Err(BadBoard(format!("cannot read {origin}: {error}")));
        let reader = match open(origin, watch) {
            Ok(reader) => reader,
            Err(error) => return sink(origin, unreadable(error)),
        };
        let mut empty = true;
        for entry in BoardReader::new(reader, self.options()) {
            empty = false;
            let entry = match entry {
                Ok(entry) => Ok(entry),
                Err(ReadError::Parse(error)) => Err(BadBoard(origin.describe(&error))),
                Err(ReadError::Io(error)) => unreadable(error),
            };
            sink(origin, entry)?;
        }
        if empty {
            let nothing = BadBoard(format!("{origin}: {}", ParseErrorKind::Empty));
            sink(origin, Err(nothing))?;
        }
        ControlFlow::Continue(())
    }

    const fn options(&self) -> ReadOptions {
        ReadOptions {
            form: self.input,
            size: self.size,
        }
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
        let options = self.options();
        let is_board = |argument: &String| read_board(argument, options).is_ok();
        if self.boards.len() > 1
            && self.boards.iter().all(is_bit)
            && !self.boards.iter().any(is_board)
        {
            vec![self.boards.join(" ")]
        } else {
            self.boards.clone()
        }
    }
}

/// A reader of the source.
fn open(origin: &Origin, watch: &Watch) -> io::Result<Box<dyn BufRead>> {
    const BUFFER: usize = 1 << 16;
    Ok(match origin {
        Origin::Argument { text, .. } => Box::new(io::Cursor::new(text.clone())),
        Origin::File(path) => {
            let file = File::open(path)?;
            let about = file.metadata()?;
            if about.is_dir() {
                let folder = io::ErrorKind::IsADirectory;
                return Err(io::Error::new(folder, "it is a folder"));
            }
            let length = about.is_file().then_some(about.len());
            Box::new(BufReader::with_capacity(BUFFER, watch.reader(file, length)))
        }
        Origin::StandardInput => {
            let stdin = io::stdin();
            if stdin.is_terminal() {
                remark(format_args!(
                    "reading boards from the keyboard; end with Ctrl-D, or see --help"
                ));
                return Ok(Box::new(stdin.lock()));
            }
            Box::new(BufReader::with_capacity(BUFFER, watch.reader(stdin, None)))
        }
    })
}

/// What happens around the reading: results are flushed before it may have to wait, and a person
/// sees a bar.
#[derive(Default)]
pub(crate) struct Watch {
    flusher: Option<Flusher>,
    progress: bool,
}

impl Watch {
    fn reader<R: Read>(&self, input: R, length: Option<u64>) -> WatchedReader<R> {
        WatchedReader {
            input,
            flusher: self.flusher.clone(),
            progress: self.progress,
            length,
            read: 0,
            began: Instant::now(),
            bar: None,
        }
    }
}

/// A reader that is watched.
struct WatchedReader<R> {
    input: R,
    flusher: Option<Flusher>,
    progress: bool,
    length: Option<u64>,
    read: u64,
    began: Instant,
    bar: Option<ProgressBar>,
}

impl<R> WatchedReader<R> {
    /// How long a person waits before a bar tells what goes on.
    const PATIENCE: Duration = Duration::from_millis(500);

    fn show(&mut self) {
        if !self.progress || (self.bar.is_none() && self.began.elapsed() < Self::PATIENCE) {
            return;
        }
        let length = self.length;
        let bar = self.bar.get_or_insert_with(|| {
            let bar = progress_bar(length);
            output::set_bar(Some(&bar));
            bar
        });
        bar.set_position(self.read);
    }
}

impl<R: Read> Read for WatchedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A program that waits for an answer before it asks again must get it now. An error here
        // comes up again when the next result is written.
        if let Some(flusher) = &self.flusher {
            let _ = flusher.flush();
        }
        let count = self.input.read(buffer)?;
        self.read += count as u64;
        self.show();
        Ok(count)
    }
}

impl<R> Drop for WatchedReader<R> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            output::set_bar(None);
            bar.finish_and_clear();
        }
    }
}

/// A bar for inputs of a known length, or a count for others.
fn progress_bar(length: Option<u64>) -> ProgressBar {
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
