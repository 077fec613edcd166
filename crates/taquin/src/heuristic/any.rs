//! A heuristic that is chosen by name while the program runs.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::thread;

use thiserror::Error;

use super::{
    Hamming, Heuristic, LinearConflict, Manhattan, Max, PatternBreakdown, PatternChoice,
    PatternDatabase, PatternError, PatternNameError, SlotMemo, WalkingDistance, WalkingError,
    WalkingMemo, Zero,
};
use crate::domain::{Domain, HeavySlidesError, Sliding, TileState};
use crate::outcome::{Budget, Limit};
use crate::tables::{BuildError, ChangedTableError, TableSet};
use crate::{Board, Metric, Move, NameError};

/// The heuristics that have a name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HeuristicKind {
    /// [`Zero`].
    Zero,
    /// [`Hamming`].
    Hamming,
    /// [`Manhattan`].
    Manhattan,
    /// [`LinearConflict`].
    LinearConflict,
    /// [`WalkingDistance`].
    WalkingDistance,
    /// The maximum of [`LinearConflict`] and [`WalkingDistance`].
    Max,
    /// [`PatternDatabase`]: one for each [`PatternChoice`].
    Patterns(PatternChoice),
}

/// What the names of pattern databases begin with.
const PATTERNS: &str = "pdb:";

/// The pattern databases that lists show, of the many that there are.
const LISTED_PATTERNS: [(&str, &str); 6] = [
    (
        "pdb:5-5-5",
        "pattern databases: the moves of five tiles, three times",
    ),
    ("pdb:6-6-3", "pattern databases of six, six and three tiles"),
    (
        "pdb:7-8",
        "pattern databases of seven and eight tiles; takes seconds to build on 4x4",
    ),
    (
        "pdb:7-8+reflected",
        "the larger of pdb:7-8 on the board and on its mirror image",
    ),
    ("pdb:quick", "the size's small pattern databases"),
    ("pdb:full", "the size's strongest pattern databases"),
];

/// A name that is no heuristic's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}, and pattern databases: {patterns}", patterns = PatternNameError)]
pub struct HeuristicNameError(NameError);

impl HeuristicKind {
    /// All but the pattern databases, of which there are too many, from weak to strong.
    pub const ALL: [Self; 6] = [
        Self::Zero,
        Self::Hamming,
        Self::Manhattan,
        Self::LinearConflict,
        Self::WalkingDistance,
        Self::Max,
    ];

