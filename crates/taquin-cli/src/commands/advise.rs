//! `taquin advise`: which method fits?

use std::fmt::Write;
use std::time::Duration;

use anstyle::AnsiColor;
use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use taquin::notation::BoardForm;
use taquin::space::{Basis, Figure, Forecast, ForecastError, NodesFrom};
use taquin::tables::Tier;
use taquin::{Advice, Assessment, Board, Method, SearchedBy, Size, Solvability, Solver, Want};

use crate::goals::GoalArgs;
use crate::output::Output;
use crate::status::Status;
use crate::tables::TablesArgs;
use crate::{figures, names, units};

/// Say which search method fits a board size and a memory, and why.
///
/// The method is the one that "taquin solve" uses. Up to 16 cells that is IDA* with pattern
/// databases, the quick ones or the full ones (idastar-pdb:quick, idastar-pdb:full). Beyond, it is
/// the best solution in ten seconds with a bound (anytime, or anytime-pdb:quick and anytime-pdb:full
/// with tables). Beside it stand the way to a proof, and breadth-first search (bfs), A* (astar) and
/// IDA* (idastar) with linear conflict. A method fits if it takes no more than the memory, and on a
/// typical board no more than an hour.
///
/// Figures of the pattern databases and of anytime were measured on random boards where it says so.
/// All other times are rough: they assume five million nodes a second for IDA* and two million for
/// the searches that store boards.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin advise --size 4x4 --memory 1G

  For one board
  $ taquin advise --memory 100M --board \"1 2 3 4/5 6 7 8/9 10 15 11/13 14 12 0\"

  What to do about a large one
  $ taquin advise --size 6x6

  An unsolvable board gets no method
  $ taquin advise --memory 1G --board \"1 2 3/4 5 6/8 7 0\" --json

Exit code: 0 if the method fits, 1 if it does not or the board is unsolvable.")]
pub(crate) struct Args {
    /// Rows x columns. With --board, that board's size unless given.
    #[arg(
        long,
        value_name = "SIZE",
        required_unless_present = "board",
        value_parser = names::size
    )]
    size: Option<Size>,

    /// The memory to use: 500M, 2G, 1GiB, or bytes.
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = units::memory)]
    memory: u64,

    /// The board to solve, in any form.
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,

    #[command(flatten)]
    goal: GoalArgs,

    #[command(flatten)]
    tables_dir: TablesArgs,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Default, Serialize)]
struct Record<'a> {
    board: Option<&'a str>,
    size: &'a str,
    goal: &'a str,
    memory: u64,
    /// What `taquin solve` uses; `null` if the board is unsolvable.
    method: Option<&'a str>,
    /// Its algorithm and its heuristic, as `taquin solve` names them.
    algorithm: Option<&'a str>,
    heuristic: Option<&'a str>,
    command: Option<String>,
    solvable: Option<bool>,
    reason: String,
    states_log10: Option<f64>,
    widest_layer_log10: Option<f64>,
    bfs_bytes_per_state: Option<f64>,
    astar_bytes_per_state: Option<f64>,
    branching_factor: Option<f64>,
    estimate: Option<f64>,
    length: Option<f64>,
    length_known: Option<bool>,
    nodes_log10: Option<f64>,
    methods: Vec<MethodRecord<'a>>,
}

