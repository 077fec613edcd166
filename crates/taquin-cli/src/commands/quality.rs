//! `taquin quality`: heuristics against the truth, on every board.

use anyhow::{Error, Result, bail};
use clap::ValueHint;
use serde::Serialize;
use taquin::Size;
use taquin::heuristic::{HeuristicKind, PatternChoice};
use taquin::space::{Inadmissible, Quality, QualityError, Space};
use taquin::tables::Tier;
use taquin_records::{MetricWord, Quality as Record, Step};

use crate::export::{Column, FormatArgs, Sheet};
use crate::goals::GoalArgs;
use crate::output::{Output, remark};
use crate::plot::heat::{Cell, HeatMap, Panel};
use crate::plot::{Picture, PlotFile};
use crate::spaces::{Asked, EffortArgs, MetricArgs, Spaces, moves, unusual};
use crate::status::Status;
use crate::{figures, names};

/// Say how good heuristics are, over every board of a small puzzle.
///
/// Each heuristic is evaluated on all boards and compared with their true distances (h*). Shown are the mean estimate (h) and its mean error, the share of boards on
/// which it is exact, and a board that it underestimates most. It is proven admissible if it
/// overestimates no board, and consistent if no move changes it by more than one; else there is a
/// counterexample.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin quality 3x3

  Pattern databases for the goal with the blank first
  $ taquin quality 3x3 --goal blank-first --heuristics pdb:4-4,pdb:5-3

  In multi-tile moves
  $ taquin quality 3x3 --metric multi --heuristics manhattan,max

  How many boards have which h and h*, for programs
  $ taquin quality 2x4 --heuristics manhattan --json

  The picture of h against h*
  $ taquin quality 3x3 --heuristics manhattan,max --plot quality.svg

Exit code: 0, or 1 if a heuristic that was asked for cannot be had or --limit-time was over first,
2 if the size is too large; 130 if interrupted.")]
pub(crate) struct Args {
    /// Rows x columns: up to 12 cells, or up to 14 with much memory.
    #[arg(value_name = "SIZE", value_parser = names::size)]
    size: Size,

    /// The heuristics, separated by commas. Default: all, and pdb:quick where the size has it, which
    /// is for single-tile moves only; sizes of more than ten million boards have no default.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = names::heuristic())]
    heuristics: Vec<HeuristicKind>,

    #[command(flatten)]
    goal: GoalArgs,

    #[command(flatten)]
    metric: MetricArgs,

    #[command(flatten)]
    effort: EffortArgs,

    /// Draw h against h* into this file, an .svg (or a .png, in programs built with the feature png): a panel for each heuristic.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    plot: Option<PlotFile>,

    #[command(flatten)]
    format: FormatArgs,
}

/// With more boards than that each heuristic takes ten seconds and more, and pattern databases, whose
/// values are found by walking, some minutes.
const MANY_BOARDS: u64 = 10_000_000;

/// The record without what does not fit into a line.
// Here and not in taquin-records: only this program writes CSV, and `csv` flattens no inner record.
#[derive(Serialize)]
struct Line<'a> {
    size: &'a str,
    goal: &'a str,
    heuristic: &'a str,
    boards: u64,
    moves: u64,
    mean_h: f64,
    mean_distance: f64,
    mean_error: f64,
    exact: f64,
    worst_board: &'a str,
    worst_distance: u32,
    worst_h: u32,
    admissible: bool,
    consistent: bool,
    metric: MetricWord,
}

