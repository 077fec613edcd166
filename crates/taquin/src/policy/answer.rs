//! What came of a request.

use std::fmt;

use thiserror::Error;

use crate::heuristic::HeuristicError;
use crate::outcome::{Limit, Outcome, Report, Solution, Statistics, WrongSolutionError};
use crate::search::{Algorithm, LaboratoryError, WeightError};
use crate::solve::{DamagedTableError, OtherSearchError};
use crate::supply::TablesError;
use crate::tables::ChangedTableError;
use crate::{GoalSizeError, Metric, Moves, Size, Unsolvable};

/// What came of a [`Request`](super::Request).
#[derive(Clone, Debug)]
pub struct Answer {
    /// A solution, the limit that was hit, or why there is no solution.
    pub ending: Ending,
    /// What counts as a move in lengths and bounds.
    pub metric: Metric,
    /// What searched.
    pub searched_by: SearchedBy,
    /// The heuristic or the tables it used, by name.
    pub heuristic: Option<String>,
    /// What the search took.
    pub statistics: Statistics,
    /// A search with quick tables that was given up before; not counted in `statistics`.
    pub abandoned: Option<AbandonedSearch>,
    /// How many shortest solutions there are, if that was asked for and is known.
    pub count: Option<u64>,
    /// The shortest solutions that were asked for.
    pub list: Option<Vec<Moves>>,
    /// The limit that was hit when the length was proven, and all shortest solutions were still
    /// being counted or listed. The solution is a shortest one all the same; the list may lack some
    /// that were asked for, and the count is not known.
    pub incomplete: Option<Limit>,
}

/// How a search for a solution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With a solution; its [`proof`](Solution::proof) says how good it is.
    Solved(Solution),
    /// At a limit, without a solution.
    Stopped {
        /// Which limit.
        limit: Limit,
        /// The proven lower bound on the length of every solution.
        lower_bound: u32,
    },
    /// Before it began: no moves lead to the goal.
    Unsolvable(Unsolvable),
}

/// What searched for a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SearchedBy {
    /// The engine that is made for speed: IDA* over pattern databases.
    Engine,
    /// The search for the best solution in a given time.
    Anytime,
    /// The search for the first solution.
    First,
    /// An algorithm of the laboratory.
    Laboratory(Algorithm),
}

impl SearchedBy {
    /// The name in results. The engine's algorithm is `idastar`, as in the laboratory.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Engine => Algorithm::Idastar.name(),
            Self::Anytime => "anytime",
            Self::First => "first",
            Self::Laboratory(algorithm) => algorithm.name(),
        }
    }
}

/// A search that was given up for one with better tables.
#[derive(Clone, Debug)]
pub struct AbandonedSearch {
    /// The tables it used, by name.
    pub heuristic: String,
    /// What it took.
    pub statistics: Statistics,
}

/// Why there is no solution to show: an [`Answer`] that is not solved, as an error.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnsolvedError {
    /// No moves lead to the goal.
    #[error("unsolvable: {0}")]
    Unsolvable(Unsolvable),
    /// A limit was hit first.
    #[error("stopped by the limit on {limit}: every solution takes at least {lower_bound} moves")]
    Stopped {
        /// Which limit.
        limit: Limit,
        /// The proven lower bound on the length of every solution.
        lower_bound: u32,
    },
}

/// Why a request could not be carried out.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The board and the goal differ in size.
    #[error(transparent)]
    Size(#[from] GoalSizeError),
    /// All shortest solutions were asked for, and there are no tables.
    #[error("all shortest solutions can only be found with tables: {0}")]
    NoTables(TablesError),
    /// The heuristic that was asked for cannot be had.
    #[error(transparent)]
    Heuristic(#[from] HeuristicError),
    /// The tables of a heuristic are larger than the solver may build.
    #[error(
        "the tables of {heuristic} for {size} are too large to be built for a request; the program \
         has them: taquin solve --heuristic {heuristic}"
    )]
    LargeHeuristic {
        /// Its name.
        heuristic: String,
        /// The size of the board.
        size: Size,
    },
    /// Weighted A* does not take the weight.
    #[error(transparent)]
    Weight(#[from] WeightError),
    /// A table leads nowhere: an error in this library, or in the memory of the machine.
    #[error(transparent)]
    Damaged(#[from] DamagedTableError),
    /// The file of a table was changed while it was used. The next request gets it anew.
    #[error(transparent)]
    Changed(#[from] ChangedTableError),
    /// What was found is no solution.
    #[error(transparent)]
    Wrong(#[from] WrongSolutionError),
    /// The checkpoint to go on from belongs to another search.
    #[error(transparent)]
    OtherSearch(#[from] OtherSearchError),
    /// A checkpoint was asked for, and there are no tables.
    #[error("checkpoints can only be kept of a search with tables: {0}")]
    NoCheckpoint(TablesError),
    /// A search went through everything and found nothing, although the board is solvable: an error
    /// in this library.
    #[error("the search found no solution of a solvable board; please report this")]
    Exhausted,
}

impl From<LaboratoryError> for SolveError {
    fn from(error: LaboratoryError) -> Self {
        match error {
            LaboratoryError::Size(error) => error.into(),
            LaboratoryError::Heuristic(error) => error.into(),
            LaboratoryError::Changed(error) => error.into(),
            LaboratoryError::Wrong(error) => error.into(),
            // Unsolvable boards are answered before any search.
            LaboratoryError::Unsolvable(_) => Self::Exhausted,
        }
    }
}

impl Answer {
    /// An answer without a search.
    pub(super) fn without_search(ending: Ending, searched_by: SearchedBy) -> Self {
        Self {
            ending,
            // The solver says which one when it hands out the answer.
            metric: Metric::default(),
            searched_by,
            heuristic: None,
            statistics: Statistics::default(),
            abandoned: None,
            count: None,
            list: None,
            incomplete: None,
        }
    }

    /// The answer of a search.
    pub(super) fn of(
        report: Report,
        searched_by: SearchedBy,
        heuristic: Option<String>,
    ) -> Result<Self, SolveError> {
        let ending = match report.outcome {
            Outcome::Solved(solution) => Ending::Solved(solution),
            Outcome::Stopped { limit, lower_bound } => Ending::Stopped { limit, lower_bound },
            Outcome::NoSolution => return Err(SolveError::Exhausted),
        };
        Ok(Self {
            heuristic,
            statistics: report.statistics,
            ..Self::without_search(ending, searched_by)
        })
    }

    /// The solution, or why there is none.
    pub fn solution(&self) -> Result<&Solution, UnsolvedError> {
        match &self.ending {
            Ending::Solved(solution) => Ok(solution),
            Ending::Stopped { limit, lower_bound } => Err(UnsolvedError::Stopped {
                limit: *limit,
                lower_bound: *lower_bound,
            }),
            Ending::Unsolvable(unsolvable) => Err(UnsolvedError::Unsolvable(unsolvable.clone())),
        }
    }

    /// Whether there is a solution and it is proven to be a shortest one.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        matches!(&self.ending, Ending::Solved(solution) if solution.proof.is_optimal())
    }
}

impl fmt::Display for SearchedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
