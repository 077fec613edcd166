//! Ends that come too early or not at all: signals, input without end, output that cannot be
//! written, threads that are not needed.
#![cfg(target_os = "linux")]

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Not the tables of whoever runs the tests.
const TABLES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/tables");
const PROGRAM: &str = env!("CARGO_BIN_EXE_taquin");

/// A board that no search here solves in any time that a test could wait for.
const ENDLESS: &str = "24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0";

fn taquin(args: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(args).env("TAQUIN_TABLES", TABLES);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn send(signal: &str, child: &Child) {
    let process = child.id().to_string();
    let sent = Command::new("kill").args([signal, &process]).status();
    assert!(sent.unwrap().success());
}

/// Waits until something is so.
fn until(what: &str, mut so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !so() {
        assert!(begin.elapsed() < Duration::from_secs(60), "in vain: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn threads(child: &Child) -> usize {
    std::fs::read_dir(format!("/proc/{}/task", child.id())).map_or(0, Iterator::count)
}

/// What a process has printed, and how it ended.
fn end(child: Child) -> (String, String, ExitStatus) {
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status)
}

/// The processor time that a process has had, in hundredths of a second.
fn processor_time(child: &Child) -> u64 {
    let about = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let fields = about.rsplit(')').next().unwrap().split_whitespace();
    fields
        .skip(11)
        .take(2)
        .map(|time| time.parse::<u64>().unwrap())
        .sum()
}

/// A search that goes on until it is told to end, and has begun.
fn endless(args: &[&str]) -> Child {
    let child = taquin(args).spawn().unwrap();
    until("it searches", || processor_time(&child) > 20);
    child
}

#[test]
fn every_signal_that_asks_to_end_lets_the_search_tell_what_is_proven() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let child = endless(&["solve", "--optimal", "--json", ENDLESS]);
        send(signal, &child);
        let (answer, errors, status) = end(child);
        assert!(
            answer.contains("\"status\":\"limit\""),
            "{signal}: {answer}{errors}"
        );
        assert_eq!(status.code(), Some(130), "{signal}");
    }
    for (args, expected) in [
        (
            &["solve", "--optimal", ENDLESS][..],
            "interrupted; every solution takes at least",
        ),
        // Without --optimal there is a solution at once.
        (&["solve", ENDLESS], "moves, not proven optimal: at least"),
    ] {
        let child = endless(args);
        send("-TERM", &child);
        let (answer, _, status) = end(child);
        assert!(answer.contains(expected), "{answer}");
        assert_eq!(status.code(), Some(130));
    }
}

#[test]
fn signals_in_quick_succession_are_one() {
    let child = endless(&["solve", "--optimal", "--json", ENDLESS]);
    // From one shell, so that no time is lost between them.
    let process = child.id().to_string();
    let script = "kill -TERM $0; kill -INT $0; kill -TERM $0; kill -INT $0";
    assert!(
        Command::new("sh")
            .args(["-c", script, &process])
            .status()
            .unwrap()
            .success()
    );
    let (answer, _, status) = end(child);
    assert!(answer.contains("\"status\":\"limit\""), "{answer}");
    assert_eq!(status.code(), Some(130));
}

#[test]
fn what_was_compared_is_printed_when_the_signal_comes() {
    for format in ["--format=json", "--format=csv", "--format=markdown"] {
        let child = taquin(&[
            "compare",
            format,
            "--algorithms",
            "idastar",
            "--heuristics",
            "manhattan",
            "--limit-time",
            "1h",
            "1 2/0 3",
            ENDLESS,
        ])
        .spawn()
        .unwrap();
        // The first board takes none of it, the second all that there is.
        until("the second search goes on", || processor_time(&child) > 30);
        send("-TERM", &child);
        let (answer, errors, status) = end(child);
        assert_eq!(status.code(), Some(130), "{errors}");
        assert!(
            answer.contains("idastar") && answer.ends_with('\n'),
            "{format}: {answer}"
        );
    }
}

