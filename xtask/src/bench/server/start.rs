//! How soon the server listens.

use std::time::{Duration, Instant};

use super::client::Client;
use super::figures::{Figures, ms};
use super::program::Program;
use crate::Chore;

const TIMES: usize = 10;
const FLOOR: Duration = Duration::from_millis(200);

pub(super) fn start(program: &Program, figures: &mut Figures) -> Chore {
    let (mut listening, mut healthy) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let begin = Instant::now();
        let server = program.serve(&[])?;
        listening.push(begin.elapsed());
        Client::connect(server.address())?
            .get("/healthz")?
            .must_have(&["ok"])?;
        healthy.push(begin.elapsed());
    }
    for (what, mut times) in [("address told", listening), ("first answer", healthy)] {
        times.sort_unstable();
        figures.tell(format!("{what}: median of {TIMES}"), ms(times[TIMES / 2]));
        figures.expect_under(format!("{what}: max"), FLOOR, times[TIMES - 1]);
    }
    Ok(())
}
