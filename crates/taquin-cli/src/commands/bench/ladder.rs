//! `taquin bench ladder`: the same boards under stronger and stronger heuristics.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use serde::Serialize;
use taquin::heuristic::HeuristicKind;
use taquin::search::{Algorithm, Laboratory};
use taquin::{Board, Goal, Limits, Metric, Outcome, Report, Rng, Size, random_walk, uniform};
use taquin_records::{MetricWord, Word};

use crate::export::{Column, FormatArgs, Sheet};
use crate::output::Output;
use crate::search_args::{LimitArgs, laboratories, with_patterns};
use crate::spaces::MetricArgs;
use crate::status::Status;
use crate::{figures, interrupt, names, ticker};

/// Solve seeded boards with IDA* under stronger and stronger heuristics.
///
/// For each board and on average: nodes expanded and time. Drawing the boards and building tables
/// is not counted. All heuristics must lead to the same lengths; it is an error if they do not.
///
/// The whole ladder on 4x4 is manhattan, linear-conflict, walking-distance, pdb:5-5-5, pdb:6-6-3 and
/// pdb:7-8, each pdb also with +reflected. The tables of pdb:7-8 take some seconds and 500 MB to
/// build.
///
/// The boards are random walks from the goal, so that the weakest heuristic, too, is done in
/// seconds; `taquin scramble` draws the same ones with the same seed.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  Easy boards
  $ taquin bench ladder --boards 3 --walk 30

  Pattern databases, without and with the mirrored board
  $ taquin bench ladder --boards 3 --walk 60 --heuristics max,pdb:5-5-5,pdb:5-5-5+reflected

  Slides of several tiles that count once
  $ taquin bench ladder --metric multi --boards 3 --walk 20

  All boards equally likely, which weak heuristics may never finish
  $ taquin bench ladder --uniform --boards 1 --heuristics max --limit-time 1s")]
pub(crate) struct Args {
    /// How many boards.
    #[arg(long, value_name = "N", default_value_t = 10)]
    boards: u32,

    /// Where the random numbers start.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Rows x columns.
    #[arg(long, value_name = "SIZE", default_value = "4x4", value_parser = names::size)]
    size: Size,

    /// How many random single-tile moves each board is away from the goal, at most. Default: 80, or
    /// 40 in multi-tile moves, for which the heuristics are weaker.
    #[arg(long, value_name = "MOVES")]
    walk: Option<usize>,

    /// Draw from all boards instead.
    #[arg(long, conflicts_with = "walk")]
    uniform: bool,

    /// The heuristics, separated by commas. Default: manhattan, linear-conflict, walking-distance,
    /// max, and where the size has it pdb:6-6-3, which is for single-tile moves only.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = names::heuristic())]
    heuristics: Vec<HeuristicKind>,

    #[command(flatten)]
    metric: MetricArgs,

    #[command(flatten)]
    format: FormatArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

const DEFAULT_HEURISTICS: [HeuristicKind; 4] = [
    HeuristicKind::Manhattan,
    HeuristicKind::LinearConflict,
    HeuristicKind::WalkingDistance,
    HeuristicKind::Max,
];

/// One search, or the mean of all searches with one heuristic.
// Here and not in taquin-records: a measurement that only this program makes.
#[derive(Serialize)]
struct Record<'a> {
    /// `null` for a mean.
    board: Option<String>,
    size: String,
    goal: &'a str,
    seed: u64,
    /// Which board of the seed, from 0; `null` for a mean.
    index: Option<usize>,
    walk: Option<usize>,
    algorithm: &'a str,
    heuristic: Cow<'a, str>,
    /// For a mean: `mean`, over the boards that every heuristic solved.
    status: &'a str,
    length: Option<Figure>,
    lower_bound: Option<u32>,
    optimal: Option<bool>,
    nodes: Figure,
    generated: Figure,
    time_ms: f64,
    limit: Option<&'a str>,
    /// How many boards a mean is over.
    boards: Option<u32>,
    /// What the length counts.
    metric: MetricWord,
}

