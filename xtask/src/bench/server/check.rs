//! How many boards a second can be checked.

use std::time::Duration;

use super::figures::Figures;
use super::load::Load;
use super::program::Program;
use super::{SLOWEST, about};
use crate::Chore;

const CONNECTIONS: usize = 8;
/// More than there is time for.
const REQUESTS: usize = 200_000;
const LONGEST: Duration = Duration::from_secs(5);
/// Requests a second.
const FLOOR: f64 = 2_000.0;

pub(super) fn check(program: &Program, figures: &mut Figures) -> Chore {
    let server = program.serve(&[])?;
    let boards = program.boards("4x4", 1, REQUESTS)?;
    let bodies: Vec<String> = boards.iter().map(|board| about(board, "")).collect();
    let load = Load {
        address: server.address(),
        path: "/api/v1/check",
        bodies: &bodies,
        connections: CONNECTIONS,
        pace: None,
        longest: LONGEST,
        must_have: &[r#""solvable":true"#],
    };
    let tally = load.run();
    let of = format!("{CONNECTIONS} connections");
    let rate = tally.rate();
    figures.tell(format!("{of}: requests"), tally.times.len());
    let floor = format!("{FLOOR:.0}");
    figures.expect(
        format!("{of}: requests a second"),
        floor,
        format!("{rate:.0}"),
        rate >= FLOOR,
    );
    tally.expect_no_failure(figures, &of);
    figures.expect_under(format!("{of}: p99"), SLOWEST, tally.percentile(99));
    tally.tell(figures, &of);
    Ok(())
}
