//! IDA* with a bounded transposition table (Reinefeld & Marsland 1994).

use crate::domain::Domain;
use crate::outcome::{Limits, Report};
use std::hash::{BuildHasher, Hash};
use std::num::NonZeroU64;

use super::Observer;
use super::hash::Mix;
use super::idastar::{Memory, deepen};
use super::room::{Probe, filled};
use crate::heuristic::Heuristic;

/// What the table of [`idastar_tt`] may take if nothing else is said: 64 MiB.
pub const DEFAULT_TABLE_BYTES: u64 = 64 << 20;

/// Finds a cheapest path as [`idastar`](super::idastar()) does, and remembers states in a bounded
/// table so that most are searched once in an iteration, not once for each path that leads to them.
///
/// A node is left out if the table knows that its state was entered in the same iteration with a g
/// no greater. The table holds whole states, so it never mistakes one for another; when it is full
/// it forgets, which costs time and never a solution.
///
/// * `domain`, `start`, `heuristic`, `limits`, `observer`: as for [`idastar`](super::idastar()).
///   The observer also sees the nodes that the table leaves out.
/// * `table_bytes`: what the table may take; if `None`, [`Limits::memory`], or
///   [`DEFAULT_TABLE_BYTES`] without that. Never more than [`Limits::memory`].
///   The table begins small and grows as it fills.
///
/// [`Statistics::peak_states`](crate::Statistics::peak_states) counts the states in the table and
/// the nodes that [`idastar`](super::idastar()) remembers besides.
///
/// ```
/// use taquin::heuristic::Manhattan;
/// use taquin::search::{Cost, PackedState, Sliding, idastar_tt};
/// use taquin::{Board, Goal, Limits, Outcome};
/// use std::num::NonZeroU64;
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let domain = Sliding::<PackedState>::new(&goal, Cost::Unit).expect("nine cells fit");
/// let (start, heuristic) = (domain.state(&board)?, Manhattan::new(&domain));
/// let table = NonZeroU64::new(1 << 20);
/// let report = idastar_tt(&domain, start, &heuristic, table, &Limits::default(), &mut ());
/// let Outcome::Solved(solution) = report.outcome else { panic!("it is solvable") };
/// assert_eq!(solution.cost, 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn idastar_tt<D, H, O>(
    domain: &D,
    start: D::State,
    heuristic: &H,
    table_bytes: Option<NonZeroU64>,
    limits: &Limits,
    observer: &mut O,
) -> Report<Vec<D::Action>>
where
    D: Domain,
    H: Heuristic<D>,
    O: Observer<D>,
{
    let allowed = limits.memory.unwrap_or(u64::MAX);
    let usual = limits.memory.unwrap_or(DEFAULT_TABLE_BYTES);
    let wanted = table_bytes.map_or(usual, u64::from);
    let mut table = Table::new(wanted.min(allowed), domain.state_bytes(&start));
    deepen(domain, start, heuristic, 0, &mut table, limits, observer)
}

// Why leaving out is sound, though a state is searched without some actions after the one that led
// to it (see `Domain::actions_after`), and though the table may hold states that are still on the path.
//
// Say that an iteration with threshold T ends without a solution. Call (s, g) entered if state s
// was expanded with cost g so far; every child of an entered pair has then been generated, except
// those that are left out after the last action. Each entry of the table is an entered pair. Let r(s) be
// what the cheapest way from s to a goal costs, and C the cost of the best solution, so that
// g + r(s) <= C holds for the start. Of all entered pairs with g + r(s) <= C take one whose r(s) is
// smallest, and let t be the next state on a cheapest way from s, at cost c. Then r(t) = r(s) - c
// is smaller. How can t not have been entered with g + c or less?
//
// * It is left out after the last action. But then t is reached from the parent of s, or is the
//   parent, at a cost below g + c in all: a solution that costs less than C, a contradiction.
// * The table left it out. Then t was entered with g' <= g + c: the same contradiction.
// * It is a goal within T. Then there was a solution.
// * Its f exceeds T. As the estimate never says too much, f <= g + c + r(t) <= C: so C > T, and the
//   next threshold, the smallest such f, does not exceed C.
//
// So the last case is what happened, and no solution is lost or jumped over. A state that meets
// itself on the path is left out as well: it is there with a smaller g.

