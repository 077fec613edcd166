//! Options for solutions that need not be shortest, and what is told while one is looked for.

use std::time::{Duration, Instant};

use taquin::solve::Improvement;
use taquin::{Board, Metric, Move};

use crate::units;

/// Options that say which solution is wanted.
#[derive(clap::Args)]
pub(super) struct AnytimeArgs {
    /// A shortest solution, however long it takes. Standard error shows how far the search is: the
    /// length that is proven so far, the iteration under way, its nodes, and about how long it still
    /// takes, going by how the ones before grew. In a pipe these are lines, the first one after
    /// 10 s, later ones at most 5 minutes apart.
    #[arg(long, help_heading = "Which solution", conflicts_with_all = ["within", "fast", "algorithm", "heuristic"])]
    pub(super) optimal: bool,

    /// The best solution that is found in this time for each board, as in 500ms, 10s or 5m, and what
    /// every solution takes at least; boards of every size, one at a time on all threads. Ends
    /// early when a solution is proven optimal. The search starts without tables; those that are
    /// stored, or built in a small part of the time, are taken in when they are ready.
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Which solution", conflicts_with_all = ["fast", "limit_time", "algorithm", "heuristic", "weight", "cost", "all", "max", "count"])]
    pub(super) within: Option<Duration>,

    /// The first solution that is found, for boards of every size, without tables.
    #[arg(long, help_heading = "Which solution", conflicts_with_all = ["limit_time", "algorithm", "heuristic", "weight", "cost", "all", "max", "count"])]
    pub(super) fast: bool,

    /// With --within and --json: print every better solution and every better bound at once, as a
    /// line of its own, before the result.
    #[arg(long, help_heading = "Which solution", requires_all = ["within", "json"], conflicts_with = "fast")]
    pub(super) stream: bool,
}

impl AnytimeArgs {
    /// The option that says so.
    pub(super) fn option(&self) -> Option<&'static str> {
        let first = self.fast.then_some("--fast");
        self.within.map(|_| "--within").or(first)
    }

    /// What is to be told of a board before its time is over, if a person watches or not.
    pub(super) const fn telling(&self, watched: bool) -> Telling {
        match (self.stream, watched) {
            (true, _) => Telling::Moves,
            (false, true) => Telling::Lengths,
            (false, false) => Telling::Nothing,
        }
    }
}

/// What is to be told on the way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Telling {
    Nothing,
    Lengths,
    /// The moves too, which takes a copy of them.
    Moves,
}

/// What is known of a board before its time is over.
pub(super) struct News {
    pub(super) board: Board,
    /// In the metric asked for, as the bound.
    pub(super) length: usize,
    pub(super) lower_bound: u32,
    /// Empty if they are not to be told.
    pub(super) moves: Vec<Move>,
    /// When that was known, from the beginning of the search.
    pub(super) time: Duration,
    /// When the search ends.
    pub(super) deadline: Option<Instant>,
}

impl Telling {
    /// What to tell of an improvement, if anything.
    pub(super) fn news(
        self,
        board: &Board,
        known: Improvement<'_>,
        metric: Metric,
        deadline: Option<Instant>,
    ) -> Option<News> {
        let moves = match self {
            Self::Nothing => return None,
            Self::Lengths => Vec::new(),
            Self::Moves => known.moves.to_vec(),
        };
        Some(News {
            board: board.clone(),
            length: metric.length(known.moves),
            lower_bound: known.lower_bound,
            moves,
            time: known.time,
            deadline,
        })
    }
}
