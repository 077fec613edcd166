//! `taquin enumerate`: every board of a small puzzle, counted.

use std::fmt::Write;
use std::time::Duration;

use anyhow::Result;
use clap::ValueHint;
use taquin::space::{Atlas, AtlasFrom, Census, Tally};
use taquin_records::Enumerate;

use crate::export::{self, Column, Format, FormatArgs, Sheet};
use crate::figures;
use crate::output::Output;
use crate::plot::bars::{BarChart, Marker};
use crate::plot::terminal;
use crate::plot::{Picture, PlotFile};
use crate::spaces::{Asked, EffortArgs, SpaceArgs, Spaces, threads_of};
use crate::status::Status;

/// Count the boards of a small puzzle by how far they are from the goal.
///
/// All boards from which the goal can be reached are searched, up to 12 cells in memory of a
/// quarter of a byte a board. Shown are the number of boards at each distance, the farthest boards,
/// the mean, and the same split by the cell in which the blank is. What was found is kept with the
/// tables, so that the next time the answer is there at once.
///
/// In single-tile moves every other cell belongs to boards at even distances: those of the colour
/// of the goal's blank on a chessboard.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin enumerate 3x3

  A slide of several tiles in a line counts once
  $ taquin enumerate 2x4 --metric multi

  With the goal's blank in the centre, for programs
  $ taquin enumerate 3x3 --goal snail --json

  The counts for a spreadsheet, split by the cell of the blank
  $ taquin enumerate 3x3 --format csv

  The picture that everyone asks for
  $ taquin enumerate 3x3 --plot 3x3.svg

Exit code: 0, or 1 if --limit-time was over first, 2 if the size is too large: then it is said what
a search would take; 130 if interrupted.")]
pub(crate) struct Args {
    #[command(flatten)]
    space: SpaceArgs,

    /// Search even if the answer is stored.
    #[arg(long)]
    fresh: bool,

    #[command(flatten)]
    effort: EffortArgs,

    /// Draw the distribution into this file, an .svg (or a .png, in programs built with the feature png).
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    plot: Option<PlotFile>,

    /// Draw it with a logarithmic axis, which shows the ends too.
    #[arg(long, requires = "plot")]
    log: bool,

    #[command(flatten)]
    format: FormatArgs,
}

/// The most boards that are listed for people.
const MOST_LISTED: usize = 20;

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let spaces = Spaces::new(&args.effort)?;
    let asked = args.space.asked(None)?;
    let space = spaces.space(&asked.goal, asked.metric)?;
    if let Some(file) = &args.plot {
        file.check_folder()?;
    }
    let AtlasFrom { atlas, time } = spaces.atlas(&space, args.fresh)?;
    let census = atlas.census();
    match args.format.format() {
        Format::Table => {
            let source = source(time, spaces.threads());
            out.record(&text(&asked, &atlas, &source))?;
            out.record(&format!("\n{}", distribution(census.all(), out)))?;
        }
        Format::Markdown => markdown(&asked, census, out)?,
        Format::Csv => out.record(&csv(census))?,
        Format::Json => out.json(&Enumerate::new(&atlas, &asked.goal_name, time))?,
    }
    if let Some(file) = &args.plot {
        file.write(&picture(&asked, census.all(), args.log))?;
    }
    Ok(Status::Done)
}

/// The distribution drawn.
fn picture(asked: &Asked, tally: &Tally, log: bool) -> Picture {
    let (boards, farthest) = (tally.boards(), tally.farthest());
    let mean = tally.mean().map(|at| Marker {
        at,
        label: format!("mean {at:.3}"),
    });
    let chart = BarChart {
        title: format!("How far from the goal are the boards of {}?", asked.size),
        subtitle: format!(
            "{} boards, goal {}, the farthest {farthest} moves away",
            figures::count(boards),
            asked.goal_name,
        ),
        x_title: format!("distance in {}", asked.moves()),
        y_title: "boards".to_owned(),
        bars: bars(tally),
        markers: mean.into_iter().collect(),
        log,
    };
    chart.picture()
}

/// How many boards there are at each distance.
fn bars(tally: &Tally) -> Vec<(u32, u64)> {
    (0..).zip(tally.counts().iter().copied()).collect()
}

/// Where the answer came from.
fn source(time: Option<Duration>, threads: usize) -> String {
    match time {
        Some(time) => format!(
            "searched in {} on {}",
            figures::time(time),
            threads_of(threads)
        ),
        None => "from the stored table".to_owned(),
    }
}

