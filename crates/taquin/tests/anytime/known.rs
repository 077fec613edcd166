//! Boards whose shortest solutions are known.

use taquin::solve::{Effort, GoalSolver};
use taquin::{Board, Goal};

use super::support::{classic, distances, goal, solve, with_quick_tables, within};

/// Boards and optimal lengths from a file, which has so many; the length is in this column.
fn instances(csv: &str, column: usize, boards: usize) -> Vec<(Board, u32)> {
    let lines = csv.lines().skip(1);
    let instances = lines.map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        (fields[1].parse().unwrap(), fields[column].parse().unwrap())
    });
    let instances: Vec<(Board, u32)> = instances.collect();
    assert_eq!(instances.len(), boards);
    instances
}

fn korf15() -> Vec<(Board, u32)> {
    instances(include_str!("../data/korf15.csv"), 3, 100)
}

fn korf24() -> Vec<(Board, u32)> {
    instances(include_str!("../data/korf24.csv"), 2, 50)
}

#[test]
fn no_bound_of_3x3_is_above_the_truth_for_any_goal() {
    for goal in [Goal::Classic, Goal::Snail] {
        let goal = goal.board("3x3".parse().unwrap()).unwrap();
        let solver = GoalSolver::without_tables(&goal);
        for (board, distance) in distances(&goal) {
            assert!(solver.estimate(&board).unwrap() <= distance, "{board}");
        }
    }
}

#[test]
fn with_tables_3x3_is_optimal_and_says_so() {
    let goal = classic("3x3");
    let solver = with_quick_tables(&goal);
    let mut boards: Vec<(Board, u32)> = distances(&goal).into_iter().collect();
    boards.sort_unstable_by_key(|(board, _)| board.packed());
    for (board, distance) in boards.into_iter().step_by(59) {
        let solution = solve(&solver, &board, &within(60_000, 1));
        assert_eq!(solution.cost, distance, "{board}");
        assert!(solution.proof.is_optimal());
    }
}

#[test]
fn without_tables_3x3_is_never_better_than_optimal() {
    let goal = classic("3x3");
    let solver = GoalSolver::without_tables(&goal);
    let mut boards: Vec<(Board, u32)> = distances(&goal).into_iter().collect();
    boards.sort_unstable_by_key(|(board, _)| board.packed());
    for (board, distance) in boards.into_iter().step_by(997) {
        let solution = solve(&solver, &board, &within(5, 2));
        assert!((solution.lower_bound..=solution.cost).contains(&distance));
    }
}

#[test]
fn korfs_15_puzzles_are_solved_optimally_with_time_enough() {
    let solver = with_quick_tables(&goal(&Goal::BlankFirst, "4x4"));
    let mut boards = korf15();
    // The easier half: those with the shortest solutions.
    boards.sort_by_key(|&(_, optimal)| optimal);
    for (board, optimal) in &boards[..50] {
        let solution = solve(&solver, board, &within(600_000, 2));
        assert_eq!(solution.cost, *optimal, "{board}");
        assert!(solution.proof.is_optimal());
    }
}

#[test]
fn korfs_15_puzzles_lie_between_the_bound_and_the_length_without_tables() {
    let solver = GoalSolver::without_tables(&goal(&Goal::BlankFirst, "4x4"));
    for (board, optimal) in korf15() {
        let solution = solve(&solver, &board, &Effort::first());
        assert!((solution.lower_bound..=solution.cost).contains(&optimal));
    }
}

#[test]
fn the_24_puzzles_lie_between_the_bound_and_the_length() {
    let goal = goal(&Goal::BlankFirst, "5x5");
    for solver in [GoalSolver::without_tables(&goal), with_quick_tables(&goal)] {
        for (board, optimal) in korf24() {
            let solution = solve(&solver, &board, &within(20, 2));
            assert!((solution.lower_bound..=solution.cost).contains(&optimal));
        }
    }
}

#[test]
fn without_a_limit_the_solution_is_optimal() {
    let goal = goal(&Goal::Snake, "3x4");
    let solver = with_quick_tables(&goal);
    let board = taquin::uniform(&goal, &mut taquin::Rng::from_seed(3));
    let effort = Effort {
        aim: taquin::solve::Aim::Best,
        ..Effort::default()
    };
    assert!(solve(&solver, &board, &effort).proof.is_optimal());
}
