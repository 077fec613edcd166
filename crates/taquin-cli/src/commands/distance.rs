//! `taquin distance`: how far boards are, and every best first move.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use anstyle::AnsiColor;
use anyhow::Result;
use serde::Serialize;
use taquin::notation::{MoveNotation, MoveStyle};
use taquin::space::{Atlas, DistanceError, Slide};
use taquin::{Board, Invariant, Metric, Move, Moves, Size, Solvability, Tile};

use crate::goals::GoalArgs;
use crate::input::{BadBoard, BoardArgs};
use crate::names;
use crate::output::Output;
use crate::spaces::{EffortArgs, MetricArgs, Spaces};
use crate::status::Status;
use crate::tables;

/// Say how far boards are from the goal, with all best first moves.
///
/// The answer is looked up in the table of all boards of the size, for sizes of up to 12 cells. If
/// it is not there yet, all boards are searched first, and the table is kept: 3x3 takes no time,
/// 3x4 and 2x6 take a while.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin distance \"8 1 3/4 0 2/7 6 5\"

  In multi-tile moves, with a solution
  $ taquin distance --metric multi --solution \"8 6 7/2 5 4/3 0 1\"

  A batch, for programs
  $ taquin scramble --size 3x3 --count 100 --seed 1 | taquin distance --json

Exit code: 0 if all boards are solvable, 1 if one is not, 2 if one could not be read or is too
large, 130 if interrupted.")]
pub(crate) struct Args {
    #[command(flatten)]
    boards: BoardArgs,

    #[command(flatten)]
    goal: GoalArgs,

    #[command(flatten)]
    metric: MetricArgs,

    /// Show a shortest solution too.
    #[arg(long)]
    solution: bool,

    #[command(flatten)]
    effort: EffortArgs,

    /// The notation to print moves in.
    #[arg(long, value_name = "NOTATION", default_value = "tile", value_parser = names::move_notation())]
    notation: MoveNotation,

    /// How to print directions.
    #[arg(long, value_name = "STYLE", default_value = "letters", value_parser = names::move_style())]
    style: MoveStyle,

    /// Print JSON Lines, one object a board.
    #[arg(long)]
    json: bool,
}

/// The fields of `docs/formats.md`.
#[derive(Serialize)]
struct Record<'a> {
    board: String,
    size: String,
    goal: &'a str,
    status: &'a str,
    /// Moves that the board needs.
    distance: Option<u32>,
    first_moves: Option<Vec<FirstMove>>,
    /// A shortest solution, if it was asked for.
    moves: Option<String>,
    notation: &'a str,
    metric: &'a str,
    reason: Option<String>,
    error: Option<&'a str>,
}

/// A first move of a shortest solution.
#[derive(Serialize)]
struct FirstMove {
    /// In the notation asked for, once for each tile.
    #[serde(rename = "move")]
    written: String,
    /// Where the tiles slide to: `U`, `D`, `L` or `R`.
    direction: char,
    /// The tile beside the blank.
    tile: Tile,
    /// All tiles that slide, from the blank on.
    tiles: Vec<Tile>,
}

/// The most cells of a board that can be looked up.
const MAX_CELLS: usize = 12;

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let mut goals = args.goal.with_form(args.boards.input);
    let goal_name = goals.name().to_owned();
    let metric = args.metric.metric;
    let mut atlases = Atlases {
        spaces: Spaces::new(&args.effort)?,
        metric,
        made: HashMap::new(),
    };
    args.boards.each(out, args.json, |out, origin, entry| {
        let entry = entry?;
        let board = &entry.board;
        let size = board.size();
        let bad = |error: &dyn std::fmt::Display| BadBoard::in_entry(origin, &entry, error);
        if size.cells() > MAX_CELLS {
            return Err(bad(&too_large(size, metric)).into());
        }
        let (goal, invariant) = goals.of(size).map_err(|error| bad(&error))?;
        let verdict = Solvability::between(Invariant::of(board), *invariant);
        let verdict = verdict.map_err(|error| bad(&error))?;
        // Nothing is searched for a board that cannot be solved.
        let answer = if verdict.is_solvable() {
            let atlas = atlases.of(goal)?.map_err(|error| bad(&error))?;
            Ok(Answer::of(atlas, board, args.solution).map_err(|error| bad(&error))?)
        } else {
            Err(DistanceError::Unsolvable(verdict).to_string())
        };
        let shown = Shown {
            args,
            goal: &goal_name,
            board,
            answer: &answer,
        };
        if args.json {
            out.json(&shown.record())?;
        } else {
            out.record(&shown.text(out))?;
        }
        Ok(Status::of_answer(answer.is_ok()))
    })
}

/// What to say of a board that cannot be looked up.
fn too_large(size: Size, metric: Metric) -> String {
    let advice = match metric {
        Metric::Single => "`taquin solve` finds a shortest solution",
        Metric::Multi => "`taquin solve` finds a solution, shortest in single-tile moves",
    };
    format!(
        "{size} has {} cells, and distances are looked up on boards of up to {MAX_CELLS}, such as \
         3x3, 3x4 and 2x6; {advice}",
        size.cells()
    )
}

