//! The front door of the engine room: any goal, any board of its size.

use thiserror::Error;

use super::anytime::{Improvement, Improving, Parts, Start, lower_bound};
use super::checkpoint::{CheckpointKeeper, OtherSearchError};
use super::optimal::{Engine, SearchState, Task, TaskOutcome, TaskReport};
use super::position::Position;
use super::shortest::Shortest;
use super::{Aim, All, AnyEngine, DamagedTableError, Effort};
use crate::outcome::{Outcome, Report, WrongSolutionError};
use crate::tables::{AnyTables, ChangedTableError};
use crate::{Board, GoalSizeError, Metric, Move, Moves, Reduction, Solvability};

/// Solves boards: optimally with pattern databases, or as well as it gets in the time there is.
///
/// ```
/// use taquin::solve::{Effort, GoalSolver};
/// use taquin::tables::{Catalogue, TableSet, Tier};
/// use taquin::{Board, Budget, Goal, Outcome};
///
/// let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let catalogue = Catalogue::for_goal(&goal, Tier::Quick)?;
/// let tables = TableSet::build(catalogue, 1, &Budget::default())?;
/// let solver = GoalSolver::new(&goal, &tables)?;
/// let report = solver.solve(&board, &Effort::default())?;
/// let Outcome::Solved(solution) = report.outcome else { panic!("no limit was set") };
/// assert_eq!(solution.moves.len(), 14);
/// assert!(solution.proof.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GoalSolver {
    goal: Board,
    reduction: Reduction,
    /// What is counted; that of the engine, if there is one.
    metric: Metric,
    engine: Option<AnyEngine>,
}

/// Tables that are for another puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("these tables are for another puzzle than this goal's")]
pub struct OtherPuzzleError;

