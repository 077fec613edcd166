//! Korf and Felner's 50 boards of the 24-puzzle, as a user solves them: `cargo xtask bench korf24`
//! runs this.
//!
//! ```text
//! $ cargo run --release --package taquin --features store,json --example korf24 -- --until 5m
//! ```
//!
//! The boards come in the order of their difficulty, by the nodes that were published. Each one has
//! a time; one that is not solved by then has its proven bound. Results are kept in a file as they
//! come, so that the bench can be ended at any time and goes on later. Every length must be the
//! published one.

mod boards;
mod journal;
mod options;
mod table;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use taquin::tables::store::Store;
use taquin::tables::{Catalogue, Partition, Tier};
use taquin::{Answer, Board, Goal, Limits, Move, Progress, Request, Solver, Want};

use self::boards::Known;
use self::journal::{Entry, Journal, Setup};
use self::options::Options;
use self::table::grouped;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let options = Options::read(std::env::args().skip(1));
    match options.and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("korf24: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<()> {
    // Step 1: the tables, before any clock starts. A journal knows them by their names.
    let solver = Solver::stored(store(options)?).with_threads(options.threads);
    let tables = tables(&solver)?;
    let setup = Setup::new(options, tables);
    let mut journal = Journal::open(&options.journal, setup, options.fresh)?;
    let known = boards::by_difficulty()?;
    if !journal.entries.is_empty() {
        eprintln!(
            "going on after {} board(s) in {}",
            journal.entries.len(),
            journal.path().display()
        );
    }

    // Step 2: each board that is not done. The table is written anew after each, as nobody knows
    // which one is the last.
    show(&known, &journal, options)?;
    for (i, known_board) in known.iter().enumerate() {
        if !options.boards.contains(&(i + 1)) || journal.has(known_board.id) {
            continue;
        }
        let name = format!("{} of {}: no. {}", i + 1, known.len(), known_board.id);
        let entry = measure(&solver, known_board, options, journal.setup(), &name)?;
        tell(&name, &entry);
        journal.add(entry)?;
        show(&known, &journal, options)?;
    }

    if options.table.is_none() {
        print!(
            "{}",
            table::table(&known, &journal.entries, journal.setup())
        );
    }
    Ok(())
}

/// Where the tables are kept: where the program keeps them, unless an option says otherwise.
fn store(options: &Options) -> Result<Store> {
    let named = std::env::var_os("TAQUIN_TABLES").filter(|folder| !folder.is_empty());
    let folder = options.tables.clone().or(named.map(Into::into));
    let folder = folder.or_else(Store::default_folder);
    Ok(Store::new(folder.ok_or(
        "there is no home folder: name one with --tables-dir",
    )?))
}

/// Gets the tables ready, and says which ones they are.
fn tables(solver: &Solver) -> Result<String> {
    let goal = Goal::BlankFirst.board("5x5".parse()?)?;
    let catalogue = Catalogue::for_goal(&goal, Tier::Full)?;
    let name = signature(&catalogue);
    eprintln!("getting the tables ready, which takes some seconds if they have to be built");
    let begin = Instant::now();
    let mut near = goal;
    near.apply(&[Move::Left])?;
    let answer = solver.solve(&request(near, Limits::default()))?;
    if answer.heuristic.is_none() {
        return Err("a board was solved without tables".into());
    }
    eprintln!("they were ready in {:.1} s", begin.elapsed().as_secs_f64());
    Ok(name)
}

/// The partitions of a catalogue by name, and a number that is another one if any table is: many
/// partitions have one name.
fn signature(catalogue: &Catalogue) -> String {
    let mut names: Vec<String> = catalogue.partitions().iter().map(Partition::name).collect();
    let partitions = names.len();
    names.dedup();
    let store = Store::new("");
    // FNV-1a, over the names of the files.
    let mut hash: u32 = 0x811c_9dc5;
    for key in catalogue.keys() {
        for byte in store.path(key).to_string_lossy().bytes() {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
    format!("{partitions} of {} ({hash:08x})", names.join(", "))
}

/// A shortest solution with the full tables.
fn request(board: Board, limits: Limits) -> Request {
    Request {
        goal: Goal::BlankFirst,
        want: Want::Shortest,
        limits,
        tables: Some(Tier::Full),
        ..Request::new(board)
    }
}

/// Solves a board, or comes as far as its time allows.
fn measure(
    solver: &Solver,
    known: &Known,
    options: &Options,
    setup: &Setup,
    name: &str,
) -> Result<Entry> {
    let progress = Arc::new(Progress::default());
    let limits = Limits {
        progress: Some(Arc::clone(&progress)),
        ..Limits::within(options.until)
    };
    let request = request(known.board.clone(), limits);
    let begin = Instant::now();
    let answer = watched(name, &progress, || solver.solve(&request))?;
    let seconds = begin.elapsed().as_secs_f64();

    let bound = progress.lower_bound();
    let length = answer.solution().ok().map(|solution| solution.cost);
    if length.is_some_and(|length| length != known.optimal) || bound > known.optimal {
        return Err(format!(
            "no. {}: {} moves are published, and here it is at least {bound}, solved in {length:?}",
            known.id, known.optimal
        )
        .into());
    }
    Ok(Entry {
        id: known.id,
        length,
        bound,
        solved: length.is_some(),
        proven: answer.is_optimal(),
        nodes_of_complete_iterations: complete(&answer),
        nodes: answer.statistics.expanded,
        seconds,
        setup: setup.clone(),
    })
}

/// The nodes of all iterations but the last one, which ends with a solution or with the time.
fn complete(answer: &Answer) -> u64 {
    let iterations = &answer.statistics.iterations;
    let complete = iterations.iter().rev().skip(1);
    complete.map(|iteration| iteration.expanded).sum()
}

/// Does work, and shows a person meanwhile how far it is.
fn watched<T: Send>(name: &str, progress: &Progress, work: impl FnOnce() -> T + Send) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let (sender, done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            // The work is over when the sender is gone.
            while done.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                let (bound, nodes) = (progress.lower_bound(), grouped(progress.nodes()));
                eprint!("\r{name}: at least {bound} moves, {nodes} nodes");
                let _ = std::io::stderr().flush();
            }
            // What was shown gives way to the result.
            eprint!("\r\x1b[K");
        });
        let result = work();
        drop(sender);
        result
    })
}

/// One line about a board that is done.
fn tell(name: &str, entry: &Entry) {
    let length = match entry.length {
        Some(length) => format!("{length} moves, as published"),
        None => format!("not solved, at least {} moves", entry.bound),
    };
    let nodes = grouped(entry.nodes);
    eprintln!("{name}: {length}; {nodes} nodes in {:.1} s", entry.seconds);
}

/// Writes the table where it belongs.
fn show(known: &[Known], journal: &Journal, options: &Options) -> Result<()> {
    let Some(path) = &options.table else {
        return Ok(());
    };
    if journal.entries.is_empty() {
        return Ok(());
    }
    table::write(
        path,
        &table::table(known, &journal.entries, journal.setup()),
    )
}
