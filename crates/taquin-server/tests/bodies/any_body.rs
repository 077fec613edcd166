//! What is true of the answer to every body. The property tests and the fuzz target `json_body`
//! share it.

use std::time::Duration;

use serde_json::Value;
use taquin::notation::{MoveNotation, read_moves};
use taquin::tables::store::Store;
use taquin::{Board, Goal};
use taquin_server::{Bounds, Resources, Unconnected};
use tokio::runtime::{self, Runtime};

/// The requests that take a body.
const REQUESTS: [&str; 7] = [
    "apply", "check", "compare", "estimate", "hint", "scramble", "solve",
];

/// What stands in good bodies, so that random ones are often almost good.
const FIELDS: [&str; 26] = [
    "board",
    "size",
    "goal",
    "form",
    "moves",
    "notation",
    "style",
    "metric",
    "optimal",
    "within_ms",
    "fast",
    "algorithm",
    "heuristic",
    "weight",
    "cost",
    "all",
    "max",
    "count",
    "limit_time_ms",
    "limit_nodes",
    "limit_memory",
    "heuristics",
    "searches",
    "seed",
    "index",
    "walk",
];

/// Values that some field takes, or almost.
const VALUES: [&str; 44] = [
    r#""8 1 3/4 0 2/7 6 5""#,
    r#""1 2 3/4 5 6/7 8 0""#,
    r#""1 2 3/4 5 6/8 7 0""#,
    r#""3 1 2/0 4 5""#,
    r#""1 2 3 4/5 6 7 8/9 10 0 11""#,
    r#""12345678x""#,
    r#""1,2;3,0""#,
    r#""3x3""#,
    r#""2x4""#,
    r#""300x300""#,
    r#""-1x3""#,
    r#""classic""#,
    r#""blank-first""#,
    r#""rows""#,
    r#""flat""#,
    r#""RDLU""#,
    r#""8 7 6""#,
    r#""R99999999999999999999""#,
    r#""tile""#,
    r#""blank""#,
    r#""letters""#,
    r#""arrows""#,
    r#""single""#,
    r#""multi""#,
    r#""idastar""#,
    r#""wastar""#,
    r#""bfs""#,
    r#""manhattan""#,
    r#""linear-conflict""#,
    r#""pdb:3-3-2""#,
    r#""pdb:1,2,3""#,
    r#""unit""#,
    "0",
    "1",
    "7",
    "1000000",
    "18446744073709551615",
    "-1",
    "1.5",
    "1e400",
    "true",
    "null",
    r#"["manhattan","pdb:5"]"#,
    r#"[{"algorithm":"astar","heuristic":"manhattan"},{"algorithm":"idastar"}]"#,
];

/// Makes a body of any bytes: either they are the body, or they choose fields and values, and what
/// is left over is a string or a tail.
pub(crate) fn make_body(data: &[u8]) -> Vec<u8> {
    let Some((&mode, mut rest)) = data.split_first() else {
        return Vec::new();
    };
    if mode & 1 == 0 {
        return rest.to_vec();
    }
    // Hardly any request is good without its first field.
    let first = if mode & 2 == 0 { "board" } else { "size" };
    let mut fields = vec![format!(
        r#""{first}":{}"#,
        VALUES[usize::from(mode >> 4) % 8]
    )];
    for _ in 0..(mode >> 2) % 8 {
        let [field, value, ref tail @ ..] = *rest else {
            break;
        };
        rest = tail;
        let name = FIELDS[usize::from(field) % FIELDS.len()];
        let value = match VALUES.get(usize::from(value)) {
            Some(value) => (*value).to_owned(),
            None if value & 1 == 0 => value.to_string(),
            // The rest of the data as a string.
            None => Value::from(String::from_utf8_lossy(rest)).to_string(),
        };
        fields.push(format!(r#""{name}":{value}"#));
    }
    let mut body = format!("{{{}}}", fields.join(",")).into_bytes();
    if mode & 0b1110_0000 == 0b1110_0000 {
        body.extend(rest);
    }
    body
}

/// A server without connections that spends milliseconds on a request.
pub(crate) struct Rig {
    server: Unconnected,
    runtime: Runtime,
}

impl Rig {
    /// Its tables cannot be kept: a file is no folder.
    pub(crate) fn new() -> Self {
        let bounds = Bounds {
            searches: 1,
            queue: 1,
            time: Duration::from_millis(5),
            nodes: 200,
            memory: 1 << 20,
            events: 100,
            cells: 12,
            body: 4 << 10,
            ..Bounds::default()
        };
        let program = std::env::current_exe().expect("a program");
        let resources = Resources::new(Store::new(program.join("tables")), 1, &bounds);
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(1)
            .build();
        Self {
            server: Unconnected::new(bounds, resources).expect("there are threads"),
            runtime: runtime.expect("a runtime"),
        }
    }

    /// Posts a body to the request that the number chooses, and judges the answer.
    pub(crate) fn judge(&self, request: u8, body: &[u8]) -> u16 {
        let name = REQUESTS[usize::from(request) % REQUESTS.len()];
        let path = format!("/api/v1/{name}");
        let posted = self.server.post(&path, body.to_vec());
        let (status, answer) = self.runtime.block_on(posted).expect("an answer");
        let context = || {
            let (body, answer) = (body.escape_ascii(), answer.escape_ascii());
            format!("{name} {body} -> {status} {answer}")
        };
        let answer: Value =
            serde_json::from_slice(&answer).unwrap_or_else(|_| panic!("{}", context()));
        match status {
            200 if name == "solve" => {
                judge_solution(&answer).unwrap_or_else(|| panic!("{}", context()));
            }
            200 => {}
            // No 500: what a client sends is never this program's fault.
            400 | 413 | 422 | 503 => {
                assert_eq!(answer["status"], status, "{}", context());
                let detail = answer["detail"].as_str().unwrap_or_default();
                assert!(!detail.is_empty() && detail.len() < 4000, "{}", context());
            }
            _ => panic!("{}", context()),
        }
        status
    }
}

/// A solution leads from the board to the goal; `None` if it does not.
fn judge_solution(answer: &Value) -> Option<()> {
    if answer["status"] != "solved" {
        return Some(());
    }
    let board: Board = answer["board"].as_str()?.parse().ok()?;
    let goal: Goal = answer["goal"].as_str()?.parse().ok()?;
    let notation = answer["notation"].as_str()?;
    let notation = MoveNotation::ALL
        .into_iter()
        .find(|it| it.name() == notation)?;
    let moves = read_moves(answer["moves"].as_str()?, Some(notation), Some(&board)).ok()?;
    let end = board.after(&moves).ok()?;
    let is_as_long = answer["length"] == moves.len();
    (end == goal.board(board.size()).ok()? && is_as_long).then_some(())
}
