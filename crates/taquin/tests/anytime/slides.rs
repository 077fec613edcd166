//! The same promises in multi-tile moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use taquin::solve::{Aim, Effort, EngineError, GoalSolver};
use taquin::space::{Atlas, Space};
use taquin::{Board, Budget, Goal, Limits, Metric, Rng, uniform};

use super::properties::puzzles;
use super::support::{classic, goal, solve, with_quick_tables, within};

fn by_slides(goal: &Board) -> GoalSolver {
    GoalSolver::without_tables(goal).in_metric(Metric::Multi)
}

fn atlas(goal: &Board) -> Atlas {
    let space = Space::new(goal, Metric::Multi).expect("a small board");
    space
        .search(2, &Budget::default())
        .expect("no limit was set")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn there_is_a_first_solution_of_every_board((goal, board) in puzzles(20)) {
        solve(&by_slides(&goal), &board, &Effort::first());
    }

    #[test]
    fn there_is_a_solution_of_every_board_in_a_little_time((goal, board) in puzzles(20)) {
        solve(&by_slides(&goal), &board, &within(20, 2));
    }
}

#[test]
fn on_whole_spaces_the_truth_lies_between_the_bound_and_the_length() {
    let mut rng = Rng::from_seed(2);
    for (kind, size) in [
        (Goal::Classic, "2x2"),
        (Goal::Snail, "2x5"),
        (Goal::Classic, "3x3"),
        (Goal::Snail, "3x3"),
    ] {
        let goal = goal(&kind, size);
        let (solver, atlas) = (by_slides(&goal), atlas(&goal));
        for threads in [1, 2] {
            for _ in 0..20 {
                let board = uniform(&goal, &mut rng);
                let distance = atlas.distance(&board).expect("a board of the space");
                assert!(solver.estimate(&board).expect("a solvable board") <= distance);
                let solution = solve(&solver, &board, &within(5, threads));
                assert!((solution.lower_bound..=solution.cost).contains(&distance));
            }
        }
    }
}

#[test]
fn time_enough_finds_the_fewest_slides_of_a_small_board() {
    let goal = classic("3x3");
    let (solver, atlas) = (by_slides(&goal), atlas(&goal));
    let mut rng = Rng::from_seed(3);
    for _ in 0..5 {
        let board = uniform(&goal, &mut rng);
        // Nodes instead of time: the same on every machine.
        let effort = Effort {
            limits: Limits {
                nodes: Some(2_000_000),
                ..Limits::default()
            },
            threads: 1,
            aim: Aim::Best,
        };
        let solution = solve(&solver, &board, &effort);
        assert_eq!(Ok(solution.cost), atlas.distance(&board));
    }
}

#[test]
fn slides_are_fewer_where_slides_are_counted() {
    for size in ["5x5", "6x6"] {
        let goal = classic(size);
        let board = uniform(&goal, &mut Rng::from_seed(5));
        let steps = solve(&GoalSolver::without_tables(&goal), &board, &Effort::first());
        let slides = solve(&by_slides(&goal), &board, &Effort::first());
        assert!((slides.cost as usize) < steps.moves.length(Metric::Multi));
    }
}

#[test]
fn tables_of_single_tile_moves_do_not_matter() {
    let goal = classic("3x3");
    let board = uniform(&goal, &mut Rng::from_seed(6));
    let with = with_quick_tables(&goal).in_metric(Metric::Multi);
    let without = by_slides(&goal);
    assert_eq!(with.estimate(&board).ok(), without.estimate(&board).ok());
    let first = |solver| solve(solver, &board, &Effort::first());
    assert_eq!(first(&with), first(&without));
    let refused = with.solve(&board, &Effort::default());
    assert!(matches!(refused, Err(EngineError::NoTables)));
    assert_eq!(
        with.for_goal(&goal).expect("the same goal").metric(),
        Metric::Multi
    );
}

#[test]
fn limits_end_the_search_and_not_the_answer() {
    let best = |limits| Effort {
        limits,
        threads: 2,
        aim: Aim::Best,
    };
    let efforts = [
        within(0, 1),
        within(0, 2),
        best(Limits {
            cancel: Some(Arc::new(AtomicBool::new(true))),
            ..Limits::default()
        }),
        best(Limits {
            nodes: Some(1),
            ..Limits::default()
        }),
        best(Limits {
            nodes: Some(5000),
            ..Limits::default()
        }),
        best(Limits {
            memory: Some(1),
            time: Some(Duration::from_millis(20)),
            ..Limits::default()
        }),
    ];
    for size in [
        "2x2", "2x7", "4x4", "6x6", "10x10", "16x16", "2x40", "13x21",
    ] {
        let goal = classic(size);
        let board = uniform(&goal, &mut Rng::from_seed(8));
        for effort in &efforts {
            solve(&by_slides(&goal), &board, effort);
        }
    }
}

#[test]
fn a_search_that_is_cancelled_on_its_way_gives_the_best_so_far() {
    for size in ["5x5", "10x10", "20x20"] {
        let goal = classic(size);
        let board = uniform(&goal, &mut Rng::from_seed(8));
        let cancel = Arc::new(AtomicBool::new(false));
        let effort = Effort {
            limits: Limits {
                cancel: Some(Arc::clone(&cancel)),
                time: Some(Duration::from_secs(600)),
                ..Limits::default()
            },
            threads: 2,
            aim: Aim::Best,
        };
        let begin = Instant::now();
        let mut seen = 0;
        let report = by_slides(&goal).improve(&board, &effort, &mut |_| {
            seen += 1;
            if seen == 2 {
                cancel.store(true, Ordering::Relaxed);
            }
        });
        assert!(report.is_ok() && seen >= 2);
        assert!(
            begin.elapsed() < Duration::from_secs(300),
            "it was not obeyed"
        );
    }
}

#[test]
fn a_solved_board_takes_no_slides_and_a_slid_one_takes_one() {
    let goal = classic("5x5");
    let solver = by_slides(&goal);
    assert_eq!(solve(&solver, &goal, &Effort::first()).cost, 0);
    let board = goal
        .after(&"R3".parse().expect("moves"))
        .expect("legal moves");
    let solution = solve(&solver, &board, &Effort::first());
    assert_eq!((solution.cost, solution.lower_bound), (1, 1));
    assert!(solution.proof.is_optimal());
}