/// A count, or a mean of counts.
#[derive(Serialize)]
#[serde(untagged)]
enum Figure {
    Count(u64),
    Mean(f64),
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let goal = Goal::Classic.board(args.size)?;
    let metric = args.metric.metric;
    let boards = draw(args, &goal)?;
    let (wanted, asked) = match &args.heuristics[..] {
        [] => (with_patterns(args.size, metric, &DEFAULT_HEURISTICS), false),
        wanted => (wanted.to_vec(), true),
    };
    let (laboratories, left_out) = laboratories(&goal, metric.into(), &wanted);
    let mut status = Status::of_answer(!(asked && left_out));
    let interrupted = interrupt::flag();
    let limits = args.limits.limits_or(Limits {
        cancel: Some(Arc::clone(&interrupted)),
        ..Limits::default()
    });

    let mut sheet = Sheet::new(args.format.format(), columns(&laboratories));
    let mut totals = vec![Totals::default(); laboratories.len()];
    let mut disagreement = None;
    'boards: for (index, board) in boards.iter().enumerate() {
        sheet.note(|| format!("board {}: {board}", index + 1));
        let mut reports = Vec::with_capacity(laboratories.len());
        for laboratory in &laboratories {
            let spinner = spinner(index + 1, laboratory.heuristic());
            let search = || laboratory.search(board, Algorithm::Idastar, &limits);
            let report = ticker::spinning(&spinner, search);
            let report = report.with_context(|| board.to_string())?;
            if interrupted.load(Ordering::Relaxed) {
                // The boards before this one are still shown, with their means.
                status = Status::Interrupted;
                break 'boards;
            }
            sheet.record(out, &args.record(index, board, laboratory, &report))?;
            reports.push(report);
        }
        sheet.row(|| cells(index + 1, &reports));
        let lengths: Vec<Option<u32>> = reports.iter().map(length).collect();
        let solved: Vec<u32> = lengths.iter().copied().flatten().collect();
        if solved.windows(2).any(|pair| pair[0] != pair[1]) {
            let named = laboratories.iter().zip(&lengths);
            let told = named.filter_map(|(l, length)| Some((l.heuristic().name(), (*length)?)));
            let told: Vec<String> = told.map(|(name, n)| format!("{name} {n}")).collect();
            disagreement.get_or_insert(format!("{} on {board}", told.join(", ")));
        }
        if solved.len() < reports.len() {
            status = status.max(Status::No);
        } else {
            // A mean over different boards would compare nothing.
            for (total, report) in totals.iter_mut().zip(&reports) {
                total.add(report);
            }
        }
    }
    for (total, laboratory) in totals.iter().zip(&laboratories) {
        if let Some(mean) = total.mean() {
            sheet.record(out, &args.mean_record(laboratory, total.boards, &mean))?;
        }
    }
    if let Some(first) = totals.first().and_then(Totals::mean) {
        let means: Vec<Mean> = totals.iter().filter_map(Totals::mean).collect();
        sheet.row(|| mean_cells(&first, &means));
    }
    sheet.end(out)?;
    if let Some(lengths) = disagreement {
        out.flush()?;
        bail!("these disagree: {lengths}, please report");
    }
    Ok(status)
}

/// The boards as `taquin scramble` draws them.
fn draw(args: &Args, goal: &Board) -> Result<Vec<Board>> {
    let mut rng = Rng::from_seed(args.seed);
    (0..args.boards)
        .map(|_| {
            Ok(if args.uniform {
                uniform(goal, &mut rng)
            } else {
                goal.after(&random_walk(goal, args.walk(), &mut rng))?
            })
        })
        .collect()
}

/// Says what runs now, where a person watches.
fn spinner(board: usize, heuristic: HeuristicKind) -> ProgressBar {
    ProgressBar::new_spinner().with_message(format!("board {board}: {}", heuristic.name()))
}

/// The length of a solution, if there is one.
fn length(report: &Report) -> Option<u32> {
    match &report.outcome {
        Outcome::Solved(solution) => Some(solution.cost),
        _ => None,
    }
}

fn columns(laboratories: &[Laboratory]) -> Vec<Column> {
    let mut columns = vec![Column::number("board"), Column::number("length")];
    for laboratory in laboratories {
        columns.push(Column::number(laboratory.heuristic().name()));
        columns.push(Column::number("time"));
    }
    columns
}

