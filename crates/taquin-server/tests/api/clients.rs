//! Clients that leave, that dawdle, that do not listen, and that are too many.

use std::io::Read;
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{
    EASY, HARD, PATIENCE, Raw, Rig, long_search, long_stream, long_trace, post_head, until,
};

/// What little patience is enough for clients on the same machine.
const SHORT: Duration = Duration::from_millis(1500);

fn impatient() -> Rig {
    Rig::with(|bounds| bounds.patience = SHORT)
}

#[test]
fn a_search_ends_when_its_client_leaves() {
    let rig = Rig::new();
    let searches = json!([{"algorithm": "idastar"}, {"algorithm": "rbfs"}]);
    let compare = json!({"board": HARD, "searches": searches});
    let mut left = 0;
    let mut is_counted = |what: &str| {
        rig.until_running(0);
        left += 1;
        until(what, || {
            rig.metric("taquin_searches_abandoned_total") == left
        });
    };
    for (name, request) in [("solve", &long_search()), ("compare", &compare)] {
        let mut client = rig.connect();
        client.post(name, request);
        rig.until_running(1);
        drop(client);
        is_counted(name);
    }
    for path in [long_stream(), long_trace()] {
        let mut stream = rig.stream(&path);
        assert!(stream.next().is_some());
        assert_eq!(rig.running(), 1);
        drop(stream);
        is_counted(&path);
    }
}

#[test]
fn a_client_that_leaves_is_noticed_whatever_it_has_sent_ahead() {
    let rig = Rig::with(|bounds| bounds.searches = 1);
    // A byte, the whole of the next request, and more than is read ahead.
    let next = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned();
    for more in ["x".to_owned(), next, "x".repeat(200_000)] {
        let mut client = rig.connect();
        client.post("solve", &long_search());
        rig.until_running(1);
        client.say(&more);
        drop(client);
        rig.until_running(0);

        let mut client = rig.connect();
        client.get(&long_stream());
        rig.until_running(1);
        client.say(&more);
        drop(client);
        rig.until_running(0);
    }
    // Also in the queue.
    let first = rig.stream(&long_stream());
    rig.until_running(1);
    let mut client = rig.connect();
    client.post("solve", &long_search());
    rig.until_waiting(1);
    client.say("x");
    drop(client);
    rig.until_waiting(0);
    drop(first);
}

#[test]
fn what_a_client_sends_ahead_of_an_answer_is_answered() {
    let rig = Rig::with(|bounds| bounds.searches = 1);
    let first = rig.stream(&long_stream());
    rig.until_running(1);
    let mut client = rig.connect();
    client.post("solve", &json!({"board": EASY}));
    rig.until_waiting(1);
    client.post("check", &json!({"board": EASY}));
    client.get("/healthz");
    drop(first);
    assert_eq!(client.reply().good()["status"], "solved");
    assert_eq!(client.reply().good()["solvable"], true);
    assert_eq!(client.reply().text(), "ok\n");
}

#[test]
fn what_is_got_ready_for_a_search_is_left_when_its_client_leaves() {
    // So much time makes tables worth building that take longer than anybody waits here.
    let tables = tempfile::tempdir().unwrap();
    let rig = Rig::with_tables(tables.path());
    let patient = json!({"board": HARD, "within_ms": 60_000});
    let optimal = json!({"board": HARD, "optimal": true});
    let usual = json!({"board": HARD});
    for (name, request) in [
        ("hint", &patient),
        ("solve", &patient),
        ("solve", &optimal),
        ("solve", &usual),
    ] {
        let mut client = rig.connect();
        client.post(name, request);
        rig.until_running(1);
        drop(client);
        rig.until_running(0);
    }
}

#[test]
fn who_waits_and_leaves_is_not_searched_for() {
    let rig = Rig::with(|bounds| bounds.searches = 1);
    let first = rig.stream(&long_stream());
    rig.until_running(1);
    let mut client = rig.connect();
    client.post("solve", &long_search());
    let stream = rig.stream(&long_trace());
    rig.until_waiting(2);
    drop((client, stream));
    rig.until_waiting(0);
    drop(first);
    rig.until_running(0);
}

