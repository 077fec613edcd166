//! `taquin trace`: what a search does, step by step.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use serde::Serialize;
use taquin::heuristic::HeuristicKind;
use taquin::search::{
    Algorithm, Cost, Event, Laboratory, Limit, Limits, Observer, Outcome, Refused, Report, Sliding,
    TileState,
};
use taquin::{Move, Moves, Size};

use crate::figures;
use crate::goals::GoalArgs;
use crate::input::{BadBoard, BoardArgs};
use crate::names;
use crate::output::Output;
use crate::search_args::{CostArgs, DEFAULT_MEMORY, LimitArgs};
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
    cost: CostArgs,

    /// Show this many events at most, and stop soon after them.
    #[arg(long, value_name = "N", default_value = "10000", value_parser = units::count)]
    max_events: u64,

    /// Print JSON Lines, one object an event.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitArgs,
}

/// One line of the stream. The fields are described in `docs/trace.md`, and do not change.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    Start {
        board: &'a str,
        size: String,
        goal: &'a str,
        costs: &'a str,
        algorithm: &'a str,
        heuristic: Option<&'a str>,
        h: u32,
    },
    Iteration {
        number: usize,
        threshold: u32,
    },
    Expanded {
        board: String,
        #[serde(rename = "move")]
        action: Option<String>,
        g: u32,
        h: u32,
        f: u32,
    },
    Pruned {
        board: String,
        #[serde(rename = "move")]
        action: String,
        g: u32,
        h: u32,
        f: u32,
        reason: &'a str,
    },
    NextThreshold {
        threshold: u32,
        board: Option<String>,
    },
    Solved {
        cost: u32,
        moves: String,
    },
    End {
        status: &'a str,
        limit: Option<&'a str>,
        reason: Option<String>,
        lower_bound: Option<u32>,
        optimal: Option<bool>,
        nodes: u64,
        generated: u64,
        events: u64,
        truncated: bool,
    },
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let mut goals = args.goal.with_form(args.boards.input);
    let goal_name = goals.name().to_owned();
    let cost = args.cost.cost;
    let heuristic = if args.algorithm.uses_heuristic() {
        args.heuristic
    } else {
        HeuristicKind::Zero
    };
    let mut last: Option<(Size, Laboratory)> = None;
    let mut first = true;

    args.boards.each(out, args.json, |out, origin, entry| {
        let entry = entry?;
        let bad = |error| BadBoard::in_entry(origin, &entry, error);
        let (board, size) = (&entry.board, entry.board.size());
        let goal = &goals.of(size).map_err(bad)?.0;
        if last.as_ref().is_none_or(|(kept, _)| *kept != size) {
            let laboratory = Laboratory::new(goal, cost, heuristic);
            let laboratory =
                laboratory.map_err(|refused| BadBoard::in_entry(origin, &entry, refused))?;
            last = Some((size, laboratory));
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
        let mut tracer = Tracer {
            size,
            unit: cost == Cost::Unit,
            json: args.json,
            most: args.max_events,
            events: 0,
            truncated: false,
            stop,
            failure: None,
            text: String::new(),
            out,
        };
        tracer.write(&Line::Start {
            board: &board.to_string(),
            size: size.to_string(),
            goal: &goal_name,
            costs: cost.name(),
            algorithm: args.algorithm.name(),
            heuristic: args
                .algorithm
                .uses_heuristic()
                .then(|| heuristic.name())
                .as_deref(),
            h,
        })?;
        match laboratory.observe(board, args.algorithm, &limits, &mut tracer) {
            Ok(report) => {
                // What could not be written comes first: the search stopped for that.
                if let Some(failure) = tracer.failure.take() {
                    return Err(failure.into());
                }
                let end = tracer.end(&report);
                tracer.write(&end)?;
                Ok(Status::of_answer(matches!(
                    report.outcome,
                    Outcome::Solved(_)
                )))
            }
            Err(Refused::Unsolvable(verdict)) => {
                tracer.write(&Line::End {
                    status: "unsolvable",
                    limit: None,
                    reason: Some(verdict.to_string()),
                    lower_bound: None,
                    optimal: None,
                    nodes: 0,
                    generated: 0,
                    events: 0,
                    truncated: false,
                })?;
                Ok(Status::No)
            }
            Err(refused) => Err(BadBoard::in_entry(origin, &entry, refused).into()),
        }
    })
}

/// Writes events as they come and keeps none of them.
///
/// When there have been enough, or when nothing can be written any more, it raises the flag that
/// stops the search; what the search still tells until it looks at the flag is dropped.
struct Tracer<'a> {
    out: &'a mut Output,
    size: Size,
    /// Whether every move costs 1, so that g is the depth.
    unit: bool,
    json: bool,
    most: u64,
    events: u64,
    truncated: bool,
    stop: Arc<AtomicBool>,
    failure: Option<anyhow::Error>,
    /// For the readable form, kept from line to line.
    text: String,
}

