//! `cargo xtask bench process`: what a user waits for, from the start of the program to its end.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Chore;

/// How many boards are solved with tables on disk, each by a process of its own.
const CACHED: usize = 21;
/// How many times a board is solved with an empty folder.
const FIRST: usize = 5;

/// The first solve ever, with an empty folder of tables; then solves with full tables on disk.
pub(crate) fn process() -> Chore {
    let program = super::program()?;
    let folder = std::env::temp_dir().join(format!("taquin-bench-{}", std::process::id()));
    let result = measure(&program, &folder);
    let removed = match std::fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.to_string()),
        _ => Ok(()),
    };
    result.and(removed)
}

fn measure(program: &Path, folder: &Path) -> Chore {
    let boards = Command::new(program)
        .args(["scramble", "--size", "4x4", "--seed", "1", "--count"])
        .arg(CACHED.to_string())
        .output()
        .map_err(|error| format!("bench process: {error}"))?;
    let boards = String::from_utf8_lossy(&boards.stdout).into_owned();
    let boards: Vec<&str> = boards.lines().collect();

    let mut first = Vec::new();
    for (i, board) in boards.iter().take(FIRST).enumerate() {
        first.push(run(
            program,
            &folder.join(i.to_string()),
            &["solve", board],
        )?);
    }
    print("first solve ever of a random 4x4 board, no tables", first);

    let full = folder.join("full");
    let build = run(
        program,
        &full,
        &["tables", "build", "4x4", "--tier", "full"],
    )?;
    print("taquin tables build 4x4 --tier full", vec![build]);
    let mut cached = Vec::new();
    for board in &boards {
        cached.push(run(program, &full, &["solve", board])?);
    }
    print("a random 4x4 board, full tables on disk", cached);
    Ok(())
}

/// Runs the program with its tables in a folder, and takes the time.
fn run(program: &Path, folder: &Path, args: &[&str]) -> Result<Duration, String> {
    let start = Instant::now();
    let status = Command::new(program)
        .args(args)
        .env("TAQUIN_TABLES", folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let time = start.elapsed();
    match status {
        Ok(status) if status.success() => Ok(time),
        Ok(status) => Err(format!("taquin {} failed: {status}", args.join(" "))),
        Err(error) => Err(format!("bench process: {error}")),
    }
}

/// Prints the least, the median and the longest time.
fn print(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let (Some(&least), Some(&longest)) = (times.first(), times.last()) else {
        return;
    };
    println!(
        "{name}: {} run(s), least {:.1} ms, median {:.1} ms, longest {:.1} ms",
        times.len(),
        ms(least),
        ms(times[times.len() / 2]),
        ms(longest)
    );
}
