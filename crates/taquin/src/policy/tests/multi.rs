//! Multi-tile moves: a slide of several tiles counts once.

use std::time::Duration;

use super::{FARTHEST, board, goal, heard, scramble, solution, wants};
use crate::outcome::{Budget, Limit, Limits};
use crate::policy::puzzle::Puzzle;
use crate::policy::shortest::Plan;
use crate::policy::{AllShortest, Coach, Ending, Request, SearchedBy, Solver, Want};
use crate::space::Space;
use crate::tables::Tier;
use crate::{Board, Goal, Metric, Move};

fn request(board: &Board, want: Want) -> Request {
    Request {
        want,
        metric: Metric::Multi,
        ..Request::new(board.clone())
    }
}

#[test]
fn every_want_counts_slides() {
    let solver = Solver::in_memory();
    for (size, goal) in [
        ("2x2", Goal::Classic),
        ("2x4", Goal::BlankFirst),
        ("3x3", Goal::Snail),
        ("3x3", Goal::Classic),
    ] {
        let goal_board = goal.board(size.parse().unwrap()).unwrap();
        let space = Space::new(&goal_board, Metric::Multi).unwrap();
        let atlas = space.search(1, &Budget::default()).unwrap();
        let board = crate::uniform(&goal_board, &mut crate::Rng::from_seed(7));
        let distance = atlas.distance(&board).unwrap();
        for want in wants() {
            let request = Request {
                goal: goal.clone(),
                ..request(&board, want)
            };
            let answer = solver.solve(&request).unwrap();
            let found = solution(&answer, &request);
            assert!(
                found.lower_bound <= distance && distance <= found.cost,
                "{want:?}"
            );
            if want != Want::First {
                assert_eq!(found.cost, distance, "{size} {want:?}");
            }
        }
    }
}

#[test]
fn all_shortest_solutions_are_listed_and_counted_in_slides() {
    let solver = Solver::in_memory();
    let all = AllShortest {
        list: Some(1000),
        count: true,
    };
    let request = request(&board(FARTHEST), Want::All(all));
    let answer = solver.solve(&request).unwrap();
    let cost = solution(&answer, &request).cost;
    let list = answer.list.unwrap();
    assert_eq!(answer.count, Some(list.len() as u64));
    assert!(
        list.iter()
            .all(|moves| moves.length(Metric::Multi) as u32 == cost)
    );
    let single = Request {
        metric: Metric::Single,
        ..request
    };
    assert_eq!(solver.solve(&single).unwrap().count, Some(40));
}

#[test]
fn each_metric_has_tables_of_its_own() {
    let (solver, listener) = heard();
    let board = board(FARTHEST);
    for _ in 0..2 {
        for metric in [Metric::Multi, Metric::Single] {
            let request = Request {
                metric,
                ..Request::new(board.clone())
            };
            let answer = solver.solve(&request).unwrap();
            let name = match metric {
                Metric::Single => "pdb:full",
                Metric::Multi => "classes:full",
            };
            assert_eq!(answer.heuristic.as_deref(), Some(name));
        }
    }
    let built = [
        "building the full tables of multi-tile moves for 3x3",
        "building the full tables of 3x3",
    ];
    assert_eq!(listener.built(), built);
    let multi = Puzzle {
        goal: &goal("3x3"),
        metric: Metric::Multi,
    };
    assert!(solver.pool.at_hand(multi, Tier::Full).is_some());
}

#[test]
fn quick_tables_that_take_too_long_give_way_to_the_full_ones() {
    let solver = Solver::in_memory().with_threads(2);
    let goal = goal("2x7");
    let puzzle = Puzzle {
        goal: &goal,
        metric: Metric::Multi,
    };
    assert_eq!(solver.plan(puzzle).tier, Tier::Quick);
    let impatient = Plan {
        tier: Tier::Quick,
        patience: Some(Duration::from_millis(1)),
    };
    solver.plans.lock().unwrap().insert(puzzle.key(), impatient);
    let request = request(&scramble("2x7", 3), Want::Shortest);
    let answer = solver.solve(&request).unwrap();
    assert!(answer.is_optimal());
    let cost = solution(&answer, &request).cost;
    assert_eq!(answer.heuristic.as_deref(), Some("classes:full"));
    let abandoned = answer.abandoned.unwrap();
    assert_eq!(abandoned.heuristic, "classes:quick");
    assert_eq!(solver.plan(puzzle).tier, Tier::Full);

    let patient = Request {
        tables: Some(Tier::Quick),
        ..request
    };
    let answer = solver.solve(&patient).unwrap();
    assert_eq!(solution(&answer, &patient).cost, cost);
}

