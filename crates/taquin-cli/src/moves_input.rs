//! Where move sequences come from: an option, a file, or the boards' own records.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use taquin::notation::{
    BoardEntry, MoveNotation, MovesReader, ParseError, ParseErrorKind, ReadError, read_moves,
};
use taquin::{Board, Moves};

use crate::input::{BadBoard, BoardArgs, Fault, Origin};
use crate::names;
use crate::output::remark;

/// The options of every command that takes moves.
#[derive(Args)]
pub(crate) struct MovesArgs {
    /// The moves, for every board: "RRRD", "R3 D", "→→→↓", or tile numbers.
    #[arg(short, long, value_name = "MOVES", conflicts_with = "moves_file")]
    moves: Option<String>,

    /// A file with one sequence a line, the first for the first board; "-" is standard input.
    #[arg(long, value_name = "FILE")]
    moves_file: Option<PathBuf>,

    /// What the given moves stand for. Default: numbers are tiles, all else tile directions.
    #[arg(long, value_name = "NOTATION", value_parser = names::move_notation())]
    from: Option<MoveNotation>,
}

impl MovesArgs {
    pub(crate) const fn are_given(&self) -> bool {
        self.moves.is_some() || self.moves_file.is_some()
    }

    /// What the moves were said to stand for.
    pub(crate) const fn notation(&self) -> Option<MoveNotation> {
        self.from
    }

    /// Boards and moves cannot both come from standard input.
    pub(crate) fn must_not_share_standard_input(&self, boards: &BoardArgs) -> Result<()> {
        let is_standard = |path: &PathBuf| path == Path::new("-");
        if self.moves_file.as_ref().is_some_and(is_standard) && boards.read_standard_input() {
            bail!("boards and moves cannot both come from standard input: put one in a file");
        }
        Ok(())
    }

    /// The source that was asked for.
    pub(crate) fn open(&self) -> Result<MoveSource> {
        let lines = |input: Box<dyn BufRead>, name: String| MoveSource::Lines {
            input: MovesReader::new(input),
            name,
        };
        Ok(match (&self.moves, &self.moves_file) {
            (Some(text), _) => MoveSource::Option(text.clone()),
            (None, Some(path)) if path == Path::new("-") => {
                lines(Box::new(io::stdin().lock()), "standard input".to_owned())
            }
            (None, Some(path)) => {
                let name = path.display().to_string();
                let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
                lines(Box::new(BufReader::new(file)), name)
            }
            (None, None) => MoveSource::Records,
        })
    }
}

/// Where the moves of each board come from.
pub(crate) enum MoveSource {
    /// An option: these moves for every board.
    Option(String),
    /// A line for each board.
    Lines {
        input: MovesReader<Box<dyn BufRead>>,
        name: String,
    },
    /// The record that the board came in.
    Records,
}

/// A sequence as it was written, and where.
pub(crate) struct Sequence {
    text: String,
    notation: Option<MoveNotation>,
    /// What errors call the place; they add the column.
    place: String,
}

impl Sequence {
    /// The moves, checked on the board if there is one; else what is wrong, with its place.
    pub(crate) fn read(
        &self,
        notation: Option<MoveNotation>,
        board: Option<&Board>,
    ) -> Result<Moves, String> {
        let notation = notation.or(self.notation);
        read_moves(&self.text, notation, board).map_err(|error| self.describe(&error))
    }

    fn describe(&self, error: &ParseError) -> String {
        let option = match error.kind() {
            ParseErrorKind::OtherConvention { legal_as, .. } => {
                format!(" (--from {})", legal_as.name())
            }
            _ => String::new(),
        };
        let (place, column) = (&self.place, error.place().column);
        format!("{place}, column {column}: {}{option}", error.kind())
    }
}

impl MoveSource {
    /// Whether there is one sequence only, however often it is asked for.
    pub(crate) const fn is_single(&self) -> bool {
        matches!(self, Self::Option(_))
    }

    /// The next sequence, or what is wrong with it; `None` at the end of a file, or if only
    /// records have moves.
    pub(crate) fn next(&mut self) -> Option<Result<Sequence, String>> {
        match self {
            Self::Option(text) => Some(Ok(Sequence {
                text: text.clone(),
                notation: None,
                place: "moves".to_owned(),
            })),
            Self::Lines { input, name } => Some(match input.next()? {
                Ok(line) => Ok(Sequence {
                    text: line.text,
                    notation: None,
                    place: format!("{name}, line {}", line.number),
                }),
                Err(ReadError::Parse(error)) => Err(format!("{name}, {error}")),
                Err(ReadError::Io(error)) => Err(format!("cannot read {name}: {error}")),
            }),
            Self::Records => None,
        }
    }

    /// A board with its moves, read and checked on it. A board that could not be read takes its
    /// line of moves along, so that the next board gets its own.
    pub(crate) fn with_entry(
        &mut self,
        origin: &Origin,
        entry: Result<BoardEntry, BadBoard>,
        notation: Option<MoveNotation>,
    ) -> Result<(BoardEntry, Moves), Fault> {
        let given = self.next();
        let mut entry = entry?;
        let given = given.or_else(|| {
            let given = entry.moves.take()?;
            Some(Ok(Sequence {
                text: given.text,
                notation: given.notation,
                place: "its moves".to_owned(),
            }))
        });
        let moves = match (given, &self) {
            (Some(sequence), _) => {
                sequence.and_then(|sequence| sequence.read(notation, Some(&entry.board)))
            }
            (None, Self::Lines { name, .. }) => {
                Err(format!("no moves for this board: {name} ends too early"))
            }
            (None, _) => Err("no moves for this board: give --moves or --moves-file".to_owned()),
        };
        match moves {
            Ok(moves) => Ok((entry, moves)),
            Err(reason) => Err(BadBoard::in_entry(origin, &entry, reason).into()),
        }
    }

    /// Tells if a file has more sequences than there were boards.
    pub(crate) fn remark_on_rest(mut self) {
        if let Self::Lines { name, .. } = &self {
            let name = name.clone();
            if self.next().is_some() {
                remark(format_args!(
                    "{name} has more lines of moves than there were boards"
                ));
            }
        }
    }
}
