//! `taquin trace`: what a search does, step by step.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use taquin::heuristic::HeuristicKind;
use taquin::search::{Algorithm, Cost, Counting, Laboratory, Tracer};
use taquin::{Board, Limits, Metric, Outcome, Unsolvable};
use taquin_records::{Trace, TraceLimit};

use crate::figures;
use crate::goals::GoalArgs;
use crate::input::{BadBoard, BoardArgs};
use crate::names;
use crate::output::Output;
use crate::search_args::{CountingArgs, DEFAULT_MEMORY, LimitArgs};
use crate::spaces::unusual;
use crate::status::Status;
use crate::units;

/// Show what a search does, node by node.
///
/// Every node is shown with g, what led to it cost, h, the estimate of the rest, and f, their sum;
/// those that were not followed with the reason. With --json this is a stream of events that
/// programs can play; docs/trace.md describes it.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin trace \"1 2 3/4 5 6/0 7 8\"

  Which thresholds IDA* goes through
  $ taquin trace --json \"8 1 3/4 0 2/7 6 5\" | grep threshold

  Another search
  $ taquin trace --algorithm astar --heuristic max --max-events 20 \"8 1 3/4 0 2/7 6 5\"

  Slides of several tiles that count once
  $ taquin trace --metric multi --heuristic max \"0 1 3/5 2 6/4 7 8\"

Exit code: 0 if the board was solved, 1 if it is unsolvable or a limit was met, also that of \
events, 2 if it could not be read.")]
pub(crate) struct Args {
    #[command(flatten)]
    boards: BoardArgs,

    /// The search.
    #[arg(long, value_name = "NAME", default_value = "idastar", value_parser = names::algorithm())]
    algorithm: Algorithm,

    /// The estimate that it uses.
    #[arg(long, value_name = "NAME", default_value = "manhattan", value_parser = names::heuristic())]
    heuristic: HeuristicKind,

    #[command(flatten)]
    goal: GoalArgs,

    #[command(flatten)]
    counting: CountingArgs,

    /// Show this many events at most, and stop soon after them.
    #[arg(long, value_name = "N", default_value = "10000", value_parser = units::count)]
    max_events: u64,

    /// Print JSON Lines, one object an event.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitArgs,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let mut goals = args.goal.goals(None);
    let counting = args.counting.counting()?;
    let heuristic = if args.algorithm.uses_heuristic() {
        args.heuristic
    } else {
        HeuristicKind::Zero
    };
    let mut last: Option<(Board, Laboratory)> = None;
    let mut first = true;

    args.boards.each(out, args.json, |out, origin, entry| {
        let entry = entry?;
        let bad = |error| BadBoard::in_entry(origin, &entry, error);
        let board = &entry.board;
        let goal = goals.of(&entry).map_err(bad)?;
        if last.as_ref().is_none_or(|(kept, _)| *kept != goal.board) {
            let laboratory = Laboratory::new(&goal.board, counting, heuristic);
            let laboratory =
                laboratory.map_err(|refused| BadBoard::in_entry(origin, &entry, refused))?;
            last = Some((goal.board.clone(), laboratory));
        }
        let (_, laboratory) = last.as_ref().expect("it was just set");
        let h = laboratory.estimate(board).map_err(bad)?;
        if !std::mem::take(&mut first) && !args.json {
            out.text("\n")?;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let limits = args.limits.limits_or(Limits {
            memory: Some(DEFAULT_MEMORY),
            cancel: Some(Arc::clone(&stop)),
            ..Limits::default()
        });
        let mut lines = Lines {
            counting,
            json: args.json,
            failure: None,
            text: String::new(),
            out,
        };
        let start = Trace::start(board, &goal.name, counting, args.algorithm, heuristic, h);
        lines.write(&start)?;
        if let Err(unsolvable) = Unsolvable::check(board, &goal.board).map_err(bad)? {
            lines.write(&Trace::unsolvable(&unsolvable))?;
            return Ok(Status::No);
        }
        let mut tracer = Tracer::new(board.size(), args.max_events, stop, |event| {
            lines.take(&Trace::from(&event))
        });
        match laboratory.observe(board, args.algorithm, &limits, &mut tracer) {
            Ok(report) => {
                let end = Trace::end(&tracer, &report);
                // What could not be written comes first: the search stopped for that.
                if let Some(failure) = lines.failure.take() {
                    return Err(failure.into());
                }
                lines.write(&end)?;
                Ok(Status::of_answer(matches!(
                    report.outcome,
                    Outcome::Solved(_)
                )))
            }
            Err(refused) => Err(BadBoard::in_entry(origin, &entry, refused).into()),
        }
    })
}

/// Writes records as they come and keeps none of them.
struct Lines<'a> {
    out: &'a mut Output,
    /// What g and h count.
    counting: Counting,
    json: bool,
    failure: Option<anyhow::Error>,
    /// For the readable form, kept from line to line.
    text: String,
}

