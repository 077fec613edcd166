//! Korf's 100 boards of the 15-puzzle in multi-tile moves.

use taquin::solve::{Effort, SlideSolver};
use taquin::tables::Tier;
use taquin::{Board, Budget, Goal, Metric, Outcome, Size};

/// The boards with the fewest slides that they need, the easiest first.
fn instances() -> Vec<(Board, u32)> {
    let boards = include_str!("data/korf15.csv").lines().skip(1);
    let lengths = include_str!("data/korf15_multi.csv").lines().skip(2);
    let field = |line: &str, index: usize| line.split(',').nth(index).unwrap().to_owned();
    let mut instances: Vec<(Board, u32)> = boards
        .zip(lengths)
        .map(|(board, length)| {
            assert_eq!(field(board, 0), field(length, 0));
            let length = field(length, 1).parse().unwrap();
            (field(board, 1).parse().unwrap(), length)
        })
        .collect();
    instances.sort_by_key(|(_, length)| *length);
    instances
}

fn check(tier: Tier, instances: &[(Board, u32)]) {
    let goal = Goal::BlankFirst.board(Size::new(4, 4).unwrap()).unwrap();
    let solver = SlideSolver::new(&goal, tier, 2, &Budget::default()).unwrap();
    for (board, length) in instances {
        assert!(solver.estimate(board).unwrap() <= *length, "{board}");
        let report = solver.solve(board, &Effort::default()).unwrap();
        let Outcome::Solved(solution) = report.outcome else {
            panic!("{board}: no limit was set");
        };
        assert_eq!(solution.cost, *length, "{board}");
        assert_eq!(solution.moves.length(Metric::Multi) as u32, *length);
        assert_eq!(board.after(&solution.moves).unwrap(), goal);
    }
}

#[test]
fn the_table_of_slides_is_whole() {
    let instances = instances();
    assert_eq!(instances.len(), 100);
    assert_eq!(
        instances.iter().map(|(_, length)| length).sum::<u32>(),
        3206
    );
}

#[test]
fn the_easiest_boards_are_solved_in_the_known_number_of_slides() {
    check(Tier::Quick, &instances()[..10]);
}

#[test]
#[ignore = "builds the full tables: run it with --release"]
fn all_boards_are_solved_in_the_known_number_of_slides() {
    check(Tier::Full, &instances());
}
