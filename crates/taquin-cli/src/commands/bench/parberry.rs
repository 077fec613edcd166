//! `taquin bench parberry`: short solutions from small tables, beside what was published.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use taquin::solve::{EngineError, StageStatistics, Staged, Swift, greedy};
use taquin::{Board, Goal, Moves, Rng, Size, uniform};

use crate::export::{Column, FormatArgs, Sheet};
use crate::output::Output;
use crate::status::Status;
use crate::{figures, interrupt};

/// Solve random 4x4 boards by Parberry's methods and by ours.
///
/// greedy fills line by line (Parberry 1995). staged takes the first row, the first column and the
/// other 3x3 cells from tables (Parberry 2014); its stages are measured over all their
/// arrangements. swift is ours, and needs no more memory: a narrow search for the first row and
/// column, and the rest from a table.
///
/// Beside each stand the figures of "A Memory-Efficient Method for Fast Computation of Short
/// 15-Puzzle Solutions" (2014), which are over a million boards, too. Every solution is checked;
/// that and drawing the boards is not in the times.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin bench parberry --boards 1000")]
pub(crate) struct Args {
    /// How many boards.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    boards: u32,

    /// Where the random numbers start.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    format: FormatArgs,
}

/// How many boards a method solves in one go, between two looks at the clock.
const TOGETHER: u32 = 500;

/// Lengths, measured or published.
#[derive(Clone, Copy)]
struct Lengths {
    min: Option<u32>,
    mean: f64,
    max: u32,
}

/// A stage or a method.
// Here and not in taquin-records: a measurement that only this program makes.
#[derive(Serialize)]
struct Record {
    name: &'static str,
    /// Boards, or arrangements of a stage.
    boards: u64,
    seed: Option<u64>,
    min: Option<u32>,
    mean: f64,
    max: u32,
    published_min: Option<u32>,
    published_mean: Option<f64>,
    published_max: Option<u32>,
    /// The mean time of a board.
    time_us: Option<f64>,
    table_bytes: Option<usize>,
    build_ms: Option<f64>,
}

type Solve<'a> = Box<dyn Fn(&Board) -> Result<Moves, EngineError> + 'a>;

/// A method, and what it came to so far.
struct Method<'a> {
    name: &'static str,
    published: Option<Lengths>,
    /// Bytes, and the time to build them.
    tables: Option<(usize, Duration)>,
    solve: Solve<'a>,
    boards: u32,
    min: usize,
    sum: usize,
    max: usize,
    time: Duration,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let goal = Goal::Classic.board(Size::new(4, 4)?)?;
    let (staged, staged_time) = timed(|| Staged::new(&goal));
    let (swift, swift_time) = timed(|| Swift::new(&goal));
    let (staged, swift) = (staged?, swift?);
    let mut methods = [
        Method::new("greedy", (40, 118.16, 195), |b| greedy(b, &goal)),
        Method {
            tables: Some((staged.table_bytes(), staged_time)),
            ..Method::new("staged", (20, 65.21, 95), |b| staged.solve(b))
        },
        Method {
            tables: Some((swift.table_bytes(), swift_time)),
            published: None,
            ..Method::new("swift", (0, 0.0, 0), |b| swift.solve(b))
        },
    ];
    let status = measure(args, &goal, &mut methods)?;

    let mut sheet = Sheet::new(args.format.format(), columns());
    let published = [(26.87, 46), (18.83, 32), (22.04, 30)];
    let stages = ["stage 1", "stage 2", "3x3"].into_iter().zip(published);
    let stages = stages.zip(staged.statistics());
    let stages = stages.map(|((name, published), stage)| stage_record(name, published, &stage));
    let methods = methods.iter().filter_map(|method| method.record(args.seed));
    for record in stages.chain(methods) {
        sheet.record(out, &record)?;
        sheet.row(|| cells(&record));
    }
    sheet.end(out)?;
    Ok(status)
}

/// Lets all methods solve the boards, some at a time.
fn measure(args: &Args, goal: &Board, methods: &mut [Method]) -> Result<Status> {
    let interrupted = interrupt::flag();
    let mut rng = Rng::from_seed(args.seed);
    let bar = progress(args.boards);
    let mut left = args.boards;
    while left > 0 {
        let boards = (0..left.min(TOGETHER)).map(|_| uniform(goal, &mut rng));
        let boards: Vec<Board> = boards.collect();
        for method in &mut *methods {
            method.run(&boards, goal)?;
        }
        if interrupted.load(Ordering::Relaxed) {
            // What is done is still shown.
            bar.finish_and_clear();
            return Ok(Status::Interrupted);
        }
        left -= boards.len() as u32;
        bar.inc(boards.len() as u64);
    }
    bar.finish_and_clear();
    Ok(Status::Done)
}

