//! Searches on fixed boards: nodes a second, and the node counts as signatures.
//!
//! Floors on one core: IDA* generates 40 million nodes a second with Manhattan distance and 15
//! million with linear conflict; breadth-first search goes through all of 3x3 in 0.05 s.
//!
//! Korf (1985) gives 15,300,442 and 546,344 generated nodes for the two boards. With Manhattan
//! distance and his goal, every iteration that ends without a solution generates the same number in
//! any order of the moves (a test in `tests/laboratory` has those of the second board). The last
//! iteration ends at the goal, so its number depends on the order. With the order up, left, right,
//! down for the blank, children made one at a time, and the start counted once, a program of twenty
//! lines gives exactly Korf's two numbers. Our order is down, up, right, left for the blank, and all
//! children of a node are made before the first is followed, which adds those beside the solution.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use taquin::heuristic::{Heuristic, LinearConflict, Manhattan, WalkingDistance};
use taquin::search::{Cost, PackedState, Sliding, bfs, idastar};
use taquin::{Board, Goal, Limits, Outcome};

type Puzzle = Sliding<PackedState>;

/// Boards 2 and 12 of Korf 1985, whose goal has the blank first, and what they take.
const BOARDS: [(&str, u32); 2] = [
    ("13 5 4 10/9 12 8 14/2 3 7 1/0 15 11 6", 55),
    ("14 1 9 6/4 8 12 5/7 2 3 0/10 11 13 15", 45),
];

/// The nodes that our IDA* generates for them. A change here is a change of the algorithm.
const MANHATTAN: [u64; 2] = [12_175_055, 633_957];
const LINEAR_CONFLICT: [u64; 2] = [3_515_727, 208_655];
const WALKING_DISTANCE: [u64; 2] = [3_323_445, 102_960];

fn puzzle(board: &str, goal: &Goal) -> (Puzzle, PackedState) {
    let board: Board = board.parse().expect("a board");
    let goal = goal.board(board.size()).expect("a goal");
    let domain = Sliding::new(&goal, Cost::Unit).expect("sixteen cells fit");
    let start = domain.state(&board).expect("the same size");
    (domain, start)
}

fn deepening<H: Heuristic<Puzzle>>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    make: impl Fn(&Puzzle) -> H,
    nodes: [u64; 2],
) {
    group.sample_size(10);
    for ((board, length), nodes) in BOARDS.into_iter().zip(nodes) {
        let (domain, start) = puzzle(board, &Goal::BlankFirst);
        let heuristic = make(&domain);
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("{length} moves"), |b| {
            b.iter(|| {
                let limits = Limits::default();
                let report = idastar(&domain, black_box(start), &heuristic, &limits, &mut ());
                let Outcome::Solved(solution) = report.outcome else {
                    panic!("{board} is solvable");
                };
                let found = (solution.cost, report.statistics.generated);
                assert_eq!(found, (length, nodes));
            });
        });
    }
}

fn idastar_manhattan(c: &mut Criterion) {
    let mut group = c.benchmark_group("idastar/manhattan/4x4");
    deepening(&mut group, Manhattan::new, MANHATTAN);
}

fn idastar_linear_conflict(c: &mut Criterion) {
    let mut group = c.benchmark_group("idastar/linear-conflict/4x4");
    deepening(&mut group, LinearConflict::new, LINEAR_CONFLICT);
}

fn idastar_walking_distance(c: &mut Criterion) {
    let mut group = c.benchmark_group("idastar/walking-distance/4x4");
    let make = |domain: &Puzzle| WalkingDistance::new(domain).expect("small tables");
    deepening(&mut group, make, WALKING_DISTANCE);
}

/// Every board that can be reached, from one that cannot reach the goal: nothing ends the search.
fn bfs_whole_space(c: &mut Criterion) {
    let (domain, start) = puzzle("1 2 3/4 5 6/8 7 0", &Goal::Classic);
    let mut group = c.benchmark_group("bfs");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(181_440));
    group.bench_function("all of 3x3", |b| {
        b.iter(|| {
            let report = bfs(&domain, black_box(start), &Limits::default(), &mut ());
            assert_eq!(report.outcome, Outcome::NoSolution);
            assert_eq!(report.statistics.expanded, 181_440);
        });
    });
}

criterion_group!(
    benches,
    idastar_manhattan,
    idastar_linear_conflict,
    idastar_walking_distance,
    bfs_whole_space
);
criterion_main!(benches);
