//! Ten times more clients than the server can serve.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use super::client::{Client, Trouble};
use super::figures::{Figures, ms};
use super::load::Tally;
use super::program::Program;
use super::{SETTLE, SLOWEST, about, settled};
use crate::Chore;
use crate::serving::Server;

const SEARCHES: usize = 2;
const QUEUE: usize = 64;
const CLIENTS: usize = 10 * (SEARCHES + QUEUE);
/// How long it lasts.
const LASTS: Duration = Duration::from_secs(10);
/// How long after the end answers are waited for: by then, only who searches or waits has none.
const GRACE: Duration = Duration::from_secs(1);
/// A search takes this long.
const SEARCH: Duration = Duration::from_secs(1);
/// Who was sent away comes back after this, which is much sooner than `Retry-After` says.
const PAUSE: Duration = Duration::from_millis(100);
/// How often the memory is looked at, and how often another client asks for something small.
const LOOK: Duration = Duration::from_millis(250);
const SMALL: Duration = Duration::from_millis(10);
/// Memory is flat if its peak in the second half is not higher than in the first by more than a
/// tenth.
const GROWTH: u64 = 10;
/// A client needs little room, and there are many.
const STACK: usize = 128 << 10;

pub(super) fn overload(program: &Program, figures: &mut Figures) -> Chore {
    let (searches, queue) = (SEARCHES.to_string(), QUEUE.to_string());
    let server = program.serve(&["--searches", &searches, "--queue", &queue])?;
    let within = format!(r#","within_ms":{}"#, SEARCH.as_millis());
    let boards = program.boards("6x6", 3, CLIENTS)?;
    let bodies: Vec<String> = boards.iter().map(|board| about(board, &within)).collect();
    // What is made once, such as tables, is not growth.
    let mut client = Client::connect(server.address())?;
    client.post("/api/v1/solve", &bodies[0])?.must_have(&[])?;
    drop(client);

    let check = about(&boards[0], "");
    let seen = storm(&server, &bodies, &check, Instant::now() + LASTS)?;
    let idle = settled(server.address());

    figures.tell("clients", CLIENTS);
    let served = seen.served.times.len();
    // Half of what it could do without the flood.
    let fair = SEARCHES * (LASTS.as_secs() / SEARCH.as_secs()) as usize / 2;
    figures.expect("searches answered (200)", fair, served, served >= fair);
    let away = seen.away.times.len();
    figures.expect("sent away (503)", "some", away, away > 0);
    let places = SEARCHES + QUEUE;
    figures.expect(
        "without an answer at the end",
        format!("{places} at most"),
        seen.unanswered,
        seen.unanswered <= places,
    );
    figures.expect_under("503: p99", SLOWEST, seen.away.percentile(99));
    seen.away.tell(figures, "503");
    seen.away.expect_no_failure(figures, "503");
    seen.served.expect_no_failure(figures, "200");
    figures.expect_under("check: p99", SLOWEST, seen.check.percentile(99));
    seen.check.tell(figures, "check");
    seen.check.expect_no_failure(figures, "check");
    figures.expect_under("healthz: p99", SLOWEST, seen.health.percentile(99));
    seen.health.expect_no_failure(figures, "healthz");
    tell_memory(figures, &seen.memory);
    let floor = format!("under {}", ms(SETTLE));
    let (seen, met) = match idle {
        Ok(time) => (ms(time), true),
        Err(why) => (why, false),
    };
    figures.expect("idle after the clients left", floor, seen, met);
    Ok(())
}

/// What was seen during the flood.
#[derive(Default)]
struct Seen {
    served: Tally,
    away: Tally,
    unanswered: usize,
    check: Tally,
    health: Tally,
    /// When after the beginning, and how many bytes.
    memory: Vec<(Duration, u64)>,
}

impl Seen {
    fn add(&mut self, other: Self) {
        self.served.add(other.served);
        self.away.add(other.away);
        self.unanswered += other.unanswered;
        self.check.add(other.check);
        self.health.add(other.health);
    }
}

fn storm(server: &Server, bodies: &[String], check: &str, end: Instant) -> Result<Seen, String> {
    let address = server.address();
    let begin = Instant::now();
    let mut seen = Seen::default();
    seen.memory
        .extend(server.memory().map(|bytes| (Duration::ZERO, bytes)));
    thread::scope(|scope| {
        let small = || thread::Builder::new().stack_size(STACK);
        let mut clients = Vec::new();
        for body in bodies {
            clients.push(small().spawn_scoped(scope, move || insist(address, body, end)));
        }
        clients.push(small().spawn_scoped(scope, move || ask_small(address, check, end)));
        while Instant::now() < end {
            thread::sleep(LOOK.min(end.saturating_duration_since(Instant::now())));
            let memory = server.memory();
            seen.memory
                .extend(memory.map(|bytes| (begin.elapsed(), bytes)));
        }
        for client in clients {
            let client = client.map_err(|error| format!("no thread for a client: {error}"))?;
            let part = client.join().map_err(|_| "a client panicked".to_owned())?;
            seen.add(part);
        }
        Ok(seen)
    })
}

/// A client that wants its board solved again and again, and comes back when it is sent away.
fn insist(address: SocketAddr, body: &str, end: Instant) -> Seen {
    let mut seen = Seen::default();
    let mut client = match Client::connect(address) {
        Ok(client) => client,
        Err(trouble) => {
            seen.served.fail(trouble.into());
            return seen;
        }
    };
    loop {
        let begin = Instant::now();
        let left = end.saturating_duration_since(begin);
        if left.is_zero() {
            return seen;
        }
        let asked = client.wait_at_most(left + GRACE);
        match asked.and_then(|()| client.post("/api/v1/solve", body)) {
            Ok(answer) if answer.status == 503 => {
                let time = begin.elapsed();
                if answer.header("retry-after").is_none() {
                    seen.away.fail("no Retry-After".to_owned());
                } else if !answer.body.contains("/problems/busy") {
                    seen.away.fail(answer.body);
                } else {
                    seen.away.times.push(time);
                }
                thread::sleep(PAUSE.min(end.saturating_duration_since(Instant::now())));
            }
            Ok(answer) => match answer.must_have(&[r#""status":"solved""#]) {
                Ok(()) => seen.served.times.push(begin.elapsed()),
                Err(why) => seen.served.fail(why),
            },
            Err(Trouble::Late) => {
                seen.unanswered += 1;
                return seen;
            }
            Err(trouble) => {
                seen.served.fail(trouble.into());
                return seen;
            }
        }
    }
}

/// A client that asks for nothing that takes long.
fn ask_small(address: SocketAddr, check: &str, end: Instant) -> Seen {
    let mut seen = Seen::default();
    let mut ask = || -> Result<(), String> {
        let mut client = Client::connect(address)?;
        while Instant::now() < end {
            let begin = Instant::now();
            let checked = client.post("/api/v1/check", check)?;
            seen.check.times.push(begin.elapsed());
            checked.must_have(&[r#""solvable":true"#])?;
            let begin = Instant::now();
            let healthy = client.get("/healthz")?;
            seen.health.times.push(begin.elapsed());
            healthy.must_have(&["ok"])?;
            thread::sleep(SMALL);
        }
        Ok(())
    };
    if let Err(why) = ask() {
        seen.check.fail(why);
    }
    seen
}

fn tell_memory(figures: &mut Figures, memory: &[(Duration, u64)]) {
    let half = LASTS / 2;
    let middle = memory.partition_point(|(when, _)| *when < half);
    let (first, second) = memory.split_at(middle);
    let peak = |part: &[(Duration, u64)]| part.iter().map(|(_, bytes)| *bytes).max();
    let (Some(early), Some(late)) = (peak(first), peak(second)) else {
        figures.tell("memory", "the system does not tell");
        return;
    };
    let mb = |bytes: u64| format!("{} MB", bytes / 1_000_000);
    let at = |part: &[(Duration, u64)], last: bool| {
        let one = if last { part.last() } else { part.first() };
        one.map_or_else(String::new, |(_, bytes)| mb(*bytes))
    };
    let seen = [at(first, false), at(second, false), at(second, true)];
    figures.tell("memory at the start, at 5 s, at the end", seen.join(", "));
    let flat = late <= early + early / GROWTH;
    figures.expect(
        "memory, peaks of both halves",
        "+10% at most",
        format!("{}, {}", mb(early), mb(late)),
        flat,
    );
}
