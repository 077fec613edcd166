//! All shortest solutions, judged by walking downhill through whole spaces.

use std::collections::HashMap;

use taquin::solve::{All, Effort, Engine};
use taquin::tables::Tier;
use taquin::{Board, Limit, Move, Moves, Outcome, Rng, random_walk_end};

use crate::support::{
    check_path, check_totals, classic, each, goal_with_blank, limited, size, solver, space, tables,
    threads,
};

/// A whole space: its boards, nearest first, with their distances by packed board.
struct Judge {
    space: Vec<(Board, u32)>,
    distances: HashMap<Option<u64>, u32>,
}

impl Judge {
    fn new(goal: &Board) -> Self {
        let space = space(goal);
        let distances = space
            .iter()
            .map(|(board, distance)| (board.packed(), *distance));
        Self {
            distances: distances.collect(),
            space,
        }
    }

    /// The boards one move nearer to the goal, in the order of the moves.
    fn nearer(&self, board: &Board) -> Vec<(Move, Board)> {
        let distance = self.distances[&board.packed()];
        let after = |m: Move| {
            let mut next = board.clone();
            next.slide(m).unwrap();
            (m, next)
        };
        let legal = Move::ALL.into_iter().filter(|&m| board.can_slide(m));
        legal
            .map(after)
            .filter(|(_, next)| self.distances[&next.packed()] + 1 == distance)
            .collect()
    }

    /// Every shortest path, in the order of the moves.
    fn paths(&self, board: &Board) -> Vec<Moves> {
        if self.distances[&board.packed()] == 0 {
            return vec![Moves::new()];
        }
        let nearer = self.nearer(board).into_iter();
        nearer
            .flat_map(|(m, next)| {
                let rests = self.paths(&next).into_iter();
                rests.map(move |rest| [m].into_iter().chain(rest.iter().copied()).collect())
            })
            .collect()
    }

    /// How many shortest paths each board has.
    fn counts(&self) -> Vec<u64> {
        let mut counts: HashMap<Option<u64>, u64> = HashMap::new();
        let boards = self.space.iter().map(|(board, distance)| {
            let nearer = self.nearer(board);
            let sum = nearer.iter().map(|(_, next)| counts[&next.packed()]).sum();
            let count = if *distance == 0 { 1 } else { sum };
            counts.insert(board.packed(), count);
            count
        });
        boards.collect()
    }
}

fn check(all: &All, distance: u32, context: &Board) {
    check_totals(&all.report);
    let Outcome::Solved(solution) = &all.report.outcome else {
        panic!("{context}: {:?}", all.report.outcome);
    };
    assert_eq!(solution.cost, distance, "{context}");
    assert_eq!(solution.moves.len() as u32, distance, "{context}");
    if let Some(first) = all.solutions.first() {
        assert_eq!(&solution.moves, first, "{context}");
    }
}

#[test]
fn all_solutions_of_all_boards_of_small_spaces_are_found_and_counted() {
    for goal in [
        classic("2x2"),
        goal_with_blank("2x2", 1),
        classic("2x3"),
        classic("3x2"),
        goal_with_blank("2x3", 1),
        taquin::Goal::Snail.board(size("3x2")).unwrap(),
    ] {
        let judge = Judge::new(&goal);
        let solver = solver(&goal);
        for ((board, distance), count) in judge.space.iter().zip(judge.counts()) {
            let all = solver.all(board, &threads(2), usize::MAX, true).unwrap();
            check(&all, *distance, board);
            assert_eq!(all.count, Some(count), "{board} to {goal}");
            assert_eq!(
                sorted(all.solutions),
                sorted(judge.paths(board)),
                "{board} to {goal}"
            );
        }
    }
}

fn sorted(mut paths: Vec<Moves>) -> Vec<Moves> {
    paths.sort_unstable_by(|a, b| a.cmp(b));
    paths
}

/// Boards of 3x3 from near to far, the farthest among them.
fn some_boards(judge: &Judge) -> Vec<&(Board, u32)> {
    let far = judge.space.iter().rev().take(8);
    judge.space.iter().step_by(900).chain(far).collect()
}

#[test]
fn all_solutions_on_3x3_are_found_and_counted() {
    for goal in [
        classic("3x3"),
        goal_with_blank("3x3", 1),
        goal_with_blank("3x3", 4),
    ] {
        let judge = Judge::new(&goal);
        let solver = solver(&goal);
        each(&some_boards(&judge), |(board, distance)| {
            let paths = sorted(judge.paths(board));
            for threads in [1, 2, 3].map(threads) {
                let all = solver.all(board, &threads, usize::MAX, true).unwrap();
                check(&all, *distance, board);
                assert_eq!(all.count, Some(paths.len() as u64), "{board} to {goal}");
                assert_eq!(sorted(all.solutions), paths, "{board} to {goal}");
            }
        });
    }
}

#[test]
fn the_engine_lists_solutions_in_the_order_of_the_moves() {
    for goal in [
        classic("3x3"),
        goal_with_blank("3x3", 7),
        goal_with_blank("3x3", 4),
    ] {
        let judge = Judge::new(&goal);
        let engine = Engine::new(&tables(&goal, Tier::Quick), true);
        each(&some_boards(&judge), |(board, distance)| {
            let all = engine.all(board, &threads(2), usize::MAX, true).unwrap();
            check(&all, *distance, board);
            assert_eq!(all.solutions, judge.paths(board), "{board} to {goal}");
        });
    }
}