impl Lines<'_> {
    /// Breaks when nothing can be written any more.
    fn take(&mut self, record: &Trace<'_>) -> ControlFlow<()> {
        match self.write(record) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }

    fn write(&mut self, record: &Trace<'_>) -> Result<()> {
        if self.json {
            return self.out.json(record);
        }
        self.text.clear();
        write_line(record, self.counting, &mut self.text).expect("strings take all");
        self.out.record(&self.text)
    }
}

/// The deepest indentation: below it lines would only get longer.
const DEEPEST: u32 = 30;

/// Writes the line for people. With unit costs g is the depth of a node, and the node is indented by
/// it.
fn write_line(record: &Trace<'_>, counting: Counting, text: &mut String) -> std::fmt::Result {
    let (metric, unit) = (counting.metric(), counting.cost() == Cost::Unit);
    let indent = |g: u32| {
        let depth = if unit { g.min(DEEPEST) } else { 0 };
        2 * (depth as usize + 1)
    };
    match record {
        Trace::Start {
            board,
            size,
            goal,
            algorithm,
            heuristic,
            h,
            ..
        } => {
            let metric = unusual(metric);
            write!(text, "{board} ({size}, goal {goal}{metric}): {algorithm}")?;
            match heuristic {
                Some(heuristic) => writeln!(text, " with {heuristic}, h {h}"),
                None => writeln!(text),
            }
        }
        Trace::Iteration { number, threshold } => {
            writeln!(text, "iteration {number}, threshold {threshold}")
        }
        Trace::Expanded {
            board,
            action,
            g,
            h,
            f,
        } => {
            let pad = indent(*g);
            match action {
                Some(action) => write!(text, "{:pad$}{action}", "")?,
                None => write!(text, "{:pad$}·", "")?,
            }
            writeln!(text, " {board}  g {g} h {h} f {f}")
        }
        Trace::Pruned {
            board,
            action,
            g,
            h,
            f,
            reason,
        } => {
            let pad = indent(*g);
            let nodes = format_args!("{action} {board}  g {g} h {h} f {f}");
            writeln!(text, "{:pad$}{nodes}  not followed: {reason}", "")
        }
        Trace::NextThreshold { threshold, board } => {
            write!(text, "next threshold {threshold}")?;
            match board {
                Some(board) => writeln!(text, ", set by {board}"),
                None => writeln!(text),
            }
        }
        Trace::Solved { cost, moves } => {
            let length = moves.len();
            let plural = |count| if count == 1 { "" } else { "s" };
            match metric {
                Metric::Single => write!(text, "solved in {length} move{}", plural(length))?,
                Metric::Multi => {
                    let plural = plural(*cost as usize);
                    write!(text, "solved in {cost} multi-tile move{plural}")?;
                }
            }
            if !unit {
                write!(text, " that cost {cost}")?;
            }
            writeln!(text, ": {moves}")
        }
        Trace::End { .. } => write_end(record, text),
    }
}

fn write_end(record: &Trace<'_>, text: &mut String) -> std::fmt::Result {
    let Trace::End {
        status,
        limit,
        reason,
        lower_bound,
        optimal,
        nodes,
        generated,
        events,
        truncated,
    } = record
    else {
        return Ok(());
    };
    if let Some(reason) = reason {
        return writeln!(text, "{status}: {reason}");
    }
    if let (Some(limit), Some(lower_bound)) = (limit, lower_bound) {
        let advice = match limit {
            TraceLimit::Events => " (more with --max-events)",
            TraceLimit::Search(_) => "",
        };
        write!(
            text,
            "stopped by the limit of {limit}{advice}; a solution costs at least {lower_bound}; "
        )?;
    }
    match optimal {
        Some(true) => text.push_str("proven optimal; "),
        Some(false) => text.push_str("not proven optimal; "),
        None => {}
    }
    let (nodes, generated) = (figures::count(*nodes), figures::count(*generated));
    write!(text, "{nodes} nodes expanded, {generated} generated")?;
    if *truncated {
        let events = figures::count(*events);
        write!(text, ", {events} events shown")?;
    }
    writeln!(text)
}
