//! The program among other programs: pipes, files, millions of boards, interruptions.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use assert_cmd::prelude::*;

/// Not the tables of whoever runs the tests.
const TABLES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/tables");

fn taquin(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taquin"));
    command.args(args).env("TAQUIN_TABLES", TABLES);
    command
}

fn piped(args: &[&str]) -> Child {
    taquin(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The most memory a process has used so far, in kilobytes.
#[cfg(target_os = "linux")]
fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_million_boards_go_through_in_bounded_memory() {
    let mut check = piped(&["check", "--json"]);
    let mut input = check.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let chunk = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0\n".repeat(1000);
        for _ in 0..1000 {
            input.write_all(chunk.as_bytes()).unwrap();
        }
        input
    });
    let mut output = BufReader::new(check.stdout.take().unwrap());
    let mut line = String::new();
    for number in 1..=999_000 {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "ends at {number}");
    }
    assert!(line.contains("\"solvable\":true"), "{line}");
    let peak = peak_memory(check.id());
    assert!(peak < 64 << 10, "{peak} kB");
    drop(writer.join().unwrap());
    let rest = output.lines().count();
    assert_eq!(rest, 1000);
    assert!(check.wait().unwrap().success());
}

/// The first of Korf's boards: far from its goal, which has the blank first.
const KORF: &str = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3";

#[test]
fn a_closed_pipe_is_not_an_error() {
    for args in [
        &["scramble", "--count", "1000000", "--seed", "1"][..],
        &["scramble", "--count", "1000000", "--seed", "1", "--json"],
        // A search that would go on for minutes.
        &[
            "trace",
            "--max-events",
            "1G",
            "--json",
            "--goal",
            "blank-first",
            KORF,
        ],
        &["trace", "--max-events", "1G", "--goal", "blank-first", KORF],
    ] {
        let mut scramble = piped(args);
        let mut first = [0; 16];
        scramble
            .stdout
            .take()
            .unwrap()
            .read_exact(&mut first)
            .unwrap();
        let output = scramble.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = taquin(&["scramble", "--count", "100000", "--seed", "1"])
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        message.starts_with("error: cannot write the output: No space left"),
        "{message}"
    );
}

#[test]
#[cfg(unix)]
fn an_interruption_ends_with_130() {
    // The handler is installed before anything is read, so an answer proves it is there. The
    // boards are enough to fill the output's buffer once, and too few to fill the pipe behind it.
    let mut child = piped(&["check"]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(&b"1 2/3 0\n".repeat(600)).unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "1 2/3 0: solvable (goal: classic)\n");
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn files_of_all_kinds_are_read_and_the_bad_ones_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let good = path("good.txt", b"1 2/3 0\n\n3\n1 2 3\n4 5 6\n7 8 0\n");
    let empty = path("empty.txt", b"");
    let binary = path("binary.bin", &[0x7f, b'E', b'L', b'F', 0, 1, 2]);
    let missing = dir.path().join("missing.txt").to_str().unwrap().to_owned();
    let folder = dir.path().to_str().unwrap().to_owned();

    let mut args = vec!["check", "--json"];
    for file in [&good, &empty, &binary, &missing, &folder, &good] {
        args.extend(["--file", file]);
    }
    let output = taquin(&args).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let answers = String::from_utf8(output.stdout).unwrap();
    let solvable: Vec<bool> = answers
        .lines()
        .map(|l| l.contains("\"solvable\":true"))
        .collect();
    assert_eq!(
        solvable,
        [true, true, false, false, false, false, true, true]
    );
    let errors = String::from_utf8(output.stderr).unwrap();
    let errors: Vec<&str> = errors.lines().collect();
    assert_eq!(errors.len(), 4, "{errors:?}");
    assert!(
        errors[0]
            .ends_with("empty.txt: no board here: the input is empty, or nothing but comments"),
        "{errors:?}"
    );
    assert!(
        errors[1].contains("binary.bin:1:5: this is not text"),
        "{errors:?}"
    );
    assert!(
        errors[2].contains("missing.txt: No such file"),
        "{errors:?}"
    );
    assert!(errors[3].ends_with(": it is a folder"), "{errors:?}");

    args.push("--strict");
    let output = taquin(&args).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 3);
    assert_eq!(output.status.code(), Some(2));

    // The name of a file where a board was expected.
    let output = taquin(&["check", &good]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("use --file"), "{message}");
}

