//! `taquin estimate`: what each heuristic says of a board, and where it comes from.

use std::fmt::Write;

use anstyle::AnsiColor;
use anyhow::Result;
use taquin::heuristic::{Breakdown, Estimator, HeuristicKind, PatternBreakdown, SlideBreakdown};
use taquin::search::{Cost, Counting, Laboratory};
use taquin::{Board, Size, Tile, Unsolvable};
use taquin_records::{Conflict, Estimate, Estimates};

use crate::export::{self, Column};
use crate::goals::GoalArgs;
use crate::input::{BadBoard, BoardArgs};
use crate::names;
use crate::output::Output;
use crate::search_args::{CountingArgs, laboratories};
use crate::spaces::unusual;
use crate::status::Status;

/// Show what every heuristic says of boards, tile by tile.
///
/// Each is a number of moves (or with --cost tile a cost) that no solution can be below. Shown with
/// them: how far each tile is from home, which tiles stand in one another's way in which line and
/// which of them must leave it, and the two halves of the walking distance. Rows and columns are
/// counted from 1, in JSON rows, columns and cells from 0.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  Two tiles of the first row must leave it to let the third pass
  $ taquin estimate \"3 2 1/4 5 6/8 7 0\"

  For another goal, each move counted as the tile's number
  $ taquin estimate --goal snail --cost tile \"2 1 3/8 0 4/7 5 6\"

  In slides of several tiles that count once
  $ taquin estimate --metric multi \"3 2 1/4 5 6/8 7 0\"

  Pattern databases besides
  $ taquin estimate --heuristics pdb:4-4,pdb:8 \"3 2 1/4 5 6/8 7 0\"

  For programs
  $ taquin scramble --size 4x4 --count 100 --seed 1 | taquin estimate --json

Exit code: 0 if all boards are solvable, 1 if some are not or a heuristic that was asked for is
left out, 2 if some could not be read.")]
pub(crate) struct Args {
    #[command(flatten)]
    boards: BoardArgs,

    /// More heuristics to show, separated by commas, such as pdb:7-8.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = names::heuristic())]
    heuristics: Vec<HeuristicKind>,

    #[command(flatten)]
    goal: GoalArgs,

    #[command(flatten)]
    counting: CountingArgs,

    /// Print JSON Lines, one object a board.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let mut goals = args.goal.goals(None);
    let counting = args.counting.counting()?;
    // The tables of the last size, at hand for the next board.
    let mut last: Option<(Board, Estimator, Vec<Laboratory>)> = None;
    let mut first = true;
    let mut complete = true;

    let status = args.boards.each(out, args.json, |out, origin, entry| {
        let entry = entry?;
        let bad = |error| BadBoard::in_entry(origin, &entry, error);
        let (board, size) = (&entry.board, entry.board.size());
        let goal = goals.of(&entry).map_err(bad)?;
        let verdict = Unsolvable::check(board, &goal.board).map_err(bad)?;
        if last.as_ref().is_none_or(|(kept, ..)| *kept != goal.board) {
            // Those that every board is shown anyway need not be made again.
            let more = args.heuristics.iter().copied();
            let more = more.filter(|kind| !HeuristicKind::ALL.contains(kind));
            let (more, left_out) = laboratories(&goal.board, counting, &more.collect::<Vec<_>>());
            complete &= !left_out;
            let estimator = Estimator::new(&goal.board, counting);
            last = Some((goal.board.clone(), estimator, more));
        }
        let (_, estimator, more) = last.as_ref().expect("it was just set");
        let parts = estimator.breakdown(board).map_err(bad)?;
        let mut estimates = Estimates::of(&parts);
        let mut patterns = Vec::new();
        for laboratory in more {
            let value = laboratory.estimate(board).map_err(bad)?;
            estimates.push(laboratory.heuristic(), value);
            patterns.extend(laboratory.patterns(board).map_err(bad)?);
        }
        let unsolvable = verdict.as_ref().err();
        if args.json {
            let record = Estimate::new(board, &goal.name, unsolvable, counting, &parts, estimates);
            out.json(&record.with_patterns(&patterns))?;
        } else {
            let gap = if std::mem::take(&mut first) { "" } else { "\n" };
            let metric = unusual(counting.metric());
            let mut text = format!("{gap}{board} ({size}, goal {}{metric})\n", goal.name);
            if let Some(unsolvable) = unsolvable {
                let word = out.styled(AnsiColor::Red.on_default(), "unsolvable");
                writeln!(text, "{word}: {unsolvable}").expect("strings take all");
            }
            explain(&parts, &estimates, size, counting, &mut text).expect("strings take all");
            for parts in &patterns {
                add_up(parts, &mut text).expect("strings take all");
            }
            out.record(&text)?;
        }
        Ok(Status::of_answer(verdict.is_ok()))
    })?;
    Ok(status.max(Status::of_answer(complete)))
}

