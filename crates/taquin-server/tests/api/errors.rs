//! Requests that are not answered: each gets its problem document.

use std::fmt::Write;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{EASY, Reply, Rig, path, post_head};

const POSTS: [&str; 7] = [
    "apply", "check", "compare", "estimate", "hint", "scramble", "solve",
];

#[test]
fn what_is_no_json_is_malformed() {
    let rig = Rig::new();
    for name in POSTS {
        let path = format!("/api/v1/{name}");
        for body in ["", "{", "hello", "{\"goal\": \"snail\"", "{\"goal\":"] {
            rig.post_text(&path, "application/json", body)
                .problem(400, "malformed");
        }
        let reply = rig.post_text(&path, "application/json", b"{\"goal\": \"\xff\"}");
        reply.problem(400, "malformed");
    }
    let twice = format!("{0}{0}", json!({"board": EASY}));
    let reply = rig.post_text("/api/v1/check", "application/json", twice);
    reply.problem(400, "malformed");
}

#[test]
fn a_request_is_an_object() {
    let rig = Rig::new();
    for body in [
        json!([]),
        json!([EASY, null, null]),
        json!(EASY),
        json!(1),
        json!(null),
    ] {
        rig.post("check", &body).invalid("");
    }
    for deep in ["[".repeat(50_000), "{\"board\":".repeat(5_000)] {
        let reply = rig.post_text("/api/v1/check", "application/json", deep);
        assert!(matches!(reply.status, 400 | 422), "{}", reply.text());
    }
}

