//! Boards that stand on one line: rows with slashes, flat lists, digits, hexadecimal, game IDs.

use super::error::{ParseError, ParseErrorKind, TextPlace, Token, expect_size};
use super::record::Draft;
use super::token::{is_blank_sign, tokens};
use super::{BoardForm, ReadOptions};
use crate::{Board, Size, Tile};

const TILE: &str = "a tile number or a sign for the blank";

/// Reads the board on a line, in the form that was asked for or the one it looks like, and tells
/// which.
pub(super) fn parse(
    text: &str,
    number: u64,
    options: ReadOptions,
    draft: &mut Draft,
) -> Result<(Board, BoardForm), ParseError> {
    draft.clear();
    let at = |offset| TextPlace {
        line: number,
        column: offset + 1,
    };
    let mut words = tokens(text);
    let Some((offset, first)) = words.next() else {
        return Err(ParseError::new(at(0), ParseErrorKind::Empty));
    };
    let alone = words.next().is_none();

    let form = options
        .form
        .unwrap_or_else(|| guess(text, first, alone, options.size));
    let board = match form {
        BoardForm::GameId => game_id(text, number, draft)?,
        BoardForm::Hex | BoardForm::P1379 if !alone => {
            let token = Token::new(text.trim());
            let kind = ParseErrorKind::WrongForm { form, token };
            return Err(ParseError::new(at(offset), kind));
        }
        BoardForm::Hex => digits(first, 16, number, offset, options.size, draft)?,
        BoardForm::P1379 => digits(first, 10, number, offset, options.size, draft)?,
        BoardForm::Rows => rows(text, number, draft)?,
        _ => flat(text, number, options.size, draft)?,
    };
    expect_size(&board, options.size).map_err(|kind| ParseError::new(at(offset), kind))?;
    Ok((board, form))
}

/// The form that a line looks like.
fn guess(text: &str, first: &str, alone: bool, size: Option<Size>) -> BoardForm {
    if first.contains(':') {
        return BoardForm::GameId;
    }
    if alone {
        let digits_of_size = size.is_some_and(|s| s.cells() == first.len() && s.cells() <= 10);
        let all_digits = first.bytes().all(|b| b.is_ascii_digit() || is_x(b));
        if all_digits && (first.len() == 9 || digits_of_size) {
            return BoardForm::P1379;
        }
        let all_hexadecimal = first.bytes().all(|b| b.is_ascii_hexdigit());
        if has_hex_prefix(first) || (first.len() == 16 && all_hexadecimal) {
            return BoardForm::Hex;
        }
    }
    // A slash behind a comment sign does not count; the tokens know.
    if text.contains('/') && tokens(text).any(|(_, token)| token == "/") {
        return BoardForm::Rows;
    }
    BoardForm::Flat
}

fn is_x(byte: u8) -> bool {
    byte.eq_ignore_ascii_case(&b'x')
}

fn has_hex_prefix(token: &str) -> bool {
    token.starts_with("0x") || token.starts_with("0X")
}

/// `1 2 3/4 5 6/7 8 0`
fn rows(text: &str, number: u64, draft: &mut Draft) -> Result<Board, ParseError> {
    let mut width = None;
    let mut row = 0;
    let mut row_start = 0;
    let mut close = |row: usize, found: usize, offset: usize| {
        let fault = if found == 0 {
            ParseErrorKind::Ends {
                expected: format!("the tiles of row {}", row + 1),
                end: "row",
            }
        } else {
            match *width.get_or_insert(found) {
                expected if expected == found => return Ok(found),
                expected => ParseErrorKind::RaggedRow {
                    row: row + 1,
                    found,
                    expected,
                },
            }
        };
        let column = offset + 1;
        let place = TextPlace {
            line: number,
            column,
        };
        Err(ParseError::new(place, fault))
    };
    let mut end = 0;
    for (offset, token) in tokens(text) {
        end = offset + token.len();
        if token == "/" {
            close(row, draft.len() - row_start, offset)?;
            row += 1;
            row_start = draft.len();
        } else {
            draft.push(token, number, offset, "a tile, or \"/\" and the next row")?;
        }
    }
    let columns = close(row, draft.len() - row_start, end)?;
    let size = Size::new(row + 1, columns)
        .map_err(|error| ParseError::new(draft.start(), error.into()))?;
    draft.finish(size)
}

/// `14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3`
fn flat(
    text: &str,
    number: u64,
    size: Option<Size>,
    draft: &mut Draft,
) -> Result<Board, ParseError> {
    for (offset, token) in tokens(text) {
        draft.push(token, number, offset, TILE)?;
    }
    let size = match size {
        Some(size) => size,
        None => square(draft.len()).map_err(|kind| ParseError::new(draft.start(), kind))?,
    };
    draft.finish(size)
}

fn square(cells: usize) -> Result<Size, ParseErrorKind> {
    Size::square_of(cells).ok_or(ParseErrorKind::NotSquare(cells))
}

/// `283104765` or `0xfe169b4c0a73d852`: one digit of the radix a tile.
fn digits(
    word: &str,
    radix: u32,
    number: u64,
    offset: usize,
    size: Option<Size>,
    draft: &mut Draft,
) -> Result<Board, ParseError> {
    let skipped = if radix == 16 && has_hex_prefix(word) {
        2
    } else {
        0
    };
    let start = TextPlace {
        line: number,
        column: offset + 1,
    };
    for (i, c) in word.char_indices().skip(skipped) {
        let mut buffer = [0; 4];
        let sign = c.encode_utf8(&mut buffer);
        let tile = match c.to_digit(radix) {
            Some(digit) => digit as Tile,
            None if is_blank_sign(sign) => 0,
            None => {
                let place = TextPlace {
                    column: start.column + i,
                    ..start
                };
                let expected = match radix {
                    16 => "a hexadecimal digit",
                    _ => "a digit",
                };
                let token = Token::new(sign);
                let kind = ParseErrorKind::Unexpected { token, expected };
                return Err(ParseError::new(place, kind));
            }
        };
        draft.push_digit(tile, number, offset + i);
    }
    let size = match size {
        Some(size) => size,
        None => square(draft.len()).map_err(|kind| ParseError::new(start, kind))?,
    };
    draft.finish(size)
}

/// `4x4:1,2,3,…,0`: width, height, then the tiles.
fn game_id(text: &str, number: u64, draft: &mut Draft) -> Result<Board, ParseError> {
    let fault = |offset: usize, kind| {
        let place = TextPlace {
            line: number,
            column: offset + 1,
        };
        ParseError::new(place, kind)
    };
    let start = text.len() - text.trim_start().len();
    let unexpected = || ParseErrorKind::Unexpected {
        token: Token::new(text.trim()),
        expected: "a game ID as in \"4x4:1,2,3,…\": width x height, a colon, the tiles",
    };
    let Some((dimensions, tiles)) = text.split_once(':') else {
        return Err(fault(start, unexpected()));
    };
    let numbers = dimensions.trim().split_once(['x', 'X']);
    let Some((Ok(width), Ok(height))) =
        numbers.map(|(w, h)| (w.parse::<usize>(), h.parse::<usize>()))
    else {
        return Err(fault(start, unexpected()));
    };
    let size = Size::new(height, width).map_err(|error| fault(start, error.into()))?;
    let skipped = dimensions.len() + 1;
    for (offset, token) in tokens(tiles) {
        draft.push(token, number, skipped + offset, TILE)?;
    }
    draft.finish(size)
}