fn cells(number: usize, reports: &[Report]) -> Vec<String> {
    let found = reports.iter().find_map(length);
    let mut cells = vec![
        number.to_string(),
        found.map_or("-".to_owned(), |length| length.to_string()),
    ];
    for report in reports {
        cells.push(figures::count(report.statistics.expanded));
        let time = figures::time(report.statistics.time);
        cells.push(match &report.outcome {
            Outcome::Stopped { limit, .. } => format!("{time}: {limit} limit"),
            _ => time,
        });
    }
    cells
}

#[expect(clippy::cast_sign_loss, reason = "a mean of counts is no less than 0")]
fn mean_cells(first: &Mean, means: &[Mean]) -> Vec<String> {
    let mut cells = vec!["mean".to_owned(), format!("{:.2}", first.length)];
    for mean in means {
        cells.push(figures::count(mean.nodes.round() as u64));
        cells.push(figures::time(mean.time));
    }
    cells
}

/// Sums over boards.
#[derive(Clone, Default)]
struct Totals {
    boards: u32,
    length: u64,
    nodes: u64,
    generated: u64,
    time: Duration,
}

struct Mean {
    length: f64,
    nodes: f64,
    generated: f64,
    time: Duration,
}

impl Totals {
    fn add(&mut self, report: &Report) {
        self.boards += 1;
        self.length += u64::from(length(report).unwrap_or(0));
        self.nodes += report.statistics.expanded;
        self.generated += report.statistics.generated;
        self.time += report.statistics.time;
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a mean is shown with a few digits, and sums stay far below 2^52"
    )]
    fn mean(&self) -> Option<Mean> {
        let mean = |sum: u64| sum as f64 / f64::from(self.boards);
        (self.boards > 0).then(|| Mean {
            length: mean(self.length),
            nodes: mean(self.nodes),
            generated: mean(self.generated),
            time: self.time / self.boards,
        })
    }
}

impl Args {
    fn record<'a>(
        &self,
        index: usize,
        board: &Board,
        laboratory: &Laboratory,
        report: &Report,
    ) -> Record<'a> {
        let took = &report.statistics;
        let length = length(report);
        let (status, lower_bound, limit) = match &report.outcome {
            Outcome::Solved(solution) => ("solved", Some(solution.cost), None),
            Outcome::NoSolution => ("unsolvable", None, None),
            Outcome::Stopped { limit, lower_bound } => {
                ("limit", Some(*lower_bound), Some(limit.name()))
            }
        };
        Record {
            board: Some(board.to_string()),
            index: Some(index),
            status,
            length: length.map(|length| Figure::Count(length.into())),
            lower_bound,
            optimal: length.map(|_| true),
            nodes: Figure::Count(took.expanded),
            generated: Figure::Count(took.generated),
            time_ms: figures::milliseconds(took.time),
            limit,
            boards: None,
            ..self.head(laboratory)
        }
    }

    fn mean_record<'a>(&self, laboratory: &Laboratory, boards: u32, mean: &Mean) -> Record<'a> {
        Record {
            status: "mean",
            length: Some(Figure::Mean(mean.length)),
            nodes: Figure::Mean(mean.nodes),
            generated: Figure::Mean(mean.generated),
            time_ms: figures::milliseconds(mean.time),
            boards: Some(boards),
            ..self.head(laboratory)
        }
    }

    /// What all records share.
    fn head<'a>(&self, laboratory: &Laboratory) -> Record<'a> {
        Record {
            board: None,
            size: self.size.to_string(),
            goal: "classic",
            seed: self.seed,
            index: None,
            walk: (!self.uniform).then(|| self.walk()),
            algorithm: Algorithm::Idastar.name(),
            heuristic: laboratory.heuristic().name(),
            status: "",
            length: None,
            lower_bound: None,
            optimal: None,
            nodes: Figure::Count(0),
            generated: Figure::Count(0),
            time_ms: 0.0,
            limit: None,
            boards: None,
            metric: Word(self.metric.metric),
        }
    }

    /// The random moves of each board.
    fn walk(&self) -> usize {
        self.walk.unwrap_or(match self.metric.metric {
            Metric::Single => 80,
            Metric::Multi => 40,
        })
    }
}
