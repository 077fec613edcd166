//! What a search may spend: callers can lower it, and not raise it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{EASY, HARD, PATIENCE, Rig, long_search, path};

/// A search that goes on for minutes, with another field.
fn long(field: &str, value: u64) -> Value {
    let mut request = long_search();
    request[field] = json!(value);
    request
}

#[track_caller]
fn stopped_by(answer: &Value, limit: &str) {
    assert_eq!(
        (&answer["status"], &answer["limit"]),
        (&json!("limit"), &json!(limit)),
        "{answer}"
    );
    assert_eq!(answer["moves"], Value::Null);
    assert!(
        answer["lower_bound"].as_u64().unwrap() > 0,
        "what is proven is told: {answer}"
    );
}

#[test]
fn callers_lower_the_limits() {
    let rig = Rig::new();
    stopped_by(&rig.ask("solve", &long("limit_time_ms", 50)), "time");
    let nodes = rig.ask("solve", &long("limit_nodes", 5_000));
    stopped_by(&nodes, "nodes");
    assert!(nodes["nodes"].as_u64().unwrap() <= 5_000, "{nodes}");
    let mut astar = long("limit_memory", 100_000);
    astar["algorithm"] = json!("astar");
    stopped_by(&rig.ask("solve", &astar), "memory");
    // Also of the search with tables.
    let korf = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3";
    let tables = json!({"board": korf, "goal": "blank-first", "limit_nodes": 100});
    stopped_by(&rig.ask("solve", &tables), "nodes");
    stopped_by(
        &rig.ask(
            "solve",
            &json!({"board": HARD, "optimal": true, "limit_time_ms": 0}),
        ),
        "time",
    );
}

#[test]
fn nobody_raises_them() {
    let tiny = Rig::with(|bounds| {
        bounds.nodes = 2_000;
        bounds.memory = 100_000;
        bounds.events = 50;
    });
    let nodes = tiny.ask("solve", &long("limit_nodes", u64::MAX));
    stopped_by(&nodes, "nodes");
    assert!(nodes["nodes"].as_u64().unwrap() <= 2_000, "{nodes}");
    stopped_by(&tiny.ask("solve", &long_search()), "nodes");
    let mut compared = json!({"board": HARD, "searches": [{"algorithm": "idastar"}]});
    compared["limit_nodes"] = json!(1_000_000);
    stopped_by(&tiny.ask("compare", &compared)["results"][0], "nodes");
    let fields = [("board", HARD), ("max_events", "1000000")];
    let end = tiny.stream(&path("trace/stream", &fields)).last().unwrap();
    assert_eq!(
        (&end.data["events"], &end.data["truncated"]),
        (&json!(50), &json!(true))
    );

    let small = Rig::with(|bounds| bounds.memory = 100_000);
    let mut astar = long("limit_memory", 1 << 40);
    astar["algorithm"] = json!("astar");
    stopped_by(&small.ask("solve", &astar), "memory");

    let short = Rig::with(|bounds| bounds.time = Duration::from_millis(200));
    let begin = Instant::now();
    stopped_by(
        &short.ask("solve", &long("limit_time_ms", 3_600_000)),
        "time",
    );
    stopped_by(&short.ask("solve", &long_search()), "time");
    let stream = path(
        "solve/stream",
        &[
            ("board", HARD),
            ("algorithm", "idastar"),
            ("limit_time_ms", "3600000"),
        ],
    );
    stopped_by(&short.stream(&stream).last().unwrap().data, "time");
    let within = short.ask("solve", &json!({"board": HARD, "within_ms": 3_600_000}));
    assert_eq!(within["status"], "solved", "{within}");
    let hint = short.ask("hint", &json!({"board": HARD, "within_ms": 3_600_000}));
    assert_eq!(hint["status"], "solved", "{hint}");
    assert!(
        begin.elapsed() < PATIENCE,
        "that took {:?}",
        begin.elapsed()
    );
}

#[test]
fn all_searches_of_a_comparison_share_the_time() {
    let rig = Rig::with(|bounds| bounds.time = Duration::from_millis(800));
    let searches = vec![json!({"algorithm": "idastar"}); 8];
    let answer = rig.ask("compare", &json!({"board": HARD, "searches": searches}));
    let results = answer["results"].as_array().unwrap();
    assert_eq!(results.len(), 8);
    let mut all = 0.0;
    for result in results {
        stopped_by(result, "time");
        all += result["time_ms"].as_f64().unwrap();
    }
    assert!(all < 8.0 * 800.0, "each of them took the time of all");
}