#[derive(Serialize)]
struct MethodRecord<'a> {
    method: &'a str,
    algorithm: &'a str,
    heuristic: Option<&'a str>,
    fits: bool,
    bytes_log10: Option<f64>,
    build_seconds: Option<f64>,
    nodes_log10: Option<f64>,
    seconds_log10: Option<f64>,
    /// Where nodes and seconds come from.
    basis: &'a str,
    length: Option<f64>,
    /// Solutions are at most this many times as long as a shortest one.
    factor: Option<f64>,
    reason: &'a str,
    command: String,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let board = args.board.as_deref().map(|text| read(text, args.size));
    let board = board.transpose()?;
    let size = match (&board, args.size) {
        (Some(board), _) => board.size(),
        (None, Some(size)) => size,
        (None, None) => return Err(anyhow!("--size or --board is needed")),
    };
    let goal = args.goal.goal(BoardForm::default());
    let goal_name = goal.name().into_owned();
    let goal = &goal.board(size).context("--goal and the size do not fit")?;
    let shown = board.as_ref().map(Board::to_string);
    let mut record = Record {
        board: shown.as_deref(),
        goal: &goal_name,
        memory: args.memory,
        ..Record::default()
    };
    let size = size.to_string();
    record.size = &size;

    let solvability = match &board {
        Some(board) => Some(Solvability::of(board, goal)?),
        None => None,
    };
    record.solvable = solvability.map(Solvability::is_solvable);
    let solver = Solver::stored(args.tables_dir.store()?);
    match Advice::new(&solver, goal, board.as_ref(), args.memory) {
        Ok(advice) => {
            let plain = solver.method_for(goal, u64::MAX);
            if args.json {
                fill(&mut record, &advice, plain);
                out.json(&record)?;
            } else {
                let text = text(&record, &advice, plain, solvability, out);
                out.record(&text)?;
            }
            let fits = advice.assessment().is_some_and(|chosen| chosen.fits);
            Ok(Status::of_answer(fits))
        }
        Err(ForecastError::Unsolvable(verdict)) => {
            record.reason = verdict.to_string();
            if args.json {
                out.json(&record)?;
            } else {
                let word = out.styled(AnsiColor::Red.on_default(), "unsolvable");
                let board = record.board.unwrap_or_default();
                out.record(&format!(
                    "{board}: {word}, so no method fits\n  {verdict}\n"
                ))?;
            }
            Ok(Status::No)
        }
        Err(error) => Err(error.into()),
    }
}

/// A board from an argument. A flat list that is not square needs the size.
fn read(text: &str, size: Option<Size>) -> Result<Board> {
    use taquin::notation::{BoardReader, ReadOptions};
    let options = ReadOptions { form: None, size };
    let mut entries = BoardReader::new(text.as_bytes(), options);
    let entry = entries
        .next()
        .ok_or_else(|| anyhow!("--board: no board here"))?;
    let board = entry.map_err(|error| anyhow!("--board: {error}"))?.board;
    if entries.next().is_some() {
        return Err(anyhow!("--board: one board is expected"));
    }
    match size {
        Some(size) if size != board.size() => Err(anyhow!(
            "--board: the board is {}, but --size says {size}",
            board.size()
        )),
        _ => Ok(board),
    }
}

/// Why the method fits or not.
fn reason(advice: &Advice) -> &'static str {
    advice.assessment().map_or("", |chosen| chosen.reason)
}

/// What to type for a method. `plain` is what `taquin solve` uses without further options, with all
/// the memory there is.
fn command(advice: &Advice, plain: Method, method: Method) -> String {
    let is_small = advice.forecast.size.cells() <= Want::SMALL_CELLS;
    // Hard boards get the full tables unless others are asked for.
    let is_settled = |assessment: &Assessment| {
        assessment.method.tables != Some(Tier::Full) || assessment.fits || !is_small
    };
    let options = match (method.searched_by, method.tables) {
        _ if method == plain && advice.assessments.iter().all(is_settled) => String::new(),
        (SearchedBy::Laboratory(algorithm), _) => {
            let heuristic = algorithm
                .uses_heuristic()
                .then_some(" --heuristic linear-conflict");
            let heuristic = heuristic.unwrap_or_default();
            format!(" --algorithm {}{heuristic}", algorithm.name())
        }
        (SearchedBy::Engine, Some(tier)) if !is_small => format!(" --optimal --tables {tier}"),
        (_, Some(tier)) => format!(" --tables {tier}"),
        (_, None) => String::new(),
    };
    format!("taquin solve{options}")
}

