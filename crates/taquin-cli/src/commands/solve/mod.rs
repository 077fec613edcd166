//! `taquin solve`: the way to the goal.

mod print;

use std::collections::HashMap;
use std::io::{self, IsTerminal};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail};
use clap::value_parser;
use indicatif::ProgressBar;
use taquin::heuristic::HeuristicKind;
use taquin::notation::{Entry, Judge, MoveNotation, MoveStyle};
use taquin::search::{Algorithm, Cost, Laboratory, Limits, Progress, Refused, Report};
use taquin::{Board, Goal, Move, Size};

use self::print::Printer;
use crate::batch::{self, Step};
use crate::goals::GoalArgs;
use crate::input::BoardArgs;
use crate::output::Output;
use crate::search_args::{CostArgs, DEFAULT_MEMORY, LimitArgs};
use crate::status::Status;
use crate::{figures, interrupt, names, units};

/// Solve boards.
///
/// Without --algorithm and --heuristic the best there is for the size is used, and the solution is
/// as short as can be. A length that is not proven optimal is never shown as one that is; a search
/// that hits a limit says what is proven by then.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin solve \"8 1 3/4 0 2/7 6 5\"

  For another goal, as JSON
  $ taquin solve --goal snail --json \"2 8 3/1 0 4/7 6 5\"

  With an algorithm and a heuristic of your choice
  $ taquin solve --algorithm astar --heuristic manhattan \"8 1 3/4 0 2/7 6 5\"

  As a judge wants it
  $ taquin solve --output hdu1043 \"2 3 4 1 5 x 7 6 8\"

  A batch on two threads, each board for at most a second
  $ taquin scramble --size 3x3 --count 20 --seed 1 | taquin solve --threads 2 --limit-time 1s --json

Exit code: 0 if all boards are solved, 1 if one is unsolvable or a limit was hit, 2 if one could not
be read, 130 if interrupted: Ctrl-C tells what is proven so far.")]
pub(crate) struct Args {
    #[command(flatten)]
    boards: BoardArgs,

    #[command(flatten)]
    goal: GoalArgs,

    /// The search algorithm. Default: the best there is.
    #[arg(long, value_name = "ALGORITHM", value_parser = names::algorithm())]
    algorithm: Option<Algorithm>,

    /// The heuristic. Default: the strongest whose tables are there within a second or so; those of
    /// walking-distance take 14 s on 5x5.
    #[arg(long, value_name = "HEURISTIC", value_parser = names::heuristic())]
    heuristic: Option<HeuristicKind>,

    /// The weight of wastar, at least 1: its solutions are at most this many times too long.
    #[arg(long, value_name = "W", default_value_t = Laboratory::DEFAULT_WEIGHT, value_parser = units::weight)]
    weight: f64,

    #[command(flatten)]
    cost: CostArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// How many boards to solve at a time. The memory limit is shared among them.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Print solutions as this judge wants them.
    #[arg(long, value_name = "JUDGE", conflicts_with = "json", value_parser = names::judge())]
    output: Option<Judge>,

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

/// What became of one board.
struct Answer {
    found: Result<Report<Move>, Refused>,
    heuristic: Option<HeuristicKind>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let form = args.output.map(Judge::form).or(args.boards.input);
    let goal = args.goal.goal(form);
    let algorithm = args.algorithm.unwrap_or(Algorithm::Idastar);
    if let Some(judge) = args.output
        && judge.claims_minimum()
    {
        let name = judge.name();
        if args.cost.cost != Cost::Unit {
            bail!("--output {name} wants the fewest moves: it goes with --cost unit only");
        }
        if !algorithm.is_optimal(Cost::Unit) {
            let algorithm = algorithm.name();
            bail!("--output {name} wants the fewest moves, which {algorithm} does not prove");
        }
    }
    let stop = interrupt::flag();
    let progress = Arc::new(Progress::default());
    let threads = usize::from(args.threads);
    let mut limits = args.limits.limits_or(Limits {
        memory: Some(DEFAULT_MEMORY),
        ..Limits::default()
    });
    limits.memory = limits.memory.map(|memory| memory / threads as u64);
    limits.cancel = Some(Arc::clone(&stop));
    limits.progress = Some(Arc::clone(&progress));

