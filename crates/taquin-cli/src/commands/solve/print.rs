//! How the results of `taquin solve` are shown: for people, as JSON, or as a judge wants them.

use std::fmt::Write;

use anstyle::AnsiColor;
use anyhow::Result;
use taquin::notation::Judge;
use taquin::search::{Cost, Limit, Outcome, Proof, Report, Solution};
use taquin::{Board, Move, Moves, solve};
use taquin_records::{Improvement, Search, Solve, Writing};

use super::anytime::News;
use super::method::Refusal;
use super::{Answer, Args};
use crate::batch::Answered;
use crate::figures;
use crate::input::BadBoard;
use crate::output::{Output, complain};
use crate::status::Status;

/// How results are shown.
pub(super) struct Printer<'a> {
    pub(super) args: &'a Args,
    pub(super) goal: String,
}

impl Printer<'_> {
    pub(super) fn print(&self, answered: &Answered<Answer>, out: &mut Output) -> Result<Status> {
        let board = &answered.entry.board;
        let answer = &answered.answer;
        let status = match &answer.found {
            Ok(Report {
                outcome: Outcome::Solved(_),
                ..
            }) => Status::Done,
            Ok(_) | Err(Refusal::Unsolvable(_)) => Status::No,
            Err(Refusal::Unfit(reason)) => return self.refuse(answered, reason, out),
        };
        if self.args.json {
            out.json(&self.record(board, answer))?;
        } else if let Some(judge) = self.args.output {
            self.judge(judge, board, answer, out)?;
        } else {
            out.record(&self.text(board, answer, out))?;
        }
        if out.is_terminal() {
            out.flush()?;
        }
        Ok(status)
    }

    /// A better solution of a board that is being solved, or a better bound: at once, for whoever
    /// waits for it.
    pub(super) fn improved(&self, news: &News, out: &mut Output) -> Result<()> {
        let known = solve::Improvement {
            moves: &news.moves,
            lower_bound: news.lower_bound,
            time: news.time,
        };
        out.json(&Improvement::new(&news.board, &known, self.writing()))?;
        out.flush()
    }

    /// A board that is well-formed but cannot be searched as asked.
    fn refuse(
        &self,
        answered: &Answered<Answer>,
        reason: &impl std::fmt::Display,
        out: &mut Output,
    ) -> Result<Status> {
        let bad = BadBoard::in_entry(&answered.origin, &answered.entry, reason);
        bad.report(out, self.args.json)
    }

    fn judge(&self, judge: Judge, board: &Board, answer: &Answer, out: &mut Output) -> Result<()> {
        let mut text = String::new();
        match (&answer.found, judge.unsolvable()) {
            (Ok(report), _) => match &report.outcome {
                Outcome::Solved(solution) => {
                    let moves = Moves::from(solution.actions.clone());
                    judge.write_solution(board, &moves, &mut text)?;
                }
                Outcome::NoSolution | Outcome::Stopped { .. } => {
                    out.flush()?;
                    complain(format_args!(
                        "{board}: {}",
                        stopped(report, self.args.cost.cost)
                    ));
                }
            },
            (Err(_), Some(message)) => writeln!(text, "{message}")?,
            (Err(Refusal::Unsolvable(reason) | Refusal::Unfit(reason)), None) => {
                out.flush()?;
                complain(format_args!("{board}: {reason}"));
            }
        }
        out.record(&text)
    }

    fn text(&self, board: &Board, answer: &Answer, out: &Output) -> String {
        let mut text = format!("{board}: ");
        let report = match &answer.found {
            Ok(report) => report,
            Err(Refusal::Unsolvable(words) | Refusal::Unfit(words)) => {
                let style = AnsiColor::Red.on_default();
                let (word, reason) = words.split_once(": ").unwrap_or((words, ""));
                text.push_str(&out.styled(style, word));
                return format!("{text}\n  {reason}\n");
            }
        };
        match &report.outcome {
            Outcome::Solved(solution) => {
                text.push_str(&self.solved(solution, out));
                text.push_str(&others(answer));
                let listed = answer.solutions.as_deref().filter(|list| !list.is_empty());
                for actions in listed.unwrap_or(std::slice::from_ref(&solution.actions)) {
                    if !actions.is_empty() {
                        text.push_str("\n  ");
                        text.push_str(&self.moves(board, actions));
                    }
                }
            }
            Outcome::NoSolution | Outcome::Stopped { .. } => {
                let words = stopped(report, self.args.cost.cost);
                text.push_str(&out.styled(AnsiColor::Yellow.on_default(), words));
            }
        }
        let statistics = &report.statistics;
        let mut method = answer.algorithm.to_owned();
        if let Some(heuristic) = &answer.heuristic {
            write!(method, " with {heuristic}").expect("strings take all");
        }
        // The engine for speed keeps no states.
        let kept = match statistics.peak_states {
            0 => String::new(),
            states => format!(", {} kept at once", figures::count(states)),
        };
        let iterations = match statistics.iterations.len() {
            0 => String::new(),
            1 => ", 1 iteration".to_owned(),
            count => format!(", {count} iterations"),
        };
        writeln!(
            text,
            "\n  {method}: {} nodes expanded, {} generated{iterations}{kept}, {:.1} ms",
            figures::count(statistics.expanded),
            figures::count(statistics.generated),
            figures::milliseconds(statistics.time)
        )
        .expect("strings take all");
        text
    }

    /// The length and what is proven of it.
    fn solved(&self, solution: &Solution<Move>, out: &Output) -> String {
        let length = solution.actions.len();
        let moves = if length == 1 { "move" } else { "moves" };
        let cost = match self.args.cost.cost {
            Cost::Unit => String::new(),
            Cost::Tile => format!(" that cost {}", solution.cost),
        };
        let proof = match solution.proof {
            Proof::Optimal(_) => out.styled(AnsiColor::Green.on_default(), "optimal"),
            proof => {
                let bound = solution.lower_bound;
                // Of a search that makes the best of its time there is nothing more to say.
                let why = if self.args.anytime.is_wanted() {
                    String::new()
                } else {
                    format!("{}; ", proof.why())
                };
                let times = match (figures::ratio(solution.cost, bound), self.args.cost.cost) {
                    (None, _) => String::new(),
                    (Some(ratio), Cost::Unit) => {
                        format!(", so at most {ratio} times the shortest")
                    }
                    (Some(ratio), Cost::Tile) => {
                        format!(", so at most {ratio} times the cheapest")
                    }
                };
                format!("not proven optimal: {why}at least {bound}{times}")
            }
        };
        format!("solved in {length} {moves}{cost}, {proof}")
    }

    fn moves(&self, board: &Board, actions: &[Move]) -> String {
        self.writing().text(board, actions)
    }

    const fn writing(&self) -> Writing {
        Writing {
            notation: self.args.notation,
            style: self.args.style,
        }
    }

    fn record<'a>(&'a self, board: &Board, answer: &'a Answer) -> Solve<'a> {
        let search = Search {
            goal: (&self.goal).into(),
            algorithm: answer.algorithm,
            heuristic: answer.heuristic.as_deref().map(Into::into),
            cost: self.args.cost.cost,
            writing: self.writing(),
        };
        let report = match &answer.found {
            Ok(report) => report,
            Err(Refusal::Unsolvable(reason) | Refusal::Unfit(reason)) => {
                return Solve::unsolvable(board, search, reason);
            }
        };
        let written = |list: &Vec<Vec<Move>>| {
            let texts = list.iter().map(|actions| self.moves(board, actions));
            texts.collect()
        };
        let solutions = answer.solutions.as_ref().map(written);
        Solve::new(board, search, report).with_solutions(answer.count, solutions)
    }
}

