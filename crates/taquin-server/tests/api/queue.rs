//! A bounded number of searches at once, a bounded number waiting, and no more.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{EASY, Rig, UNSOLVABLE, long_search, long_stream, path, until};

fn narrow() -> Rig {
    Rig::with(|bounds| {
        bounds.searches = 1;
        bounds.queue = 1;
    })
}

#[test]
fn who_comes_too_late_is_sent_away_at_once() {
    let rig = narrow();
    let mut first = rig.connect();
    first.post("solve", &long_search());
    rig.until_running(1);
    let mut second = rig.connect();
    second.post("solve", &json!({"board": EASY}));
    rig.until_waiting(1);

    let begin = Instant::now();
    let easy = json!({"board": EASY});
    let compare = json!({"board": EASY, "searches": [{"algorithm": "bfs"}]});
    for (name, request) in [("solve", &easy), ("hint", &easy), ("compare", &compare)] {
        let reply = rig.post(name, request);
        reply.problem(503, "busy");
        assert!(reply.header("retry-after").parse::<u32>().unwrap() > 0);
    }
    for name in ["solve/stream", "trace/stream"] {
        rig.get(&path(name, &[("board", EASY)]))
            .problem(503, "busy");
    }
    rig.get("/api/v1/distribution/3x3").problem(503, "busy");
    assert!(
        begin.elapsed() < Duration::from_secs(10),
        "the search did not end meanwhile"
    );
    assert_eq!(rig.metric("taquin_turned_away_total"), 6);
    // What needs no search is answered all the same.
    rig.ask("check", &easy);
    let unsolvable = json!({"board": UNSOLVABLE});
    for name in ["solve", "hint"] {
        assert_eq!(rig.ask(name, &unsolvable)["status"], "unsolvable");
    }
    let stream = path("solve/stream", &[("board", UNSOLVABLE)]);
    assert_eq!(rig.stream(&stream).next().unwrap().name, "end");

    // When the first one leaves, it is the second one's turn.
    drop(first);
    assert_eq!(second.reply().good()["length"], 14);
    rig.ask("solve", &easy);
}

#[test]
fn who_waits_is_told_and_gets_a_turn() {
    for name in ["solve/stream", "trace/stream"] {
        let rig = narrow();
        let mut first = rig.connect();
        first.post("solve", &long_search());
        rig.until_running(1);
        let mut waiting = rig.stream(&path(name, &[("board", EASY)]));
        let queued = waiting.next().unwrap();
        assert_eq!(
            (&*queued.name, queued.data),
            ("queued", json!({"ahead": 0}))
        );
        assert_eq!(rig.waiting(), 1);
        drop(first);
        let last = waiting.last().unwrap();
        assert_eq!(
            (&*last.name, &last.data["status"]),
            ("end", &json!("solved"))
        );
        assert_eq!(rig.waiting(), 0);
    }
}

#[test]
fn who_waits_behind_others_is_told_how_many() {
    let rig = Rig::with(|bounds| bounds.searches = 1);
    let _first = rig.stream(&long_stream());
    rig.until_running(1);
    let mut waiting = Vec::new();
    for ahead in 0..5 {
        let mut stream = rig.stream(&long_stream());
        assert_eq!(stream.next().unwrap().data, json!({"ahead": ahead}));
        waiting.push(stream);
    }
    assert_eq!((rig.running(), rig.waiting()), (1, 5));
    // Who leaves the queue makes room.
    waiting.drain(1..4);
    rig.until_waiting(2);
}

#[test]
fn who_needs_no_search_is_not_queued() {
    let rig = narrow();
    let mut stream = rig.stream(&path("solve/stream", &[("board", EASY)]));
    assert_ne!(stream.next().unwrap().name, "queued");
}

#[test]
fn nobody_waits_longer_than_a_search_may_take() {
    let rig = Rig::with(|bounds| {
        bounds.searches = 1;
        bounds.time = Duration::from_millis(1_500);
    });
    let _first = rig.stream(&long_stream());
    rig.until_running(1);
    // Each of them in turn takes as long as it may; those behind give up.
    let mut clients: Vec<_> = (0..4).map(|_| rig.connect()).collect();
    for client in &mut clients {
        client.post("solve", &long_search());
    }
    let statuses: Vec<u16> = clients
        .iter_mut()
        .map(|client| client.reply().status)
        .collect();
    assert!(statuses.contains(&503), "{statuses:?}");
    assert!(
        statuses.iter().all(|status| matches!(status, 200 | 503)),
        "{statuses:?}"
    );
    until("all are done", || rig.running() == 0 && rig.waiting() == 0);
}