#[test]
fn only_json_is_read() {
    let rig = Rig::new();
    let body = json!({"board": EASY}).to_string();
    let kinds = [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "",
    ];
    for kind in kinds {
        let reply = rig.post_text("/api/v1/check", kind, &body);
        reply.problem(415, "media-type");
    }
    let mut client = rig.connect();
    let length = body.len();
    client.say(format!(
        "POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}"
    ));
    client.reply().problem(415, "media-type");
    for kind in ["application/json; charset=utf-8", "Application/JSON"] {
        rig.post_text("/api/v1/check", kind, &body).good();
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "it is a table")]
fn fields_that_are_missing_unknown_or_wrong_are_named() {
    let rig = Rig::new();
    let board = |field: &str, value: Value| json!({"board": EASY, field: value});
    for (name, request, pointer) in [
        // Missing.
        ("check", json!({}), ""),
        ("apply", json!({"board": EASY}), ""),
        ("scramble", json!({}), ""),
        ("compare", json!({"board": EASY}), ""),
        (
            "compare",
            board("searches", json!([{"heuristic": "max"}])),
            "/searches/0",
        ),
        // Unknown.
        ("check", board("bord", json!(1)), "/bord"),
        ("hint", board("limit_nodes", json!(1)), "/limit_nodes"),
        (
            "compare",
            board("searches", json!([{"algorithm": "bfs", "x": 1}])),
            "/searches/0/x",
        ),
        // Of another type.
        ("check", json!([]), ""),
        ("check", json!("board"), ""),
        ("check", json!({"board": [1, 2, 3, 0]}), "/board"),
        ("check", json!({"board": null}), "/board"),
        ("check", board("goal", json!(7)), "/goal"),
        ("hint", board("within_ms", json!("soon")), "/within_ms"),
        ("hint", board("within_ms", json!(-1)), "/within_ms"),
        ("solve", board("within_ms", json!(1.5)), "/within_ms"),
        ("solve", board("limit_nodes", json!(1e30)), "/limit_nodes"),
        ("solve", board("fast", json!("yes")), "/fast"),
        ("solve", board("optimal", json!(1)), "/optimal"),
        ("solve", board("weight", json!("2")), "/weight"),
        ("compare", board("searches", json!("bfs")), "/searches"),
        (
            "estimate",
            board("heuristics", json!(["max", 1])),
            "/heuristics/1",
        ),
        ("scramble", json!({"size": 4}), "/size"),
        // Unknown names.
        ("check", board("form", json!("cube")), "/form"),
        ("check", board("goal", json!("upside-down")), "/goal"),
        ("solve", board("algorithm", json!("magic")), "/algorithm"),
        ("solve", board("heuristic", json!("magic")), "/heuristic"),
        ("solve", board("cost", json!("euro")), "/cost"),
        ("solve", board("notation", json!("magic")), "/notation"),
        ("solve", board("style", json!("magic")), "/style"),
        ("hint", board("notation", json!("magic")), "/notation"),
        ("solve", board("metric", json!("slides")), "/metric"),
        ("hint", board("metric", json!(2)), "/metric"),
        (
            "solve",
            json!({"board": EASY, "metric": "multi", "cost": "tile"}),
            "/cost",
        ),
        (
            "estimate",
            board("heuristics", json!(["magic"])),
            "/heuristics/0",
        ),
        (
            "compare",
            board("searches", json!([{"algorithm": "magic"}])),
            "/searches/0/algorithm",
        ),
        (
            "apply",
            json!({"board": EASY, "moves": "U", "metric": "mile"}),
            "/metric",
        ),
        // Of no use.
        (
            "solve",
            json!({"board": EASY, "fast": true, "within_ms": 1}),
            "/fast",
        ),
        (
            "solve",
            json!({"board": EASY, "fast": true, "algorithm": "bfs"}),
            "/algorithm",
        ),
        (
            "solve",
            json!({"board": EASY, "all": true, "algorithm": "bfs"}),
            "/all",
        ),
        (
            "solve",
            json!({"board": EASY, "optimal": true, "within_ms": 1}),
            "/optimal",
        ),
        (
            "solve",
            json!({"board": EASY, "optimal": true, "fast": true}),
            "/optimal",
        ),
        (
            "solve",
            json!({"board": EASY, "optimal": true, "algorithm": "astar"}),
            "/optimal",
        ),
        (
            "solve",
            json!({"board": EASY, "optimal": true, "cost": "tile"}),
            "/optimal",
        ),
        (
            "solve",
            json!({"board": EASY, "optimal": true, "max": 3}),
            "/max",
        ),
        ("solve", board("weight", json!(0.5)), "/weight"),
        ("solve", board("max", json!(3)), "/max"),
        (
            "solve",
            json!({"board": EASY, "all": true, "max": 0}),
            "/max",
        ),
        (
            "solve",
            json!({"board": EASY, "all": true, "max": 1_000_000}),
            "/max",
        ),
        ("compare", board("searches", json!([])), "/searches"),
        (
            "compare",
            board("searches", json!(vec![json!({"algorithm": "bfs"}); 9])),
            "/searches",
        ),
        (
            "estimate",
            board("heuristics", json!(vec!["pdb:quick"; 9])),
            "/heuristics",
        ),
        (
            "scramble",
            json!({"size": "3x3", "index": 1_000_000_000}),
            "/index",
        ),
        (
            "scramble",
            json!({"size": "3x3", "walk": 1_000_000_000}),
            "/walk",
        ),
        ("scramble", json!({"size": "3"}), "/size"),
        ("scramble", json!({"size": "1x1"}), "/size"),
        (
            "solve",
            board("heuristic", json!("pdb:6-6-6-6")),
            "/heuristic",
        ),
        (
            "compare",
            board(
                "searches",
                json!([{"algorithm": "astar", "heuristic": "pdb:6-6-6-6"}]),
            ),
            "/searches/0",
        ),
    ] {
        let reply = rig.post(name, &request);
        assert_eq!(reply.status, 422, "{name} {request}: {}", reply.text());
        let problem = reply.problem(422, "invalid");
        assert_eq!(problem["pointer"], pointer, "{name} {request}: {problem}");
    }
}

#[test]
fn names_that_are_unknown_come_with_those_that_are_known() {
    let rig = Rig::new();
    let reply = rig.post(
        "solve",
        &json!({"board": EASY, "algorithm": "x".repeat(10_000)}),
    );
    let detail = reply.invalid("/algorithm")["detail"].to_string();
    assert!(detail.contains("idastar") && detail.len() < 500, "{detail}");
    let reply = rig.post("check", &json!({"board": EASY, "goal": "sideways"}));
    let detail = reply.invalid("/goal")["detail"].to_string();
    assert!(detail.contains("snail"), "{detail}");
}

