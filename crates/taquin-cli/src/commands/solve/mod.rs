//! `taquin solve`: the way to the goal.

mod anytime;
mod checkpoint;
mod how_far;
mod print;
mod signs;
mod spinner;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Result, bail};
use clap::value_parser;
use taquin::heuristic::HeuristicKind;
use taquin::notation::{BoardEntry, Judge, MoveNotation, MoveStyle};
use taquin::search::{Algorithm, Cost, Laboratory};
use taquin::tables::Tier;
use taquin::{
    AllShortest, Answer, Event, LaboratoryChoice, Limits, Metric, Progress, Request, SolveError,
    Solver, Want,
};

use self::anytime::{AnytimeArgs, News, Telling};
use self::checkpoint::{CheckpointArgs, OneBoard};
use self::print::Printer;
use self::spinner::{Searches, Spinner};
use crate::batch::{self, Step};
use crate::goals::{GoalArgs, Goals};
use crate::input::BoardArgs;
use crate::output::Output;
use crate::search_args::{CostArgs, DEFAULT_MEMORY, LimitArgs};
use crate::spaces::MetricArgs;
use crate::status::Status;
use crate::tables::{self, TablesArgs};
use crate::{interrupt, names, units};

/// Solve boards.
///
/// Up to sixteen cells the solution is a shortest one; on larger boards it is a shortest one if that
/// is found and proven in some ten seconds, else the best one found by then, with a bound.
///
/// --optimal asks for a shortest solution however long it takes, --within for the best one in a
/// given time, --fast for the first one. Pattern databases are built when they are first needed,
/// and kept: see "taquin tables". A length that is not proven optimal is never shown as one that
/// is; a search that hits a limit says what is proven by then.
#[derive(clap::Args)]
#[command(mut_arg("limit_time", |arg| arg.help(LIMIT_TIME_HELP)), after_long_help = "\
Examples:
  $ taquin solve \"8 1 3/4 0 2/7 6 5\"

  A shortest solution of a large board, however long it takes
  $ taquin solve --optimal \"1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 0 18 20/21 22 23 19 24\"

  A long search that goes on after Ctrl-C, a kill or a reboot
  $ taquin solve --checkpoint search.txt \"8 6 7/2 5 4/3 0 1\"

  For another goal, as JSON
  $ taquin solve --goal snail --json \"2 8 3/1 0 4/7 6 5\"

  With an algorithm and a heuristic of your choice
  $ taquin solve --algorithm astar --heuristic manhattan \"8 1 3/4 0 2/7 6 5\"

  As a judge wants it
  $ taquin solve --output hdu1043 \"2 3 4 1 5 x 7 6 8\"

  A batch, each board for at most a second
  $ taquin scramble --size 3x3 --count 20 --seed 1 | taquin solve --limit-time 1s --json

  The best solution that is found in a tenth of a second, and how far from the shortest it may be
  $ taquin scramble --size 7x7 --seed 1 | taquin solve --within 100ms

  Every better one as soon as it is found
  $ taquin scramble --size 6x7 --seed 1 | taquin solve --within 100ms --stream --json

  Any solution, at once, of a large board
  $ taquin scramble --size 20x20 --seed 1 | taquin solve --fast

  The fewest slides, where several tiles that slide at once count as one move
  $ taquin solve --metric multi \"8 1 3/4 0 2/7 6 5\"

  All shortest solutions, and how many there are
  $ taquin solve --all --max 3 --count \"8 6 7/2 5 4/3 0 1\"

Exit code: 0 if all boards are solved, proven optimal or not (JSON says which), 1 if one is
unsolvable or a limit was hit without a solution, 2 if one could not be read, 130 if interrupted:
Ctrl-C tells what is proven so far, and gives the best solution so far unless a shortest one was
asked for.")]
pub(crate) struct Args {
    #[command(flatten)]
    boards: BoardArgs,

    #[command(flatten)]
    goal: GoalArgs,

    #[command(flatten)]
    metric: MetricArgs,

    #[command(flatten)]
    anytime: AnytimeArgs,

