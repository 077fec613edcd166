//! Every goal reduced to one of a few.

use super::{Board, GoalSizeError, Moves, Size, Symmetry, Tile};

/// Where the blank of a goal lies. Tables are built per class and cell, so goals whose blank is in
/// any corner share one set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlankClass {
    /// In a corner.
    Corner,
    /// On an edge, but not in a corner.
    Edge,
    /// Away from all edges.
    Inside,
}

/// A change of names and of view that turns any goal into a canonical one.
///
/// In the canonical puzzle there are at most as many rows as columns, the goal's blank
/// lies in the lower right quarter (on a square also not above the diagonal), and the other cells
/// hold 1, 2, 3 … in reading order. A goal with its blank in a corner becomes the classic one.
///
/// ```
/// use taquin::{Goal, Reduction};
///
/// let goal = Goal::BlankFirst.board("4x4".parse()?)?;
/// let reduction = Reduction::new(&goal);
/// assert_eq!(*reduction.goal(), Goal::Classic.board("4x4".parse()?)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reduction {
    original: Size,
    symmetry: Symmetry,
    /// The canonical number of every tile.
    names: Box<[Tile]>,
    goal: Board,
}

impl Reduction {
    /// The reduction of a goal.
    #[must_use]
    pub fn new(goal: &Board) -> Self {
        let original = goal.size();
        // Step 1: of the eight views take one with rows ≤ columns and the blank as far down, then
        // as far right, as it gets.
        let symmetry = Symmetry::ALL
            .into_iter()
            .filter(|s| s.size(original).rows() <= s.size(original).columns())
            .max_by_key(|s| s.cell(original, goal.blank()))
            .unwrap_or(Symmetry::IDENTITY);

        // Step 2: name the tiles by their goal cells in that view, in reading order.
        let view = goal.transformed(symmetry);
        let mut names = vec![0; original.cells()].into_boxed_slice();
        let mut tiles = vec![0; original.cells()];
        let occupied = view.tiles().enumerate().filter(|&(_, tile)| tile > 0);
        for (name, (cell, tile)) in (1..).zip(occupied) {
            names[usize::from(tile)] = name;
            tiles[cell] = name;
        }
        Self {
            original,
            symmetry,
            names,
            goal: Board::from_permutation(view.size(), &tiles),
        }
    }

    /// The canonical goal.
    #[must_use]
    pub const fn goal(&self) -> &Board {
        &self.goal
    }

    /// The view that was taken.
    #[must_use]
    pub const fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// Where the goal's blank lies.
    #[must_use]
    pub fn class(&self) -> BlankClass {
        self.goal.size().class(self.goal.blank())
    }

    /// The canonical number of a tile; 0 for the blank, and for what is no tile.
    pub(crate) fn name(&self, tile: Tile) -> Tile {
        self.names.get(usize::from(tile)).copied().unwrap_or(0)
    }

    /// A board of the original puzzle as a board of the canonical one.
    pub fn reduce(&self, board: &Board) -> Result<Board, GoalSizeError> {
        if board.size() != self.original {
            return Err(GoalSizeError {
                goal: self.original,
                board: board.size(),
            });
        }
        let view = board.transformed(self.symmetry);
        let tiles: Vec<Tile> = view.tiles().map(|t| self.names[usize::from(t)]).collect();
        Ok(Board::from_permutation(view.size(), &tiles))
    }

    /// A board of the canonical puzzle as a board of the original one: the inverse of
    /// [`reduce`](Self::reduce).
    pub fn restore_board(&self, board: &Board) -> Result<Board, GoalSizeError> {
        if board.size() != self.goal.size() {
            return Err(GoalSizeError {
                goal: self.goal.size(),
                board: board.size(),
            });
        }
        let mut originals = vec![0; self.names.len()];
        for (original, name) in (0..).zip(&self.names) {
            originals[usize::from(*name)] = original;
        }
        let view = board.transformed(self.symmetry.inverse());
        let tiles: Vec<Tile> = view.tiles().map(|t| originals[usize::from(t)]).collect();
        Ok(Board::from_permutation(view.size(), &tiles))
    }

    /// Moves of the canonical puzzle as moves of the original one.
    #[must_use]
    pub fn restore(&self, moves: &Moves) -> Moves {
        self.symmetry.inverse().moves(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Rng, random_walk, uniform};

    fn classes(rows: usize, columns: usize) -> Vec<(usize, BlankClass)> {
        let size = Size::new(rows, columns).unwrap();
        let mut found: Vec<_> = (0..size.cells())
            .map(|blank| {
                let mut tiles: Vec<Tile> = (1..size.cells()).map(|t| t as Tile).collect();
                tiles.insert(blank, 0);
                let reduction = Reduction::new(&Board::from_tiles(size, &tiles).unwrap());
                (reduction.goal().blank(), reduction.class())
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn goals_fall_into_few_classes() {
        use BlankClass::{Corner, Edge, Inside};
        assert_eq!(classes(2, 2), [(3, Corner)]);
        assert_eq!(classes(3, 3), [(4, Inside), (7, Edge), (8, Corner)]);
        assert_eq!(classes(4, 4), [(10, Inside), (14, Edge), (15, Corner)]);
        assert_eq!(classes(5, 5).len(), 6);
        assert_eq!(classes(3, 4), classes(4, 3));
    }

    #[test]
    fn a_solution_of_the_reduced_puzzle_solves_the_original() {
        let mut rng = Rng::from_seed(4);
        for (rows, columns) in [(2, 2), (3, 3), (3, 5), (5, 2), (6, 6)] {
            let size = Size::new(rows, columns).unwrap();
            for _ in 0..50 {
                let goal = uniform(&Goal::Classic.board(size).unwrap(), &mut rng);
                let reduction = Reduction::new(&goal);
                assert_eq!(reduction.reduce(&goal).unwrap(), *reduction.goal());

                let walk = random_walk(reduction.goal(), 30, &mut rng);
                let end = reduction.goal().after(&walk).unwrap();
                let there = reduction.restore(&walk);
                let board = goal.after(&there).unwrap();
                assert_eq!(reduction.reduce(&board).unwrap(), end);
                assert_eq!(reduction.restore_board(&end).unwrap(), board);
                let solution = reduction.restore(&walk.inverse());
                assert_eq!(board.after(&solution).unwrap(), goal);
            }
        }
    }
}
