use super::*;
use crate::{Goal, Rng, Size, random_walk};

#[test]
fn every_algorithm_solves_through_the_front_door() {
    for size in [Size::new(3, 3).unwrap(), Size::new(3, 6).unwrap()] {
        let goal = Goal::Snail.board(size).unwrap();
        let laboratory = Laboratory::strongest(&goal, Cost::Unit).unwrap();
        let walk = random_walk(&goal, 10, &mut Rng::from_seed(1));
        let board = goal.after(&walk).unwrap();
        let shortest = laboratory.search(&board, Algorithm::Bfs, &Limits::default());
        let Outcome::Solved(shortest) = shortest.unwrap().outcome else {
            panic!("no limit was set");
        };
        for algorithm in Algorithm::ALL {
            let report = laboratory.search(&board, algorithm, &Limits::default());
            let Outcome::Solved(solution) = report.unwrap().outcome else {
                panic!("no limit was set");
            };
            assert_eq!(board.after(&solution.moves), Ok(goal.clone()));
            if algorithm.is_optimal(Cost::Unit) {
                assert!(solution.proof.is_optimal(), "{algorithm:?}");
                assert_eq!(solution.cost, shortest.cost, "{algorithm:?}");
            }
        }
    }
}

#[test]
fn tables_that_are_too_large_are_refused() {
    let goal = Goal::Classic.board(Size::new(3, 3).unwrap()).unwrap();
    let limited =
        |limit| Laboratory::with_limit(&goal, Cost::Unit, HeuristicKind::WalkingDistance, limit);
    assert!(limited(104).is_err());
    assert!(limited(105).is_ok());
}

#[test]
fn unsolvable_boards_are_refused_by_every_algorithm() {
    let board: Board = "1 2 3/4 5 6/8 7 0".parse().unwrap();
    let goal = Goal::Classic.board(board.size()).unwrap();
    let laboratory = Laboratory::strongest(&goal, Cost::Unit).unwrap();
    for algorithm in Algorithm::ALL {
        let refused = laboratory.search(&board, algorithm, &Limits::default());
        assert!(
            matches!(refused, Err(LaboratoryError::Unsolvable(_))),
            "{algorithm:?}"
        );
    }
    let small: Board = "1 2/3 0".parse().unwrap();
    let refused = laboratory.search(&small, Algorithm::Bfs, &Limits::default());
    assert!(matches!(refused, Err(LaboratoryError::Size(_))));
}
