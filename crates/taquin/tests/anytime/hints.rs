//! A coach and a player.

use std::time::Duration;

use taquin::{
    Board, Coach, Goal, HintError, Limits, Metric, Rng, SolveError, Solver, UnsolvedError, uniform,
};

use super::support::{classic, distances, goal};

/// Time enough for every board of these tests.
const LONG: Duration = Duration::from_secs(60);

/// Limits that leave no time for anything but the greedy solution.
fn no_time() -> Limits {
    Limits::within(Duration::ZERO)
}

/// A solver that has the tables of the classic goal of 3x3.
fn with_tables() -> Solver {
    let solver = Solver::in_memory().with_threads(1);
    let size = "3x3".parse().unwrap();
    let ready = solver.warm_up(&Goal::Classic, size, Metric::Single, &Limits::default());
    ready.unwrap();
    solver
}

#[test]
fn every_hint_on_3x3_is_optimal_and_leads_nearer() {
    let goal = classic("3x3");
    let distances = distances(&goal);
    let solver = with_tables();
    let mut coach = Coach::new(Goal::Classic, LONG);
    let mut boards: Vec<&Board> = distances.keys().collect();
    boards.sort_unstable_by_key(|board| board.packed());
    for board in boards.into_iter().step_by(499) {
        let hint = coach.hint(&solver, board, &Limits::default()).unwrap();
        assert_eq!(hint.remaining, distances[board]);
        assert!(hint.is_optimal());
        let Some(next) = hint.next else {
            assert_eq!(*board, goal, "there is a move on every other board");
            continue;
        };
        let mut after = board.clone();
        after.slide(next).unwrap();
        assert_eq!(distances[&after] + 1, distances[board]);
    }
}

#[test]
fn a_player_who_strays_and_comes_back_is_told_the_truth() {
    let goal = classic("3x3");
    let distances = distances(&goal);
    let mut rng = Rng::from_seed(9);
    let mut board = uniform(&goal, &mut rng);
    let solver = with_tables();
    let mut coach = Coach::new(Goal::Classic, LONG);
    let mut steps = 0;
    while board != goal {
        let hint = coach.hint(&solver, &board, &Limits::default()).unwrap();
        assert_eq!(hint.remaining, distances[&board]);
        assert!(hint.is_optimal());
        let next = if rng.below(3) == 0 {
            let moves: Vec<_> = board.legal_moves().collect();
            moves[rng.below(moves.len())]
        } else {
            hint.next.unwrap()
        };
        board.slide(next).unwrap();
        steps += 1;
        assert!(steps < 10_000, "two steps forward and one back lead home");
    }
    let done = coach.hint(&solver, &board, &no_time()).unwrap();
    assert_eq!((done.next, done.remaining), (None, 0));
}

#[test]
fn on_the_way_that_was_shown_nothing_is_searched() {
    let goal = goal(&Goal::Snail, "9x9");
    let mut board = uniform(&goal, &mut Rng::from_seed(2));
    let solver = Solver::in_memory();
    let mut coach = Coach::new(Goal::Snail, Duration::ZERO);
    let first = coach.hint(&solver, &board, &Limits::default()).unwrap();
    let mut remaining = first.remaining;
    let mut hint = first;
    while let Some(next) = hint.next {
        board.slide(next).unwrap();
        // This never searches.
        hint = coach.recall(&board).expect("the way was shown");
        assert_eq!(coach.hint(&solver, &board, &no_time()).unwrap(), hint);
        remaining -= 1;
        assert_eq!(hint.remaining, remaining);
        assert!(hint.lower_bound <= remaining);
    }
    assert_eq!(board, goal);
}

#[test]
fn a_player_off_the_way_is_never_told_a_longer_one_than_straight_back() {
    let goal = classic("8x8");
    let mut board = uniform(&goal, &mut Rng::from_seed(3));
    let solver = Solver::in_memory().with_threads(2);
    let mut coach = Coach::new(Goal::Classic, Duration::from_millis(200));
    let good = coach.hint(&solver, &board, &Limits::default()).unwrap();
    let wrong = board.legal_moves().find(|&m| Some(m) != good.next).unwrap();
    board.slide(wrong).unwrap();
    assert_eq!(coach.recall(&board), None);
    let hint = coach.hint(&solver, &board, &no_time()).unwrap();
    assert_eq!(hint.remaining, good.remaining + 1);
    assert_eq!(hint.next, Some(wrong.opposite()));
    assert!(hint.lower_bound <= hint.remaining);
}

#[test]
fn an_unsolvable_board_gets_no_hint_and_spoils_no_other() {
    let goal = classic("3x3");
    let solver = with_tables();
    let mut coach = Coach::new(Goal::Board(goal.clone()), LONG);
    let board = uniform(&goal, &mut Rng::from_seed(3));
    let mut hint = |board: &Board| coach.hint(&solver, board, &Limits::default());
    let before = hint(&board).unwrap();
    let refused = hint(&board.with_swapped(1, 2).unwrap());
    assert!(matches!(
        refused,
        Err(HintError::Unsolved(UnsolvedError::Unsolvable(_)))
    ));
    let refused = hint(&classic("4x4"));
    assert!(matches!(
        refused,
        Err(HintError::Solve(SolveError::Size(_)))
    ));
    assert_eq!(hint(&board).unwrap(), before);
}
