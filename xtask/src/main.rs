//! The project's own chores: `cargo xtask test`, `cargo xtask docs`, `cargo xtask screenshots`,
//! `cargo xtask package`, `cargo xtask dist`, `cargo xtask bench …`, `cargo xtask automaton`.

mod bench;
mod browser;
mod deny;
mod dist;
mod docs;
mod metadata;
mod package;
mod platforms;
mod program;
#[cfg(test)]
mod repository;
mod rust_version;
mod schema;
mod serving;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <chore>

  test           everything that checks the project; what CI runs. With --slow: also the slow
                 checks: minutes more, 1 GB, and they rarely find anything
  docs           regenerate docs/cli.md and the pictures
  package        package what is published, and build and try the program from the packages alone
  dist           an archive of the program for this platform, with its papers, in target/dist.
                 With --program PATH: with that program instead of one that is built for it.
                 With --check: makes one of the program of the packages, unpacks it and tries it.
                 With --check PATH: tries that archive, and looks at the size of the program
  screenshots    pictures of every view of the page, for people to look at, and the README's
  automaton      find anew which moves searches may leave out, for files that come with the library
  bench check    boards a second through `taquin check --json`
  bench korf15   Korf's 100 boards of the 15-puzzle: lengths, nodes, time; takes minutes
  bench tables   how long the tables of the engine take to build
  bench engine   the engine on 4x4, full tables in memory: lengths, nodes, time
  bench slides   the engine of multi-tile moves on 4x4, tables in memory: Korf's 100 boards, random
                 boards, the farthest; or with quick|full and a number of threads
  bench korf24   Korf and Felner's 50 boards of the 24-puzzle, the easiest first, 5 minutes each on
                 two threads; fills in docs/benchmarks.md. Takes hours; ended at any time, it goes
                 on later. With --until TIME, --threads N, --boards 1-20, --fresh.
                 With numbers of boards: the engine alone on those, one thread
  bench anytime  how good solutions get in 0.1, 1 and 10 s, from 5x5 to 100x100; takes half an hour;
                 with `multi` in multi-tile moves, from 4x4.
                 With a size, a time and a number of boards, as in 6x6 1s 20: only that
  bench hints    how long a proven hint takes on 4x4 with the quick tables
  bench spaces   every board of 2x2 to 2x6 in both metrics: time, memory, lookups; or of other sizes
  bench process  whole processes: the first solve ever, and one with full tables on disk
  bench soak     `taquin serve` under a mix of requests for some minutes: memory must stay flat
  bench server   `taquin serve` under load: requests a second, too many clients, clients that leave,
                 time to start. With check, solve, overload, leave or start: only that";

/// What a chore comes to: an error is one line for standard error.
type Chore = Result<(), String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args[..] {
        ["test"] => test::run_all(false),
        ["test", "--slow"] => test::run_all(true),
        ["docs"] => docs::write(),
        ["package"] => package::check(),
        ["dist"] => dist::make(None),
        ["dist", "--check"] => dist::check(),
        ["dist", "--check", archive] => dist::check_shipped(archive),
        ["dist", "--program", program] => dist::make(Some(program)),
        ["screenshots"] => browser::screenshots(),
        ["automaton"] => bench::automaton(),
        ["bench", "check"] => bench::check(),
        ["bench", "korf15"] => bench::korf15(None),
        ["bench", "korf15", heuristic] => bench::korf15(Some(heuristic)),
        ["bench", which @ ("tables" | "engine")] => bench::engine(&[which]),
        ["bench", "korf24", ref args @ ..] => bench::korf24(args),
        ["bench", ref args @ ..] if args.first() == Some(&"slides") => bench::slides(&args[1..]),
        ["bench", ref args @ ..] if args.first() == Some(&"anytime") => bench::anytime(&args[1..]),
        ["bench", "hints"] => bench::anytime(&["hints"]),
        ["bench", ref args @ ..] if args.first() == Some(&"spaces") => bench::spaces(&args[1..]),
        ["bench", "process"] => bench::process(),
        ["bench", "soak"] => bench::soak(None),
        ["bench", "soak", minutes] => bench::soak(Some(minutes)),
        ["bench", ref args @ ..] if args.first() == Some(&"server") => bench::server(&args[1..]),
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => Err(format!("unknown chore: {}\n{USAGE}", args.join(" "))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the workspace.
fn root() -> &'static std::path::Path {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the workspace")
}

/// The text of a file of the workspace, whatever a checkout makes of its line ends.
fn read(path: impl AsRef<std::path::Path>) -> Result<String, String> {
    let path = root().join(path);
    let text = std::fs::read_to_string(&path);
    text.map(|text| text.replace("\r\n", "\n"))
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Where cargo builds.
fn target() -> std::path::PathBuf {
    let elsewhere = std::env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty());
    root().join(elsewhere.unwrap_or_else(|| "target".into()))
}

/// A `cargo` command that runs in the workspace.
fn cargo(args: &[&str]) -> std::process::Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = std::process::Command::new(cargo);
    command.current_dir(root()).args(args);
    command
}
