//! The properties that every heuristic promises, checked on every board of small sizes.

use taquin::heuristic::{
    AnyHeuristic, AnyMemo, Heuristic, HeuristicKind, LinearConflict, debug_check,
};
use taquin::search::{Cost, Domain, FlatState, PackedState, Sliding, TileState};
use taquin::{Board, Goal, Move, Rng, Size, random_walk};

use crate::support::true_costs;

fn goals(rows: usize, columns: usize) -> impl Iterator<Item = Board> {
    let size = Size::new(rows, columns).unwrap();
    let scattered = random_walk(
        &Goal::Snail.board(size).unwrap(),
        40,
        &mut Rng::from_seed(1),
    );
    let scattered = Goal::Snail.board(size).unwrap().after(&scattered).unwrap();
    Goal::NAMED
        .into_iter()
        .map(move |goal| goal.board(size).unwrap())
        .chain([scattered])
}

fn check_space(goal: &Board, cost: Cost) {
    check_promises(goal, cost, &HeuristicKind::ALL, |values, _| {
        check_order(values, cost);
    });
}

/// Checks on every board and every move: the estimate is no more than the true cost; a move changes
/// it by no more than its cost; the step gives what a look at the whole board gives. Hands the
/// estimates of every board to `check`, with the true cost.
pub(crate) fn check_promises(
    goal: &Board,
    cost: Cost,
    kinds: &[HeuristicKind],
    check: impl Fn(&[u32], u32),
) {
    let puzzle = Sliding::<PackedState>::new(goal, cost).unwrap();
    let make = |&kind: &HeuristicKind| AnyHeuristic::new(kind, &puzzle).unwrap();
    let heuristics: Vec<AnyHeuristic> = kinds.iter().map(make).collect();
    let costs = true_costs(&puzzle);
    let states = (1..=goal.size().cells()).product::<usize>() / 2;
    assert_eq!(costs.len(), states, "{goal}");

    let evaluate = |state: &PackedState| -> Vec<AnyMemo> {
        heuristics
            .iter()
            .map(|h| h.evaluate(&puzzle, state))
            .collect()
    };
    for (state, true_cost) in &costs {
        let memos = evaluate(state);
        for (h, memo) in heuristics.iter().zip(&memos) {
            let value = value(h, memo);
            assert!(
                value <= *true_cost,
                "{:?} gives {value} for {state:?}, which is {true_cost} from {goal}",
                h.kind()
            );
            assert!(*true_cost > 0 || value == 0);
        }
        let values = heuristics
            .iter()
            .zip(&memos)
            .map(|(h, memo)| value(h, memo));
        check(&values.collect::<Vec<u32>>(), *true_cost);
        for m in puzzle.actions(state) {
            // Every pair of neighbours once, in both directions.
            if matches!(m, Move::Down | Move::Right) {
                continue;
            }
            let (next, step_cost) = puzzle.successor(state, m);
            let next_memos = evaluate(&next);
            for ((h, memo), next_memo) in heuristics.iter().zip(&memos).zip(&next_memos) {
                assert_eq!(h.step(&puzzle, memo, &next, m), *next_memo);
                assert_eq!(h.step(&puzzle, next_memo, state, m.opposite()), *memo);
                let change = value(h, memo).abs_diff(value(h, next_memo));
                let claims = Heuristic::<Sliding<PackedState>>::is_consistent(h);
                assert!(!claims || change <= step_cost, "{:?} {state:?}", h.kind());
            }
        }
    }
}

fn value(h: &AnyHeuristic, memo: &AnyMemo) -> u32 {
    Heuristic::<Sliding<PackedState>>::value(h, memo)
}

/// From weak to strong: Hamming, Manhattan, linear conflict; with unit costs, Manhattan and walking
/// distance too.
fn check_order(values: &[u32], cost: Cost) {
    let &[zero, hamming, manhattan, conflict, walking, max] = values else {
        panic!("one value for each heuristic: {values:?}");
    };
    assert_eq!(zero, 0);
    assert!(hamming <= manhattan);
    assert!(manhattan <= conflict);
    assert!(manhattan <= walking || cost == Cost::Tile);
    assert_eq!(max, conflict.max(walking));
}

