//! `cargo xtask bench server`: `taquin serve` under load from this process, over loopback.

mod check;
mod client;
mod figures;
mod leave;
mod load;
mod overload;
mod program;
mod soak;
mod solve;
mod start;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::Chore;
use client::Client;
use figures::Figures;
use program::Program;
pub(crate) use soak::soak;

/// Measures one thing and writes down what was seen.
type Part = fn(&Program, &mut Figures) -> Chore;

const PARTS: [(&str, Part); 5] = [
    ("check", check::check),
    ("solve", solve::solve),
    ("overload", overload::overload),
    ("leave", leave::leave),
    ("start", start::start),
];

/// The longest that most answers may take: 99 of 100.
const SLOWEST: Duration = Duration::from_millis(100);
/// How soon after its clients have left a server must be idle.
const SETTLE: Duration = Duration::from_secs(2);

/// All parts, or the one that is named.
pub(crate) fn server(args: &[&str]) -> Chore {
    let all = PARTS.map(|(name, _)| name).join(", ");
    let parts = match args {
        [] => PARTS.to_vec(),
        [wanted] => PARTS
            .into_iter()
            .filter(|(name, _)| name == wanted)
            .collect(),
        _ => Vec::new(),
    };
    if parts.is_empty() {
        return Err(format!("bench server takes one of {all}, or nothing"));
    }
    let program = Program::find()?;
    let mut missed = Vec::new();
    for (name, part) in parts {
        let mut figures = Figures::default();
        let done = part(&program, &mut figures);
        println!("{name}\n{figures}");
        missed.extend(
            figures
                .missed()
                .map(|what| format!("{name}: {what}: floor missed")),
        );
        // The other parts may still have something to tell.
        missed.extend(done.err().map(|error| format!("{name}: {error}")));
    }
    if missed.is_empty() {
        Ok(())
    } else {
        Err(format!("bench server:\n  {}", missed.join("\n  ")))
    }
}

/// The body of a request about a board, with more fields after it.
fn about(board: &str, more: &str) -> String {
    format!(r#"{{"board":"{board}"{more}}}"#)
}

/// How long it takes until no search runs or waits; an error if that is longer than it may be.
fn settled(address: SocketAddr) -> Result<Duration, String> {
    let begin = Instant::now();
    let mut client = Client::connect(address)?;
    loop {
        let metrics = client.get("/metrics")?;
        let running = metrics.metric("taquin_searches_running")?;
        let waiting = metrics.metric("taquin_searches_waiting")?;
        let time = begin.elapsed();
        if running == 0 && waiting == 0 {
            return Ok(time);
        }
        if time > SETTLE {
            let ms = time.as_millis();
            return Err(format!(
                "{running} searches run and {waiting} wait {ms} ms after the last client left"
            ));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
