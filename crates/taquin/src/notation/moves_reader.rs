//! Move sequences from a stream, one a line.

use std::io::BufRead;

use super::error::ReadError;
use super::lines::Lines;
use super::reader::line_error;

/// Streams move sequences, one a line, still unread: what they mean depends on the board they go
/// with.
///
/// A line that is not text or longer than 48 MB gives an error, and the next one follows, unless the
/// line seems to have no end.
pub struct MovesReader<R> {
    lines: Lines<R>,
    ended: bool,
}

/// A line of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovesLine {
    /// Counted from 1.
    pub number: u64,
    /// What it says.
    pub text: String,
}

impl<R: BufRead> MovesReader<R> {
    /// A reader of `input`.
    pub const fn new(input: R) -> Self {
        Self {
            lines: Lines::of_moves(input),
            ended: false,
        }
    }
}

impl<R: BufRead> Iterator for MovesReader<R> {
    type Item = Result<MovesLine, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let line = match self.lines.take() {
            Ok(line) => line?,
            Err(error) => {
                self.ended = true;
                return Some(Err(error.into()));
            }
        };
        Some(match line.fault {
            Some(fault) => Err(line_error(fault, line.number).into()),
            None => Ok(MovesLine {
                number: line.number,
                text: line.text,
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_sequence_and_a_bad_one_does_not_spoil_the_next() {
        let bytes = b"\xef\xbb\xbfRR\r\n\n\xff\nU";
        let lines: Vec<_> = MovesReader::new(&bytes[..]).collect();
        let texts: Vec<_> = lines
            .iter()
            .map(|l| l.as_ref().ok().map(|l| &*l.text))
            .collect();
        assert_eq!(texts, [Some("RR\r"), Some(""), None, Some("U")]);
    }
}
