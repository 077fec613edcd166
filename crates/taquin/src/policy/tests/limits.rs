//! Limits end searches, builds and waits.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use super::{FARTHEST, board, goal, heard, request, scramble, solution, wants};
use crate::Metric;
use crate::domain::Cost;
use crate::heuristic::HeuristicKind;
use crate::outcome::{Budget, Limit, Limits};
use crate::policy::puzzle::Puzzle;
use crate::policy::{
    Answer, Ending, LaboratoryChoice, Request, SearchedBy, SolveError, Solver, Want,
};
use crate::search::Algorithm;
use crate::supply::{BuildObserver, TableSource};
use crate::tables::Tier;

fn cancelled() -> Limits {
    Limits {
        cancel: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    }
}

/// The limit that stopped a search, and what it had proven.
fn stopped(answer: &Answer) -> (Limit, u32) {
    match answer.ending {
        Ending::Stopped { limit, lower_bound } => (limit, lower_bound),
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn no_time_stops_the_search_for_a_shortest_solution_with_a_sound_bound() {
    let solver = Solver::in_memory();
    let request = Request {
        limits: Limits::within(Duration::ZERO),
        ..request(&board(FARTHEST), Want::Shortest)
    };
    // First while the tables are built, then while they are used.
    for is_ready in [false, true] {
        if is_ready {
            let size = request.board.size();
            let ready = solver.warm_up(&request.goal, size, Metric::Single, &Limits::default());
            ready.unwrap();
        }
        let answer = solver.solve(&request).unwrap();
        let (limit, lower_bound) = stopped(&answer);
        assert_eq!(limit, Limit::Time);
        assert!((15..=31).contains(&lower_bound), "{lower_bound}");
        assert_eq!(lower_bound % 2, 1, "all solutions have the same parity");
        assert_eq!(answer.searched_by, SearchedBy::Engine);
        assert!(!answer.is_optimal());
    }
}

#[test]
fn tables_of_heuristics_obey_the_limits_too() {
    let solver = || Solver::in_memory().with_threads(1);
    for (size, name) in [("5x5", "walking-distance"), ("4x4", "pdb:7-8")] {
        for algorithm in [Algorithm::Idastar, Algorithm::Nbs] {
            let choice = LaboratoryChoice {
                algorithm,
                heuristic: HeuristicKind::from_name(name),
                ..LaboratoryChoice::default()
            };
            let solve = |solver: &Solver, limits| {
                let request = Request {
                    limits,
                    ..request(&scramble(size, 1), Want::Laboratory(choice))
                };
                stopped(&solver.solve(&request).unwrap()).0
            };
            assert_eq!(solve(&solver(), cancelled()), Limit::Cancelled, "{name}");
            let soon = Limits::within(Duration::from_millis(1));
            assert_eq!(solve(&solver(), soon), Limit::Time, "{name}");
        }
    }
    // Where there is no room for its tables, there is no walking distance.
    let cramped = solver().with_build_room(1 << 20);
    let (goal, kind) = (goal("4x5"), HeuristicKind::WalkingDistance);
    let refused = cramped.laboratory(&goal, Cost::Unit, kind, &Budget::default());
    let Err(SolveError::Heuristic(refused)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(refused.stopped_by(), Some(Limit::Memory));
}

#[test]
fn a_flag_that_is_set_stops_everything() {
    for is_ready in [false, true] {
        let (solver, listener) = heard();
        for size in ["3x3", "4x4", "6x6"] {
            let board = scramble(size, 3);
            if is_ready {
                let goal = crate::Goal::Classic;
                let ready = solver.warm_up(&goal, board.size(), Metric::Single, &Limits::default());
                ready.unwrap();
                listener.built();
            }
            for want in wants() {
                let begin = Instant::now();
                let request = Request {
                    limits: cancelled(),
                    ..request(&board, want)
                };
                let answer = solver.solve(&request).unwrap();
                let is_large = board.size().cells() > Want::SMALL_CELLS;
                match want {
                    // These have a solution at once, and stop with it.
                    Want::Within(_) | Want::First => drop(solution(&answer, &request)),
                    Want::Solution if is_large => drop(solution(&answer, &request)),
                    _ => assert_eq!(stopped(&answer).0, Limit::Cancelled, "{want:?}"),
                }
                assert!(begin.elapsed() < Duration::from_secs(10), "{want:?}");
            }
            if !is_ready {
                let tables = solver
                    .pool
                    .at_hand(Puzzle::single(&goal(size)), Tier::Quick);
                assert!(tables.is_none(), "the build went on");
            }
        }
    }
}

#[test]
fn tables_that_were_asked_for_are_given_up_by_the_flag_but_not_by_the_clock() {
    let solver = Solver::in_memory();
    let asked = |limits| Request {
        tables: Some(Tier::Quick),
        limits,
        ..request(&board(FARTHEST), Want::Shortest)
    };
    let answer = solver.solve(&asked(cancelled())).unwrap();
    assert_eq!(stopped(&answer).0, Limit::Cancelled);
    assert!(
        solver
            .pool
            .at_hand(Puzzle::single(&goal("3x3")), Tier::Quick)
            .is_none()
    );
    // The clock starts when they are there.
    let answer = solver
        .solve(&asked(Limits::within(Duration::ZERO)))
        .unwrap();
    assert_eq!(stopped(&answer).0, Limit::Time);
    assert_eq!(answer.heuristic.as_deref(), Some("pdb:quick"));
    assert!(
        solver
            .pool
            .at_hand(Puzzle::single(&goal("3x3")), Tier::Quick)
            .is_some()
    );
}

#[test]
fn nodes_and_cost_are_limits_too() {
    let solver = Solver::in_memory();
    let board = scramble("4x4", 2);
    for want in [
        Want::Shortest,
        Want::Laboratory(LaboratoryChoice::default()),
    ] {
        for (limit, limits) in [
            (
                Limit::Nodes,
                Limits {
                    nodes: Some(10),
                    ..Limits::default()
                },
            ),
            (
                Limit::Cost,
                Limits {
                    cost: Some(20),
                    ..Limits::default()
                },
            ),
        ] {
            let request = Request {
                limits,
                ..request(&board, want)
            };
            let answer = solver.solve(&request).unwrap();
            assert_eq!(stopped(&answer).0, limit, "{want:?}");
        }
    }
}

/// Builds nothing until it must stop.
struct Endless;

impl BuildObserver for Endless {
    fn building(
        &self,
        _: &str,
        _: &(dyn Fn() -> u64 + Sync),
        budget: &Budget,
        _: &mut dyn FnMut(),
    ) {
        while budget.check().is_ok() {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

#[test]
fn a_board_that_is_solved_optimally_waits_for_no_tables() {
    let source = TableSource::in_memory().with_observer(Arc::new(Endless));
    let solver = Solver::with_source(source);
    let mut near = goal("5x5");
    near.slide(crate::Move::Down).unwrap();
    let long = Duration::from_secs(300);
    let begin = Instant::now();
    let request = request(&near, Want::Within(long));
    let answer = solver.solve(&request).unwrap();
    assert_eq!(solution(&answer, &request).cost, 1);
    assert!(answer.is_optimal());
    assert!(begin.elapsed() < long / 2, "it waited");
}

#[test]
fn one_thread_gives_up_its_wait_while_another_one_builds() {
    let source = TableSource::in_memory().with_observer(Arc::new(Endless));
    let solver = Solver::with_source(source);
    let cancel = Arc::new(AtomicBool::new(false));
    let shortest = |limits| Request {
        limits,
        ..request(&board(FARTHEST), Want::Shortest)
    };
    thread::scope(|scope| {
        let patient = Limits {
            cancel: Some(Arc::clone(&cancel)),
            ..Limits::default()
        };
        let first = scope.spawn(|| solver.solve(&shortest(patient)).unwrap());
        let hasty = Limits::within(Duration::from_millis(50));
        let answer = solver.solve(&shortest(hasty)).unwrap();
        assert_eq!(stopped(&answer).0, Limit::Time);
        assert!(!first.is_finished());
        cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(stopped(&first.join().unwrap()).0, Limit::Cancelled);
    });
}
