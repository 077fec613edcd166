//! Whole spaces on the command line: published numbers, and commands that check each other.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// Not the tables of whoever runs the tests.
const TABLES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/tables");

/// The number of 3x3 boards at each distance: OEIS A089473.
const SINGLE: [u64; 32] = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878,
    16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
];

/// The number of 3x3 boards at each distance in multi-tile moves.
const MULTI: [u64; 25] = [
    1, 4, 8, 16, 32, 64, 127, 244, 454, 856, 1576, 2854, 5117, 8588, 13466, 19739, 26558, 31485,
    30985, 23494, 11751, 3390, 589, 41, 1,
];

fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_taquin"))
        .args(args)
        .env("TAQUIN_TABLES", TABLES)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs a command on an input.
fn run(args: &[&str], input: &[u8]) -> Output {
    let mut child = start(args);
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    // A command that needs no input may have closed it.
    drop(writer.join().unwrap());
    output
}

/// What a command that succeeds prints, in bytes.
fn printed(args: &[&str], input: &[u8]) -> Vec<u8> {
    let output = run(args, input);
    assert!(output.status.success(), "{args:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{args:?}: {output:?}");
    output.stdout
}

/// What a command that succeeds prints as JSON Lines.
fn records(args: &[&str], input: &[u8]) -> Vec<Value> {
    let lines = String::from_utf8(printed(args, input)).unwrap();
    let parsed = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    parsed.collect()
}

/// The only record.
fn record(args: &[&str]) -> Value {
    let mut records = records(args, b"");
    assert_eq!(records.len(), 1, "{args:?}");
    records.remove(0)
}

fn numbers(value: &Value) -> Vec<u64> {
    let numbers = value.as_array().unwrap().iter();
    numbers.map(|number| number.as_u64().unwrap()).collect()
}

fn distances(records: &[Value]) -> Vec<u64> {
    let distances = records.iter().map(|record| &record["distance"]);
    distances
        .map(|distance| distance.as_u64().unwrap())
        .collect()
}

#[test]
fn the_counts_of_3x3_are_the_published_ones() {
    for (metric, counts, mean) in [
        ("single", &SINGLE[..], 21.972),
        ("multi", &MULTI[..], 16.554),
    ] {
        let found = record(&["enumerate", "3x3", "--metric", metric, "--json"]);
        assert_eq!(numbers(&found["counts"]), counts, "{metric}");
        assert_eq!(found["boards"], 181_440);
        assert_eq!(found["farthest"], counts.len() - 1);
        let there = found["farthest_boards"].as_array().unwrap().len();
        assert_eq!(there as u64, counts[counts.len() - 1]);
        assert!((found["mean"].as_f64().unwrap() - mean).abs() < 6e-4);
        // The cells of the blank share out the boards.
        for (distance, &count) in counts.iter().enumerate() {
            let cells = found["by_blank"].as_array().unwrap().iter();
            let at = |cell: &Value| cell["counts"][distance].as_u64().unwrap_or(0);
            assert_eq!(cells.map(at).sum::<u64>(), count, "{distance}");
        }
    }
}

#[test]
fn csv_and_json_say_the_same() {
    let lines = String::from_utf8(printed(&["enumerate", "3x3", "--format", "csv"], b"")).unwrap();
    let mut lines = lines.lines();
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("distance,boards,blank_0,")
    );
    for (distance, count) in SINGLE.iter().enumerate() {
        let line = lines.next().unwrap();
        assert!(line.starts_with(&format!("{distance},{count},")), "{line}");
    }
    assert_eq!(lines.next(), None);
}

/// Parberry 2014.
#[test]
fn the_split_by_the_blank_is_the_published_one() {
    let text = String::from_utf8(printed(&["enumerate", "3x3"], b"")).unwrap();
    let grids = "
  22.15 21.90 22.12    30 29 30
  21.90 21.65 21.89    29 30 31
  22.12 21.89 22.14    30 31 30
";
    assert!(text.contains(grids), "{text}");
}

