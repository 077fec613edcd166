//! Solutions in a given time: which tables they use, and what becomes of them when nobody waits.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A board that a solution is improved of for as long as there is time.
const LARGE: &str = "29 13 22 32 1 27 42/14 41 31 17 24 40 9/46 0 2 43 12 39 15/3 44 28 34 20 18 23/36 38 19 7 26 45 16/30 35 10 5 25 4 21/8 48 33 37 11 6 47";
const FIVE: &str = "0 22 12 11 15/9 14 19 13 21/17 7 8 20 1/6 2 10 4 24/16 18 5 3 23";
const FOUR: &str = "6 7 4 5/3 0 15 10/13 8 9 1/14 2 11 12";
const THREE: &str = "8 6 7/2 5 4/3 0 1";

fn solve(tables: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taquin"));
    command
        .arg("solve")
        .args(args)
        .env("TAQUIN_TABLES", tables)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// What a run in an own folder of tables printed, and whether it has built some.
fn ran(tables: &Path, args: &[&str]) -> (Output, bool) {
    let output = solve(tables, args).output().unwrap();
    let built = fs::read_dir(tables).is_ok_and(|mut files| files.next().is_some());
    (output, built)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn tables_are_built_only_where_there_is_time_for_them() {
    for (args, code, builds, expected) in [
        (&["--fast", THREE][..], 0, false, "first: "),
        (&["--fast", FIVE], 0, false, "first: "),
        (&["--within", "0s", THREE], 0, false, "anytime: "),
        (
            &["--within", "1m", THREE],
            0,
            true,
            "anytime with pdb:full: ",
        ),
        (
            &["--within", "1m", FOUR],
            0,
            true,
            "anytime with pdb:quick: ",
        ),
        (
            &["--fast", "--tables", "quick", FOUR],
            0,
            true,
            "first with pdb:quick: ",
        ),
        (
            &["--within", "1m", "1 2 3/4 5 6/8 7 0"],
            1,
            false,
            "unsolvable",
        ),
        (
            &["--fast", "--tables", "full", "2 1/3 0"],
            1,
            false,
            "unsolvable",
        ),
    ] {
        let tables = tempfile::tempdir().unwrap();
        let (output, built) = ran(tables.path(), args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{args:?}: {output:?}");
        assert_eq!(built, builds, "{args:?}");
        assert!(
            text(&output.stdout).contains(expected),
            "{args:?}: {output:?}"
        );
    }
}

#[test]
fn stored_tables_are_taken_in_where_they_delay_nothing() {
    let tables = tempfile::tempdir().unwrap();
    let first = solve(tables.path(), &["--tables", "quick", FOUR]).output();
    assert!(first.unwrap().status.success());
    for (args, expected) in [
        (
            ["--within", "1m", FOUR].as_slice(),
            "anytime with pdb:quick: ",
        ),
        // The first solution is there before the tables would be.
        (&["--fast", FOUR], "first: "),
    ] {
        let (output, _) = ran(tables.path(), args);
        assert!(text(&output.stdout).contains(expected), "{output:?}");
    }
}

#[test]
fn what_tables_would_be_good_for_is_said_once() {
    let tables = tempfile::tempdir().unwrap();
    let args = ["--within", "0s", "--goal", "snake", FIVE, FIVE];
    let (output, built) = ran(tables.path(), &args);
    assert!(!built);
    assert_eq!(
        text(&output.stderr),
        "note: 5x5 has no full tables yet, and building them would take too much of the time; \
         run `taquin tables build 5x5 --goal snake` once for better results\n"
    );
    assert_eq!(
        text(&output.stdout).matches("not proven optimal").count(),
        2
    );
}

#[test]
fn every_solution_that_is_shown_solves_its_board() {
    let folder = tempfile::tempdir().unwrap();
    let goal = ["--goal", "snake"];
    for args in [
        &["--fast"][..],
        &["--within", "0s"],
        &["--within", "50ms", "--stream"],
    ] {
        let mut solved = solve(folder.path(), args)
            .args(goal)
            .args([
                "--json",
                "--notation",
                "numbers",
                FIVE,
                "3 1 2/4 5 6/7 0 8/9 10 11",
            ])
            .spawn()
            .unwrap();
        let verified = Command::new(env!("CARGO_BIN_EXE_taquin"))
            .args(["apply", "--expect-goal"])
            .args(goal)
            .stdin(solved.stdout.take().unwrap())
            .output()
            .unwrap();
        assert!(solved.wait().unwrap().success(), "{args:?}");
        assert!(verified.status.success(), "{args:?}: {verified:?}");
        let lines = text(&verified.stdout).matches(": solved in ").count();
        let least = if args.contains(&"--stream") { 4 } else { 2 };
        assert!(lines >= least, "{args:?}: {verified:?}");
    }
}

#[test]
fn an_empty_file_has_no_board() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("empty.txt");
    fs::write(&file, "").unwrap();
    for option in [&["--fast"][..], &["--within", "1s"]] {
        let output = solve(folder.path(), option)
            .arg("--file")
            .arg(&file)
            .output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).contains("no board here"), "{output:?}");
    }
}

#[test]
#[cfg(unix)]
fn ctrl_c_gives_the_best_so_far() {
    use std::io::{BufRead, BufReader};

    let folder = tempfile::tempdir().unwrap();
    let args = [
        "--within",
        "1m",
        "--limit-memory",
        "100MB",
        "--json",
        "--stream",
    ];
    let mut solve = solve(folder.path(), &args)
        .args([LARGE, THREE])
        .spawn()
        .unwrap();
    // The first line proves that the search is under way.
    let mut lines = BufReader::new(solve.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(first.contains("\"event\":\"improved\""), "{first}");
    let process = solve.id().to_string();
    let sent = Command::new("kill").args(["-INT", &process]).status();
    assert!(sent.unwrap().success());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    let (last, others) = rest.split_last().unwrap();
    assert!(last.contains("\"status\":\"solved\""), "{last}");
    assert!(last.contains("\"optimal\":false"), "{last}");
    // The other board is not begun.
    assert!(
        others.iter().all(|line| line.contains("\"event\"")),
        "{others:?}"
    );
    assert_eq!(solve.wait().unwrap().code(), Some(130));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--within", "200ms", "--json", "--stream", LARGE, LARGE];
    let mut solve = solve(folder.path(), &args).spawn().unwrap();
    let mut begin = [0; 16];
    let mut stdout = solve.stdout.take().unwrap();
    stdout.read_exact(&mut begin).unwrap();
    drop(stdout);
    let output = solve.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn the_largest_boards_are_solved() {
    let folder = tempfile::tempdir().unwrap();
    let mut scramble = Command::new(env!("CARGO_BIN_EXE_taquin"));
    scramble.args(["scramble", "--size", "255x255", "--seed", "1"]);
    let file = folder.path().join("board.txt");
    fs::write(&file, scramble.output().unwrap().stdout).unwrap();
    let output = solve(folder.path(), &["--fast", "--json", "--file"])
        .arg(&file)
        .output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("\"size\":\"255x255\""));
    assert!(text(&output.stdout).contains("\"status\":\"solved\""));
}