    /// The heuristic of a name, such as `manhattan`, `pdb:7-8` or `pdb:7-8+reflected`; `None` if
    /// there is none.
    ///
    /// ```
    /// use taquin::heuristic::HeuristicKind;
    ///
    /// let kind = HeuristicKind::from_name("pdb:6-6-3").unwrap();
    /// assert_eq!(kind.name(), "pdb:6-6-3");
    /// assert_eq!(HeuristicKind::from_name("pdb:9"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name.strip_prefix(PATTERNS) {
            Some(choice) => choice.parse().ok().map(Self::Patterns),
            None => Self::ALL.into_iter().find(|kind| kind.name() == name),
        }
    }

    /// The names that lists show, each with its summary: those of [`ALL`](Self::ALL), and some of
    /// pattern databases.
    pub fn listed() -> impl Iterator<Item = (&'static str, &'static str)> {
        let all = Self::ALL.into_iter();
        let named = all.filter_map(|kind| Some((kind.fixed_name()?, kind.summary())));
        named.chain(LISTED_PATTERNS)
    }

    /// The name on the command line and in results.
    #[must_use]
    pub fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Patterns(choice) => return format!("{PATTERNS}{choice}").into(),
            Self::Zero => "zero",
            Self::Hamming => "hamming",
            Self::Manhattan => "manhattan",
            Self::LinearConflict => "linear-conflict",
            Self::WalkingDistance => "walking-distance",
            Self::Max => "max",
        })
    }

    /// What it counts in moves of a metric, in a few words.
    #[must_use]
    pub const fn summary_in(self, metric: Metric) -> &'static str {
        match (metric, self) {
            (Metric::Multi, Self::Hamming) => {
                "tiles that are not at home, by the most that slide at once"
            }
            (Metric::Multi, Self::Manhattan) => {
                "rows and columns from each tile to its home, by the most tiles that slide at once"
            }
            (Metric::Multi, Self::LinearConflict) => {
                "the same, and two for each tile that must leave its own line"
            }
            (Metric::Multi, Self::WalkingDistance) => {
                "slides of two simpler puzzles, one of rows, one of columns"
            }
            (Metric::Multi, Self::Max) => {
                "the larger of linear-conflict and walking-distance, each way"
            }
            (Metric::Single, _) | (Metric::Multi, Self::Zero | Self::Patterns(_)) => self.summary(),
        }
    }

    /// Whether there is such a heuristic for moves of a metric. Pattern databases count the moves of
    /// their tiles apart, which says nothing of slides that move several tiles.
    ///
    /// ```
    /// use taquin::Metric;
    /// use taquin::heuristic::HeuristicKind;
    ///
    /// assert!(HeuristicKind::Max.is_for(Metric::Multi));
    /// let patterns: HeuristicKind = "pdb:7-8".parse()?;
    /// assert!(patterns.is_for(Metric::Single) && !patterns.is_for(Metric::Multi));
    /// # Ok::<(), taquin::heuristic::HeuristicNameError>(())
    /// ```
    #[must_use]
    pub const fn is_for(self, metric: Metric) -> bool {
        match metric {
            Metric::Single => true,
            Metric::Multi => !matches!(self, Self::Patterns(_)),
        }
    }

    /// The names of [`ALL`](Self::ALL).
    fn fixed_names() -> Vec<&'static str> {
        Self::ALL.into_iter().filter_map(Self::fixed_name).collect()
    }

    /// The name, except of pattern databases, whose names are put together when asked for.
    fn fixed_name(self) -> Option<&'static str> {
        match self.name() {
            Cow::Borrowed(name) => Some(name),
            Cow::Owned(_) => None,
        }
    }

    /// What it counts, in a few words.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Zero => "nothing: a search without an estimate",
            Self::Hamming => "tiles that are not at home",
            Self::Manhattan => "rows and columns from each tile to its home",
            Self::LinearConflict => "Manhattan, and two for each tile that must leave its own line",
            Self::WalkingDistance => "moves of two simpler puzzles, one of rows, one of columns",
            Self::Max => "the larger of linear-conflict and walking-distance",
            Self::Patterns(choice) if choice.is_reflected() => {
                "moves of each pattern's tiles, or of its mirror images'"
            }
            Self::Patterns(_) => "moves of each pattern's tiles",
        }
    }
}

/// Prints the [name](HeuristicKind::name).
impl fmt::Display for HeuristicKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name())
    }
}

/// Reads the name.
impl FromStr for HeuristicKind {
    type Err = HeuristicNameError;

    fn from_str(name: &str) -> Result<Self, HeuristicNameError> {
        Self::from_name(name).ok_or_else(|| {
            HeuristicNameError(NameError::new(name, "a heuristic", Self::fixed_names()))
        })
    }
}

/// A heuristic that is chosen while the program runs.
///
/// Each step first looks which one it is. Searches that are to be as fast as they can are better
/// made for one heuristic type.
#[derive(Clone, Debug)]
pub struct AnyHeuristic {
    choice: Choice,
}

#[derive(Clone, Debug)]
enum Choice {
    Zero(Zero),
    Hamming(Hamming),
    Manhattan(Manhattan),
    LinearConflict(LinearConflict),
    WalkingDistance(WalkingDistance),
    Max(Max<LinearConflict, WalkingDistance>),
    Patterns(PatternDatabase),
}

/// Why a heuristic cannot be had for a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum HeuristicError {
    /// It has no walking distances.
    #[error(transparent)]
    Walking(#[from] WalkingError),
    /// It has no such pattern databases.
    #[error(transparent)]
    Patterns(#[from] PatternError),
    /// It says nothing of multi-tile moves.
    #[error(
        "{0} is for single-tile moves; for multi-tile moves there are {names}",
        names = HeuristicKind::fixed_names().join(", ")
    )]
    SingleOnly(HeuristicKind),
    /// No heuristic is for slides with costs by tile.
    #[error(transparent)]
    HeavySlides(#[from] HeavySlidesError),
}

impl HeuristicError {
    /// The limit of a budget that ended the making of its tables; `None` if they cannot be had at
    /// all.
    #[must_use]
    pub const fn stopped_by(&self) -> Option<Limit> {
        match self {
            Self::Walking(WalkingError::Stopped(limit))
            | Self::Patterns(PatternError::Build(BuildError::Stopped(limit))) => Some(*limit),
            _ => None,
        }
    }
}

