//! Lines cut into tokens.

use crate::Tile;

/// The tokens of a line with their byte offsets.
///
/// White space and commas separate tokens, a slash is a token of its own, and `#` starts a comment
/// that lasts to the end of the line.
pub(super) fn tokens(line: &str) -> Tokens<'_> {
    Tokens { line, at: 0 }
}

#[derive(Clone)]
pub(super) struct Tokens<'a> {
    line: &'a str,
    at: usize,
}

const fn separates(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b','
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.line.as_bytes();
        while self.at < bytes.len() && separates(bytes[self.at]) {
            self.at += 1;
        }
        let start = self.at;
        match bytes.get(start)? {
            b'#' => {
                self.at = bytes.len();
                return None;
            }
            b'/' => self.at += 1,
            _ => {
                while self.at < bytes.len()
                    && !separates(bytes[self.at])
                    && !matches!(bytes[self.at], b'/' | b'#')
                {
                    self.at += 1;
                }
            }
        }
        // Tokens end at ASCII bytes, which are never inside a character.
        Some((start, &self.line[start..self.at]))
    }
}

/// What a token means as a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TileToken {
    Tile(Tile),
    /// A number beyond all boards.
    Huge,
    /// Not a tile at all.
    Other,
}

/// Reads a tile: a number, or one of the signs for the blank.
pub(super) fn tile(token: &str) -> TileToken {
    if is_blank_sign(token) {
        return TileToken::Tile(0);
    }
    let mut value: u32 = 0;
    for byte in token.bytes() {
        if !byte.is_ascii_digit() {
            return TileToken::Other;
        }
        value = (value * 10 + u32::from(byte - b'0')).min(1 << 20);
    }
    Tile::try_from(value).map_or(TileToken::Huge, TileToken::Tile)
}

/// The signs other than 0 that people write for the blank.
pub(super) fn is_blank_sign(token: &str) -> bool {
    matches!(token, "x" | "X" | "_" | "-" | ".")
}

/// The number on a line of its own that is too short to be a board: a size or a case count.
pub(super) fn lone_number(line: &str) -> Option<u64> {
    let mut tokens = tokens(line);
    let (_, token) = tokens.next()?;
    let is_number = token.len() <= 8 && token.bytes().all(|b| b.is_ascii_digit());
    (is_number && tokens.next().is_none()).then(|| token.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_slashes_and_comments() {
        let found: Vec<_> = tokens(" 1,2 /x# 3").collect();
        assert_eq!(found, [(1, "1"), (3, "2"), (5, "/"), (6, "x")]);
        assert_eq!(tokens("  # nothing").count(), 0);
    }

    #[test]
    fn tiles_are_numbers_or_blank_signs() {
        assert_eq!(tile("007"), TileToken::Tile(7));
        assert_eq!(tile("_"), TileToken::Tile(0));
        assert_eq!(tile("99999999999999999999"), TileToken::Huge);
        assert_eq!(tile("-5"), TileToken::Other);
        assert_eq!(tile("é"), TileToken::Other);
    }
}
