//! Which tables a search for a good solution takes in.

use std::sync::Arc;
use std::time::Duration;

use super::event::{Event, Notice};
use super::pool::PooledSolver;
use super::puzzle::Puzzle;
use super::request::Want;
use super::solver::{Job, Solver};
use crate::Metric;
use crate::supply::{build_time, reading_time};
use crate::tables::{AnyCatalogue, Tier};

/// Up to this many cells the full tables guide a search; beyond, they make the bound a little
/// better, no more.
pub(super) const FULL_CELLS: usize = 25;
/// The part of the time that may go into getting tables ready.
const TABLES_SHARE: f64 = 0.25;
/// The quick tables of boards of up to [`Want::SMALL_CELLS`] cells solve them optimally in no time,
/// and take well under this time to build.
const SMALL_BUILD: Duration = Duration::from_secs(1);

/// Tables that would help within some time.
pub(super) enum Useful {
    /// They are in memory.
    AtHand(Arc<PooledSolver>),
    /// They can be there after some time.
    Soon(Tier, Duration),
    /// There are none.
    None,
}

impl Useful {
    fn is_full(&self) -> bool {
        match self {
            Self::AtHand(pooled) => pooled.tier == Tier::Full,
            Self::Soon(tier, _) => *tier == Tier::Full,
            Self::None => false,
        }
    }
}

impl Solver {
    /// The best tables that are there, or can be there in a small part of the time. Says once a size
    /// that better ones would help.
    pub(super) fn useful_tables(
        &self,
        job: &Job<'_>,
        time: Duration,
        events: &mut dyn FnMut(Event<'_>),
    ) -> Useful {
        let puzzle = job.puzzle();
        let mut best_first = Tier::ALL.into_iter().rev();
        let useful = best_first.find_map(|tier| {
            if let Some(pooled) = self.pool.at_hand(puzzle, tier) {
                return Some(Useful::AtHand(pooled));
            }
            let after = self.ready_after(puzzle, tier, time)?;
            Some(Useful::Soon(tier, after))
        });
        let useful = useful.unwrap_or(Useful::None);
        if is_guided(puzzle)
            && !useful.is_full()
            && !self.is_stored(puzzle, Tier::Full)
            && self.is_news(puzzle)
        {
            let goal = puzzle.goal.clone();
            events(Event::Notice(Notice::NoTimeForTables { goal }));
        }
        useful
    }

    /// How long it takes until a goal's tables are ready, if a search that takes this time should
    /// take them in.
    pub(super) fn ready_after(
        &self,
        puzzle: Puzzle<'_>,
        tier: Tier,
        time: Duration,
    ) -> Option<Duration> {
        let catalogue = puzzle.catalogue(tier).ok()?;
        let is_stored = self.is_stored(puzzle, tier);
        let after = self.time_to_ready(&catalogue, is_stored);
        // Where the quick ones will do, the full ones are not built.
        let is_worth_it = || {
            let quick = puzzle.catalogue(Tier::Quick);
            tier == Tier::Quick || is_guided(puzzle) || quick.is_ok_and(|quick| quick == catalogue)
        };
        if !is_stored && (after > self.longest_build || !is_worth_it()) {
            return None;
        }
        let is_small = puzzle.goal.size().cells() <= Want::SMALL_CELLS && time >= SMALL_BUILD;
        (is_small || after <= time.mul_f64(TABLES_SHARE)).then_some(after)
    }

    /// How long it takes to get tables ready, roughly.
    pub(super) fn time_to_ready(&self, catalogue: &AnyCatalogue, is_stored: bool) -> Duration {
        if is_stored {
            reading_time(catalogue)
        } else {
            build_time(catalogue, self.threads)
        }
    }
}

/// Whether a search for good solutions is guided by the full tables.
fn is_guided(puzzle: Puzzle<'_>) -> bool {
    let cells = puzzle.goal.size().cells();
    puzzle.metric == Metric::Single && cells > Want::SMALL_CELLS && cells <= FULL_CELLS
}