#[test]
fn fifty_clients_that_hang_up_leave_nothing_behind() {
    let rig = Rig::new();
    for round in 0..5 {
        let clients: Vec<Raw> = (0..10)
            .map(|number| {
                let mut client = rig.connect();
                match number % 3 {
                    0 => client.post("solve", &long_search()),
                    1 => client.get(&long_stream()),
                    _ => client.get(&long_trace()),
                }
                client
            })
            .collect();
        if round % 2 == 0 {
            until("two run", || rig.running() == 2);
        }
        drop(clients);
    }
    until("all are gone", || rig.running() == 0 && rig.waiting() == 0);
    assert_eq!(rig.ask("solve", &json!({"board": EASY}))["length"], 14);
}

#[test]
fn a_head_that_comes_too_slowly_is_not_waited_for() {
    let rig = impatient();
    let mut silent = rig.connect();
    let mut half = rig.connect();
    half.say("GET /healthz HTTP/1.1\r\nHost: local");
    silent.until_closed();
    half.until_closed();
    // A byte now and then does not help.
    let mut slow = rig.connect();
    let begin = Instant::now();
    slow.say("GET /healthz HTTP/1.1\r\nX: ");
    while slow.say("x") {
        assert!(begin.elapsed() < PATIENCE, "it is still listened to");
        thread::sleep(SHORT / 10);
    }
}

#[test]
fn a_connection_on_which_nothing_more_is_asked_is_closed() {
    let rig = impatient();
    let mut client = rig.connect();
    client.get("/healthz");
    assert_eq!(client.reply().status, 200);
    client.until_closed();
}

#[test]
fn a_body_that_comes_too_slowly_is_not_waited_for() {
    let rig = impatient();
    for length in ["Content-Length: 1000", "Transfer-Encoding: chunked"] {
        let mut client = rig.connect();
        client.say(post_head("check", length));
        client.reply().problem(408, "too-slow");
        client.until_closed();
    }
    let mut client = rig.connect();
    client.say(post_head("check", "Content-Length: 100000"));
    let begin = Instant::now();
    while client.say(" ") {
        assert!(begin.elapsed() < PATIENCE, "it is still listened to");
        thread::sleep(SHORT / 10);
    }
}

#[test]
fn a_body_that_nobody_reads_keeps_no_connection_open() {
    let rig = impatient();
    let mut client = rig.connect();
    client.say("POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n");
    client.reply().problem(404, "not-found");
    client.until_closed();
}

#[test]
fn a_search_ends_when_its_client_does_not_listen() {
    let rig = impatient();
    let mut client = rig.connect();
    client.get(&long_trace());
    // The search has its turn before the head of the answer is sent.
    let head = client.head();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    rig.until_running(0);
}

#[test]
fn a_client_that_reads_slowly_but_steadily_is_served() {
    /// What it reads at once, and how long it pauses then. The window of the connection opens by
    /// 64 KiB, so that the server can write now and then only.
    const PIECE: usize = 64 << 10;
    const PAUSE: Duration = Duration::from_millis(100);
    const PATIENCE: Duration = Duration::from_secs(3);
    let rig = Rig::with(|bounds| bounds.patience = PATIENCE);
    let mut client = rig.connect();
    client.get(&long_trace());
    // All pauses together are much longer than the server waits for a client that does not read.
    let mut piece = vec![0; PIECE];
    for number in 0..70 {
        let read = client.0.read_exact(&mut piece);
        assert!(read.is_ok(), "hung up on after {number} pieces");
        thread::sleep(PAUSE);
    }
}

#[test]
fn a_client_that_does_not_listen_is_hung_up_on() {
    let rig = Rig::with(|bounds| {
        bounds.patience = SHORT;
        bounds.connections = 1;
    });
    // The only connection there is.
    let mut deaf = rig.connect();
    deaf.get(&long_trace());
    let mut next = rig.connect();
    next.0.set_read_timeout(Some(PATIENCE)).unwrap();
    next.get("/healthz");
    let mut byte = [0];
    assert!(
        next.0.read_exact(&mut byte).is_ok(),
        "the one who does not listen keeps the place"
    );
    drop(deaf);
}

