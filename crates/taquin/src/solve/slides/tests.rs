//! Whole spaces as the judge.

use std::collections::{HashMap, HashSet};

use crate::outcome::{Budget, Limit, Limits, Outcome};
use crate::solve::{Effort, EngineError, GoalSolver, Start};
use crate::space::{Atlas, Space};
use crate::tables::{ClassCatalogue, ClassTables, KeyError, Tier};
use crate::{Board, Goal, Metric, Move, Rng, Size, uniform};

fn solver(goal: &Board, tier: Tier) -> GoalSolver {
    let catalogue = ClassCatalogue::for_goal(goal, tier).unwrap();
    let tables = ClassTables::build(catalogue, 2, &Budget::default()).unwrap();
    GoalSolver::new(goal, &tables).unwrap()
}

/// The goal with 1, 2, 3 … in reading order and the blank in that cell.
fn goal(size: &str, blank: usize) -> Board {
    let size: Size = size.parse().unwrap();
    let mut tiles: Vec<_> = (1..size.cells() as u16).collect();
    tiles.insert(blank, 0);
    Board::from_tiles(size, &tiles).unwrap()
}

/// The fewest slides, by a solution that is replayed and counted.
fn slides(solver: &GoalSolver, board: &Board, effort: &Effort) -> u32 {
    let report = solver.solve(board, effort).unwrap();
    let Outcome::Solved(solution) = report.outcome else {
        panic!("{board}: no limit was set");
    };
    assert_eq!(board.after(&solution.moves).unwrap(), *solver.goal());
    assert_eq!(solution.moves.length(Metric::Multi) as u32, solution.cost);
    assert!(solution.proof.is_optimal());
    assert!(solver.estimate(board).unwrap() <= solution.cost, "{board}");
    solution.cost
}

/// Every board of a space, level by level.
fn every_board(goal: &Board) -> Vec<(Board, u32)> {
    let mut seen = HashSet::from([goal.clone()]);
    let mut all = vec![(goal.clone(), 0)];
    let mut next = 0;
    while next < all.len() {
        let (board, distance) = all[next].clone();
        next += 1;
        for direction in board.legal_moves() {
            let mut after = board.clone();
            while after.slide(direction).is_ok() {
                if seen.insert(after.clone()) {
                    all.push((after.clone(), distance + 1));
                }
            }
        }
    }
    all
}

#[test]
fn every_board_of_small_spaces_is_solved_in_the_fewest_slides() {
    for size in ["2x2", "2x3", "3x2"] {
        for blank in 0..size.parse::<Size>().unwrap().cells() {
            check_boards(&goal(size, blank), Tier::Full, 1);
        }
    }
    // All other cells are mirror images of these two.
    for blank in [7, 2] {
        check_boards(&goal("2x4", blank), Tier::Full, 1);
    }
}

#[test]
fn boards_of_3x3_are_solved_in_the_fewest_slides() {
    for blank in [0, 5, 4] {
        check_boards(&goal("3x3", blank), Tier::Quick, 17);
    }
}

#[test]
#[ignore = "half a million searches: run it with --release"]
fn all_solutions_of_every_board_of_3x3_and_of_every_97th_of_2x5_are_found() {
    for blank in [0, 5, 4] {
        check_all(&goal("3x3", blank), Tier::Quick, 1);
    }
    for blank in [9, 2] {
        check_all(&goal("2x5", blank), Tier::Full, 97);
    }
}

/// Solves every n-th board of a space.
fn check_boards(goal: &Board, tier: Tier, every: usize) {
    let solver = solver(goal, tier);
    for (board, distance) in every_board(goal).into_iter().step_by(every) {
        assert_eq!(slides(&solver, &board, &Effort::default()), distance);
    }
}

#[test]
fn boards_of_ten_and_twelve_cells_are_solved_in_the_fewest_slides() {
    for (size, blank, tier) in [
        ("2x5", 9, Tier::Full),
        ("5x2", 4, Tier::Quick),
        ("3x4", 11, Tier::Full),
        ("4x3", 4, Tier::Quick),
        ("2x6", 11, Tier::Full),
    ] {
        let goal = goal(size, blank);
        let space = Space::new(&goal, Metric::Multi).unwrap();
        let atlas = space.search(2, &Budget::default()).unwrap();
        let solver = solver(&goal, tier);
        let mut rng = Rng::from_seed(1);
        for threads in (0..200).map(|i| 1 + i % 2) {
            let board = uniform(&goal, &mut rng);
            let effort = Effort {
                threads,
                ..Effort::default()
            };
            let distance = atlas.distance(&board).unwrap();
            assert_eq!(slides(&solver, &board, &effort), distance, "{board}");
            let all = solver
                .all_from(&board, &effort, (1, true), distance)
                .unwrap();
            let ways = ways(&atlas, &board, &mut HashMap::new());
            assert_eq!(all.count, Some(ways), "{board}");
        }
    }
}

