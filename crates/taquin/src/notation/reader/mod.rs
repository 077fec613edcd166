//! Boards from a stream of text, whatever form they are in.
//!
//! The form of each record is found from its first lines, so that files of different forms can be
//! joined. Nothing is kept but the lines of the record at hand.

mod multi_line;

use std::io::{self, BufRead};
use std::str::FromStr;

use super::error::{
    ParseError, ParseErrorKind, ReadError, TextPlace, Token, column_at, expect_size,
};
use super::lines::{Fault, Lines};
use super::record::Draft;
use super::token::{lone_number, tokens};
use super::{BoardForm, MoveNotation, single_line};
use crate::{Board, Size};

/// How to read boards.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// The only form to accept; `None` finds the form of each board.
    pub form: Option<BoardForm>,
    /// The size of all boards: needed for flat lists that are not square, checked for the others.
    pub size: Option<Size>,
}

/// One board from a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardEntry {
    /// The board.
    pub board: Board,
    /// The line it starts on, from 1.
    pub line: u64,
    /// The form it is in: the one asked for, or the one that was found.
    pub form: BoardForm,
    /// Moves that came with it; only JSON has them.
    pub moves: Option<GivenMoves>,
}

/// Moves that came with a board, still unread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenMoves {
    /// The sequence.
    pub text: String,
    /// What its items stand for, if that was said.
    pub notation: Option<MoveNotation>,
}

/// Streams boards from any source of lines.
///
/// Yields the boards in their order; a record that is no board yields a
/// [`ParseError`] and the next one is read after it.
///
/// ```
/// use taquin::notation::{BoardReader, ReadOptions};
///
/// let text = "1 2 3/4 5 0\n# a comment\n283104765\n\n3\n 0 1 3\n 4 2 5\n 7 8 6\n";
/// let boards = BoardReader::new(text.as_bytes(), ReadOptions::default());
/// let sizes: Vec<String> = boards.map(|b| b.unwrap().board.size().to_string()).collect();
/// assert_eq!(sizes, ["2x3", "3x3", "3x3"]);
/// ```
pub struct BoardReader<R> {
    lines: Lines<R>,
    options: ReadOptions,
    draft: Draft,
    list: Option<CaseList>,
    /// Whether a comment came with the record at hand.
    has_comment: bool,
    ended: bool,
}

/// A list that began with the number of its boards.
struct CaseList {
    form: BoardForm,
    announced: u64,
    found: u64,
}

/// What reading one record gives, with the number of lines it took.
struct Taken {
    lines: usize,
    result: Result<Board, ParseError>,
    form: BoardForm,
}

impl<R: BufRead> BoardReader<R> {
    /// A reader of `input`.
    pub const fn new(input: R, options: ReadOptions) -> Self {
        Self {
            lines: Lines::new(input),
            options,
            draft: Draft::new(),
            list: None,
            has_comment: false,
            ended: false,
        }
    }

    /// The next board, or `None` at the end of the input.
    fn read(&mut self) -> Result<Option<BoardEntry>, ReadError> {
        loop {
            self.list.take_if(|list| list.found == list.announced);
            self.has_comment = false;
            if self.significant(0)?.is_none() {
                return self.end();
            }
            // A line that is the head of a case list gives no board by itself.
            if let Some(entry) = self.entry()? {
                return Ok(Some(entry));
            }
        }
    }

    /// The record at hand, or `None` if the line is the head of a case list.
    fn entry(&mut self) -> Result<Option<BoardEntry>, ReadError> {
        let line = self.lines.peek(0)?.expect("a significant line was found");
        let number = line.number;
        if let Some(fault) = line.fault {
            self.lines.consume(1);
            return Err(self.line_fault(fault, number).into());
        }

        #[cfg(feature = "json")]
        if self.options.form.is_none() && line.text.trim_start().starts_with('{') {
            let entry = super::json::parse(line, self.options, &mut self.draft);
            self.lines.consume(1);
            return Ok(Some(entry?));
        }

        let Some(taken) = self.record()? else {
            self.lines.consume(1);
            return Ok(None);
        };
        self.lines.consume(taken.lines);
        let mut form = taken.form;
        if let Some(list) = &mut self.list {
            list.found += 1;
            form = list.form;
        }
        Ok(Some(BoardEntry {
            board: taken.result?,
            line: number,
            form: self.options.form.unwrap_or(form),
            moves: None,
        }))
    }

    /// At the end of the input a case list must be complete.
    fn end(&mut self) -> Result<Option<BoardEntry>, ReadError> {
        self.ended = true;
        match self.list.take() {
            None => Ok(None),
            Some(list) => Err(ParseError::new(
                TextPlace {
                    line: self.lines.last_number(),
                    column: 1,
                },
                ParseErrorKind::Truncated {
                    announced: list.announced,
                    found: list.found,
                },
            )
            .into()),
        }
    }