/// Why a board was not searched.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The goal cannot be reached; the reason is inside.
    #[error("unsolvable: {0}")]
    Unsolvable(Solvability),
    /// The board and the goal differ in size.
    #[error(transparent)]
    Size(#[from] GoalSizeError),
    /// Shortest solutions can only be searched for with tables.
    #[error("a shortest solution can only be searched for with tables")]
    NoTables,
    /// A table leads nowhere: it was not built by this library, or it was changed.
    #[error(transparent)]
    Damaged(#[from] DamagedTableError),
    /// The file of a table was changed while it was used.
    #[error(transparent)]
    Changed(#[from] ChangedTableError),
    /// What was found is no solution.
    #[error(transparent)]
    Wrong(#[from] WrongSolutionError),
    /// The checkpoint to go on from belongs to another search.
    #[error(transparent)]
    OtherSearch(#[from] OtherSearchError),
}

impl GoalSolver {
    /// A solver for a goal, with the tables of a catalogue
    /// [for it](crate::tables::AnyCatalogue::for_goal). They are a [`TableSet`] for single-tile
    /// moves, or [`ClassTables`] for multi-tile moves.
    ///
    /// ```
    /// use taquin::solve::{Effort, GoalSolver};
    /// use taquin::tables::{ClassCatalogue, ClassTables, Tier};
    /// use taquin::{Board, Budget, Goal, Metric, Outcome};
    ///
    /// let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
    /// let goal = Goal::Classic.board(board.size())?;
    /// let catalogue = ClassCatalogue::for_goal(&goal, Tier::Quick)?;
    /// let tables = ClassTables::build(catalogue, 1, &Budget::default())?;
    /// let solver = GoalSolver::new(&goal, &tables)?;
    /// let report = solver.solve(&board, &Effort::default())?;
    /// let Outcome::Solved(solution) = report.outcome else { panic!("no limit was set") };
    /// assert_eq!(solution.moves.length(Metric::Multi), solution.cost as usize);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// [`TableSet`]: crate::tables::TableSet
    /// [`ClassTables`]: crate::tables::ClassTables
    pub fn new(goal: &Board, tables: impl Into<AnyTables>) -> Result<Self, OtherPuzzleError> {
        let tables = tables.into();
        let reduction = Reduction::new(goal);
        let canonical = reduction.goal();
        if (canonical.size(), canonical.blank()) != tables.puzzle() {
            return Err(OtherPuzzleError);
        }
        Ok(Self {
            goal: goal.clone(),
            metric: tables.metric(),
            engine: Some(AnyEngine::new(canonical, &tables)),
            reduction,
        })
    }

    /// A solver without tables: for [`Aim::Best`] and [`Aim::First`], on boards of every size.
    ///
    /// ```
    /// use taquin::solve::{Effort, GoalSolver};
    /// use taquin::{Goal, Rng, uniform, Outcome};
    ///
    /// let goal = Goal::Classic.board("30x30".parse()?)?;
    /// let solver = GoalSolver::without_tables(&goal);
    /// let report = solver.solve(&uniform(&goal, &mut Rng::from_seed(1)), &Effort::first())?;
    /// let Outcome::Solved(solution) = report.outcome else { panic!("there always is one") };
    /// assert!(solution.lower_bound <= solution.cost);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without_tables(goal: &Board) -> Self {
        Self {
            goal: goal.clone(),
            metric: Metric::Single,
            engine: None,
            reduction: Reduction::new(goal),
        }
    }

    /// This solver, counting moves in that metric. Tables of the other metric are left out.
    #[must_use]
    pub fn in_metric(mut self, metric: Metric) -> Self {
        self.engine = self.engine.filter(|engine| engine.metric() == metric);
        self.metric = metric;
        self
    }

    /// A solver for another goal with these tables, if that goal [reduces](Reduction) to the same
    /// one. The tables are shared, not copied.
    pub fn for_goal(&self, goal: &Board) -> Result<Self, OtherPuzzleError> {
        let reduction = Reduction::new(goal);
        if self.engine.is_some() && reduction.goal() != self.reduction.goal() {
            return Err(OtherPuzzleError);
        }
        Ok(Self {
            goal: goal.clone(),
            metric: self.metric,
            engine: self.engine.clone(),
            reduction,
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

    /// Whether it has tables.
    #[must_use]
    pub const fn has_tables(&self) -> bool {
        self.engine.is_some()
    }

    /// Whether its tables are still what they were when they were built or checked: see
    /// [`Bytes::confirm`](crate::tables::Bytes::confirm). It asks that itself before it answers.
    pub fn confirm(&self) -> Result<(), ChangedTableError> {
        self.engine.as_ref().map_or(Ok(()), AnyEngine::confirm)
    }

    /// What is known without a search: no solution of this board is shorter.
    pub fn estimate(&self, board: &Board) -> Result<u32, EngineError> {
        let board = self.canonical(board)?;
        let estimate = match &self.engine {
            Some(engine) => engine.estimate(&board),
            None => Ok(lower_bound(
                &Position::new(&self.reduction, &board),
                self.metric,
            )),
        };
        self.confirmed(estimate)
    }

    /// A solution as the effort asks for it.
    pub fn solve(&self, board: &Board, effort: &Effort) -> Result<Report, EngineError> {
        self.improve(board, effort, &mut |_| ())
    }

    /// A solution as the effort asks for it, with news on the way: `watch` is told of the first
    /// solution, of every better one, and when the bound rises, unless a shortest solution is
    /// wanted, of which there is one or none.
    ///
    /// ```
    /// use std::time::Duration;
    /// use taquin::solve::{Effort, GoalSolver};
    /// use taquin::{Goal, Rng, uniform};
    ///
    /// let goal = Goal::Classic.board("6x6".parse()?)?;
    /// let solver = GoalSolver::without_tables(&goal);
    /// let board = uniform(&goal, &mut Rng::from_seed(1));
    /// let mut lengths = Vec::new();
    /// solver.improve(&board, &Effort::within(Duration::from_millis(100)), &mut |known| {
    ///     lengths.push(known.moves.len());
    /// })?;
    /// assert!(lengths.is_sorted_by(|a, b| a >= b));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn improve(
        &self,
        board: &Board,
        effort: &Effort,
        watch: &mut dyn FnMut(Improvement<'_>),
    ) -> Result<Report, EngineError> {
        self.improve_from(board, effort, Start::default(), watch)
    }

    /// What [`improve`](Self::improve) finds from another start.
    pub(crate) fn improve_from(
        &self,
        board: &Board,
        effort: &Effort,
        mut start: Start,
        watch: &mut dyn FnMut(Improvement<'_>),
    ) -> Result<Report, EngineError> {
        if let Some(known) = &mut start.known {
            known.moves = self.reduction.symmetry().moves(&known.moves);
        }
        let canonical = self.canonical(board)?;
        let mut wrong = None;
        let report = if effort.aim == Aim::Shortest {
            let engine = self.engine.as_ref().ok_or(EngineError::NoTables)?;
            engine.solve_from(&canonical, effort, start.proven)
        } else {
            let mut restored = |known: Improvement<'_>| {
                let moves = self.original(known.moves);
                let checked = WrongSolutionError::check(board, &self.goal, &moves);
                wrong = wrong.or(checked.err());
                // Do not report a solution that may be wrong. The error follows at the end.
                if wrong.is_none() && self.confirm().is_ok() {
                    if let Some(progress) = &effort.limits.progress {
                        progress.set_best(self.metric.length(&moves) as u32);
                    }
                    watch(Improvement {
                        moves: &moves,
                        ..known
                    });
                }
            };
            let parts = Parts {
                board: &canonical,
                position: &Position::new(&self.reduction, &canonical),
                engine: self.engine.as_ref(),
                metric: self.metric,
            };
            Improving::new(parts, effort, start, &mut restored).run()
        };
        let mut report = self.confirmed(report)?;
        if let Some(wrong) = wrong {
            return Err(wrong.into());
        }
        self.restore(&mut report);
        self.check(board, &report)?;
        Ok(report)
    }

    /// A shortest solution, where that may take hours: it goes on where a search before has come
    /// to, keeps now and then how far it is, and looks for good solutions on the way, one of which
    /// may meet the bound. Without a keeper it does the last only. It is proven already that no
    /// solution is shorter than `proven`.
    pub fn solve_kept(
        &self,
        board: &Board,
        effort: &Effort,
        proven: u32,
        keeper: Option<&dyn CheckpointKeeper>,
    ) -> Result<Report, EngineError> {
        let canonical = self.canonical(board)?;
        let engine = self.engine.as_ref().ok_or(EngineError::NoTables)?;
        let shortest = Shortest {
            board,
            goal: &self.goal,
            reduction: &self.reduction,
            canonical: &canonical,
            engine,
            effort,
        };
        let report = shortest.solve(proven, keeper);
        self.confirm()?;
        let mut report = report?;
        self.restore(&mut report);
        self.check(board, &report)?;
        Ok(report)
    }

    /// The state of a search for a shortest solution that has not begun.
    ///
    /// Its tasks are for those who hand them out themselves, as to the machines of a cluster:
    ///
    /// ```
    /// use taquin::solve::{Effort, GoalSolver, Task, TaskOutcome};
    /// use taquin::tables::{Catalogue, TableSet, Tier};
    /// use taquin::{Board, Budget, Goal};
    ///
    /// let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
    /// let goal = Goal::Classic.board(board.size())?;
    /// let catalogue = Catalogue::for_goal(&goal, Tier::Quick)?;
    /// let solver = GoalSolver::new(&goal, &TableSet::build(catalogue, 1, &Budget::default())?)?;
    /// let mut state = solver.first_state(&board)?;
    /// let moves = 'found: loop {
    ///     for number in state.open_tasks() {
    ///         let task = Task {
    ///             moves: state.tasks[number].moves.clone(),
    ///             threshold: state.threshold,
    ///         };
    ///         // This could happen anywhere, and in any sequence.
    ///         let report = solver.search_task(&board, &task, &Effort::default())?;
    ///         match report.outcome {
    ///             TaskOutcome::Solved(moves) => break 'found moves,
    ///             TaskOutcome::Exhausted => state.tasks[number].done = Some(report.count),
    ///             TaskOutcome::Stopped(_) => unreachable!("there was no limit"),
    ///         }
    ///     }
    ///     state = solver.next_state(&board, state)?;
    /// };
    /// assert_eq!(moves.len(), 14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_state(&self, board: &Board) -> Result<SearchState, EngineError> {
        self.state_after(board, None)
    }

    /// The state of the next iteration, where all tasks of one are done without a solution.
    pub fn next_state(
        &self,
        board: &Board,
        before: SearchState,
    ) -> Result<SearchState, EngineError> {
        self.state_after(board, Some(before))
    }

    fn state_after(
        &self,
        board: &Board,
        before: Option<SearchState>,
    ) -> Result<SearchState, EngineError> {
        let canonical = self.canonical(board)?;
        let symmetry = self.reduction.symmetry();
        let before = before.map(|state| state.map(|moves| symmetry.moves(moves)));
        let state = self.patterns()?.next_state(&canonical, before);
        let state = self.confirmed(state)?.ok_or(OtherSearchError::Moves)?;
        Ok(state.map(|moves| self.reduction.restore(moves)))
    }

    /// Searches a task.
    pub fn search_task(
        &self,
        board: &Board,
        task: &Task,
        effort: &Effort,
    ) -> Result<TaskReport, EngineError> {
        let canonical = self.canonical(board)?;
        let own = Task {
            moves: self.reduction.symmetry().moves(&task.moves),
            threshold: task.threshold,
        };
        let report = self.patterns()?.search_task(&canonical, &own, effort);
        let mut report = self.confirmed(report)?.ok_or(OtherSearchError::Moves)?;
        if let TaskOutcome::Solved(moves) = &mut report.outcome {
            *moves = self.reduction.restore(moves);
            WrongSolutionError::check(board, &self.goal, moves)?;
        }
        Ok(report)
    }

    /// The engine whose searches come in tasks.
    fn patterns(&self) -> Result<&Engine, EngineError> {
        match &self.engine {
            Some(AnyEngine::Patterns(engine)) => Ok(engine),
            Some(AnyEngine::Classes(_)) => Err(OtherSearchError::Metric.into()),
            None => Err(EngineError::NoTables),
        }
    }

    /// All shortest solutions: `list` of them at most, and how many there are if `count`, which
    /// may take much longer than the first ones.
    pub fn all(
        &self,
        board: &Board,
        effort: &Effort,
        list: usize,
        count: bool,
    ) -> Result<All, EngineError> {
        self.all_from(board, effort, (list, count), 0)
    }

    /// What [`all`](Self::all) finds where it is proven already that no solution is shorter.
    pub(crate) fn all_from(
        &self,
        board: &Board,
        effort: &Effort,
        wanted: (usize, bool),
        proven: u32,
    ) -> Result<All, EngineError> {
        let engine = self.engine.as_ref().ok_or(EngineError::NoTables)?;
        let all = engine.all_from(&self.canonical(board)?, effort, wanted, proven);
        let mut all = self.confirmed(all)?;
        self.restore(&mut all.report);
        self.check(board, &all.report)?;
        for solution in &mut all.solutions {
            *solution = self.reduction.restore(solution);
            WrongSolutionError::check(board, &self.goal, solution)?;
        }
        Ok(all)
    }

    /// What was found, if the tables were what they should be all the while. A table that was
    /// changed is named, whatever else it led to.
    fn confirmed<T>(&self, found: Result<T, DamagedTableError>) -> Result<T, EngineError> {
        self.confirm()?;
        Ok(found?)
    }

    /// Replays the solution of a report.
    fn check(&self, board: &Board, report: &Report) -> Result<(), WrongSolutionError> {
        report.check(board, &self.goal, |moves| self.metric.length(moves) as u32)
    }

    /// The board of the canonical puzzle, if it can be solved.
    fn canonical(&self, board: &Board) -> Result<Board, EngineError> {
        let verdict = Solvability::of(board, &self.goal)?;
        if !verdict.is_solvable() {
            return Err(EngineError::Unsolvable(verdict));
        }
        // What was changed since the last search is not even looked at.
        self.confirm()?;
        Ok(self.reduction.reduce(board)?)
    }

    fn restore(&self, report: &mut Report) {
        if let Outcome::Solved(solution) = &mut report.outcome {
            solution.moves = self.reduction.restore(&solution.moves);
        }
    }

    fn original(&self, moves: &[Move]) -> Vec<Move> {
        let moves: Moves = moves.to_vec().into();
        self.reduction.restore(&moves).to_vec()
    }
}
