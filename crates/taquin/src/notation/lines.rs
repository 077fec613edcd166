//! Lines of a stream, with a look ahead and a bound on everything.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

/// The longest line that is kept: a 255×255 board with five digits and a separator a tile fits
/// twice over.
pub(super) const LONGEST_LINE: usize = 1 << 20;
/// The longest line of JSON or of moves: the letters of a solution of the largest board fit.
pub(super) const LONGEST_MOVES: usize = 48_000_000;
/// A line that is too long is passed over up to this many bytes from its beginning. One that is
/// longer still may have no end at all, so that nothing after it is read.
const LONGEST_SKIPPED: usize = 64_000_000;
/// The lines that are looked at ahead of time for one board: when they have more bytes than that,
/// the next one is not kept. The largest board needs a tenth of it.
const LONGEST_RECORD: usize = 4 << 20;

/// One line without its line break.
#[derive(Debug)]
pub(super) struct Line {
    /// Counted from 1.
    pub(super) number: u64,
    /// Empty where there is a fault.
    pub(super) text: String,
    pub(super) fault: Option<Fault>,
}

/// Why a line's text is not to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Longer than this many bytes.
    TooLong { most: usize },
    /// So long that nothing after it is read: its end was not found in this many bytes.
    Endless { most: usize },
    /// The first byte that is no text, and its column from 1.
    NotText { byte: u8, column: usize },
}

/// Reads lines one by one and keeps only those that were looked at ahead of time.
pub(super) struct Lines<R> {
    input: R,
    ahead: VecDeque<Line>,
    /// Buffers of consumed lines, to be filled again.
    spare: Vec<String>,
    /// The bytes of the lines that were looked at.
    held: usize,
    count: u64,
    ended: bool,
    /// The longest line that is kept whatever it begins with.
    longest: usize,
}

impl<R: BufRead> Lines<R> {
    pub(super) const fn new(input: R) -> Self {
        Self {
            input,
            ahead: VecDeque::new(),
            spare: Vec::new(),
            held: 0,
            count: 0,
            ended: false,
            longest: LONGEST_LINE,
        }
    }

    /// Lines that hold moves.
    pub(super) const fn of_moves(input: R) -> Self {
        let mut lines = Self::new(input);
        lines.longest = LONGEST_MOVES;
        lines
    }

    /// The line `ahead` lines from here, or `None` past the end.
    pub(super) fn peek(&mut self, ahead: usize) -> io::Result<Option<&Line>> {
        while self.ahead.len() <= ahead && !self.ended {
            match self.read_line()? {
                Some(mut line) => {
                    if self.held > LONGEST_RECORD {
                        line.text = String::new();
                        line.fault = Some(Fault::TooLong {
                            most: LONGEST_RECORD,
                        });
                    }
                    self.held += line.text.len();
                    self.ahead.push_back(line);
                }
                None => self.ended = true,
            }
        }
        Ok(self.ahead.get(ahead))
    }

    /// Goes on by `count` lines, all of which have been peeked at.
    pub(super) fn consume(&mut self, count: usize) {
        for line in self.ahead.drain(..count.min(self.ahead.len())) {
            self.held -= line.text.len();
            if self.spare.len() < 8 && line.text.capacity() <= LONGEST_LINE {
                self.spare.push(line.text);
            }
        }
    }

    /// The next line, handed over.
    pub(super) fn take(&mut self) -> io::Result<Option<Line>> {
        self.peek(0)?;
        let line = self.ahead.pop_front();
        self.held -= line.as_ref().map_or(0, |line| line.text.len());
        Ok(line)
    }

    /// Forgets a line that was peeked at and is of no interest.
    pub(super) fn forget(&mut self, ahead: usize) {
        let line = self.ahead.remove(ahead);
        self.held -= line.map_or(0, |line| line.text.len());
    }

    /// The number of the last line that was read, at least 1: where the input ends.
    pub(super) fn last_number(&self) -> u64 {
        self.count.max(1)
    }

    fn read_line(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = self.spare.pop().unwrap_or_default().into_bytes();
        bytes.clear();
        if self.read_up_to(self.longest, &mut bytes)? == 0 {
            return Ok(None);
        }
        // JSON may carry moves, of which there can be many.
        let is_cut = |bytes: &[u8]| bytes.last() != Some(&b'\n');
        if is_cut(&bytes) && bytes.first() == Some(&b'{') {
            self.read_up_to(LONGEST_MOVES, &mut bytes)?;
        }
        self.count += 1;
        let limit = match bytes.first() {
            Some(b'{') => LONGEST_MOVES,
            _ => self.longest,
        };
        let mut fault = None;
        if !is_cut(&bytes) {
            bytes.pop();
        } else if bytes.len() > limit {
            // What is not text need not be passed over: nothing after it is of interest.
            self.ended = begins_without_text(&bytes);
            if !self.ended {
                let long = bytes.len();
                bytes = Vec::new();
                fault = Some(self.pass_over(long, limit)?);
            }
        }
        // A byte order mark is not part of the first line.
        if self.count == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        let mut text = String::from_utf8(bytes).unwrap_or_else(|error| {
            let offset = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let before = String::from_utf8_lossy(&bytes[..offset]);
            let column = before.chars().count() + 1;
            let byte = bytes[offset];
            fault = Some(Fault::NotText { byte, column });
            String::new()
        });
        if let Some(offset) = text.find('\0') {
            let column = text[..offset].chars().count() + 1;
            fault = Some(Fault::NotText { byte: 0, column });
            text.clear();
        }
        Ok(Some(Line {
            number: self.count,
            text,
            fault,
        }))
    }