/// How many shortest solutions a board has, by the best first slides of every board on the way.
fn ways(atlas: &Atlas, board: &Board, known: &mut HashMap<Board, u64>) -> u64 {
    if let Some(&ways) = known.get(board) {
        return ways;
    }
    let best = atlas.best(board).unwrap();
    let each = best.iter().map(|slide| {
        let mut after = board.clone();
        for _ in 0..slide.tiles {
            after.slide(slide.direction).unwrap();
        }
        ways(atlas, &after, known)
    });
    // The goal has no slides, and one solution.
    let ways = each.sum::<u64>().max(1);
    known.insert(board.clone(), ways);
    ways
}

/// The boards that one slide leads to.
fn after_a_slide(board: &Board) -> Vec<(Slide, Board)> {
    let mut all = Vec::new();
    for direction in board.legal_moves() {
        let mut after = board.clone();
        for tiles in 1.. {
            if after.slide(direction).is_err() {
                break;
            }
            all.push(((direction, tiles), after.clone()));
        }
    }
    all
}

/// Where tiles go, and how many of them.
type Slide = (Move, usize);

fn first_slide(moves: &[Move]) -> Option<Slide> {
    let first = *moves.first()?;
    let tiles = moves.iter().take_while(|&&m| m == first).count();
    Some((first, tiles))
}

/// Finds all shortest solutions of every n-th board of a space; a plain search, which counts paths,
/// is the judge.
fn check_all(goal: &Board, tier: Tier, every: usize) {
    /// More than any of these boards has.
    const MANY: usize = 10_000;
    let solver = solver(goal, tier);
    let boards = every_board(goal);
    let mut counts: HashMap<&Board, (u32, u64)> = HashMap::new();
    for (i, (board, distance)) in boards.iter().enumerate() {
        let mut count = u64::from(*distance == 0);
        let mut first = HashSet::new();
        for (slide, after) in after_a_slide(board) {
            if let Some(&(there, ways)) = counts.get(&after)
                && there + 1 == *distance
            {
                count += ways;
                first.insert(slide);
            }
        }
        counts.insert(board, (*distance, count));
        if !i.is_multiple_of(every) {
            continue;
        }
        let effort = Effort::default();
        let all = solver.all_from(board, &effort, (MANY, true), 0).unwrap();
        let Outcome::Solved(solution) = &all.report.outcome else {
            panic!("{board}: no limit was set");
        };
        assert_eq!((solution.cost, all.count), (*distance, Some(count)));
        assert_eq!(all.stopped, None);
        assert_eq!(all.solutions.len() as u64, count, "{board}");
        assert_eq!(all.solutions[0], solution.moves);
        let found = all.solutions.iter().filter_map(|moves| first_slide(moves));
        assert_eq!(found.collect::<HashSet<_>>(), first, "{board}");
        for moves in &all.solutions {
            assert_eq!(board.after(moves).unwrap(), *goal);
            assert_eq!(moves.length(Metric::Multi) as u32, *distance);
        }
        let distinct: HashSet<&[Move]> = all.solutions.iter().map(|moves| &moves[..]).collect();
        assert_eq!(distinct.len(), all.solutions.len(), "{board}");
        // Fewer are the first of them, whether they are counted or not.
        if !i.is_multiple_of(5) {
            continue;
        }
        for is_counted in [false, true] {
            let some = solver.all_from(board, &effort, (2, is_counted), *distance);
            let some = some.unwrap();
            assert_eq!(some.solutions, all.solutions[..all.solutions.len().min(2)]);
            assert!(some.count == all.count || !is_counted && some.count.is_none());
        }
    }
}

#[test]
fn all_shortest_solutions_of_small_spaces_are_found_and_counted() {
    for size in ["2x2", "2x3", "3x2"] {
        for blank in 0..size.parse::<Size>().unwrap().cells() {
            check_all(&goal(size, blank), Tier::Full, 1);
        }
    }
    for blank in [7, 2] {
        check_all(&goal("2x4", blank), Tier::Full, 1);
    }
}

#[test]
fn all_shortest_solutions_of_boards_of_3x3_are_found_and_counted() {
    for blank in [0, 5, 4] {
        check_all(&goal("3x3", blank), Tier::Quick, 101);
    }
}

