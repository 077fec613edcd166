//! Which tables to search with where the time is short and any solution will do.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use taquin::solve::Solver;
use taquin::tables::{BuildError, Catalogue, Indexer, Tier};
use taquin::{Board, Goal, Size};

use super::{Provider, Ready, Unready};
use crate::output::remark;

/// A solver for each size, with the best tables that fit into the time.
pub(crate) struct Equipment {
    provider: Provider,
    goal: Goal,
    /// The tables that were asked for.
    tier: Option<Tier>,
    /// The time for each board; without one, the first solution is wanted.
    within: Option<Duration>,
    solvers: Mutex<HashMap<Size, Equipped>>,
}

/// A solver, with tables or without.
#[derive(Clone)]
pub(crate) enum Equipped {
    Tables(Arc<Ready>),
    Bare(Arc<Solver>),
}

/// The part of a board's time that may go into getting tables: one in so many.
const SHARE: u32 = 4;
/// Boards of up to so many cells are solved optimally in no time with the quick tables, which take
/// well under a second to build.
const SMALL_CELLS: usize = 16;
const SMALL_BUILD: Duration = Duration::from_secs(1);
/// On boards of more cells the full tables make the bound a little better, no more.
const FULL_CELLS: usize = 25;
/// Bytes of tables that are read and checked in a second, roughly.
const BYTES_PER_SECOND: f64 = 2e9;
/// States whose values a core finds in a second, roughly.
const STATES_PER_SECOND: f64 = 150e6;
/// What each table takes besides.
const SMALL_TABLE: Duration = Duration::from_millis(20);
const LARGE_TABLE: Duration = Duration::from_millis(50);
/// Who wants the first solution waits no longer than this for tables that would make it better.
const FIRST_WAIT: Duration = Duration::from_millis(250);

impl Equipment {
    pub(crate) fn new(
        provider: Provider,
        goal: Goal,
        tier: Option<Tier>,
        within: Option<Duration>,
    ) -> Self {
        Self {
            provider,
            goal,
            tier,
            within,
            solvers: Mutex::default(),
        }
    }

    /// Whether certain tables were asked for, however long they take.
    pub(crate) const fn is_asked_for(&self) -> bool {
        self.tier.is_some()
    }

    /// The solver for a goal; the first thread that needs one gets it ready, the others wait.
    pub(crate) fn of(&self, goal: &Board) -> Equipped {
        let mut solvers = self.solvers.lock().unwrap_or_else(PoisonError::into_inner);
        let equip = || {
            let ready = self.tier(goal).and_then(|tier| self.tables(goal, tier));
            ready.map_or_else(
                || Equipped::Bare(Arc::new(Solver::without_tables(goal))),
                Equipped::Tables,
            )
        };
        let equipped = solvers.entry(goal.size()).or_insert_with(equip);
        equipped.clone()
    }

    /// The tables of a goal, unless they cannot be had.
    fn tables(&self, goal: &Board, tier: Tier) -> Option<Arc<Ready>> {
        match self.provider.get(goal, tier) {
            Ok(ready) => Some(ready),
            // Ctrl-C: the next best solution will do.
            Err(Unready::Build(BuildError::Cancelled)) => None,
            Err(unready) => {
                remark(format_args!("{unready}; searching without tables"));
                None
            }
        }
    }

    /// Which tables to use for a size: those asked for, else the best that are there or are built
    /// in a small part of the time.
    fn tier(&self, goal: &Board) -> Option<Tier> {
        if self.tier.is_some() {
            return self.tier;
        }
        let cells = goal.size().cells();
        let quick = Catalogue::for_goal(goal, Tier::Quick).ok()?;
        let full = Catalogue::for_goal(goal, Tier::Full).ok()?;
        let wait = self.within.map_or(FIRST_WAIT, |within| within / SHARE);
        let threads = self.provider.threads();
        let fits = |tier: Tier, catalogue: &Catalogue| {
            if self.provider.is_ready(goal, tier) {
                return reading_time(catalogue) <= wait;
            }
            // Where the quick ones will do, the full ones are not built; for the first solution
            // none are.
            let is_worth_it = match tier {
                Tier::Quick => true,
                Tier::Full => quick == full || cells > SMALL_CELLS && cells <= FULL_CELLS,
            };
            let small = cells <= SMALL_CELLS && self.within >= Some(SMALL_BUILD);
            let is_soon = small || build_time(catalogue, threads) <= wait;
            self.within.is_some() && is_worth_it && is_soon
        };
        let tiers = [(Tier::Full, &full), (Tier::Quick, &quick)];
        let tier = tiers
            .into_iter()
            .find(|(tier, catalogue)| fits(*tier, catalogue))
            .map(|(tier, _)| tier);
        let would_help = tier.is_none() && cells > SMALL_CELLS && cells <= FULL_CELLS;
        if would_help && self.within.is_some() && !self.provider.is_ready(goal, Tier::Full) {
            self.advise(goal);
        }
        tier
    }

    /// Says how to get better results.
    fn advise(&self, goal: &Board) {
        let size = goal.size();
        let option = match &self.goal {
            Goal::Classic => String::new(),
            other => match other.name() {
                name if name.contains(' ') => format!(" --goal \"{name}\""),
                name => format!(" --goal {name}"),
            },
        };
        remark(format_args!(
            "{size} has no tables yet, and building them would take too much of the time; \
             run `taquin tables build {size}{option}` once for better results"
        ));
    }
}

impl Equipped {
    pub(crate) fn solver(&self) -> &Solver {
        match self {
            Self::Tables(ready) => &ready.solver,
            Self::Bare(solver) => solver,
        }
    }

    /// The name of the tables, if there are any.
    pub(crate) fn heuristic(&self) -> Option<String> {
        match self {
            Self::Tables(ready) => Some(format!("pdb:{}", ready.tier)),
            Self::Bare(_) => None,
        }
    }
}

/// How long tables take to build, roughly.
pub(crate) fn build_time(catalogue: &Catalogue, threads: usize) -> Duration {
    #[expect(clippy::cast_precision_loss, reason = "it is a rough guess")]
    let seconds = catalogue.least_states() as f64 / STATES_PER_SECOND / threads as f64;
    let each = if catalogue.size().cells() <= SMALL_CELLS {
        SMALL_TABLE
    } else {
        LARGE_TABLE
    };
    let seconds = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    seconds.saturating_add(each * catalogue.keys().len() as u32)
}

/// How long tables take to read and check, roughly.
fn reading_time(catalogue: &Catalogue) -> Duration {
    let bytes = catalogue
        .keys()
        .into_iter()
        .map(|key| Indexer::new(&key).bytes());
    #[expect(clippy::cast_precision_loss, reason = "it is a rough guess")]
    let seconds = bytes.sum::<usize>() as f64 / BYTES_PER_SECOND;
    Duration::from_secs_f64(seconds)
}