/// A sentence about a search that did not end with a solution: what is proven, and what may help.
fn stopped(report: &Report<Move>, cost: Cost) -> String {
    let Outcome::Stopped { limit, lower_bound } = &report.outcome else {
        return "no solution".to_owned();
    };
    let bound = match cost {
        Cost::Unit => format!("takes at least {lower_bound} moves"),
        Cost::Tile => format!("costs at least {lower_bound}"),
    };
    let (why, advice) = match limit {
        Limit::Cancelled => ("interrupted", ""),
        Limit::Nodes => ("stopped by --limit-nodes", ""),
        Limit::Time => ("stopped by --limit-time", ""),
        Limit::Memory => (
            "stopped by the memory limit",
            "; give more with --limit-memory, or use idastar, which needs almost none",
        ),
        Limit::Cost => ("stopped by the cost limit", ""),
    };
    format!("{why}; every solution {bound}{advice}")
}

/// What is known of the other shortest solutions, if that was asked for.
fn others(answer: &Answer) -> String {
    let listed = answer.solutions.as_ref().map_or(0, Vec::len);
    match (answer.count, &answer.solutions) {
        (Some(1), _) => "; the only shortest solution".to_owned(),
        (Some(count), Some(_)) if count > listed as u64 => {
            let count = figures::count(count);
            format!("; the first {listed} of {count} shortest solutions")
        }
        (Some(count), _) => format!("; {} shortest solutions", figures::count(count)),
        (None, Some(_)) => format!("; the first {listed} shortest solutions"),
        (None, None) => String::new(),
    }
}
