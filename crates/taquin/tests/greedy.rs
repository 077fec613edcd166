//! The greedy method on boards of any size and for any goal.

use proptest::prelude::*;
use taquin::solve::{EngineError, greedy};
use taquin::{Board, Goal, Rng, Size, Tile, random_walk_end, uniform};

proptest! {
    #[test]
    fn greedy_solutions_lead_to_the_goal(
        rows in 2..=30_usize,
        columns in 2..=30_usize,
        kind in 0..=Goal::NAMED.len(),
        seed: u64,
    ) {
        let size = Size::new(rows, columns).unwrap();
        let mut rng = Rng::from_seed(seed);
        let classic = Goal::Classic.board(size).unwrap();
        let goal = match Goal::NAMED.get(kind) {
            Some(named) => named.board(size).unwrap(),
            // A goal like no other.
            None => uniform(&classic, &mut rng),
        };
        let board = uniform(&goal, &mut rng);
        let moves = greedy(&board, &goal).unwrap();
        prop_assert_eq!(board.after(&moves).unwrap(), goal);
    }
}

/// Calls `visit` with every arrangement of the tiles from `fixed` on.
fn each_arrangement(tiles: &mut [Tile], fixed: usize, visit: &mut impl FnMut(&[Tile])) {
    if fixed == tiles.len() {
        return visit(tiles);
    }
    for other in fixed..tiles.len() {
        tiles.swap(fixed, other);
        each_arrangement(tiles, fixed + 1, visit);
        tiles.swap(fixed, other);
    }
}

fn goals(size: Size) -> impl Iterator<Item = Board> {
    Goal::NAMED
        .into_iter()
        .map(move |goal| goal.board(size).unwrap())
}

#[test]
fn every_board_of_the_small_sizes_is_solved() {
    for size in ["2x2", "2x3", "3x2", "2x4", "4x2", "3x3"] {
        let size: Size = size.parse().unwrap();
        let classic = Goal::Classic.board(size).unwrap();
        let mut tiles: Vec<Tile> = (0..size.cells() as Tile).collect();
        let mut solved = 0;
        each_arrangement(&mut tiles, 0, &mut |tiles| {
            let board = Board::from_tiles(size, tiles).unwrap();
            if let Ok(moves) = greedy(&board, &classic) {
                assert_eq!(board.after(&moves).unwrap(), classic, "{board}");
                solved += 1;
            }
        });
        assert_eq!(solved, (1..=size.cells()).product::<usize>() / 2);
    }
}

#[test]
fn the_blank_may_be_at_home_anywhere() {
    let mut rng = Rng::from_seed(3);
    for (rows, columns) in [(3, 3), (4, 4), (2, 5), (5, 3), (6, 6), (4, 7)] {
        let size = Size::new(rows, columns).unwrap();
        for blank in 0..size.cells() {
            let mut tiles: Vec<Tile> = (1..size.cells() as Tile).collect();
            tiles.insert(blank, 0);
            let goal = Board::from_tiles(size, &tiles).unwrap();
            for _ in 0..20 {
                let board = uniform(&goal, &mut rng);
                let moves = greedy(&board, &goal).unwrap();
                assert_eq!(board.after(&moves).unwrap(), goal, "{board}");
            }
        }
    }
}

#[test]
fn the_largest_boards_are_solved() {
    for (rows, columns) in [(255, 255), (2, 255), (255, 2), (255, 100)] {
        let size = Size::new(rows, columns).unwrap();
        let goal = Goal::Classic.board(size).unwrap();
        let board = uniform(&goal, &mut Rng::from_seed(1));
        let moves = greedy(&board, &goal).unwrap();
        let longer = rows.max(columns);
        assert!(moves.len() < 5 * rows * columns * longer);
        assert_eq!(board.after(&moves).unwrap(), goal);
    }
}

#[test]
fn solved_boards_need_no_moves_and_unsolvable_ones_are_refused() {
    let size = Size::new(4, 5).unwrap();
    for goal in goals(size) {
        assert!(greedy(&goal, &goal).unwrap().is_empty());
        let swapped = goal.with_swapped(1, 2).unwrap();
        let refused = greedy(&swapped, &goal);
        assert!(matches!(refused, Err(EngineError::Unsolvable(_))));
    }
    let other = Goal::Classic.board(size.transposed()).unwrap();
    let refused = greedy(&other, &Goal::Classic.board(size).unwrap());
    assert!(matches!(refused, Err(EngineError::Size(_))));
}

#[test]
fn lengths_on_4x4_are_about_those_that_parberry_published() {
    let goal = Goal::Classic.board("4x4".parse().unwrap()).unwrap();
    let mut rng = Rng::from_seed(1);
    let lengths = (0..10_000).map(|_| greedy(&uniform(&goal, &mut rng), &goal).unwrap().len());
    let sum: usize = lengths.inspect(|&length| assert!(length <= 195)).sum();
    // He has 118.16 on average.
    assert!((1_150_000..1_190_000).contains(&sum), "{sum}");
}

#[test]
fn boards_near_the_goal_are_solved_for_every_goal() {
    let mut rng = Rng::from_seed(8);
    for goal in ["3x4", "7x7", "30x12"]
        .into_iter()
        .flat_map(|size| goals(size.parse().unwrap()))
    {
        for length in 0..60 {
            let board = random_walk_end(&goal, length, &mut rng);
            let moves = greedy(&board, &goal).unwrap();
            assert_eq!(board.after(&moves).unwrap(), goal);
        }
    }
}
