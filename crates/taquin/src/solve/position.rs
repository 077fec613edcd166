//! A board as the searches for good solutions see it.

use crate::{Board, Move, Reduction, Size};

/// A board of a canonical puzzle: the home of what is in each cell.
///
/// A home is the cell in which the goal has a tile; the blank has one too. So the goal is 0, 1, 2 …,
/// and nobody has to know how tiles are called.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    size: Size,
    /// The home of the blank.
    goal: usize,
    blank: usize,
    homes: Box<[u16]>,
}

impl Position {
    /// A board that was [reduced](Reduction::reduce).
    pub(crate) fn new(reduction: &Reduction, reduced: &Board) -> Self {
        let home_of = reduction.goal().cells_of_tiles();
        let homes = reduced
            .tiles()
            .map(|tile| home_of[usize::from(tile)] as u16);
        Self {
            size: reduced.size(),
            goal: reduction.goal().blank(),
            blank: reduced.blank(),
            homes: homes.collect(),
        }
    }

    /// The size of the board.
    pub(crate) const fn size(&self) -> Size {
        self.size
    }

    /// The home of the blank.
    pub(crate) const fn goal(&self) -> usize {
        self.goal
    }

    /// The cell of the blank.
    pub(crate) const fn blank(&self) -> usize {
        self.blank
    }

    /// The home of what is in each cell, the blank's own included.
    pub(crate) fn homes(&self) -> &[u16] {
        &self.homes
    }

    /// The same in bytes, for boards of up to 256 cells.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.homes.iter().map(|&home| home as u8).collect()
    }

    /// Whether everything is at home.
    pub(crate) fn is_solved(&self) -> bool {
        (0..).zip(&self.homes).all(|(cell, &home)| cell == home)
    }

    /// This puzzle from the goal's end: a solution of it, taken back, solves this one.
    pub(crate) fn inverse(&self) -> Self {
        let mut homes = vec![0; self.homes.len()].into_boxed_slice();
        for (cell, &home) in (0..).zip(&self.homes) {
            homes[usize::from(home)] = cell;
        }
        Self {
            size: self.size,
            goal: self.blank,
            blank: self.goal,
            homes,
        }
    }

    /// The cell of the tile that a move slides, if there is one.
    pub(crate) const fn sliding_cell(&self, m: Move) -> Option<usize> {
        self.size.neighbour(self.blank, m)
    }

    /// Makes a move; whether it was possible.
    pub(crate) fn slide(&mut self, m: Move) -> bool {
        let Some(from) = self.sliding_cell(m) else {
            return false;
        };
        self.homes.swap(from, self.blank);
        self.blank = from;
        true
    }

    /// Whether these moves lead to the goal.
    pub(crate) fn is_solved_by(&self, moves: &[Move]) -> bool {
        let mut end = self.clone();
        moves.iter().all(|&m| end.slide(m)) && end.is_solved()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Rng, random_walk};

    #[test]
    fn it_follows_the_board_for_every_goal() {
        let mut rng = Rng::from_seed(5);
        for goal in [Goal::Classic, Goal::BlankFirst, Goal::Snail, Goal::Snake] {
            let goal = goal.board("5x4".parse().unwrap()).unwrap();
            let reduction = Reduction::new(&goal);
            let walk = random_walk(&goal, 40, &mut rng);
            let board = goal.after(&walk).unwrap();
            let position = Position::new(&reduction, &reduction.reduce(&board).unwrap());
            let back = reduction.symmetry().moves(&walk.inverse());
            assert!(!position.is_solved());
            assert!(position.is_solved_by(&back));
            assert!(!position.is_solved_by(&back[1..]));
        }
    }
}