    /// The record that starts on the line at hand, or `None` if that is the head of a case list.
    fn record(&mut self) -> io::Result<Option<Taken>> {
        if let Some(list) = &self.list {
            return match list.form {
                BoardForm::Uva10181 => self.case().map(Some),
                _ => self.line(None).map(Some),
            };
        }
        let number = self.text(0)?.and_then(lone_number);
        match self.options.form {
            Some(form) if form.is_case_list() => {
                let Some(announced) = number else {
                    self.ended = true;
                    return self.no_head("the number of boards on a line of its own");
                };
                self.begin_list(form, announced);
                Ok(None)
            }
            Some(BoardForm::Princeton | BoardForm::Npuzzle) => match number {
                Some(rows) => self.princeton(rows).map(Some),
                None => self.no_head("the number of rows on a line of its own"),
            },
            Some(BoardForm::Grid) => self.grid().map(Some),
            Some(form) => self.line(Some(form)).map(Some),
            None => match number {
                Some(number) if !self.is_digits_of_size()? => self.headed(number),
                _ => self.line_or_grid().map(Some),
            },
        }
    }

    /// An error about a line that should have been the head of a record.
    fn no_head(&mut self, expected: &'static str) -> io::Result<Option<Taken>> {
        let token = Token::new(self.text(0)?.unwrap_or_default().trim());
        self.refuse(ParseErrorKind::Unexpected { token, expected })
            .map(Some)
    }

    /// A lone number that is a whole board because its size was given: `1230` for 2x2.
    fn is_digits_of_size(&mut self) -> io::Result<bool> {
        let digits = self.text(0)?.unwrap_or_default().trim().len();
        Ok(self.options.size.is_some_and(|size| size.cells() == digits))
    }

    /// Decides what a number on a line of its own is the head of.
    fn headed(&mut self, number: u64) -> io::Result<Option<Taken>> {
        let Some(body) = self.significant(1)? else {
            return self.princeton(number).map(Some);
        };
        let width = self.width(body)?;
        if number == 4 && width == 4 {
            // Four boards of UVa 10181 begin like one of Princeton's: only a fifth row tells.
            if self.rows_of_four(body)? > 4 {
                self.begin_list(BoardForm::Uva10181, number);
                return Ok(None);
            }
            return self.princeton(number).map(Some);
        }
        // Only what can be a board is tried: a size that cannot is passed over at once.
        if width as u64 == number && Size::new(width, width).is_ok() {
            let board = self.princeton(number)?;
            if board.result.is_ok() {
                return Ok(Some(board));
            }
        }
        let line = self
            .lines
            .peek(body)?
            .expect("a significant line was found");
        let options = ReadOptions {
            form: None,
            ..self.options
        };
        let whole = single_line::parse(&line.text, line.number, options, &mut self.draft).is_ok();
        if whole && width != 4 {
            self.begin_list(BoardForm::Uva652, number);
            return Ok(None);
        }
        if width == 4 && number != 4 {
            self.begin_list(BoardForm::Uva10181, number);
            return Ok(None);
        }
        self.princeton(number).map(Some)
    }

    fn begin_list(&mut self, form: BoardForm, announced: u64) {
        self.list = Some(CaseList {
            form,
            announced,
            found: 0,
        });
    }

    /// A board on the line at hand.
    fn line(&mut self, form: Option<BoardForm>) -> io::Result<Taken> {
        let line = self.lines.peek(0)?.expect("there is a line at hand");
        let options = ReadOptions {
            form,
            ..self.options
        };
        let parsed = single_line::parse(&line.text, line.number, options, &mut self.draft);
        let form = parsed
            .as_ref()
            .map_or_else(|_| BoardForm::default(), |(_, form)| *form);
        Ok(Taken {
            lines: 1,
            result: parsed.map(|(board, _)| board),
            form,
        })
    }

    /// A board on the line at hand, or one whose first row that line is.
    fn line_or_grid(&mut self) -> io::Result<Taken> {
        let line = self.line(None)?;
        // Four tiles can be a 2x2 board or the first row of a 4x4 one. For longer lists the second
        // is so unlikely that it is not worth waiting for the next line.
        let may_be_row = line.result.is_ok() && self.width(0)? == 4 && self.width(1)? == 4;
        if line.result.is_ok() && !may_be_row {
            return Ok(line);
        }
        // Rows of one length up to an empty line can be a board; whether they are is seen from
        // the tiles. If they are not, the error is about the line, unless that was clearly a row:
        // not a permutation by itself, and of a length in which nobody writes flat lists.
        let is_list = self.draft.is_permutation();
        let width = self.width(0)?;
        let has_marks = self.text(0)?.is_some_and(|text| text.contains(['/', ':']));
        if width < 2 || has_marks || !self.is_paragraph(width)? {
            return Ok(line);
        }
        let is_row = !may_be_row && !is_list && (width == 4 || Size::square_of(width).is_none());
        let grid = self.grid()?;
        if grid.result.is_ok() || is_row {
            return Ok(grid);
        }
        self.line(None)
    }

