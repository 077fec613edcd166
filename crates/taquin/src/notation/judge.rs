//! Answers in the formats of contest judges and courses.

use std::fmt::Write;

use super::form::write_lines;
use super::{BoardForm, MoveNotation, MoveStyle};
use crate::named::named;
use crate::{Board, Goal, IllegalMoveError, Moves};

/// A problem whose answers we can print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Judge {
    /// The Princeton 8puzzle assignment: the number of moves and all boards on the way.
    Princeton,
    /// HDU 1043 and POJ 1077: the blank's path in small letters.
    Hdu1043,
    /// UVa 10181: the blank's path in capitals.
    Uva10181,
    /// Luogu P1379: the number of moves to its own goal, `123804765`.
    P1379,
}

named! {
    Judge: "a judge";
    Princeton => BoardForm::Princeton.name(), "the number of moves and all boards on the way";
    Hdu1043 => BoardForm::Hdu1043.name(), "the blank's path in small letters";
    Uva10181 => BoardForm::Uva10181.name(), "the blank's path in capitals";
    P1379 => BoardForm::P1379.name(), "the number of moves";
}

impl Judge {
    /// The form of the problem's input, which has the same name.
    #[must_use]
    pub const fn form(self) -> BoardForm {
        match self {
            Self::Princeton => BoardForm::Princeton,
            Self::Hdu1043 => BoardForm::Hdu1043,
            Self::Uva10181 => BoardForm::Uva10181,
            Self::P1379 => BoardForm::P1379,
        }
    }

    /// The goal of the problem.
    #[must_use]
    pub const fn goal(self) -> Goal {
        self.form().goal()
    }

    /// Whether the answer claims that no shorter solution exists.
    #[must_use]
    pub const fn claims_minimum(self) -> bool {
        matches!(self, Self::Princeton | Self::P1379)
    }

    /// Appends the answer for a board that a solution was found for.
    ///
    /// The caller knows that the moves solve it, and where the judge
    /// [claims a minimum](Self::claims_minimum) that they are as few as can be.
    pub fn write_solution(
        self,
        board: &Board,
        moves: &Moves,
        out: &mut String,
    ) -> Result<(), IllegalMoveError> {
        let path = |style| {
            let mut path = String::new();
            MoveNotation::Blank.write_letters(moves, style, &mut path);
            path
        };
        match self {
            Self::Princeton => {
                let count = moves.len();
                writeln!(out, "Minimum number of moves = {count}").expect("strings take all");
                let mut board = board.clone();
                write_princeton(&board, out);
                for &m in moves {
                    board.slide(m)?;
                    write_princeton(&board, out);
                }
                return Ok(());
            }
            Self::Hdu1043 => out.push_str(&path(MoveStyle::Lower)),
            Self::Uva10181 => out.push_str(&path(MoveStyle::Letters)),
            Self::P1379 => out.push_str(&moves.len().to_string()),
        }
        out.push('\n');
        Ok(())
    }

    /// What the judge wants to read about a board that cannot be solved, if it foresees one.
    #[must_use]
    pub const fn unsolvable(self) -> Option<&'static str> {
        match self {
            Self::Princeton => Some("No solution possible"),
            Self::Hdu1043 => Some("unsolvable"),
            Self::Uva10181 => Some("This puzzle is not solvable."),
            Self::P1379 => None,
        }
    }
}

/// As the assignment's own `toString` and `println` do: `%2d` and a space for each tile, then an
/// empty line.
fn write_princeton(board: &Board, out: &mut String) {
    writeln!(out, "{}", board.size().rows()).expect("strings take all");
    write_lines(board, 2, " ", out);
    out.push_str("\n\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(judge: Judge, board: &str, moves: &str) -> String {
        let board = board.parse().unwrap();
        let moves = moves.parse().unwrap();
        let mut out = String::new();
        judge.write_solution(&board, &moves, &mut out).unwrap();
        out
    }

    #[test]
    fn answers_are_what_the_judges_expect() {
        // The blank goes right, then down, in the judges' words; the tiles go left and up.
        let board = "1 2 3/4 0 5/7 8 6";
        assert_eq!(answer(Judge::Hdu1043, board, "LU"), "rd\n");
        assert_eq!(answer(Judge::Uva10181, board, "LU"), "RD\n");
        assert_eq!(answer(Judge::P1379, board, "LU"), "2\n");
        assert_eq!(
            answer(Judge::Princeton, "1 2 3/4 5 6/7 0 8", "L"),
            "Minimum number of moves = 1\n\
             3\n 1  2  3 \n 4  5  6 \n 7  0  8 \n\n\
             3\n 1  2  3 \n 4  5  6 \n 7  8  0 \n\n"
        );
    }
}
