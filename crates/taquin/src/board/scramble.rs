//! Random boards from a seeded generator.
//!
//! What these functions draw for a seed is published in `docs/formats.md` and never changes.

use super::{Board, Invariant, Move, Moves, Rng, Tile};

/// A uniform random board among all those that can reach the goal.
///
/// A Fisher–Yates shuffle of 0, 1, 2 … (for `i` from the last cell down to 1, exchange cell `i`
/// with cell [`below(i + 1)`](Rng::below)) draws one of all arrangements. If that one cannot reach
/// the goal, tiles 1 and 2 change places. This pairs each unsolvable arrangement with one solvable
/// one, so the result is uniform.
///
/// ```
/// use taquin::{Goal, Rng, Size, Solvability, uniform};
///
/// let goal = Goal::Snail.board("4x5".parse()?)?;
/// let board = uniform(&goal, &mut Rng::from_seed(7));
/// assert!(Solvability::of(&board, &goal)?.is_solvable());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn uniform(goal: &Board, rng: &mut Rng) -> Board {
    let size = goal.size();
    let mut tiles: Vec<Tile> = (0..size.cells()).map(|t| t as Tile).collect();
    for i in (1..tiles.len()).rev() {
        tiles.swap(i, rng.below(i + 1));
    }
    let board = Board::from_permutation(size, &tiles);
    if Invariant::of(&board).parity() == Invariant::of(goal).parity() {
        return board;
    }
    for tile in &mut tiles {
        match *tile {
            1 => *tile = 2,
            2 => *tile = 1,
            _ => {}
        }
    }
    Board::from_permutation(size, &tiles)
}

/// A random walk of `length` moves from a board.
///
/// Each move is drawn uniformly, in the order of [`Move::ALL`], among those that are possible and
/// do not take the last one back.
#[must_use]
pub fn random_walk(from: &Board, length: usize, rng: &mut Rng) -> Moves {
    let mut board = from.clone();
    let mut walk = Moves::new();
    while walk.len() < length {
        let last = walk.last().copied();
        walk.push(random_step(&mut board, last, rng));
    }
    walk
}

/// The board that such a walk ends on, however long it is: the moves are not kept.
#[must_use]
pub fn random_walk_end(from: &Board, length: usize, rng: &mut Rng) -> Board {
    let mut board = from.clone();
    let mut last = None;
    for _ in 0..length {
        last = Some(random_step(&mut board, last, rng));
    }
    board
}

/// Makes a random move that does not take `last` back.
fn random_step(board: &mut Board, last: Option<Move>, rng: &mut Rng) -> Move {
    let mut choices = [Move::Up; 4];
    let mut count = 0;
    for m in board.legal_moves() {
        if last != Some(m.opposite()) {
            choices[count] = m;
            count += 1;
        }
    }
    let m = choices[rng.below(count)];
    let slid = board.slide(m);
    debug_assert!(
        slid.is_ok(),
        "every cell has two neighbours, so there was a choice"
    );
    m
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::{Goal, Size, Solvability};

    #[test]
    fn every_solvable_board_of_2x2_is_drawn_equally_often() {
        let goal = Goal::Classic.board(Size::new(2, 2).unwrap()).unwrap();
        let mut rng = Rng::from_seed(11);
        let mut counts = HashMap::new();
        for _ in 0..12_000 {
            *counts.entry(uniform(&goal, &mut rng)).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 12);
        assert!(
            counts.values().all(|c| (800..1200).contains(c)),
            "{counts:?}"
        );
        assert!(
            counts
                .keys()
                .all(|b| Solvability::of(b, &goal).unwrap().is_solvable())
        );
    }

    #[test]
    fn walks_never_take_a_move_back_and_have_the_length_asked_for() {
        let mut rng = Rng::from_seed(12);
        for (rows, columns) in [(2, 2), (2, 7), (4, 4), (9, 6)] {
            let goal = Goal::Snake
                .board(Size::new(rows, columns).unwrap())
                .unwrap();
            for length in [0, 1, 2, 50] {
                let mut before = rng.clone();
                let walk = random_walk(&goal, length, &mut rng);
                assert_eq!(walk.len(), length);
                let end = random_walk_end(&goal, length, &mut before);
                assert_eq!(goal.after(&walk), Ok(end));
                assert!(walk.windows(2).all(|pair| pair[0] != pair[1].opposite()));
            }
        }
    }
}
