//! What a search found, and what it took.

use std::time::Duration;

use thiserror::Error;

use super::Limit;
use crate::{Board, Move, Moves};

/// The result of a search.
///
/// Searches of the sliding-tile puzzle give [`Moves`]; those of another
/// [`Domain`](crate::search::Domain) give its actions as `M`.
#[derive(Clone, Debug)]
pub struct Report<M = Moves> {
    /// What came of it.
    pub outcome: Outcome<M>,
    /// What it took.
    pub statistics: Statistics,
}

impl<M> Report<M> {
    /// This report with its solution in another form.
    pub(crate) fn map<N>(self, change: impl FnOnce(M) -> N) -> Report<N> {
        let outcome = match self.outcome {
            Outcome::Solved(solution) => Outcome::Solved(Solution {
                moves: change(solution.moves),
                cost: solution.cost,
                proof: solution.proof,
                lower_bound: solution.lower_bound,
            }),
            Outcome::NoSolution => Outcome::NoSolution,
            Outcome::Stopped { limit, lower_bound } => Outcome::Stopped { limit, lower_bound },
        };
        Report {
            outcome,
            statistics: self.statistics,
        }
    }
}

/// What came of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<M = Moves> {
    /// A path to the goal.
    Solved(Solution<M>),
    /// Everything that can be reached was searched, and the goal is not there.
    NoSolution,
    /// A limit was hit first. `lower_bound` is proven: no solution costs less.
    Stopped {
        /// Which one.
        limit: Limit,
        /// What any solution costs at least.
        lower_bound: u32,
    },
}

/// A path to the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<M = Moves> {
    /// The way from start to goal.
    pub moves: M,
    /// What they cost together.
    pub cost: u32,
    /// How good that is known to be.
    pub proof: Proof,
    /// What any solution costs at least: the cost itself where that is proven optimal.
    pub lower_bound: u32,
}

impl<M> Solution<M> {
    /// How many times the cost of a cheapest solution this one costs at most, if that is known.
    #[must_use]
    pub fn factor(&self) -> Option<f64> {
        (self.lower_bound > 0).then(|| f64::from(self.cost) / f64::from(self.lower_bound))
    }
}

/// A solution that is none: an error in this library, or in the memory of the machine. Every
/// solution is replayed before it is handed out, so that this comes in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a search gave {moves} moves that are no solution of the board, or not what it says of them; \
     please report this"
)]
pub struct WrongSolutionError {
    /// How many moves there were.
    pub moves: usize,
}

impl WrongSolutionError {
    /// Replays moves from a board to a goal.
    pub(crate) fn check(board: &Board, goal: &Board, moves: &[Move]) -> Result<(), Self> {
        let mut there = board.clone();
        if there.apply(moves).is_ok() && there == *goal {
            return Ok(());
        }
        Err(Self { moves: moves.len() })
    }
}

impl Report {
    /// Replays the solution, if there is one, and compares what is said of it: what its moves cost
    /// together is for the caller to say.
    pub(crate) fn check(
        &self,
        board: &Board,
        goal: &Board,
        cost: impl FnOnce(&[Move]) -> u32,
    ) -> Result<(), WrongSolutionError> {
        let Outcome::Solved(solution) = &self.outcome else {
            return Ok(());
        };
        let Solution { moves, proof, .. } = solution;
        WrongSolutionError::check(board, goal, moves)?;
        let is_optimal = solution.lower_bound == solution.cost;
        if cost(moves) == solution.cost
            && solution.lower_bound <= solution.cost
            && (is_optimal || !proof.is_optimal())
        {
            return Ok(());
        }
        Err(WrongSolutionError { moves: moves.len() })
    }
}

/// How good a solution is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No solution costs less; the sentence says why this search knows.
    Optimal(&'static str),
    /// No solution costs less than the bound.
    Within {
        /// The bound, below the cost.
        lower_bound: u32,
        /// Why.
        why: &'static str,
    },
    /// Nothing is proven; the sentence says why.
    Nothing(&'static str),
}

impl Proof {
    /// Whether the solution is proven optimal.
    #[must_use]
    pub const fn is_optimal(self) -> bool {
        matches!(self, Self::Optimal(_))
    }

    /// The sentence that says why.
    #[must_use]
    pub const fn why(self) -> &'static str {
        match self {
            Self::Optimal(why) | Self::Nothing(why) | Self::Within { why, .. } => why,
        }
    }
}

