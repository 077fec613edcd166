//! How many boards a second can be solved, with full tables.

use std::time::{Duration, Instant};

use super::client::Client;
use super::figures::Figures;
use super::load::Load;
use super::program::Program;
use super::{SLOWEST, about};
use crate::Chore;

const PATH: &str = "/api/v1/solve";
/// What every answer must have in it.
const SOLVED: [&str; 3] = [
    r#""status":"solved""#,
    r#""optimal":true"#,
    r#""heuristic":"pdb:full""#,
];
/// How long the server may take to load the tables.
const LOADING: Duration = Duration::from_secs(10);

/// Connections at full speed.
const FAST: usize = 4;
/// More than there is time for.
const REQUESTS: usize = 50_000;
const LONGEST: Duration = Duration::from_secs(5);
/// Requests a second.
const FLOOR: u32 = 300;

/// Connections at a pace.
const PACED: usize = 16;
/// How long requests are due at that pace, and how late the last may be sent.
const SECONDS: u32 = 6;
const LATEST: Duration = Duration::from_secs(10);

pub(super) fn solve(program: &Program, figures: &mut Figures) -> Chore {
    program.build_tables()?;
    let server = program.serve(&[])?;
    let boards = program.boards("4x4", 2, REQUESTS)?;
    let bodies: Vec<String> = boards.iter().map(|board| about(board, "")).collect();
    warm_up(&mut Client::connect(server.address())?, &bodies[0])?;

    let mut load = Load {
        address: server.address(),
        path: PATH,
        bodies: &bodies,
        connections: FAST,
        pace: None,
        longest: LONGEST,
        must_have: &SOLVED,
    };
    let tally = load.run();
    let of = format!("{FAST} connections at full speed");
    figures.tell(format!("{of}: requests"), tally.times.len());
    let rate = tally.rate();
    figures.expect(
        format!("{of}: requests a second"),
        FLOOR,
        format!("{rate:.0}"),
        rate >= f64::from(FLOOR),
    );
    tally.expect_no_failure(figures, &of);
    figures.tell(
        format!("{of}: p99"),
        super::figures::ms(tally.percentile(99)),
    );
    tally.tell(figures, &of);

    // Requests come when they come, not when the server is ready: their time begins when they are
    // due, so that waiting for a slow one counts.
    load.bodies = &bodies[..(FLOOR * SECONDS) as usize];
    load.connections = PACED;
    load.pace = Some(Duration::from_secs(1) / FLOOR);
    load.longest = LATEST;
    let tally = load.run();
    let of = format!("{FLOOR}/s over {PACED} connections");
    figures.tell(format!("{of}: requests"), tally.times.len());
    figures.tell(
        format!("{of}: requests a second"),
        format!("{:.0}", tally.rate()),
    );
    tally.expect_no_failure(figures, &of);
    figures.expect_under(format!("{of}: p99"), SLOWEST, tally.percentile(99));
    tally.tell(figures, &of);
    Ok(())
}

/// Waits until the server has loaded its tables.
fn warm_up(client: &mut Client, body: &str) -> Chore {
    let begin = Instant::now();
    loop {
        let solved = client.post(PATH, body)?.must_have(&SOLVED);
        if solved.is_ok() || begin.elapsed() > LOADING {
            return solved;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
