//! Searches that are stopped, and searches on several threads.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use taquin::solve::Effort;
use taquin::{Board, Limit, Outcome, Progress, Rng, Solvability, random_walk_end, uniform};

use crate::support::{check_totals, classic, length, limited, solver, threads};

/// Eighty moves, as far as it gets.
const FAR: &str = "0 12 9 13 15 11 10 14 3 7 6 2 4 8 5 1";

fn far() -> Board {
    FAR.parse().unwrap()
}

#[test]
fn complete_iterations_count_the_same_on_any_number_of_threads() {
    let goal = classic("4x4");
    let solver = solver(&goal);
    let mut rng = Rng::from_seed(11);
    let mut boards = vec![far()];
    boards.extend((0..4).map(|_| uniform(&goal, &mut rng)));
    for board in boards {
        let estimate = solver.estimate(&board).unwrap();
        // Below the length, so that no iteration is cut short.
        let cost = if board == far() {
            estimate + 6
        } else {
            length(&solver, &board, &threads(2)) - 2
        };
        let run = |threads| {
            let effort = limited(threads, |limits| limits.cost = Some(cost));
            let report = solver.solve(&board, &effort).unwrap();
            check_totals(&report);
            let expected = Outcome::Stopped {
                limit: Limit::Cost,
                lower_bound: cost + 2,
            };
            assert_eq!(report.outcome, expected, "{board}");
            report.statistics
        };
        if cost < estimate {
            continue;
        }
        let one = run(1);
        assert_eq!(one.iterations.len() as u32, (cost - estimate) / 2 + 1);
        assert!(one.expanded > 0);
        for threads in [0, 2, 3, 7] {
            let several = run(threads);
            assert_eq!(
                several.iterations, one.iterations,
                "{board}, {threads} threads"
            );
            assert_eq!(several.expanded, one.expanded);
            assert_eq!(several.generated, one.generated);
        }
    }
}

#[test]
fn threads_agree_in_length() {
    let goal = classic("4x4");
    let solver = solver(&goal);
    let mut rng = Rng::from_seed(12);
    for _ in 0..12 {
        let board = random_walk_end(&goal, 120, &mut rng);
        let lengths = [1, 2, 3, 8].map(|count| length(&solver, &board, &threads(count)));
        assert_eq!(lengths, [lengths[0]; 4], "{board}");
    }
}

#[test]
fn no_more_nodes_are_expanded_than_allowed() {
    let solver = solver(&classic("4x4"));
    let estimate = solver.estimate(&far()).unwrap();
    for nodes in [0, 1, 5, 31, 100, 2047, 2049, 10_000, 100_000, 300_000] {
        for threads in [1, 2, 3] {
            let effort = limited(threads, |limits| limits.nodes = Some(nodes));
            let report = solver.solve(&far(), &effort).unwrap();
            check_totals(&report);
            let expanded = report.statistics.expanded;
            assert!(
                expanded <= nodes,
                "{expanded} of {nodes}, {threads} threads"
            );
            let Outcome::Stopped { limit, lower_bound } = report.outcome else {
                panic!("{nodes} nodes are too few");
            };
            assert_eq!(limit, Limit::Nodes);
            assert!((estimate..=80).contains(&lower_bound), "{lower_bound}");
        }
    }
}

#[test]
fn nodes_that_are_enough_are_enough() {
    let goal = classic("4x4");
    let solver = solver(&goal);
    let mut rng = Rng::from_seed(13);
    for _ in 0..10 {
        let board = random_walk_end(&goal, 80, &mut rng);
        let free = solver.solve(&board, &threads(1)).unwrap();
        let nodes = free.statistics.expanded;
        // One thread does the same again, node by node.
        let effort = limited(1, |limits| limits.nodes = Some(nodes + 1));
        let report = solver.solve(&board, &effort).unwrap();
        assert_eq!(report.outcome, free.outcome, "{board}");
        assert_eq!(
            report.statistics.iterations, free.statistics.iterations,
            "{board}"
        );
    }
}

#[test]
fn a_bound_that_is_proven_before_a_limit_is_never_above_the_length() {
    let goal = classic("4x4");
    let solver = solver(&goal);
    let mut rng = Rng::from_seed(14);
    for i in 0..60 {
        let board = uniform(&goal, &mut rng);
        let progress = Arc::new(Progress::default());
        let effort = limited(i % 3 + 1, |limits| {
            limits.nodes = Some(rng.below(20_000) as u64);
            limits.progress = Some(progress.clone());
        });
        let report = solver.solve(&board, &effort).unwrap();
        check_totals(&report);
        let bound = match report.outcome {
            Outcome::Stopped { lower_bound, .. } => lower_bound,
            Outcome::Solved(solution) => solution.lower_bound,
            Outcome::NoSolution => panic!("{board}"),
        };
        assert_eq!(progress.lower_bound(), bound, "{board}");
        let estimate = solver.estimate(&board).unwrap();
        assert!(bound >= estimate && bound % 2 == estimate % 2, "{board}");
        if i % 6 == 0 {
            assert!(bound <= length(&solver, &board, &threads(2)), "{board}");
        }
    }
}

