//! What holds for the estimates of pattern databases, whatever the board.

use std::sync::LazyLock;

use proptest::prelude::*;
use taquin::solve::{Effort, GoalSolver};
use taquin::tables::{Catalogue, TableSet, Tier};
use taquin::{Board, Budget, Goal, Moves, Outcome, Rng, random_walk, uniform};

/// Solvers of several shapes, for goals with the blank in a corner, at an edge and inside.
static SOLVERS: LazyLock<Vec<GoalSolver>> = LazyLock::new(|| {
    let solver = |(size, goal): (&str, Goal)| {
        let goal = goal.board(size.parse().unwrap()).unwrap();
        let catalogue = Catalogue::for_goal(&goal, Tier::Quick).unwrap();
        let tables = TableSet::build(catalogue, 2, &Budget::default()).unwrap();
        GoalSolver::new(&goal, &tables).unwrap()
    };
    let edge: Board = "7 3 11 2/5 0 9 1/4 10 8 6".parse().unwrap();
    let goals = [
        ("2x4", Goal::Classic),
        ("3x3", Goal::Snail),
        ("3x4", Goal::Board(edge)),
        ("5x2", Goal::Snake),
        ("2x7", Goal::BlankFirst),
        ("4x4", Goal::Classic),
        ("4x4", Goal::BlankFirst),
        ("4x4", Goal::Snail),
        ("4x4", Goal::Snake),
        ("3x5", Goal::Snail),
    ];
    goals.into_iter().map(solver).collect()
});

/// A solver and a walk from its goal.
fn walks(longest: usize) -> impl Strategy<Value = (&'static GoalSolver, Moves)> {
    let walk = (0..SOLVERS.len(), 0..=longest, any::<u64>());
    walk.prop_map(|(i, length, seed)| {
        let solver = &SOLVERS[i];
        let walk = random_walk(solver.goal(), length, &mut Rng::from_seed(seed));
        (solver, walk)
    })
}

proptest! {
    #[test]
    fn no_estimate_exceeds_a_walk_and_both_are_odd_or_even((solver, walk) in walks(120)) {
        let board = solver.goal().after(&walk).unwrap();
        let estimate = solver.estimate(&board).unwrap() as usize;
        prop_assert!(estimate <= walk.len());
        prop_assert_eq!(estimate % 2, walk.len() % 2);
    }

    #[test]
    fn every_move_changes_an_estimate_by_one(i in 0..SOLVERS.len(), seed: u64) {
        let solver = &SOLVERS[i];
        let board = uniform(solver.goal(), &mut Rng::from_seed(seed));
        let estimate = solver.estimate(&board).unwrap();
        prop_assert_eq!(estimate == 0, &board == solver.goal());
        for m in board.legal_moves() {
            let mut next = board.clone();
            next.slide(m).unwrap();
            prop_assert_eq!(estimate.abs_diff(solver.estimate(&next).unwrap()), 1);
        }
    }

    #[test]
    fn solutions_are_no_longer_than_walks_and_estimates_follow_them((solver, walk) in walks(50)) {
        let mut board = solver.goal().after(&walk).unwrap();
        let report = solver.solve(&board, &Effort::default()).unwrap();
        let Outcome::Solved(solution) = report.outcome else {
            return Err(TestCaseError::fail("no limit was set"));
        };
        prop_assert!(solution.moves.len() <= walk.len());
        prop_assert_eq!(solution.moves.len() % 2, walk.len() % 2);
        let mut estimate = solver.estimate(&board).unwrap();
        for (m, left) in solution.moves.iter().zip((0..solution.cost).rev()) {
            board.slide(*m).unwrap();
            let next = solver.estimate(&board).unwrap();
            prop_assert!(next.abs_diff(estimate) == 1 && next <= left);
            estimate = next;
        }
        prop_assert_eq!(&board, solver.goal());
    }
}