/// What an [`AnyHeuristic`] knows of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnyMemo {
    /// Nothing but the value.
    Value(u32),
    /// For the walking distance.
    Walking(WalkingMemo),
    /// For the maximum of linear conflict and walking distance.
    Max((u32, WalkingMemo)),
    /// For pattern databases.
    Patterns(Box<[SlotMemo]>),
}

impl AnyHeuristic {
    /// The heuristic of a kind for a puzzle, with its tables. Those that need walking distances or
    /// pattern databases refuse boards that are too large for them.
    pub fn new<S: TileState>(
        kind: HeuristicKind,
        puzzle: &Sliding<S>,
    ) -> Result<Self, HeuristicError> {
        Self::with_limit(kind, puzzle, WalkingDistance::MAX_STATES)
    }

    /// The heuristic of a kind with another limit on walking distances: see
    /// [`WalkingDistance::with_limit`].
    pub fn with_limit<S: TileState>(
        kind: HeuristicKind,
        puzzle: &Sliding<S>,
        limit: u32,
    ) -> Result<Self, HeuristicError> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Self::within(kind, puzzle, limit, threads, &Budget::default())
    }

    /// The heuristic of a kind with a limit on walking distances. Its tables are made on `threads`
    /// threads within the memory, the time and the cancel flag of a budget.
    pub fn within<S: TileState>(
        kind: HeuristicKind,
        puzzle: &Sliding<S>,
        limit: u32,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, HeuristicError> {
        let walking = || WalkingDistance::within(puzzle, limit, budget);
        let choice = match kind {
            HeuristicKind::Zero => Choice::Zero(Zero),
            HeuristicKind::Hamming => Choice::Hamming(Hamming::new(puzzle)),
            HeuristicKind::Manhattan => Choice::Manhattan(Manhattan::new(puzzle)),
            HeuristicKind::LinearConflict => Choice::LinearConflict(LinearConflict::new(puzzle)),
            HeuristicKind::WalkingDistance => Choice::WalkingDistance(walking()?),
            HeuristicKind::Max => Choice::Max(Max::new(LinearConflict::new(puzzle), walking()?)),
            HeuristicKind::Patterns(choice) => {
                Choice::Patterns(PatternDatabase::within(puzzle, choice, threads, budget)?)
            }
        };
        Ok(Self { choice })
    }

    /// Bytes that [`within`](Self::within) takes at most to make the tables of a heuristic for a
    /// goal; few where it has none.
    pub fn working_memory(
        kind: HeuristicKind,
        goal: &Board,
        threads: usize,
    ) -> Result<u64, HeuristicError> {
        // Lists of homes, and what the conflicts of lines add.
        let lines = LinearConflict::MAX_BYTES;
        Ok(match kind {
            HeuristicKind::WalkingDistance => WalkingDistance::working_memory(goal),
            HeuristicKind::Max => WalkingDistance::working_memory(goal).saturating_add(lines),
            HeuristicKind::LinearConflict => lines,
            HeuristicKind::Patterns(choice) => {
                PatternDatabase::working_memory(goal, choice, threads)?
            }
            HeuristicKind::Zero | HeuristicKind::Hamming | HeuristicKind::Manhattan => 0,
        })
    }

    /// Pattern databases whose tables are there: see [`PatternDatabase::with_tables`].
    pub fn with_tables<S: TileState>(
        choice: PatternChoice,
        puzzle: &Sliding<S>,
        tables: &TableSet,
    ) -> Result<Self, HeuristicError> {
        let database = PatternDatabase::with_tables(puzzle, choice, tables)?;
        Ok(Self {
            choice: Choice::Patterns(database),
        })
    }

    /// This heuristic for another goal. Tables are built only if that goal needs others, as
    /// [`within`](Self::within) builds them.
    pub fn towards<S: TileState>(
        &self,
        puzzle: &Sliding<S>,
        limit: u32,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, HeuristicError> {
        let shared = match &self.choice {
            Choice::Patterns(database) => {
                let database = database.towards(puzzle, threads, budget)?;
                Some(Choice::Patterns(database))
            }
            Choice::WalkingDistance(walking) => {
                walking.towards(puzzle).map(Choice::WalkingDistance)
            }
            Choice::Max(max) => max
                .second()
                .towards(puzzle)
                .map(|walking| Choice::Max(Max::new(LinearConflict::new(puzzle), walking))),
            _ => None,
        };
        match shared {
            Some(choice) => Ok(Self { choice }),
            None => Self::within(self.kind(), puzzle, limit, threads, budget),
        }
    }

    /// Bytes of its tables. Clones share them, and so do those that it was made
    /// [`towards`](Self::towards) another goal from.
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        match &self.choice {
            Choice::WalkingDistance(walking) => walking.table_bytes(),
            Choice::Max(max) => max.second().table_bytes(),
            Choice::Patterns(database) => database.table_bytes(),
            _ => 0,
        }
    }

    /// Which one it is.
    #[must_use]
    pub const fn kind(&self) -> HeuristicKind {
        match &self.choice {
            Choice::Zero(_) => HeuristicKind::Zero,
            Choice::Hamming(_) => HeuristicKind::Hamming,
            Choice::Manhattan(_) => HeuristicKind::Manhattan,
            Choice::LinearConflict(_) => HeuristicKind::LinearConflict,
            Choice::WalkingDistance(_) => HeuristicKind::WalkingDistance,
            Choice::Max(_) => HeuristicKind::Max,
            Choice::Patterns(h) => HeuristicKind::Patterns(h.choice()),
        }
    }

    /// Whether its tables are still what they were when they were built or checked: see
    /// [`PatternDatabase::confirm`]. Only pattern databases can lie in files.
    pub fn confirm(&self) -> Result<(), ChangedTableError> {
        match &self.choice {
            Choice::Patterns(database) => database.confirm(),
            _ => Ok(()),
        }
    }

    /// Where the estimate of a state comes from, for pattern databases; `None` for all others.
    pub fn patterns<S: TileState>(
        &self,
        puzzle: &Sliding<S>,
        state: &S,
    ) -> Option<PatternBreakdown> {
        match &self.choice {
            Choice::Patterns(database) => Some(database.breakdown(puzzle, state)),
            _ => None,
        }
    }
}

