//! All shortest solutions of a board.

use crate::Moves;
use crate::outcome::{Limit, Outcome, Report, Solution};

/// All shortest solutions.
#[derive(Clone, Debug)]
pub struct All {
    /// The length, and what it took; the solution is the first of those listed, if there are any.
    pub report: Report,
    /// How many there are, if that is known.
    pub count: Option<u64>,
    /// Solutions in a fixed order on the [canonical](crate::Reduction) board: in single-tile moves
    /// that of [`Move::ALL`](crate::Move::ALL); in multi-tile moves those that begin along the row
    /// come first, and then the order is that of the cells that the blank goes to.
    pub solutions: Vec<Moves>,
    /// The limit that was hit after the length was proven. The solutions are then some of those
    /// that were asked for, in any case one, and they are not counted.
    pub stopped: Option<Limit>,
}

impl All {
    /// The length alone.
    pub(super) fn without_solutions(self) -> Self {
        Self {
            solutions: Vec::new(),
            count: None,
            ..self
        }
    }

    /// This search, which listed and counted, after a first one that found the length and this
    /// solution. What the first has found and proven stays, whatever stopped the second.
    pub(super) fn after(mut self, first: &Report, solution: &Solution, list: usize) -> Self {
        self.report.statistics.time += first.statistics.time;
        if self.solutions.is_empty() {
            self.solutions.push(solution.moves.clone());
        }
        let moves = self.solutions[0].clone();
        match &mut self.report.outcome {
            Outcome::Solved(found) => found.moves = moves,
            Outcome::Stopped { limit, .. } => {
                self.stopped = Some(*limit);
                let solution = solution.clone();
                self.report.outcome = Outcome::Solved(Solution { moves, ..solution });
            }
            Outcome::NoSolution => {}
        }
        self.solutions.truncate(list);
        self
    }
}