/// One entered state.
#[derive(Clone)]
struct Entry<S> {
    state: S,
    g: u32,
    /// The iteration it belongs to; entries of earlier ones count as empty.
    version: u32,
}

/// Buckets of two entries: the first keeps what is nearest to the start, for it has the largest
/// subtree, the second what came last.
struct Table<S> {
    entries: Vec<[Option<Entry<S>>; 2]>,
    /// The table grows no further; less than was allowed once there is no memory.
    most_buckets: usize,
    version: u32,
    /// Entries of the current iteration, those written over counted too.
    written: usize,
    /// The most states that a table was seen to hold before it grew and dropped earlier iterations.
    peak: usize,
    /// Bytes that a state points to.
    elsewhere: usize,
    probe: Probe,
}

impl<S: Hash + Eq + Clone> Table<S> {
    /// How many buckets a table begins with, if it may have that many.
    const FIRST: usize = 1 << 9;

    /// A table that takes at most this many bytes, for states that take `state_bytes` each, with what
    /// they point to.
    fn new(bytes: u64, state_bytes: usize) -> Self {
        let elsewhere = state_bytes.saturating_sub(size_of::<S>());
        let bucket = (size_of::<[Option<Entry<S>>; 2]>() + 2 * elsewhere) as u64;
        let most_buckets = usize::try_from(bytes / bucket).unwrap_or(usize::MAX).max(1);
        Self {
            entries: filled([None, None], Self::FIRST.min(most_buckets))
                .unwrap_or_else(|_| vec![[None, None]]),
            most_buckets,
            version: 0,
            written: 0,
            peak: 0,
            elsewhere,
            probe: Probe::default(),
        }
    }

    /// Whether the state was entered in this iteration at no greater cost; if not, it is now.
    fn insert(&mut self, entry: Entry<S>) -> bool {
        // The hash's share of the table: any number of buckets without a division.
        let hash = Mix::default().hash_one(&entry.state);
        let bucket = (u128::from(hash) * self.entries.len() as u128) >> 64;
        let [near, last] = &mut self.entries[bucket as usize];
        for slot in [&mut *near, &mut *last] {
            if let Some(known) = slot
                && known.version == entry.version
                && known.state == entry.state
            {
                if known.g <= entry.g {
                    return true;
                }
                known.g = entry.g;
                return false;
            }
        }
        let keeps = |known: &Entry<S>| known.version == entry.version && known.g <= entry.g;
        let slot = if near.as_ref().is_some_and(keeps) {
            last
        } else {
            near
        };
        *slot = Some(entry);
        self.written += 1;
        false
    }

    /// Doubles the table, as far as allowed, and puts this iteration's entries where they belong.
    #[cold]
    fn grow(&mut self) {
        // The old table and the new one are there together for a moment: the last step up stays
        // within the bound only if both count.
        let buckets = self.entries.len() * 2;
        let Ok(entries) = filled([None, None], buckets) else {
            // A table that is too small prunes less, and that is all.
            self.most_buckets = self.entries.len();
            return;
        };
        self.peak = self.peak.max(self.held());
        let old = std::mem::replace(&mut self.entries, entries);
        self.written = 0;
        for entry in old.into_iter().flatten().flatten() {
            if entry.version == self.version {
                self.insert(entry);
            }
        }
    }
}

impl<S> Table<S> {
    /// How many states are in the table, those of earlier iterations included.
    fn held(&self) -> usize {
        self.entries.iter().flatten().flatten().count()
    }
}

impl<S: Hash + Eq + Clone> Memory<S> for Table<S> {
    fn begin(&mut self) {
        self.version += 1;
        self.written = 0;
    }

    fn enter(&mut self, state: &S, g: u32) -> bool {
        // Three times the old size: the old table and its double.
        if self.written >= self.entries.len() && self.entries.len() <= self.most_buckets / 3 {
            self.grow();
        }
        // Nor does a state that is not remembered do any harm.
        if self.probe.ask(self.elsewhere).is_err() {
            return true;
        }
        !self.insert(Entry {
            state: state.clone(),
            g,
            version: self.version,
        })
    }

    fn peak(&self) -> usize {
        self.peak.max(self.held())
    }
}