#[test]
fn boards_that_cannot_be_read_tell_where() {
    let rig = Rig::new();
    for name in ["apply", "check", "compare", "estimate", "hint", "solve"] {
        let mut request = json!({"board": "1 2 3\n4 five 6\n7 8 0"});
        match name {
            "apply" => request["moves"] = json!("U"),
            "compare" => request["searches"] = json!([{"algorithm": "bfs"}]),
            _ => {}
        }
        let problem = rig.post(name, &request).invalid("/board");
        assert_eq!(
            problem["place"],
            json!({"line": 2, "column": 3}),
            "{name}: {problem}"
        );
    }
    for board in [
        "",
        "1 2 3",
        "1 1/2 0",
        "1 2/3 4",
        "1 2 3/4 0",
        "0x",
        "99999999999999999999",
    ] {
        let problem = rig
            .post("check", &json!({"board": board}))
            .invalid("/board");
        assert!(problem["place"]["column"].is_u64(), "{board}: {problem}");
    }
    let moves = json!({"board": EASY, "moves": "UQ"});
    let problem = rig.post("apply", &moves).invalid("/moves");
    assert_eq!(
        problem["place"],
        json!({"line": 1, "column": 2}),
        "{problem}"
    );
    // Readable, but not on this board.
    rig.post("apply", &json!({"board": EASY, "moves": "UUU"}))
        .invalid("/moves");
}

#[test]
fn a_goal_of_another_size_is_refused() {
    let rig = Rig::new();
    let goal = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
    for name in ["check", "estimate", "hint", "solve"] {
        rig.post(name, &json!({"board": EASY, "goal": goal}))
            .invalid("/goal");
    }
    rig.post("scramble", &json!({"size": "3x3", "goal": goal}))
        .invalid("/goal");
    rig.get(&path("distribution/2x3", &[("goal", goal)]))
        .invalid("/goal");
    for name in ["solve/stream", "trace/stream"] {
        rig.get(&path(name, &[("board", EASY), ("goal", goal)]))
            .invalid("/goal");
    }
}

#[test]
fn queries_are_read_as_strictly_as_bodies() {
    let rig = Rig::new();
    for (name, fields, pointer) in [
        ("solve/stream", &[][..], ""),
        ("trace/stream", &[], ""),
        ("solve/stream", &[("board", EASY), ("bord", "1")], "/bord"),
        (
            "trace/stream",
            &[("board", EASY), ("within_ms", "1")],
            "/within_ms",
        ),
        (
            "solve/stream",
            &[("board", EASY), ("within_ms", "soon")],
            "/within_ms",
        ),
        (
            "solve/stream",
            &[("board", EASY), ("within_ms", "-1")],
            "/within_ms",
        ),
        ("solve/stream", &[("board", EASY), ("all", "true")], "/all"),
        (
            "solve/stream",
            &[("board", EASY), ("optimal", "true"), ("fast", "true")],
            "/optimal",
        ),
        (
            "solve/stream",
            &[("board", EASY), ("algorithm", "magic")],
            "/algorithm",
        ),
        (
            "trace/stream",
            &[("board", EASY), ("heuristic", "magic")],
            "/heuristic",
        ),
        (
            "trace/stream",
            &[("board", EASY), ("max_events", "1e3")],
            "/max_events",
        ),
        ("trace/stream", &[("board", "1 2/3 y")], "/board"),
        ("distribution/2x3", &[("metric", "mile")], "/metric"),
        ("distribution/2x3", &[("gaol", "snail")], "/gaol"),
        ("quality/2x3", &[("heuristic", "magic")], "/heuristic"),
        ("distribution/banana", &[], "/size"),
    ] {
        let reply = rig.get(&path(name, fields));
        assert_eq!(reply.status, 422, "{name} {fields:?}: {}", reply.text());
        let problem = reply.problem(422, "invalid");
        assert_eq!(problem["pointer"], pointer, "{name} {fields:?}: {problem}");
    }
}

#[test]
fn a_path_that_is_no_text_is_a_problem_too() {
    let rig = Rig::new();
    for path in ["/api/v1/distribution/%ff", "/api/v1/quality/%ff"] {
        let reply = rig.get(path);
        assert_eq!(
            reply.header("content-type"),
            "application/problem+json",
            "{}",
            reply.text()
        );
        assert!((400..500).contains(&reply.status));
    }
}

/// A grid of numbers in order, the blank last.
fn ordered(rows: usize, columns: usize) -> String {
    let cells = rows * columns;
    let mut board = String::new();
    for cell in 1..=cells {
        let end = if cell % columns == 0 && cell < cells {
            '/'
        } else {
            ' '
        };
        let _ = write!(board, "{}{end}", cell % cells);
    }
    board
}

#[test]
fn a_body_of_ten_megabytes_is_refused_without_reading_it() {
    let rig = Rig::with(|bounds| bounds.patience = Duration::from_secs(30));
    // The length is told: not a byte of the body need come.
    let mut client = rig.connect();
    let begin = Instant::now();
    client.say(post_head("check", "Content-Length: 10000000"));
    client.reply().problem(413, "too-large");
    assert!(
        begin.elapsed() < Duration::from_secs(10),
        "it waited for the body"
    );
    client.until_closed();
}

