//! Clients that hang up in the middle of a search.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::client::Client;
use super::figures::{Figures, ms};
use super::load::Tally;
use super::program::Program;
use super::{SETTLE, about, settled};
use crate::Chore;

const CLIENTS: usize = 500;
const AT_ONCE: usize = 64;
/// What makes a search long: nobody proves a 6x6 solution to be a shortest one.
const LONG: &str = r#","within_ms":20000"#;
/// When a client has had enough.
const STAYS: Duration = Duration::from_millis(20);
/// After this, nobody comes any more.
const LONGEST: Duration = Duration::from_secs(6);

pub(super) fn leave(program: &Program, figures: &mut Figures) -> Chore {
    // Few of the clients are served at once and the others leave the queue; then all of them leave
    // in the middle of their searches.
    crowd(program, figures, "searches as usual", &[])?;
    let at_once = AT_ONCE.to_string();
    let all = format!("{AT_ONCE} searches at once");
    crowd(program, figures, &all, &["--searches", &at_once])
}

fn crowd(program: &Program, figures: &mut Figures, of: &str, options: &[&str]) -> Chore {
    let server = program.serve(options)?;
    let address = server.address();
    let boards = program.boards("6x6", 4, CLIENTS)?;
    // The tables that such a search uses are made first: that is no search.
    let first = about(&boards[0], &format!(r#"{LONG},"limit_nodes":1"#));
    let mut client = Client::connect(address)?;
    client.post("/api/v1/solve", &first)?.must_have(&[])?;
    drop(client);

    let next = AtomicUsize::new(0);
    let begin = Instant::now();
    let mut tally = Tally::default();
    let again = thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE)
            .map(|_| scope.spawn(|| hang_up(address, &boards, &next, begin)))
            .collect();
        let mut again = 0;
        for worker in workers {
            match worker.join() {
                Ok((part, refused)) => {
                    tally.add(part);
                    again += refused;
                }
                Err(_) => tally.fail("a client panicked".to_owned()),
            }
        }
        again
    });
    let lasted = begin.elapsed();
    let idle = settled(address);

    let left = tally.times.len();
    figures.expect(
        format!("{of}: hung up mid-search"),
        CLIENTS,
        format!("{left} in {}", ms(lasted)),
        left == CLIENTS,
    );
    figures.tell(format!("{of}: sent away, came again"), again);
    tally.expect_no_failure(figures, of);
    let metrics = Client::connect(address)?.get("/metrics")?;
    let abandoned = metrics.metric("taquin_searches_abandoned_total")?;
    figures.tell(format!("{of}: counted as abandoned"), abandoned);
    let floor = format!("under {}", ms(SETTLE));
    let (seen, met) = match idle {
        Ok(time) => (ms(time), true),
        Err(why) => (why, false),
    };
    figures.expect(format!("{of}: none left after"), floor, seen, met);
    Ok(())
}

/// Begins a long search and hangs up, for one board after the other. Tells also how often there was
/// no place for it.
fn hang_up(
    address: SocketAddr,
    boards: &[String],
    next: &AtomicUsize,
    begin: Instant,
) -> (Tally, usize) {
    let (mut tally, mut refused) = (Tally::default(), 0);
    while let i = next.fetch_add(1, Ordering::Relaxed)
        && let Some(board) = boards.get(i)
    {
        let streams = i % 2 == 1;
        loop {
            if begin.elapsed() > LONGEST {
                return (tally, refused);
            }
            match once(address, board, streams) {
                // A stream begins at once, an answer comes only at the end of the search.
                Ok(status) if status == streams.then_some(200) => tally.times.push(STAYS),
                Ok(Some(503)) => {
                    refused += 1;
                    continue;
                }
                // A stream whose client was too hasty even for its head.
                Ok(None) => tally.times.push(STAYS),
                Ok(Some(status)) => tally.fail(format!("status {status} instead of a search")),
                Err(why) => tally.fail(why),
            }
            break;
        }
    }
    (tally, refused)
}

/// Begins one search, and leaves it.
fn once(address: SocketAddr, board: &str, streams: bool) -> Result<Option<u16>, String> {
    let mut client = Client::connect(address)?;
    if streams {
        let board = board.replace(' ', "+");
        client.send_get(&format!(
            "/api/v1/solve/stream?within_ms=20000&board={board}"
        ))?;
    } else {
        client.send_post("/api/v1/solve", &about(board, LONG))?;
    }
    Ok(client.status_within(STAYS)?)
}
