//! `taquin tables quality`: what a choice of tables is worth.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::value_parser;
use indicatif::ProgressBar;
use serde::Serialize;
use taquin::notation::BoardForm;
use taquin::solve::{Effort, GoalSolver};
use taquin::tables::{Catalogue, Partition, TableSet, Tier};
use taquin::{Board, Budget, Limits, Outcome, Reduction, Rng, Size, uniform};

use super::catalogue;
use crate::export::{Column, FormatArgs, Sheet};
use crate::goals::GoalArgs;
use crate::output::Output;
use crate::search_args::LimitArgs;
use crate::status::Status;
use crate::tables::{threads, with_bar};
use crate::{figures, interrupt, names, ticker};

/// Measure what a choice of tables is worth.
///
/// That is what they say of random boards on average, and the nodes that solving some takes. Tables are built in memory, so that the time is measured, and not kept. Boards are solved on one
/// thread; those that hit a limit count with the nodes they took until then. The same seed gives
/// the same boards, whatever the tables.
///
/// A partition is drawn as the goal is: a letter for each cell, rows separated by slashes. The
/// cells with the same letter are the homes of one table's tiles, up to 8; the letter of the blank's
/// cell does not matter.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  Both tiers of a size
  $ taquin tables quality 3x4 --tier quick --tier full --solve 3

  A partition of your own
  $ taquin tables quality 3x4 --partition aabb/aabb/aabb --solve 3

  Two partitions together, of which the larger sum counts
  $ taquin tables quality 3x3 --partition aab/aab/abb --partition aaa/abb/bbb

Exit code: 0 if all boards were solved, 1 if some hit a limit, 130 if interrupted.")]
pub(crate) struct Args {
    /// Rows x columns, up to 36 cells.
    #[arg(value_name = "SIZE", value_parser = names::size)]
    size: Size,

    #[command(flatten)]
    goal: GoalArgs,

    /// The tables of this tier; can be given twice. Default: quick.
    #[arg(long, value_name = "TIER", value_parser = names::tier(), conflicts_with = "partition")]
    tier: Vec<Tier>,

    /// A partition of your own; all that are given are used together.
    #[arg(long, value_name = "DRAWING")]
    partition: Vec<String>,

    /// How many random boards to look up.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = value_parser!(u32).range(1..))]
    boards: u32,

    /// How many of them to solve, the first ones.
    #[arg(long, value_name = "N", default_value_t = 20)]
    solve: u32,

    /// Where the random numbers start.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    format: FormatArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

/// Enough for most boards of 4x4, and over in a second or so.
const DEFAULT_NODES: u64 = 10_000_000;

/// What was measured.
// Here and not in taquin-records: a measurement of this program's own tables.
#[derive(Serialize)]
struct Record {
    /// The tier, or `own`.
    catalogue: &'static str,
    size: String,
    goal: String,
    /// The numbers of tiles, as in `8-7`; several partitions separated by commas.
    partitions: String,
    tables: usize,
    entries: u64,
    bytes: u64,
    build_ms: f64,
    seed: u64,
    boards: u32,
    mean_value: f64,
    solved: u32,
    /// How many boards hit a limit.
    stopped: u32,
    /// Of all boards that were to be solved.
    nodes: u64,
    mean_nodes: Option<f64>,
    time_ms: f64,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let goal_name = args.goal.goal(BoardForm::default());
    let goal = goal_name.board(args.size)?;
    let goal_name = goal_name.name().into_owned();
    let interrupted = interrupt::flag();
    let limits = args.limits.limits_or(Limits {
        nodes: Some(DEFAULT_NODES),
        cancel: Some(Arc::clone(&interrupted)),
        ..Limits::default()
    });
    let mut sheet = Sheet::new(args.format.format(), columns());
    let mut status = Status::Done;
    for (name, catalogue) in args.catalogues(&goal)? {
        let start = Instant::now();
        let tables = build(catalogue, &limits)?;
        let build_time = start.elapsed();
        let solver = GoalSolver::new(&goal, &tables)?;
        let mean_value = mean_value(&solver, args.drawn(&goal), args.boards)?;
        let boards = args.drawn(&goal).take(args.solve as usize);
        let sample = solve(&solver, boards, &limits, &interrupted)?;
        if interrupted.load(Ordering::Relaxed) {
            // What was measured before is still shown.
            status = Status::Interrupted;
            break;
        }
        status = status.max(Status::of_answer(sample.stopped == 0));
        let partitions = tables.catalogue().partitions().iter().map(Partition::name);
        let keys = tables.tables().map(taquin::tables::Table::key);
        let record = Record {
            catalogue: name,
            size: args.size.to_string(),
            goal: goal_name.clone(),
            partitions: partitions.collect::<Vec<_>>().join(", "),
            tables: tables.tables().count(),
            entries: keys.map(|key| tables.indexer(key).entries()).sum(),
            bytes: tables
                .tables()
                .map(|table| table.bytes().len() as u64)
                .sum(),
            build_ms: figures::milliseconds(build_time),
            seed: args.seed,
            boards: args.boards,
            mean_value,
            solved: sample.solved,
            stopped: sample.stopped,
            nodes: sample.nodes,
            mean_nodes: sample.mean_nodes(),
            time_ms: figures::milliseconds(sample.time),
        };
        sheet.record(out, &record)?;
        sheet.row(|| cells(&record, build_time, sample.time));
    }
    sheet.end(out)?;
    Ok(status)
}

impl Args {
    /// What is to be measured, with its name.
    fn catalogues(&self, goal: &Board) -> Result<Vec<(&'static str, Catalogue)>> {
        if self.partition.is_empty() {
            let tiers = match &self.tier[..] {
                [] => &[Tier::Quick],
                tiers => tiers,
            };
            let named = |&tier: &Tier| Ok((tier.name(), catalogue(goal, tier)?));
            return tiers.iter().map(named).collect();
        }
        let reduction = Reduction::new(goal);
        let drawn = self.partition.iter().map(|drawing| {
            let partition = partition(goal, &reduction, drawing);
            partition.with_context(|| format!("--partition {drawing}"))
        });
        let partitions = drawn.collect::<Result<_>>()?;
        let canonical = reduction.goal();
        let catalogue = Catalogue::new(canonical.size(), canonical.blank(), partitions)?;
        Ok(vec![("own", catalogue)])
    }