/// Says how far it is, where a person watches.
fn progress(boards: u32) -> ProgressBar {
    let bar = ProgressBar::new(boards.into());
    let style = "{wide_bar} {percent}% {human_pos} boards, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

impl<'a> Method<'a> {
    fn new(
        name: &'static str,
        (min, mean, max): (u32, f64, u32),
        solve: impl Fn(&Board) -> Result<Moves, EngineError> + 'a,
    ) -> Self {
        Self {
            name,
            published: Some(Lengths {
                min: Some(min),
                mean,
                max,
            }),
            tables: None,
            solve: Box::new(solve),
            boards: 0,
            min: usize::MAX,
            sum: 0,
            max: 0,
            time: Duration::ZERO,
        }
    }

    fn run(&mut self, boards: &[Board], goal: &Board) -> Result<()> {
        let solve = || {
            boards
                .iter()
                .map(&self.solve)
                .collect::<Result<Vec<_>, _>>()
        };
        let (solutions, time) = timed(solve);
        self.time += time;
        for (board, moves) in boards.iter().zip(solutions?) {
            if board.after(&moves).ok().as_ref() != Some(goal) {
                bail!("{} does not solve {board}, please report", self.name);
            }
            self.boards += 1;
            self.min = self.min.min(moves.len());
            self.sum += moves.len();
            self.max = self.max.max(moves.len());
        }
        Ok(())
    }

    #[expect(clippy::cast_precision_loss, reason = "sums stay far below 2^52")]
    fn record(&self, seed: u64) -> Option<Record> {
        (self.boards > 0).then(|| Record {
            name: self.name,
            boards: self.boards.into(),
            seed: Some(seed),
            min: Some(self.min as u32),
            mean: self.sum as f64 / f64::from(self.boards),
            max: self.max as u32,
            published_min: self.published.and_then(|lengths| lengths.min),
            published_mean: self.published.map(|lengths| lengths.mean),
            published_max: self.published.map(|lengths| lengths.max),
            // To the nanosecond.
            time_us: Some((self.time.as_secs_f64() * 1e9 / f64::from(self.boards)).round() / 1e3),
            table_bytes: self.tables.map(|(bytes, _)| bytes),
            build_ms: self.tables.map(|(_, time)| figures::milliseconds(time)),
        })
    }
}

fn stage_record(name: &'static str, (mean, max): (f64, u32), stage: &StageStatistics) -> Record {
    Record {
        name,
        boards: stage.arrangements,
        seed: None,
        min: None,
        mean: stage.mean,
        max: stage.max,
        published_min: None,
        published_mean: Some(mean),
        published_max: Some(max),
        time_us: None,
        table_bytes: None,
        build_ms: None,
    }
}

fn columns() -> Vec<Column> {
    let numbers = [
        "boards",
        "min",
        "mean",
        "max",
        "published",
        "time",
        "tables",
        "built in",
    ];
    let numbers = numbers.into_iter().map(Column::number);
    [Column::text("method")]
        .into_iter()
        .chain(numbers)
        .collect()
}

fn cells(record: &Record) -> Vec<String> {
    let or_empty = |text: Option<String>| text.unwrap_or_default();
    let published = record.published_mean.zip(record.published_max);
    let published = published.map(|(mean, max)| {
        let min = record.published_min.map(|min| format!("{min} / "));
        format!("{}{mean:.2} / {max}", or_empty(min))
    });
    let micros = |us: f64| figures::time(Duration::from_secs_f64(us / 1e6));
    vec![
        record.name.to_owned(),
        figures::count(record.boards),
        or_empty(record.min.map(|min| min.to_string())),
        format!("{:.2}", record.mean),
        record.max.to_string(),
        or_empty(published),
        or_empty(record.time_us.map(micros)),
        or_empty(record.table_bytes.map(|bytes| figures::size(bytes as u64))),
        or_empty(record.build_ms.map(|ms| micros(ms * 1e3))),
    ]
}
