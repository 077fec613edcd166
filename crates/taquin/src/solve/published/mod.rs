//! Short solutions of the 15-puzzle from small tables: no files, a few megabytes, microseconds.
//!
//! [`Staged`] is the method that Parberry published in 2014; [`Swift`] is ours, with no more memory.

mod beam;
mod end;
mod lines;
mod parberry;
mod region;
mod stage;
mod swift;

use thiserror::Error;

use super::EngineError;
use super::position::Position;
use crate::outcome::WrongSolutionError;
use crate::{BlankClass, Board, Move, Moves, Reduction, Size, Solvability};

pub use parberry::{StageStatistics, Staged};
pub use swift::Swift;

/// The size that they are for.
const SIZE: Size = Size::known(4, 4);

/// A goal that small tables are not for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("small tables are for 4x4 boards whose goal has the blank in a corner")]
pub struct UnsuitedGoalError;

/// A goal, and every board as the methods see it: 4×4, the blank at home in the last cell.
#[derive(Clone, Debug)]
struct Front {
    goal: Board,
    reduction: Reduction,
}

impl Front {
    fn new(goal: &Board) -> Result<Self, UnsuitedGoalError> {
        let reduction = Reduction::new(goal);
        let suited = goal.size() == SIZE && reduction.class() == BlankClass::Corner;
        suited
            .then(|| Self {
                goal: goal.clone(),
                reduction,
            })
            .ok_or(UnsuitedGoalError)
    }

    fn position(&self, board: &Board) -> Result<Position, EngineError> {
        let verdict = Solvability::of(board, &self.goal)?;
        if !verdict.is_solvable() {
            return Err(EngineError::Unsolvable(verdict));
        }
        Ok(Position::new(
            &self.reduction,
            &self.reduction.reduce(board)?,
        ))
    }

    /// A solution of the board itself, replayed.
    fn restore(&self, board: &Board, moves: Vec<Move>) -> Result<Moves, EngineError> {
        let moves = self.reduction.restore(&moves.into());
        WrongSolutionError::check(board, &self.goal, &moves)?;
        Ok(moves)
    }
}

/// A 4×4 board: the home of what is in each cell, four bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Grid(u64);

impl Grid {
    /// The home of the blank.
    const BLANK: u8 = 15;

    fn new(position: &Position) -> Self {
        let homes = position.homes().iter().rev();
        Self(homes.fold(0, |grid, &home| grid << 4 | u64::from(home)))
    }

    /// The home of what is in a cell.
    #[inline(always)]
    const fn home(self, cell: u8) -> u8 {
        (self.0 >> (4 * cell) & 15) as u8
    }

    /// The cell of each home's owner.
    fn cells(self) -> [u8; 16] {
        let mut cells = [0; 16];
        for cell in 0..16 {
            cells[usize::from(self.home(cell))] = cell;
        }
        cells
    }

    /// The board after the tile in `from` slid into the blank in `to`.
    #[inline(always)]
    const fn slid(self, from: u8, to: u8) -> Self {
        let change = (self.home(from) ^ Self::BLANK) as u64;
        Self(self.0 ^ change << (4 * from) ^ change << (4 * to))
    }

    /// The board mirrored in its main diagonal, tiles renamed so that the goal stays the goal.
    fn transposed(self) -> Self {
        (0..16).fold(Self(0), |grid, cell| {
            let home = across(self.home(cell));
            Self(grid.0 | u64::from(home) << (4 * across(cell)))
        })
    }
}

/// The cell mirrored in the main diagonal.
#[inline(always)]
const fn across(cell: u8) -> u8 {
    cell >> 2 & 3 | (cell & 3) << 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Rng, uniform};

    #[test]
    fn only_4x4_with_the_blank_in_a_corner_is_suited() {
        for (size, goal, suited) in [
            ("4x4", Goal::Classic, true),
            ("4x4", Goal::BlankFirst, true),
            ("4x4", Goal::Snake, true),
            ("4x4", Goal::Snail, false),
            ("3x3", Goal::Classic, false),
            ("4x5", Goal::Classic, false),
        ] {
            let goal = goal.board(size.parse().unwrap()).unwrap();
            assert_eq!(Front::new(&goal).is_ok(), suited, "{goal}");
        }
    }

    #[test]
    fn a_grid_slides_and_turns_as_its_board_does() {
        let goal = Goal::Classic.board("4x4".parse().unwrap()).unwrap();
        let front = Front::new(&goal).unwrap();
        let grid = |board: &Board| Grid::new(&front.position(board).unwrap());
        assert_eq!(grid(&goal), Grid(0xFEDC_BA98_7654_3210));
        assert_eq!(grid(&goal).transposed(), grid(&goal));
        let mut position = front
            .position(&uniform(&goal, &mut Rng::from_seed(2)))
            .unwrap();
        for m in Move::ALL.repeat(5) {
            let before = Grid::new(&position);
            let (blank, from) = (position.blank() as u8, position.sliding_cell(m));
            let Some(from) = from.map(|cell| cell as u8) else {
                continue;
            };
            position.slide(m);
            let after = Grid::new(&position);
            assert_eq!(before.slid(from, blank), after);
            assert_eq!(after.cells()[15], from);
            let mirrored = before.transposed().slid(across(from), across(blank));
            assert_eq!(mirrored, after.transposed());
        }
    }
}
