//! The program and the API give the same answers: boards, goals and options in one table.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

const THREE: &str = "8 6 7/2 5 4/3 0 1";
const FOUR: &str = "8 7 14 3/0 13 5 1/12 6 15 2/11 4 9 10";
const NEAR_FIVE: &str = "1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 0 22 23 24";
const NEAR_SEVEN: &str = "1 2 3 4 5 6 7/8 9 10 11 12 13 14/15 16 17 18 19 20 21/22 23 24 25 26 27 28/29 30 31 32 33 34 35/36 37 38 39 40 41 42/43 0 44 45 46 47 48";
const LARGE: &str = "29 13 22 32 1 27 42/14 41 31 17 24 40 9/46 0 2 43 12 39 15/3 44 28 34 20 18 23/36 38 19 7 26 45 16/30 35 10 5 25 4 21/8 48 33 37 11 6 47";

/// A board, the options of the program, and the fields of the request that mean the same.
fn cases() -> Vec<(&'static str, Vec<&'static str>, Value)> {
    vec![
        (THREE, vec![], json!({})),
        (THREE, vec!["--optimal"], json!({"optimal": true})),
        (FOUR, vec![], json!({})),
        (NEAR_FIVE, vec![], json!({})),
        (NEAR_FIVE, vec!["--optimal"], json!({"optimal": true})),
        (NEAR_SEVEN, vec![], json!({})),
        (LARGE, vec!["--fast"], json!({"fast": true})),
        (FOUR, vec!["--fast"], json!({"fast": true})),
        (THREE, vec!["--within", "10s"], json!({"within_ms": 10_000})),
        (THREE, vec!["--all"], json!({"all": true})),
        (
            THREE,
            vec!["--all", "--max", "3"],
            json!({"all": true, "max": 3}),
        ),
        (THREE, vec!["--count"], json!({"count": true})),
        // Unsolvable, with the goals that can be reached.
        ("1 2 3/4 5 6/8 7 0", vec![], json!({})),
        (
            "2 8 3/1 6 4/7 0 5",
            vec!["--goal", "snail"],
            json!({"goal": "snail"}),
        ),
        (
            FOUR,
            vec!["--goal", "blank-first", "--fast"],
            json!({"goal": "blank-first", "fast": true}),
        ),
        (
            THREE,
            vec!["--goal", "8 7 6/5 4 3/2 1 0"],
            json!({"goal": "8 7 6/5 4 3/2 1 0"}),
        ),
        // A form brings its goal.
        ("283104765", vec![], json!({})),
        ("# a comment\n3\n2 8 3\n1 0 4\n7 6 5\n", vec![], json!({})),
        (
            "283104765",
            vec!["--goal", "classic"],
            json!({"goal": "classic"}),
        ),
        // The laboratory.
        (
            THREE,
            vec!["--algorithm", "astar", "--heuristic", "manhattan"],
            json!({"algorithm": "astar", "heuristic": "manhattan"}),
        ),
        (
            THREE,
            vec!["--algorithm", "bfs"],
            json!({"algorithm": "bfs"}),
        ),
        (
            THREE,
            vec!["--algorithm", "wastar", "--weight", "3"],
            json!({"algorithm": "wastar", "weight": 3}),
        ),
        (
            THREE,
            vec!["--heuristic", "pdb:4-4"],
            json!({"heuristic": "pdb:4-4"}),
        ),
        (THREE, vec!["--cost", "tile"], json!({"cost": "tile"})),
        // Limits.
        (
            FOUR,
            vec!["--limit-nodes", "100"],
            json!({"limit_nodes": 100}),
        ),
        (
            LARGE,
            vec!["--fast", "--limit-nodes", "1000"],
            json!({"fast": true, "limit_nodes": 1000}),
        ),
        (
            FOUR,
            vec!["--heuristic", "manhattan", "--limit-nodes", "500"],
            json!({"heuristic": "manhattan", "limit_nodes": 500}),
        ),
        // How moves are written.
        (
            THREE,
            vec!["--notation", "numbers"],
            json!({"notation": "numbers"}),
        ),
        (THREE, vec!["--style", "lower"], json!({"style": "lower"})),
    ]
}

/// Cases in multi-tile moves.
fn multi_cases() -> Vec<(&'static str, Vec<&'static str>, Value)> {
    vec![
        (THREE, vec!["--metric", "multi"], json!({"metric": "multi"})),
        (
            FOUR,
            vec!["--metric", "multi", "--limit-nodes", "200"],
            json!({"metric": "multi", "limit_nodes": 200}),
        ),
        (
            THREE,
            vec!["--metric", "multi", "--all", "--count"],
            json!({"metric": "multi", "all": true, "count": true}),
        ),
        (
            LARGE,
            vec!["--metric", "multi", "--fast"],
            json!({"metric": "multi", "fast": true}),
        ),
        (
            NEAR_SEVEN,
            vec!["--metric", "multi"],
            json!({"metric": "multi"}),
        ),
        (
            THREE,
            vec!["--metric", "multi", "--within", "10s"],
            json!({"metric": "multi", "within_ms": 10_000}),
        ),
        (
            THREE,
            vec![
                "--metric",
                "multi",
                "--algorithm",
                "astar",
                "--heuristic",
                "manhattan",
            ],
            json!({"metric": "multi", "algorithm": "astar", "heuristic": "manhattan"}),
        ),
        (
            "1 2 3/4 5 6/8 7 0",
            vec!["--metric", "multi"],
            json!({"metric": "multi"}),
        ),
    ]
}

#[test]
fn the_program_and_the_api_give_the_same_answers() {
    let tables = tempfile::tempdir().unwrap();
    let server = Server::start(tables.path());
    let mut differences = Vec::new();
    for (board, options, fields) in cases().into_iter().chain(multi_cases()) {
        let from_program = solve(tables.path(), board, &options);
        let mut request = fields.clone();
        request["board"] = board.into();
        let from_api = server.post("/api/v1/solve", &request);
        assert!(from_api.get("status").is_some(), "{request}: {from_api}");
        let (left, right) = (comparable(from_program), comparable(from_api));
        if left != right {
            differences.push(format!("{board} {options:?}\n  {left}\n  {right}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// An answer without what depends on the time that it took.
fn comparable(mut answer: Value) -> Value {
    let fields = answer.as_object_mut().unwrap();
    fields.remove("time_ms");
    if fields["algorithm"] == "anytime" {
        // Which of several shortest solutions is found depends on when the tables are there.
        for field in [
            "nodes",
            "generated",
            "heuristic",
            "reason",
            "moves",
            "lengths",
        ] {
            fields.remove(field);
        }
    }
    answer
}

/// What the program answers.
fn solve(tables: &Path, board: &str, options: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_taquin"))
        .args(["solve", "--json"])
        .args(options)
        .args(["--", board])
        .env("TAQUIN_TABLES", tables)
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// A running `taquin serve`; it ends with this value.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(tables: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_taquin"))
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "off"])
            .env("TAQUIN_TABLES", tables)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let output = process.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let (_, address) = line.trim().split_once("http://").expect("its address");
        Self {
            address: address.trim_end_matches('/').to_owned(),
            process,
        }
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let body = body.to_string();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