#[test]
fn other_homes_of_the_blank_have_other_spaces() {
    for (goal, farthest, there) in [
        ("1 2 3/4 5 6/7 0 8", 31, 2),
        ("snail", 30, 148),
        ("blank-first", 31, 2),
    ] {
        let found = record(&["enumerate", "3x3", "--goal", goal, "--json"]);
        assert_eq!(found["farthest"], farthest, "{goal}");
        let boards = found["farthest_boards"].as_array().unwrap();
        assert_eq!(boards.len(), there, "{goal}");
    }
}

#[test]
fn sizes_that_are_too_large_get_an_estimate() {
    for (size, expected) in [
        (
            "2x7",
            "43,589,145,600 boards; to search them all takes 11.8",
        ),
        ("7x2", "43,589,145,600 boards"),
        (
            "3x5",
            "653,837,184,000 boards; to search them all takes 163 GB",
        ),
        ("4x4", "10,461,394,944,000 boards"),
        ("5x5", "about 10^25 boards"),
        ("255x255", "about 10^284733 boards"),
    ] {
        for args in [
            &["enumerate", size][..],
            &["farthest", size],
            &["sample", size, "--distance", "3"],
            &["quality", size],
        ] {
            let output = run(args, b"");
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            assert!(output.stdout.is_empty(), "{args:?}");
            let message = String::from_utf8(output.stderr).unwrap();
            assert!(message.contains(expected), "{args:?}: {message}");
            assert!(message.contains("`taquin solve`"), "{args:?}: {message}");
            assert_eq!(message.lines().count(), 1, "{args:?}: {message}");
        }
    }
}

#[test]
fn the_farthest_boards_are_as_far_as_they_are_said_to_be() {
    for (space, distance, there) in [
        (&["--goal", "classic"][..], 31, 2),
        (&["--goal", "snail"], 30, 148),
        (&["--metric", "multi"], 24, 1),
    ] {
        for form in [&[][..], &["--json"]] {
            let farthest = [&["farthest", "3x3"], space, form].concat();
            let boards = printed(&farthest, b"");
            let found = records(&[&["distance", "--json"], space].concat(), &boards);
            assert_eq!(distances(&found), vec![distance; there], "{space:?}");
        }
    }
    // And another engine says so too.
    let boards = printed(&["farthest", "3x3"], b"");
    for solved in records(&["solve", "--json"], &boards) {
        assert_eq!(solved["length"], 31, "{solved}");
    }
}

#[test]
fn sampled_boards_are_at_their_distance_and_none_is_left_out() {
    let sample = |metric: &str, distance: &str, count: &str| {
        let args = ["sample", "3x3", "--metric", metric, "--distance", distance];
        let more = ["--count", count, "--seed", "1"];
        printed(&[&args[..], &more].concat(), b"")
    };
    for (metric, distance) in [("single", 21), ("single", 31), ("multi", 13)] {
        let boards = sample(metric, &distance.to_string(), "200");
        let found = records(&["distance", "--json", "--metric", metric], &boards);
        assert_eq!(distances(&found), [distance; 200], "{metric}");
    }
    // There are sixteen boards: each comes about as often as every other.
    let boards = String::from_utf8(sample("single", "4", "1600")).unwrap();
    let mut boards: Vec<&str> = boards.lines().collect();
    boards.sort_unstable();
    let often: Vec<usize> = boards.chunk_by(|a, b| a == b).map(<[&str]>::len).collect();
    assert_eq!(often.len(), 16);
    assert!(
        often.iter().all(|times| (50..200).contains(times)),
        "{often:?}"
    );
    // The same seed, the same boards.
    assert_eq!(sample("single", "21", "5"), sample("single", "21", "5"));
}

