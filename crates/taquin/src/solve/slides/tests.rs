//! Whole spaces as the judge.

use super::*;
use crate::outcome::{Limit, Limits};
use crate::space::Space;
use crate::{Goal, Rng, uniform};

fn solver(goal: &Board, tier: Tier) -> SlideSolver {
    SlideSolver::new(goal, tier, 2, &Budget::default()).unwrap()
}

/// The goal with 1, 2, 3 … in reading order and the blank in that cell.
fn goal(size: &str, blank: usize) -> Board {
    let size: Size = size.parse().unwrap();
    let mut tiles: Vec<_> = (1..size.cells() as u16).collect();
    tiles.insert(blank, 0);
    Board::from_tiles(size, &tiles).unwrap()
}

/// The fewest slides, by a solution that is replayed and counted.
fn slides(solver: &SlideSolver, board: &Board, effort: &Effort) -> u32 {
    let report = solver.solve(board, effort).unwrap();
    let Outcome::Solved(solution) = report.outcome else {
        panic!("{board}: no limit was set");
    };
    assert_eq!(board.after(&solution.moves).unwrap(), *solver.goal());
    assert_eq!(solution.moves.length(Metric::Multi) as u32, solution.cost);
    assert!(solution.proof.is_optimal());
    assert!(solver.estimate(board).unwrap() <= solution.cost, "{board}");
    solution.cost
}

/// Every board of a space, level by level.
fn every_board(goal: &Board) -> Vec<(Board, u32)> {
    let mut seen = std::collections::HashSet::from([goal.clone()]);
    let mut all = vec![(goal.clone(), 0)];
    let mut next = 0;
    while next < all.len() {
        let (board, distance) = all[next].clone();
        next += 1;
        for direction in board.legal_moves() {
            let mut after = board.clone();
            while after.slide(direction).is_ok() {
                if seen.insert(after.clone()) {
                    all.push((after.clone(), distance + 1));
                }
            }
        }
    }
    all
}

#[test]
fn every_board_of_small_spaces_is_solved_in_the_fewest_slides() {
    for size in ["2x2", "2x3", "3x2"] {
        for blank in 0..size.parse::<Size>().unwrap().cells() {
            check_boards(&goal(size, blank), Tier::Full, 1);
        }
    }
    // All other cells are mirror images of these two.
    for blank in [7, 2] {
        check_boards(&goal("2x4", blank), Tier::Full, 1);
    }
}

#[test]
fn boards_of_3x3_are_solved_in_the_fewest_slides() {
    for blank in [0, 5, 4] {
        check_boards(&goal("3x3", blank), Tier::Quick, 17);
    }
}

#[test]
#[ignore = "half a million searches"]
fn every_board_of_3x3_is_solved_in_the_fewest_slides() {
    for blank in [0, 5, 4] {
        check_boards(&goal("3x3", blank), Tier::Quick, 1);
    }
}

/// Solves every n-th board of a space.
fn check_boards(goal: &Board, tier: Tier, every: usize) {
    let solver = solver(goal, tier);
    for (board, distance) in every_board(goal).into_iter().step_by(every) {
        assert_eq!(slides(&solver, &board, &Effort::default()), distance);
    }
}

#[test]
fn boards_of_ten_and_twelve_cells_are_solved_in_the_fewest_slides() {
    for (size, blank, tier) in [
        ("2x5", 9, Tier::Full),
        ("5x2", 4, Tier::Quick),
        ("3x4", 11, Tier::Full),
        ("4x3", 4, Tier::Quick),
    ] {
        let goal = goal(size, blank);
        let space = Space::new(&goal, Metric::Multi).unwrap();
        let atlas = space.search(2, &Budget::default()).unwrap();
        let solver = solver(&goal, tier);
        let mut rng = Rng::from_seed(1);
        for threads in (0..200).map(|i| 1 + i % 2) {
            let board = uniform(&goal, &mut rng);
            let effort = Effort {
                threads,
                ..Effort::default()
            };
            let distance = atlas.distance(&board).unwrap();
            assert_eq!(slides(&solver, &board, &effort), distance, "{board}");
        }
    }
}

#[test]
fn limits_end_a_search_and_say_what_is_proven() {
    let goal = goal("4x3", 0);
    let solver = solver(&goal, Tier::Quick);
    let board = uniform(&goal, &mut Rng::from_seed(3));
    let length = slides(&solver, &board, &Effort::default());
    let with = |change: &dyn Fn(&mut Limits)| {
        let mut effort = Effort::default();
        change(&mut effort.limits);
        let report = solver.solve(&board, &effort).unwrap();
        (report.outcome, report.statistics.expanded)
    };
    let (outcome, _) = with(&|limits| limits.cost = Some(length - 1));
    let lower_bound = length;
    let limit = Limit::Cost;
    assert_eq!(outcome, Outcome::Stopped { limit, lower_bound });
    let (outcome, expanded) = with(&|limits| limits.nodes = Some(30));
    assert!(
        matches!(outcome, Outcome::Stopped { limit: Limit::Nodes, lower_bound } if lower_bound <= length)
    );
    assert!(expanded <= 30);
    let (outcome, _) = with(&|limits| limits.time = Some(std::time::Duration::ZERO));
    assert!(matches!(
        outcome,
        Outcome::Stopped {
            limit: Limit::Time,
            ..
        }
    ));
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let goal = goal("2x3", 5);
    let solver = solver(&goal, Tier::Quick);
    let swapped = goal.with_swapped(1, 2).unwrap();
    let refused = solver.solve(&swapped, &Effort::default());
    assert!(matches!(refused, Err(EngineError::Unsolvable(_))));
    let other = Goal::Classic.board("3x3".parse().unwrap()).unwrap();
    let refused = solver.solve(&other, &Effort::default());
    assert!(matches!(refused, Err(EngineError::Size(_))));
    let large = Goal::Classic.board("3x6".parse().unwrap()).unwrap();
    let refused = SlideSolver::new(&large, Tier::Quick, 1, &Budget::default());
    assert_eq!(
        refused.err(),
        Some(SlideSolverError::TooLarge { size: large.size() })
    );
}