#[test]
fn limits_of_streams_are_lowered_in_the_query() {
    let rig = Rig::new();
    for (limit, name, value) in [
        ("time", "limit_time_ms", "50"),
        ("nodes", "limit_nodes", "5000"),
    ] {
        let fields = [("board", HARD), ("algorithm", "idastar"), (name, value)];
        let end = rig.stream(&path("solve/stream", &fields)).last().unwrap();
        assert_eq!(end.name, "end");
        stopped_by(&end.data, limit);
        let fields = [("board", HARD), ("max_events", "1000000000"), (name, value)];
        let end = rig.stream(&path("trace/stream", &fields)).last().unwrap();
        assert_eq!(
            (&*end.name, &end.data["limit"]),
            ("end", &json!(limit)),
            "{end:?}"
        );
    }
    let fields = [
        ("board", HARD),
        ("algorithm", "astar"),
        ("limit_memory", "100000"),
    ];
    let end = rig.stream(&path("trace/stream", &fields)).last().unwrap();
    assert_eq!(end.data["limit"], "memory", "{end:?}");
}

#[test]
fn a_trace_has_no_more_events_than_wanted() {
    let rig = Rig::new();
    for most in ["0", "1", "10"] {
        let fields = [("board", HARD), ("max_events", most)];
        let events: Vec<_> = rig.stream(&path("trace/stream", &fields)).collect();
        let most: u64 = most.parse().unwrap();
        assert_eq!(events.len() as u64, most + 2, "with the start and the end");
        let end = &events.last().unwrap().data;
        assert_eq!(
            (&end["status"], &end["limit"]),
            (&json!("limit"), &json!("events")),
            "{end}"
        );
        assert_eq!(
            (&end["events"], &end["truncated"]),
            (&json!(most), &json!(true)),
            "{end}"
        );
    }
    let fields = [("board", EASY), ("max_events", "100000")];
    let end = rig.stream(&path("trace/stream", &fields)).last().unwrap();
    assert_eq!(
        (&end.data["status"], &end.data["truncated"]),
        (&json!("solved"), &json!(false))
    );
}

#[test]
fn what_takes_long_without_a_search_takes_a_turn() {
    let rig = Rig::with(|bounds| {
        bounds.searches = 1;
        bounds.cells = 1024;
    });
    let mut first = rig.connect();
    first.post("solve", &long_search());
    rig.until_running(1);
    let moves = "RL".repeat(20_000);
    let large = [
        (
            "scramble",
            json!({"size": "32x32", "seed": 1, "index": 1000}),
        ),
        (
            "scramble",
            json!({"size": "4x4", "seed": 1, "index": 9, "walk": 100_000}),
        ),
        (
            "apply",
            json!({"board": "1 2 3/4 0 5/6 7 8", "moves": moves}),
        ),
    ];
    let mut waiting: Vec<_> = large
        .iter()
        .map(|(name, request)| {
            let mut client = rig.connect();
            client.post(name, request);
            client
        })
        .collect();
    rig.until_waiting(large.len() as u64);
    // What is small is done at once.
    rig.ask("scramble", &json!({"size": "32x32", "seed": 1}));
    rig.ask(
        "apply",
        &json!({"board": "1 2 3/4 0 5/6 7 8", "moves": "RL"}),
    );
    assert_eq!(rig.waiting(), large.len() as u64);
    // Those who leave are not drawn for; the others get their turn.
    waiting.remove(1);
    rig.until_waiting(2);
    drop(first);
    for mut client in waiting {
        client.reply().good();
    }
}

#[test]
fn a_heuristic_that_a_limit_ended_is_no_wrong_field() {
    let rig = Rig::with(|bounds| bounds.time = Duration::ZERO);
    let estimate = json!({"board": EASY, "heuristics": ["pdb:4-4"]});
    rig.post("estimate", &estimate).problem(413, "too-large");
    let fields = [("board", EASY), ("heuristic", "pdb:4-4")];
    let end = rig.stream(&path("trace/stream", &fields)).last().unwrap();
    assert_eq!(
        (&*end.name, &end.data["status"]),
        ("problem", &json!(413)),
        "{end:?}"
    );
    // What the other searches of a comparison have found is not lost.
    let searches = json!([
        {"algorithm": "bfs"},
        {"algorithm": "idastar", "heuristic": "pdb:4-4"},
        {"algorithm": "idastar", "heuristic": "pdb:4-4+reflected"},
    ]);
    let answer = rig.ask("compare", &json!({"board": EASY, "searches": searches}));
    let results = answer["results"].as_array().unwrap();
    assert_eq!(results.len(), 3, "{answer}");
    for result in &results[1..] {
        stopped_by(result, "time");
    }
    // A wrong field is one still.
    let wrong =
        json!({"board": HARD, "searches": [{"algorithm": "idastar", "heuristic": "pdb:4-4"}]});
    rig.post("compare", &wrong).invalid("/searches/0");
}
