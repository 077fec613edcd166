//! `taquin solve`: the way to the goal.

mod method;
mod print;

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::value_parser;
use indicatif::ProgressBar;
use taquin::heuristic::HeuristicKind;
use taquin::notation::{Entry, Judge, MoveNotation, MoveStyle};
use taquin::search::{Algorithm, Cost, Laboratory, Limits, Progress};
use taquin::tables::Tier;

use self::method::{Answer, Every, InLaboratory, Method, WithTables};
use self::print::Printer;
use crate::batch::{self, Step};
use crate::goals::GoalArgs;
use crate::input::BoardArgs;
use crate::output::Output;
use crate::search_args::{CostArgs, DEFAULT_MEMORY, LimitArgs};
use crate::status::Status;
use crate::tables::{self, Provider, TablesArgs};
use crate::{figures, interrupt, names, output, units};

/// Solve boards.
///
/// Without --algorithm and --heuristic pattern databases are used, and the solution is as short as
/// can be. They are built when they are first needed, and kept: see "taquin tables". A length that is not proven optimal is never shown as one that is; a search
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

  A batch, each board for at most a second
  $ taquin scramble --size 3x3 --count 20 --seed 1 | taquin solve --limit-time 1s --json

  All shortest solutions, and how many there are
  $ taquin solve --all --max 3 --count \"8 6 7/2 5 4/3 0 1\"

Exit code: 0 if all boards are solved, 1 if one is unsolvable or a limit was hit, 2 if one could not
be read, 130 if interrupted: Ctrl-C tells what is proven so far.")]
pub(crate) struct Args {
    #[command(flatten)]
    boards: BoardArgs,

    #[command(flatten)]
    goal: GoalArgs,

    /// A search algorithm of the laboratory. Default: the engine that is made for speed, IDA* over
    /// pattern databases, for boards of up to 36 cells; idastar beyond.
    #[arg(long, value_name = "ALGORITHM", value_parser = names::algorithm())]
    algorithm: Option<Algorithm>,

    /// A heuristic of the laboratory. Default there: the strongest whose tables are built within a
    /// second or so; those of walking-distance take 14 s on 5x5.
    #[arg(long, value_name = "HEURISTIC", value_parser = names::heuristic())]
    heuristic: Option<HeuristicKind>,

    /// The weight of wastar, at least 1: its solutions are at most this many times too long.
    #[arg(long, value_name = "W", default_value_t = Laboratory::DEFAULT_WEIGHT, value_parser = units::weight)]
    weight: f64,

    #[command(flatten)]
    cost: CostArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// How many threads to use: boards are solved side by side, and threads that have no board
    /// of their own help with a hard one. Default: all; with --algorithm, --heuristic or --cost 1,
    /// and the memory limit is shared among them.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Which tables to use. Default: the full ones if they are there, else the quick ones, until a
    /// board or a batch has taken so long that building the full ones repays it.
    #[arg(long, value_name = "TIER", value_parser = names::tier(), help_heading = "Tables", conflicts_with_all = ["algorithm", "heuristic"])]
    tables: Option<Tier>,

    #[command(flatten)]
    tables_dir: TablesArgs,

    /// List all shortest solutions.
    #[arg(long, conflicts_with_all = ["algorithm", "heuristic", "output"])]
    all: bool,

    /// With --all: list so many at most.
    #[arg(long, value_name = "N", requires = "all", value_parser = value_parser!(u32).range(1..))]
    max: Option<u32>,

    /// Count the shortest solutions.
    #[arg(long, conflicts_with_all = ["algorithm", "heuristic", "output"])]
    count: bool,

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

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let form = args.output.map(Judge::form).or(args.boards.input);
    let goal = args.goal.goal(form);
    let algorithm = args.algorithm.unwrap_or(Algorithm::Idastar);
    if args.cost.cost != Cost::Unit && (args.tables.is_some() || args.all || args.count) {
        bail!("--tables, --all and --count go with --cost unit only");
    }
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
    let is_laboratory =
        args.algorithm.is_some() || args.heuristic.is_some() || args.cost.cost != Cost::Unit;
    // Searches in the laboratory keep states, so that several at a time are asked for or not had.
    let threads = match (args.threads, is_laboratory) {
        (Some(threads), _) => usize::from(threads),
        (None, true) => 1,
        (None, false) => tables::threads(),
    };
    let mut limits = args.limits.limits_or(Limits {
        memory: Some(DEFAULT_MEMORY),
        ..Limits::default()
    });
    limits.memory = limits.memory.map(|memory| memory / threads as u64);
    limits.cancel = Some(Arc::clone(&stop));
    limits.progress = Some(Arc::clone(&progress));

