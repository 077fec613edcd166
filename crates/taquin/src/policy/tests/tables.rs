//! Which tables are used, and when others take their place.

use std::time::Duration;

use super::{FARTHEST, board, goal, heard, request, scramble, solution};
use crate::Metric;
use crate::outcome::{Budget, Limits};
use crate::policy::puzzle::Puzzle;
use crate::policy::shortest::Plan;
use crate::policy::solver::Job;
use crate::policy::{Ending, Event, Notice, Request, SearchedBy, Solver, Want};
use crate::supply::TableSource;
use crate::tables::Tier;
use crate::{Board, Goal};

/// What a solver says about a request, in words, and the tables of its answer.
fn told(solver: &Solver, request: &Request) -> (Vec<String>, Option<String>) {
    let mut events = Vec::new();
    let answer = solver.solve_with(request, &mut |event| match event {
        Event::Building { size, tier } => events.push(format!("building {size} {tier}")),
        Event::Notice(notice) => events.push(notice.to_string()),
        Event::Improved(_) => {}
    });
    (events, answer.unwrap().heuristic)
}

fn within(board: &Board, milliseconds: u64) -> Request {
    request(board, Want::Within(Duration::from_millis(milliseconds)))
}

#[test]
fn the_first_solution_uses_no_tables_even_where_they_are_there() {
    let (solver, listener) = heard();
    let board = board(FARTHEST);
    let first = request(&board, Want::First);
    assert_eq!(told(&solver, &first), (vec![], None));
    let ready = solver.warm_up(
        &Goal::Classic,
        board.size(),
        Metric::Single,
        &Limits::default(),
    );
    ready.unwrap();
    listener.built();
    let answer = solver.solve(&first).unwrap();
    assert_eq!(answer.heuristic, None);
    assert_eq!(answer.searched_by, SearchedBy::First);
    solution(&answer, &first);
    assert_eq!(listener.built(), [""; 0]);
    // Where they are asked for, it has them.
    let asked = Request {
        tables: Some(Tier::Quick),
        ..first
    };
    assert_eq!(told(&solver, &asked).1.as_deref(), Some("pdb:quick"));
}

#[test]
fn tables_are_built_where_there_is_time_and_used_where_there_is_none() {
    let (solver, listener) = heard();
    let board = board(FARTHEST);
    assert_eq!(told(&solver, &within(&board, 0)), (vec![], None));
    assert_eq!(listener.built(), [""; 0]);
    solver.solve(&within(&board, 10_000)).unwrap();
    assert_eq!(listener.built(), ["building the full tables of 3x3"]);
    let (events, tables) = told(&solver, &within(&board, 0));
    assert_eq!((events.len(), tables.as_deref()), (0, Some("pdb:full")));
    assert_eq!(listener.built(), [""; 0]);
}

#[test]
fn tables_that_another_request_got_are_used() {
    let solver = Solver::in_memory();
    let board = board(FARTHEST);
    let tables = |request: &Request| solver.solve(request).unwrap().heuristic;
    assert_eq!(tables(&within(&board, 0)), None);
    let budget = Budget::default();
    solver
        .pool
        .get(Puzzle::single(&goal("3x3")), Tier::Quick, &budget)
        .unwrap();
    assert_eq!(tables(&within(&board, 0)).as_deref(), Some("pdb:quick"));
}

#[test]
fn the_lack_of_tables_that_would_help_is_said_once() {
    let solver = Solver::in_memory();
    let request = within(&scramble("5x5", 1), 10);
    let said = "5x5 has no full tables yet, and building them would take too much of the time";
    assert_eq!(told(&solver, &request), (vec![said.to_owned()], None));
    assert_eq!(told(&solver, &request), (vec![], None));
}

#[test]
fn a_build_is_announced_once() {
    let solver = Solver::in_memory();
    let request = request(&board(FARTHEST), Want::Shortest);
    let (events, tables) = told(&solver, &request);
    assert_eq!(events, ["building 3x3 full"]);
    assert_eq!(tables.as_deref(), Some("pdb:full"));
    assert_eq!(told(&solver, &request).0, [""; 0]);
}

#[test]
fn without_memory_for_tables_the_laboratory_solves_and_it_is_said_once() {
    let source = TableSource::in_memory().with_memory(1000);
    let solver = Solver::with_source(source);
    let request = request(&scramble("3x3", 6), Want::Shortest);
    let mut notices = Vec::new();
    for _ in 0..2 {
        let answer = solver.solve_with(&request, &mut |event| {
            if let Event::Notice(notice) = event {
                notices.push(notice);
            }
        });
        let answer = answer.unwrap();
        assert!(solution(&answer, &request).proof.is_optimal());
        assert!(matches!(answer.searched_by, SearchedBy::Laboratory(_)));
    }
    assert!(
        matches!(notices[..], [Notice::WithoutTables(_)]),
        "{notices:?}"
    );
}

/// A solver whose patience with the quick tables of 2x5 is this long.
fn with_patience(patience: Duration) -> Solver {
    let solver = Solver::in_memory();
    let plan = Plan {
        tier: Tier::Quick,
        patience: Some(patience),
    };
    let key = Puzzle::single(&goal("2x5")).key();
    let mut plans = solver.plans.lock().unwrap();
    plans.insert(key, plan);
    drop(plans);
    solver
}