#[test]
fn limits_are_in_slides_and_hold() {
    let solver = Solver::in_memory();
    let board = board(FARTHEST);
    let shortest = request(&board, Want::Shortest);
    let length = solution(&solver.solve(&shortest).unwrap(), &shortest).cost;
    let limited = |limits: Limits| {
        let request = Request {
            limits,
            ..request(&board, Want::Shortest)
        };
        solver.solve(&request).unwrap().ending
    };
    let too_short = limited(Limits {
        cost: Some(length - 1),
        ..Limits::default()
    });
    let limit = Limit::Cost;
    assert_eq!(
        too_short,
        Ending::Stopped {
            limit,
            lower_bound: length
        }
    );
    let few_nodes = limited(Limits {
        nodes: Some(3),
        ..Limits::default()
    });
    assert!(matches!(
        few_nodes,
        Ending::Stopped { limit: Limit::Nodes, lower_bound } if lower_bound <= length
    ));
}

#[test]
fn large_boards_get_good_solutions_with_a_bound() {
    let solver = Solver::in_memory().with_threads(2);
    for (size, want) in [
        ("5x5", Want::Within(Duration::from_millis(150))),
        ("4x7", Want::First),
        ("12x12", Want::First),
        ("9x11", Want::Within(Duration::from_millis(150))),
    ] {
        let request = request(&scramble(size, 3), want);
        let answer = solver.solve(&request).unwrap();
        let found = solution(&answer, &request);
        assert!(found.lower_bound > 0, "{size}");
        assert!(matches!(
            answer.searched_by,
            SearchedBy::Anytime | SearchedBy::First
        ));
    }
}

#[test]
fn a_large_board_near_the_goal_is_proven_optimal() {
    let mut board = goal("6x6");
    for (m, tiles) in [
        (Move::Down, 3),
        (Move::Right, 2),
        (Move::Up, 1),
        (Move::Right, 3),
    ] {
        for _ in 0..tiles {
            board.slide(m).unwrap();
        }
    }
    let request = request(&board, Want::Solution);
    let answer = Solver::in_memory().solve(&request).unwrap();
    assert_eq!(solution(&answer, &request).cost, 4);
    assert!(answer.is_optimal());
}

#[test]
fn a_coach_counts_slides_and_knows_the_way_on() {
    let solver = Solver::in_memory();
    let mut board = board(FARTHEST);
    let shortest = request(&board, Want::Shortest);
    let mut remaining = solution(&solver.solve(&shortest).unwrap(), &shortest).cost;
    let within = Duration::from_secs(10);
    let mut coach = Coach::new(Goal::Classic, within).in_metric(Metric::Multi);
    let limits = Limits::default();
    while let hint = coach.hint(&solver, &board, &limits).unwrap()
        && let Some(next) = hint.next
    {
        assert!(hint.is_optimal());
        assert_eq!(hint.remaining, remaining);
        assert_eq!(hint.moves.length(Metric::Multi) as u32, remaining);
        for _ in 0..hint.tiles {
            board.slide(next).unwrap();
        }
        // Half a slide is a move too, and the rest of it another one: the coach thinks again.
        if hint.tiles > 1 {
            let mut half = board.clone();
            half.slide(next.opposite()).unwrap();
            let mut other = coach.clone();
            assert!(other.recall(&half).is_none());
            let hint = other.hint(&solver, &half, &limits).unwrap();
            assert!(hint.is_optimal() && hint.remaining >= remaining - 1);
        }
        assert!(coach.clone().recall(&board).is_some());
        remaining -= 1;
    }
    assert_eq!((board, remaining), (goal("3x3"), 0));
}
