//! `cargo xtask bench …`: the measurements behind `docs/benchmarks.md`.

mod process;
mod server;

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::{Chore, cargo, target};

pub(crate) use process::process;
pub(crate) use server::{server, soak};

/// How many boards `bench check` sends through the program.
const BOARDS: u32 = 1_000_000;

/// Boards a second through `taquin check --json`, read from a pipe, and the memory it took.
pub(crate) fn check() -> Chore {
    let fail = |error: std::io::Error| format!("bench check: {error}");
    let program = program()?;
    let path = std::env::temp_dir().join(format!("taquin-bench-{}.txt", std::process::id()));
    let boards = File::create(&path).map_err(fail)?;
    let scrambled = Command::new(&program)
        .args(["scramble", "--size", "4x4", "--seed", "1", "--count"])
        .arg(BOARDS.to_string())
        .stdout(boards)
        .status();
    let mut result = scrambled.map(|_| ());
    for run in 1..=3 {
        if result.is_err() {
            break;
        }
        result = once(&program, &path, run);
    }
    let removed = std::fs::remove_file(&path);
    result.and(removed).map_err(fail)
}

/// The program, built for release.
fn program() -> Result<PathBuf, String> {
    let built = cargo(&["build", "--release", "--package", "taquin-cli"]).status();
    if !built.is_ok_and(|status| status.success()) {
        return Err("the release build failed".to_owned());
    }
    Ok(target().join("release/taquin"))
}

/// The table engine: `tables`, `engine` or `korf24` with the numbers of boards.
pub(crate) fn engine(args: &[&str]) -> Chore {
    example("engine", &["--features", "store"], args)
}

/// Korf and Felner's 50 boards through the front door, into `docs/benchmarks.md`; with numbers of
/// boards the engine alone on those.
pub(crate) fn korf24(args: &[&str]) -> Chore {
    if are_numbers(args) {
        return engine(&[&["korf24"], args].concat());
    }
    let journal = target().join("bench/korf24.jsonl");
    let table = crate::root().join("docs/benchmarks.md");
    let (journal, table) = (journal.to_string_lossy(), table.to_string_lossy());
    let places = ["--journal", &*journal, "--table", &*table];
    // What is typed comes last, and counts.
    let args = [&places, args].concat();
    example("korf24", &["--features", "json,store"], &args)
}

/// Whether these are numbers of boards and nothing else.
fn are_numbers(args: &[&str]) -> bool {
    !args.is_empty() && args.iter().all(|arg| arg.parse::<u32>().is_ok())
}

/// The engine of multi-tile moves: with a tier of tables and a number of threads.
pub(crate) fn slides(args: &[&str]) -> Chore {
    example("slides", &["--features", "store"], args)
}

/// Good solutions in little time: the whole table, one row of it, or `hints`.
pub(crate) fn anytime(args: &[&str]) -> Chore {
    example("anytime", &[], args)
}

/// Every board of small sizes, or of those named.
pub(crate) fn spaces(args: &[&str]) -> Chore {
    example("spaces", &[], args)
}

/// Finds the automata of the library anew, and writes them where it reads them.
pub(crate) fn automaton() -> Chore {
    let folder = crate::root().join("crates/taquin/src/solve/automaton");
    example("automaton", &[], &[&folder.to_string_lossy()])
}

/// Runs an example of the library.
fn example(name: &str, features: &[&str], args: &[&str]) -> Chore {
    let mut run = cargo(&["run", "--release", "--package", "taquin"]);
    run.args(features).args(["--example", name, "--"]);
    match run.args(args).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{name} {} failed", args.join(" "))),
        Err(error) => Err(format!("{name} {}: {error}", args.join(" "))),
    }
}

/// Korf's 100 boards, all of them, with IDA* and a heuristic of the laboratory. Every length must be
/// the published one.
pub(crate) fn korf15(heuristic: Option<&str>) -> Chore {
    example("korf15", &[], heuristic.as_slice())
}

fn once(program: &std::path::Path, path: &std::path::Path, run: u32) -> std::io::Result<()> {
    let mut cat = Command::new("cat")
        .arg(path)
        .stdout(Stdio::piped())
        .spawn()?;
    let input = cat.stdout.take().expect("the pipe was asked for");
    let start = Instant::now();
    let mut check = Command::new(program)
        .args(["check", "--json"])
        .stdin(input)
        .stdout(Stdio::piped())
        .spawn()?;
    let mut output = check.stdout.take().expect("the pipe was asked for");
    let mut buffer = vec![0; 1 << 16];
    let (mut bytes, mut lines, mut memory) = (0, 0, None);
    loop {
        let read = output.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        bytes += read;
        lines += buffer[..read].split(|&b| b == b'\n').count() - 1;
        memory = peak_memory(check.id()).or(memory);
    }
    let success = check.wait()?.success();
    cat.wait()?;
    let seconds = start.elapsed().as_secs_f64();
    let rate = f64::from(BOARDS) / seconds;
    let memory = memory.unwrap_or_else(|| "unknown".to_owned());
    println!(
        "run {run}: {lines} boards, {bytes} bytes of JSON in {seconds:.2} s: {rate:.0} boards/s, \
         peak memory {memory}, success {success}"
    );
    Ok(())
}

/// The most memory a process has used so far, where the system tells.
fn peak_memory(process: u32) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_boards_are_told_from_options() {
        assert!(are_numbers(&["38"]));
        assert!(are_numbers(&["38", "40"]));
        for args in [&[][..], &["--until", "5"], &["--fresh"], &["38", "--fresh"]] {
            assert!(!are_numbers(args), "{args:?}");
        }
    }
}
