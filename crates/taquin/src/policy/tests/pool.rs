//! Solvers with tables, each made ready once.

use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use super::{FARTHEST, Listener, board, goal, heard, request, solution};
use crate::heuristic::HeuristicKind;
use crate::outcome::{Budget, Limits};
use crate::policy::pool::{PooledSolver, SolverPool};
use crate::policy::puzzle::Puzzle;
use crate::policy::{LaboratoryChoice, Request, Solver, Want};
use crate::supply::TableSource;
use crate::tables::Tier;
use crate::{Board, Goal, Rng, uniform};

fn get(pool: &SolverPool, goal: &Board, tier: Tier) -> Arc<PooledSolver> {
    pool.get(Puzzle::single(goal), tier, &Budget::default())
        .unwrap()
}

#[test]
fn threads_that_ask_for_the_same_goal_get_what_one_of_them_built() {
    let (solver, listener) = heard();
    let (goal, barrier) = (goal("3x3"), Barrier::new(4));
    let sets = thread::scope(|scope| {
        let ask = || {
            barrier.wait();
            get(&solver.pool, &goal, Tier::Full)
        };
        let threads = [(); 4].map(|()| scope.spawn(ask));
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(listener.built(), ["building the full tables of 3x3"]);
    assert!(sets.iter().all(|pooled| Arc::ptr_eq(pooled, &sets[0])));
}

#[test]
fn requests_side_by_side_build_tables_once() {
    let (solver, listener) = heard();
    let barrier = Barrier::new(2);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                barrier.wait();
                let request = request(&board(FARTHEST), Want::Shortest);
                let answer = solver.solve(&request).unwrap();
                assert_eq!(solution(&answer, &request).cost, 31);
            });
        }
    });
    assert_eq!(listener.built(), ["building the full tables of 3x3"]);
}

#[test]
fn a_build_that_fails_is_tried_again_by_the_next_request() {
    let (solver, listener) = heard();
    let no_time = Budget::new(&Limits::within(Duration::ZERO));
    let refused = solver
        .pool
        .get(Puzzle::single(&goal("3x3")), Tier::Quick, &no_time);
    assert!(refused.is_err_and(|error| error.is_stopped()));
    listener.built();
    get(&solver.pool, &goal("3x3"), Tier::Quick);
    assert_eq!(listener.built().len(), 1);
}

#[test]
fn no_more_bytes_are_kept_than_allowed_and_dropped_tables_come_again() {
    let listener = Arc::new(Listener::default());
    let source = TableSource::in_memory().with_observer(Arc::<Listener>::clone(&listener));
    let goals = ["2x2", "2x3", "2x4", "3x3"].map(goal);
    let roomy = Solver::in_memory();
    for goal in &goals {
        get(&roomy.pool, goal, Tier::Quick);
    }
    // Not as much as all of them take.
    let most = roomy.kept_bytes();
    let solver = Solver::with_source(source).with_kept_bytes(most);
    let is_at_hand = |goal: &Board| {
        solver
            .pool
            .at_hand(Puzzle::single(goal), Tier::Quick)
            .is_some()
    };
    for goal in &goals {
        get(&solver.pool, goal, Tier::Quick);
    }
    assert_eq!(listener.built().len(), goals.len());
    let kept = goals.iter().filter(|goal| is_at_hand(goal)).count();
    assert!((1..goals.len()).contains(&kept), "{kept}");
    assert!(solver.kept_bytes() <= most);
    // One that was dropped is built again when it is asked for.
    let dropped = goals.iter().find(|goal| !is_at_hand(goal)).unwrap();
    assert_eq!(
        get(&solver.pool, dropped, Tier::Quick).solver.goal(),
        dropped
    );
    assert_eq!(listener.built().len(), 1);
}

#[test]
fn goals_with_the_same_tables_share_them() {
    let (solver, listener) = heard();
    let classic = goal("2x3");
    get(&solver.pool, &classic, Tier::Quick);
    let other: Board = "0 5/1 4/2 3".parse().unwrap();
    let pooled = get(&solver.pool, &other, Tier::Quick);
    assert_eq!(pooled.solver.goal(), &other);
    let request = Request {
        goal: Goal::Board(other.clone()),
        tables: Some(Tier::Quick),
        ..Request::new(uniform(&other, &mut Rng::from_seed(1)))
    };
    let answer = solver.solve(&request).unwrap();
    assert!(solution(&answer, &request).proof.is_optimal());
    // Nothing is built a second time, not even where there is no time.
    let third: Board = "5 4 3/2 1 0".parse().unwrap();
    let request = Request {
        goal: Goal::Board(third.clone()),
        ..super::request(&third, Want::Within(Duration::ZERO))
    };
    let answer = solver.solve(&request).unwrap();
    assert_eq!(answer.heuristic.as_deref(), Some("pdb:quick"));
    assert_eq!(listener.built(), ["building the quick tables of 2x3"]);
}

#[test]
fn ever_new_goals_neither_fill_memory_nor_flush_the_usual_tables() {
    let (solver, listener) = heard();
    let ask = |goal: &Board, want| {
        let request = Request {
            goal: Goal::Board(goal.clone()),
            want,
            ..Request::new(uniform(goal, &mut Rng::from_seed(1)))
        };
        solver.solve(&request).unwrap();
    };
    let walking = Want::Laboratory(LaboratoryChoice {
        heuristic: HeuristicKind::from_name("max"),
        ..LaboratoryChoice::default()
    });
    let patterns = Want::Laboratory(LaboratoryChoice {
        heuristic: HeuristicKind::from_name("pdb:4-4"),
        ..LaboratoryChoice::default()
    });
    let wants = [Want::Shortest, walking, patterns];
    let usual = goal("3x3");
    let mut rng = Rng::from_seed(2);
    for blank in 0..9 {
        // All there is to know of the goals with the blank there.
        let goal = loop {
            let goal = uniform(&usual, &mut rng);
            if goal.blank() == blank {
                break goal;
            }
        };
        for &want in &wants {
            ask(&goal, want);
        }
    }
    let known = solver.kept_bytes();
    listener.built();
    for _ in 0..30 {
        let goal = uniform(&usual, &mut rng);
        for &want in &wants {
            ask(&goal, want);
        }
    }
    assert_eq!(solver.kept_bytes(), known);
    assert_eq!(listener.built(), [""; 0]);
    // There are three kinds of places for the blank, and nine for the walking distance.
    assert_eq!(solver.laboratories.kept_count(), 9 + 3);
}

#[test]
fn smaller_tables_are_shared_with_requests_for_them() {
    let source = TableSource::in_memory().with_memory(20_000_000);
    let pool = SolverPool::new(source, 1 << 30);
    let goal = goal("4x4");
    let ready = get(&pool, &goal, Tier::Full);
    assert_eq!(ready.tier, Tier::Quick);
    assert_eq!(ready.heuristic(), "pdb:quick");
    assert!(Arc::ptr_eq(&ready, &get(&pool, &goal, Tier::Quick)));
}

#[test]
fn goals_of_one_size_are_told_apart() {
    let solver = Solver::in_memory();
    let size = "3x3".parse().unwrap();
    for named in [Goal::Classic, Goal::Snail, Goal::Classic] {
        let goal = named.board(size).unwrap();
        let request = Request {
            goal: named,
            ..Request::new(uniform(&goal, &mut Rng::from_seed(4)))
        };
        let answer = solver.solve(&request).unwrap();
        assert!(solution(&answer, &request).proof.is_optimal());
    }
}
