//! A server of one's own, and clients for it.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Value, json};
use taquin::supply::TableSource;
use taquin::tables::Tier;
use taquin::tables::store::Store;
use taquin::{Budget, Goal, Metric};
use taquin_server::{Bounds, Config, Resources, Server};
use tokio::runtime;
use tokio::sync::oneshot;
use ureq::Agent;

/// The tables of all servers that need none of their own. Those of the warm-up are there before the
/// first server starts, so that no server waits for another one that builds them.
static SHARED_TABLES: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("api-tables");
    build_4x4(&folder);
    folder
});

/// Builds what the warm-up of a server needs.
pub(crate) fn build_4x4(folder: &Path) {
    let goal = Goal::Classic.board("4x4".parse().unwrap()).unwrap();
    let source = TableSource::stored(Store::new(folder));
    source
        .get(&goal, Metric::Single, Tier::Quick, &Budget::default())
        .unwrap();
}

/// A board that takes minutes without tables.
pub(crate) const HARD: &str = "15 12 5 18 7/3 20 1 14 22/9 16 0 11 4/23 2 17 8 13/6 21 10 24 19";
/// A board whose shortest solution has 14 moves.
pub(crate) const EASY: &str = "8 1 3/4 0 2/7 6 5";
/// A board that nobody can solve.
pub(crate) const UNSOLVABLE: &str = "1 2 3/4 5 6/8 7 0";

/// How long anything may take on a machine that has much else to do.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);

/// A request for a search that goes on for minutes.
pub(crate) fn long_search() -> Value {
    json!({"board": HARD, "algorithm": "idastar", "heuristic": "manhattan"})
}

/// A stream of a search that goes on for minutes.
pub(crate) fn long_stream() -> String {
    path(
        "solve/stream",
        &[
            ("board", HARD),
            ("algorithm", "idastar"),
            ("heuristic", "manhattan"),
        ],
    )
}

/// A trace that goes on until it is stopped.
pub(crate) fn long_trace() -> String {
    path(
        "trace/stream",
        &[("board", HARD), ("max_events", "1000000000")],
    )
}

/// The path of a request with a query.
pub(crate) fn path(name: &str, fields: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(fields);
    format!("/api/v1/{name}?{}", query.finish())
}

