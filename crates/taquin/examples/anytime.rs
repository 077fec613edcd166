//! How good solutions get in how much time: `cargo xtask bench anytime` runs this.
//!
//! ```text
//! $ cargo run --release --package taquin --example anytime
//! $ cargo run --release --package taquin --example anytime -- 10x10 1s 20
//! $ cargo run --release --package taquin --example anytime -- multi 6x6 1s 30
//! ```
//!
//! With `multi` lengths are counted in multi-tile moves, for which there are no tables.
//!
//! Board number i of a size is the uniform scramble of the classic goal with seed i, so anybody can
//! draw them again: `taquin scramble --size 10x10 --seed i`. Tables are built in memory before the
//! clock starts. Every solution is replayed.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use taquin::solve::{Effort, GoalSolver};
use taquin::tables::{Catalogue, TableSet, Tier};
use taquin::{Board, Budget, Coach, Goal, Limits, Metric, Outcome, Rng, Size, Solver, uniform};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Sizes and how many boards for each of 0.1, 1 and 10 seconds.
const TABLE: [(&str, [u64; 3]); 6] = [
    ("5x5", [50, 30, 20]),
    ("6x6", [50, 30, 20]),
    ("7x7", [50, 30, 20]),
    ("10x10", [50, 30, 20]),
    ("20x20", [20, 20, 20]),
    ("100x100", [0, 5, 5]),
];
/// The same in multi-tile moves.
const SLIDES_TABLE: [(&str, [u64; 3]); 8] = [
    ("4x4", [50, 30, 20]),
    ("5x5", [50, 30, 20]),
    ("6x6", [50, 30, 20]),
    ("7x7", [50, 30, 20]),
    ("8x8", [50, 30, 20]),
    ("10x10", [50, 30, 20]),
    ("20x20", [20, 20, 10]),
    ("100x100", [0, 5, 5]),
];
const TIMES: [Duration; 3] = [
    Duration::from_millis(100),
    Duration::from_secs(1),
    Duration::from_secs(10),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut args: Vec<&str> = args.iter().map(String::as_str).collect();
    let metric = if args.first() == Some(&"multi") {
        args.remove(0);
        Metric::Multi
    } else {
        Metric::Single
    };
    let result = match args[..] {
        [] => whole_table(metric),
        ["hints"] => hints(),
        [size, time, boards] => one_row(metric, size, time, boards),
        _ => Err("usage: anytime [multi] [SIZE SECONDS BOARDS | hints]".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("anytime: {error}");
            ExitCode::FAILURE
        }
    }
}

fn whole_table(metric: Metric) -> Result<()> {
    heading();
    let table: &[_] = match metric {
        Metric::Single => &TABLE,
        Metric::Multi => &SLIDES_TABLE,
    };
    for &(size, boards) in table {
        let solver = Prepared::new(size.parse()?, metric)?;
        for (time, boards) in TIMES.into_iter().zip(boards) {
            if boards > 0 {
                solver.row(time, boards)?;
            }
        }
    }
    Ok(())
}

fn one_row(metric: Metric, size: &str, time: &str, boards: &str) -> Result<()> {
    heading();
    let seconds: f64 = time.trim_end_matches('s').parse()?;
    Prepared::new(size.parse()?, metric)?.row(Duration::from_secs_f64(seconds), boards.parse()?)
}

/// How long a proven hint takes on 4×4 with the quick tables.
fn hints() -> Result<()> {
    const BOARDS: u64 = 300;
    let size = "4x4".parse()?;
    let goal = Goal::Classic.board(size)?;
    // Nothing stored, so these are the quick tables.
    let solver = Solver::in_memory();
    let threads = solver.threads();
    solver.warm_up(&Goal::Classic, size, Metric::Single, &Limits::default())?;
    let mut times = Vec::new();
    for seed in 1..=BOARDS {
        let board = uniform(&goal, &mut Rng::from_seed(seed));
        let mut coach = Coach::new(Goal::Classic, Duration::from_secs(60));
        let begin = Instant::now();
        let hint = coach.hint(&solver, &board, &Limits::default())?;
        times.push(begin.elapsed());
        if !hint.is_optimal() {
            return Err(format!("seed {seed}: no proof within a minute").into());
        }
    }
    times.sort_unstable();
    let mean = times.iter().sum::<Duration>() / times.len() as u32;
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "{BOARDS} random 4x4 boards, quick tables, {threads} threads: a proven hint takes {:.1} ms on \
         average, median {:.1} ms, longest {:.0} ms",
        milliseconds(mean),
        milliseconds(times[times.len() / 2]),
        milliseconds(times[times.len() - 1]),
    );
    Ok(())
}

