//! `taquin compare`: algorithms and heuristics side by side on the same boards.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Result, bail};
use indicatif::ProgressBar;
use taquin::heuristic::HeuristicKind;
use taquin::search::{Algorithm, Cost, Counting, Laboratory, LaboratoryError};
use taquin::{Board, Limits, Outcome, Proof, Report, Unsolvable};
use taquin_records::Compare;

use crate::batch;
use crate::export::{Column, FormatArgs, Sheet};
use crate::figures;
use crate::goals::GoalArgs;
use crate::input::{BadBoard, BoardArgs, Fault};
use crate::output::{Output, remark};
use crate::search_args::{CountingArgs, DEFAULT_MEMORY, LimitArgs, laboratories, with_patterns};
use crate::spaces::unusual;
use crate::status::Status;
use crate::units;
use crate::{interrupt, names, ticker};

/// Run searches side by side and show what each took.
///
/// Every algorithm runs with every heuristic on every board; those that look at no heuristic run
/// once. A search that meets a limit shows which one and the lower bound that it had proven by then.
/// Unless limits are given, each search stops after 10 seconds or with 2 GB of states.
///
/// The effective branching factor b is that of a uniform tree as deep as the solution is long, d
/// moves, in which as many nodes N were expanded: N + 1 = 1 + b + ... + b^d.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  Everything on one board
  $ taquin compare \"8 1 3/4 0 2/7 6 5\"

  What a heuristic is worth
  $ taquin compare --algorithms idastar --heuristics zero,manhattan,max \"8 1 3/4 0 2/7 6 5\"

  Pattern databases: any numbers of tiles that add up, without and with the mirrored board
  $ taquin compare --algorithms idastar --heuristics pdb:4-4,pdb:4-4+reflected \"8 1 3/4 0 2/7 6 5\"

  Slides of several tiles that count once
  $ taquin compare --metric multi --algorithms idastar,astar \"8 1 3/4 0 2/7 6 5\"

  A table for a report
  $ taquin scramble --size 3x3 --seed 1 | taquin compare --algorithms astar --format markdown

Exit code: 0 if every search ended with a solution, 1 if a board is unsolvable, a limit was met or \
a heuristic that was asked for is left out, 2 if a board could not be read, 130 if interrupted: \
what was searched by then is shown.")]
pub(crate) struct Args {
    #[command(flatten)]
    boards: BoardArgs,

    /// The algorithms, separated by commas. Default: all.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = names::algorithm())]
    algorithms: Vec<Algorithm>,

    /// The heuristics, separated by commas. Default: manhattan, linear-conflict, walking-distance, and
    /// where the size has it pdb:6-6-3, which is for single-tile moves only.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = names::heuristic())]
    heuristics: Vec<HeuristicKind>,

    /// The weight of wastar, at least 1: its solutions are at most this many times too long.
    #[arg(long, value_name = "W", default_value_t = Laboratory::DEFAULT_WEIGHT, value_parser = units::weight)]
    weight: f64,

    #[command(flatten)]
    goal: GoalArgs,

    #[command(flatten)]
    counting: CountingArgs,

    #[command(flatten)]
    format: FormatArgs,

    /// Leave times out, so that two runs print the same.
    #[arg(long)]
    no_time: bool,

    #[command(flatten)]
    limits: LimitArgs,
}

/// How long a search may take where no option says otherwise.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

