//! `taquin predict`: how many nodes will an iteration of IDA* expand?

use std::fmt::Write;

use anyhow::{Context, Result, bail};
use taquin::heuristic::{AnyHeuristic, HeuristicKind};
use taquin::notation::BoardForm;
use taquin::search::{Cost, FlatState, PackedState, Sliding, TileState};
use taquin::space::{Distribution, Equilibrium, Measurement, Prediction};
use taquin::{BlankClass, Board, Size};
use taquin_records::{Forecast, Predict};

use crate::goals::GoalArgs;
use crate::output::Output;
use crate::status::Status;
use crate::{figures, names, units};

/// Predict how many nodes an iteration of IDA* expands, and count them.
///
/// The prediction is that of Korf, Reid and Edelkamp (2001): the nodes of the search tree at each
/// depth, times the probability that a board there has an estimate small enough for the threshold.
/// It is a mean over all boards; one whose own estimate exceeds the threshold counts as 0. The
/// count beside it is the mean over random boards, where that is feasible. See docs/theory.md.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin predict --size 4x4 --heuristic manhattan --depth 40

  Every board of 3x3 is looked at, so the prediction is exact
  $ taquin predict --size 3x3 --depth 20

  Too deep to be counted
  $ taquin predict --size 5x5 --heuristic linear-conflict --depth 100 --json")]
pub(crate) struct Args {
    /// Rows x columns.
    #[arg(long, value_name = "SIZE", default_value = "4x4", value_parser = names::size)]
    size: Size,

    /// The estimate that IDA* uses.
    #[arg(
        long,
        value_name = "HEURISTIC",
        default_value = "manhattan",
        value_parser = names::heuristic(),
    )]
    heuristic: HeuristicKind,

    /// The threshold of the iteration.
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    depth: u32,

    /// How many boards to sample for the distribution of the estimate. If there are no more boards
    /// than that, every one is looked at.
    #[arg(long, value_name = "N", default_value = "200k", value_parser = units::count)]
    samples: u64,

    /// Where the random numbers start.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The most nodes to count. With 0 nothing is counted.
    #[arg(long, value_name = "N", default_value = "20M", value_parser = units::count)]
    limit_nodes: u64,

    #[command(flatten)]
    goal: GoalArgs,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Fewer boards would say little about the mean.
const FEWEST_BOARDS: f64 = 20.0;
const MOST_BOARDS: f64 = 20_000.0;

/// Larger boards would take minutes, for a figure that nobody could use.
const MOST_CELLS: usize = 1600;

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    if args.size.cells() > MOST_CELLS {
        bail!("predict takes boards of up to {MOST_CELLS} cells; no search comes near larger ones");
    }
    let goal = args.goal.goal(BoardForm::default());
    let goal_name = goal.name().into_owned();
    let goal = &goal
        .board(args.size)
        .context("--goal and --size do not fit")?;
    let forecast = match Sliding::<PackedState>::new(goal, Cost::Unit) {
        Some(puzzle) => forecast(args, &puzzle)?,
        None => forecast(args, &flat(goal)?)?,
    };
    if args.json {
        out.json(&Predict::new(goal_name, &forecast))?;
    } else {
        write_text(&goal_name, &forecast, out)?;
    }
    Ok(Status::Done)
}

fn flat(goal: &Board) -> Result<Sliding<FlatState>> {
    Sliding::new(goal, Cost::Unit).context("the board is too large")
}

fn forecast<S: TileState>(args: &Args, puzzle: &Sliding<S>) -> Result<Forecast> {
    let heuristic = AnyHeuristic::new(args.heuristic, puzzle)?;
    let samples = usize::try_from(args.samples).unwrap_or(usize::MAX);
    // A look at a large board takes its time: keep to some ten million cells.
    let samples = samples.min(20_000_000 / puzzle.size().cells()).max(1);
    let distribution = Distribution::new(puzzle, &heuristic, samples, args.seed);
    let prediction = distribution.predict(args.depth);
    Ok(Forecast {
        size: args.size,
        heuristic: args.heuristic,
        depth: args.depth,
        seed: args.seed,
        equilibrium: Equilibrium::new(args.size),
        measured: measure(args, puzzle, &heuristic, &prediction),
        distribution,
        prediction,
    })
}