    /// The random boards, as `taquin scramble` draws them.
    fn drawn(&self, goal: &Board) -> impl Iterator<Item = Board> {
        let mut rng = Rng::from_seed(self.seed);
        (0..self.boards).map(move |_| uniform(goal, &mut rng))
    }
}

/// A partition of the canonical puzzle from a drawing of the goal.
fn partition(goal: &Board, reduction: &Reduction, drawing: &str) -> Result<Partition> {
    // What is wrong is said of the drawing as it was typed.
    Partition::from_drawing(goal.size(), goal.blank(), drawing)?;
    let signs = drawing
        .chars()
        .filter(|&sign| sign != '/' && !sign.is_whitespace());
    let canonical = reduction.goal();
    let mut turned = vec![' '; canonical.size().cells()];
    for (cell, sign) in signs.enumerate() {
        turned[reduction.symmetry().cell(goal.size(), cell)] = sign;
    }
    let rows = turned.chunks(canonical.size().columns());
    let rows: Vec<String> = rows.map(|row| row.iter().collect()).collect();
    let turned = rows.join("/");
    Ok(Partition::from_drawing(
        canonical.size(),
        canonical.blank(),
        &turned,
    )?)
}

fn build(catalogue: Catalogue, limits: &Limits) -> Result<TableSet> {
    let budget = Budget::new(&Limits {
        cancel: limits.cancel.clone(),
        memory: limits.memory,
        ..Limits::default()
    });
    let keys = catalogue.keys();
    let set = with_bar("building tables", &keys, &budget, || {
        TableSet::build(catalogue, threads(), &budget)
    });
    Ok(set?)
}

#[expect(clippy::cast_precision_loss, reason = "a few digits are shown")]
fn mean_value(solver: &GoalSolver, boards: impl Iterator<Item = Board>, count: u32) -> Result<f64> {
    let mut sum = 0;
    for board in boards {
        sum += u64::from(solver.estimate(&board)?);
    }
    Ok(sum as f64 / f64::from(count))
}

/// What solving the sample took.
#[derive(Default)]
struct Sample {
    solved: u32,
    stopped: u32,
    nodes: u64,
    time: Duration,
}

impl Sample {
    #[expect(clippy::cast_precision_loss, reason = "a few digits are shown")]
    fn mean_nodes(&self) -> Option<f64> {
        let boards = self.solved + self.stopped;
        (boards > 0).then(|| self.nodes as f64 / f64::from(boards))
    }
}

fn solve(
    solver: &GoalSolver,
    boards: impl Iterator<Item = Board>,
    limits: &Limits,
    interrupted: &AtomicBool,
) -> Result<Sample> {
    let effort = Effort {
        limits: limits.clone(),
        threads: 1,
        ..Effort::default()
    };
    let mut sample = Sample::default();
    let spinner = ProgressBar::new_spinner();
    ticker::spinning(&spinner, || -> Result<()> {
        for (number, board) in (1_u32..).zip(boards) {
            spinner.set_message(format!("solving board {number}"));
            let report = solver.solve(&board, &effort)?;
            if interrupted.load(Ordering::Relaxed) {
                break;
            }
            match report.outcome {
                Outcome::Solved(_) => sample.solved += 1,
                _ => sample.stopped += 1,
            }
            sample.nodes += report.statistics.expanded;
            sample.time += report.statistics.time;
        }
        Ok(())
    })?;
    Ok(sample)
}

fn columns() -> Vec<Column> {
    vec![
        Column::text("tables"),
        Column::text("partitions"),
        Column::number("entries"),
        Column::number("size"),
        Column::number("build"),
        Column::number("mean value"),
        Column::number("solved"),
        Column::number("stopped"),
        Column::number("mean nodes"),
        Column::number("time"),
    ]
}

#[expect(clippy::cast_sign_loss, reason = "a mean of counts is no less than 0")]
fn cells(record: &Record, build_time: Duration, time: Duration) -> Vec<String> {
    // Boards that were stopped would have taken more.
    let at_least = if record.stopped > 0 { "> " } else { "" };
    let nodes = record.mean_nodes.map_or("-".to_owned(), |mean| {
        format!("{at_least}{}", figures::count(mean.round() as u64))
    });
    vec![
        record.catalogue.to_owned(),
        record.partitions.clone(),
        figures::count(record.entries),
        figures::size(record.bytes),
        figures::time(build_time),
        format!("{:.2}", record.mean_value),
        record.solved.to_string(),
        record.stopped.to_string(),
        nodes,
        figures::time(time),
    ]
}
