//! What the other files share: solvers, whole spaces, and the checks that every answer must pass.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use taquin::solve::{Effort, GoalSolver};
use taquin::tables::{Catalogue, TableSet, Tier};
use taquin::{Board, Budget, Goal, Limits, Move, Moves, Outcome, Report, Size, Tile};

pub(crate) fn size(text: &str) -> Size {
    text.parse().expect("a size")
}

pub(crate) fn classic(text: &str) -> Board {
    Goal::Classic.board(size(text)).expect("every size has it")
}

/// The goal with its tiles in reading order and the blank in a cell.
pub(crate) fn goal_with_blank(text: &str, blank: usize) -> Board {
    let size = size(text);
    let mut tiles: Vec<Tile> = (1..size.cells() as Tile).collect();
    tiles.insert(blank, 0);
    Board::from_tiles(size, &tiles).expect("a board")
}

pub(crate) fn tables(goal: &Board, tier: Tier) -> TableSet {
    let catalogue = Catalogue::for_goal(goal, tier).expect("a small board");
    TableSet::build(catalogue, 2, &Budget::default()).expect("no limit was set")
}

pub(crate) fn solver(goal: &Board) -> GoalSolver {
    GoalSolver::new(goal, &tables(goal, Tier::Quick)).expect("tables for this goal")
}

pub(crate) fn threads(threads: usize) -> Effort {
    Effort {
        threads,
        ..Effort::default()
    }
}

pub(crate) fn limited(threads: usize, change: impl FnOnce(&mut Limits)) -> Effort {
    let mut effort = self::threads(threads);
    change(&mut effort.limits);
    effort
}

/// Solves a board, replays what comes out, and checks all that a report says; gives the length.
pub(crate) fn length(solver: &GoalSolver, board: &Board, effort: &Effort) -> u32 {
    let report = solver.solve(board, effort).expect("a solvable board");
    let Outcome::Solved(solution) = &report.outcome else {
        panic!("{board}: {:?}", report.outcome);
    };
    assert_eq!(solution.moves.len(), solution.cost as usize, "{board}");
    assert_eq!(solution.lower_bound, solution.cost, "{board}");
    assert!(solution.proof.is_optimal(), "{board}");
    check_path(solver, board, &solution.moves);
    check_totals(&report);
    // Parity leaves out every other length, and the last iteration is the one that solves.
    let iterations = report.statistics.iterations.iter().rev();
    let lengths = iterations.zip(0..).map(|(i, back)| i.threshold + 2 * back);
    assert!(
        lengths.into_iter().all(|length| length == solution.cost),
        "{board}"
    );
    solution.cost
}

pub(crate) fn check_path(solver: &GoalSolver, board: &Board, path: &[Move]) {
    let end = board.after(&Moves::from(path.to_vec()));
    assert_eq!(end.as_ref(), Ok(solver.goal()), "{board} {path:?}");
}

/// The iterations add up, and no threshold is below the one before.
pub(crate) fn check_totals(report: &Report) {
    let statistics = &report.statistics;
    let iterations = &statistics.iterations;
    let expanded: u64 = iterations.iter().map(|i| i.expanded).sum();
    let generated: u64 = iterations.iter().map(|i| i.generated).sum();
    assert_eq!(
        (statistics.expanded, statistics.generated),
        (expanded, generated)
    );
    assert!(
        iterations.is_sorted_by_key(|i| i.threshold),
        "{iterations:?}"
    );
}

/// Every board that can reach the goal with its distance, nearest first.
pub(crate) fn space(goal: &Board) -> Vec<(Board, u32)> {
    let mut seen = HashSet::from([goal.packed()]);
    let mut space = vec![(goal.clone(), 0)];
    let mut visited = 0;
    while let Some((board, distance)) = space.get(visited).cloned() {
        visited += 1;
        for m in board.legal_moves() {
            let mut next = board.clone();
            next.slide(m).expect("a legal move");
            if seen.insert(next.packed()) {
                space.push((next, distance + 1));
            }
        }
    }
    space
}

/// Does something with every item, on all processors.
pub(crate) fn each<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    const LOT: usize = 16;
    let next = AtomicUsize::new(0);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..processors {
            scope.spawn(|| {
                while let Some(rest) = items.get(next.fetch_add(LOT, Ordering::Relaxed)..) {
                    if rest.is_empty() {
                        break;
                    }
                    rest.iter().take(LOT).for_each(&work);
                }
            });
        }
    });
}