const DEFAULT_HEURISTICS: [HeuristicKind; 3] = [
    HeuristicKind::Manhattan,
    HeuristicKind::LinearConflict,
    HeuristicKind::WalkingDistance,
];

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let mut goals = args.goal.goals(None);
    let counting = args.counting.counting()?;
    let interrupted = interrupt::flag();
    let limits = args.limits.limits_or(Limits {
        time: Some(DEFAULT_TIME),
        memory: Some(DEFAULT_MEMORY),
        cancel: Some(Arc::clone(&interrupted)),
        ..Limits::default()
    });
    let mut sheet = Sheet::new(
        args.format.format(),
        columns(counting.cost(), !args.no_time),
    );
    let mut last: Option<(Board, Benches)> = None;
    let mut boards = 0;
    let mut disagreements: Vec<String> = Vec::new();

    let json = args.format.is_json();
    let status = batch::each_until(&args.boards, &interrupted, out, json, |out, read| {
        let (origin, entry) = (&read.origin, &read.entry);
        let bad = |error| BadBoard::in_entry(origin, entry, error);
        let (board, size) = (&entry.board, entry.board.size());
        let goal = goals.of(entry).map_err(bad)?;
        let verdict = Unsolvable::check(board, &goal.board).map_err(bad)?;
        boards += 1;
        let about = About {
            number: boards,
            board,
            goal: &goal.name,
            counting,
            timed: !args.no_time,
        };
        if let Err(unsolvable) = verdict {
            let record = Compare::unsolvable(board, &goal.name, counting, &unsolvable);
            sheet.record(out, &record)?;
            sheet.note(|| format!("board {boards}: {board}: unsolvable: {unsolvable}"));
            return Ok(Status::No);
        }
        let metric = unusual(counting.metric());
        sheet.note(|| {
            let goal = &goal.name;
            format!("board {boards}: {board} ({size}, goal {goal}{metric})")
        });
        if last.as_ref().is_none_or(|(kept, _)| *kept != goal.board) {
            last = Some((
                goal.board.clone(),
                Benches::new(&goal.board, counting, args)?,
            ));
        }
        let (_, benches) = last.as_ref().expect("it was just set");
        let mut status = Status::of_answer(benches.complete);
        let mut claims = Vec::new();
        for (algorithm, laboratory) in benches.pairs(args) {
            let heuristic = algorithm
                .uses_heuristic()
                .then(|| laboratory.heuristic().name());
            let heuristic = heuristic.as_deref();
            let name = pair_name(algorithm, heuristic);
            let search = || laboratory.search(board, algorithm, &limits);
            let report = match ticker::spinning(&spinner(&about, &name), search) {
                Ok(report) => report,
                // From the other end the tables can be larger.
                Err(LaboratoryError::Heuristic(refused)) => {
                    remark(format_args!("{name} is left out: {refused}"));
                    if !args.heuristics.is_empty() {
                        status = Status::No;
                    }
                    continue;
                }
                Err(refused) => return Err(BadBoard::in_entry(origin, entry, refused).into()),
            };
            if !matches!(report.outcome, Outcome::Solved(_)) {
                status = Status::No;
            }
            if interrupted.load(Ordering::Relaxed) {
                return Err(Fault::Enough);
            }
            let record = about.record(algorithm, heuristic, &report);
            sheet.record(out, &record)?;
            sheet.row(|| about.cells(algorithm, heuristic, &report));
            claims.push(Claim::of(name, &record));
        }
        if let Some(contradiction) = contradiction(&claims) {
            disagreements.push(format!("{contradiction} on {board}"));
        }
        Ok(status)
    })?;
    sheet.end(out)?;
    if let Some(first) = disagreements.first() {
        out.flush()?;
        bail!("these disagree: {first}, please report");
    }
    if interrupted.load(Ordering::Relaxed) {
        return Ok(Status::Interrupted);
    }
    Ok(status)
}

/// What all algorithms and heuristics of one size need, made once.
struct Benches {
    /// For the algorithms that look at no heuristic.
    blind: Option<Laboratory>,
    informed: Vec<Laboratory>,
    /// Whether every heuristic that was asked for is there.
    complete: bool,
}

impl Benches {
    fn new(goal: &Board, counting: Counting, args: &Args) -> Result<Self> {
        let metric = counting.metric();
        let (wanted, asked) = match &args.heuristics[..] {
            [] => (
                with_patterns(goal.size(), metric, &DEFAULT_HEURISTICS),
                false,
            ),
            wanted => (wanted.to_vec(), true),
        };
        let (informed, left_out) = laboratories(goal, counting, &wanted);
        let weighted = |laboratory: Laboratory| laboratory.with_weight(args.weight);
        let informed = informed
            .into_iter()
            .map(weighted)
            .collect::<Result<_, _>>()?;
        Ok(Self {
            blind: Laboratory::new(goal, counting, HeuristicKind::Zero).ok(),
            informed,
            complete: !(asked && left_out),
        })
    }

    /// What is to be run, in order: each algorithm with its heuristics.
    fn pairs<'a>(&'a self, args: &'a Args) -> impl Iterator<Item = (Algorithm, &'a Laboratory)> {
        let algorithms = match &args.algorithms[..] {
            [] => &Algorithm::ALL[..],
            asked => asked,
        };
        algorithms.iter().flat_map(|&algorithm| {
            let laboratories = if algorithm.uses_heuristic() {
                &self.informed[..]
            } else {
                self.blind.as_slice()
            };
            laboratories
                .iter()
                .map(move |laboratory| (algorithm, laboratory))
        })
    }
}

fn pair_name(algorithm: Algorithm, heuristic: Option<&str>) -> String {
    match heuristic {
        Some(heuristic) => format!("{} with {heuristic}", algorithm.name()),
        None => algorithm.name().to_owned(),
    }
}

/// Says what runs now, where a person watches.
fn spinner(about: &About<'_>, name: &str) -> ProgressBar {
    ProgressBar::new_spinner().with_message(format!("board {}: {name}", about.number))
}

