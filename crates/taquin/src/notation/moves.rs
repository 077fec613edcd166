//! Move sequences as text.

use std::fmt::{self, Write};
use std::str::FromStr;

use super::error::{ParseError, ParseErrorKind, TextPlace, Token, column_at};
use super::token::tokens;
use crate::named::named;
use crate::{Board, IllegalMoveError, Move, Moves, Size, Slide};

/// What the items of a move sequence stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MoveNotation {
    /// Directions in which the tiles move (speed-solving tools): our own default.
    #[default]
    Tile,
    /// Directions in which the blank moves (research code and judges).
    Blank,
    /// The numbers of the tiles that slide.
    Numbers,
    /// The cells that the blank goes to, counted from 0 in reading order.
    Positions,
}

/// How directions are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MoveStyle {
    /// `RRRD`
    #[default]
    Letters,
    /// `rrrd`
    Lower,
    /// `R3 D`
    Compact,
    /// `→→→↓`
    Arrows,
    /// `>>>v`
    Ascii,
}

named! {
    MoveNotation: "a notation";
    Tile => "tile", "directions in which the tiles move";
    Blank => "blank", "directions in which the blank moves";
    Numbers => "numbers", "the numbers of the tiles that slide";
    Positions => "positions", "the cells the blank goes to, from 0 in reading order";
}

named! {
    MoveStyle: "a style";
    Letters => "letters", "RRRD";
    Lower => "lower", "rrrd";
    Compact => "compact", "R3 D";
    Arrows => "arrows", "→→→↓";
    Ascii => "ascii", ">>>v";
}

impl MoveNotation {
    /// Whether the notation names directions, so that it can do without a board.
    #[must_use]
    pub const fn is_directions(self) -> bool {
        matches!(self, Self::Tile | Self::Blank)
    }

    /// Appends moves that start from a board.
    pub fn write(
        self,
        board: &Board,
        moves: &Moves,
        style: MoveStyle,
        out: &mut String,
    ) -> Result<(), IllegalMoveError> {
        if self.is_directions() {
            self.write_letters(moves, style, out);
            return Ok(());
        }
        let mut board = board.clone();
        for (index, &m) in moves.iter().enumerate() {
            let tile = board
                .slide(m)
                .map_err(|illegal| IllegalMoveError { index, ..illegal })?;
            let number = match self {
                Self::Numbers => usize::from(tile),
                _ => board.blank(),
            };
            let separator = if index > 0 { " " } else { "" };
            write!(out, "{separator}{number}").expect("strings take all");
        }
        Ok(())
    }

    /// Appends directions: the blank's in the blank notation, else the tiles'.
    pub fn write_letters(self, moves: &Moves, style: MoveStyle, out: &mut String) {
        for run in moves.chunk_by(|a, b| a == b) {
            let m = match self {
                Self::Blank => run[0].opposite(),
                _ => run[0],
            };
            let sign = style.sign(m);
            if style == MoveStyle::Compact {
                if !out.is_empty() {
                    out.push(' ');
                }
                out.push(sign);
                if run.len() > 1 {
                    write!(out, "{}", run.len()).expect("strings take all");
                }
            } else {
                out.extend(std::iter::repeat_n(sign, run.len()));
            }
        }
    }
}

impl MoveStyle {
    const fn sign(self, m: Move) -> char {
        let signs = match self {
            Self::Letters | Self::Compact => ['U', 'D', 'L', 'R'],
            Self::Lower => ['u', 'd', 'l', 'r'],
            Self::Arrows => ['↑', '↓', '←', '→'],
            Self::Ascii => ['^', 'v', '<', '>'],
        };
        signs[m as usize]
    }
}

