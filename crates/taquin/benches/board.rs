//! What the puzzle's own operations cost: moves, reading, solvability, scrambles.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use taquin::notation::{BoardReader, ReadOptions};
use taquin::{Board, Goal, Invariant, Move, Rng, Size, random_walk, uniform};

fn goal(side: usize) -> Board {
    let size = Size::new(side, side).expect("a size");
    Goal::Classic
        .board(size)
        .expect("named goals have all sizes")
}

fn slides(c: &mut Criterion) {
    let mut group = c.benchmark_group("slide");
    for side in [4, 10] {
        let goal = goal(side);
        let walk: Vec<Move> = random_walk(&goal, 1000, &mut Rng::from_seed(1)).to_vec();
        group.throughput(Throughput::Elements(walk.len() as u64));
        group.bench_function(format!("{side}x{side}"), |b| {
            b.iter(|| {
                let mut board = goal.clone();
                board.apply(black_box(&walk)).expect("the walk is legal");
                board
            });
        });
    }
    group.finish();
}

fn reading(c: &mut Criterion) {
    let goal = goal(4);
    let mut rng = Rng::from_seed(2);
    let lines: Vec<String> = (0..1000)
        .map(|_| uniform(&goal, &mut rng).to_string())
        .collect();
    let text = lines.join("\n");
    let mut group = c.benchmark_group("read");
    group.throughput(Throughput::Elements(1000));
    group.bench_function("4x4 rows", |b| {
        b.iter(|| {
            let boards = BoardReader::new(black_box(text.as_bytes()), ReadOptions::default());
            assert_eq!(boards.flatten().count(), 1000);
        });
    });
    group.finish();
}

fn solvability(c: &mut Criterion) {
    let mut group = c.benchmark_group("inversions");
    for side in [4, 8, 255] {
        let board = uniform(&goal(side), &mut Rng::from_seed(3));
        group.bench_function(format!("{side}x{side}"), |b| {
            b.iter(|| Invariant::of(black_box(&board)));
        });
    }
    group.finish();
}

fn scrambles(c: &mut Criterion) {
    let goal = goal(4);
    let mut rng = Rng::from_seed(4);
    c.bench_function("scramble 4x4", |b| {
        b.iter(|| uniform(black_box(&goal), &mut rng));
    });
}

criterion_group!(benches, slides, reading, solvability, scrambles);
criterion_main!(benches);
