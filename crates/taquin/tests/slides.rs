//! Korf's 100 boards of the 15-puzzle in multi-tile moves.

use taquin::solve::{Effort, GoalSolver};
use taquin::tables::{ClassCatalogue, ClassTables, Tier};
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

fn solver(goal: &Board, tier: Tier) -> GoalSolver {
    let catalogue = ClassCatalogue::for_goal(goal, tier).unwrap();
    let tables = ClassTables::build(catalogue, 2, &Budget::default()).unwrap();
    GoalSolver::new(goal, &tables).unwrap()
}

fn check(tier: Tier, instances: &[(Board, u32)]) {
    let goal = Goal::BlankFirst.board(Size::new(4, 4).unwrap()).unwrap();
    let solver = solver(&goal, tier);
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

#[test]
#[ignore = "builds the full tables: run it with --release"]
fn the_farthest_boards_need_43_slides() {
    let goal = Goal::Classic.board(Size::new(4, 4).unwrap()).unwrap();
    let solver = solver(&goal, Tier::Full);
    let effort = Effort {
        threads: 2,
        ..Effort::default()
    };
    let lines = include_str!("data/farthest15_multi.csv").lines().skip(1);
    assert_eq!(lines.clone().count(), 16);
    for line in lines {
        let (board, length) = line.split_once(',').unwrap();
        let board: Board = board.parse().unwrap();
        let report = solver.solve(&board, &effort).unwrap();
        let Outcome::Solved(solution) = report.outcome else {
            panic!("{board}: no limit was set");
        };
        assert_eq!(solution.cost, length.parse::<u32>().unwrap(), "{board}");
        assert_eq!(board.after(&solution.moves).unwrap(), goal);
    }
}