#[test]
fn every_board_of_3x3_has_as_many_solutions_as_paths_lead_downhill() {
    let goal = classic("3x3");
    let judge = Judge::new(&goal);
    let solver = solver(&goal);
    let boards: Vec<_> = judge.space.iter().zip(judge.counts()).step_by(13).collect();
    each(&boards, |((board, distance), count)| {
        let all = solver.all(board, &threads(1), 0, true).unwrap();
        check(&all, *distance, board);
        assert_eq!(all.count, Some(*count), "{board}");
        assert!(all.solutions.is_empty());
    });
}

#[test]
fn a_list_that_is_cut_short_has_the_first_solutions() {
    let goal = classic("3x3");
    let judge = Judge::new(&goal);
    let solver = solver(&goal);
    each(&some_boards(&judge), |(board, distance)| {
        let paths = solver
            .all(board, &threads(1), usize::MAX, true)
            .unwrap()
            .solutions;
        for list in [
            1,
            2,
            3,
            paths.len().saturating_sub(1).max(1),
            paths.len(),
            paths.len() + 1,
        ] {
            for count in [false, true] {
                for threads in [1, 2, 3].map(threads) {
                    let all = solver.all(board, &threads, list, count).unwrap();
                    check(&all, *distance, board);
                    let expected = &paths[..list.min(paths.len())];
                    assert_eq!(
                        all.solutions,
                        expected,
                        "{board}, {list} of {}",
                        paths.len()
                    );
                    // What was not asked for may be known, but must be right.
                    assert!(all.count.is_none_or(|count| count == paths.len() as u64));
                    assert!(all.count.is_some() || !count);
                }
            }
        }
    });
}

#[test]
fn the_first_solutions_on_4x4_are_the_same_on_any_number_of_threads() {
    let goal = classic("4x4");
    let solver = solver(&goal);
    let mut rng = Rng::from_seed(61);
    let mut several = 0;
    for _ in 0..8 {
        let board = random_walk_end(&goal, 110, &mut rng);
        let full = solver.all(&board, &threads(1), usize::MAX, true).unwrap();
        assert_eq!(full.count, Some(full.solutions.len() as u64));
        several += usize::from(full.solutions.len() > 1);
        for solution in &full.solutions {
            check_path(&solver, &board, solution);
        }
        for list in [1, 3] {
            for threads in [1, 2, 3].map(threads) {
                let some = solver.all(&board, &threads, list, false).unwrap();
                let expected = &full.solutions[..list.min(full.solutions.len())];
                assert_eq!(some.solutions, expected, "{board}");
            }
        }
    }
    assert!(several > 0);
}

#[test]
fn the_goal_itself_has_one_solution_without_moves() {
    for goal in [
        classic("2x2"),
        classic("3x3"),
        classic("4x4"),
        goal_with_blank("4x4", 6),
    ] {
        let solver = solver(&goal);
        for threads in [1, 2].map(threads) {
            for count in [false, true] {
                let all = solver.all(&goal, &threads, 10, count).unwrap();
                check(&all, 0, &goal);
                assert_eq!(all.solutions, [Moves::new()]);
                assert_eq!(all.count, Some(1));
            }
        }
    }
}

#[test]
fn a_list_of_none_is_a_solved_board() {
    let solver = solver(&classic("3x3"));
    let board: Board = "8 1 3/4 0 2/7 6 5".parse().unwrap();
    let all = solver.all(&board, &Effort::default(), 0, false).unwrap();
    check(&all, 14, &board);
    assert!(all.solutions.is_empty());
}

#[test]
fn limits_hold_for_all_solutions_too() {
    let solver = solver(&classic("3x3"));
    // 31 moves, the farthest.
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let nodes = solver
        .all(&board, &threads(1), usize::MAX, true)
        .unwrap()
        .report
        .statistics
        .expanded;
    let first = solver.solve(&board, &threads(1)).unwrap();
    let first = first.statistics.expanded;
    for nodes in [0, 1, 10, first - 1] {
        let effort = limited(1, |limits| limits.nodes = Some(nodes));
        let all = solver.all(&board, &effort, usize::MAX, true).unwrap();
        assert!(all.report.statistics.expanded <= nodes);
        let Outcome::Stopped { limit, lower_bound } = all.report.outcome else {
            panic!("{nodes} nodes are too few");
        };
        assert_eq!(limit, Limit::Nodes);
        assert!(lower_bound <= 31);
        assert_eq!((all.count, all.stopped), (None, None));
    }
    // When the length is proven, a limit takes nothing away from the shortest solution.
    for nodes in [first + 1, first + 50, nodes - 1] {
        for (list, count) in [
            (usize::MAX, true),
            (3, true),
            (0, true),
            (usize::MAX, false),
        ] {
            let effort = limited(1, |limits| limits.nodes = Some(nodes));
            let all = solver.all(&board, &effort, list, count).unwrap();
            assert!(all.report.statistics.expanded <= nodes);
            let Outcome::Solved(solution) = &all.report.outcome else {
                panic!("{nodes} nodes are enough for one");
            };
            assert!(solution.proof.is_optimal());
            assert_eq!((solution.cost, solution.moves.len()), (31, 31));
            check_path(&solver, &board, &solution.moves);
            assert_eq!((all.count, all.stopped), (None, Some(Limit::Nodes)));
            assert!(all.solutions.len() <= list && (list == 0 || !all.solutions.is_empty()));
            for moves in &all.solutions {
                assert_eq!(moves.len(), 31);
                check_path(&solver, &board, moves);
            }
        }
    }
    let effort = limited(1, |limits| limits.cost = Some(30));
    let all = solver.all(&board, &effort, 1, false).unwrap();
    let expected = Outcome::Stopped {
        limit: Limit::Cost,
        lower_bound: 31,
    };
    assert_eq!(all.report.outcome, expected);
}