/// Something that is made for each heuristic type by itself, such as a search that is to be as fast
/// as it can: see [`AnyHeuristic::hand_to`].
pub trait HeuristicUser<D: Domain> {
    /// What comes of it.
    type Result;

    /// Uses a heuristic.
    fn take<H: Heuristic<D> + Sync>(self, heuristic: &H) -> Self::Result;
}

impl AnyHeuristic {
    /// Hands the heuristic itself to a user, who then need not look which one it is at every step.
    pub fn hand_to<S: TileState, U: HeuristicUser<Sliding<S>>>(&self, user: U) -> U::Result {
        match &self.choice {
            Choice::Zero(h) => user.take(h),
            Choice::Hamming(h) => user.take(h),
            Choice::Manhattan(h) => user.take(h),
            Choice::LinearConflict(h) => user.take(h),
            Choice::WalkingDistance(h) => user.take(h),
            Choice::Max(h) => user.take(h),
            Choice::Patterns(h) => h.hand_to(user),
        }
    }
}

impl<S: TileState> Heuristic<Sliding<S>> for AnyHeuristic {
    type Memo = AnyMemo;

    fn evaluate(&self, puzzle: &Sliding<S>, state: &S) -> AnyMemo {
        match &self.choice {
            Choice::Zero(_) => AnyMemo::Value(0),
            Choice::Hamming(h) => AnyMemo::Value(h.evaluate(puzzle, state)),
            Choice::Manhattan(h) => AnyMemo::Value(h.evaluate(puzzle, state)),
            Choice::LinearConflict(h) => AnyMemo::Value(h.evaluate(puzzle, state)),
            Choice::WalkingDistance(h) => AnyMemo::Walking(h.evaluate(puzzle, state)),
            Choice::Max(h) => AnyMemo::Max(h.evaluate(puzzle, state)),
            Choice::Patterns(h) => AnyMemo::Patterns(h.evaluate(puzzle, state)),
        }
    }

    #[inline]
    fn step(&self, puzzle: &Sliding<S>, before: &AnyMemo, after: &S, m: Move) -> AnyMemo {
        match (&self.choice, before) {
            (Choice::Zero(_), AnyMemo::Value(_)) => AnyMemo::Value(0),
            (Choice::Hamming(h), AnyMemo::Value(b)) => AnyMemo::Value(h.step(puzzle, b, after, m)),
            (Choice::Manhattan(h), AnyMemo::Value(b)) => {
                AnyMemo::Value(h.step(puzzle, b, after, m))
            }
            (Choice::LinearConflict(h), AnyMemo::Value(b)) => {
                AnyMemo::Value(h.step(puzzle, b, after, m))
            }
            (Choice::WalkingDistance(h), AnyMemo::Walking(b)) => {
                AnyMemo::Walking(h.step(puzzle, b, after, m))
            }
            (Choice::Max(h), AnyMemo::Max(b)) => AnyMemo::Max(h.step(puzzle, b, after, m)),
            (Choice::Patterns(h), AnyMemo::Patterns(b)) => {
                AnyMemo::Patterns(h.step(puzzle, b, after, m))
            }
            // Another heuristic's memo says nothing, so look at the state.
            _ => self.evaluate(puzzle, after),
        }
    }