    let laboratory = InLaboratory {
        goal: goal.clone(),
        algorithm,
        heuristic: args.heuristic,
        weight: args.weight,
        cost: args.cost.cost,
        limits: limits.clone(),
        laboratories: Mutex::default(),
    };
    let method = if is_laboratory {
        Method::Laboratory(laboratory)
    } else {
        let mut provider = Provider::new(&args.tables_dir)?.with_threads(threads);
        if let Some(bytes) = args.limits.limit_memory() {
            provider = provider.with_memory(bytes);
        }
        Method::Tables(Box::new(WithTables {
            provider,
            goal: goal.clone(),
            tier: args.tables,
            every: args.every(),
            limits,
            threads,
            busy: AtomicUsize::new(0),
            plans: Mutex::default(),
            told: Mutex::default(),
            otherwise: laboratory,
        }))
    };
    let printer = Printer {
        args,
        goal: goal.name().into_owned(),
    };
    let mut spinner = Spinner::new(progress);
    let work = move |entry: &Entry| method.solve(&entry.board);
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
            spinner.count(out.is_terminal());
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

impl Args {
    /// Which shortest solutions are wanted beyond one.
    fn every(&self) -> Option<Every> {
        (self.all || self.count).then(|| Every {
            list: self
                .all
                .then(|| self.max.map_or(usize::MAX, |max| max as usize)),
            // All of them are counted on the way.
            count: self.count || self.max.is_none(),
        })
    }
}

/// Tells a person that a long search or batch goes on, and how far it is.
struct Spinner {
    wanted: bool,
    /// Shown at the moment.
    bar: Option<ProgressBar>,
    progress: Arc<Progress>,
    /// Boards that are done, since when, and when that was last shown.
    boards: u64,
    begin: Instant,
    shown: Instant,
}

impl Spinner {
    /// How often it changes.
    const PERIOD: Duration = Duration::from_millis(100);

    fn new(progress: Arc<Progress>) -> Self {
        Self {
            wanted: io::stderr().is_terminal(),
            bar: None,
            progress,
            boards: 0,
            begin: Instant::now(),
            shown: Instant::now(),
        }
    }

    /// One more board is done. Where results go to the terminal, they make room for themselves and
    /// tell enough; elsewhere the number of boards is shown.
    fn count(&mut self, results_are_seen: bool) {
        self.boards += 1;
        if results_are_seen {
            self.clear();
        } else if self.wanted && self.shown.elapsed() > Self::PERIOD {
            self.shown = Instant::now();
            let rate = self.rate(self.boards);
            let boards = figures::count(self.boards);
            self.show(format!("{boards} boards done, {rate} a second"));
        }
    }

    /// Nothing was done for a moment.
    fn tick(&mut self) {
        if !self.wanted {
            return;
        }
        let nodes = self.progress.nodes();
        let bound = self.progress.lower_bound();
        let rate = self.rate(nodes);
        self.show(match (nodes, self.boards) {
            (0, _) => "getting ready".to_owned(),
            (_, 0) => format!(
                "at least {bound} moves; {} nodes so far, {rate} a second",
                figures::count(nodes),
            ),
            (_, boards) => format!(
                "{} boards done; the next takes at least {bound} moves; {} nodes so far",
                figures::count(boards),
                figures::count(nodes)
            ),
        });
    }

    /// So many since the beginning, in a second.
    fn rate(&self, number: u64) -> String {
        let milliseconds = self.begin.elapsed().as_millis().max(1);
        figures::count(u128::from(number) * 1000 / milliseconds)
    }

    fn show(&mut self, message: String) {
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new_spinner();
            output::set_bar(Some(&bar));
            bar
        });
        bar.set_message(message);
        bar.tick();
    }

    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            output::set_bar(None);
            bar.finish_and_clear();
        }
    }
}