#[test]
fn json_can_be_piped_from_command_to_command() {
    let output = taquin(&[
        "scramble", "--json", "--seed", "3", "--size", "3x5", "--count", "5",
    ])
    .output()
    .unwrap();
    let mut check = piped(&["check", "--json"]);
    check
        .stdin
        .take()
        .unwrap()
        .write_all(&output.stdout)
        .unwrap();
    let output = check.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8(output.stdout)
            .unwrap()
            .matches("\"size\":\"3x5\"")
            .count(),
        5
    );

    let mut apply = piped(&["apply", "--expect-goal"]);
    let records = "{\"board\":\"1 2 3/4 0 5/7 8 6\",\"moves\":\"RD\",\"notation\":\"blank\"}\n";
    apply
        .stdin
        .take()
        .unwrap()
        .write_all(records.as_bytes())
        .unwrap();
    let output = apply.wait_with_output().unwrap();
    let answer = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        answer,
        "1 2 3/4 0 5/7 8 6: solved in 2 single-tile moves, 2 multi-tile moves\n"
    );
}

#[test]
fn moves_from_a_file_go_with_the_boards_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let moves = dir.path().join("moves.txt");
    std::fs::write(&moves, "R\nRR\n").unwrap();
    let moves = moves.to_str().unwrap();
    let board = "1 2 3/4 5 6/7 8 0";
    let output = taquin(&["apply", "--moves-file", moves, board, board, board])
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "1 2 3/4 5 6/7 0 8\n1 2 3/4 5 6/0 7 8\n"
    );
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("board 3: no moves for this board"),
        "{message}"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn case_lists_are_counted_however_many_boards_come() {
    let mut convert = piped(&["convert", "--output", "uva10181"]);
    let board = b"1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0\n";
    convert
        .stdin
        .take()
        .unwrap()
        .write_all(&board.repeat(3))
        .unwrap();
    let output = String::from_utf8(convert.wait_with_output().unwrap().stdout).unwrap();
    assert!(output.starts_with("3\n1 2 3 4\n5 6 7 8\n"), "{output}");
    assert_eq!(output.lines().count(), 13);
}

#[test]
fn colour_is_used_only_where_it_is_wanted() {
    let shown = |args: &[&str], no_color: bool| {
        let mut command = taquin(args);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        if no_color {
            command.env("NO_COLOR", "1");
        }
        command.output().unwrap().stdout.contains(&0x1b)
    };
    let board = "1 2/3 0";
    assert!(!shown(&["show", board], false), "a pipe");
    assert!(
        shown(&["show", "--color", "always", board], false),
        "asked for"
    );
    assert!(
        !shown(&["show", "--color", "never", board], false),
        "refused"
    );
    assert!(!shown(&["show", board], true), "NO_COLOR");
}

#[test]
fn seeds_are_fresh_unless_given() {
    let draw = || {
        taquin(&["scramble", "--size", "9x9"])
            .output()
            .unwrap()
            .stdout
    };
    assert_ne!(draw(), draw());
    taquin(&["scramble", "--size", "1x9"]).assert().code(2);
    taquin(&["scramble", "--size", "3x3", "--goal", "1 2/3 0"])
        .assert()
        .code(2);
    taquin(&["scramble", "--size", "2x3", "--output", "princeton"])
        .assert()
        .code(2);
}

#[test]
fn a_batch_keeps_its_order_on_any_number_of_threads() {
    let boards = taquin(&["scramble", "--size", "3x3", "--seed", "5", "--count", "200"]);
    let mut boards = { boards }.output().unwrap().stdout;
    boards.extend_from_slice(b"1 1/3 0\n1 2/3 0\n");
    let solved = |threads: &str| {
        let mut solve = piped(&["solve", "--json", "--threads", threads]);
        let mut input = solve.stdin.take().unwrap();
        let boards = boards.clone();
        let writer = std::thread::spawn(move || input.write_all(&boards).unwrap());
        let output = solve.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let lines = String::from_utf8(output.stdout).unwrap();
        // Times differ from run to run.
        let without_time = |line: &str| line.split("\"time_ms\"").next().unwrap().to_owned();
        lines.lines().map(without_time).collect::<Vec<_>>()
    };
    let one = solved("1");
    assert_eq!(one.len(), 202);
    assert_eq!(one, solved("3"));
}