/// Reads a move sequence.
///
/// * `notation`: what the items stand for; `None` takes numbers for tiles and everything else for
///   the tiles' directions.
/// * `board`: where the sequence starts. With it every move is checked, and a sequence that is
///   legal only under the other convention is refused with an error that says so. Numbers and
///   positions cannot be read without it.
///
/// ```
/// use taquin::notation::{MoveNotation, read_moves};
///
/// let board = "1 2 3/4 5 6/0 7 8".parse()?;
/// let tiles = read_moves("L2", None, Some(&board))?;
/// assert_eq!(tiles, read_moves("rr", Some(MoveNotation::Blank), Some(&board))?);
/// assert_eq!(tiles, read_moves("7 8", None, Some(&board))?);
/// assert!(read_moves("RR", None, Some(&board)).is_err());
/// # Ok::<(), taquin::notation::ParseError>(())
/// ```
pub fn read_moves(
    text: &str,
    notation: Option<MoveNotation>,
    board: Option<&Board>,
) -> Result<Moves, ParseError> {
    let notation = notation.unwrap_or_else(|| guess(text));
    match (notation, board) {
        (MoveNotation::Tile | MoveNotation::Blank, _) => {
            let moves = read_directions(text, notation)?;
            if let Some(board) = board {
                check(text, notation, &moves, board)?;
            }
            Ok(moves)
        }
        (_, Some(board)) => read_steps(text, notation, board),
        (_, None) => {
            let what = match notation {
                MoveNotation::Numbers => "tile numbers",
                _ => "positions of the blank",
            };
            let kind = ParseErrorKind::NeedsBoard(what);
            Err(ParseError::new(TextPlace { line: 1, column: 1 }, kind))
        }
    }
}

fn guess(text: &str) -> MoveNotation {
    match text.trim_start().bytes().next() {
        Some(b'0'..=b'9') => MoveNotation::Numbers,
        _ => MoveNotation::Tile,
    }
}

/// The place of a byte offset in a text of several lines.
fn place_at(text: &str, offset: usize) -> TextPlace {
    let before = &text.as_bytes()[..offset];
    let line_start = before
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |i| i + 1);
    TextPlace {
        line: text[..line_start].lines().count() as u64 + 1,
        column: column_at(&text[line_start..], offset - line_start),
    }
}

/// One direction with its repeat count, and where it stands.
struct Direction<'a> {
    offset: usize,
    token: &'a str,
    sign: Move,
    repeat: usize,
}

/// The directions of a text, as written.
fn directions(text: &str) -> impl Iterator<Item = Result<Direction<'_>, ParseError>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let separates = |c: char| c.is_whitespace() || c == ',';
        let mut rest = text[at..].trim_start_matches(separates);
        while rest.starts_with('#') {
            // A comment lasts to the end of its line.
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
            rest = rest.trim_start_matches(separates);
        }
        let offset = text.len() - rest.len();
        let first = rest.chars().next()?;
        let Some(sign) = direction(first) else {
            at = text.len();
            let word = rest.split(separates).next().unwrap_or(rest);
            let kind = ParseErrorKind::Unexpected {
                token: Token::new(word),
                expected: "a move: U, D, L, R or an arrow",
            };
            return Some(Err(ParseError::new(place_at(text, offset), kind)));
        };
        let after = &rest[first.len_utf8()..];
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let token = &rest[..first.len_utf8() + digits];
        at = offset + token.len();
        // No line of tiles is longer than one less than the longest row.
        let repeat = match &after[..digits] {
            "" => Some(1),
            number => number.parse().ok().filter(|n| (1..Size::MAX).contains(n)),
        };
        let Some(repeat) = repeat else {
            at = text.len();
            let kind = ParseErrorKind::Repeat(Token::new(token));
            return Some(Err(ParseError::new(place_at(text, offset), kind)));
        };
        Some(Ok(Direction {
            offset,
            token,
            sign,
            repeat,
        }))
    })
}

fn direction(sign: char) -> Option<Move> {
    Some(match sign {
        'U' | 'u' | '↑' | '^' => Move::Up,
        'D' | 'd' | '↓' | 'v' | 'V' => Move::Down,
        'L' | 'l' | '←' | '<' => Move::Left,
        'R' | 'r' | '→' | '>' => Move::Right,
        _ => return None,
    })
}

