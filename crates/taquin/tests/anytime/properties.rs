//! What holds for every rectangle and every goal.

use proptest::prelude::*;
use taquin::solve::{Effort, GoalSolver};
use taquin::{Board, Goal, Rng, Size, random_walk_end, uniform};

use super::support::{classic, goal, solve, with_quick_tables, within};

/// A goal of any kind, up to so many rows and columns, and a board that can reach it: drawn
/// uniformly, or near.
pub(crate) fn puzzles(most: usize) -> impl Strategy<Value = (Board, Board)> {
    let sides = (2..=most, 2..=most);
    (sides, 0..5_usize, any::<u64>(), 0..60_usize).prop_map(
        |((rows, columns), kind, seed, walk)| {
            let size = Size::new(rows, columns).unwrap();
            let mut rng = Rng::from_seed(seed);
            let goal = match Goal::NAMED.get(kind) {
                Some(goal) => goal.board(size).unwrap(),
                None => uniform(&Goal::Classic.board(size).unwrap(), &mut rng),
            };
            let board = if walk < 40 {
                uniform(&goal, &mut rng)
            } else {
                random_walk_end(&goal, walk - 40, &mut rng)
            };
            (goal, board)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn there_is_a_first_solution_of_every_board((goal, board) in puzzles(30)) {
        solve(&GoalSolver::without_tables(&goal), &board, &Effort::first());
    }

    #[test]
    fn there_is_a_solution_of_every_board_in_a_little_time((goal, board) in puzzles(30)) {
        solve(&GoalSolver::without_tables(&goal), &board, &within(20, 2));
    }

    #[test]
    fn tables_help_with_every_small_board((goal, board) in puzzles(4)) {
        let solution = solve(&with_quick_tables(&goal), &board, &within(60_000, 2));
        prop_assert!(solution.proof.is_optimal());
    }
}

#[test]
fn the_same_effort_on_one_thread_gives_the_same_solution() {
    for size in ["5x5", "6x6", "9x9"] {
        let goal = classic(size);
        let solver = GoalSolver::without_tables(&goal);
        let board = uniform(&goal, &mut Rng::from_seed(4));
        let first = solve(&solver, &board, &Effort::first());
        assert_eq!(first, solve(&solver, &board, &Effort::first()));
    }
}

#[test]
fn more_time_and_more_nodes_never_give_a_longer_solution_than_the_first() {
    let goal = classic("7x7");
    let solver = GoalSolver::without_tables(&goal);
    for seed in 0..4 {
        let board = uniform(&goal, &mut Rng::from_seed(seed));
        let first = solve(&solver, &board, &Effort::first());
        let better = solve(&solver, &board, &within(300, 2));
        assert!(better.cost <= first.cost);
    }
}

#[test]
fn a_board_of_255_by_255_is_solved() {
    let goal = goal(&Goal::Classic, "255x255");
    let board = uniform(&goal, &mut Rng::from_seed(1));
    solve(&GoalSolver::without_tables(&goal), &board, &Effort::first());
}