#[test]
fn the_clock_and_the_flag_stop_a_search_with_a_bound() {
    let solver = solver(&classic("4x4"));
    let estimate = solver.estimate(&far()).unwrap();
    let cancelled = Arc::new(AtomicBool::new(true));
    for threads in [1, 2] {
        let time = limited(threads, |limits| limits.time = Some(Duration::ZERO));
        let short = limited(threads, |limits| {
            limits.time = Some(Duration::from_millis(20));
        });
        let cancel = limited(threads, |limits| limits.cancel = Some(cancelled.clone()));
        for (effort, expected) in [
            (time, Limit::Time),
            (short, Limit::Time),
            (cancel, Limit::Cancelled),
        ] {
            let report = solver.solve(&far(), &effort).unwrap();
            check_totals(&report);
            let Outcome::Stopped { limit, lower_bound } = report.outcome else {
                panic!("{expected} was to stop it");
            };
            assert_eq!(limit, expected);
            assert!((estimate..=80).contains(&lower_bound));
            let all = solver.all(&far(), &effort, 1, true).unwrap();
            assert!(
                matches!(all.report.outcome, Outcome::Stopped { limit, .. } if limit == expected)
            );
            assert!(all.solutions.is_empty() && all.count.is_none());
        }
    }
}

#[test]
fn solutions_that_are_too_long_for_the_engine_have_a_limit_of_their_own() {
    let goal = classic("2x18");
    // Every row backwards: the tiles have 324 steps to go.
    let tiles: Vec<_> = goal.tiles().collect();
    let rows = tiles.chunks(18).map(|row| row.iter().rev().copied());
    let tiles: Vec<_> = rows.flatten().collect();
    let mut board = Board::from_tiles(goal.size(), &tiles).unwrap();
    if !Solvability::of(&board, &goal).unwrap().is_solvable() {
        board = board.with_swapped(1, 2).unwrap();
    }
    let solver = solver(&goal);
    let estimate = solver.estimate(&board).unwrap();
    assert!(estimate > 254, "{estimate}");
    for threads in [1, 2] {
        let report = solver.solve(&board, &self::threads(threads)).unwrap();
        let expected = Outcome::Stopped {
            limit: Limit::Length,
            lower_bound: estimate,
        };
        assert_eq!(report.outcome, expected);
        let all = solver.all(&board, &self::threads(threads), 1, true);
        assert_eq!(all.unwrap().report.outcome, expected);
    }
    // A limit on the cost that was set comes first.
    let cost = limited(1, |limits| limits.cost = Some(200));
    let report = solver.solve(&board, &cost).unwrap();
    assert!(matches!(
        report.outcome,
        Outcome::Stopped {
            limit: Limit::Cost,
            ..
        }
    ));
    // Good solutions are found all the same, with that bound.
    let report = solver.solve(&board, &Effort::first()).unwrap();
    let Outcome::Solved(solution) = report.outcome else {
        panic!("there always is one");
    };
    assert!(solution.cost > 254 && solution.lower_bound >= estimate);
}

#[test]
fn a_cost_limit_at_the_length_does_no_harm_and_one_below_the_estimate_costs_nothing() {
    let goal = classic("3x4");
    let solver = solver(&goal);
    let mut rng = Rng::from_seed(15);
    for _ in 0..20 {
        let board = random_walk_end(&goal, 60, &mut rng);
        let optimal = length(&solver, &board, &threads(1));
        let at = limited(1, |limits| limits.cost = Some(optimal));
        assert_eq!(length(&solver, &board, &at), optimal);
        let estimate = solver.estimate(&board).unwrap();
        if let Some(cost) = estimate.checked_sub(1) {
            let below = limited(1, |limits| limits.cost = Some(cost));
            let report = solver.solve(&board, &below).unwrap();
            assert_eq!(report.statistics.expanded, 0);
            let expected = Outcome::Stopped {
                limit: Limit::Cost,
                lower_bound: estimate,
            };
            assert_eq!(report.outcome, expected);
        }
    }
}
