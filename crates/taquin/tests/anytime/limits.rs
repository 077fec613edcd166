//! Limits end the search, not the answer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use taquin::solve::{Aim, Effort, EngineError, GoalSolver};
use taquin::{Limits, Rng, uniform};

use super::support::{classic, solve, with_quick_tables, within};

const SIZES: [&str; 7] = ["2x2", "2x7", "4x4", "5x5", "6x6", "10x10", "13x21"];

fn each(effort: &Effort) {
    for size in SIZES {
        let goal = classic(size);
        let board = uniform(&goal, &mut Rng::from_seed(8));
        solve(&GoalSolver::without_tables(&goal), &board, effort);
    }
}

fn best(limits: Limits) -> Effort {
    Effort {
        limits,
        threads: 2,
        aim: Aim::Best,
    }
}

#[test]
fn no_time_at_all_gives_a_solution() {
    each(&within(0, 1));
    each(&within(0, 2));
}

#[test]
fn a_search_that_is_cancelled_before_it_begins_gives_a_solution() {
    each(&best(Limits {
        cancel: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    }));
}

#[test]
fn a_search_that_is_cancelled_on_its_way_gives_the_best_so_far() {
    for size in ["5x5", "8x8", "20x20"] {
        let goal = classic(size);
        let solver = GoalSolver::without_tables(&goal);
        let board = uniform(&goal, &mut Rng::from_seed(8));
        let cancel = Arc::new(AtomicBool::new(false));
        let effort = best(Limits {
            cancel: Some(Arc::clone(&cancel)),
            time: Some(Duration::from_secs(600)),
            ..Limits::default()
        });
        let begin = Instant::now();
        let mut seen = 0;
        let report = solver.improve(&board, &effort, &mut |_| {
            seen += 1;
            if seen == 2 {
                cancel.store(true, std::sync::atomic::Ordering::Relaxed);
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
fn few_nodes_and_little_memory_are_enough() {
    each(&best(Limits {
        nodes: Some(1),
        ..Limits::default()
    }));
    each(&best(Limits {
        nodes: Some(5000),
        ..Limits::default()
    }));
    each(&best(Limits {
        memory: Some(1),
        time: Some(Duration::from_millis(20)),
        ..Limits::default()
    }));
}

#[test]
fn an_unsolvable_board_is_refused_with_the_reason() {
    for size in ["3x3", "6x6", "40x40"] {
        let goal = classic(size);
        let board = goal.with_swapped(1, 2).unwrap();
        let solver = GoalSolver::without_tables(&goal);
        let refused = solver.solve(&board, &Effort::first());
        assert!(matches!(refused, Err(EngineError::Unsolvable(_))));
    }
}

#[test]
fn a_shortest_solution_needs_tables() {
    let goal = classic("3x3");
    let board = uniform(&goal, &mut Rng::from_seed(1));
    let refused = GoalSolver::without_tables(&goal).solve(&board, &Effort::default());
    assert!(matches!(refused, Err(EngineError::NoTables)));
    assert!(
        with_quick_tables(&goal)
            .solve(&board, &Effort::default())
            .is_ok()
    );
}