#[test]
fn solutions_are_verified_by_apply() {
    let boards = taquin(&[
        "scramble", "--size", "3x3", "--seed", "6", "--count", "50", "--json",
    ])
    .output()
    .unwrap();
    let mut solve = piped(&[
        "solve",
        "--json",
        "--notation",
        "numbers",
        "--goal",
        "blank-first",
    ]);
    solve
        .stdin
        .take()
        .unwrap()
        .write_all(&boards.stdout)
        .unwrap();
    let solutions = solve.wait_with_output().unwrap();
    let mut apply = piped(&["apply", "--expect-goal", "--goal", "blank-first"]);
    apply
        .stdin
        .take()
        .unwrap()
        .write_all(&solutions.stdout)
        .unwrap();
    let verified = apply.wait_with_output().unwrap();
    assert!(verified.status.success(), "{verified:?}");
    let verified = String::from_utf8(verified.stdout).unwrap();
    assert_eq!(verified.matches(": solved in ").count(), 50);
}

#[test]
fn an_answer_comes_before_the_next_question() {
    for command in ["check", "solve"] {
        let mut child = piped(&[command, "--json"]);
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        for _ in 0..3 {
            input.write_all(b"1 2 3/4 5 6/7 0 8\n").unwrap();
            let mut answer = String::new();
            output.read_line(&mut answer).unwrap();
            assert!(
                answer.starts_with("{\"board\":\"1 2 3/4 5 6/7 0 8\""),
                "{answer}"
            );
        }
        drop(input);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn a_bad_board_takes_its_moves_along() {
    let dir = tempfile::tempdir().unwrap();
    let moves = dir.path().join("moves.txt");
    std::fs::write(&moves, "DD\nRR\nU\n").unwrap();
    let moves = moves.to_str().unwrap();
    let output = taquin(&[
        "apply",
        "--moves-file",
        moves,
        "1 2 3/4 5 5/7 8 0",
        "1 2 3/4 5 6/7 8 0",
    ])
    .output()
    .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "1 2 3/4 5 6/0 7 8\n"
    );
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(
        notes.contains("has more lines of moves than there were boards"),
        "{notes}"
    );
}

#[test]
fn boards_and_moves_cannot_share_standard_input() {
    let output = taquin(&["apply", "--moves-file", "-"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("cannot both come from standard input"),
        "{message}"
    );
}

#[test]
fn forgotten_quotation_marks_are_forgiven_but_whole_boards_stay_apart() {
    let boards = |args: &[&str]| {
        let output = taquin(args).output().unwrap();
        String::from_utf8(output.stdout)
            .unwrap()
            .matches("solvable (goal")
            .count()
    };
    assert_eq!(
        boards(&["check", "1", "2", "3", "4", "5", "6", "7", "8", "0"]),
        1
    );
    assert_eq!(boards(&["check", "1", "2/3", "0"]), 1);
    assert_eq!(
        boards(&["check", "1,2,3,4,5,6,7,8,0", "1,2,3,4,5,6,8,7,0"]),
        2
    );
    assert_eq!(boards(&["check", "1,2/3,0", "3,2/1,0"]), 2);
    assert_eq!(boards(&["check", "--size", "2x2", "1230", "3210"]), 2);
    assert_eq!(boards(&["check", "--", "- 1 2/3 4 5/6 7 8"]), 1);
}

#[test]
#[cfg(unix)]
fn an_interruption_that_is_ignored_stays_ignored() {
    let script = "trap '' INT; \"$0\" check";
    let mut child = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_taquin")])
        .env("TAQUIN_TABLES", TABLES)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"1 2/3 0\n").unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let group = child.id().to_string();
    let kill = Command::new("pkill").args(["-INT", "-P", &group]).status();
    drop(input);
    let status = child.wait().unwrap();
    // Without pkill nothing was sent, and nothing is shown.
    if kill.is_ok() {
        assert!(status.success(), "{status}");
    }
}
