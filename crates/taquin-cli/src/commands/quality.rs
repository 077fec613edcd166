//! `taquin quality`: heuristics against the truth, on every board.

use std::borrow::Cow;

use anyhow::{Error, Result, bail};
use clap::ValueHint;
use serde::Serialize;
use taquin::heuristic::{HeuristicKind, PatternChoice};
use taquin::notation::{MoveNotation, MoveStyle};
use taquin::space::{Inadmissible, Inconsistent, Quality, QualityError, Space, Underestimate};
use taquin::tables::Tier;
use taquin::{Metric, Moves, Size};
use taquin_records::rounded;

use crate::export::{Column, FormatArgs, Sheet};
use crate::goals::GoalArgs;
use crate::output::{Output, remark};
use crate::plot::heat::{Cell, HeatMap, Panel};
use crate::plot::{Picture, PlotFile};
use crate::spaces::{Asked, EffortArgs, Spaces};
use crate::status::Status;
use crate::{figures, names};

/// Say how good heuristics are, over every board of a small puzzle.
///
/// Each heuristic is evaluated on all boards and compared with their true distances (h*) in
/// single-tile moves. Shown are the mean estimate (h) and its mean error, the share of boards on
/// which it is exact, and a board that it underestimates most. It is proven admissible if it
/// overestimates no board, and consistent if no move changes it by more than one; else there is a
/// counterexample.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin quality 3x3

  Pattern databases for the goal with the blank first
  $ taquin quality 3x3 --goal blank-first --heuristics pdb:4-4,pdb:5-3

  How many boards have which h and h*, for programs
  $ taquin quality 2x4 --heuristics manhattan --json

  The picture of h against h*
  $ taquin quality 3x3 --heuristics manhattan,max --plot quality.svg

Exit code: 0, or 1 if a heuristic that was asked for cannot be had, 2 if the size is too large; 130
if interrupted.")]
pub(crate) struct Args {
    /// Rows x columns: up to 12 cells, or up to 14 with much memory.
    #[arg(value_name = "SIZE", value_parser = names::size)]
    size: Size,

    /// The heuristics, separated by commas. Default: all, and pdb:quick where the size has it; sizes
    /// of more than ten million boards have no default.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = names::heuristic())]
    heuristics: Vec<HeuristicKind>,

    #[command(flatten)]
    goal: GoalArgs,

    #[command(flatten)]
    effort: EffortArgs,

    /// Draw h against h* into this file, an .svg or a .png: a panel for each heuristic.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    plot: Option<PlotFile>,

    #[command(flatten)]
    format: FormatArgs,
}

/// With more boards than that each heuristic takes ten seconds and more, and pattern databases, whose
/// values are found by walking, some minutes.
const MANY_BOARDS: u64 = 10_000_000;

/// The fields of `docs/formats.md`.
#[derive(Serialize)]
struct Record<'a> {
    size: &'a str,
    goal: &'a str,
    heuristic: Cow<'static, str>,
    boards: u64,
    /// Moves between two of these boards, either way counted once.
    moves: u64,
    mean_h: f64,
    mean_distance: f64,
    mean_error: f64,
    /// The share of boards whose estimate is their distance.
    exact: f64,
    worst: Estimated,
    admissible: bool,
    consistent: bool,
    counterexamples: Option<Counterexamples>,
    /// For each distance how many boards have h 0, 1, 2 and so on.
    pairs: &'a [Vec<u64>],
}

/// A board with its distance and its estimate.
#[derive(Serialize)]
struct Estimated {
    board: String,
    distance: u32,
    h: u32,
}

/// What disproves that a heuristic is admissible or consistent.
#[derive(Serialize)]
struct Counterexamples {
    admissible: Option<Estimated>,
    consistent: Option<Step>,
}

/// A move that changes an estimate too much.
#[derive(Serialize)]
struct Step {
    board: String,
    #[serde(rename = "move")]
    written: String,
    h: u32,
    h_after: u32,
}

