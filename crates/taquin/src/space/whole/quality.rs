//! How good a heuristic is, over every board.

use thiserror::Error;

use super::Space;
use super::estimate_visitor::{Job, View};
use super::layout::Layout;
use super::memory::search_bytes;
use crate::domain::{Cost, MultiSliding, PackedState, Sliding};
use crate::heuristic::{Choosable, HeuristicError, HeuristicKind, WalkingDistance, working_memory};
use crate::outcome::Budget;
use crate::tables::BuildError;
use crate::{Board, Metric, Slide};

/// What a heuristic says of every board of a space, against the truth.
///
/// ```
/// use taquin::heuristic::HeuristicKind;
/// use taquin::space::{Quality, Space};
/// use taquin::{Goal, Metric, Budget};
///
/// let goal = Goal::Classic.board("3x3".parse()?)?;
/// let space = Space::new(&goal, Metric::Single)?;
/// let quality = Quality::measure(&space, HeuristicKind::Manhattan, 1, &Budget::default())?;
/// assert_eq!(format!("{:.3}", quality.mean_estimate()), "14.000");
/// assert!(quality.inadmissible().is_none() && quality.inconsistent().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Quality {
    pub(super) kind: HeuristicKind,
    pub(super) pairs: Vec<Vec<u64>>,
    pub(super) worst: Underestimate,
    pub(super) inadmissible: Option<Inadmissible>,
    pub(super) inconsistent: Option<Inconsistent>,
}

/// A board with its distance and what a heuristic says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Underestimate {
    /// The board.
    pub board: Board,
    /// Its distance.
    pub distance: u32,
    /// The estimate.
    pub estimate: u32,
}

/// A board whose distance is less than the estimate.
pub type Inadmissible = Underestimate;

/// A move that changes an estimate by more than one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inconsistent {
    /// The board before the move.
    pub board: Board,
    /// The move: of one tile, unless the space is one of multi-tile moves.
    pub slide: Slide,
    /// The estimates before and after it.
    pub estimates: (u32, u32),
}

/// Why a heuristic was not measured.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum QualityError {
    /// It cannot be had for this size.
    #[error(transparent)]
    Heuristic(#[from] HeuristicError),
    /// The search was broken off.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl Quality {
    /// Looks at every board and every move of a space, on `threads` threads, within the budget: its
    /// time, its cancel flag, and the memory, which is compared with
    /// [`working_memory`](Self::working_memory) first.
    ///
    /// The boards come level by level from a search of the space, which is how their distances are
    /// known. The estimate of each is taken from the board as a whole, those of its neighbours by
    /// the step of one move. In a space of multi-tile moves the heuristic is the one of that name
    /// for them.
    pub fn measure(
        space: &Space,
        kind: HeuristicKind,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, QualityError> {
        let bytes = Self::working_memory(space, kind, threads)?;
        space.allow(bytes, budget).map_err(BuildError::from)?;
        let goal = space.goal();
        let measured = match space.metric() {
            Metric::Single => Sliding::<PackedState>::new(goal, Cost::Unit)
                .map(|puzzle| Self::measure_on(&puzzle, space, kind, threads, budget)),
            Metric::Multi => MultiSliding::<PackedState>::new(goal)
                .map(|puzzle| Self::measure_on(&puzzle, space, kind, threads, budget)),
        };
        let Some(measured) = measured else {
            unreachable!("whole spaces have no more cells than a packed state");
        };
        measured
    }

    fn measure_on<P>(
        puzzle: &P,
        space: &Space,
        kind: HeuristicKind,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, QualityError>
    where
        P: Choosable<State = PackedState> + Sync,
    {
        let heuristic = puzzle.choose(kind, WalkingDistance::MAX_STATES, threads, budget);
        let heuristic = heuristic.map_err(|error| match error.stopped_by() {
            Some(limit) => BuildError::Stopped(limit).into(),
            None => QualityError::Heuristic(error),
        })?;
        let key = space.key();
        let job = Job {
            key: &key,
            layout: &Layout::new(&key),
            view: &View::new(space),
            puzzle,
            threads,
            budget,
        };
        let measured = P::hand(&heuristic, job)?;
        Ok(measured.described(kind, space, job.layout))
    }

    /// Bytes of memory that [`measure`](Self::measure) takes at most at once on `threads` threads: for
    /// the search, and for the tables of the heuristic while they are built.
    pub fn working_memory(
        space: &Space,
        kind: HeuristicKind,
        threads: usize,
    ) -> Result<u64, QualityError> {
        /// What is counted of the boards.
        const SUMS: u64 = 1 << 20;
        let heuristic = working_memory(kind, space.goal(), space.metric(), threads)?;
        let search = search_bytes(&space.layout(), space.metric(), threads);
        Ok(heuristic.saturating_add(search).saturating_add(SUMS))
    }

    /// Which heuristic.
    #[must_use]
    pub const fn kind(&self) -> HeuristicKind {
        self.kind
    }

    /// For each distance how many boards have the estimate 0, 1, 2 and so on.
    #[must_use]
    pub fn pairs(&self) -> &[Vec<u64>] {
        &self.pairs
    }

    /// How many boards there are.
    #[must_use]
    pub fn boards(&self) -> u64 {
        self.pairs.iter().flatten().sum()
    }

    /// The mean estimate.
    #[must_use]
    pub fn mean_estimate(&self) -> f64 {
        self.mean(|_, estimate| f64::from(estimate))
    }

    /// The mean distance.
    #[must_use]
    pub fn mean_distance(&self) -> f64 {
        self.mean(|distance, _| f64::from(distance))
    }

    /// The mean of the distance less the estimate.
    #[must_use]
    pub fn mean_error(&self) -> f64 {
        self.mean(|distance, estimate| f64::from(distance) - f64::from(estimate))
    }

    /// The share of boards whose estimate is their distance.
    #[must_use]
    pub fn exact(&self) -> f64 {
        self.mean(|distance, estimate| f64::from(u8::from(distance == estimate)))
    }

    /// The board that is underestimated most; of several one of the nearest, always the same.
    #[must_use]
    pub const fn worst(&self) -> &Underestimate {
        &self.worst
    }

    /// A board that is overestimated; `None` proves that the heuristic is admissible here.
    #[must_use]
    pub const fn inadmissible(&self) -> Option<&Inadmissible> {
        self.inadmissible.as_ref()
    }

    /// A move that changes the estimate by more than one; `None` proves that the heuristic is
    /// consistent here.
    #[must_use]
    pub const fn inconsistent(&self) -> Option<&Inconsistent> {
        self.inconsistent.as_ref()
    }

    #[expect(clippy::cast_precision_loss, reason = "43 billion boards at most")]
    fn mean(&self, value: impl Fn(u32, u32) -> f64) -> f64 {
        let mut sum = 0.0;
        for (distance, row) in (0..).zip(&self.pairs) {
            for (estimate, &count) in (0..).zip(row) {
                sum += count as f64 * value(distance, estimate);
            }
        }
        sum / self.boards() as f64
    }
}
