//! The ways in which boards are written.

use std::fmt::{self, Write};

use thiserror::Error;

use crate::named::named;
use crate::{Board, Goal};

/// A way to write boards. `docs/formats.md` has an example of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoardForm {
    /// `1 2 3/4 5 6/7 8 0`, our own default.
    #[default]
    Rows,
    /// `1 2 3 4 5 6 7 8 0`, as in Korf's lists.
    Flat,
    /// One row a line, an empty line between boards.
    Grid,
    /// The number of rows, then the rows (Princeton's 8puzzle assignment).
    Princeton,
    /// [`Princeton`](Self::Princeton) with `#` comments (the 42 school's project); its goal is the
    /// snail.
    Npuzzle,
    /// A flat list with `x` for the blank (HDU 1043, POJ 1077).
    Hdu1043,
    /// One digit a tile (Luogu P1379); its goal is the snail.
    P1379,
    /// One hexadecimal digit a tile behind `0x` (Rosetta Code).
    Hex,
    /// The number of boards, then four lines for each (UVa 10181).
    Uva10181,
    /// The number of boards, then each after an empty line, with `x` (UVa 652).
    Uva652,
    /// `4x4:1,2,3,…`, width first (Simon Tatham's Fifteen).
    GameId,
}

/// A board that a form has no way to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the form \"{}\" holds only {holds}, not a {size} board", form.name(), size = .size)]
pub struct UnwritableBoardError {
    /// The form.
    pub form: BoardForm,
    /// What it can hold.
    holds: &'static str,
    /// The size of the board that was to be written.
    pub size: crate::Size,
}

named! {
    BoardForm: "a form";
    Rows => "rows", "rows with slashes: 1 2 3/4 5 6/7 8 0";
    Flat => "flat", "flat list: 1 2 3 4 5 6 7 8 0";
    Grid => "grid", "a row a line, an empty line between boards";
    Princeton => "princeton", "the number of rows, then the rows";
    Npuzzle => "npuzzle", "princeton with # comments; goal: snail";
    Hdu1043 => "hdu1043", "flat list with x for the blank: 1 2 3 4 5 6 7 8 x";
    P1379 => "p1379", "a digit a tile: 123804765; goal: snail";
    Hex => "hex", "a hexadecimal digit a tile: 0xfe169b4c0a73d852";
    Uva10181 => "uva10181", "the number of boards, then four lines each";
    Uva652 => "uva652", "the number of boards, then one after each empty line";
    GameId => "game-id", "width x height, then the tiles: 3x3:1,2,3,4,5,6,7,8,0";
}

impl BoardForm {
    /// The goal that belongs to a form by the problem it comes from.
    #[must_use]
    pub const fn goal(self) -> Goal {
        match self {
            Self::Npuzzle | Self::P1379 => Goal::Snail,
            _ => Goal::Classic,
        }
    }

    /// Whether a list in this form starts with the number of its boards.
    #[must_use]
    pub const fn is_case_list(self) -> bool {
        matches!(self, Self::Uva10181 | Self::Uva652)
    }

    /// Whether boards in this form take several lines.
    #[must_use]
    pub const fn is_multi_line(self) -> bool {
        matches!(
            self,
            Self::Grid | Self::Princeton | Self::Npuzzle | Self::Uva10181 | Self::Uva652
        )
    }

    /// Appends a board and a line break.
    ///
    /// A [case list](Self::is_case_list) needs the number of boards on a line before the first.
    pub fn write(self, board: &Board, out: &mut String) -> Result<(), UnwritableBoardError> {
        let size = board.size();
        let holds = match self {
            Self::Princeton | Self::Npuzzle if !size.is_square() => "square boards",
            Self::P1379 if size.cells() > 10 => "boards of up to ten cells",
            Self::Hex if size.cells() > 16 => "boards of up to sixteen cells",
            Self::Uva10181 if (size.rows(), size.columns()) != (4, 4) => "4x4 boards",
            Self::Uva652 if (size.rows(), size.columns()) != (3, 3) => "3x3 boards",
            _ => "",
        };
        if !holds.is_empty() {
            return Err(UnwritableBoardError {
                form: self,
                holds,
                size,
            });
        }
        let columns = size.columns();
        match self {
            Self::Rows => write_rows(board, out),
            Self::Flat => write_list(board, ' ', "0", out),
            Self::Hdu1043 => write_list(board, ' ', "x", out),
            Self::Uva652 => {
                out.push('\n');
                write_list(board, ' ', "x", out);
            }
            Self::GameId => {
                push(out, format_args!("{columns}x{}:", size.rows()));
                write_list(board, ',', "0", out);
            }
            Self::P1379 => board.tiles().for_each(|t| push(out, format_args!("{t}"))),
            Self::Hex => {
                out.push_str("0x");
                board.tiles().for_each(|t| push(out, format_args!("{t:x}")));
            }
            Self::Uva10181 => write_lines(board, 1, "", out),
            Self::Grid => {
                write_lines(board, number_width(board), "", out);
                out.push('\n');
            }
            Self::Princeton | Self::Npuzzle => {
                push(out, format_args!("{columns}\n"));
                write_lines(board, 2, "", out);
            }
        }
        out.push('\n');
        Ok(())
    }
}

/// The digits of the largest tile.
fn number_width(board: &Board) -> usize {
    (board.size().cells() - 1).to_string().len()
}

fn push(out: &mut String, text: fmt::Arguments<'_>) {
    out.write_fmt(text)
        .expect("writing to a string does not fail");
}

/// Appends a number. Boards are mostly numbers, and this is several times as fast as `fmt`.
fn push_number(out: &mut String, number: u16) {
    if number >= 10 {
        push_number(out, number / 10);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

fn write_rows(board: &Board, out: &mut String) {
    let columns = board.size().columns();
    for (cell, tile) in board.tiles().enumerate() {
        if cell > 0 {
            out.push(if cell % columns == 0 { '/' } else { ' ' });
        }
        push_number(out, tile);
    }
}

fn write_list(board: &Board, separator: char, blank: &str, out: &mut String) {
    for (cell, tile) in board.tiles().enumerate() {
        if cell > 0 {
            out.push(separator);
        }
        if tile == 0 {
            out.push_str(blank);
        } else {
            push_number(out, tile);
        }
    }
}

/// Appends one line for each row, numbers at least `width` wide, without a final line break.
pub(super) fn write_lines(board: &Board, width: usize, row_end: &str, out: &mut String) {
    let columns = board.size().columns();
    for (cell, tile) in board.tiles().enumerate() {
        match cell % columns {
            0 if cell > 0 => {
                out.push_str(row_end);
                out.push('\n');
            }
            0 => {}
            _ => out.push(' '),
        }
        push(out, format_args!("{tile:width$}"));
    }
    out.push_str(row_end);
}

/// Prints the board in the form [`BoardForm::Rows`].
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        write_rows(self, &mut text);
        f.pad(&text)
    }
}
