//! A coach and his player.

use taquin::solve::{Coach, Effort, SolveError, Solver};
use taquin::{Board, Goal, Rng, uniform};

use super::support::{classic, distances, goal, with_quick_tables, within};

#[test]
fn every_hint_on_3x3_is_optimal_and_leads_nearer() {
    let goal = classic("3x3");
    let distances = distances(&goal);
    let mut coach = Coach::new(with_quick_tables(&goal));
    let mut boards: Vec<&Board> = distances.keys().collect();
    boards.sort_unstable_by_key(|board| board.packed());
    for board in boards.into_iter().step_by(499) {
        let hint = coach.hint(board, &within(60_000, 1)).unwrap();
        assert_eq!(hint.remaining, distances[board]);
        assert!(hint.is_optimal());
        let mut after = board.clone();
        if let Some(next) = hint.next {
            after.slide(next).unwrap();
            assert_eq!(distances[&after] + 1, distances[board]);
        }
    }
}

#[test]
fn a_player_who_strays_and_comes_back_is_told_the_truth() {
    let goal = classic("3x3");
    let distances = distances(&goal);
    let mut rng = Rng::from_seed(9);
    let mut board = uniform(&goal, &mut rng);
    let mut coach = Coach::new(with_quick_tables(&goal));
    let mut steps = 0;
    while board != goal {
        let hint = coach.hint(&board, &within(60_000, 1)).unwrap();
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
    let done = coach.hint(&board, &within(0, 1)).unwrap();
    assert_eq!((done.next, done.remaining), (None, 0));
}

#[test]
fn on_the_way_that_was_shown_nothing_is_searched() {
    let goal = goal(&Goal::Snail, "9x9");
    let mut board = uniform(&goal, &mut Rng::from_seed(2));
    let mut coach = Coach::new(Solver::without_tables(&goal));
    let first = coach.hint(&board, &Effort::first()).unwrap();
    // Hints that are searched for with such an effort would have the length of this one's.
    let mut remaining = first.remaining;
    let mut hint = first;
    while let Some(next) = hint.next {
        board.slide(next).unwrap();
        hint = coach.hint(&board, &within(0, 1)).unwrap();
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
    let mut coach = Coach::new(Solver::without_tables(&goal));
    let good = coach.hint(&board, &within(200, 2)).unwrap();
    let wrong = board.legal_moves().find(|&m| Some(m) != good.next).unwrap();
    board.slide(wrong).unwrap();
    // No time for anything but the greedy solution.
    let hint = coach.hint(&board, &within(0, 1)).unwrap();
    assert_eq!(hint.remaining, good.remaining + 1);
    assert_eq!(hint.next, Some(wrong.opposite()));
    assert!(hint.lower_bound <= hint.remaining);
}

#[test]
fn an_unsolvable_board_gets_no_hint_and_spoils_no_other() {
    let goal = classic("3x3");
    let mut coach = Coach::new(with_quick_tables(&goal));
    let board = uniform(&goal, &mut Rng::from_seed(3));
    let before = coach.hint(&board, &within(60_000, 1)).unwrap();
    let swapped = board.with_swapped(1, 2).unwrap();
    let refused = coach.hint(&swapped, &within(60_000, 1));
    assert!(matches!(refused, Err(SolveError::Unsolvable(_))));
    let other = classic("4x4");
    let refused = coach.hint(&other, &within(60_000, 1));
    assert!(matches!(refused, Err(SolveError::Size(_))));
    assert_eq!(coach.hint(&board, &within(60_000, 1)).unwrap(), before);
}