fn read_directions(text: &str, notation: MoveNotation) -> Result<Moves, ParseError> {
    let mut moves = Moves::new();
    for direction in directions(text) {
        let direction = direction?;
        let m = match notation {
            MoveNotation::Blank => direction.sign.opposite(),
            _ => direction.sign,
        };
        moves.extend(std::iter::repeat_n(m, direction.repeat));
    }
    Ok(moves)
}

/// Makes the moves on a copy of the board; an illegal one is reported where it is written.
fn check(
    text: &str,
    notation: MoveNotation,
    moves: &Moves,
    board: &Board,
) -> Result<(), ParseError> {
    let Err(illegal) = board.after(moves) else {
        return Ok(());
    };
    let mut seen = 0;
    let written = directions(text).flatten().find(|direction| {
        seen += direction.repeat;
        seen > illegal.index
    });
    let (offset, token) = written.map_or((0, ""), |d| (d.offset, d.token));
    let token = Token::new(token);
    let kind = if board.after(&moves.mirrored()).is_ok() {
        ParseErrorKind::OtherConvention {
            token,
            illegal,
            legal_as: match notation {
                MoveNotation::Blank => MoveNotation::Tile,
                _ => MoveNotation::Blank,
            },
        }
    } else {
        ParseErrorKind::Illegal { token, illegal }
    };
    Err(ParseError::new(place_at(text, offset), kind))
}

/// Reads tile numbers or positions of the blank. Positions may begin with the one it has.
fn read_steps(text: &str, notation: MoveNotation, start: &Board) -> Result<Moves, ParseError> {
    let mut board = start.clone();
    let mut moves = Moves::new();
    let (what, expected) = match notation {
        MoveNotation::Numbers => ("tile", "the number of a tile next to the blank"),
        _ => ("position", "a cell next to the blank, counted from 0"),
    };
    for (number, line) in (1..).zip(text.lines()) {
        for (index, (offset, token)) in tokens(line).enumerate() {
            let fault = |kind| {
                let column = column_at(line, offset);
                let line = number;
                ParseError::new(TextPlace { line, column }, kind)
            };
            let Ok(step) = token.parse::<usize>() else {
                let token = Token::new(token);
                return Err(fault(ParseErrorKind::Unexpected { token, expected }));
            };
            let starts_here = notation == MoveNotation::Positions
                && number == 1
                && index == 0
                && step == board.blank();
            if starts_here {
                continue;
            }
            let found = board.legal_moves().find(|&m| match notation {
                MoveNotation::Numbers => board.sliding_tile(m).map(usize::from) == Some(step),
                _ => board.sliding_cell(m) == Some(step),
            });
            let Some(m) = found else {
                return Err(fault(ParseErrorKind::NotAdjacent {
                    number: moves.len() + 1,
                    what,
                    token: Token::new(token),
                    row: board.blank_row() + 1,
                    column: board.blank_column() + 1,
                }));
            };
            let kind = |illegal| ParseErrorKind::Illegal {
                token: Token::new(token),
                illegal,
            };
            board.slide(m).map_err(|illegal| fault(kind(illegal)))?;
            moves.push(m);
        }
    }
    Ok(moves)
}

/// Prints the tiles' directions as letters: `RRRD`.
impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        MoveNotation::Tile.write_letters(self, MoveStyle::Letters, &mut text);
        f.pad(&text)
    }
}

/// Prints the direction as a letter, and the number of tiles if there are several: `R3`.
impl fmt::Display for Slide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        let moves = self.moves().collect();
        MoveNotation::Tile.write_letters(&moves, MoveStyle::Compact, &mut text);
        f.pad(&text)
    }
}