/// The atlas of each size, made when its first board comes.
struct Atlases {
    spaces: Spaces,
    metric: Metric,
    made: HashMap<Size, Result<Atlas, String>>,
}

impl Atlases {
    /// The atlas of a goal, or why there is none. The outer error is that Ctrl-C came.
    fn of(&mut self, goal: &Board) -> Result<Result<&Atlas, &str>> {
        let made = match self.made.entry(goal.size()) {
            Entry::Occupied(made) => made.into_mut(),
            Entry::Vacant(place) => {
                let space = self.spaces.space(goal, self.metric);
                let drawn = space.and_then(|space| self.spaces.atlas(&space, false));
                let made = match drawn {
                    Ok(drawn) => Ok(drawn.atlas),
                    Err(error) if tables::is_interruption(&error) => return Err(error),
                    Err(error) => Err(format!("{error:#}")),
                };
                place.insert(made)
            }
        };
        Ok(made.as_ref().map_err(String::as_str))
    }
}

/// What is known of a board.
struct Answer {
    distance: u32,
    first: Vec<Slide>,
    solution: Option<Moves>,
}

impl Answer {
    fn of(atlas: &Atlas, board: &Board, with_solution: bool) -> Result<Self, DistanceError> {
        let solution = with_solution.then(|| atlas.solution(board));
        Ok(Self {
            distance: atlas.distance(board)?,
            first: atlas.best(board)?,
            solution: solution.transpose()?,
        })
    }
}

/// The answer for a board, or why there is none, to be shown.
struct Shown<'a> {
    args: &'a Args,
    goal: &'a str,
    board: &'a Board,
    answer: &'a Result<Answer, String>,
}

impl Shown<'_> {
    fn text(&self, out: &Output) -> String {
        let board = self.board;
        let answer = match self.answer {
            Ok(answer) => answer,
            Err(words) => {
                let (word, reason) = words.split_once(": ").unwrap_or((words, ""));
                let word = out.styled(AnsiColor::Red.on_default(), word);
                return format!("{board}: {word}\n  {reason}\n");
            }
        };
        if answer.distance == 0 {
            return format!("{board}: 0 moves, it is the goal\n");
        }
        let moves = if answer.distance == 1 {
            "move"
        } else {
            "moves"
        };
        let first: Vec<String> = answer.first.iter().map(|slide| self.named(slide)).collect();
        let mut text = format!(
            "{board}: {} {moves}\n  begin with {}\n",
            answer.distance,
            first.join(" or ")
        );
        if let Some(solution) = &answer.solution {
            let solution = self.written(solution);
            text.extend(["  ", &solution, "\n"]);
        }
        text
    }

    /// A move with its tiles.
    fn named(&self, slide: &Slide) -> String {
        let written = self.written(&moves(slide));
        match &self.tiles(slide)[..] {
            [tile] => format!("{written} (tile {tile})"),
            tiles => {
                let tiles: Vec<String> = tiles.iter().map(Tile::to_string).collect();
                format!("{written} (tiles {})", tiles.join(" "))
            }
        }
    }

    /// The tiles that a move slides, from the blank on.
    fn tiles(&self, slide: &Slide) -> Vec<Tile> {
        let mut board = self.board.clone();
        let slid = (0..slide.tiles).map_while(|_| board.slide(slide.direction).ok());
        slid.collect()
    }

    /// Moves in the notation asked for.
    fn written(&self, moves: &Moves) -> String {
        let mut text = String::new();
        let notation = self.args.notation;
        let written = notation.write(self.board, moves, self.args.style, &mut text);
        debug_assert!(written.is_ok(), "atlases give legal moves");
        text
    }

    fn record(&self) -> Record<'_> {
        let answer = self.answer.as_ref().ok();
        let first = |slide: &Slide| {
            let tiles = self.tiles(slide);
            FirstMove {
                written: self.written(&moves(slide)),
                direction: letter(slide.direction),
                tile: tiles.first().copied().unwrap_or(0),
                tiles,
            }
        };
        let solution = answer.and_then(|answer| answer.solution.as_ref());
        Record {
            board: self.board.to_string(),
            size: self.board.size().to_string(),
            goal: self.goal,
            status: if answer.is_some() {
                "solved"
            } else {
                "unsolvable"
            },
            distance: answer.map(|answer| answer.distance),
            first_moves: answer.map(|answer| answer.first.iter().map(first).collect()),
            moves: solution.map(|moves| self.written(moves)),
            notation: self.args.notation.name(),
            metric: self.args.metric.metric.name(),
            reason: self.answer.as_ref().err().cloned(),
            error: None,
        }
    }
}

/// A move, once for each of its tiles.
fn moves(slide: &Slide) -> Moves {
    Moves::from(vec![slide.direction; slide.tiles])
}

/// Where a tile slides to.
const fn letter(direction: Move) -> char {
    match direction {
        Move::Up => 'U',
        Move::Down => 'D',
        Move::Left => 'L',
        Move::Right => 'R',
    }
}
