//! A part of an iteration, as a value that can be searched anywhere.

use crate::Moves;
use crate::outcome::{Limit, Outcome};

use super::state::TaskCount;

/// A subtree of the search for a shortest solution: all that begins with these moves and can be
/// within the threshold.
///
/// It can be written down, searched on another machine with the same tables, in any sequence with
/// others, and what comes of it can be added up: see
/// [`SearchState`](super::SearchState). A search prunes what follows by the moves before, so they
/// are a part of the task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The moves from the board to the top of the subtree.
    pub moves: Moves,
    /// Solutions that are longer are of no interest.
    pub threshold: u32,
}

/// What came of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskReport {
    /// Whether there was a solution.
    pub outcome: TaskOutcome,
    /// What it took.
    pub count: TaskCount,
    /// The smallest threshold with which there is more to be searched, where the task was searched
    /// to the end and there is.
    pub next_threshold: Option<u32>,
}

/// Whether there was a solution in a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskOutcome {
    /// This one, from the board. The rest of the task was not searched.
    Solved(Moves),
    /// None: it was searched to the end.
    Exhausted,
    /// A limit was hit first. Its nodes count for nothing: the task has to be searched again.
    Stopped(Limit),
}

impl TaskReport {
    /// What a search of a task with this bound at its top has found.
    pub(super) fn new(outcome: Outcome, count: TaskCount, task: &Task, bound: u32) -> Self {
        let outcome = match outcome {
            Outcome::Solved(solution) => TaskOutcome::Solved(solution.moves),
            // The search would go on with a larger threshold, and that is what stopped it.
            Outcome::Stopped {
                limit: Limit::Cost, ..
            }
            | Outcome::NoSolution => TaskOutcome::Exhausted,
            Outcome::Stopped { limit, .. } => TaskOutcome::Stopped(limit),
        };
        // Every node but the top was generated, and so were those that were cut off.
        let is_cut = count.generated + 1 > count.expanded;
        let next_threshold = match outcome {
            TaskOutcome::Exhausted if count.expanded == 0 => Some(bound),
            // Parity makes every other length impossible.
            TaskOutcome::Exhausted if is_cut => Some(task.threshold + 2),
            _ => None,
        };
        Self {
            outcome,
            count,
            next_threshold,
        }
    }
}
