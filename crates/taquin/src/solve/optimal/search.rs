//! Shortest solutions: one of them, or all.

use std::time::Duration;

use crate::outcome::{Budget, Outcome, Report};
use crate::solve::{All, DamagedTableError, Effort};
use crate::{Board, Moves};

use super::deepening::{Deepening, expanded_last};
use super::engine::Engine;
use super::lanes::Want;
use super::state::{Keeper, SearchState, TaskCount, TaskState};
use super::task::{Task, TaskReport};

/// What a search that may take hours has beside the board.
#[derive(Default)]
pub(in crate::solve) struct LongSearch<'a> {
    /// Where another search of the board was.
    pub(in crate::solve) from: Option<SearchState>,
    /// Keeps where this one is.
    pub(in crate::solve) keeper: Option<&'a dyn Keeper>,
    /// Looks for a good solution before a long iteration.
    pub(in crate::solve) improver: Option<&'a Improver<'a>>,
}

/// Is told what is proven, the best solution, and how much time may be spent; returns a better one.
pub(in crate::solve) type Improver<'a> =
    dyn Fn(u32, Option<&Moves>, Duration) -> Result<Option<Moves>, DamagedTableError> + Sync + 'a;

impl Engine {
    /// What the tables say of a canonical board: no solution is shorter.
    pub fn estimate(&self, board: &Board) -> Result<u32, DamagedTableError> {
        let start = self.start(board)?;
        Ok(self.sums(&start.values).max().unwrap_or(0))
    }

    /// A shortest solution of a canonical board, which must be solvable.
    pub fn solve(&self, board: &Board, effort: &Effort) -> Result<Report, DamagedTableError> {
        self.solve_from(board, effort, 0)
    }

    /// What [`solve`](Self::solve) finds where it is proven already that no solution is shorter than
    /// `proven`. What is proven is not searched again.
    pub(in crate::solve) fn solve_from(
        &self,
        board: &Board,
        effort: &Effort,
        proven: u32,
    ) -> Result<Report, DamagedTableError> {
        let budget = Budget::new(&effort.limits);
        let deepening = Deepening::new(self, board, effort, &budget)?;
        Ok(deepening.from(proven).run(Want::First)?.report)
    }

    /// What [`solve_from`](Self::solve_from) finds where that may take hours. `None` if the state
    /// to go on from is none of this board with these tables.
    pub(in crate::solve) fn solve_long(
        &self,
        board: &Board,
        effort: &Effort,
        proven: u32,
        long: LongSearch<'_>,
    ) -> Result<Option<Report>, DamagedTableError> {
        let budget = Budget::new(&effort.limits);
        let deepening = Deepening::new(self, board, effort, &budget)?.from(proven);
        let Some(mut deepening) = deepening.with(long) else {
            return Ok(None);
        };
        Ok(Some(deepening.run(Want::First)?.report))
    }

    /// The state of a search of a canonical board that has not begun, or of the next iteration where
    /// all tasks of one are done. `None` if that is no state of this board.
    pub(in crate::solve) fn next_state(
        &self,
        board: &Board,
        before: Option<SearchState>,
    ) -> Result<Option<SearchState>, DamagedTableError> {
        let (effort, budget) = (Effort::default(), Budget::default());
        let deepening = Deepening::new(self, board, &effort, &budget)?;
        Ok(deepening.next_state(before))
    }

    /// Searches a task of a canonical board with a threshold. `None` if it is no task of this board.
    pub(in crate::solve) fn search_task(
        &self,
        board: &Board,
        task: &Task,
        effort: &Effort,
    ) -> Result<Option<TaskReport>, DamagedTableError> {
        let budget = Budget::new(&effort.limits);
        let state = SearchState {
            threshold: task.threshold,
            tasks: vec![TaskState {
                moves: task.moves.clone(),
                bound: 0,
                family: 0,
                last: TaskCount::default(),
                done: None,
            }],
            ..SearchState::default()
        };
        let long = LongSearch {
            from: Some(state),
            ..LongSearch::default()
        };
        let deepening = Deepening::new(self, board, effort, &budget)?;
        let Some(mut deepening) = deepening.with(long) else {
            return Ok(None);
        };
        let bound = deepening.bound();
        let (all, count) = deepening.run_task()?;
        Ok(Some(TaskReport::new(
            all.report.outcome,
            count,
            task,
            bound,
        )))
    }

    /// All shortest solutions of a canonical board, which must be solvable: those that come first,
    /// `list` of them at most, and the number of all if `count`.
    pub fn all(
        &self,
        board: &Board,
        effort: &Effort,
        list: usize,
        count: bool,
    ) -> Result<All, DamagedTableError> {
        self.all_from(board, effort, (list, count), 0)
    }

    /// What [`all`](Self::all) finds where it is proven already that no solution is shorter than
    /// `proven`.
    pub(in crate::solve) fn all_from(
        &self,
        board: &Board,
        effort: &Effort,
        (list, count): (usize, bool),
        proven: u32,
    ) -> Result<All, DamagedTableError> {
        // Duplicate pruning leaves one of several shortest solutions, so it must not be used; but
        // with it the length is found sooner.
        let budget = Budget::new(&effort.limits);
        let deepening = Deepening::new(self, board, effort, &budget)?;
        let first = deepening.from(proven).run(Want::First)?;
        let Outcome::Solved(solution) = &first.report.outcome else {
            return Ok(first);
        };
        if list == 0 && !count {
            return Ok(first.without_solutions());
        }
        let every = self.without_automaton();
        let mut deepening = Deepening::new(&every, board, effort, &budget)?;
        deepening.threshold = solution.cost as u16;
        deepening.statistics = first.report.statistics.clone();
        deepening.last = expanded_last(&deepening.statistics);
        let want = if count {
            Want::Each(list)
        } else {
            Want::Some(list)
        };
        Ok(deepening.run(want)?.after(&first.report, solution, list))
    }
}
