//! Which tables to search with where the time is short and any solution will do.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::attendant::Notice;
use super::provider::{Provider, Ready, Unready};
use super::shelf::Shelf;
use crate::solve::Solver;
use crate::tables::{BuildError, Catalogue, Indexer, Tier};
use crate::{Board, Reduction};

/// A solver for each goal, with the best tables that fit into the time.
///
/// What was decided for a goal is remembered, for at most [so many](Self::with_capacity) goals.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use taquin::Goal;
/// use taquin::solve::{Equipment, Provider};
/// use taquin::tables::store::Store;
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let provider = Arc::new(Provider::new(Store::new(folder)));
/// let equipment = Equipment::new(provider);
/// let goal = Goal::Classic.board("3x3".parse()?)?;
/// // For the first solution nothing is built; in two seconds there is time for small tables.
/// assert!(!equipment.of(&goal, None).solver().has_tables());
/// assert!(equipment.of(&goal, Some(Duration::from_secs(2))).solver().has_tables());
/// // Now that they are there, everybody has them.
/// assert!(equipment.of(&goal, None).solver().has_tables());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Equipment {
    provider: Arc<Provider>,
    /// The tables that were asked for.
    tier: Option<Tier>,
    choices: Shelf<Board, Choice>,
}

/// A solver, with tables or without.
#[derive(Clone, Debug)]
pub enum Equipped {
    /// With tables.
    Tables(Arc<Ready>),
    /// Without.
    Bare(Arc<Solver>),
}

/// What was decided for a goal. The tables themselves are the provider's to keep.
struct Choice {
    /// The tables to use.
    tier: Option<Tier>,
    bare: Arc<Solver>,
    /// Nobody who has no more than this would get better ones.
    means: Means,
}