#[test]
fn a_client_that_asks_and_asks_and_does_not_listen_is_hung_up_on() {
    let rig = Rig::with(|bounds| {
        bounds.patience = SHORT;
        bounds.connections = 1;
    });
    let deaf = rig.connect();
    let writer = deaf.0.try_clone().unwrap();
    writer.set_write_timeout(Some(4 * SHORT)).unwrap();
    let mut writer = Raw(writer);
    let ask = "GET /js/main.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100);
    // Until nobody takes any more of it.
    for _ in 0..2_000 {
        if !writer.say(&ask) {
            break;
        }
    }
    let mut next = rig.connect();
    next.0.set_read_timeout(Some(PATIENCE)).unwrap();
    next.get("/healthz");
    let mut byte = [0];
    assert!(
        next.0.read_exact(&mut byte).is_ok(),
        "the one who does not listen keeps the place"
    );
    drop(deaf);
}

#[test]
fn more_connections_than_there_are_places_wait() {
    let rig = Rig::with(|bounds| bounds.connections = 2);
    let mut open: Vec<Raw> = (0..2).map(|_| rig.connect()).collect();
    for client in &mut open {
        client.get("/healthz");
        assert_eq!(client.reply().status, 200);
    }
    let mut late = rig.connect();
    late.get("/healthz");
    late.0.set_read_timeout(Some(SHORT)).unwrap();
    assert!(late.0.read(&mut [0]).is_err(), "there is no place for it");
    late.0.set_read_timeout(Some(PATIENCE)).unwrap();
    open.pop();
    assert_eq!(late.reply().status, 200);
}

#[test]
fn off_loopback_one_peer_cannot_hold_all_connections() {
    let rig = Rig::listening(SocketAddr::from(([0, 0, 0, 0], 0)), |bounds| {
        bounds.connections = 8;
        bounds.peer_connections = 3;
    });
    let served = |client: &mut Raw| {
        client.get("/healthz");
        client.reply().status
    };
    let mut open: Vec<Raw> = (0..3).map(|_| rig.connect()).collect();
    for client in &mut open {
        assert_eq!(served(client), 200);
    }
    // As many as it likes: none of them takes a place.
    for _ in 0..20 {
        rig.connect().until_closed();
    }
    // Another address of this machine is another peer.
    let Some(mut other) = rig.connect_from([127, 0, 0, 2]) else {
        eprintln!("this system has no second loopback address to come from");
        return;
    };
    assert_eq!(served(&mut other), 200);
    open.pop();
    until("its place is free again", || {
        let mut again = rig.connect();
        again.say("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
        again.until_closed_or_answered()
    });
}

#[test]
fn what_is_no_http_is_hung_up_on() {
    let rig = Rig::new();
    let long = format!(
        "GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "x".repeat(200_000)
    );
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(20_000));
    let garbage = [
        "\u{16}\u{3}\u{1}\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
        "hello\r\n\r\n",
        &long,
        &many,
    ];
    for text in garbage {
        let mut client = rig.connect();
        client.say(text);
        let said = client.until_closed();
        let said = String::from_utf8_lossy(&said);
        assert!(said.is_empty() || said.starts_with("HTTP/1.1 4"), "{said}");
    }
    rig.ask("check", &json!({"board": EASY}));
}

#[test]
fn one_connection_serves_many_requests() {
    let rig = Rig::new();
    let mut client = rig.connect();
    for _ in 0..3 {
        client.post("check", &json!({"board": EASY}));
        client.reply().good();
        // Errors do not end it.
        client.post("check", &json!({"board": "x"}));
        client.reply().invalid("/board");
    }
    // Several at once are answered one after the other.
    for _ in 0..3 {
        client.get("/healthz");
    }
    for _ in 0..3 {
        assert_eq!(client.reply().text(), "ok\n");
    }
}