    #[command(flatten)]
    checkpoint: CheckpointArgs,

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
    /// and the memory limit is shared among them. With several threads the moves may vary from run
    /// to run among equally good ones; --threads 1 repeats them.
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

    /// With --all: list this many at most.
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

    /// How to print directions. Default: letters; with --metric multi compact.
    #[arg(long, value_name = "STYLE", value_parser = names::move_style())]
    style: Option<MoveStyle>,

    /// Print JSON Lines, one object a board.
    #[arg(long)]
    json: bool,
}

/// Here tables are built while a board is solved, so its limit is another one.
const LIMIT_TIME_HELP: &str = "\
Stop a search after this time, as in 500ms, 10s or 5m. Building tables counts, except those that \
--tables asks for";

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    args.check()?;
    let stop = interrupt::flag();
    let searches = Arc::new(Searches::default());
    let threads = args.threads();
    // Each board gets all of the time, and so all of the threads and the memory.
    let side_by_side = if args.anytime.within.is_some() {
        1
    } else {
        threads
    };
    let is_patient = args.anytime.optimal || args.checkpoint.is_wanted();
    let mut spinner = Spinner::new(Arc::clone(&searches), is_patient);
    let checkpoint = args.checkpoint.open()?.map(Arc::new);
    let telling = args.anytime.telling(spinner.is_wanted());
    let goals = args.goal.goals(args.output.map(Judge::form));
    let work = Work {
        solver: args.solver(threads)?,
        goals: goals.clone(),
        want: args.want(),
        metric: args.metric.metric,
        tables: args.tables,
        limits: args.limits(side_by_side, &stop),
        searches,
        telling,
        checkpoint: checkpoint.clone(),
    };
    let printer = Printer::new(args, goals);
    let work = move |entry: &BoardEntry, tell: &mut dyn FnMut(News)| work.solve(entry, tell);
    let status = batch::in_order(&args.boards, side_by_side, &stop, work, |step| match step {
        Step::Idle => {
            out.flush()?;
            Ok(Status::Done)
        }
        Step::Tick => {
            spinner.tick();
            Ok(Status::Done)
        }
        Step::News(news) => {
            if args.anytime.stream {
                if out.is_terminal() {
                    spinner.clear();
                }
                printer.improved(&news, out)?;
            }
            spinner.know(news);
            Ok(Status::Done)
        }
        Step::Result(result) => {
            spinner.count(out.is_terminal());
            match result {
                Ok(answered) => {
                    let status = printer.print(&answered, out)?;
                    if let Some(checkpoint) = &checkpoint {
                        checkpoint.remark_on(&answered.answer);
                    }
                    Ok(status)
                }
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

/// How each board is solved; all threads share it.
struct Work {
    solver: Solver,
    goals: Goals,
    want: Want,
    metric: Metric,
    tables: Option<Tier>,
    limits: Limits,
    searches: Arc<Searches>,
    telling: Telling,
    checkpoint: Option<Arc<OneBoard>>,
}

impl Work {
    /// Solves a board; `tell` hears of what is known on the way.
    fn solve(&self, entry: &BoardEntry, tell: &mut dyn FnMut(News)) -> Result<Answer, SolveError> {
        self.searches
            .with(|progress| self.solve_with(entry, progress, tell))
    }

    fn solve_with(
        &self,
        entry: &BoardEntry,
        progress: Arc<Progress>,
        tell: &mut dyn FnMut(News),
    ) -> Result<Answer, SolveError> {
        let request = Request {
            goal: self.goals.named(entry.form),
            want: self.want,
            limits: Limits {
                progress: Some(progress),
                ..self.limits.clone()
            },
            metric: self.metric,
            tables: self.tables,
            checkpoint: match &self.checkpoint {
                Some(checkpoint) => Some(checkpoint.keeper(&entry.board)?),
                None => None,
            },
            ..Request::new(entry.board.clone())
        };
        let time = match self.want {
            Want::Within(time) => Some(time),
            Want::Solution => Some(Want::PATIENCE),
            _ => None,
        };
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        self.solver.solve_with(&request, &mut |event| match event {
            Event::Improved(known) => {
                let news = self
                    .telling
                    .news(&entry.board, known, self.metric, deadline);
                news.into_iter().for_each(&mut *tell);
            }
            Event::Notice(notice) => tables::remark_on(&notice, &request.goal),
            _ => {}
        })
    }
}

impl Args {
    fn algorithm(&self) -> Algorithm {
        self.algorithm.unwrap_or(Algorithm::Idastar)
    }

    /// Whether something is asked for that only the laboratory has.
    fn is_laboratory(&self) -> bool {
        self.algorithm.is_some() || self.heuristic.is_some() || self.cost.cost != Cost::Unit
    }

    /// Refuses what does not go together.
    fn check(&self) -> Result<()> {
        if self.cost.cost != Cost::Unit
            && (self.tables.is_some()
                || self.all
                || self.count
                || self.anytime.optimal
                || self.checkpoint.is_wanted())
        {
            bail!("--optimal, --checkpoint, --tables, --all and --count go with --cost unit only");
        }
        let is_multi = self.metric.metric == Metric::Multi;
        if is_multi && self.checkpoint.is_wanted() {
            bail!("--checkpoint goes with --metric single only");
        }
        if self.cost.cost != Cost::Unit && is_multi {
            bail!("--cost tile counts every tile that slides: it goes with --metric single only");
        }
        if let Some(judge) = self.output
            && judge.claims_minimum()
        {
            let name = judge.name();
            if self.cost.cost != Cost::Unit {
                bail!("--output {name} wants the fewest moves: it goes with --cost unit only");
            }
            if is_multi {
                bail!(
                    "--output {name} wants the fewest single-tile moves: it goes with --metric \
                     single only"
                );
            }
            let algorithm = self.algorithm();
            let unproven = (!algorithm.is_optimal(Cost::Unit)).then(|| algorithm.name());
            if let Some(unproven) = self.anytime.option().or(unproven) {
                bail!("--output {name} wants the fewest moves, which {unproven} does not prove");
            }
        }
        Ok(())
    }

    /// What is wanted of each board.
    fn want(&self) -> Want {
        if let Some(time) = self.anytime.within {
            Want::Within(time)
        } else if self.anytime.fast {
            Want::First
        } else if self.is_laboratory() {
            Want::Laboratory(LaboratoryChoice {
                algorithm: self.algorithm(),
                heuristic: self.heuristic,
                weight: self.weight,
                cost: self.cost.cost,
            })
        } else if self.all || self.count {
            Want::All(AllShortest {
                list: self
                    .all
                    .then(|| self.max.map_or(usize::MAX, |max| max as usize)),
                // All of them are counted on the way.
                count: self.count || self.max.is_none(),
            })
        } else if self.anytime.optimal
            || self.checkpoint.is_wanted()
            || self.output.is_some_and(Judge::claims_minimum)
        {
            Want::Shortest
        } else {
            Want::Solution
        }
    }

    /// How many threads there are. Searches in the laboratory keep states, so several at a time are
    /// asked for or not had.
    fn threads(&self) -> usize {
        match (self.threads, self.is_laboratory()) {
            (Some(threads), _) => usize::from(threads),
            (None, true) => 1,
            (None, false) => tables::threads(),
        }
    }

    /// What each board may take, where this many are solved side by side.
    fn limits(&self, side_by_side: usize, stop: &Arc<AtomicBool>) -> Limits {
        let mut limits = self.limits.limits_or(Limits {
            memory: Some(DEFAULT_MEMORY),
            ..Limits::default()
        });
        limits.memory = limits.memory.map(|memory| memory / side_by_side as u64);
        limits.cancel = Some(Arc::clone(stop));
        limits
    }

    fn solver(&self, threads: usize) -> Result<Solver> {
        let mut source = self.tables_dir.source()?.with_threads(threads);
        if let Some(bytes) = self.limits.limit_memory() {
            source = source.with_memory(bytes);
        }
        Ok(Solver::with_source(source).with_threads(threads))
    }
}
