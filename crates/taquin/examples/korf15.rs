//! Korf's 100 boards of the 15-puzzle, all of them, with IDA* on one core: `cargo xtask bench
//! korf15` runs this.
//!
//! ```text
//! $ cargo run --release --example korf15 -- walking-distance
//! ```
//!
//! Every length must be the published one. Without an argument the heuristic is `max`, the
//! strongest there is without databases; `pdb:7-8` is one with them.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use taquin::heuristic::HeuristicKind;
use taquin::search::{Algorithm, Cost, Laboratory};
use taquin::{Board, Goal, Limits, Outcome};

const BOARDS: &str = include_str!("../tests/data/korf15.csv");

fn main() -> ExitCode {
    match solve_all(std::env::args().nth(1).as_deref().unwrap_or("max")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("korf15: {message}");
            ExitCode::FAILURE
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the rate is printed with one decimal"
)]
fn solve_all(name: &str) -> Result<(), String> {
    let kind = HeuristicKind::from_name(name).ok_or(format!("no heuristic is called {name}"))?;
    let size = "4x4".parse().expect("a size");
    let goal = Goal::BlankFirst.board(size).expect("it has every size");
    let built = Instant::now();
    let laboratory = Laboratory::new(&goal, Cost::Unit, kind).map_err(|error| error.to_string())?;
    println!(
        "IDA* with {name}, ready after {:.3} s",
        seconds(built.elapsed())
    );
    println!("  id  length       expanded      generated   time (s)");

    let (mut moves, mut expanded, mut generated, mut time) = (0, 0, 0, Duration::ZERO);
    let mut boards = 0_u32;
    for line in BOARDS.lines().skip(1) {
        let [id, board, _, optimal, _] = line.split(',').collect::<Vec<_>>()[..] else {
            return Err(format!("not a line of the table: {line}"));
        };
        let board: Board = board
            .parse()
            .map_err(|error| format!("board {id}: {error}"))?;
        let report = laboratory
            .search(&board, Algorithm::Idastar, &Limits::default())
            .map_err(|refused| format!("board {id}: {refused}"))?;
        let (took, outcome) = (report.statistics, report.outcome);
        let Outcome::Solved(solution) = outcome else {
            return Err(format!("board {id}: {outcome:?}"));
        };
        println!(
            "{id:>4} {:>7} {:>14} {:>14} {:>10.3}",
            solution.cost,
            took.expanded,
            took.generated,
            seconds(took.time)
        );
        if solution.cost.to_string() != optimal {
            return Err(format!(
                "board {id}: {} moves are proven optimal here, and {optimal} are in the table",
                solution.cost
            ));
        }
        boards += 1;
        moves += solution.cost;
        expanded += took.expanded;
        generated += took.generated;
        time += took.time;
    }
    println!(
        " all {moves:>7} {expanded:>14} {generated:>14} {:>10.3}",
        seconds(time)
    );
    println!(
        "{boards} boards, every length as published; {:.1} million nodes generated a second",
        generated as f64 / seconds(time) / 1e6
    );
    Ok(())
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}
