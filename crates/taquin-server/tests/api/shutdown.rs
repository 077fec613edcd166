//! Stopping in good order.

use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use crate::support::{EASY, Rig, long_search, long_stream, long_trace};

#[test]
fn searches_end_and_their_clients_are_told() {
    let mut rig = Rig::with(|bounds| {
        bounds.searches = 1;
        bounds.queue = 1;
    });
    let mut posted = rig.connect();
    posted.post("solve", &long_search());
    rig.until_running(1);
    let mut waiting = rig.connect();
    waiting.post("solve", &json!({"board": EASY}));
    rig.until_waiting(1);
    rig.stop();
    for mut client in [posted, waiting] {
        let reply = client.reply();
        reply.problem(503, "stopping");
        assert!(reply.header_if_any("retry-after").is_some());
        client.until_closed();
    }
    let took = rig.gone();
    assert!(
        took < Duration::from_secs(9),
        "all of the farewell: {took:?}"
    );
    assert!(TcpStream::connect(rig.address).is_err(), "it still listens");
}

#[test]
fn streams_end_with_a_problem() {
    for path in [long_stream(), long_trace()] {
        let mut rig = Rig::with(|bounds| {
            bounds.searches = 1;
            // Nothing is read while the other one comes to wait.
            bounds.patience = Duration::from_secs(10);
        });
        let mut running = rig.stream(&path);
        assert!(running.next().is_some());
        let waiting = rig.stream(&path);
        rig.until_waiting(1);
        rig.stop();
        for stream in [running, waiting] {
            let last = stream.last().unwrap();
            assert_eq!(last.name, "problem", "{last:?}");
            assert_eq!(last.data["type"], "/problems/stopping");
            assert_eq!(last.data["status"], 503);
        }
        let took = rig.gone();
        assert!(
            took < Duration::from_secs(9),
            "all of the farewell: {took:?}"
        );
    }
}

#[test]
fn connections_on_which_nothing_happens_are_closed() {
    let mut rig = Rig::new();
    let mut used = rig.connect();
    used.get("/healthz");
    assert_eq!(used.reply().status, 200);
    let mut fresh = rig.connect();
    rig.stop();
    used.until_closed();
    fresh.until_closed();
    let took = rig.gone();
    assert!(
        took < Duration::from_secs(9),
        "it took all of the farewell: {took:?}"
    );
    assert!(TcpStream::connect(rig.address).is_err(), "it still listens");
}

#[test]
fn clients_that_do_not_listen_are_not_waited_for_long() {
    let mut rig = Rig::with(|bounds| bounds.farewell = Duration::from_millis(300));
    let mut deaf = rig.connect();
    deaf.get(&long_trace());
    rig.until_running(1);
    let mut half = rig.connect();
    half.say("GET /healthz HTTP/1.1\r\nHost: local");
    rig.stop();
    let took = rig.gone();
    assert!(took < Duration::from_secs(8), "it took {took:?}");
    drop((deaf, half));
}

#[test]
fn a_server_with_all_places_taken_stops_too() {
    let mut rig = Rig::with(|bounds| bounds.connections = 1);
    let mut only = rig.connect();
    only.get("/healthz");
    assert_eq!(only.reply().status, 200);
    rig.stop();
    only.until_closed();
    rig.gone();
}
