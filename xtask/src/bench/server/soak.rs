//! `cargo xtask bench soak`: a mix of requests for some minutes. Memory must stay flat.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use super::client::{Answer, Client, Trouble};
use super::program::Program;
use super::{about, settled};
use crate::Chore;
use crate::serving::Server;

/// How long it lasts unless told otherwise, in minutes.
const MINUTES: u64 = 5;
/// The clients ask this long, then the server is left alone and looked at.
const ROUND: Duration = Duration::from_secs(20);
/// The server is left alone this long before it is looked at.
const REST: Duration = Duration::from_secs(1);
/// Clients at once.
const CLIENTS: u64 = 6;
/// What is made once, such as tables, is made in the first rounds.
const WARM_UP: usize = 3;
/// How much more memory of its own a server may have when nobody asks than after the warm-up.
const GROWTH: u64 = 64 << 20;
/// The sizes that are asked about, and how many boards of each there are to draw from: every pair
/// of them is a board and a goal.
const SIZES: [&str; 11] = [
    "2x4", "2x5", "3x3", "3x4", "3x5", "4x4", "4x5", "5x5", "6x6", "10x10", "20x20",
];
const BOARDS: usize = 5000;

/// Asks for all kinds of things, mostly with goals that never came before.
pub(crate) fn soak(minutes: Option<&str>) -> Chore {
    let minutes = minutes.map_or(Ok(MINUTES), str::parse);
    let minutes: u64 = minutes.map_err(|_| "bench soak takes a number of minutes".to_owned())?;
    let rounds = (minutes * 60 / ROUND.as_secs()) as usize;
    let program = Program::find()?;
    let mut boards = Boards::new();
    for size in SIZES {
        boards.insert(size, program.boards(size, 5, BOARDS)?);
    }
    let server = program.serve(&[])?;
    let mut after_warm_up = 0;
    for round in 0..WARM_UP + rounds {
        let asked = ask_for(
            server.address(),
            &boards,
            round as u64,
            Instant::now() + ROUND,
        )?;
        settled(server.address())?;
        // It clears up when nobody has asked for a moment.
        thread::sleep(REST);
        let Some(bytes) = server.anonymous_memory() else {
            println!("round {round}: {asked} answers; the system does not tell the memory");
            continue;
        };
        let kept = kept(&server)?;
        let mb = |bytes: u64| bytes / 1_000_000;
        println!(
            "round {round}: {asked} answers, {} MB of its own when idle, {} MB kept on purpose",
            mb(bytes),
            mb(kept)
        );
        if round < WARM_UP {
            after_warm_up = after_warm_up.max(bytes);
        } else if bytes > after_warm_up + GROWTH {
            return Err(format!(
                "bench soak: memory grew from {} MB after the warm-up to {} MB, by more than {} MB",
                mb(after_warm_up),
                mb(bytes),
                mb(GROWTH)
            ));
        }
    }
    Ok(())
}

/// The bytes that the server says it keeps.
fn kept(server: &Server) -> Result<u64, String> {
    let metrics = Client::connect(server.address())?.get("/metrics")?;
    metrics.metric("taquin_kept_bytes")
}

/// Clients that ask until the end; how many answers there were.
fn ask_for(
    address: SocketAddr,
    boards: &Boards,
    round: u64,
    end: Instant,
) -> Result<usize, String> {
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let mut draw = Draw(round * CLIENTS + client);
                scope.spawn(move || {
                    let mut connection = Client::connect(address)?;
                    connection.wait_at_most(Duration::from_mins(1))?;
                    let mut answers = 0;
                    while Instant::now() < end {
                        let answer = ask_one(&mut connection, boards, &mut draw)?;
                        // Who finds the queue full has an answer too.
                        if !matches!(answer.status, 200 | 413 | 503) {
                            return Err(format!("status {}: {}", answer.status, answer.body));
                        }
                        answers += 1;
                    }
                    Ok(answers)
                })
            })
            .collect();
        let mut all = 0;
        for client in clients {
            all += client
                .join()
                .map_err(|_| "a client panicked".to_owned())??;
        }
        Ok(all)
    })
}

/// Boards by their size. All of one size can reach each other.
type Boards = HashMap<&'static str, Vec<String>>;

/// Numbers that look random, the same ones every time (`SplitMix64`).
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % most as u64) as usize
    }

    fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// One of all kinds of requests.
fn ask_one(client: &mut Client, boards: &Boards, draw: &mut Draw) -> Result<Answer, Trouble> {
    let mut pick = |names: &[&'static str]| *draw.one_of(names);
    let kind = pick(&[
        "solve",
        "usual",
        "laboratory",
        "within",
        "hint",
        "estimate",
        "distribution",
        "quality",
        "compare",
        "apply",
        "check",
        "all",
        "fast",
    ]);
    let size = match kind {
        "laboratory" => "4x4",
        "solve" | "usual" => pick(&["4x4", "3x4", "3x3"]),
        "estimate" => pick(&["3x4", "4x4", "3x5"]),
        "distribution" => pick(&["3x3", "2x4", "2x5", "3x4"]),
        "within" => pick(&["5x5", "4x5"]),
        "hint" => "6x6",
        "check" => "20x20",
        "fast" => "10x10",
        _ => "3x3",
    };
    let algorithm = pick(&["astar", "bfs", "nbs", "idastar-tt", "smastar", "frontier"]);
    let (board, goal) = (draw.one_of(&boards[size]), draw.one_of(&boards[size]));
    let with_goal = |more: &str| about(board, &format!(r#","goal":"{goal}"{more}"#));
    let query = goal.replace(' ', "+").replace('/', "%2F");
    match kind {
        "usual" => client.post("/api/v1/solve", &about(board, r#","limit_time_ms":3000"#)),
        "laboratory" => {
            let more = format!(r#","algorithm":"{algorithm}","limit_time_ms":1500"#);
            client.post("/api/v1/solve", &with_goal(&more))
        }
        "within" => client.post("/api/v1/solve", &with_goal(r#","within_ms":500"#)),
        "hint" => client.post("/api/v1/hint", &with_goal(r#","within_ms":300"#)),
        "estimate" => {
            let more = r#","heuristics":["pdb:quick"]"#;
            client.post("/api/v1/estimate", &with_goal(more))
        }
        "distribution" => client.get(&format!("/api/v1/distribution/{size}?goal={query}")),
        "quality" => client.get(&format!("/api/v1/quality/3x3?heuristic=max&goal={query}")),
        "compare" => {
            let searches = ["astar", "bfs", "bibfs", "rbfs"]
                .map(|name| format!(r#"{{"algorithm":"{name}"}}"#))
                .join(",");
            let more = format!(r#","limit_time_ms":2000,"searches":[{searches}]"#);
            client.post("/api/v1/compare", &with_goal(&more))
        }
        "apply" => {
            let moves = "RL".repeat(10_000);
            let more = format!(r#","moves":"{moves}""#);
            client.post("/api/v1/apply", &about("1 2 3/4 0 5/6 7 8", &more))
        }
        "check" => client.post("/api/v1/check", &with_goal("")),
        "all" => client.post("/api/v1/solve", &with_goal(r#","all":true"#)),
        "fast" => client.post("/api/v1/solve", &with_goal(r#","fast":true"#)),
        _ => client.post("/api/v1/solve", &with_goal(r#","limit_time_ms":3000"#)),
    }
}