    /// Passes over the rest of a line of which so many bytes were read, if it has an end.
    fn pass_over(&mut self, read: usize, limit: usize) -> io::Result<Fault> {
        let room = LONGEST_SKIPPED.saturating_sub(read) as u64;
        let mut rest = (&mut self.input).take(room);
        let skipped = rest.skip_until(b'\n')? as u64;
        // Up to the line's end, or to that of the input.
        if skipped < room || self.input.fill_buf()?.is_empty() {
            return Ok(Fault::TooLong { most: limit });
        }
        self.ended = true;
        let most = LONGEST_SKIPPED;
        Ok(Fault::Endless { most })
    }

    /// Appends to `bytes` up to the end of the line, or until there is one byte more than `most`.
    fn read_up_to(&mut self, most: usize, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let room = (most + 1).saturating_sub(bytes.len()) as u64;
        (&mut self.input).take(room).read_until(b'\n', bytes)
    }
}

/// Whether the beginning of a line, which may end within a character, is no text.
fn begins_without_text(bytes: &[u8]) -> bool {
    let broken = |error: std::str::Utf8Error| error.error_len().is_some();
    bytes.contains(&0) || std::str::from_utf8(bytes).is_err_and(broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_and_consumed_in_order() {
        let mut lines = Lines::new("a\r\n\nb".as_bytes());
        assert_eq!(lines.peek(2).unwrap().unwrap().text, "b");
        assert!(lines.peek(3).unwrap().is_none());
        lines.consume(2);
        let line = lines.peek(0).unwrap().unwrap();
        assert_eq!((line.number, line.text.as_str()), (3, "b"));
    }

    #[test]
    fn an_endless_line_is_skipped_without_being_kept() {
        let long = io::repeat(b'1').take(LONGEST_LINE as u64 * 3);
        let mut lines = Lines::new(io::BufReader::new(long.chain("\n1 2\n".as_bytes())));
        let most = LONGEST_LINE;
        let fault = lines.peek(0).unwrap().unwrap().fault;
        assert_eq!(fault, Some(Fault::TooLong { most }));
        assert_eq!(lines.peek(1).unwrap().unwrap().text, "1 2");
    }

    #[test]
    fn a_line_without_end_ends_the_reading() {
        // More would be read if anything read on.
        for (byte, most) in [(b'1', LONGEST_LINE), (b'{', LONGEST_MOVES)] {
            let mut lines = Lines::new(io::BufReader::new(io::repeat(byte)));
            assert_eq!(lines.peek(0).unwrap().unwrap().text, "");
            let fault = lines.peek(0).unwrap().unwrap().fault;
            let most = most.max(LONGEST_SKIPPED);
            assert_eq!(fault, Some(Fault::Endless { most }));
            assert!(lines.peek(1).unwrap().is_none());
        }
        let mut lines = Lines::of_moves(io::BufReader::new(io::repeat(0)));
        let fault = lines.peek(0).unwrap().unwrap().fault;
        assert_eq!(fault, Some(Fault::NotText { byte: 0, column: 1 }));
        assert!(lines.peek(1).unwrap().is_none());
    }

    #[test]
    fn a_last_line_that_is_too_long_is_not_endless() {
        for len in [LONGEST_LINE + 1, LONGEST_LINE + 2, LONGEST_SKIPPED] {
            let long = io::repeat(b'1').take(len as u64);
            let mut lines = Lines::new(io::BufReader::new(long));
            let fault = lines.peek(0).unwrap().unwrap().fault;
            let most = LONGEST_LINE;
            assert_eq!(fault, Some(Fault::TooLong { most }), "{len}");
        }
    }

    #[test]
    fn what_is_looked_at_ahead_of_time_is_bounded() {
        let line = [&b" ".repeat(LONGEST_LINE - 4)[..], b"1 2\n"].concat();
        let input = line.repeat(12);
        let mut lines = Lines::new(&input[..]);
        assert!(lines.peek(11).unwrap().unwrap().fault.is_some());
        let held: usize = lines.ahead.iter().map(|line| line.text.capacity()).sum();
        assert!(held <= LONGEST_RECORD + 2 * LONGEST_LINE, "{held}");
        assert!(lines.peek(3).unwrap().unwrap().fault.is_none());
        // What is done with makes room.
        lines.consume(12);
        assert_eq!(lines.held, 0);
    }

    #[test]
    fn bytes_that_are_no_text_are_told_with_their_column() {
        for (bytes, byte, column) in [(&b"1 \xff"[..], 0xff, 3), (&b"\x7fELF\0"[..], 0, 5)] {
            let mut lines = Lines::new(bytes);
            let fault = lines.peek(0).unwrap().unwrap().fault;
            assert_eq!(fault, Some(Fault::NotText { byte, column }));
        }
    }
}