/// A server in a thread of its own, which ends with it.
pub(crate) struct Rig {
    pub(crate) address: SocketAddr,
    agent: Agent,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Rig {
    pub(crate) fn new() -> Self {
        Self::with(|_| ())
    }

    /// A server with other bounds than the usual ones of these tests.
    pub(crate) fn with(change: impl FnOnce(&mut Bounds)) -> Self {
        Self::start(&SHARED_TABLES, change)
    }

    /// A server with tables of its own.
    pub(crate) fn with_tables(folder: &Path) -> Self {
        Self::start(folder, |_| ())
    }

    /// A server with tables of its own and other bounds.
    pub(crate) fn with_tables_and(folder: &Path, change: impl FnOnce(&mut Bounds)) -> Self {
        Self::start(folder, change)
    }

    /// A server that listens elsewhere than on this machine alone.
    pub(crate) fn listening(listen: SocketAddr, change: impl FnOnce(&mut Bounds)) -> Self {
        Self::launch(&SHARED_TABLES, listen, change)
    }

    fn start(tables: &Path, change: impl FnOnce(&mut Bounds)) -> Self {
        Self::launch(tables, SocketAddr::from(([127, 0, 0, 1], 0)), change)
    }

    fn launch(tables: &Path, listen: SocketAddr, change: impl FnOnce(&mut Bounds)) -> Self {
        let mut bounds = Bounds {
            searches: 2,
            queue: 64,
            time: Duration::from_secs(60),
            nodes: 100_000_000_000,
            memory: 64 << 20,
            survey_memory: 256 << 20,
            build_memory: 1 << 30,
            kept: 1 << 30,
            events: 1_000_000_000,
            cells: 100,
            body: 64 << 10,
            connections: 256,
            peer_connections: 256,
            patience: Duration::from_secs(10),
            farewell: Duration::from_secs(10),
        };
        change(&mut bounds);
        let config = Config {
            listen,
            bounds,
            ..Config::default()
        };
        let store = Store::new(tables);
        let resources = Resources::new(store, 2, &config.bounds);
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime = runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let server = Server::bind(config, resources).unwrap();
                tell.send(server.address()).unwrap();
                let end = async {
                    let _ = stopped.await;
                };
                server.run(end).await;
            });
            runtime.shutdown_background();
        });
        // Every request has a connection of its own, so that each test knows how many there are.
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(2 * PATIENCE))
            .max_idle_connections(0)
            .build();
        let address = told.recv().unwrap();
        Self {
            // From here it is reached by this address, wherever it listens.
            address: SocketAddr::from(([127, 0, 0, 1], address.port())),
            agent: agent.into(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.get_with(path, &[])
    }

    pub(crate) fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        let request = self.agent.get(self.url(path));
        let request = headers.iter().fold(request, |request, (name, value)| {
            request.header(*name, *value)
        });
        Reply::of(request.call().unwrap())
    }

    pub(crate) fn head(&self, path: &str) -> Reply {
        Reply::of(self.agent.head(self.url(path)).call().unwrap())
    }

    pub(crate) fn delete(&self, path: &str) -> Reply {
        Reply::of(self.agent.delete(self.url(path)).call().unwrap())
    }

    /// Posts JSON to the API.
    pub(crate) fn post(&self, name: &str, request: &Value) -> Reply {
        self.post_text(
            &format!("/api/v1/{name}"),
            "application/json",
            request.to_string(),
        )
    }

    pub(crate) fn post_text(&self, path: &str, kind: &str, body: impl AsRef<[u8]>) -> Reply {
        let request = self.agent.post(self.url(path)).header("Content-Type", kind);
        Reply::of(request.send(body.as_ref()).unwrap())
    }

    /// What the API answers to a good request.
    pub(crate) fn ask(&self, name: &str, request: &Value) -> Value {
        self.post(name, request).good()
    }

    /// The events of a stream, as they come.
    pub(crate) fn stream(&self, path: &str) -> Events {
        let response = self.agent.get(self.url(path)).call().unwrap();
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Events(BufReader::new(Box::new(response.into_body().into_reader())))
    }

    /// A connection on which nothing was said yet.
    pub(crate) fn connect(&self) -> Raw {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(2 * PATIENCE)).unwrap();
        stream.set_write_timeout(Some(2 * PATIENCE)).unwrap();
        Raw(stream)
    }

    /// A connection from another address of this machine, if it has one.
    pub(crate) fn connect_from(&self, address: [u8; 4]) -> Option<Raw> {
        let connecting = async {
            let socket = tokio::net::TcpSocket::new_v4()?;
            socket.bind(SocketAddr::from((address, 0)))?;
            socket.connect(self.address).await?.into_std()
        };
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let stream = runtime.unwrap().block_on(connecting).ok()?;
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(2 * PATIENCE)).unwrap();
        Some(Raw(stream))
    }

    /// A number of `/metrics`.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let text = self.get("/metrics").text();
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name} in {text}"))
            .parse()
            .unwrap()
    }

    pub(crate) fn running(&self) -> u64 {
        self.metric("taquin_searches_running")
    }

    pub(crate) fn waiting(&self) -> u64 {
        self.metric("taquin_searches_waiting")
    }

    /// Waits until this many searches run.
    pub(crate) fn until_running(&self, searches: u64) {
        until("searches run", || self.running() == searches);
    }

    /// Waits until this many searches wait.
    pub(crate) fn until_waiting(&self, searches: u64) {
        until("searches wait", || self.waiting() == searches);
    }

    /// Tells the server to stop.
    pub(crate) fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Waits until the server is gone, and tells how long that took.
    pub(crate) fn gone(&mut self) -> Duration {
        let begin = Instant::now();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking(), "the server panicked");
        }
        begin.elapsed()
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.stop();
        self.gone();
    }
}

