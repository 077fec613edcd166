//! The program within limits of memory and time, its own and the system's.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Not the tables of whoever runs the tests.
const TABLES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/no-tables-here");

const TAQUIN: &str = env!("CARGO_BIN_EXE_taquin");

fn run(args: &[&str]) -> Output {
    Command::new(TAQUIN)
        .args(args)
        .env("TAQUIN_TABLES", TABLES)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A board that takes a blind or a weak search far more memory than any of the limits here.
const HARD: &str = "0 12 9 13 15 11 10 14 3 7 6 2 4 8 5 1";
/// Its states are on the heap, each in a piece of its own.
const HARD_5X5: &str = "16 1 11 10 12/8 13 24 4 15/9 21 14 18 7/22 6 0 17 19/5 3 23 20 2";

#[test]
fn memory_that_the_system_refuses_is_the_memory_limit() {
    // The shell sets the limit for what it becomes.
    let limited = |megabytes: u32, args: &str| {
        let script = format!("ulimit -v {} && exec \"$0\" {args}", megabytes * 1024);
        Command::new("sh")
            .args(["-c", &script, TAQUIN])
            .env("TAQUIN_TABLES", TABLES)
            .output()
    };
    if !cfg!(target_os = "linux") {
        println!("skipped: only Linux refuses memory by `ulimit -v` for sure");
        return;
    }
    match limited(4096, "--version") {
        Ok(output) if output.status.success() => {}
        other => {
            println!("skipped: no limit can be set here: {other:?}");
            return;
        }
    }
    for (algorithm, board) in [
        ("astar", HARD),
        ("bfs", HARD),
        ("nbs", HARD),
        ("astar", HARD_5X5),
        ("frontier", HARD_5X5),
    ] {
        let args = format!(
            "solve --json --algorithm {algorithm} --heuristic manhattan --limit-memory 100GB \
             --limit-time 120s --threads 1 '{board}'"
        );
        let output = limited(400, &args).unwrap();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{algorithm}: {out}{err}");
        assert!(out.contains("\"memory\""), "{algorithm}: {out}{err}");
    }
}

#[test]
fn commands_about_whole_spaces_obey_a_time_limit() {
    // Without a limit each takes seconds at least, the last one minutes.
    for args in [
        &["enumerate", "3x4", "--fresh"][..],
        &["farthest", "2x6", "--metric", "multi"],
        &["sample", "3x4", "--distance", "53"],
        &["quality", "3x4", "--heuristics", "pdb:quick"],
    ] {
        let args = [args, &["--limit-time", "10ms", "--threads", "1"]].concat();
        let begin = Instant::now();
        let output = run(&args);
        let (err, took) = (text(&output.stderr), begin.elapsed());
        assert_eq!(output.status.code(), Some(1), "{args:?}: {err}");
        assert!(err.contains("--limit-time"), "{args:?}: {err}");
        assert!(took < Duration::from_secs(20), "{args:?}: {took:?}");
    }
}

#[test]
fn commands_about_whole_spaces_obey_a_memory_limit() {
    for args in [
        &["enumerate", "3x4"][..],
        &["farthest", "3x4"],
        &["sample", "3x4", "--distance", "53"],
        &["quality", "3x4", "--heuristics", "manhattan"],
        &["quality", "3x3", "--heuristics", "pdb:full"],
        &["distance", "1 2 3 4/5 6 7 8/9 10 0 11"],
    ] {
        let args = [args, &["--limit-memory", "1MB"]].concat();
        let output = run(&args);
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {err}");
        // Where the machine itself has too little, a larger limit would not help.
        let is_told = err.contains("--limit-memory") || err.contains("to spare");
        assert!(is_told, "{args:?}: {err}");
    }
}
