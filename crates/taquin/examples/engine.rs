//! What the table engine can do: `cargo xtask bench tables`, `engine` and `korf24 ID` run this.
//!
//! ```text
//! $ cargo run --release --package taquin --features store --example engine -- engine
//! ```
//!
//! Tables are built in memory, so no folder has to be there. Every length must be the known one;
//! node totals are printed as the signature of the search: they stay the same from run to run on
//! one thread, whatever the machine.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use taquin::solve::{Effort, GoalSolver};
use taquin::tables::{Catalogue, Indexer, Key, Partition, Table, TableSet, Tier};
use taquin::{Board, Budget, Goal, Outcome, Rng, Size, uniform};

const KORF15: &str = include_str!("../tests/data/korf15.csv");
const KORF24: &str = include_str!("../tests/data/korf24.csv");
const FARTHEST15: &str = include_str!("../tests/data/farthest15.csv");
const HARD15: &str = include_str!("../tests/data/hard15.csv");

/// Four of the easiest of Korf and Felner's boards.
const EASY24: [&str; 4] = ["38", "40", "44", "25"];
/// How many random boards `engine` solves.
const RANDOM: u32 = 1000;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args[..] {
        ["tables"] => tables(),
        ["engine"] => engine(),
        ["korf24"] => korf24(&EASY24),
        ["korf24", ref ids @ ..] => korf24(ids),
        _ => Err("usage: engine tables | engine | korf24 [ID]...".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("engine: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Build times.
fn tables() -> Result<()> {
    println!(
        "{:<26} {:>7} {:>14} {:>12} {:>9}",
        "tables", "threads", "entries", "bytes", "time (s)"
    );
    let four: Size = "4x4".parse()?;
    let five: Size = "5x5".parse()?;
    let full = Catalogue::of(four, 15, Tier::Full)?.keys();
    let quick = Catalogue::of(four, 15, Tier::Quick)?.keys();
    let six = Catalogue::of(five, 24, Tier::Full)?.partitions()[0].clone();
    let six = &six.keys()[..1];
    for (name, keys, threads) in [
        ("4x4, 7-8", &full[..], 1),
        ("4x4, 7-8", &full, threads()),
        ("4x4, 6-6-3", &quick, 1),
        ("4x4, 6-6-3", &quick, threads()),
        ("5x5, one of six tiles", six, 1),
    ] {
        build(name, keys, threads)?;
    }
    Ok(())
}

/// Builds tables and prints a line.
fn build(name: &str, keys: &[Key], threads: usize) -> Result<()> {
    let (mut entries, mut bytes) = (0, 0);
    let start = Instant::now();
    for &key in keys {
        let indexer = Indexer::new(&key);
        let table = Table::build(key, &indexer, threads, &Budget::default())?;
        entries += indexer.entries();
        bytes += table.bytes().len();
    }
    let time = start.elapsed().as_secs_f64();
    println!("{name:<26} {threads:>7} {entries:>14} {bytes:>12} {time:>9.3}");
    Ok(())
}

/// Boards of 4×4 with full tables in memory.
fn engine() -> Result<()> {
    let size: Size = "4x4".parse()?;
    let classic = Goal::Classic.board(size)?;
    let first = Goal::BlankFirst.board(size)?;
    // Both goals are one puzzle turned round, so they share the tables.
    let tables = full_tables(&classic)?;
    let (classic, first) = (
        GoalSolver::new(&classic, &tables)?,
        GoalSolver::new(&first, &tables)?,
    );

    let korf = boards(KORF15, 3)?;
    for run in 1..=3 {
        Total::of(&first, &korf, 1)?.print(&format!("Korf's boards, run {run}"), 1);
    }
    let mut rng = Rng::from_seed(1);
    let random: Vec<Known> = (1..=RANDOM)
        .map(|id| Known {
            id: id.to_string(),
            board: uniform(classic.goal(), &mut rng),
            optimal: None,
        })
        .collect();
    for run in 1..=2 {
        Total::of(&classic, &random, 1)?.print(&format!("random boards, run {run}"), 1);
    }
    let farthest = boards(FARTHEST15, 1)?;
    Total::of(&classic, &farthest, threads())?.print("80-move boards", threads());
    let hard = boards(HARD15, 1)?;
    Total::of(&classic, &hard, threads())?.print("hard boards", threads());
    Ok(())
}

/// Boards of Korf and Felner's list, by number.
fn korf24(ids: &[&str]) -> Result<()> {
    let goal = Goal::BlankFirst.board("5x5".parse()?)?;
    let solver = GoalSolver::new(&goal, &full_tables(&goal)?)?;
    let all = boards(KORF24, 2)?;
    for &id in ids {
        let board = all.iter().find(|known| known.id == id);
        let board = board.ok_or(format!("no board has the number {id}"))?;
        let total = Total::of(&solver, std::slice::from_ref(board), 1)?;
        total.print(&format!("no. {id}"), 1);
    }
    Ok(())
}

/// The full tables of a goal, built in memory on all threads.
fn full_tables(goal: &Board) -> Result<TableSet> {
    let start = Instant::now();
    let catalogue = Catalogue::for_goal(goal, Tier::Full)?;
    let names: Vec<String> = catalogue.partitions().iter().map(Partition::name).collect();
    let tables = TableSet::build(catalogue, threads(), &Budget::default())?;
    println!(
        "tables {} for {}: {} in {:.2} s on {} threads",
        names.join(", "),
        goal.size(),
        tables.tables().count(),
        start.elapsed().as_secs_f64(),
        threads()
    );
    Ok(tables)
}

/// A board whose length may be known.
struct Known {
    id: String,
    board: Board,
    optimal: Option<u32>,
}

/// Boards of a file of ground truths, which has the length in this column. The board is in the
/// first column, or in the second behind a number; without one, lines are counted.
fn boards(csv: &str, optimal: usize) -> Result<Vec<Known>> {
    let numbered = csv.starts_with("id,");
    let lines = csv.lines().skip(1).enumerate();
    lines
        .map(|(i, line)| {
            let fields: Vec<&str> = line.split(',').collect();
            Ok(Known {
                id: if numbered {
                    fields[0].to_owned()
                } else {
                    (i + 1).to_string()
                },
                board: fields[usize::from(numbered)].parse()?,
                optimal: Some(fields[optimal].parse()?),
            })
        })
        .collect()
}

/// What a set of boards took.
#[derive(Default)]
struct Total {
    boards: u32,
    moves: u32,
    expanded: u64,
    generated: u64,
    time: Duration,
    longest: Duration,
}

impl Total {
    fn of(solver: &GoalSolver, boards: &[Known], threads: usize) -> Result<Self> {
        let effort = Effort {
            threads,
            ..Effort::default()
        };
        let mut total = Self::default();
        for known in boards {
            let start = Instant::now();
            let report = solver.solve(&known.board, &effort)?;
            let time = start.elapsed();
            let Outcome::Solved(solution) = report.outcome else {
                return Err(format!("board {}: {:?}", known.id, report.outcome).into());
            };
            let length = solution.cost;
            if known.optimal.is_some_and(|optimal| optimal != length) {
                return Err(format!(
                    "board {}: {length} moves are proven optimal here, and {:?} are in the table",
                    known.id, known.optimal
                )
                .into());
            }
            total.boards += 1;
            total.moves += length;
            total.expanded += report.statistics.expanded;
            total.generated += report.statistics.generated;
            total.time += time;
            total.longest = total.longest.max(time);
        }
        Ok(total)
    }

    fn print(&self, name: &str, threads: usize) {
        let time = self.time.as_secs_f64();
        println!(
            "{name}, {threads} thread(s): {} boards, {} moves, {} nodes expanded, {} generated; \
             {time:.3} s in all, mean {:.3} ms, longest {:.3} ms",
            self.boards,
            self.moves,
            self.expanded,
            self.generated,
            time * 1e3 / f64::from(self.boards),
            self.longest.as_secs_f64() * 1e3
        );
    }
}

/// As many as the machine runs at once.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