/// Counts on as many boards as the limit has room for, going by the prediction; or says why not.
fn measure<S: TileState>(
    args: &Args,
    puzzle: &Sliding<S>,
    heuristic: &AnyHeuristic,
    prediction: &Prediction,
) -> Result<Measurement, String> {
    #[expect(clippy::cast_precision_loss, reason = "a rough comparison")]
    let limit = args.limit_nodes as f64;
    if args.limit_nodes == 0 {
        return Err("--limit-nodes is 0".to_owned());
    }
    // Half of the limit is kept for a sample with more than its share of large searches.
    let boards = 0.5 * limit / prediction.nodes().max(1e-3);
    if boards < FEWEST_BOARDS {
        return Err(format!(
            "{FEWEST_BOARDS} boards would take {} nodes, the limit is {}; raise it with \
             --limit-nodes",
            figures::from_ln(prediction.ln_nodes + FEWEST_BOARDS.ln()),
            figures::count(args.limit_nodes),
        ));
    }
    #[expect(clippy::cast_sign_loss, reason = "it is positive")]
    let boards = boards.min(MOST_BOARDS) as usize;
    // Other boards than those of the sample.
    let seed = !args.seed;
    Measurement::take(
        puzzle,
        heuristic,
        args.depth,
        boards,
        args.limit_nodes,
        seed,
    )
    .ok_or_else(|| {
        format!(
            "the {} boards that should fit took more than {} nodes; raise --limit-nodes",
            figures::count(boards as u128),
            figures::count(args.limit_nodes)
        )
    })
}

fn write_text(goal: &str, forecast: &Forecast, out: &mut Output) -> Result<()> {
    let Forecast {
        size,
        heuristic,
        depth,
        seed,
        equilibrium,
        distribution,
        prediction,
        measured,
    } = forecast;
    let share = |class| 100.0 * equilibrium.class_share(*size, class);
    let mut text = format!("{size}, {heuristic}, threshold {depth}, goal {goal}\n");
    let mut line = |name: &str, value: String| {
        writeln!(text, "  {name:<22}{value}").expect("strings take all");
    };
    line(
        "branching factor",
        format!("{:.4}", equilibrium.branching_factor()),
    );
    line(
        "blank in the tree",
        format!(
            "{:.1} % in a corner, {:.1} % at an edge, {:.1} % inside",
            share(BlankClass::Corner),
            share(BlankClass::Edge),
            share(BlankClass::Inside)
        ),
    );
    line(
        "mean estimate",
        format!(
            "{:.2} over all boards, {:.2} in the tree",
            distribution.mean(),
            distribution.equilibrium_mean(equilibrium)
        ),
    );
    let boards = figures::count(distribution.boards() as u128);
    line(
        "distribution",
        if distribution.is_exact() {
            format!("all {boards} boards")
        } else {
            format!("{boards} sampled boards, seed {seed}")
        },
    );
    let error = |relative: f64| {
        if relative.is_nan() {
            "at all".to_owned()
        } else if relative.is_finite() {
            format!("± {:.1} %", 100.0 * relative)
        } else {
            "(no sample was small enough)".to_owned()
        }
    };
    let nodes = figures::from_ln(prediction.ln_nodes);
    line(
        "predicted",
        if distribution.is_exact() {
            format!("{nodes} nodes a board, exactly")
        } else {
            format!("{nodes} nodes a board {}", error(prediction.relative_error))
        },
    );
    match measured {
        Ok(m) => {
            line(
                "measured",
                format!(
                    "{} nodes a board {}, on {} random boards",
                    figures::from_ln(m.nodes.ln()),
                    error(m.standard_error / m.nodes),
                    figures::count(m.boards as u128)
                ),
            );
            if let Some(ratio) = forecast.ratio() {
                line("predicted / measured", format!("{ratio:.3}"));
            }
        }
        Err(why) => line("not measured", why.clone()),
    }
    out.record(&text)
}