#[test]
fn a_body_without_a_length_is_refused_as_soon_as_it_is_too_much() {
    let rig = Rig::new();
    let mut client = rig.connect();
    client.say(post_head("check", "Transfer-Encoding: chunked"));
    client.say(format!("{:x}\r\n{}\r\n", 80_000, " ".repeat(80_000)));
    client.reply().problem(413, "too-large");
    client.until_closed();

    // A client that goes on and on is cut off, and others are served.
    let mut client = rig.connect();
    client.say(post_head("check", "Transfer-Encoding: chunked"));
    let chunk = format!("{:x}\r\n{}\r\n", 50_000, " ".repeat(50_000));
    let sent = (0..2_000).take_while(|_| client.say(&chunk)).count();
    assert!(sent < 2_000, "all of it was taken");
    rig.ask("check", &json!({"board": EASY}));
}

#[test]
fn a_body_just_small_enough_is_read() {
    let rig = Rig::with(|bounds| bounds.body = 1_000);
    let mut body = json!({"board": EASY}).to_string();
    body += &" ".repeat(1_000 - body.len());
    rig.post_text("/api/v1/check", "application/json", &body)
        .good();
    body.push(' ');
    let reply = rig.post_text("/api/v1/check", "application/json", &body);
    reply.problem(413, "too-large");
}

#[test]
fn boards_larger_than_the_server_takes_are_refused() {
    let rig = Rig::with(|bounds| bounds.body = 1 << 20);
    let about = |reply: Reply, pointer: &str| {
        let problem = reply.problem(413, "too-large");
        assert_eq!(problem["pointer"], pointer);
        assert!(
            problem["detail"].as_str().unwrap().contains("100 cells"),
            "{problem}"
        );
    };
    for (rows, columns) in [(10, 11), (101, 2), (255, 255)] {
        let board = ordered(rows, columns);
        for name in ["check", "estimate", "hint", "solve"] {
            about(rig.post(name, &json!({"board": board})), "/board");
        }
        let size = format!("{rows}x{columns}");
        about(rig.post("scramble", &json!({"size": size})), "/size");
        about(rig.get(&format!("/api/v1/distribution/{size}")), "/size");
        about(rig.get(&format!("/api/v1/quality/{size}")), "/size");
    }
    for name in ["solve/stream", "trace/stream"] {
        about(
            rig.get(&path(name, &[("board", &ordered(10, 11))])),
            "/board",
        );
    }
    rig.ask("check", &json!({"board": ordered(10, 10)}));
    // No board is so large.
    rig.post("check", &json!({"board": ordered(256, 256)}))
        .invalid("/board");
    rig.post("scramble", &json!({"size": "256x256"}))
        .invalid("/size");
    rig.post("scramble", &json!({"size": "99999999999x99999999999"}))
        .invalid("/size");
    // With the usual bound on bodies it does not even come that far.
    let usual = Rig::new();
    let body = json!({"board": ordered(256, 256)}).to_string();
    let mut client = usual.connect();
    client.say(post_head(
        "check",
        &format!("Content-Length: {}", body.len()),
    ));
    client.say(&body[..70_000]);
    client.reply().problem(413, "too-large");
}

#[test]
fn whole_spaces_are_for_small_puzzles() {
    let rig = Rig::new();
    for name in [
        "distribution/4x4",
        "distribution/2x7",
        "quality/3x4",
        "quality/2x5",
    ] {
        let problem = rig
            .get(&format!("/api/v1/{name}"))
            .problem(413, "too-large");
        assert_eq!(problem["pointer"], "/size", "{name}");
    }
}

#[test]
fn what_is_not_there_is_not_found() {
    let rig = Rig::new();
    for path in [
        "/nothing",
        "/api/nothing",
        "/api/v1",
        "/api/v1/",
        "/api/v1/nothing",
        "/api/v2/check",
        "/api/v1/check/",
        "/api/v1/distribution",
        "/js/nothing.js",
        "/healthz/",
        "/README.md",
    ] {
        let reply = rig.get(path);
        assert_eq!(reply.status, 404, "{path}");
        let problem = reply.problem(404, "not-found");
        assert!(
            problem["detail"].as_str().unwrap().contains(path),
            "{problem}"
        );
    }
    rig.post("nothing", &json!({})).problem(404, "not-found");
}

