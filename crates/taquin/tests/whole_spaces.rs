//! The verdict on solvability, judged by searching whole spaces.

use std::collections::HashSet;

use taquin::{Board, Goal, Rng, Size, Solvability, Tile, uniform};

/// Every board that moves lead to from the goal.
fn reachable(goal: &Board) -> HashSet<Board> {
    let mut seen = HashSet::from([goal.clone()]);
    let mut frontier = vec![goal.clone()];
    while let Some(board) = frontier.pop() {
        for m in board.legal_moves() {
            let mut next = board.clone();
            next.slide(m).unwrap();
            if !seen.contains(&next) {
                seen.insert(next.clone());
                frontier.push(next);
            }
        }
    }
    seen
}

/// Calls `visit` with every arrangement of a size (Heap's algorithm).
fn every_arrangement(size: Size, mut visit: impl FnMut(&Board)) {
    let mut tiles: Vec<Tile> = (0..size.cells()).map(|t| t as Tile).collect();
    let mut counters = vec![0; tiles.len()];
    visit(&Board::from_tiles(size, &tiles).unwrap());
    let mut i = 1;
    while i < tiles.len() {
        if counters[i] < i {
            let other = if i % 2 == 0 { 0 } else { counters[i] };
            tiles.swap(i, other);
            visit(&Board::from_tiles(size, &tiles).unwrap());
            counters[i] += 1;
            i = 1;
        } else {
            counters[i] = 0;
            i += 1;
        }
    }
}

/// All named goals and two boards that have no name, one of each parity.
fn goals(size: Size) -> Vec<Goal> {
    let classic = Goal::Classic.board(size).unwrap();
    let some = uniform(&classic, &mut Rng::from_seed(5));
    let other = some.with_swapped(1, 2).unwrap();
    let mut goals = Goal::NAMED.to_vec();
    goals.extend([Goal::Board(some), Goal::Board(other)]);
    goals
}

fn verdicts_equal_reachability(rows: usize, columns: usize, half: usize) {
    let size = Size::new(rows, columns).unwrap();
    for goal in goals(size) {
        let goal_board = goal.board(size).unwrap();
        let reachable = reachable(&goal_board);
        assert_eq!(reachable.len(), half, "{goal:?}");
        let mut solvable = 0;
        let mut all = 0;
        every_arrangement(size, |board| {
            let verdict = Solvability::of(board, &goal_board).unwrap();
            assert_eq!(
                verdict.is_solvable(),
                reachable.contains(board),
                "{board} with goal {goal:?}"
            );
            solvable += usize::from(verdict.is_solvable());
            all += 1;
        });
        assert_eq!((solvable, all), (half, 2 * half));
    }
}

#[test]
fn verdicts_on_2x2_equal_a_search_of_the_whole_space() {
    verdicts_equal_reachability(2, 2, 12);
}

#[test]
fn verdicts_on_2x3_equal_a_search_of_the_whole_space() {
    verdicts_equal_reachability(2, 3, 360);
}

#[test]
fn verdicts_on_3x2_equal_a_search_of_the_whole_space() {
    verdicts_equal_reachability(3, 2, 360);
}

#[test]
fn verdicts_on_3x3_equal_a_search_of_the_whole_space() {
    verdicts_equal_reachability(3, 3, 181_440);
}
