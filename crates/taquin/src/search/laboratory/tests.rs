use super::*;
use crate::{Goal, Metric, Outcome, Rng, Size, random_walk};

#[test]
fn every_algorithm_solves_through_the_front_door_in_both_metrics() {
    for (size, counting) in [
        (Size::new(3, 3).unwrap(), Counting::Moves),
        (Size::new(3, 6).unwrap(), Counting::Moves),
        (Size::new(3, 3).unwrap(), Counting::Slides),
        (Size::new(3, 6).unwrap(), Counting::Slides),
    ] {
        let goal = Goal::Snail.board(size).unwrap();
        let laboratory = Laboratory::strongest(&goal, counting).unwrap();
        assert_eq!(laboratory.counting(), counting);
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
            assert_eq!(
                solution.moves.length(counting.metric()),
                solution.cost as usize
            );
            if algorithm.is_optimal(Cost::Unit) {
                assert!(solution.proof.is_optimal(), "{algorithm:?}");
                assert_eq!(solution.cost, shortest.cost, "{algorithm:?}");
            }
        }
    }
}

#[test]
fn a_search_that_is_watched_is_the_same_search() {
    struct Count(u64);
    impl<P: TilePuzzle> Observer<P> for Count {
        fn on(&mut self, event: SearchEvent<'_, P>) {
            self.0 += u64::from(matches!(event, SearchEvent::Expanded { .. }));
        }
    }
    let patterns = HeuristicKind::from_name("pdb:quick").unwrap();
    for (size, metric, heuristic) in [
        ((3, 3), Metric::Single, HeuristicKind::Manhattan),
        ((3, 3), Metric::Single, patterns),
        ((3, 6), Metric::Single, HeuristicKind::LinearConflict),
        ((3, 3), Metric::Multi, HeuristicKind::Max),
        ((3, 6), Metric::Multi, HeuristicKind::LinearConflict),
    ] {
        let size = Size::new(size.0, size.1).unwrap();
        let goal = Goal::Classic.board(size).unwrap();
        let laboratory = Laboratory::new(&goal, metric, heuristic).unwrap();
        let length = if metric == Metric::Single { 14 } else { 10 };
        let walk = random_walk(&goal, length, &mut Rng::from_seed(2));
        let board = goal.after(&walk).unwrap();
        for algorithm in Algorithm::ALL {
            let mut count = Count(0);
            let alone = laboratory.search(&board, algorithm, &Limits::default());
            let watched = laboratory.observe(&board, algorithm, &Limits::default(), &mut count);
            let (alone, watched) = (alone.unwrap(), watched.unwrap());
            assert_eq!(alone.outcome, watched.outcome, "{algorithm:?}");
            let expanded = (alone.statistics.expanded, watched.statistics.expanded);
            assert_eq!(expanded.0, expanded.1, "{algorithm:?} {heuristic}");
            // A path that is found again, piece by piece, is not told twice.
            let told = algorithm == Algorithm::Frontier || count.0 == expanded.1;
            assert!(told && count.0 > 0, "{algorithm:?} {heuristic}");
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

#[test]
fn a_weight_that_is_no_number_from_1_on_is_refused() {
    let goal = Goal::Classic.board(Size::new(3, 3).unwrap()).unwrap();
    let laboratory = Laboratory::new(&goal, Cost::Unit, HeuristicKind::Manhattan).unwrap();
    let weighted = |weight| laboratory.clone().with_weight(weight);
    for weight in [1.0, 1.5, 1e6] {
        assert!(weighted(weight).is_ok(), "{weight}");
    }
    for weight in [f64::NAN, 0.999, 0.0, -2.0, 1e6 + 1.0, f64::INFINITY] {
        let refused = weighted(weight).unwrap_err();
        assert!(
            refused
                .to_string()
                .starts_with("a weight is a number from 1 to 1000000, not ")
        );
    }
}

#[test]
fn a_proof_goes_on_from_what_is_known() {
    // 31 moves, the farthest; an estimate of 21.
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let goal = Goal::Classic.board(board.size()).unwrap();
    let laboratory = Laboratory::new(&goal, Cost::Unit, HeuristicKind::Manhattan).unwrap();
    for proven in [0, 21, 26, 27, 31] {
        let report = laboratory
            .go_on(&board, proven, &Limits::default())
            .unwrap();
        let iterations = report.statistics.iterations;
        assert_eq!(iterations[0].threshold, proven.max(21));
        assert!(iterations.is_sorted_by_key(|iteration| iteration.threshold));
        let Outcome::Solved(solution) = report.outcome else {
            panic!("no limit was set");
        };
        assert_eq!((solution.cost, solution.lower_bound), (31, 31));
    }
    let limits = Limits {
        nodes: Some(0),
        ..Limits::default()
    };
    let stopped = laboratory.go_on(&board, 29, &limits).unwrap();
    assert!(matches!(
        stopped.outcome,
        Outcome::Stopped {
            lower_bound: 29,
            ..
        }
    ));
}

#[test]
fn a_proof_in_slides_goes_on_from_what_is_known() {
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let goal = Goal::Classic.board(board.size()).unwrap();
    let laboratory = Laboratory::new(&goal, Metric::Multi, HeuristicKind::Max).unwrap();
    let known = laboratory.search(&board, Algorithm::Astar, &Limits::default());
    let Outcome::Solved(known) = known.unwrap().outcome else {
        panic!("no limit was set");
    };
    for proven in [0, known.cost - 2, known.cost] {
        let report = laboratory
            .go_on(&board, proven, &Limits::default())
            .unwrap();
        assert!(report.statistics.iterations[0].threshold >= proven);
        let Outcome::Solved(solution) = report.outcome else {
            panic!("no limit was set");
        };
        assert_eq!(solution.cost, known.cost);
    }
}