/// The same without what does not fit into a line.
#[derive(Serialize)]
struct Line<'a> {
    size: &'a str,
    goal: &'a str,
    heuristic: Cow<'static, str>,
    boards: u64,
    moves: u64,
    mean_h: f64,
    mean_distance: f64,
    mean_error: f64,
    exact: f64,
    worst_board: String,
    worst_distance: u32,
    worst_h: u32,
    admissible: bool,
    consistent: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let asked = Asked::new(&args.goal, None, args.size, Metric::Single)?;
    let spaces = Spaces::new(&args.effort)?;
    let space = spaces.space(&asked.goal, asked.metric)?;
    spaces.check(&space)?;
    let kinds = kinds(args, &space)?;
    if let Some(file) = &args.plot {
        file.check_folder()?;
    }
    let about = About {
        size: asked.size.to_string(),
        goal: asked.goal_name,
        moves: moves_between(&space),
    };
    let mut sheet = Sheet::new(args.format.format(), columns());
    sheet.note(|| {
        format!(
            "{}, goal {}: {} boards, {} moves between them",
            about.size,
            about.goal,
            figures::count(space.boards()),
            figures::count(about.moves)
        )
    });
    let mut complete = true;
    let mut panels = Vec::new();
    for kind in kinds {
        let Some(quality) = measure(&spaces, &space, kind)? else {
            complete = false;
            continue;
        };
        if args.format.is_json() {
            out.json(&about.record(&quality))?;
        } else {
            sheet.record(out, &about.line(&quality))?;
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
        file.write(&about.picture(&space, panels))?;
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
    Ok(HeuristicKind::ALL.into_iter().chain(quick).collect())
}

/// Looks at every board; `None` if the heuristic cannot be had, which is told.
fn measure(spaces: &Spaces, space: &Space, kind: HeuristicKind) -> Result<Option<Quality>> {
    let name = kind.name();
    let what = format!("{name} on all boards of {}", space.goal().size());
    spaces.work(&what, space, |building| {
        match Quality::measure(space, kind, spaces.threads(), building) {
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

/// How many pairs of boards are one move apart: every two neighbouring cells are as often those of
/// a move as any others.
fn moves_between(space: &Space) -> u64 {
    let size = space.goal().size();
    let (rows, columns) = (size.rows(), size.columns());
    let neighbours = rows * (columns - 1) + columns * (rows - 1);
    space.boards() * neighbours as u64 / size.cells() as u64
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
        let step = step(found);
        format!(
            "{name} is not consistent: {} has h {}, after {} it has {}",
            step.board, step.h, step.written, step.h_after
        )
    });
    inadmissible.into_iter().chain(inconsistent)
}

fn estimated(found: &Underestimate) -> Estimated {
    Estimated {
        board: found.board.to_string(),
        distance: found.distance,
        h: found.estimate,
    }
}

fn step(found: &Inconsistent) -> Step {
    let mut written = String::new();
    let moves = Moves::from(vec![found.tile_move]);
    MoveNotation::Tile.write_letters(&moves, MoveStyle::Letters, &mut written);
    Step {
        board: found.board.to_string(),
        written,
        h: found.estimates.0,
        h_after: found.estimates.1,
    }
}

/// What all records share.
struct About {
    size: String,
    goal: String,
    moves: u64,
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

impl About {
    /// All panels in one picture.
    fn picture(&self, space: &Space, panels: Vec<Panel>) -> Picture {
        let (size, boards) = (&self.size, figures::count(space.boards()));
        let map = HeatMap {
            title: format!("What heuristics say of the boards of {size}"),
            subtitle: format!("{boards} boards, goal {}, single-tile moves", self.goal),
            counted: "boards".to_owned(),
            panels,
        };
        map.picture()
    }

    fn record<'a>(&'a self, quality: &'a Quality) -> Record<'a> {
        let admissible = quality.inadmissible().map(estimated);
        let consistent = quality.inconsistent().map(step);
        let line = self.line(quality);
        Record {
            size: line.size,
            goal: line.goal,
            heuristic: line.heuristic,
            boards: line.boards,
            moves: line.moves,
            mean_h: line.mean_h,
            mean_distance: line.mean_distance,
            mean_error: line.mean_error,
            exact: line.exact,
            worst: estimated(quality.worst()),
            admissible: line.admissible,
            consistent: line.consistent,
            counterexamples: (admissible.is_some() || consistent.is_some()).then_some(
                Counterexamples {
                    admissible,
                    consistent,
                },
            ),
            pairs: quality.pairs(),
        }
    }

    fn line<'a>(&'a self, quality: &'a Quality) -> Line<'a> {
        let worst = quality.worst();
        Line {
            size: &self.size,
            goal: &self.goal,
            heuristic: quality.kind().name(),
            boards: quality.boards(),
            moves: self.moves,
            mean_h: rounded(quality.mean_estimate()),
            mean_distance: rounded(quality.mean_distance()),
            mean_error: rounded(quality.mean_error()),
            exact: rounded(quality.exact()),
            worst_board: worst.board.to_string(),
            worst_distance: worst.distance,
            worst_h: worst.estimate,
            admissible: quality.inadmissible().is_none(),
            consistent: quality.inconsistent().is_none(),
        }
    }
}
