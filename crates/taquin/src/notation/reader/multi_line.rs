//! Boards that take several lines: grids, Princeton's form, the cases of UVa 10181.

use std::io::{self, BufRead};

use super::{BoardReader, Taken};
use crate::notation::BoardForm;
use crate::notation::error::{ParseError, ParseErrorKind, TextPlace};
use crate::notation::record::Draft;
use crate::notation::token::tokens;
use crate::{Board, Size};

impl<R: BufRead> BoardReader<R> {
    /// Whether the lines from here on, up to an empty one, are 2 to 255 rows of one length.
    pub(super) fn is_paragraph(&mut self, width: usize) -> io::Result<bool> {
        // No look ahead at lines that are too long to be rows.
        if width > Size::MAX {
            return Ok(false);
        }
        let mut rows = 0;
        while let Some(text) = self.text(rows)? {
            match tokens(text).count() {
                0 => break,
                // JSON is no row, and may be long: no more of it is looked at ahead of time.
                found if found != width || rows == Size::MAX || text.starts_with('{') => {
                    return Ok(false);
                }
                _ => rows += 1,
            }
        }
        Ok(rows >= Size::MIN)
    }

    /// A board of one row a line, up to an empty line.
    pub(super) fn grid(&mut self) -> io::Result<Taken> {
        self.draft.clear();
        let mut columns = None;
        let mut rows = 0;
        let mut fault = None;
        // After a fault the rest of the paragraph is passed over.
        while let Some(line) = self.lines.peek(rows)? {
            if tokens(&line.text).next().is_none() {
                break;
            }
            if rows == Size::MAX {
                // More rows than any board has, and there may be any number of them. The caller has
                // no other use for the lines then: it was told that this is a grid.
                if fault.is_none() {
                    let error = Size::new(rows + 1, columns.unwrap_or_default()).err();
                    fault = error.map(|e| ParseError::new(self.draft.start(), e.into()));
                }
                self.lines.consume(1);
                continue;
            }
            if fault.is_none() {
                let expected = *columns.get_or_insert_with(|| tokens(&line.text).count());
                fault =
                    push_row(&mut self.draft, line.number, &line.text, rows + 1, expected).err();
            }
            rows += 1;
        }
        let result = match fault {
            Some(fault) => Err(fault),
            None => Size::new(rows, columns.unwrap_or_default())
                .map_err(|error| ParseError::new(self.draft.start(), error.into()))
                .and_then(|size| self.finish(size)),
        };
        Ok(Taken {
            lines: rows,
            result,
            form: BoardForm::Grid,
        })
    }

    /// The number of rows, then as many rows of as many tiles.
    pub(super) fn princeton(&mut self, rows: u64) -> io::Result<Taken> {
        let rows = usize::try_from(rows).unwrap_or(usize::MAX);
        self.has_comment |= self.text(0)?.is_some_and(|text| text.contains('#'));
        match Size::new(rows, rows) {
            Ok(size) => self.rows(size, 1),
            Err(error) => {
                let refused = self.refuse(error.into())?;
                self.lines.consume(1);
                // Its rows are passed over one by one, however many they are.
                for _ in 0..rows {
                    if self.width(0)? < 2 {
                        break;
                    }
                    self.lines.consume(1);
                }
                Ok(Taken {
                    lines: 0,
                    ..refused
                })
            }
        }
    }

    /// Four rows of four tiles.
    pub(super) fn case(&mut self) -> io::Result<Taken> {
        let size = Size::new(4, 4).expect("4x4 is a size");
        self.rows(size, 0)
    }

    /// As many rows as the size has, starting `from` lines ahead.
    fn rows(&mut self, size: Size, from: usize) -> io::Result<Taken> {
        self.draft.clear();
        let mut at = from;
        for row in 1..=size.rows() {
            let next = self.significant(at)?;
            let Some((next, line)) = next.zip(self.lines.peek(next.unwrap_or(at))?) else {
                let place = TextPlace {
                    line: self.lines.last_number(),
                    column: 1,
                };
                let kind = ParseErrorKind::Ends {
                    expected: format!("row {row} of {}", size.rows()),
                    end: "input",
                };
                let result = Err(ParseError::new(place, kind));
                return Ok(self.taken(at, result));
            };
            let (fault, number) = (line.fault, line.number);
            self.has_comment |= line.text.contains('#');
            let pushed = match fault {
                Some(fault) => Err(self.line_fault(fault, number)),
                None => push_row(
                    &mut self.draft,
                    line.number,
                    &line.text,
                    row,
                    size.columns(),
                ),
            };
            if let Err(fault) = pushed {
                // The rest of this board is passed over, but not the head of the next one.
                let lines = self.pass_over(next, size.rows() + 1 - row)?;
                // At least one, so that the reading ends.
                return Ok(self.taken(lines.max(1), Err(fault)));
            }
            at = next + 1;
        }
        let result = self.finish(size);
        Ok(self.taken(at, result))
    }

    /// A board under the number of its rows. Comments are the mark of the 42 school's project.
    fn taken(&self, lines: usize, result: Result<Board, ParseError>) -> Taken {
        let form = if self.has_comment {
            BoardForm::Npuzzle
        } else {
            BoardForm::Princeton
        };
        Taken {
            lines,
            result,
            form,
        }
    }

    /// Skips up to `rows` lines that look like rows, from `at` on; gives where that ends.
    fn pass_over(&mut self, at: usize, rows: usize) -> io::Result<usize> {
        let mut end = at;
        while end - at < rows.min(Size::MAX) {
            match self.text(end)? {
                Some(text) if tokens(text).count() >= 2 => end += 1,
                _ => break,
            }
        }
        Ok(end)
    }

    /// How many rows of four tiles follow each other from a line on, up to five.
    pub(super) fn rows_of_four(&mut self, from: usize) -> io::Result<usize> {
        let mut at = from;
        for rows in 0..5 {
            match self.significant(at)? {
                Some(line) if self.width(line)? == 4 => at = line + 1,
                _ => return Ok(rows),
            }
        }
        Ok(5)
    }
}

/// Adds a row of the expected length.
fn push_row(
    draft: &mut Draft,
    number: u64,
    text: &str,
    row: usize,
    expected: usize,
) -> Result<(), ParseError> {
    let found = draft.push_row(text, number)?;
    if found == expected {
        return Ok(());
    }
    let place = TextPlace {
        line: number,
        column: text.len() - text.trim_start().len() + 1,
    };
    let kind = ParseErrorKind::RaggedRow {
        row,
        found,
        expected,
    };
    Err(ParseError::new(place, kind))
}
