//! Whole spaces, searched and looked up: `cargo xtask bench spaces` runs this.
//!
//! ```text
//! $ cargo run --release --package taquin --example spaces -- 3x3 3x4 2x6
//! ```
//!
//! Each space is searched three times on all threads, and the median is printed with the figures,
//! which must be the published ones. Then distances of random boards are looked up.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use taquin::space::{Atlas, Space};
use taquin::{Board, Budget, Goal, Metric, Rng, Size, uniform};

/// Size, metric, boards, largest distance, boards there, mean.
const PUBLISHED: &str = include_str!("../tests/data/spaces.txt");
const SIZES: [&str; 7] = ["2x2", "2x3", "2x4", "3x3", "2x5", "3x4", "2x6"];
/// How many boards are looked up.
const BOARDS: usize = 10_000;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let sizes: Vec<&str> = match &args[..] {
        [] => SIZES.to_vec(),
        sizes => sizes.iter().map(String::as_str).collect(),
    };
    match run(&sizes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("spaces: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(sizes: &[&str]) -> Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "{:<5} {:<7} {:>14} {:>9} {:>6} {:>8} {:>12} {:>12} {:>12} {:>12}",
        "size",
        "metric",
        "boards",
        "farthest",
        "there",
        "mean",
        "time (ms)",
        "memory (MB)",
        "atlas (MB)",
        "lookup (µs)",
    );
    for size in sizes {
        for metric in [Metric::Single, Metric::Multi] {
            one(size.parse()?, metric, threads)?;
        }
    }
    Ok(())
}

/// Searches one space and prints a line.
fn one(size: Size, metric: Metric, threads: usize) -> Result<()> {
    let goal = Goal::Classic.board(size)?;
    let space = Space::new(&goal, metric)?;
    let times = if space.boards() < 1_000_000_000 { 3 } else { 1 };
    let mut searches = Vec::new();
    let mut atlas = None;
    for _ in 0..times {
        // The last atlas would take memory that the search does not.
        drop(atlas.take());
        let begin = Instant::now();
        atlas = Some(space.search(threads, &Budget::default())?);
        searches.push(begin.elapsed());
    }
    searches.sort_unstable();
    let atlas = atlas.expect("it was searched");
    let all = atlas.census().all();
    let (farthest, mean) = (all.farthest(), all.mean().unwrap_or_default());
    let figures = format!(
        "{size} {} {} {farthest} {} {mean:.3}",
        metric.name(),
        all.boards(),
        all.at(farthest),
    );
    if !PUBLISHED.lines().any(|line| line == figures) {
        return Err(format!("not as published: {figures}").into());
    }
    println!(
        "{size:<5} {:<7} {:>14} {farthest:>9} {:>6} {mean:>8.3} {:>12.2} {:>12.1} {:>12.1} {:>12.3}",
        metric.name(),
        all.boards(),
        all.at(farthest),
        searches[times / 2].as_secs_f64() * 1e3,
        megabytes(space.working_memory(threads)),
        megabytes(atlas.bytes().len() as u64),
        lookup(&atlas, &goal)?.as_secs_f64() * 1e6,
    );
    Ok(())
}

/// The mean time of a distance.
fn lookup(atlas: &Atlas, goal: &Board) -> Result<Duration> {
    let mut rng = Rng::from_seed(1);
    let boards: Vec<Board> = (0..BOARDS).map(|_| uniform(goal, &mut rng)).collect();
    let begin = Instant::now();
    let mut sum = 0;
    for board in &boards {
        sum += atlas.distance(board)?;
    }
    let time = begin.elapsed();
    // The sum has to be wanted by someone, or the lookups may be left out.
    if sum == 0 {
        return Err("no board is away from the goal".into());
    }
    Ok(time / BOARDS as u32)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a printed number of one decimal"
)]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