/// A line for each distance: all boards, then those with the blank in each cell.
fn csv(census: &Census) -> String {
    let mut text = String::from("distance,boards");
    for cell in 0..census.by_blank().len() {
        write!(text, ",blank_{cell}").expect("strings take all");
    }
    text.push('\n');
    for distance in 0..=census.all().farthest() {
        write!(text, "{distance},{}", census.all().at(distance)).expect("strings take all");
        for tally in census.by_blank() {
            write!(text, ",{}", tally.at(distance)).expect("strings take all");
        }
        text.push('\n');
    }
    text
}

/// The figures of all boards, by name.
fn figures_of(tally: &Tally) -> [(&'static str, String); 5] {
    let decimals = |number: Option<f64>| format!("{:.3}", number.unwrap_or(0.0));
    let (farthest, there) = (tally.farthest(), tally.at(tally.farthest()));
    let boards = if there == 1 { "board" } else { "boards" };
    [
        ("boards", figures::count(tally.boards())),
        (
            "farthest",
            format!("{farthest} moves, {} {boards}", figures::count(there)),
        ),
        ("mean", decimals(tally.mean())),
        ("standard deviation", decimals(tally.deviation())),
        ("median", tally.median().unwrap_or(0).to_string()),
    ]
}

/// Everything but the distribution, for people.
fn text(asked: &Asked, atlas: &Atlas, source: &str) -> String {
    let mut text = format!("{}\n", asked.title());
    for (name, value) in figures_of(atlas.census().all()) {
        writeln!(text, "  {name:<20}{value}").expect("strings take all");
    }
    writeln!(text, "  {source}").expect("strings take all");

    text.push_str("\nFarthest boards\n");
    let boards = atlas.farthest();
    for board in boards.iter().take(MOST_LISTED) {
        writeln!(text, "  {board}").expect("strings take all");
    }
    let there = atlas.census().all().at(atlas.census().all().farthest());
    let more = there.saturating_sub(MOST_LISTED as u64);
    if more > 0 {
        let (more, typed) = (figures::count(more), asked.typed());
        writeln!(text, "  and {more} more: taquin farthest {typed}").expect("strings take all");
    }

    text.push_str("\nBy the cell of the blank: mean and largest distance\n");
    text + grids(atlas.census().by_blank(), asked.size.columns()).as_str()
}

/// The mean and the largest distance for each cell of the blank, in the shape of the board.
fn grids(by_blank: &[Tally], columns: usize) -> String {
    let mean = |tally: &Tally| match tally.mean() {
        Some(mean) => format!("{mean:.2}"),
        None => "-".to_owned(),
    };
    let farthest = |tally: &Tally| tally.farthest().to_string();
    let width = |cell: &dyn Fn(&Tally) -> String| by_blank.iter().map(|t| cell(t).len()).max();
    let (means, maxima) = (width(&mean).unwrap_or(0), width(&farthest).unwrap_or(0));
    let mut text = String::new();
    for row in by_blank.chunks(columns) {
        text.push(' ');
        for tally in row {
            write!(text, " {:>means$}", mean(tally)).expect("strings take all");
        }
        text.push_str("   ");
        for tally in row {
            write!(text, " {:>maxima$}", farthest(tally)).expect("strings take all");
        }
        text.push('\n');
    }
    text
}

fn columns() -> Vec<Column> {
    ["distance", "boards", "share"].map(Column::number).into()
}

/// A row for each distance, for people.
fn rows(tally: &Tally) -> Vec<Vec<String>> {
    #[expect(clippy::cast_precision_loss, reason = "few digits are shown")]
    let share = |count: u64| 100.0 * count as f64 / tally.boards() as f64;
    let counts = tally.counts().iter().enumerate();
    let row = |(distance, &count): (usize, &u64)| {
        vec![
            distance.to_string(),
            figures::count(count),
            format!("{:.4} %", share(count)),
        ]
    };
    counts.map(row).collect()
}

/// How many boards there are at each distance: bars on a terminal, else a table.
fn distribution(tally: &Tally, out: &Output) -> String {
    match out.width() {
        Some(width) => terminal::chart(&bars(tally), width),
        None => export::table(&columns(), &rows(tally)),
    }
}

fn markdown(asked: &Asked, census: &Census, out: &mut Output) -> Result<()> {
    let mut sheet = Sheet::new(Format::Markdown, columns());
    sheet.note(|| asked.title());
    for (name, value) in figures_of(census.all()) {
        sheet.note(|| format!("{name}: {value}"));
    }
    for row in rows(census.all()) {
        sheet.row(|| row);
    }
    sheet.end(out)
}