fn columns(cost: Cost, timed: bool) -> Vec<Column> {
    let mut columns = vec![
        Column::number("board"),
        Column::text("algorithm"),
        Column::text("heuristic"),
        Column::number("length"),
    ];
    if cost == Cost::Tile {
        columns.push(Column::number("cost"));
    }
    columns.push(Column::text("proven"));
    let numbers = ["expanded", "generated", "branching", "peak states"];
    columns.extend(numbers.map(Column::number));
    if timed {
        columns.push(Column::number("time"));
    }
    columns
}

/// The board that is searched.
struct About<'a> {
    number: u64,
    board: &'a Board,
    goal: &'a str,
    counting: Counting,
    /// Whether times are shown.
    timed: bool,
}

impl About<'_> {
    fn record<'r>(
        &'r self,
        algorithm: Algorithm,
        heuristic: Option<&'r str>,
        report: &Report,
    ) -> Compare<'r> {
        let heuristic = heuristic.map(Into::into);
        let counting = self.counting;
        let mut record = Compare::new(
            self.board, self.goal, counting, algorithm, heuristic, report,
        );
        record.time_ms = record.time_ms.filter(|_| self.timed);
        record
    }

    fn cells(&self, algorithm: Algorithm, heuristic: Option<&str>, report: &Report) -> Vec<String> {
        let none = || "-".to_owned();
        let took = &report.statistics;
        let (length, cost, proven, branching) = match &report.outcome {
            Outcome::Solved(solution) => {
                let length = solution.moves.length(self.counting.metric());
                let proven = match solution.proof {
                    Proof::Optimal(_) => "optimal".to_owned(),
                    // Rounded up, or it would promise more than was proven.
                    Proof::Within { .. } => {
                        let factor = solution.factor().unwrap_or(f64::INFINITY);
                        format!("within {:.3} times", (factor * 1e3).ceil() / 1e3)
                    }
                    Proof::Nothing(_) => "no".to_owned(),
                };
                let branching = took.branching(length);
                let branching = branching.map_or_else(none, |b| format!("{b:.3}"));
                (
                    length.to_string(),
                    solution.cost.to_string(),
                    proven,
                    branching,
                )
            }
            Outcome::NoSolution => (none(), none(), "no solution".to_owned(), none()),
            Outcome::Stopped { limit, lower_bound } => {
                let proven = format!("{limit} limit; at least {lower_bound}");
                (none(), none(), proven, none())
            }
        };
        let mut cells = vec![
            self.number.to_string(),
            algorithm.name().to_owned(),
            heuristic.map_or_else(none, str::to_owned),
            length,
        ];
        if self.counting.cost() == Cost::Tile {
            cells.push(cost);
        }
        cells.extend([
            proven,
            figures::count(took.expanded),
            figures::count(took.generated),
            branching,
            figures::count(took.peak_states),
        ]);
        if self.timed {
            cells.push(figures::time(took.time));
        }
        cells
    }
}

/// What a search says of the optimal cost.
struct Claim {
    who: String,
    at_least: Option<u32>,
    at_most: Option<u32>,
}

impl Claim {
    fn of(who: String, record: &Compare<'_>) -> Self {
        Self {
            who,
            at_least: record.lower_bound,
            at_most: record.cost,
        }
    }
}

/// Two claims that cannot both be true: one proves more than another one found. Two optimal
/// searches with different costs are such a pair.
fn contradiction(claims: &[Claim]) -> Option<String> {
    let found = claims
        .iter()
        .filter_map(|claim| Some((claim.at_most?, claim)));
    let (cost, finder) = found.min_by_key(|(cost, _)| *cost)?;
    let proven = claims
        .iter()
        .filter_map(|claim| Some((claim.at_least?, claim)));
    let (bound, prover) = proven.max_by_key(|(bound, _)| *bound)?;
    (bound > cost).then(|| {
        format!(
            "{} found a solution that costs {cost}, {} proved that all cost at least {bound}",
            finder.who, prover.who
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_that_cannot_both_be_true_are_found() {
        let claim = |who: &str, at_least, at_most| Claim {
            who: who.to_owned(),
            at_least,
            at_most,
        };
        let optimal = |who, cost| claim(who, Some(cost), Some(cost));
        let (longer, stopped) = (
            claim("greedy", None, Some(60)),
            claim("bfs", Some(12), None),
        );
        assert_eq!(
            contradiction(&[longer, optimal("astar", 44), stopped]),
            None
        );
        assert_eq!(contradiction(&[]), None);
        let message = contradiction(&[optimal("astar", 44), optimal("rbfs", 46)]).unwrap();
        assert!(
            message.contains("astar found a solution that costs 44"),
            "{message}"
        );
        assert!(message.contains("rbfs proved"), "{message}");
        let stopped = claim("idastar", Some(45), None);
        assert!(contradiction(&[optimal("astar", 44), stopped]).is_some());
    }
}