/// What a search took.
///
/// All searches count in the same way. To *expand* a node is to make its children: one for each
/// action of [`Domain::actions_after`](crate::search::Domain::actions_after), which leaves out the one that
/// takes the last action back. To *generate* a node is to make it as a child, whatever becomes of
/// it: followed, pruned, known already, or the goal. So a search that ends without a solution has
/// generated all children of every node it expanded. Each time counts, also for a state that comes
/// back. What differs is when the children are made, and which:
///
/// | search | expands | generates |
/// |---|---|---|
/// | `bfs` | each state once | up to the goal, which ends it at once |
/// | `dijkstra`, `astar`, `wastar`, `greedy` | a node when its turn comes, and again if it is reopened; never the goal | all children |
/// | `idastar`, `idastar_tt` | every node within the threshold, in each iteration; with a table only those it does not leave out | all children, before the first of them is followed, so those cut off too; up to the goal, which ends it at once |
/// | `rbfs` | a node each time that it becomes the best, forgotten ones again | all children |
/// | `smastar` | a node when it is put into memory, forgotten ones again | all children, as estimates: they are put into memory one by one later |
/// | `frontier` | each state once, and those that the recovery of the path goes through | the children that were not expanded before |
/// | `bibfs`, `nbs` | at both ends | all children |
///
/// An observer sees one [`SearchEvent::Expanded`](crate::search::SearchEvent::Expanded) for each node that is expanded,
/// except in `frontier`'s recovery of the path.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Nodes whose children were made.
    pub expanded: u64,
    /// Nodes that were made as children: the start is none.
    pub generated: u64,
    /// For iterative searches, each iteration.
    pub iterations: Vec<Iteration>,
    /// The most states that were stored at once.
    pub peak_states: u64,
    /// Wall time.
    pub time: Duration,
}

impl Statistics {
    /// The effective branching factor of a search that found a solution of `length` moves: the b of
    /// a uniform tree of that depth with as many nodes below its root as were expanded,
    /// N + 1 = 1 + b + b² + … + b^length. `None` if there is no depth to speak of.
    ///
    /// ```
    /// use taquin::Statistics;
    ///
    /// let statistics = Statistics { expanded: 2 + 4 + 8, ..Statistics::default() };
    /// assert!((statistics.branching(3).unwrap() - 2.0).abs() < 1e-9);
    /// assert_eq!(statistics.branching(0), None);
    /// ```
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "nobody reads the sixteenth digit of a factor"
    )]
    pub fn branching(&self, length: usize) -> Option<f64> {
        if length == 0 || self.expanded == 0 {
            return None;
        }
        let nodes = self.expanded as f64;
        let tree = |b: f64| (0..length).fold(0.0, |sum, _| (sum + 1.0) * b);
        // The tree grows with b, is empty for 0 and has at least N nodes for N: halve until the
        // numbers between are used up.
        let (mut low, mut high) = (0.0_f64, nodes);
        loop {
            let middle = f64::midpoint(low, high);
            if middle <= low || middle >= high {
                return Some(high);
            }
            if tree(middle) < nodes {
                low = middle;
            } else {
                high = middle;
            }
        }
    }
}

/// One iteration of an iterative search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Nodes with a larger f were cut off.
    pub threshold: u32,
    /// Nodes expanded in this iteration.
    pub expanded: u64,
    /// Nodes generated in this iteration.
    pub generated: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(moves: &str, cost: u32, lower_bound: u32, proof: Proof) -> Report {
        Report {
            outcome: Outcome::Solved(Solution {
                moves: moves.parse().unwrap(),
                cost,
                proof,
                lower_bound,
            }),
            statistics: Statistics::default(),
        }
    }

    #[test]
    fn only_what_is_true_of_a_solution_passes() {
        let board: Board = "1 2 3/4 0 6/7 5 8".parse().unwrap();
        let goal: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
        let check = |report: Report| report.check(&board, &goal, |moves| moves.len() as u32);
        let (optimal, nothing) = (Proof::Optimal("proven"), Proof::Nothing("unproven"));
        assert_eq!(check(solved("UL", 2, 2, optimal)), Ok(()));
        assert_eq!(check(solved("UL", 2, 0, nothing)), Ok(()));
        assert_eq!(check(solved("UDUL", 4, 2, nothing)), Ok(()));
        let stopped = Report {
            outcome: Outcome::Stopped {
                limit: Limit::Time,
                lower_bound: 2,
            },
            ..solved("", 0, 0, nothing)
        };
        assert_eq!(check(stopped), Ok(()));
        for (wrong, moves) in [
            // Not the goal, not legal, too long for its cost, a bound above it, a proof without.
            (solved("U", 1, 1, optimal), 1),
            (solved("UU", 2, 2, optimal), 2),
            (solved("UDUL", 2, 2, optimal), 4),
            (solved("UL", 2, 4, nothing), 2),
            (solved("UDUL", 4, 2, optimal), 4),
        ] {
            assert_eq!(check(wrong), Err(WrongSolutionError { moves }));
        }
    }
}
