//! What can be wrong with a text, and where.

use std::fmt;
use std::io;

use thiserror::Error;

use super::{BoardForm, MoveNotation};
use crate::{Board, BoardError, IllegalMoveError, Size, SizeError};

/// A place in a text: line and column, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextPlace {
    /// The line.
    pub line: u64,
    /// The column, in characters.
    pub column: usize,
}

impl fmt::Display for TextPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Something that is not a board, a move sequence, a goal or a size, with its place.
///
/// `Display` gives place and reason in one line; [`kind`](Self::kind) gives the reason alone.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {kind}")]
pub struct ParseError {
    place: TextPlace,
    kind: Box<ParseErrorKind>,
}

impl ParseError {
    pub(super) fn new(place: TextPlace, kind: ParseErrorKind) -> Self {
        Self {
            place,
            kind: Box::new(kind),
        }
    }

    /// An error in a text of one line, given the byte offset of its place.
    pub(super) fn in_line(line: &str, offset: usize, kind: ParseErrorKind) -> Self {
        let column = column_at(line, offset);
        Self::new(TextPlace { line: 1, column }, kind)
    }

    /// Where it is.
    #[must_use]
    pub const fn place(&self) -> TextPlace {
        self.place
    }

    /// What it is.
    #[must_use]
    pub const fn kind(&self) -> &ParseErrorKind {
        &self.kind
    }
}

/// The column, in characters from 1, of a byte offset.
pub(super) fn column_at(line: &str, offset: usize) -> usize {
    line.char_indices().take_while(|&(i, _)| i < offset).count() + 1
}

/// The reasons why a text is refused. Tokens are quoted shortened and without control characters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// There is nothing to read.
    #[error("no board here: the input is empty, or nothing but comments")]
    Empty,
    /// More text after the end of what was asked for.
    #[error("expected the end of the board, found {0}")]
    TrailingText(Token),
    /// A token that cannot stand where it does.
    #[error("expected {expected}, found {token}")]
    Unexpected {
        /// What was read.
        token: Token,
        /// What could have stood there.
        expected: &'static str,
    },
    /// The text stops too early.
    #[error("expected {expected}, but the {end} ends here")]
    Ends {
        /// What could have stood there.
        expected: String,
        /// What ends: the line, the input.
        end: &'static str,
    },
    /// A flat list whose length is no square, without a size.
    #[error(
        "{0} tiles do not make a square board: give the size, or mark the rows with \"/\" as in \
         \"1 2 3/4 5 0\""
    )]
    NotSquare(usize),
    /// A row with more or fewer tiles than the rows before it.
    #[error("row {row} has {found} tiles where {expected} were expected")]
    RaggedRow {
        /// The row, from 1.
        row: usize,
        /// Its tiles.
        found: usize,
        /// The tiles of the rows before it.
        expected: usize,
    },
    /// Too few or too many rows or columns.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A board of another size than the one asked for.
    #[error("expected a {expected} board, found {found}")]
    WrongSize {
        /// The size asked for.
        expected: Size,
        /// The size of the board that was read.
        found: Size,
    },
    /// The tiles are no permutation.
    #[error("{error}{}", first_place(*.first))]
    Tiles {
        /// What is wrong.
        error: BoardError,
        /// For a repeated tile, where it stands first.
        first: Option<TextPlace>,
    },
    /// A tile number beyond all boards.
    #[error("tile {token} is too large: a {size} board has the tiles 0 to {}", size.cells() - 1)]
    HugeTile {
        /// What was read.
        token: Token,
        /// The size of the board.
        size: Size,
    },
    /// A case list with fewer boards than it announces.
    #[error("the list announces {announced} boards but ends after {found}")]
    Truncated {
        /// The number on the list's first line.
        announced: u64,
        /// The boards that are there.
        found: u64,
    },
    /// A line that is longer than any board.
    #[error("the line is longer than {0} bytes, the most that is read")]
    LongLine(usize),
    /// A line that has no end, as far as it was read.
    #[error("the line does not end within {0} bytes; nothing after that is read")]
    EndlessLine(usize),
    /// Bytes that are no UTF-8 text.
    #[error("this is not text (byte 0x{0:02x}); expected boards as in \"1 2 3/4 5 6/7 8 0\"")]
    NotText(u8),
    /// JSON that holds no board.
    #[error("{0}")]
    Json(String),
    /// A repeat count that no board allows.
    #[error("{0}: a move is repeated 1 to 254 times; more than that no board allows")]
    Repeat(Token),
    /// A move that has no tile to move.
    #[error("move {} ({token}): {illegal}", illegal.index + 1)]
    Illegal {
        /// What was read.
        token: Token,
        /// What is wrong with it.
        illegal: IllegalMoveError,
    },
    /// A tile or a position that is not next to the blank.
    #[error(
        "move {number}: {what} {token} is not next to the blank, which is at row {row}, column {column}"
    )]
    NotAdjacent {
        /// The move, from 1.
        number: usize,
        /// "tile" or "position".
        what: &'static str,
        /// What was read.
        token: Token,
        /// The blank's row, from 1.
        row: usize,
        /// The blank's column, from 1.
        column: usize,
    },
    /// A sequence that is legal only when its letters are taken for the other convention's.
    #[error(
        "move {} ({token}): {illegal}; read as directions of the {other} the whole sequence is \
         legal, so it seems to be in the {other} convention: say so, or reverse the letters",
        illegal.index + 1, other = convention(*.legal_as)
    )]
    OtherConvention {
        /// What was read.
        token: Token,
        /// What is wrong with it as given.
        illegal: IllegalMoveError,
        /// The convention under which all of it is legal.
        legal_as: MoveNotation,
    },
    /// A notation that only makes sense on a board.
    #[error("{0} can only be read or written together with the board they start from")]
    NeedsBoard(&'static str),
    /// A form that the board read is not in.
    #[error("expected a board in the form \"{}\", found {token}", form.name())]
    WrongForm {
        /// The form asked for.
        form: BoardForm,
        /// What was read.
        token: Token,
    },
}

fn first_place(first: Option<TextPlace>) -> String {
    first.map_or_else(String::new, |place| {
        format!(" (it stands first at {place})")
    })
}

fn convention(notation: MoveNotation) -> &'static str {
    match notation {
        MoveNotation::Blank => "blank",
        _ => "tile",
    }
}

/// A piece of text as messages quote it: short, in quotation marks, control characters escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    const LONGEST: usize = 24;

    pub(super) fn new(text: &str) -> Self {
        let mut quoted = String::from('"');
        let mut rest = text.chars();
        for c in rest.by_ref().take(Self::LONGEST) {
            if c.is_control() {
                quoted.extend(c.escape_default());
            } else {
                quoted.push(c);
            }
        }
        if rest.next().is_some() {
            quoted.push('…');
        }
        quoted.push('"');
        Self(quoted)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a [`BoardReader`](super::BoardReader) yields no board.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The source could not be read; nothing follows.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// This record is no board; the reader goes on with the next one.
    #[error(transparent)]
    Parse(#[from] ParseError),
}

/// Checks a board against the size that was asked for.
pub(super) fn expect_size(board: &Board, size: Option<Size>) -> Result<(), ParseErrorKind> {
    match size {
        Some(expected) if expected != board.size() => Err(ParseErrorKind::WrongSize {
            expected,
            found: board.size(),
        }),
        _ => Ok(()),
    }
}
