//! What the engine of multi-tile moves can do.
//!
//! ```text
//! $ cargo run --release --package taquin --features store --example slides -- full 1 1
//! ```
//!
//! Builds the tables in memory on two threads, then solves Korf's 100 boards and random ones, a
//! thousand with the full tables and a hundred with the quick ones, on as many threads as the second
//! argument says, and as many of the sixteen farthest boards as the third one says. Every length must be the known one; node totals are the signature of the
//! search: on one thread they stay the same from run to run.
//!
//! With a size instead, such as `3x5 1`, random boards of that size are solved with the quick and
//! with the full tables.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use taquin::solve::{Effort, GoalSolver};
use taquin::tables::{ClassCatalogue, ClassTables, Tier};
use taquin::{Board, Budget, Goal, Named, Outcome, Rng, Size, uniform};

const BOARDS: &str = include_str!("../tests/data/korf15.csv");
const LENGTHS: &str = include_str!("../tests/data/korf15_multi.csv");
const FARTHEST: &str = include_str!("../tests/data/farthest15_multi.csv");
/// How many random boards are solved: with the full tables, with the quick ones, of other sizes.
const MANY_RANDOM: usize = 1000;
const RANDOM: usize = 100;
const FEW_RANDOM: usize = 10;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let tier = args.first().map_or("full", String::as_str);
    let threads = args.get(1).map_or("1", String::as_str);
    let farthest = args.get(2).map_or("0", String::as_str);
    match run(tier, threads, farthest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("slides: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(tier: &str, threads: &str, farthest: &str) -> Result<()> {
    if let Ok(size) = tier.parse() {
        return run_size(size, threads.parse()?);
    }
    let tier: Tier = Tier::from_name(tier)
        .ok_or("usage: slides full|quick [THREADS [FARTHEST]], or slides SIZE [THREADS]")?;
    let effort = Effort {
        threads: threads.parse()?,
        ..Effort::default()
    };
    let goal = Goal::BlankFirst.board("4x4".parse()?)?;
    let solver = build(&goal, tier)?;

    let lines = BOARDS.lines().skip(1).zip(LENGTHS.lines().skip(2));
    let korf = lines.map(|(board, length)| -> Result<(Board, Option<u32>)> {
        let board = board.split(',').nth(1).ok_or("no board")?;
        let length = length.split(',').nth(1).ok_or("no length")?;
        Ok((board.parse()?, Some(length.parse()?)))
    });
    let korf: Vec<_> = korf.collect::<Result<_>>()?;
    measure("Korf's boards", &solver, &effort, &korf)?;

    let mut rng = Rng::from_seed(1);
    let random = std::iter::repeat_with(|| (uniform(&goal, &mut rng), None));
    let count = match tier {
        Tier::Full => MANY_RANDOM,
        Tier::Quick => RANDOM,
    };
    let random: Vec<_> = random.take(count).collect();
    measure("random boards", &solver, &effort, &random)?;

    for line in FARTHEST.lines().skip(1).take(farthest.parse()?) {
        let (board, length) = line.split_once(',').ok_or("no length")?;
        let board = (blank_first(&board.parse()?)?, Some(length.parse()?));
        measure("of the farthest boards", &solver, &effort, &[board])?;
    }
    Ok(())
}

fn run_size(size: Size, threads: usize) -> Result<()> {
    let goal = Goal::Classic.board(size)?;
    let effort = Effort {
        threads,
        ..Effort::default()
    };
    for tier in [Tier::Quick, Tier::Full] {
        let solver = build(&goal, tier)?;
        let mut rng = Rng::from_seed(1);
        let random = std::iter::repeat_with(|| (uniform(&goal, &mut rng), None));
        let random: Vec<_> = random.take(FEW_RANDOM).collect();
        measure(
            &format!("random boards of {size}"),
            &solver,
            &effort,
            &random,
        )?;
    }
    Ok(())
}

fn build(goal: &Board, tier: Tier) -> Result<GoalSolver> {
    let begin = Instant::now();
    let catalogue = ClassCatalogue::for_goal(goal, tier)?;
    let tables = ClassTables::build(catalogue, 2, &Budget::default())?;
    println!(
        "{} tables: {} bytes, built on two threads in {:.2} s",
        tier.name(),
        tables.bytes(),
        begin.elapsed().as_secs_f64()
    );
    Ok(GoalSolver::new(goal, &tables)?)
}

/// A board whose goal has the blank last, turned so that its goal has the blank first.
fn blank_first(board: &Board) -> Result<Board> {
    let mut tiles: Vec<_> = board
        .tiles()
        .map(|tile| if tile == 0 { 0 } else { 16 - tile })
        .collect();
    tiles.reverse();
    Ok(Board::from_tiles(board.size(), &tiles)?)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "means are printed with few digits"
)]
fn measure(
    what: &str,
    solver: &GoalSolver,
    effort: &Effort,
    boards: &[(Board, Option<u32>)],
) -> Result<()> {
    let (mut slides, mut estimates, mut generated, mut expanded) = (0, 0, 0, 0);
    let mut time = Duration::ZERO;
    for (board, length) in boards {
        estimates += solver.estimate(board)?;
        let report = solver.solve(board, effort)?;
        let Outcome::Solved(solution) = report.outcome else {
            return Err(format!("{board}: {:?}", report.outcome).into());
        };
        if length.is_some_and(|length| length != solution.cost) {
            return Err(format!("{board}: {} slides, not {length:?}", solution.cost).into());
        }
        slides += solution.cost;
        expanded += report.statistics.expanded;
        generated += report.statistics.generated;
        time += report.statistics.time;
    }
    let count = boards.len() as f64;
    println!(
        "{} {what}: {slides} slides, estimate {:.2}, expanded {expanded}, generated {generated} \
         ({:.0} a board), {:.3} s ({:.2} ms a board), {:.1} ns a node generated",
        boards.len(),
        f64::from(estimates) / count,
        generated as f64 / count,
        time.as_secs_f64(),
        time.as_secs_f64() * 1e3 / count,
        time.as_secs_f64() * 1e9 / generated as f64
    );
    Ok(())
}