    let solver = Solver {
        goal: goal.clone(),
        algorithm,
        heuristic: args.heuristic,
        weight: args.weight,
        cost: args.cost.cost,
        limits,
        laboratories: Mutex::default(),
    };
    let printer = Printer {
        args,
        algorithm,
        goal: goal.name().into_owned(),
    };
    let mut spinner = Spinner::new(progress);
    let work = move |entry: &Entry| solver.solve(&entry.board);
    let status = batch::in_order(&args.boards, threads, &stop, work, |step| match step {
        Step::Idle => {
            out.flush()?;
            Ok(Status::Done)
        }
        Step::Tick => {
            spinner.tick();
            Ok(Status::Done)
        }
        Step::Result(result) => {
            spinner.clear();
            match result {
                Ok(answered) => printer.print(&answered, out),
                Err(bad) => bad.report(out, args.json),
            }
        }
    })?;
    spinner.clear();
    Ok(if stop.load(Ordering::Relaxed) {
        Status::Interrupted
    } else {
        status
    })
}

/// What the threads share: how to solve, and the tables for each size.
struct Solver {
    goal: Goal,
    algorithm: Algorithm,
    heuristic: Option<HeuristicKind>,
    weight: f64,
    cost: Cost,
    limits: Limits,
    laboratories: Mutex<HashMap<Size, Arc<Laboratory>>>,
}

impl Solver {
    fn solve(&self, board: &Board) -> Answer {
        let laboratory = match self.laboratory(board.size()) {
            Ok(laboratory) => laboratory,
            Err(refused) => {
                return Answer {
                    found: Err(refused),
                    heuristic: self.heuristic,
                };
            }
        };
        let uses = self.algorithm.uses_heuristic();
        Answer {
            found: laboratory.search(board, self.algorithm, &self.limits),
            heuristic: uses.then(|| laboratory.heuristic()),
        }
    }

    /// The laboratory for a size; the first thread that needs one builds it, the others wait.
    fn laboratory(&self, size: Size) -> Result<Arc<Laboratory>, Refused> {
        let mut laboratories = self
            .laboratories
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(laboratory) = laboratories.get(&size) {
            return Ok(Arc::clone(laboratory));
        }
        let goal = self.goal.board(size)?;
        let laboratory = match self.heuristic {
            // Who asks for it by name is ready to wait for it.
            Some(kind) => Laboratory::with_limit(&goal, self.cost, kind, Laboratory::MANY_STATES),
            // A blind search needs no tables.
            None if !self.algorithm.uses_heuristic() => {
                Laboratory::new(&goal, self.cost, HeuristicKind::LinearConflict)
            }
            None => Laboratory::strongest(&goal, self.cost),
        };
        let laboratory = Arc::new(laboratory?.with_weight(self.weight));
        laboratories.insert(size, Arc::clone(&laboratory));
        Ok(laboratory)
    }
}

/// Tells a person that a long search goes on, and what it has proven.
struct Spinner {
    wanted: bool,
    /// Shown at the moment.
    bar: Option<ProgressBar>,
    progress: Arc<Progress>,
}

impl Spinner {
    fn new(progress: Arc<Progress>) -> Self {
        Self {
            wanted: io::stderr().is_terminal(),
            bar: None,
            progress,
        }
    }

    fn tick(&mut self) {
        if !self.wanted {
            return;
        }
        let bar = self.bar.get_or_insert_with(ProgressBar::new_spinner);
        let nodes = self.progress.nodes();
        let bound = self.progress.lower_bound();
        bar.set_message(match nodes {
            0 => "getting ready".to_owned(),
            _ => format!(
                "at least {bound} moves; {} nodes so far",
                figures::count(nodes)
            ),
        });
        bar.tick();
    }

    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