#[test]
fn distances_are_those_of_solve_and_solutions_solve() {
    let boards = printed(
        &["scramble", "--size", "3x3", "--seed", "8", "--count", "50"],
        b"",
    );
    let found = records(&["distance", "--json"], &boards);
    let solved = records(&["solve", "--json"], &boards);
    assert_eq!(found.len(), 50);
    for (found, solved) in found.iter().zip(&solved) {
        assert_eq!(found["distance"], solved["length"], "{solved}");
        // The first move of a shortest solution is one of all that there are.
        let first = &solved["moves"].as_str().unwrap()[..1];
        let moves = found["first_moves"].as_array().unwrap();
        assert!(moves.iter().any(|m| m["move"] == first), "{found}");
    }
    for metric in ["single", "multi"] {
        let args = ["distance", "--solution", "--json", "--metric", metric];
        let output = printed(&args, &boards);
        let found = records(&args, &boards);
        let args = ["apply", "--expect-goal", "--json", "--metric", metric];
        let applied = records(&args, &output);
        for (found, applied) in found.iter().zip(&applied) {
            assert_eq!(applied["status"], "solved", "{applied}");
            assert_eq!(found["distance"], applied["length"], "{metric}: {applied}");
        }
    }
}

#[test]
fn boards_of_several_sizes_come_in_one_stream() {
    let boards = b"1 2/0 3\n1 2 3/4 0 5\n1 2 3/4 5 6/7 0 8\n1 2/3 4/0 5\n1 2 3 4/5 6 0 7\n";
    let found = records(&["distance", "--json"], boards);
    assert_eq!(distances(&found), [1, 1, 1, 1, 1]);
}

#[test]
fn a_large_board_does_not_hold_up_the_others() {
    let boards = b"1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15\nrubbish\n1 2 3/4 5 6/7 0 8\n";
    let output = run(&["distance", "--json"], boards);
    assert_eq!(output.status.code(), Some(2));
    let lines = String::from_utf8(output.stdout).unwrap();
    let statuses: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["status"].clone())
        .collect();
    assert_eq!(statuses, ["error", "error", "solved"]);
    assert!(lines.contains("`taquin solve`"), "{lines}");
}

#[test]
fn a_distance_comes_before_the_next_question() {
    let mut child = start(&["distance", "--json"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        input.write_all(b"1 2 3/4 5 6/7 0 8\n").unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert!(answer.contains("\"distance\":1,"), "{answer}");
    }
    // Ctrl-C ends it while it waits, although a search before that could have been broken off.
    #[cfg(unix)]
    {
        let pid = child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &pid]).status().unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
    }
    drop(input);
    child.wait().unwrap();
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    for args in [
        &[
            "sample",
            "3x3",
            "--distance",
            "20",
            "--count",
            "100000",
            "--seed",
            "1",
        ][..],
        &["enumerate", "3x3"],
    ] {
        let mut child = start(args);
        let mut first = [0; 2];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{args:?}: {output:?}");
    }
}

#[test]
fn every_pair_of_estimate_and_distance_is_counted() {
    let qualities = records(&["quality", "3x3", "--json"], b"");
    assert!(qualities.len() >= 6);
    for quality in qualities {
        let name = &quality["heuristic"];
        let rows = quality["pairs"].as_array().unwrap();
        let rows: Vec<Vec<u64>> = rows.iter().map(numbers).collect();
        let sums: Vec<u64> = rows.iter().map(|row| row.iter().sum()).collect();
        assert_eq!(sums, SINGLE, "{name}");
        assert_eq!(quality["admissible"], true, "{name}");
        assert_eq!(quality["consistent"], true, "{name}");
        assert_eq!(quality["counterexamples"], Value::Null, "{name}");
        // Its worst board is as bad as it is said to be.
        let worst = &quality["worst"];
        let (distance, h) = (&worst["distance"], &worst["h"]);
        let (distance, h) = (distance.as_u64().unwrap(), h.as_u64().unwrap());
        assert!(rows[distance as usize][h as usize] > 0, "{quality}");
        let board = worst["board"].as_str().unwrap();
        assert_eq!(
            distances(&records(&["distance", "--json", board], b"")),
            [distance]
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_million_boards_are_looked_up() {
    let mut child = start(&["distance", "--json"]);
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let chunk = "1 2 3 4 5 6 7 0 8\n".repeat(1000);
        for _ in 0..1000 {
            input.write_all(chunk.as_bytes()).unwrap();
        }
    });
    let output = BufReader::new(child.stdout.take().unwrap());
    assert_eq!(output.lines().count(), 1_000_000);
    writer.join().unwrap();
    assert!(child.wait().unwrap().success());
}