/// Reads the tiles' directions in any style. [`read_moves`] reads the other notations, and checks
/// the moves against a board.
impl FromStr for Moves {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        read_directions(text, MoveNotation::Tile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn every_way_to_write_directions_is_read() {
        let expected: Moves = "RRRDLU".parse().unwrap();
        for text in [
            "R3DLU",
            "r r r, d l u",
            "→→→↓←↑",
            ">>>v<^",
            "R2 R1 D1 # so far\n#\nLU#",
            "RRRDLU\r\n",
        ] {
            assert_eq!(text.parse(), Ok(expected.clone()), "{text}");
        }
        assert_eq!("".parse(), Ok(Moves::new()));
    }

    #[test]
    fn what_is_no_move_is_refused_with_its_place() {
        for (text, message) in [
            (
                "RRX",
                "line 1, column 3: expected a move: U, D, L, R or an arrow, found \"X\"",
            ),
            (
                "R\n U é",
                "line 2, column 4: expected a move: U, D, L, R or an arrow, found \"é\"",
            ),
            (
                "→→ 3",
                "line 1, column 4: expected a move: U, D, L, R or an arrow, found \"3\"",
            ),
        ] {
            assert_eq!(text.parse::<Moves>().unwrap_err().to_string(), message);
        }
        for text in ["R0", "R255", "R99999999999999999999999"] {
            let error = text.parse::<Moves>().unwrap_err();
            assert!(matches!(error.kind(), ParseErrorKind::Repeat(_)), "{text}");
        }
        assert!("R254".parse::<Moves>().is_ok());
    }

    #[test]
    fn the_other_convention_is_recognised_and_said() {
        let start = board("1 2 3/4 5 6/7 8 0");
        let error = read_moves("UU", None, Some(&start)).unwrap_err();
        assert!(matches!(
            error.kind(),
            ParseErrorKind::OtherConvention {
                legal_as: MoveNotation::Blank,
                ..
            }
        ));
        let error = read_moves("D2", Some(MoveNotation::Blank), Some(&start)).unwrap_err();
        assert!(matches!(
            error.kind(),
            ParseErrorKind::OtherConvention {
                legal_as: MoveNotation::Tile,
                ..
            }
        ));
        let error = read_moves("RR\nUUD3", None, Some(&start)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2, column 1: move 3 (\"U\"): no tile can slide up: the blank is in the last row"
        );
    }

    #[test]
    fn numbers_and_positions_name_the_same_moves() {
        let start = board("1 2 3/4 5 6/7 8 0");
        let moves: Moves = "RRDL".parse().unwrap();
        for notation in MoveNotation::ALL {
            let mut text = String::new();
            notation
                .write(&start, &moves, MoveStyle::Letters, &mut text)
                .unwrap();
            let expected = match notation {
                MoveNotation::Tile => "RRDL",
                MoveNotation::Blank => "LLUR",
                MoveNotation::Numbers => "8 7 4 5",
                MoveNotation::Positions => "7 6 3 4",
            };
            assert_eq!(text, expected);
            assert_eq!(
                read_moves(&text, Some(notation), Some(&start)),
                Ok(moves.clone())
            );
        }
        let with_start = read_moves("8 7 6", Some(MoveNotation::Positions), Some(&start));
        assert_eq!(with_start.unwrap().to_string(), "RR");
        assert_eq!(
            read_moves("8 3", None, Some(&start))
                .unwrap_err()
                .to_string(),
            "line 1, column 3: move 2: tile \"3\" is not next to the blank, which is at row 3, \
             column 2"
        );
        assert!(read_moves("8 7", None, None).is_err());
    }

    #[test]
    fn styles() {
        let moves: Moves = "RRRDLLU".parse().unwrap();
        let styled = |style| {
            let mut text = String::new();
            MoveNotation::Tile.write_letters(&moves, style, &mut text);
            assert_eq!(text.parse(), Ok(moves.clone()));
            text
        };
        assert_eq!(styled(MoveStyle::Compact), "R3 D L2 U");
        assert_eq!(styled(MoveStyle::Lower), "rrrdllu");
        assert_eq!(styled(MoveStyle::Arrows), "→→→↓←←↑");
        assert_eq!(styled(MoveStyle::Ascii), ">>>v<<^");
    }
}