#[test]
fn another_method_gets_the_ones_that_are_answered() {
    let rig = Rig::new();
    let allows = |reply: Reply, method: &str| {
        reply.problem(405, "method");
        let allow = reply.header("allow");
        assert!(allow.split(',').any(|one| one.trim() == method), "{allow}");
    };
    for name in POSTS {
        let path = format!("/api/v1/{name}");
        allows(rig.get(&path), "POST");
        allows(rig.delete(&path), "POST");
    }
    for path in [
        "/api/v1/about",
        "/api/v1/distribution/3x3",
        "/api/v1/quality/3x3",
        "/api/v1/solve/stream",
        "/api/v1/trace/stream",
        "/healthz",
        "/metrics",
    ] {
        allows(rig.post_text(path, "application/json", "{}"), "GET");
        allows(rig.delete(path), "GET");
    }
}

#[test]
fn the_page_is_there_to_be_read() {
    let rig = Rig::new();
    for path in ["/", "/index.html", "/js/main.js", "/api"] {
        let reply = rig.delete(path);
        reply.problem(405, "method");
        assert!(reply.header("allow").contains("GET"), "{path}");
    }
}

#[test]
fn other_hosts_and_other_sites_are_refused() {
    let rig = Rig::new();
    let port = rig.address.port();
    for host in [
        "example.org",
        "taquin.example.org:8015",
        "localhost.example.org",
        "10.0.0.1",
    ] {
        for path in ["/", "/api/v1/about", "/healthz", "/nothing"] {
            rig.get_with(path, &[("Host", host)])
                .problem(403, "foreign");
        }
    }
    for host in [
        "localhost",
        "127.0.0.1",
        &format!("localhost:{port}"),
        "[::1]",
    ] {
        assert_eq!(
            rig.get_with("/healthz", &[("Host", host)]).status,
            200,
            "{host}"
        );
    }
    let mut client = rig.connect();
    client.say("GET /healthz HTTP/1.1\r\n\r\n");
    client.reply().problem(403, "foreign");

    let from = |path: &str, site: &str, mode: &str, target: &str| {
        let headers = [
            ("Sec-Fetch-Site", site),
            ("Sec-Fetch-Mode", mode),
            ("Sec-Fetch-Dest", target),
        ];
        rig.get_with(path, &headers)
    };
    for mode in ["no-cors", "cors", "websocket"] {
        from("/healthz", "cross-site", mode, "empty").problem(403, "foreign");
        assert_eq!(from("/healthz", "same-origin", mode, "empty").status, 200);
    }
    for site in ["cross-site", "same-origin", "none"] {
        assert_eq!(from("/", site, "navigate", "document").status, 200);
    }
    from("/", "cross-site", "navigate", "iframe").problem(403, "foreign");
    from("/api/v1/about", "cross-site", "navigate", "document").problem(403, "foreign");

    let own = format!("http://{}", rig.address);
    for (origin, status) in [(&*own, 200), ("http://example.org", 403), ("null", 403)] {
        let host = rig.address.to_string();
        let reply = rig.get_with("/healthz", &[("Host", &host), ("Origin", origin)]);
        assert_eq!(reply.status, status, "{origin}");
    }
}

#[test]
fn another_page_on_this_machine_is_refused_the_api() {
    let rig = Rig::new();
    for site in ["same-site", "cross-site"] {
        let headers = [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "no-cors")];
        for path in ["/api/v1/about", "/api/v1/distribution/2x2"] {
            rig.get_with(path, &headers).problem(403, "foreign");
        }
    }
}

#[test]
fn an_origin_or_a_host_that_is_not_clear_is_refused() {
    let rig = Rig::new();
    let own = rig.address;
    for headers in [
        &b"Host: localhost\r\nOrigin: http://\xff\r\n"[..],
        b"Host: \xff\r\n",
        b"Host: localhost\r\nHost: localhost\r\n",
        b"Host: localhost\r\nHost: example.org\r\n",
        format!("Host: {own}\r\nOrigin: http://{own}\r\nOrigin: http://example.org\r\n").as_bytes(),
        format!("Host: {own}\r\nOrigin: http://{own}\r\nOrigin: http://{own}\r\n").as_bytes(),
    ] {
        let mut client = rig.connect();
        client.say([b"GET /api/v1/about HTTP/1.1\r\n", headers, b"\r\n"].concat());
        client.reply().problem(403, "foreign");
    }
}