    fn finish(&mut self, size: Size) -> Result<Board, ParseError> {
        let board = self.draft.finish(size)?;
        expect_size(&board, self.options.size)
            .map_err(|kind| ParseError::new(self.draft.start(), kind))?;
        Ok(board)
    }

    /// An error about the line at hand, which it takes.
    fn refuse(&mut self, kind: ParseErrorKind) -> io::Result<Taken> {
        let line = self.lines.peek(0)?.expect("there is a line at hand");
        let offset = line.text.len() - line.text.trim_start().len();
        let place = TextPlace {
            line: line.number,
            column: column_at(&line.text, offset),
        };
        Ok(Taken {
            lines: 1,
            result: Err(ParseError::new(place, kind)),
            form: BoardForm::default(),
        })
    }

    /// The error about a line that cannot be used. What is not text will not become text again, so
    /// that it ends the reading.
    fn line_fault(&mut self, fault: Fault, line: u64) -> ParseError {
        self.ended |= matches!(fault, Fault::NotText { .. });
        line_error(fault, line)
    }

    /// How far ahead the next line is that is not empty and no comment, from `from` on.
    fn significant(&mut self, from: usize) -> io::Result<Option<usize>> {
        let ahead = from;
        while let Some(line) = self.lines.peek(ahead)? {
            if line.fault.is_some() || tokens(&line.text).next().is_some() {
                return Ok(Some(ahead));
            }
            self.has_comment |= line.text.contains('#');
            // Nobody will ask for it again, and there may be any number of them.
            self.lines.forget(ahead);
        }
        Ok(None)
    }

    fn text(&mut self, ahead: usize) -> io::Result<Option<&str>> {
        Ok(self.lines.peek(ahead)?.map(|line| line.text.as_str()))
    }

    /// The number of tokens on a line.
    fn width(&mut self, ahead: usize) -> io::Result<usize> {
        Ok(tokens(self.text(ahead)?.unwrap_or_default()).count())
    }
}

/// The error about a line that cannot be used.
pub(super) fn line_error(fault: Fault, line: u64) -> ParseError {
    let (column, kind) = match fault {
        Fault::TooLong { most } => (1, ParseErrorKind::LongLine(most)),
        Fault::Endless { most } => (1, ParseErrorKind::EndlessLine(most)),
        Fault::NotText { byte, column } => (column, ParseErrorKind::NotText(byte)),
    };
    ParseError::new(TextPlace { line, column }, kind)
}

impl<R: BufRead> Iterator for BoardReader<R> {
    type Item = Result<BoardEntry, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let entry = self.read();
        if matches!(entry, Err(ReadError::Io(_))) {
            self.ended = true;
        }
        entry.transpose()
    }
}

/// Reads a text that holds one board and nothing else.
pub fn read_board(text: &str, options: ReadOptions) -> Result<Board, ParseError> {
    Ok(read_entry(text, options)?.board)
}

/// Reads a text that holds one board and nothing else, and tells the form it is in.
///
/// ```
/// use taquin::Goal;
/// use taquin::notation::{ReadOptions, read_entry};
///
/// let entry = read_entry("283104765", ReadOptions::default())?;
/// assert_eq!(entry.form.goal(), Goal::Snail);
/// # Ok::<(), taquin::notation::ParseError>(())
/// ```
pub fn read_entry(text: &str, options: ReadOptions) -> Result<BoardEntry, ParseError> {
    let at_end = || TextPlace {
        line: text.lines().count().max(1) as u64,
        column: 1,
    };
    let parse_error = |error| match error {
        ReadError::Parse(error) => error,
        // Reading from memory does not fail.
        ReadError::Io(_) => ParseError::new(at_end(), ParseErrorKind::Empty),
    };
    let mut reader = BoardReader::new(text.as_bytes(), options);
    let Some(first) = reader.next() else {
        return Err(ParseError::new(at_end(), ParseErrorKind::Empty));
    };
    let entry = first.map_err(parse_error)?;
    if let Some(next) = reader.significant(0).ok().flatten() {
        let line = reader.lines.peek(next).ok().flatten();
        if let Some(line) = line {
            let place = TextPlace {
                line: line.number,
                column: 1,
            };
            let kind = ParseErrorKind::TrailingText(Token::new(line.text.trim()));
            return Err(ParseError::new(place, kind));
        }
    }
    Ok(entry)
}

/// Reads a board in any form.
impl FromStr for Board {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        read_board(text, ReadOptions::default())
    }
}