    #[inline]
    fn value(&self, memo: &AnyMemo) -> u32 {
        match memo {
            AnyMemo::Value(value) => *value,
            AnyMemo::Walking(walking) => walking.halves().sum(),
            AnyMemo::Max((conflict, walking)) => walking.halves().sum().max(*conflict),
            AnyMemo::Patterns(slots) => match &self.choice {
                Choice::Patterns(h) => Heuristic::<Sliding<S>>::value(h, slots),
                // Another heuristic's memo says nothing.
                _ => 0,
            },
        }
    }

    fn is_consistent(&self) -> bool {
        match &self.choice {
            Choice::Zero(h) => Heuristic::<Sliding<S>>::is_consistent(h),
            Choice::Hamming(h) => Heuristic::<Sliding<S>>::is_consistent(h),
            Choice::Manhattan(h) => Heuristic::<Sliding<S>>::is_consistent(h),
            Choice::LinearConflict(h) => Heuristic::<Sliding<S>>::is_consistent(h),
            Choice::WalkingDistance(h) => Heuristic::<Sliding<S>>::is_consistent(h),
            Choice::Max(h) => Heuristic::<Sliding<S>>::is_consistent(h),
            Choice::Patterns(h) => Heuristic::<Sliding<S>>::is_consistent(h),
        }
    }

    fn memo_bytes(&self) -> usize {
        match &self.choice {
            Choice::Patterns(h) => Heuristic::<Sliding<S>>::memo_bytes(h),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Cost, FlatState};
    use crate::{Goal, Size};

    #[test]
    fn every_kind_is_found_by_its_name_and_made() {
        let goal = Goal::Snail.board(Size::new(3, 4).unwrap()).unwrap();
        let puzzle = Sliding::<FlatState>::new(&goal, Cost::Unit).unwrap();
        let patterns = ["pdb:5-6", "pdb:quick+reflected"].map(HeuristicKind::from_name);
        for kind in HeuristicKind::ALL
            .into_iter()
            .chain(patterns.map(Option::unwrap))
        {
            assert_eq!(HeuristicKind::from_name(&kind.name()), Some(kind));
            assert_eq!(AnyHeuristic::new(kind, &puzzle).unwrap().kind(), kind);
        }
        assert_eq!(HeuristicKind::from_name("Manhattan"), None);
        assert_eq!(HeuristicKind::from_name("5-6"), None);
    }

    #[test]
    fn names_are_listed_once_and_printed_as_they_are_read() {
        let listed: Vec<&str> = HeuristicKind::listed().map(|(name, _)| name).collect();
        let (fixed, patterns) = listed.split_at(HeuristicKind::ALL.len());
        assert_eq!(fixed, HeuristicKind::ALL.map(HeuristicKind::name));
        assert!(patterns.iter().all(|name| name.starts_with(PATTERNS)));
        for name in listed {
            assert_eq!(name.parse::<HeuristicKind>().unwrap().to_string(), name);
        }
        let refused = "pdb:9".parse::<HeuristicKind>().unwrap_err().to_string();
        let start = "\"pdb:9\" is not a heuristic; there are zero, hamming, manhattan, \
                     linear-conflict, walking-distance, max, and pattern databases: patterns go by";
        assert!(refused.starts_with(start), "{refused}");
    }

    #[test]
    fn only_those_with_walking_distances_refuse_a_large_board() {
        let goal = Goal::Classic.board(Size::new(9, 9).unwrap()).unwrap();
        let puzzle = Sliding::<FlatState>::new(&goal, Cost::Unit).unwrap();
        let refused = |&kind: &HeuristicKind| AnyHeuristic::new(kind, &puzzle).is_err();
        let refused: Vec<_> = HeuristicKind::ALL.into_iter().filter(refused).collect();
        assert_eq!(
            refused,
            [HeuristicKind::WalkingDistance, HeuristicKind::Max]
        );
    }
}
