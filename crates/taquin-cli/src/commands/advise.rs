//! `taquin advise`: which method fits?

use std::fmt::Write;

use anstyle::AnsiColor;
use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use taquin::space::{
    Advice, AdviceError, Assessment, Basis, Figure, NODES_PER_SECOND, NodesFrom, STORED_PER_SECOND,
    Subject,
};
use taquin::{Board, Size, Solvability};

use crate::goals::GoalArgs;
use crate::output::Output;
use crate::status::Status;
use crate::{figures, names, units};

/// Say which search method fits a board size and a memory, and why.
///
/// A board is tested for solvability first. Then breadth-first search (bfs), A* (astar), IDA*
/// (idastar) and IDA* with pattern databases (idastar-pdb) are weighed, in this order: the first
/// that fits in the memory and in an hour on a typical board is advised. Times are rough: they
/// assume five million nodes a second for IDA* and two million for the searches that store boards.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin advise --size 4x4 --memory 1G

  For one board
  $ taquin advise --memory 100M --board \"1 2 3 4/5 6 7 8/9 10 15 11/13 14 12 0\"

  An unsolvable board gets no method
  $ taquin advise --memory 1G --board \"1 2 3/4 5 6/8 7 0\" --json

Exit code: 0 if a method fits, 1 if none does or the board is unsolvable.")]
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
    /// `null` if none fits, or if the board is unsolvable.
    method: Option<&'a str>,
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
    fits: bool,
    bytes_log10: Option<f64>,
    seconds_log10: Option<f64>,
    reason: &'a str,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let board = args.board.as_deref().map(|text| read(text, args.size));
    let board = board.transpose()?;
    let size = match (&board, args.size) {
        (Some(board), _) => board.size(),
        (None, Some(size)) => size,
        (None, None) => return Err(anyhow!("--size or --board is needed")),
    };
    let mut goals = args.goal.with_form(None);
    let goal_name = goals.name().to_owned();
    let (goal, _) = goals.of(size).context("--goal and the size do not fit")?;
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
    let subject = board.map_or(Subject::Typical, Subject::Board);
    match Advice::new(goal, &subject, args.memory) {
        Ok(advice) if args.json => {
            fill(&mut record, &advice);
            out.json(&record)?;
            Ok(Status::of_answer(advice.method().is_some()))
        }
        Ok(advice) => {
            let text = text(&record, &advice, solvability, out);
            out.record(&text)?;
            Ok(Status::of_answer(advice.method().is_some()))
        }
        Err(AdviceError::Unsolvable(verdict)) => {
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

/// Why the method that was chosen fits, or why none does.
fn reason(advice: &Advice) -> String {
    match advice.assessments.iter().find(|a| a.fits) {
        Some(chosen) => chosen.reason.clone(),
        None => "no optimal method fits; the methods for near-optimal solutions are not in this \
                 version yet"
            .to_owned(),
    }
}

fn fill<'a>(record: &mut Record<'a>, advice: &'a Advice) {
    let log10 = |ln: f64| rounded(ln / std::f64::consts::LN_10);
    record.method = advice.method().map(taquin::space::Method::name);
    record.reason = reason(advice);
    record.states_log10 = Some(log10(advice.ln_states));
    record.widest_layer_log10 = Some(log10(advice.ln_states + advice.widest_layer.value.ln()));
    record.bfs_bytes_per_state = Some(rounded(advice.bfs_bytes));
    record.astar_bytes_per_state = Some(rounded(advice.astar_bytes));
    record.branching_factor = Some(rounded(advice.branching));
    record.estimate = Some(rounded(advice.estimate));
    record.length = Some(rounded(advice.length.value));
    record.length_known = Some(advice.length.basis == Basis::Known);
    record.nodes_log10 = Some(log10(advice.ln_nodes));
    record.methods = advice
        .assessments
        .iter()
        .map(|assessment| MethodRecord {
            method: assessment.method.name(),
            fits: assessment.fits,
            bytes_log10: assessment.ln_bytes.map(log10),
            seconds_log10: assessment.ln_seconds.map(log10),
            reason: &assessment.reason,
        })
        .collect();
}

/// Four digits: more would promise too much.
fn rounded(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

fn text(
    record: &Record<'_>,
    advice: &Advice,
    solvability: Option<Solvability>,
    out: &Output,
) -> String {
    let title = record.board.unwrap_or(record.size);
    let method = match advice.method() {
        Some(method) => out.styled(AnsiColor::Green.on_default(), method),
        None => out.styled(AnsiColor::Red.on_default(), "none"),
    };
    let mut text = format!("{title}: {method}\n  {}\n", reason(advice));
    if let Some(verdict) = solvability {
        writeln!(text, "  solvable: {verdict}").expect("strings take all");
    }
    text.push('\n');
    let mut line = |name: &str, value: String| {
        writeln!(text, "  {name:<22}{value}").expect("strings take all");
    };
    line(
        "solvable boards",
        match advice.states {
            Some(states) => figures::count(states),
            None => figures::from_ln(advice.ln_states),
        },
    );
    line(
        "widest frontier",
        format!(
            "{}{} boards ({:.1} %)",
            about(advice.widest_layer),
            figures::from_ln(advice.ln_states + advice.widest_layer.value.ln()),
            100.0 * advice.widest_layer.value
        ),
    );
    line(
        "bytes a stored board",
        format!(
            "{:.0} with bfs, {:.0} with astar",
            advice.bfs_bytes, advice.astar_bytes
        ),
    );
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    let memory = advice.memory as f64;
    line(
        "room in the memory",
        format!(
            "{} boards with bfs, {} with astar",
            figures::from_ln((memory / advice.bfs_bytes).floor().ln()),
            figures::from_ln((memory / advice.astar_bytes).floor().ln())
        ),
    );
    line("branching factor", format!("{:.4}", advice.branching));
    let typical = if record.board.is_some() {
        ""
    } else {
        " on average"
    };
    line(
        "estimate",
        format!("{:.1} moves{typical} (linear conflict)", advice.estimate),
    );
    line(
        "solution",
        format!(
            "{}{:.1} moves{typical}",
            about(advice.length),
            advice.length.value
        ),
    );
    line(
        "nodes of idastar",
        format!(
            "about {} ({})",
            figures::roughly(advice.ln_nodes),
            match advice.nodes_from {
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
            figures::from_ln(NODES_PER_SECOND.ln()),
            figures::from_ln(STORED_PER_SECOND.ln())
        ),
    );
    text.push('\n');
    for assessment in &advice.assessments {
        assess(&mut text, assessment);
    }
    text
}

fn about(figure: Figure) -> &'static str {
    match figure.basis {
        Basis::Known => "",
        Basis::Estimated => "about ",
    }
}

fn assess(text: &mut String, assessment: &Assessment) {
    let Assessment {
        method,
        fits,
        ln_bytes,
        ln_seconds,
        reason,
    } = assessment;
    let name = method.name();
    let fits = if *fits { "fits" } else { "no" };
    let needs: Vec<String> = [
        ln_bytes.map(figures::bytes),
        ln_seconds.map(figures::long_time),
    ]
    .into_iter()
    .flatten()
    .collect();
    let needs = if needs.is_empty() {
        String::new()
    } else {
        format!(" ({})", needs.join(", "))
    };
    writeln!(text, "  {name:<12} {fits:<5} {reason}{needs}").expect("strings take all");
}