#[test]
fn what_was_compared_is_printed_when_the_signal_comes_before_the_next_board() {
    for format in ["--format=json", "--format=table", "--format=csv"] {
        let mut child = taquin(&["compare", format, "--algorithms", "bfs"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        // The complaint about the second board comes after the first one is searched.
        input.write_all(b"1 2/0 3\n1 2/2 0\n").unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut complaint = String::new();
        errors.read_line(&mut complaint).unwrap();
        assert!(complaint.contains("line 2"), "{complaint}");
        send("-TERM", &child);
        let (answer, _, status) = end(child);
        assert_eq!(status.code(), Some(130), "{format}");
        assert!(answer.contains("bfs"), "{format}: {answer}");
        drop(input);
    }
}

/// A supervisor may send a signal as soon as it has read the address.
#[test]
fn a_server_that_has_told_its_address_stops_in_good_order() {
    for _ in 0..10 {
        let mut child = taquin(&["serve", "--listen", "127.0.0.1:0", "--log", "off"])
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(line.contains("listens on"), "{line}");
        send("-TERM", &child);
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

/// Answers go into a pipe by the block. Whoever ends the program gets those that are ready.
#[test]
fn what_was_answered_is_printed_before_the_end() {
    let mut child = taquin(&["check", "--json"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    let mut ask = |input: &mut ChildStdin| {
        input.write_all(b"1 2 3/4 5 6/7 8 0\n").unwrap();
        line.clear();
        output.read_line(&mut line).unwrap();
        assert!(line.ends_with("}\n"), "{line}");
    };
    ask(&mut input);
    ask(&mut input);
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
}

#[test]
fn a_stream_of_records_ends_with_a_whole_one() {
    let mut child = taquin(&["scramble", "--json", "--count", "1000000000"])
        .spawn()
        .unwrap();
    let mut output = child.stdout.take().unwrap();
    let mut some = vec![0; 1 << 20];
    output.read_exact(&mut some).unwrap();
    let reader = thread::spawn(move || {
        let mut rest = Vec::new();
        output.read_to_end(&mut rest).unwrap();
        rest
    });
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let rest = reader.join().unwrap();
    let last = rest.last().or(some.last());
    assert_eq!(last, Some(&b'\n'));
}

/// Runs a program that is fed by `feed` and may not have much memory: with more it is aborted. Gives
/// its exit code and its first complaint.
fn fed(args: &[&str], feed: impl FnOnce(ChildStdin) + Send + 'static) -> Fed {
    let mut child = Command::new("sh")
        .args(["-c", r#"ulimit -v "$0" && exec "$@""#, MEMORY, PROGRAM])
        .args(args)
        .env("TAQUIN_TABLES", TABLES)
        // Or every thread takes address space that it does not use.
        .env("MALLOC_ARENA_MAX", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take().unwrap();
    let feeder = thread::spawn(move || feed(stdin));
    let mut complaint = String::new();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    errors.read_line(&mut complaint).unwrap();
    let code = child.wait().unwrap().code();
    feeder.join().unwrap();
    Fed { code, complaint }
}

/// The most address space of a program that reads, in kilobytes, program and stacks included. The
/// longest line is 48 MB, and a buffer that grows to it takes twice that while it does.
const MEMORY: &str = "300000";

#[derive(Debug)]
struct Fed {
    code: Option<i32>,
    complaint: String,
}

/// Writes the same again and again until nobody reads any more.
fn for_ever(mut input: ChildStdin, bytes: &[u8]) {
    let bytes = bytes.repeat((1 << 16) / bytes.len());
    while input.write_all(&bytes).is_ok() {}
}

#[test]
fn input_without_end_is_refused_in_bounded_memory() {
    for args in [
        &["check", "--file", "/dev/zero"][..],
        &["solve", "--file", "/dev/zero"],
        &["apply", "--moves-file", "/dev/zero", "1 2/3 0"],
        &["convert", "--input", "grid", "--file", "/dev/zero"],
    ] {
        let refused = fed(args, drop);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(
            refused.complaint.contains("not text (byte 0x00)"),
            "{refused:?}"
        );
    }
    // Without line breaks, as of `yes | tr -d '\n'`.
    for bytes in [&b"1 "[..], b"y", b"{\"a\":"] {
        for command in ["check", "solve"] {
            let feed = move |input: ChildStdin| for_ever(input, bytes);
            let refused = fed(&[command], feed);
            assert_eq!(refused.code, Some(2), "{refused:?}");
            assert!(
                refused.complaint.contains("line 1")
                    && refused.complaint.contains("64000000 bytes"),
                "{refused:?}"
            );
        }
    }
}

#[test]
fn a_long_line_of_json_is_refused_and_the_next_board_is_read() {
    let feed = |mut input: ChildStdin| {
        input
            .write_all(b"{\"board\":\"1 2/3 0\",\"moves\":\"")
            .unwrap();
        for _ in 0..50 {
            input.write_all(&b"R".repeat(1_000_000)).unwrap();
        }
        input.write_all(b"\"}\n").unwrap();
        // It may be that nobody reads any more when the complaint has come.
        let _ = input.write_all(b"1 2/3 0\n");
    };
    let refused = fed(&["check", "--json"], feed);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let expected = "standard input, line 1, column 1: the line is longer than 48000000 bytes";
    assert!(refused.complaint.contains(expected), "{refused:?}");
}

#[test]
fn a_board_in_json_is_no_longer_than_another() {
    let feed = |mut input: ChildStdin| {
        input.write_all(b"{\"board\":\"").unwrap();
        for _ in 0..40 {
            input.write_all(&b"1 ".repeat(500_000)).unwrap();
        }
        input.write_all(b"\"}\n").unwrap();
    };
    let refused = fed(&["check"], feed);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.complaint.contains("longer than 1048576 bytes"),
        "{refused:?}"
    );
}

fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

#[test]
fn all_that_is_printed_is_printed_or_told() {
    for args in [
        &["--help"][..],
        &["-h"],
        &["--version"],
        &["help", "solve"],
        &["solve", "--help"],
        &["completions", "bash"],
        &["man"],
        &["man", "solve"],
        &["check", "1 2/3 0"],
        &["check", "--json", "1 2/3 0"],
        &["show", "1 2/3 0"],
        &["solve", "1 2/3 0"],
        &["hint", "1 2/0 3"],
        &["convert", "1 2/3 0"],
        &["estimate", "1 2/3 0"],
        &["enumerate", "2x2"],
        &["enumerate", "2x2", "--format", "csv"],
        &["compare", "--no-time", "1 2/3 0"],
        &["tables", "path"],
    ] {
        let output = taquin(args).stdout(full()).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        let expected = "error: cannot write the output: No space left";
        assert!(message.contains(expected), "{args:?}: {message}");
        // Nobody reads: a quiet end.
        let mut child = taquin(args).spawn().unwrap();
        drop(child.stdout.take());
        let (_, message, status) = end(child);
        assert_eq!((status.code(), &*message), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn many_threads_are_only_started_for_many_boards() {
    let mut child = taquin(&["solve", "--json", "--threads", "1024"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(b"1 2 3/4 5 6/7 0 8\n1 2 3/4 5 6/0 7 8\n")
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    // Two boards, who reads, who hears signals, who prints, and what a search may add.
    let count = threads(&child);
    assert!(count <= 64, "{count} threads");
    drop(input);
    assert!(child.wait().unwrap().success());
}