fn heading() {
    println!(
        "{:<8} {:>6} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7} {:>11} {:>8} {:>9} {:>9}",
        "size",
        "time",
        "boards",
        "mean",
        "least",
        "median",
        "90%",
        "most",
        "in n³",
        "÷ Manhattan",
        "÷ bound",
        "slides",
        "took (s)"
    );
}

struct Prepared {
    goal: Board,
    solver: GoalSolver,
    threads: usize,
}

impl Prepared {
    fn new(size: Size, metric: Metric) -> Result<Self> {
        let goal = Goal::Classic.board(size)?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let begin = Instant::now();
        let solver = match Catalogue::for_goal(&goal, Tier::Full) {
            Ok(catalogue) if metric == Metric::Single => {
                let tables = TableSet::build(catalogue, threads, &Budget::default())?;
                println!(
                    "{size}: tables built in {:.1} s",
                    begin.elapsed().as_secs_f64()
                );
                GoalSolver::new(&goal, &tables)?
            }
            _ => GoalSolver::without_tables(&goal),
        };
        Ok(Self {
            goal,
            solver: solver.in_metric(metric),
            threads,
        })
    }

    #[expect(clippy::cast_precision_loss, reason = "these are figures to be read")]
    fn row(&self, time: Duration, boards: u64) -> Result<()> {
        let mut lengths = Vec::new();
        let (mut per_manhattan, mut per_bound, mut longest) = (0.0, 0.0, Duration::ZERO);
        let mut slides = 0;
        for seed in 1..=boards {
            let board = uniform(&self.goal, &mut Rng::from_seed(seed));
            let effort = Effort {
                threads: self.threads,
                ..Effort::within(time)
            };
            let begin = Instant::now();
            let report = self.solver.solve(&board, &effort)?;
            longest = longest.max(begin.elapsed());
            let Outcome::Solved(solution) = report.outcome else {
                return Err("there always is a solution".into());
            };
            let moves = solution.moves;
            if board.after(&moves)? != self.goal {
                return Err(format!("seed {seed}: the solution does not solve the board").into());
            }
            let length = moves.length(self.solver.metric());
            per_manhattan += length as f64 / manhattan(&board) as f64;
            per_bound += length as f64 / f64::from(solution.lower_bound);
            slides += moves.length(Metric::Multi);
            lengths.push(length);
        }
        lengths.sort_unstable();
        let at = |percent: usize| lengths[(lengths.len() - 1) * percent / 100];
        let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
        let rows = self.goal.size().rows() as f64;
        println!(
            "{:<8} {:>6} {boards:>6} {mean:>9.1} {:>9} {:>9} {:>9} {:>9} {:>7.3} {:>11.3} {:>8.3} {:>9.1} {:>9.2}",
            self.goal.size().to_string(),
            format!("{} s", time.as_secs_f64()),
            at(0),
            at(50),
            at(90),
            at(100),
            mean / rows.powi(3),
            per_manhattan / boards as f64,
            per_bound / boards as f64,
            slides as f64 / boards as f64,
            longest.as_secs_f64(),
        );
        Ok(())
    }
}

/// The sum of all tiles' distances from their homes on the classic goal.
fn manhattan(board: &Board) -> usize {
    let columns = board.size().columns();
    let tiles = board.tiles().enumerate().filter(|&(_, tile)| tile > 0);
    let steps = tiles.map(|(cell, tile)| {
        let home = usize::from(tile) - 1;
        (home / columns).abs_diff(cell / columns) + (home % columns).abs_diff(cell % columns)
    });
    steps.sum()
}