/// Waits until something is so.
pub(crate) fn until(what: &str, mut so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !so() {
        assert!(begin.elapsed() < PATIENCE, "in vain: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    fn of(mut response: ureq::http::Response<ureq::Body>) -> Self {
        let headers = response.headers().iter();
        let headers = headers
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect();
        Self {
            status: response.status().as_u16(),
            headers,
            body: response.body_mut().read_to_vec().unwrap(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.header_if_any(name)
            .unwrap_or_else(|| panic!("no {name} in {:?}", self.headers))
    }

    pub(crate) fn header_if_any(&self, name: &str) -> Option<&str> {
        let header = self.headers.iter().find(|(other, _)| other == name);
        header.map(|(_, value)| &**value)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The JSON of an answer that is no error.
    pub(crate) fn good(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text());
        assert_eq!(self.header("content-type"), "application/json");
        self.json()
    }

    /// The problem document of an error; `kind` is the end of its type.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, kind: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["type"], format!("/problems/{kind}"), "{problem}");
        assert_eq!(problem["status"], status, "{problem}");
        for field in ["title", "detail"] {
            assert!(
                problem[field].as_str().is_some_and(|text| !text.is_empty()),
                "{problem}"
            );
        }
        problem
    }

    /// A problem with one field.
    #[track_caller]
    pub(crate) fn invalid(&self, pointer: &str) -> Value {
        let problem = self.problem(422, "invalid");
        assert_eq!(problem["pointer"], pointer, "{problem}");
        problem
    }
}

/// One event of a stream.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) data: Value,
}

/// The events of a stream; dropping them hangs up.
pub(crate) struct Events(BufReader<Box<dyn Read>>);

impl Iterator for Events {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let (mut name, mut data) = (None, None);
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                assert!(name.is_none() && data.is_none(), "half an event");
                return None;
            }
            let line = line.strip_suffix('\n').expect("a whole line");
            if let Some(text) = line.strip_prefix("event: ") {
                assert_eq!(name.replace(text.to_owned()), None);
            } else if let Some(text) = line.strip_prefix("data: ") {
                assert_eq!(data.replace(serde_json::from_str(text).unwrap()), None);
            } else if line.is_empty() {
                if let (Some(name), Some(data)) = (name.take(), data.take()) {
                    return Some(Event { name, data });
                }
            } else {
                assert!(line.starts_with(':'), "{line}");
            }
        }
    }
}

/// A connection for a client that does as it likes.
pub(crate) struct Raw(pub(crate) TcpStream);

impl Raw {
    /// Sends text. It may be that nobody takes it any more.
    pub(crate) fn say(&mut self, text: impl AsRef<[u8]>) -> bool {
        self.0.write_all(text.as_ref()).is_ok()
    }

    pub(crate) fn get(&mut self, path: &str) {
        assert!(self.say(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")));
    }

    pub(crate) fn post(&mut self, name: &str, request: &Value) {
        let body = request.to_string();
        let head = post_head(name, &format!("Content-Length: {}", body.len()));
        assert!(self.say(head + &body));
    }

    /// The head of the next answer.
    pub(crate) fn head(&mut self) -> String {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            self.0.read_exact(&mut byte).expect("an answer");
            head.extend(byte);
        }
        String::from_utf8(head).unwrap()
    }

    /// The next answer, of which the length is told.
    pub(crate) fn reply(&mut self) -> Reply {
        let head = self.head();
        let mut lines = head.trim_end().lines();
        let status = lines
            .next()
            .unwrap()
            .split(' ')
            .nth(1)
            .unwrap()
            .parse()
            .unwrap();
        let headers: Vec<(String, String)> = lines
            .map(|line| line.split_once(": ").unwrap())
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let mut reply = Reply {
            status,
            headers,
            body: Vec::new(),
        };
        let length = reply.header_if_any("content-length").unwrap_or("0");
        reply.body = vec![0; length.parse().unwrap()];
        self.0.read_exact(&mut reply.body).unwrap();
        reply
    }

    /// Whether there is an answer, and not just an end.
    pub(crate) fn until_closed_or_answered(&mut self) -> bool {
        self.0.read_exact(&mut [0]).is_ok()
    }

    /// Reads until the server hangs up; panics if it does not.
    pub(crate) fn until_closed(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        match self.0.read_to_end(&mut rest) {
            Ok(_) => {}
            Err(error) => assert!(
                matches!(
                    error.kind(),
                    ErrorKind::ConnectionReset | ErrorKind::BrokenPipe
                ),
                "the server does not hang up: {error}"
            ),
        }
        rest
    }
}

/// The head of a request with a JSON body, whose length is told by the last header.
pub(crate) fn post_head(name: &str, length: &str) -> String {
    format!(
        "POST /api/v1/{name} HTTP/1.1\r\nHost: localhost\r\n\
         Content-Type: application/json\r\n{length}\r\n\r\n"
    )
}

/// A record as JSON without the times, which differ from run to run.
pub(crate) fn timeless(record: impl Serialize) -> Value {
    let mut value = serde_json::to_value(record).unwrap();
    forget_times(&mut value);
    value
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("time_ms");
            fields.values_mut().for_each(forget_times);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_times),
        _ => {}
    }
}