#[test]
fn quick_tables_that_take_too_long_give_way_to_the_full_ones() {
    let solver = with_patience(Duration::ZERO);
    let request = request(&scramble("2x5", 3), Want::Shortest);
    let mut notices = Vec::new();
    let answer = solver.solve_with(&request, &mut |event| {
        if let Event::Notice(notice) = event {
            notices.push(notice);
        }
    });
    let answer = answer.unwrap();
    let abandoned = answer.abandoned.as_ref().expect("there was no patience");
    assert_eq!(abandoned.heuristic, "pdb:quick");
    assert_eq!(answer.heuristic.as_deref(), Some("pdb:full"));
    let shortest = solution(&answer, &request);
    assert!(shortest.proof.is_optimal());
    assert!(
        matches!(&notices[..], [Notice::QuickTablesTooSlow { board, .. }] if *board == request.board),
        "{notices:?}"
    );
    // From here on nothing is tried with the quick ones, nor said again.
    let (events, tables) = told(&solver, &request);
    assert_eq!((events.len(), tables.as_deref()), (0, Some("pdb:full")));
    let again = solver.solve(&request).unwrap();
    assert!(again.abandoned.is_none());
    assert_eq!(solution(&again, &request).cost, shortest.cost);
}

#[test]
fn a_limit_of_the_request_is_no_reason_to_change_tables() {
    let solver = with_patience(Duration::from_secs(600));
    let goal = Goal::Classic;
    let size = "2x5".parse().unwrap();
    solver
        .warm_up(&goal, size, Metric::Single, &Limits::default())
        .unwrap();
    let request = Request {
        limits: Limits::within(Duration::ZERO),
        ..request(&scramble("2x5", 3), Want::Shortest)
    };
    let answer = solver.solve(&request).unwrap();
    assert!(matches!(answer.ending, Ending::Stopped { .. }));
    assert!(answer.abandoned.is_none());
    assert_eq!(answer.heuristic.as_deref(), Some("pdb:quick"));
}

#[test]
fn a_batch_that_has_used_up_its_patience_goes_over_to_the_full_tables() {
    let solver = with_patience(Duration::from_secs(10));
    let next = request(&scramble("2x5", 3), Want::Shortest);
    let job = Job {
        request: &next,
        board: &next.board,
        goal: goal("2x5"),
        threads: 1,
        budget: Budget::default(),
    };
    let mut notices = Vec::new();
    for _ in 0..3 {
        solver.spend(&job, Duration::from_secs(4), &mut |event| {
            if let Event::Notice(notice) = event {
                notices.push(notice.to_string());
            }
        });
    }
    let said = "the full tables of 2x5 repay their making from here on; getting them ready";
    assert_eq!(notices, [said]);
    let (events, tables) = told(&solver, &next);
    assert_eq!(events, ["building 2x5 full"]);
    assert_eq!(tables.as_deref(), Some("pdb:full"));
}

#[test]
fn what_a_search_takes_is_taken_off_the_patience() {
    let solver = with_patience(Duration::from_secs(600));
    let next = request(&scramble("2x5", 3), Want::Shortest);
    let (_, tables) = told(&solver, &next);
    assert_eq!(tables.as_deref(), Some("pdb:quick"));
    let left = solver.plan(Puzzle::single(&goal("2x5"))).patience.unwrap();
    assert!(left < Duration::from_secs(600) && left > Duration::from_secs(300));
}

#[cfg(feature = "store")]
mod stored {
    use std::fs;
    use std::process::Command;

    use super::*;
    use crate::tables::store::Store;

    #[test]
    fn stored_tables_serve_the_next_solver_and_are_not_read_for_the_first_solution() {
        let folder = tempfile::tempdir().unwrap();
        let new = || Solver::stored(Store::new(folder.path()));
        let shortest = request(&board(FARTHEST), Want::Shortest);
        assert_eq!(told(&new(), &shortest).0, ["building 3x3 full"]);
        // Another program builds nothing, and has them for a hasty request too.
        assert_eq!(told(&new(), &shortest).0, [""; 0]);
        let first = request(&board(FARTHEST), Want::First);
        let solver = new();
        assert_eq!(told(&solver, &first), (vec![], None));
        assert!(
            solver
                .pool
                .at_hand(Puzzle::single(&goal("3x3")), Tier::Full)
                .is_none()
        );
    }

    #[test]
    fn full_tables_that_are_stored_are_used_from_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let source = TableSource::stored(Store::new(folder.path()));
        let budget = Budget::default();
        source
            .get(&goal("2x5"), Metric::Single, Tier::Full, &budget)
            .unwrap();
        let solver = Solver::with_source(source);
        let request = request(&scramble("2x5", 3), Want::Shortest);
        let (events, tables) = told(&solver, &request);
        assert_eq!((events.len(), tables.as_deref()), (0, Some("pdb:full")));
    }

    /// Set in the process that solves.
    const CHILD: &str = "TAQUIN_TEST_IN_MEMORY";

    #[test]
    fn a_solver_in_memory_writes_no_files() {
        if std::env::var_os(CHILD).is_some() {
            let solver = Solver::in_memory();
            assert!(solver.source().store().is_none());
            for want in super::super::wants() {
                let request = request(&board(FARTHEST), want);
                solution(&solver.solve(&request).unwrap(), &request);
            }
            return;
        }
        // Wherever a program might write, there is this folder.
        let folder = tempfile::tempdir().unwrap();
        let test = "policy::tests::tables::stored::a_solver_in_memory_writes_no_files";
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["--exact", test])
            .current_dir(folder.path())
            .env(CHILD, "");
        for place in ["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
            child.env(place, folder.path());
        }
        let output = child.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("1 passed"), "{said}");
        let left = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 0, "files were written");
    }
}
