//! How the results of `taquin solve` are shown: for people, as JSON, or as a judge wants them.

use std::cell::Cell;
use std::fmt::Write;

use anstyle::AnsiColor;
use anyhow::Result;
use taquin::notation::{BoardEntry, Judge};
use taquin::search::Cost;
use taquin::{
    Answer, Board, Ending, Limit, Metric, Move, Proof, SearchedBy, Solution, SolveError, Want,
    solve,
};
use taquin_records::{Improvement, Lengths, Solve, Writing};

use super::Args;
use super::anytime::News;
use crate::batch::Answered;
use crate::figures;
use crate::goals::Goals;
use crate::input::BadBoard;
use crate::output::{Output, remark};
use crate::status::Status;

/// How results are shown.
pub(super) struct Printer<'a> {
    args: &'a Args,
    goals: Goals,
    want: Want,
    /// Whether it was said how to go on from a solution that is not proven.
    advised: Cell<bool>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(args: &'a Args, goals: Goals) -> Self {
        Self {
            args,
            goals,
            want: args.want(),
            advised: Cell::new(false),
        }
    }

    pub(super) fn print(
        &self,
        answered: &Answered<Result<Answer, SolveError>>,
        out: &mut Output,
    ) -> Result<Status> {
        let entry = &answered.entry;
        let answer = match &answered.answer {
            Ok(answer) => answer,
            // The board is well-formed but cannot be searched as asked.
            Err(error) => {
                let bad = BadBoard::in_entry(&answered.origin, entry, error);
                return bad.report(out, self.args.json);
            }
        };
        if self.args.json {
            out.json(&self.record(entry, answer))?;
        } else if let Some(judge) = self.args.output {
            self.judge(judge, &entry.board, answer, out)?;
        } else {
            out.record(&self.text(&entry.board, answer, out))?;
        }
        if out.is_terminal() {
            out.flush()?;
        }
        let is_solved = matches!(answer.ending, Ending::Solved(_));
        if is_solved && self.want == Want::Solution && !answer.is_optimal() {
            self.advise();
        }
        // Not all that was asked for is there if a limit ended the listing or the counting.
        Ok(Status::of_answer(is_solved && answer.incomplete.is_none()))
    }

    /// Says once how to go on from a solution that is not proven.
    fn advise(&self) {
        if !self.advised.replace(true) {
            remark(format_args!(
                "not proven shortest; go on with --optimal, or with more time as in --within 1m"
            ));
        }
    }

    /// A better solution of a board that is being solved, or a better bound: at once, for whoever
    /// waits for it.
    pub(super) fn improved(&self, news: &News, out: &mut Output) -> Result<()> {
        let known = solve::Improvement {
            moves: &news.moves,
            length: news.moves.len() as u32,
            lower_bound: news.lower_bound,
            time: news.time,
        };
        let metric = self.args.metric.metric;
        out.json(&Improvement::new(
            &news.board,
            &known,
            metric,
            self.writing(),
        ))?;
        out.flush()
    }

    fn judge(&self, judge: Judge, board: &Board, answer: &Answer, out: &mut Output) -> Result<()> {
        let mut text = String::new();
        match (&answer.ending, judge.unsolvable()) {
            (Ending::Solved(solution), _) => {
                judge.write_solution(board, &solution.moves, &mut text)?;
            }
            (Ending::Unsolvable(_), Some(message)) => writeln!(text, "{message}")?,
            (Ending::Unsolvable(unsolvable), None) => {
                out.complain(format_args!("{board}: unsolvable: {unsolvable}"))?;
            }
            (Ending::Stopped { limit, lower_bound }, _) => {
                let words = self.stopped(*limit, *lower_bound);
                out.complain(format_args!("{board}: {words}"))?;
            }
        }
        out.record(&text)
    }

    fn text(&self, board: &Board, answer: &Answer, out: &Output) -> String {
        let mut text = format!("{board}: ");
        match &answer.ending {
            Ending::Unsolvable(unsolvable) => {
                text.push_str(&out.styled(AnsiColor::Red.on_default(), "unsolvable"));
                return format!("{text}\n  {unsolvable}\n");
            }
            Ending::Solved(solution) => {
                text.push_str(&self.solved(solution, answer.searched_by, out));
                text.push_str(&others(answer));
                let listed = answer.list.as_deref().filter(|list| !list.is_empty());
                for moves in listed.unwrap_or(std::slice::from_ref(&solution.moves)) {
                    if !moves.is_empty() {
                        text.push_str("\n  ");
                        text.push_str(&self.moves(board, moves));
                    }
                }
            }
            Ending::Stopped { limit, lower_bound } => {
                let words = self.stopped(*limit, *lower_bound);
                text.push_str(&out.styled(AnsiColor::Yellow.on_default(), words));
            }
        }
        let statistics = &answer.statistics;
        let mut method = answer.searched_by.to_string();
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
        let before = answer
            .abandoned
            .as_ref()
            .map_or_else(String::new, |search| {
                format!(
                    "; before, with {}: {} nodes expanded, {:.1} ms",
                    search.heuristic,
                    figures::count(search.statistics.expanded),
                    figures::milliseconds(search.statistics.time)
                )
            });
        writeln!(
            text,
            "\n  {method}: {} nodes expanded, {} generated{iterations}{kept}, {:.1} ms{before}",
            figures::count(statistics.expanded),
            figures::count(statistics.generated),
            figures::milliseconds(statistics.time)
        )
        .expect("strings take all");
        text
    }

    /// The length and what is proven of it.
    fn solved(&self, solution: &Solution, searched_by: SearchedBy, out: &Output) -> String {
        let metric = self.args.metric.metric;
        let lengths = Lengths::of(&solution.moves);
        let (moves, other) = figures::moves(metric, lengths);
        let cost = match self.args.cost.cost {
            Cost::Unit => String::new(),
            Cost::Tile => format!(" that cost {}", solution.cost),
        };
        let proof = match solution.proof {
            Proof::Optimal(_) => out.styled(AnsiColor::Green.on_default(), "optimal"),
            proof => {
                let bound = solution.lower_bound;
                let why = match searched_by {
                    // Of a search that makes the best of its time there is nothing more to say.
                    SearchedBy::Anytime | SearchedBy::First => String::new(),
                    _ => format!("{}; ", proof.why()),
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
        format!("solved in {moves}{cost}, {proof}{other}")
    }

    /// A sentence about a search that did not end with a solution: what is proven, and what may
    /// help.
    fn stopped(&self, limit: Limit, lower_bound: u32) -> String {
        let bound = match (self.args.cost.cost, self.args.metric.metric) {
            (Cost::Tile, _) => format!("costs at least {lower_bound}"),
            (Cost::Unit, Metric::Single) => format!("takes at least {lower_bound} moves"),
            (Cost::Unit, Metric::Multi) => format!("takes at least {lower_bound} multi-tile moves"),
        };
        let advice = match limit {
            Limit::Memory => {
                "; give more with --limit-memory, or use idastar, which needs almost none"
            }
            Limit::Length => "; --within finds a good one",
            _ => "",
        };
        format!("{}; every solution {bound}{advice}", stop(limit))
    }

    fn moves(&self, board: &Board, actions: &[Move]) -> String {
        self.writing().text(board, actions)
    }

    fn writing(&self) -> Writing {
        let Args {
            notation, style, ..
        } = *self.args;
        Writing::new(notation, style, self.args.metric.metric)
    }

    fn record(&self, entry: &BoardEntry, answer: &Answer) -> Solve<'static> {
        let goal = self.goals.named(entry.form).name();
        Solve::new(
            &entry.board,
            goal,
            self.args.cost.cost,
            self.writing(),
            answer,
        )
    }
}

/// What stopped a search, as a person would say.
const fn stop(limit: Limit) -> &'static str {
    match limit {
        Limit::Cancelled => "interrupted",
        Limit::Nodes => "stopped by --limit-nodes",
        Limit::Time => "stopped by --limit-time",
        Limit::Memory => "stopped by the memory limit",
        Limit::Cost => "stopped by the cost limit",
        Limit::Length => "the engine follows solutions of up to 254 moves only",
    }
}

/// What is known of the other shortest solutions, if that was asked for.
fn others(answer: &Answer) -> String {
    let listed = answer.list.as_ref().map_or(0, Vec::len);
    if let Some(limit) = answer.incomplete {
        let why = stop(limit);
        return match &answer.list {
            Some(_) => format!("; {why}, so that more shortest solutions than these may exist"),
            None => format!("; {why} before all shortest solutions were counted"),
        };
    }
    match (answer.count, &answer.list) {
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