impl<'a> From<&'a Record<'_>> for Line<'a> {
    fn from(record: &'a Record<'_>) -> Self {
        Self {
            size: &record.size,
            goal: &record.goal,
            heuristic: &record.heuristic,
            boards: record.boards,
            moves: record.moves,
            mean_h: record.mean_h,
            mean_distance: record.mean_distance,
            mean_error: record.mean_error,
            exact: record.exact,
            worst_board: &record.worst.board,
            worst_distance: record.worst.distance,
            worst_h: record.worst.h,
            admissible: record.admissible,
            consistent: record.consistent,
            metric: record.metric,
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let asked = Asked::new(&args.goal, None, args.size, args.metric.metric)?;
    let spaces = Spaces::new(&args.effort)?;
    let space = spaces.space(&asked.goal, asked.metric)?;
    spaces.check(&space)?;
    let kinds = kinds(args, &space)?;
    if let Some(file) = &args.plot {
        file.check_folder()?;
    }
    let goal_name = asked.goal_name.as_str();
    let mut sheet = Sheet::new(args.format.format(), columns());
    sheet.note(|| {
        format!(
            "{}, goal {}{}: {} boards, {} moves between them",
            asked.size,
            goal_name,
            unusual(asked.metric),
            figures::count(space.boards()),
            figures::count(space.moves())
        )
    });
    let mut complete = true;
    let mut panels = Vec::new();
    for kind in kinds {
        let Some(quality) = measure(&spaces, &space, kind)? else {
            complete = false;
            continue;
        };
        let record = Record::new(&space, goal_name, &quality);
        if args.format.is_json() {
            out.json(&record)?;
        } else {
            sheet.record(out, &Line::from(&record))?;
        }
        for note in counterexamples(&quality) {
            sheet.note(|| note);
        }
        sheet.row(|| cells(&quality));
        // Nothing can be seen of an estimate that is always the same.
        if args.plot.is_some() && quality.pairs().iter().any(|row| row.len() > 1) {
            panels.push(panel(&quality));
        }
    }
    sheet.end(out)?;
    if let Some(file) = &args.plot {
        file.write(&picture(&space, goal_name, panels))?;
    }
    Ok(Status::of_answer(complete || args.heuristics.is_empty()))
}

/// What to measure.
fn kinds(args: &Args, space: &Space) -> Result<Vec<HeuristicKind>> {
    let many = space.boards() > MANY_BOARDS;
    let boards = figures::count(space.boards());
    if !args.heuristics.is_empty() {
        if many {
            remark(format_args!(
                "each heuristic is evaluated on {boards} boards, which takes ten seconds and more, \
                 minutes for pattern databases"
            ));
        }
        return Ok(args.heuristics.clone());
    }
    if many {
        bail!(
            "{} has {boards} boards, and each heuristic takes ten seconds and more on them, \
             pattern databases some minutes; say which ones with --heuristics, as in \
             --heuristics manhattan,max",
            args.size
        );
    }
    let quick = PatternChoice::tier(Tier::Quick);
    let quick = quick.catalogue(space.goal()).is_ok().then_some(quick);
    let quick = quick.map(HeuristicKind::Patterns);
    let all = HeuristicKind::ALL.into_iter().chain(quick);
    Ok(all.filter(|kind| kind.is_for(space.metric())).collect())
}

/// Looks at every board; `None` if the heuristic cannot be had, which is told.
fn measure(spaces: &Spaces, space: &Space, kind: HeuristicKind) -> Result<Option<Quality>> {
    let name = kind.name();
    let what = format!("{name} on all boards of {}", space.goal().size());
    spaces.work(&what, space, |budget| {
        match Quality::measure(space, kind, spaces.threads(), budget) {
            Ok(quality) => Ok(Some(quality)),
            Err(QualityError::Heuristic(refused)) => {
                remark(format_args!("{name} is left out: {refused}"));
                Ok(None)
            }
            Err(QualityError::Build(error)) => Err(Error::from(error)),
            Err(other) => Err(Error::from(other)),
        }
    })
}

fn columns() -> Vec<Column> {
    let mut columns = vec![Column::text("heuristic")];
    let numbers = ["mean h", "mean h*", "mean error", "exact"];
    columns.extend(numbers.map(Column::number));
    let words = ["worst board", "admissible", "consistent"];
    columns.extend(words.map(Column::text));
    columns
}

fn cells(quality: &Quality) -> Vec<String> {
    let worst = quality.worst();
    let verdict = |proven: bool| if proven { "proven" } else { "no" }.to_owned();
    vec![
        quality.kind().name().into_owned(),
        format!("{:.3}", quality.mean_estimate()),
        format!("{:.3}", quality.mean_distance()),
        format!("{:.3}", quality.mean_error()),
        format!("{:.2} %", 100.0 * quality.exact()),
        if worst.estimate == worst.distance {
            "-".to_owned()
        } else {
            let (h, distance) = (worst.estimate, worst.distance);
            format!("{}: h {h}, h* {distance}", worst.board)
        },
        verdict(quality.inadmissible().is_none()),
        verdict(quality.inconsistent().is_none()),
    ]
}

/// What disproves something, for people.
fn counterexamples(quality: &Quality) -> impl Iterator<Item = String> {
    let name = quality.kind().name();
    let inadmissible = quality.inadmissible().map(|found| {
        let Inadmissible {
            board,
            distance,
            estimate,
        } = found;
        format!("{name} is not admissible: {board} has h {estimate} and h* {distance}")
    });
    let inconsistent = quality.inconsistent().map(|found| {
        let step = Step::from(found);
        format!(
            "{name} is not consistent: {} has h {}, after {} it has {}",
            step.board, step.h, step.written, step.h_after
        )
    });
    inadmissible.into_iter().chain(inconsistent)
}

/// How many boards have which h and h*, to be drawn.
fn panel(quality: &Quality) -> Panel {
    let mut cells = Vec::new();
    for (distance, row) in (0..).zip(quality.pairs()) {
        for (estimate, &count) in (0..).zip(row) {
            cells.push(Cell {
                distance,
                estimate,
                count,
            });
        }
    }
    Panel {
        title: quality.kind().name().into_owned(),
        subtitle: format!(
            "mean {:.2}, error {:.2}",
            quality.mean_estimate(),
            quality.mean_error()
        ),
        cells,
    }
}

/// All panels in one picture.
fn picture(space: &Space, goal_name: &str, panels: Vec<Panel>) -> Picture {
    let (size, boards) = (space.goal().size(), figures::count(space.boards()));
    let map = HeatMap {
        title: format!("What heuristics say of the boards of {size}"),
        subtitle: format!(
            "{boards} boards, goal {goal_name}, {}",
            moves(space.metric())
        ),
        counted: "boards".to_owned(),
        panels,
    };
    map.picture()
}
