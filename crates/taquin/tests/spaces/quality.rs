//! Heuristics over every board.

use taquin::heuristic::{AnyHeuristic, Heuristic, HeuristicError, HeuristicKind};
use taquin::search::{Cost, FlatState, Sliding};
use taquin::space::{Quality, QualityError};
use taquin::{Board, Budget, Goal, Metric};

use crate::support::{classic, distances, goal_with_blank, size, space};

fn kinds() -> Vec<HeuristicKind> {
    let patterns = ["pdb:4-4", "pdb:quick+reflected"].map(HeuristicKind::from_name);
    HeuristicKind::ALL
        .into_iter()
        .chain(patterns.map(Option::unwrap))
        .collect()
}

fn measure(goal: &Board, kind: HeuristicKind, threads: usize) -> Quality {
    Quality::measure(
        &space(goal, Metric::Single),
        kind,
        threads,
        &Budget::default(),
    )
    .unwrap()
}

/// Compares all figures with what the heuristic says of the original boards, one by one.
fn check_against_every_board(goal: &Board, kind: HeuristicKind) {
    let quality = measure(goal, kind, 2);
    let puzzle = Sliding::<FlatState>::flat(goal, Cost::Unit);
    let heuristic = AnyHeuristic::new(kind, &puzzle).unwrap();
    let value = |board: &Board| {
        let memo = heuristic.evaluate(&puzzle, &puzzle.state(board).unwrap());
        Heuristic::<Sliding<FlatState>>::value(&heuristic, &memo)
    };
    let distances = distances(goal, Metric::Single);
    let mut pairs: Vec<Vec<u64>> = Vec::new();
    let mut largest = 0;
    for (board, &distance) in &distances {
        let estimate = value(board);
        let at = distance as usize;
        pairs.resize(pairs.len().max(at + 1), Vec::new());
        let row = &mut pairs[at];
        row.resize(row.len().max(estimate as usize + 1), 0);
        row[estimate as usize] += 1;
        largest = largest.max(distance - estimate);
    }
    assert_eq!(quality.pairs(), pairs, "{kind:?} to {goal}");
    let worst = quality.worst();
    assert_eq!(
        worst.distance - worst.estimate,
        largest,
        "{kind:?} to {goal}"
    );
    assert_eq!(
        distances[&worst.board], worst.distance,
        "{kind:?} to {goal}"
    );
    assert_eq!(value(&worst.board), worst.estimate, "{kind:?} to {goal}");
    assert_eq!(
        (quality.inadmissible(), quality.inconsistent()),
        (None, None)
    );
}

#[test]
fn figures_are_those_of_the_heuristic_on_every_board() {
    let snail = Goal::Snail.board(size("3x3")).unwrap();
    for kind in kinds() {
        for goal in [&classic("3x3"), &snail] {
            check_against_every_board(goal, kind);
        }
    }
    for goal in [&goal_with_blank("3x2", 2), &classic("4x2")] {
        for kind in HeuristicKind::ALL {
            check_against_every_board(goal, kind);
        }
    }
}

#[test]
fn means_and_shares_follow_from_the_pairs() {
    let zero = measure(&classic("3x3"), HeuristicKind::Zero, 1);
    assert!(zero.mean_estimate().abs() < 1e-12);
    assert!((zero.mean_error() - zero.mean_distance()).abs() < 1e-12);
    assert!((zero.exact() - 1.0 / 181_440.0).abs() < 1e-12);
    assert_eq!(zero.worst().distance, 31);
    assert_eq!(format!("{:.3}", zero.mean_distance()), "21.972");
    let manhattan = measure(&classic("3x3"), HeuristicKind::Manhattan, 1);
    let sum = manhattan.mean_estimate() + manhattan.mean_error();
    assert!((sum - manhattan.mean_distance()).abs() < 1e-9);
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    let goal = classic("2x5");
    let one = measure(&goal, HeuristicKind::LinearConflict, 1);
    let three = measure(&goal, HeuristicKind::LinearConflict, 3);
    assert_eq!(one.pairs(), three.pairs());
    assert_eq!(one.worst(), three.worst());
}

#[test]
fn heuristics_that_cannot_be_had_are_refused() {
    let measure = |kind, metric| {
        let space = space(&classic("3x3"), metric);
        Quality::measure(&space, kind, 1, &Budget::default()).err()
    };
    assert_eq!(measure(HeuristicKind::Manhattan, Metric::Multi), None);
    let patterns = HeuristicKind::from_name("pdb:4-4").unwrap();
    let refused = measure(patterns, Metric::Multi);
    let single_only = HeuristicError::SingleOnly(patterns);
    assert_eq!(refused, Some(QualityError::Heuristic(single_only)));
    let patterns = HeuristicKind::from_name("pdb:7-8").unwrap();
    let refused = measure(patterns, Metric::Single);
    assert!(
        matches!(refused, Some(QualityError::Heuristic(_))),
        "{refused:?}"
    );
}