#[test]
fn promises_hold_on_all_boards_of_2x2_2x3_and_3x2() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2)] {
        for goal in goals(rows, columns) {
            check_space(&goal, Cost::Unit);
            check_space(&goal, Cost::Tile);
        }
    }
}

#[test]
fn promises_hold_on_all_boards_of_2x4_and_4x2() {
    for (rows, columns) in [(2, 4), (4, 2)] {
        for goal in goals(rows, columns) {
            check_space(&goal, Cost::Unit);
            check_space(&goal, Cost::Tile);
        }
    }
}

#[test]
fn promises_hold_on_all_boards_of_3x3() {
    goals(3, 3).for_each(|goal| check_space(&goal, Cost::Unit));
}

#[test]
fn promises_hold_on_all_boards_of_3x3_with_heavy_costs() {
    let corner_and_middle = goals(3, 3).step_by(2).take(2);
    corner_and_middle.for_each(|goal| check_space(&goal, Cost::Tile));
}

/// Walks from the goal and checks at each board that steps and looks agree, and that no step
/// changes the estimate by more than it costs.
fn check_walk<S: TileState>(goal: &Board, cost: Cost, length: usize, rng: &mut Rng) {
    let puzzle = Sliding::<S>::new(goal, cost).unwrap();
    let walk = random_walk(goal, length, rng);
    for kind in HeuristicKind::ALL {
        let h = match AnyHeuristic::new(kind, &puzzle) {
            Ok(h) => h,
            // Walking distance has no tables for the larger boards.
            Err(refused) => {
                let has_tables =
                    matches!(kind, HeuristicKind::WalkingDistance | HeuristicKind::Max);
                assert!(
                    has_tables && goal.size().cells() > 16,
                    "{kind:?}: {refused}"
                );
                continue;
            }
        };
        let value = |memo: &AnyMemo| Heuristic::<Sliding<S>>::value(&h, memo);
        let mut state = puzzle.state(goal).unwrap();
        let mut memo = h.evaluate(&puzzle, &state);
        assert_eq!(value(&memo), 0);
        for &m in &walk {
            let step_cost = puzzle.apply(&mut state, m);
            let before = value(&memo);
            memo = h.step(&puzzle, &memo, &state, m);
            debug_check(&h, &puzzle, &memo, &state);
            assert!(value(&memo).abs_diff(before) <= step_cost, "{kind:?}");
        }
    }
}

#[test]
fn steps_agree_with_looks_along_random_walks() {
    let mut rng = Rng::from_seed(41);
    for side in 2..=4 {
        for goal in goals(side, side) {
            for cost in [Cost::Unit, Cost::Tile] {
                check_walk::<PackedState>(&goal, cost, 2000, &mut rng);
                check_walk::<FlatState>(&goal, cost, 2000, &mut rng);
            }
        }
    }
    for (rows, columns) in [(3, 4), (5, 5), (6, 6), (7, 4), (10, 10), (40, 30)] {
        for goal in goals(rows, columns) {
            for cost in [Cost::Unit, Cost::Tile] {
                check_walk::<FlatState>(&goal, cost, 1000, &mut rng);
            }
        }
    }
}

#[test]
fn estimates_of_the_largest_board_fit_with_heavy_costs() {
    let size = Size::new(255, 255).unwrap();
    let goal = Goal::Classic.board(size).unwrap();
    let tiles: Vec<_> = (0..size.cells() as u16).rev().collect();
    let board = Board::from_tiles(size, &tiles).unwrap();
    let puzzle = Sliding::<FlatState>::new(&goal, Cost::Tile).unwrap();
    let h = LinearConflict::new(&puzzle);
    let mut state = puzzle.state(&board).unwrap();
    let mut memo = h.evaluate(&puzzle, &state);
    for m in [Move::Down, Move::Right, Move::Down, Move::Left] {
        puzzle.apply(&mut state, m);
        memo = h.step(&puzzle, &memo, &state, m);
        debug_check(&h, &puzzle, &memo, &state);
    }
}