/// What somebody can spend on tables.
#[derive(Clone, Copy)]
struct Means {
    /// The time for a board; without one, the first solution is wanted.
    within: Option<Duration>,
    /// The part of it that may go into getting tables.
    wait: Duration,
}

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
    /// Solvers with that provider's tables.
    #[must_use]
    pub fn new(provider: Arc<Provider>) -> Self {
        Self {
            provider,
            tier: None,
            choices: Shelf::new(Self::CAPACITY),
        }
    }

    /// The part of a board's time that may go into getting tables: one in so many.
    pub const SHARE: u32 = 4;

    /// How many goals are remembered unless somebody says otherwise.
    pub const CAPACITY: usize = Shelf::<Board, Choice>::CAPACITY;

    /// The same with certain tables, however long they take, if there are any; `None` for those
    /// that fit into the time.
    #[must_use]
    pub fn with_tier(self, tier: Option<Tier>) -> Self {
        Self { tier, ..self }
    }

    /// The same, remembering at most that many goals, and none yet.
    #[must_use]
    pub fn with_capacity(self, goals: usize) -> Self {
        let choices = Shelf::new(goals);
        Self { choices, ..self }
    }

    /// Whether certain tables were asked for, however long they take.
    #[must_use]
    pub const fn is_asked_for(&self) -> bool {
        self.tier.is_some()
    }

    /// The solver for a goal, where boards may take so much time, or the first solution is wanted.
    /// The first thread that needs one gets it ready; others wait if they want the same goal.
    ///
    /// Who comes again with no more time gets the same tables, or better ones if somebody else got
    /// those from the provider.
    pub fn of(&self, goal: &Board, within: Option<Duration>) -> Equipped {
        let means = Means::new(within);
        self.choices.with(goal, |choice| {
            let choice = choice.get_or_insert_with(|| Choice::new(goal));
            if !choice.means.cover(means) {
                choice.means = choice.means.or(means);
                choice.tier = choice.tier.max(self.tier(goal, means));
            }
            if let Some(ready) = self.better(goal, choice.tier) {
                return Equipped::Tables(ready);
            }
            let ready = choice.tier.and_then(|tier| self.tables(goal, tier));
            ready.map_or_else(
                || {
                    choice.tier = None;
                    Equipped::Bare(Arc::clone(&choice.bare))
                },
                Equipped::Tables,
            )
        })
    }

    /// Better tables than those, if they are at hand and others were not asked for.
    fn better(&self, goal: &Board, chosen: Option<Tier>) -> Option<Arc<Ready>> {
        if self.is_asked_for() {
            return None;
        }
        let better = Tier::ALL.into_iter().rev();
        better
            .take_while(|&tier| Some(tier) > chosen)
            .find_map(|tier| self.provider.at_hand(goal, tier))
    }

    /// The tables of a goal, unless they cannot be had.
    fn tables(&self, goal: &Board, tier: Tier) -> Option<Arc<Ready>> {
        match self.provider.get(goal, tier) {
            Ok(ready) => Some(ready),
            // Whoever wants to stop takes the next best solution.
            Err(Unready::Build(BuildError::Cancelled)) => None,
            Err(unready) => {
                let notice = Notice::Without(unready);
                self.provider.attendant.notice(&notice);
                None
            }
        }
    }

    /// Which tables to use for a goal: those asked for, else the best that are there or are built
    /// in a small part of the time.
    fn tier(&self, goal: &Board, means: Means) -> Option<Tier> {
        if self.tier.is_some() {
            return self.tier;
        }
        let Means { within, wait } = means;
        let cells = goal.size().cells();
        let quick = Catalogue::for_goal(goal, Tier::Quick).ok()?;
        let full = Catalogue::for_goal(goal, Tier::Full).ok()?;
        let threads = self.provider.threads();
        let reduction = Reduction::new(goal);
        let fits = |tier: Tier, catalogue: &Catalogue| {
            // Goals share tables.
            if self.provider.at_hand(reduction.goal(), tier).is_some() {
                return true;
            }
            if self.provider.is_ready(goal, tier) {
                return reading_time(catalogue) <= wait;
            }
            // Where the quick ones will do, the full ones are not built; for the first solution
            // none are.
            let is_worth_it = match tier {
                Tier::Quick => true,
                Tier::Full => quick == full || cells > SMALL_CELLS && cells <= FULL_CELLS,
            };
            let small = cells <= SMALL_CELLS && within >= Some(SMALL_BUILD);
            let is_soon = small || build_time(catalogue, threads) <= wait;
            within.is_some() && is_worth_it && is_soon
        };
        let tiers = [(Tier::Full, &full), (Tier::Quick, &quick)];
        let tier = tiers
            .into_iter()
            .find(|(tier, catalogue)| fits(*tier, catalogue))
            .map(|(tier, _)| tier);
        let would_help = tier.is_none() && cells > SMALL_CELLS && cells <= FULL_CELLS;
        if would_help && within.is_some() && !self.provider.is_ready(goal, Tier::Full) {
            let goal = goal.clone();
            self.provider.attendant.notice(&Notice::NoTime { goal });
        }
        tier
    }
}

impl fmt::Debug for Equipment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Equipment")
            .field("provider", &self.provider)
            .field("tier", &self.tier)
            .finish_non_exhaustive()
    }
}

impl Equipped {
    /// The solver.
    #[must_use]
    pub fn solver(&self) -> &Solver {
        match self {
            Self::Tables(ready) => &ready.solver,
            Self::Bare(solver) => solver,
        }
    }

    /// The name of the tables, if there are any.
    #[must_use]
    pub fn heuristic(&self) -> Option<String> {
        match self {
            Self::Tables(ready) => Some(format!("pdb:{}", ready.tier)),
            Self::Bare(_) => None,
        }
    }
}

impl Choice {
    /// Before anything is decided.
    fn new(goal: &Board) -> Self {
        Self {
            tier: None,
            bare: Arc::new(Solver::without_tables(goal)),
            means: Means {
                within: None,
                wait: Duration::ZERO,
            },
        }
    }
}

impl Means {
    fn new(within: Option<Duration>) -> Self {
        let wait = within.map_or(FIRST_WAIT, |within| within / Equipment::SHARE);
        Self { within, wait }
    }

    /// Whether these allow all that others do.
    fn cover(self, other: Self) -> bool {
        self.wait >= other.wait && self.within >= other.within
    }

    /// What was open to either: who has no more than that has no more than one of them.
    fn or(self, other: Self) -> Self {
        Self {
            within: self.within.max(other.within),
            wait: self.wait.max(other.wait),
        }
    }
}

/// How long tables take to build on so many threads, roughly.
#[must_use]
pub fn build_time(catalogue: &Catalogue, threads: usize) -> Duration {
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
