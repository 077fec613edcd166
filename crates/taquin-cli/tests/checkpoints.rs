//! `taquin solve --checkpoint`: killed and gone on with, and what is refused.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Not the tables of whoever runs the tests.
const TABLES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/tables");

/// Some seconds with the quick tables.
const LONG: &str = "15 12 9 13 8 11 10 14 4 3 6 2 0 7 5 1";
/// Half a minute.
const LONGER: &str = "0 12 9 13 15 11 10 14 8 3 6 2 4 7 5 1";
/// Some milliseconds.
const SHORT: &str = "8 2 0 1 15 13 14 5 12 11 9 10 4 3 6 7";

/// A checkpoint in a folder of its own.
struct Search {
    folder: tempfile::TempDir,
}

impl Search {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("search.txt")
    }

    fn start(&self, board: &str) -> Child {
        solve(board, &["--checkpoint"], Some(&self.file()))
    }

    fn run(&self, board: &str) -> Output {
        self.start(board).wait_with_output().unwrap()
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap_or_default()
    }
}

fn solve(board: &str, options: &[&str], file: Option<&Path>) -> Child {
    Command::new(env!("CARGO_BIN_EXE_taquin"))
        .args(["solve", "--json", "--tables", "quick", "--threads", "1"])
        .args(options)
        .args(file)
        .arg(board)
        .env("TAQUIN_TABLES", TABLES)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn record(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

/// The iterations before the one that finds the solution, which ends wherever it does.
fn complete(record: &Value) -> Vec<Value> {
    let mut iterations = record["iterations"].as_array().unwrap().clone();
    iterations.pop();
    iterations
}

fn remarks(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Waits until something is so.
fn until(what: &str, mut so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !so() {
        assert!(begin.elapsed() < Duration::from_secs(60), "in vain: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_search_that_is_killed_goes_on_and_counts_what_it_would_have_counted() {
    killed_and_compared(LONG, 3);
}

#[test]
#[ignore = "a minute; cargo xtask test --slow"]
fn a_search_that_is_killed_ten_times_goes_on_too() {
    killed_and_compared(LONGER, 10);
}

/// Kills a search whenever it has kept something new, and lets it end then.
fn killed_and_compared(board: &str, times: u32) {
    let whole = solve(board, &["--optimal"], None);
    let search = Search::new();
    for _ in 0..times {
        let before = search.text();
        let mut running = search.start(board);
        until("a new checkpoint", || {
            search.text() != before || running.try_wait().unwrap().is_some()
        });
        running.kill().unwrap();
        running.wait().unwrap();
    }
    let last = search.run(board);
    let told = remarks(&last);
    assert!(told.contains("going on from"), "{told}");
    let (whole, last) = (record(&whole.wait_with_output().unwrap()), record(&last));
    assert_eq!(last["optimal"], true);
    assert_eq!(last["length"], whole["length"]);
    assert_eq!(complete(&last), complete(&whole));

    // The solution is kept too.
    let again = record(&search.run(board));
    assert_eq!(again["moves"], last["moves"]);
    assert_eq!(again["iterations"], last["iterations"]);
}

#[test]
fn ctrl_c_keeps_the_search_and_says_how_to_go_on() {
    let search = Search::new();
    let running = search.start(LONG);
    until("a lock", || {
        search.folder.path().join("search.txt.lock").exists()
    });
    // The search has begun when the flag is looked at: else it is stopped before, and keeps nothing.
    thread::sleep(Duration::from_millis(300));
    let sent = Command::new("kill")
        .args(["-INT", &running.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
    let stopped = running.wait_with_output().unwrap();
    assert_eq!(stopped.status.code(), Some(130));
    let told = remarks(&stopped);
    assert!(
        told.contains("keeps how far the search is; the same command goes on there"),
        "{told}"
    );
    assert_eq!(record(&stopped)["status"], "limit");
}

#[test]
fn a_second_process_is_refused() {
    let search = Search::new();
    let mut first = search.start(LONG);
    until("a lock", || {
        search.folder.path().join("search.txt.lock").exists()
    });
    thread::sleep(Duration::from_millis(300));
    let second = search.run(LONG);
    assert_eq!(second.status.code(), Some(2), "{second:?}");
    let told = remarks(&second);
    assert!(
        told.contains("search.txt: another process is searching with this checkpoint"),
        "{told}"
    );
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn checkpoints_of_other_boards_and_files_of_other_kinds_are_refused_by_name() {
    let search = Search::new();
    assert!(search.run(SHORT).status.success());
    let kept = search.text();
    let other = search.run(LONG);
    assert!(!other.status.success());
    let said = format!(
        "{}{}",
        remarks(&other),
        String::from_utf8_lossy(&other.stdout)
    );
    assert!(
        said.contains("the checkpoint is of another board"),
        "{said}"
    );
    assert_eq!(search.text(), kept, "it is left as it is");

    for (text, why) in [
        ("1 2 3\n", "not a checkpoint of Taquin"),
        (&kept[..kept.len() / 2], "damaged"),
        (
            &kept.replacen("checkpoint 1", "checkpoint 7", 1),
            "a checkpoint in format 7",
        ),
    ] {
        fs::write(search.file(), text).unwrap();
        let refused = search.run(SHORT);
        assert_eq!(refused.status.code(), Some(2));
        let told = remarks(&refused);
        assert!(told.contains("search.txt") && told.contains(why), "{told}");
        assert_eq!(search.text(), text);
    }
}