fn fill<'a>(record: &mut Record<'a>, advice: &'a Advice, plain: Method) {
    let log10 = |ln: f64| rounded(ln / std::f64::consts::LN_10);
    let forecast = &advice.forecast;
    record.method = Some(advice.method.name());
    record.algorithm = Some(advice.method.searched_by.name());
    record.heuristic = advice.method.heuristic();
    record.command = Some(command(advice, plain, advice.method));
    reason(advice).clone_into(&mut record.reason);
    record.states_log10 = Some(log10(forecast.ln_states));
    record.widest_layer_log10 = Some(log10(forecast.ln_states + forecast.widest_layer.value.ln()));
    record.bfs_bytes_per_state = Some(rounded(forecast.bfs_bytes));
    record.astar_bytes_per_state = Some(rounded(forecast.astar_bytes));
    record.branching_factor = Some(rounded(forecast.branching));
    record.estimate = Some(rounded(forecast.estimate));
    record.length = Some(rounded(forecast.length.value));
    record.length_known = Some(forecast.length.basis == Basis::Known);
    record.nodes_log10 = Some(log10(forecast.ln_nodes));
    record.methods = advice
        .assessments
        .iter()
        .map(|assessment| MethodRecord {
            method: assessment.method.name(),
            algorithm: assessment.method.searched_by.name(),
            heuristic: assessment.method.heuristic(),
            fits: assessment.fits,
            bytes_log10: assessment.ln_bytes.map(log10),
            build_seconds: assessment
                .build_time
                .map(|time| rounded(time.as_secs_f64())),
            nodes_log10: assessment.ln_nodes.map(log10),
            seconds_log10: assessment.ln_seconds.map(log10),
            basis: basis(assessment.basis),
            length: assessment.length.map(|length| rounded(length.value)),
            factor: assessment.factor.map(rounded),
            reason: assessment.reason,
            command: command(advice, plain, assessment.method),
        })
        .collect();
}

const fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Known => "known",
        Basis::Measured => "measured",
        Basis::Estimated => "estimated",
    }
}

/// Four digits: more would promise too much.
fn rounded(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

fn text(
    record: &Record<'_>,
    advice: &Advice,
    plain: Method,
    solvability: Option<Solvability>,
    out: &Output,
) -> String {
    let title = record.board.unwrap_or(record.size);
    let fits = advice.assessment().is_some_and(|chosen| chosen.fits);
    let colour = if fits {
        AnsiColor::Green
    } else {
        AnsiColor::Red
    };
    let method = out.styled(colour.on_default(), advice.method);
    let mut text = format!("{title}: {method}\n  {}\n", reason(advice));
    if let Some(verdict) = solvability {
        writeln!(text, "  solvable: {verdict}").expect("strings take all");
    }
    text.push('\n');
    write_forecast(&mut text, advice, record.board.is_some());
    text.push('\n');
    for assessment in &advice.assessments {
        assess(&mut text, advice, plain, assessment);
    }
    text
}

fn write_forecast(text: &mut String, advice: &Advice, is_board: bool) {
    let forecast = &advice.forecast;
    let mut line = |name: &str, value: String| {
        writeln!(text, "  {name:<22}{value}").expect("strings take all");
    };
    line(
        "solvable boards",
        match forecast.states {
            Some(states) => figures::count(states),
            None => figures::from_ln(forecast.ln_states),
        },
    );
    line(
        "widest frontier",
        format!(
            "{}{} boards ({:.1} %)",
            about(forecast.widest_layer),
            figures::from_ln(forecast.ln_states + forecast.widest_layer.value.ln()),
            100.0 * forecast.widest_layer.value
        ),
    );
    line(
        "bytes a stored board",
        format!(
            "{:.0} with bfs, {:.0} with astar",
            forecast.bfs_bytes, forecast.astar_bytes
        ),
    );
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    let memory = advice.memory as f64;
    line(
        "room in the memory",
        format!(
            "{} boards with bfs, {} with astar",
            figures::from_ln((memory / forecast.bfs_bytes).floor().ln()),
            figures::from_ln((memory / forecast.astar_bytes).floor().ln())
        ),
    );
    line("branching factor", format!("{:.4}", forecast.branching));
    let typical = if is_board { "" } else { " on average" };
    line(
        "estimate",
        format!("{:.1} moves{typical} (linear conflict)", forecast.estimate),
    );
    line(
        "shortest solution",
        format!(
            "{}{:.1} moves{typical}",
            about(forecast.length),
            forecast.length.value
        ),
    );
    line(
        "nodes of idastar",
        format!(
            "about {} ({})",
            figures::roughly(forecast.ln_nodes),
            match forecast.nodes_from {
                NodesFrom::Sample => "predicted from a sample, as in `taquin predict`",
                NodesFrom::Probe => "from its own first iterations",
                NodesFrom::Rule => "a rule of thumb",
            }
        ),
    );
    line(
        "assumed speed",
        format!(
            "{} nodes a second with idastar, {} stored boards a second",
            figures::from_ln(Forecast::NODES_PER_SECOND.ln()),
            figures::from_ln(Forecast::STORED_PER_SECOND.ln())
        ),
    );
}

const fn about(figure: Figure) -> &'static str {
    match figure.basis {
        Basis::Known | Basis::Measured => "",
        Basis::Estimated => "about ",
    }
}

