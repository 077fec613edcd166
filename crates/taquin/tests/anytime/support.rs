//! What the other files share.

use std::collections::HashMap;
use std::time::Duration;

use taquin::solve::{Effort, GoalSolver, greedy};
use taquin::tables::{Catalogue, TableSet, Tier};
use taquin::{Board, Budget, Goal, Metric, Moves, Outcome, Solution};

pub(crate) fn goal(goal: &Goal, size: &str) -> Board {
    goal.board(size.parse().expect("a size")).expect("a goal")
}

pub(crate) fn classic(size: &str) -> Board {
    goal(&Goal::Classic, size)
}

pub(crate) fn with_quick_tables(goal: &Board) -> GoalSolver {
    let catalogue = Catalogue::for_goal(goal, Tier::Quick).expect("a small board");
    let tables = TableSet::build(catalogue, 2, &Budget::default()).expect("no limit was set");
    GoalSolver::new(goal, &tables).expect("tables for this goal")
}

pub(crate) fn within(milliseconds: u64, threads: usize) -> Effort {
    Effort {
        threads,
        ..Effort::within(Duration::from_millis(milliseconds))
    }
}

/// Solves a board and checks all that is promised of every answer.
pub(crate) fn solve(solver: &GoalSolver, board: &Board, effort: &Effort) -> Solution {
    let metric = solver.metric();
    let mut known: Option<(u32, u32)> = None;
    let report = solver.improve(board, effort, &mut |now| {
        let moves = Moves::from(now.moves.to_vec());
        assert_eq!(board.after(&moves).as_ref(), Ok(solver.goal()), "{board}");
        assert_eq!(moves.length(metric), now.length as usize, "{board}");
        // Each one is news.
        assert!(
            known.is_none_or(|(length, bound)| {
                (now.length < length && now.lower_bound >= bound)
                    || (now.length <= length && now.lower_bound > bound)
            }),
            "{board}: {known:?}, then {} and {}",
            now.length,
            now.lower_bound
        );
        known = Some((now.length, now.lower_bound));
    });
    let report = report.expect("a solvable board");
    let Outcome::Solved(solution) = report.outcome else {
        panic!("{board}: {:?}", report.outcome);
    };
    assert_eq!(known, Some((solution.cost, solution.lower_bound)));
    assert_eq!(solution.cost as usize, solution.moves.length(metric));
    assert!(solution.lower_bound <= solution.cost, "{board}");
    assert_eq!(
        solution.proof.is_optimal(),
        solution.lower_bound == solution.cost,
        "{board}"
    );
    if metric == Metric::Single {
        // Every solution of a board has the same parity, and so has a bound that is worth its
        // name.
        assert_eq!(solution.lower_bound % 2, solution.cost % 2, "{board}");
    }
    let plain = greedy(board, solver.goal()).expect("a solvable board");
    assert!(solution.cost as usize <= plain.length(metric), "{board}");
    solution
}

/// Every board that can reach the goal, with its distance.
pub(crate) fn distances(goal: &Board) -> HashMap<Board, u32> {
    let mut distances = HashMap::from([(goal.clone(), 0)]);
    let mut frontier = vec![goal.clone()];
    for distance in 1.. {
        let mut next = Vec::new();
        for board in &frontier {
            for m in board.legal_moves() {
                let mut after = board.clone();
                after.slide(m).expect("a legal move");
                if !distances.contains_key(&after) {
                    distances.insert(after.clone(), distance);
                    next.push(after);
                }
            }
        }
        if next.is_empty() {
            return distances;
        }
        frontier = next;
    }
    distances
}
