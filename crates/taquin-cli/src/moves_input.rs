//! Where move sequences come from: an option, a file, or the boards' own records.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use taquin::Moves;
use taquin::notation::{Entry, MoveNotation, ParseError, ParseErrorKind, read_moves};

use crate::input::{BadBoard, Fault, Origin};
use crate::names;

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

    /// The source that was asked for.
    pub(crate) fn open(&self) -> Result<MoveSource> {
        Ok(match (&self.moves, &self.moves_file) {
            (Some(text), _) => MoveSource::Option(text.clone()),
            (None, Some(path)) if path == Path::new("-") => {
                MoveSource::lines(Box::new(io::stdin().lock()), "standard input".to_owned())
            }
            (None, Some(path)) => {
                let name = path.display().to_string();
                let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
                MoveSource::lines(Box::new(BufReader::new(file)), name)
            }
            (None, None) => MoveSource::Records,
        })
    }
}

/// Where the moves of each board come from.
pub(crate) enum MoveSource {
    /// The same for every board.
    Option(String),
    /// A line for each board.
    Lines {
        input: Box<dyn BufRead>,
        name: String,
        number: u64,
    },
    /// The record that the board came in.
    Records,
}

/// A sequence as it was written, and where.
pub(crate) struct Sequence {
    pub(crate) text: String,
    notation: Option<MoveNotation>,
    /// What errors call the place; they add the column.
    place: String,
}

impl Sequence {
    /// An error in this sequence, with its place.
    pub(crate) fn describe(&self, error: &ParseError) -> String {
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
    const fn lines(input: Box<dyn BufRead>, name: String) -> Self {
        Self::Lines {
            input,
            name,
            number: 0,
        }
    }

    /// Whether there is one sequence only, however often it is asked for.
    pub(crate) const fn is_single(&self) -> bool {
        matches!(self, Self::Option(_))
    }

    /// The next sequence; `None` at the end of a file, or if only records have moves.
    pub(crate) fn next_text(&mut self) -> Result<Option<Sequence>> {
        match self {
            Self::Option(text) => Ok(Some(Sequence {
                text: text.clone(),
                notation: None,
                place: "moves".to_owned(),
            })),
            Self::Lines {
                input,
                name,
                number,
            } => {
                let mut line = String::new();
                let read = input.read_line(&mut line);
                if read.with_context(|| format!("cannot read {name}"))? == 0 {
                    return Ok(None);
                }
                *number += 1;
                Ok(Some(Sequence {
                    text: line,
                    notation: None,
                    place: format!("{name}, line {number}"),
                }))
            }
            Self::Records => Ok(None),
        }
    }

    /// The moves for a board, read and checked on it.
    pub(crate) fn for_entry(
        &mut self,
        origin: &Origin,
        entry: &Entry,
        notation: Option<MoveNotation>,
    ) -> Result<Moves, Fault> {
        let given = self.next_text()?.or_else(|| {
            let given = entry.moves.clone()?;
            Some(Sequence {
                text: given.text,
                notation: Some(given.notation),
                place: "its moves".to_owned(),
            })
        });
        let Some(sequence) = given else {
            let reason = match self {
                Self::Lines { name, number, .. } => {
                    format!("no moves for this board: {name} ends after line {number}")
                }
                _ => "no moves for this board: give --moves or --moves-file".to_owned(),
            };
            return Err(BadBoard::in_entry(origin, entry, reason).into());
        };
        let notation = notation.or(sequence.notation);
        read_moves(&sequence.text, notation, Some(&entry.board))
            .map_err(|error| BadBoard::in_entry(origin, entry, sequence.describe(&error)).into())
    }
}