/// One method: whether it fits and why, what it needs, and what to type.
fn assess(text: &mut String, advice: &Advice, plain: Method, assessment: &Assessment) {
    let name = assessment.method.name();
    let fits = if assessment.fits { "fits" } else { "no" };
    let reason = assessment.reason;
    writeln!(text, "  {name:<18}{fits:<6}{reason}").expect("strings take all");
    let needs = needs(advice, assessment);
    let command = command(advice, plain, assessment.method);
    writeln!(text, "  {:24}{needs}: {command}", "").expect("strings take all");
}

/// What a method takes, as far as it is known.
fn needs(advice: &Advice, assessment: &Assessment) -> String {
    let mut parts = Vec::new();
    if let Some(ln) = assessment.ln_bytes {
        let what = assessment.method.tables.map_or("", |_| " of tables");
        parts.push(format!("{}{what}", figures::bytes(ln)));
    }
    if let Some(time) = assessment.build_time {
        parts.push(format!("built in about {}", figures::time(time)));
    }
    if assessment.method.searched_by == SearchedBy::Anytime
        && let Some(length) = assessment.length
        && length != advice.forecast.length
    {
        parts.push(format!("{:.0} moves on average", length.value));
    }
    if let Some(factor) = assessment.factor.filter(|&factor| factor > 1.0) {
        parts.push(format!("at most {factor:.2} times the shortest"));
    }
    match (assessment.ln_nodes, assessment.basis) {
        // Those of the laboratory are above.
        (Some(_), _) if assessment.method.tables.is_none() => {}
        (Some(ln), Basis::Measured) => parts.push(format!("{} nodes", figures::from_ln(ln))),
        (Some(ln), _) => parts.push(format!("about {} nodes", figures::roughly(ln))),
        (None, _) => {}
    }
    if let Some(ln) = assessment.ln_seconds {
        parts.push(seconds(ln));
    }
    parts.push(match assessment.basis {
        Basis::Measured => "measured on random boards".to_owned(),
        other => basis(other).to_owned(),
    });
    parts.join(", ")
}

/// The time for a board.
fn seconds(ln: f64) -> String {
    match ln.exp() {
        seconds if seconds < 1e-4 => "less than 0.1 ms".to_owned(),
        seconds if seconds < 1.0 => figures::time(Duration::from_secs_f64(seconds)),
        _ => figures::long_time(ln),
    }
}
