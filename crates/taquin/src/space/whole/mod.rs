//! Every board of a small puzzle.

mod atlas;
mod census;
mod estimate_visitor;
mod fill;
mod layout;
mod memory;
mod planes;
mod quality;
mod search;
#[cfg(feature = "store")]
mod stored;
mod summary;
mod survey;
mod vertical_moves;
mod walk;

use thiserror::Error;

use crate::outcome::Budget;
use crate::tables::{BuildError, OverLimitError, SpaceKey};
use crate::{Board, Metric, Reduction, Size};

use layout::Layout;

pub use atlas::{Atlas, DistanceError, SampleError};
pub use census::{Census, Tally};
pub use quality::{Inadmissible, Inconsistent, Quality, QualityError, Underestimate};
#[cfg(feature = "store")]
pub use stored::AtlasFrom;
pub use summary::Summary;

/// All boards from which a goal can be reached, with one way of counting moves.
#[derive(Clone, Debug)]
pub struct Space {
    goal: Board,
    reduction: Reduction,
    metric: Metric,
}

/// A space that is too large to be searched; it hands back the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("whole spaces go up to {max} cells, and {size} has {cells}", max = Space::MAX_CELLS, cells = size.cells())]
pub struct SpaceTooLargeError {
    /// The size.
    pub size: Size,
}

impl Space {
    /// The most cells of a board whose space can be searched.
    pub const MAX_CELLS: usize = 14;

    /// The space of a goal.
    pub fn new(goal: &Board, metric: Metric) -> Result<Self, SpaceTooLargeError> {
        let size = goal.size();
        if size.cells() > Self::MAX_CELLS {
            return Err(SpaceTooLargeError { size });
        }
        Ok(Self {
            goal: goal.clone(),
            reduction: Reduction::new(goal),
            metric,
        })
    }

    /// The goal.
    #[must_use]
    pub const fn goal(&self) -> &Board {
        &self.goal
    }

    /// What counts as a move.
    #[must_use]
    pub const fn metric(&self) -> Metric {
        self.metric
    }

    /// What its atlas is called: goals that differ only in names or by reflection share one.
    #[must_use]
    pub fn key(&self) -> SpaceKey {
        let goal = self.reduction.goal();
        SpaceKey {
            size: goal.size(),
            blank: goal.blank(),
            metric: self.metric,
        }
    }

    /// How many boards it has: half of all arrangements.
    #[must_use]
    pub fn boards(&self) -> u64 {
        (3..=self.goal.size().cells() as u64).product()
    }

    /// How many pairs of boards are one move of the metric apart: every two cells between which a
    /// move takes the blank are as often those of a move as any others.
    ///
    /// ```
    /// use taquin::space::Space;
    /// use taquin::{Goal, Metric};
    ///
    /// // A ring of twelve boards.
    /// let goal = Goal::Classic.board("2x2".parse()?)?;
    /// let space = Space::new(&goal, Metric::Single)?;
    /// assert_eq!((space.boards(), space.moves()), (12, 12));
    ///
    /// let goal = Goal::Classic.board("2x3".parse()?)?;
    /// assert_eq!(Space::new(&goal, Metric::Single)?.moves(), 420);
    /// assert_eq!(Space::new(&goal, Metric::Multi)?.moves(), 540);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn moves(&self) -> u64 {
        let size = self.goal.size();
        let (rows, columns) = (size.rows(), size.columns());
        // Pairs of cells between which one move takes the blank.
        let pairs = match self.metric {
            Metric::Single => rows * (columns - 1) + columns * (rows - 1),
            Metric::Multi => size.cells() * (rows - 1 + columns - 1) / 2,
        };
        self.boards() * pairs as u64 / size.cells() as u64
    }

    /// Bytes of memory that [`search`](Self::search) takes at most at once on `threads` threads, its
    /// atlas and what the threads work with included. To know it takes no memory and no time.
    ///
    /// ```
    /// use taquin::space::Space;
    /// use taquin::{Goal, Metric};
    ///
    /// let goal = Goal::Classic.board("3x4".parse()?)?;
    /// let space = Space::new(&goal, Metric::Single)?;
    /// let megabytes = space.working_memory(2) / 1_000_000;
    /// assert!((60..70).contains(&megabytes));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn working_memory(&self, threads: usize) -> u64 {
        memory::survey_bytes(&self.layout(), self.metric, threads)
    }

    /// Refuses work that takes more memory than it may.
    fn allow(&self, bytes: u64, budget: &Budget) -> Result<(), OverLimitError> {
        match budget.limits().memory {
            Some(limit) if bytes > limit => Err(OverLimitError {
                subject: self.key().into(),
                bytes,
                limit,
            }),
            _ => Ok(()),
        }
    }

    /// Bytes of its atlas.
    #[must_use]
    pub fn atlas_bytes(&self) -> usize {
        Atlas::len(&self.layout(), self.metric)
    }

    /// Searches all boards, on `threads` threads, within the budget: its time, its cancel flag, and
    /// the memory, which is compared with [`working_memory`](Self::working_memory) first.
    pub fn search(&self, threads: usize, budget: &Budget) -> Result<Atlas, BuildError> {
        Atlas::search(self, threads, budget)
    }

    fn layout(&self) -> Layout {
        Layout::new(&self.key())
    }
}