impl<S: TileState> Observer<Sliding<S>> for Tracer<'_> {
    fn on(&mut self, event: Event<'_, Sliding<S>>) {
        if self.failure.is_some() {
            return;
        }
        // The solution is told even if it comes after the last event that was wanted: it is one
        // line, and what the search is for.
        if self.events >= self.most && !matches!(event, Event::Solved { .. }) {
            self.truncated = true;
            self.stop.store(true, Ordering::Relaxed);
            return;
        }
        let board = |state: &S| {
            let board = state.to_board(self.size);
            board.map(|board| board.to_string()).unwrap_or_default()
        };
        let line = match event {
            Event::Iteration { number, threshold } => Line::Iteration { number, threshold },
            Event::Expanded {
                state,
                action,
                g,
                h,
            } => Line::Expanded {
                board: board(state),
                action: action.map(letter),
                g,
                h,
                f: g.saturating_add(h),
            },
            Event::Pruned {
                state,
                action,
                g,
                h,
                reason,
            } => Line::Pruned {
                board: board(state),
                action: letter(action),
                g,
                h,
                f: g.saturating_add(h),
                reason: reason.name(),
            },
            Event::NextThreshold { threshold, state } => Line::NextThreshold {
                threshold,
                board: state.map(board),
            },
            Event::Solved { cost, actions } => Line::Solved {
                cost,
                moves: Moves::from(actions.to_vec()).to_string(),
            },
        };
        self.events += 1;
        if let Err(failure) = self.write(&line) {
            self.failure = Some(failure);
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

fn letter(m: Move) -> String {
    Moves::from(vec![m]).to_string()
}

impl Tracer<'_> {
    fn write(&mut self, line: &Line<'_>) -> Result<()> {
        if self.json {
            return self.out.json(line);
        }
        self.text.clear();
        line.write(self.unit, &mut self.text)
            .expect("strings take all");
        self.out.record(&self.text)
    }

    /// The last line.
    fn end(&self, report: &Report<Move>) -> Line<'static> {
        let (status, limit, lower_bound, optimal) = match &report.outcome {
            Outcome::Solved(solution) => (
                "solved",
                None,
                Some(solution.lower_bound),
                Some(solution.proof.is_optimal()),
            ),
            Outcome::NoSolution => ("unsolvable", None, None, None),
            Outcome::Stopped { limit, lower_bound } => {
                // Nobody else raises the flag.
                let limit = match limit {
                    Limit::Cancelled => "events",
                    other => other.name(),
                };
                ("limit", Some(limit), Some(*lower_bound), None)
            }
        };
        Line::End {
            status,
            limit,
            reason: None,
            lower_bound,
            optimal,
            nodes: report.statistics.expanded,
            generated: report.statistics.generated,
            events: self.events,
            truncated: self.truncated,
        }
    }
}

impl Line<'_> {
    /// The deepest indentation: below it lines would only get longer.
    const DEEPEST: u32 = 30;

    /// Writes the line for people. With unit costs a node is indented by its depth.
    fn write(&self, unit: bool, text: &mut String) -> std::fmt::Result {
        let indent = |g: u32| {
            let depth = if unit { g.min(Self::DEEPEST) } else { 0 };
            2 * (depth as usize + 1)
        };
        match self {
            Self::Start {
                board,
                size,
                goal,
                algorithm,
                heuristic,
                h,
                ..
            } => {
                write!(text, "{board} ({size}, goal {goal}): {algorithm}")?;
                match heuristic {
                    Some(heuristic) => writeln!(text, " with {heuristic}, h {h}"),
                    None => writeln!(text),
                }
            }
            Self::Iteration { number, threshold } => {
                writeln!(text, "iteration {number}, threshold {threshold}")
            }
            Self::Expanded {
                board,
                action,
                g,
                h,
                f,
            } => {
                let (pad, action) = (indent(*g), action.as_deref().unwrap_or("·"));
                writeln!(text, "{:pad$}{action} {board}  g {g} h {h} f {f}", "")
            }
            Self::Pruned {
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
            Self::NextThreshold { threshold, board } => {
                write!(text, "next threshold {threshold}")?;
                match board {
                    Some(board) => writeln!(text, ", set by {board}"),
                    None => writeln!(text),
                }
            }
            Self::Solved { cost, moves } => {
                let length = moves.len();
                let plural = if length == 1 { "" } else { "s" };
                write!(text, "solved in {length} move{plural}")?;
                if !unit {
                    write!(text, " that cost {cost}")?;
                }
                writeln!(text, ": {moves}")
            }
            Self::End { .. } => self.write_end(text),
        }
    }

    fn write_end(&self, text: &mut String) -> std::fmt::Result {
        let Self::End {
            status,
            limit,
            reason,
            lower_bound,
            optimal,
            nodes,
            generated,
            events,
            truncated,
        } = self
        else {
            return Ok(());
        };
        if let Some(reason) = reason {
            return writeln!(text, "{status}: {reason}");
        }
        if let (Some(limit), Some(lower_bound)) = (limit, lower_bound) {
            let advice = match *limit {
                "events" => " (more with --max-events)",
                _ => "",
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
}