#[test]
fn threads_and_what_is_proven_change_no_list() {
    let goal = Goal::Classic.board("4x4".parse().unwrap()).unwrap();
    let solver = solver(&goal, Tier::Quick);
    let mut rng = Rng::from_seed(5);
    let effort = |threads| Effort {
        threads,
        ..Effort::default()
    };
    let mut expanded = 0;
    for _ in 0..3 {
        let board = crate::random_walk_end(&goal, 70, &mut rng);
        let one = solver.all_from(&board, &effort(1), (50, true), 0).unwrap();
        let Outcome::Solved(solution) = &one.report.outcome else {
            panic!("{board}: no limit was set");
        };
        for (wanted, proven) in [((50, true), solution.cost), ((3, false), 0)] {
            let two = solver.all_from(&board, &effort(2), wanted, proven).unwrap();
            let listed = wanted.0.min(one.solutions.len());
            assert_eq!(two.solutions, one.solutions[..listed]);
            assert_eq!(two.report.outcome, one.report.outcome);
        }
        let start = Start {
            proven: solution.cost,
            ..Start::default()
        };
        let known = solver.improve_from(&board, &effort(1), start, &mut |_| ());
        let known = known.unwrap();
        assert_eq!(known.statistics.iterations.len(), 1);
        assert!(matches!(&known.outcome, Outcome::Solved(found) if found.cost == solution.cost));
        expanded += one.report.statistics.expanded;
    }
    // Long enough that a second thread joins in.
    assert!(expanded > 100_000, "{expanded}");
}

#[test]
fn what_is_proven_stays_where_a_limit_ends_the_list() {
    let goal = goal("4x3", 0);
    let solver = solver(&goal, Tier::Quick);
    let board = uniform(&goal, &mut Rng::from_seed(3));
    let first = solver.solve(&board, &Effort::default()).unwrap();
    let Outcome::Solved(solution) = &first.outcome else {
        panic!("no limit was set");
    };
    let all = |nodes, wanted| {
        let mut effort = Effort::default();
        effort.limits.nodes = Some(nodes);
        solver.all_from(&board, &effort, wanted, 0).unwrap()
    };
    let stopped = all(first.statistics.expanded + 5, (7, true));
    assert_eq!(stopped.stopped, Some(Limit::Nodes));
    assert_eq!(stopped.count, None);
    assert!(!stopped.solutions.is_empty());
    assert!(matches!(&stopped.report.outcome, Outcome::Solved(found)
        if found.cost == solution.cost && found.lower_bound == solution.cost));
    let stopped = all(5, (7, true));
    assert!(matches!(
        stopped.report.outcome,
        Outcome::Stopped {
            limit: Limit::Nodes,
            ..
        }
    ));
    assert!(stopped.solutions.is_empty() && stopped.stopped.is_none());
    // With nothing wanted but the length, nothing is searched twice.
    let length = all(first.statistics.expanded, (0, false));
    assert!(length.solutions.is_empty() && length.count.is_none());
    assert_eq!(length.stopped, None);
}

#[test]
fn limits_end_a_search_and_say_what_is_proven() {
    let goal = goal("4x3", 0);
    let solver = solver(&goal, Tier::Quick);
    let board = uniform(&goal, &mut Rng::from_seed(3));
    let length = slides(&solver, &board, &Effort::default());
    let with = |change: &dyn Fn(&mut Limits)| {
        let mut effort = Effort::default();
        change(&mut effort.limits);
        let report = solver.solve(&board, &effort).unwrap();
        (report.outcome, report.statistics.expanded)
    };
    let (outcome, _) = with(&|limits| limits.cost = Some(length - 1));
    let lower_bound = length;
    let limit = Limit::Cost;
    assert_eq!(outcome, Outcome::Stopped { limit, lower_bound });
    let (outcome, expanded) = with(&|limits| limits.nodes = Some(30));
    assert!(
        matches!(outcome, Outcome::Stopped { limit: Limit::Nodes, lower_bound } if lower_bound <= length)
    );
    assert!(expanded <= 30);
    let (outcome, _) = with(&|limits| limits.time = Some(std::time::Duration::ZERO));
    assert!(matches!(
        outcome,
        Outcome::Stopped {
            limit: Limit::Time,
            ..
        }
    ));
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let goal = goal("2x3", 5);
    let solver = solver(&goal, Tier::Quick);
    let swapped = goal.with_swapped(1, 2).unwrap();
    let refused = solver.solve(&swapped, &Effort::default());
    assert!(matches!(refused, Err(EngineError::Unsolvable(_))));
    let other = Goal::Classic.board("3x3".parse().unwrap()).unwrap();
    let refused = solver.solve(&other, &Effort::default());
    assert!(matches!(refused, Err(EngineError::Size(_))));
    let large = Goal::Classic.board("3x6".parse().unwrap()).unwrap();
    let refused = ClassCatalogue::for_goal(&large, Tier::Quick);
    assert_eq!(refused, Err(KeyError::ClassCells(large.size())));
}
