//! `taquin apply`: run moves on boards, or verify solutions.

use std::fmt::Write;

use anyhow::Result;
use taquin::notation::{Judge, MoveNotation, MoveStyle};
use taquin::{Board, Metric, Moves, Solvability};
use taquin_records::{Apply, Lengths};

use crate::goals::GoalArgs;
use crate::input::{BadBoard, BoardArgs};
use crate::moves_input::MovesArgs;
use crate::names;
use crate::output::{Output, remark};
use crate::status::Status;

/// Run moves on boards and print what comes out, or verify that they solve them.
///
/// Moves name the direction in which the tile slides; --from blank reads the blank's directions.
/// Boards in JSON can bring their own moves, so that the output of other commands can be verified.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin apply --moves LU \"1 2 3/4 0 5/7 8 6\"

  Does this solve it? In how many moves?
  $ taquin apply --expect-goal --moves LU \"1 2 3/4 0 5/7 8 6\"

  All boards on the way
  $ taquin apply --steps --moves \"R2 D\" \"1 2 3/4 5 6/7 8 0\"

  A judge's answer from the blank's path
  $ taquin apply --expect-goal --from blank --moves rd --output hdu1043 \"1 2 3 4 x 5 7 8 6\"

Exit code: 0 if all went well, 1 if --expect-goal was not met, 2 if a board or a move is bad.")]
pub(crate) struct Args {
    #[command(flatten)]
    boards: BoardArgs,

    #[command(flatten)]
    moves: MovesArgs,

    #[command(flatten)]
    goal: GoalArgs,

    /// Verify that the moves reach the goal, and count them.
    #[arg(long)]
    expect_goal: bool,

    /// Print every board on the way, the first one included.
    #[arg(long, conflicts_with_all = ["expect_goal", "json"])]
    steps: bool,

    /// Print the solution as this judge wants it.
    #[arg(
        long,
        value_name = "JUDGE",
        requires = "expect_goal",
        conflicts_with = "json",
        value_parser = names::judge()
    )]
    output: Option<Judge>,

    /// The metric of the length in JSON.
    #[arg(long, value_name = "METRIC", default_value = "single", value_parser = names::metric())]
    metric: Metric,

    /// Print JSON Lines, one object a board.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let mut goals = args.goal.goals(args.output.map(Judge::form));
    args.moves.must_not_share_standard_input(&args.boards)?;
    let mut source = args.moves.open()?;
    if args.output.is_some_and(Judge::claims_minimum) {
        remark(format_args!(
            "the judge takes the number of moves for the minimum; apply does not prove that it is"
        ));
    }

    let status = args.boards.each(out, args.json, |out, origin, entry| {
        let (entry, moves) = source.with_entry(origin, entry, args.moves.notation())?;
        let board = &entry.board;
        let bad = |reason: String| BadBoard::in_entry(origin, &entry, reason);
        let goal_name = goals.named(entry.form).name();
        let goal = match goals.of(&entry) {
            Ok(goal) => Some(&goal.board),
            // Without --expect-goal the goal is only a piece of information.
            Err(error) if args.expect_goal => return Err(bad(error.to_string()).into()),
            Err(_) => None,
        };
        let result = board
            .after(&moves)
            .map_err(|error| bad(error.to_string()))?;
        let solved = goal.is_some_and(|goal| *goal == result);
        let status = Status::of_answer(solved || !args.expect_goal);

        if args.json {
            let record = Apply::new(board, goal_name, &moves, args.metric, &result, solved);
            out.json(&record)?;
            return Ok(status);
        }
        let text = match (args.output, goal) {
            (Some(judge), Some(goal)) => judged(judge, board, goal, &moves, solved),
            (_, Some(goal)) if args.expect_goal => verdict(board, goal, &moves, &result),
            _ if args.steps => steps(board, &moves),
            _ => format!("{result}\n"),
        };
        out.record(&text)?;
        Ok(status)
    })?;
    source.remark_on_rest();
    Ok(status)
}

/// What a judge would read: the solution, or that there is none, or a word that it is wrong.
fn judged(judge: Judge, board: &Board, goal: &Board, moves: &Moves, solved: bool) -> String {
    let mut text = String::new();
    if solved && judge.write_solution(board, moves, &mut text).is_ok() {
        return text;
    }
    let solvable = Solvability::of(board, goal).is_ok_and(Solvability::is_solvable);
    match judge.unsolvable() {
        Some(answer) if !solvable => format!("{answer}\n"),
        _ => "these moves do not reach the goal\n".to_owned(),
    }
}

/// Whether the goal was reached, in how many moves of either kind.
fn verdict(board: &Board, goal: &Board, moves: &Moves, result: &Board) -> String {
    let Lengths { single, multi } = Lengths::of(moves);
    let moves_of = |count: usize| if count == 1 { "move" } else { "moves" };
    let lengths = format!(
        "{single} single-tile {}, {multi} multi-tile {}",
        moves_of(single),
        moves_of(multi)
    );
    if result == goal {
        return format!("{board}: solved in {lengths}\n");
    }
    let mut text = format!("{board}: not solved by {lengths}; they lead to {result}\n");
    if board
        .after(&moves.mirrored())
        .is_ok_and(|other| other == *goal)
    {
        text.push_str("  read in the other convention (see --from) they solve it\n");
    }
    text
}

fn steps(board: &Board, moves: &Moves) -> String {
    let mut text = format!("{board}\n");
    let mut board = board.clone();
    for &m in moves {
        if board.slide(m).is_err() {
            break; // Never: the whole sequence was checked before.
        }
        let mut letter = String::new();
        MoveNotation::Tile.write_letters(&Moves::from(vec![m]), MoveStyle::Letters, &mut letter);
        writeln!(text, "{board}  {letter}").expect("strings take all");
    }
    text
}
