//! Lines of a stream, with a look ahead and a bound on everything.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

/// The longest line that is kept: a 255×255 board with five digits and a separator a tile fits
/// twice over.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// One line without its line break.
#[derive(Debug)]
pub(super) struct Line {
    /// Counted from 1.
    pub(super) number: u64,
    pub(super) text: String,
    pub(super) fault: Option<Fault>,
}

/// Why a line's text is not to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    TooLong,
    /// The first byte that is no text, and its offset.
    NotText {
        byte: u8,
        offset: usize,
    },
}

/// Reads lines one by one and keeps only those that were looked at ahead of time.
pub(super) struct Lines<R> {
    input: R,
    ahead: VecDeque<Line>,
    /// Buffers of consumed lines, to be filled again.
    spare: Vec<String>,
    count: u64,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) const fn new(input: R) -> Self {
        Self {
            input,
            ahead: VecDeque::new(),
            spare: Vec::new(),
            count: 0,
            ended: false,
        }
    }

    /// The line `ahead` lines from here, or `None` past the end.
    pub(super) fn peek(&mut self, ahead: usize) -> io::Result<Option<&Line>> {
        while self.ahead.len() <= ahead && !self.ended {
            match self.read_line()? {
                Some(line) => self.ahead.push_back(line),
                None => self.ended = true,
            }
        }
        Ok(self.ahead.get(ahead))
    }

    /// Goes on by `count` lines, all of which have been peeked at.
    pub(super) fn consume(&mut self, count: usize) {
        for line in self.ahead.drain(..count.min(self.ahead.len())) {
            if self.spare.len() < 8 {
                self.spare.push(line.text);
            }
        }
    }

    /// The number of the last line that was read, at least 1: where the input ends.
    pub(super) fn last_number(&self) -> u64 {
        self.count.max(1)
    }

    fn read_line(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = self.spare.pop().unwrap_or_default().into_bytes();
        bytes.clear();
        let limit = LONGEST_LINE as u64 + 1;
        let read = (&mut self.input)
            .take(limit)
            .read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Ok(None);
        }
        self.count += 1;
        let mut fault = None;
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        } else if bytes.len() > LONGEST_LINE {
            self.input.skip_until(b'\n')?;
            bytes.clear();
            fault = Some(Fault::TooLong);
        }
        // A byte order mark is not part of the first line.
        if self.count == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        if let Some(offset) = bytes.iter().position(|&b| b == 0) {
            fault = Some(Fault::NotText { byte: 0, offset });
        }
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            let offset = error.utf8_error().valid_up_to();
            let byte = error.as_bytes()[offset];
            fault = Some(Fault::NotText { byte, offset });
            let mut bytes = error.into_bytes();
            bytes.truncate(offset);
            String::from_utf8(bytes).unwrap_or_default()
        });
        Ok(Some(Line {
            number: self.count,
            text,
            fault,
        }))
    }
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
        assert_eq!(lines.peek(0).unwrap().unwrap().fault, Some(Fault::TooLong));
        assert_eq!(lines.peek(1).unwrap().unwrap().text, "1 2");
    }

    #[test]
    fn bytes_that_are_no_text_are_told_with_their_offset() {
        for (bytes, byte, offset) in [(&b"1 \xff"[..], 0xff, 2), (&b"\x7fELF\0"[..], 0, 4)] {
            let mut lines = Lines::new(bytes);
            let fault = lines.peek(0).unwrap().unwrap().fault;
            assert_eq!(fault, Some(Fault::NotText { byte, offset }));
        }
    }
}