/// The estimates and their parts for people.
fn explain(
    parts: &Breakdown,
    estimates: &Estimates,
    size: Size,
    counting: Counting,
    text: &mut String,
) -> std::fmt::Result {
    let metric = counting.metric();
    let rows: Vec<Vec<String>> = estimates
        .0
        .iter()
        .map(|(kind, value)| {
            let value = value.map_or("-".to_owned(), |value| value.to_string());
            let summary = kind.summary_in(metric).to_owned();
            vec![kind.name().into(), value, summary]
        })
        .collect();
    let columns = [
        Column::text("heuristic"),
        Column::number("value"),
        Column::text("what it counts"),
    ];
    text.push_str(&export::table(&columns, &rows));

    away(parts, size, counting.cost(), text)?;
    if parts.conflicts.is_empty() {
        writeln!(text, "No tiles conflict in their lines.")?;
    }
    for line in &parts.conflicts {
        let Conflict {
            line: name, index, ..
        } = Conflict::from(line);
        let pairs = line.pairs.iter().map(|(a, b)| format!("{a}-{b}"));
        let pairs: Vec<String> = pairs.collect();
        let leaving: Vec<String> = line.leaving.iter().map(Tile::to_string).collect();
        let (pairs, leaving) = (pairs.join(", "), leaving.join(" and "));
        let (number, added) = (index + 1, line.added);
        writeln!(
            text,
            "Conflicts in {name} {number}: {pairs}. There {leaving} must leave, which adds {added}."
        )?;
    }
    if let Some(slides) = &parts.slides {
        explain_slides(slides, text)?;
    }
    match &parts.walking_distance {
        Ok(halves) => writeln!(
            text,
            "Walking distance: {} vertical + {} horizontal.",
            halves.vertical, halves.horizontal
        ),
        Err(refused) => writeln!(text, "No walking distance: {refused}."),
    }
}

/// How many slides the moves of single tiles take.
fn explain_slides(parts: &SlideBreakdown, text: &mut String) -> std::fmt::Result {
    let (vertical, horizontal) = parts.slides(parts.moves);
    let (moves, most) = (parts.moves, parts.most_tiles);
    for (way, moves, most, slides) in [
        ("up and down", moves.vertical, most.vertical, vertical),
        (
            "left and right",
            moves.horizontal,
            most.horizontal,
            horizontal,
        ),
    ] {
        writeln!(
            text,
            "Moves of tiles {way}: {moves}, at most {most} a slide, so at least {slides} slides."
        )?;
    }
    writeln!(text, "Slides along rows and along columns alternate.")
}

/// What pattern databases have looked up, a line for each sum.
fn add_up(parts: &PatternBreakdown, text: &mut String) -> std::fmt::Result {
    let name = HeuristicKind::Patterns(parts.choice).name();
    let number = |value: Option<u32>| value.map_or("-".to_owned(), |value| value.to_string());
    for sum in &parts.sums {
        let looked_up = sum.parts.iter().map(|part| {
            let tiles: Vec<String> = part.tiles.iter().map(Tile::to_string).collect();
            format!("{} {{{}}}", number(part.value), tiles.join(" "))
        });
        let looked_up: Vec<String> = looked_up.collect();
        let mirror = if sum.reflected { " in the mirror" } else { "" };
        let (looked_up, value) = (looked_up.join(" + "), number(sum.value));
        writeln!(text, "{name}{mirror}: {looked_up} = {value}")?;
    }
    Ok(())
}

/// The tiles that are away from home.
fn away(parts: &Breakdown, size: Size, cost: Cost, text: &mut String) -> std::fmt::Result {
    let misplaced = parts.tiles.iter().filter(|tile| tile.distance > 0);
    let place = |cell: usize| {
        let (row, column) = (cell / size.columns(), cell % size.columns());
        format!("row {}, column {}", row + 1, column + 1)
    };
    let rows: Vec<Vec<String>> = misplaced
        .map(|tile| {
            let mut cells = vec![
                tile.tile.to_string(),
                place(tile.cell),
                place(tile.home),
                tile.distance.to_string(),
            ];
            if cost == Cost::Tile {
                cells.push((tile.distance * tile.weight).to_string());
            }
            cells
        })
        .collect();
    if rows.is_empty() {
        return writeln!(text, "Every tile is at home.");
    }
    let mut columns = vec![
        Column::number("tile"),
        Column::text("is on"),
        Column::text("belongs on"),
        Column::number("distance"),
    ];
    if cost == Cost::Tile {
        columns.push(Column::number("cost"));
    }
    text.push_str(&export::table(&columns, &rows));
    match parts.tiles.len() - rows.len() {
        0 => Ok(()),
        1 => writeln!(text, "The other tile is at home."),
        rest => writeln!(text, "The other {rest} tiles are at home."),
    }
}
