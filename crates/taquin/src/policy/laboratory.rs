//! Searches of the laboratory, and the heuristics they were made with.

use std::sync::Arc;

use super::answer::{Answer, Ending, SearchedBy, SolveError};
use super::pool::{AfterWaiting, BESIDES, Kept, LONGEST_WAIT, TakesBytes, get_or_make, kept};
use super::request::LaboratoryChoice;
use super::shortest::estimate;
use super::solver::{Job, Solver};
use crate::domain::Counting;
use crate::heuristic::{
    HeuristicError, HeuristicKind, PatternChoice, PatternError, WalkingDistance, working_memory,
};
use crate::outcome::{Budget, Limit, Limits};
use crate::search::Laboratory;
use crate::tables::{BuildError, TablePlan, TableSet};
use crate::{Board, Metric, Reduction, Size};

/// Laboratories whose heuristics have tables, kept for the next request. One of each kind is kept;
/// those of other goals that can do with the same tables are made from it.
pub(super) struct Laboratories {
    kept: Kept<LaboratoryKey, Laboratory>,
    /// The most bytes of pattern databases; `None` for what the laboratory itself allows.
    bytes: Option<u64>,
}

/// What laboratories with the same tables have in common: the size and the cell of the goal's blank,
/// what counts as a move, the heuristic, and whether its tables may take long to build.
type LaboratoryKey = (Size, usize, Metric, HeuristicKind, bool);

/// The part of the time that may go into tables of a heuristic that nobody asked for.
const TABLES_SHARE: f64 = 0.5;

impl TakesBytes for Laboratory {
    fn bytes(&self) -> u64 {
        self.table_bytes() + BESIDES
    }
}

/// Tables of a heuristic for which there was no time.
fn stopped(limit: Limit) -> SolveError {
    refused(PatternError::Build(BuildError::Stopped(limit)))
}

fn refused(error: PatternError) -> SolveError {
    SolveError::Heuristic(error.into())
}

impl Laboratories {
    /// Keeps tables of this many bytes.
    pub(super) fn new(kept_bytes: u64) -> Self {
        Self {
            kept: kept(kept_bytes),
            bytes: None,
        }
    }

    /// These, keeping tables of this many bytes.
    pub(super) fn keeping(self, kept_bytes: u64) -> Self {
        Self {
            kept: kept(kept_bytes),
            ..self
        }
    }

    /// These, with pattern databases of at most that many bytes.
    pub(super) fn bounded(self, bytes: u64) -> Self {
        Self {
            bytes: Some(bytes),
            ..self
        }
    }

    /// Bytes of the tables that are kept.
    pub(super) fn kept_bytes(&self) -> u64 {
        self.kept.weight()
    }

    /// How many are kept.
    #[cfg(test)]
    pub(super) fn kept_count(&self) -> usize {
        self.kept.len()
    }
}

impl Solver {
    /// What a search of the laboratory finds.
    pub(super) fn in_laboratory(
        &self,
        job: &Job<'_>,
        choice: LaboratoryChoice,
    ) -> Result<Answer, SolveError> {
        let counting = Counting::new(job.request.metric, choice.cost);
        let counting = counting.map_err(HeuristicError::from)?;
        let make =
            |kind, budget: &Budget| self.get_laboratory(&job.goal, counting, kind, false, budget);
        let plain = || make(HeuristicKind::LinearConflict, &job.budget);
        let laboratory = match choice.heuristic {
            // A blind search needs no tables.
            _ if !choice.algorithm.uses_heuristic() => plain(),
            Some(kind) => self.laboratory(&job.goal, counting, kind, &job.budget),
            None => {
                let part = job.budget.part(TABLES_SHARE);
                make(HeuristicKind::Max, &part).or_else(|_| plain())
            }
        };
        let searched_by = SearchedBy::Laboratory(choice.algorithm);
        let laboratory = match laboratory {
            Ok(laboratory) => Laboratory::clone(&laboratory).with_weight(choice.weight)?,
            // There was no time for its tables.
            Err(error) => {
                let limit = match &error {
                    SolveError::Heuristic(refused) => refused.stopped_by(),
                    _ => None,
                };
                let Some(limit) = limit else {
                    return Err(error);
                };
                let lower_bound = estimate(job);
                let ending = Ending::Stopped { limit, lower_bound };
                return Ok(Answer::without_search(ending, searched_by));
            }
        };
        let limits = job.budget.left();
        let report = laboratory.search(job.board, choice.algorithm, &limits)?;
        let heuristic = choice
            .algorithm
            .uses_heuristic()
            .then(|| laboratory.heuristic().name().into_owned());
        Answer::of(report, searched_by, heuristic)
    }

    /// A laboratory with a heuristic that was asked for by name. Those with tables of their own are
    /// kept for the next request.
    pub fn laboratory(
        &self,
        goal: &Board,
        counting: impl Into<Counting>,
        kind: HeuristicKind,
        budget: &Budget,
    ) -> Result<Arc<Laboratory>, SolveError> {
        let is_patient = self.laboratories.bytes.is_none();
        self.get_laboratory(goal, counting.into(), kind, is_patient, budget)
    }

    fn get_laboratory(
        &self,
        goal: &Board,
        counting: Counting,
        kind: HeuristicKind,
        is_patient: bool,
        budget: &Budget,
    ) -> Result<Arc<Laboratory>, SolveError> {
        let make = || {
            let made = self.new_laboratory(goal, counting, kind, is_patient, budget);
            made.map(Arc::new)
        };
        let make_with_tables = || {
            let bytes = working_memory(kind, goal, counting.metric(), self.threads);
            let wait = budget.waiting(LONGEST_WAIT);
            let room = self.pool.room.take(bytes.unwrap_or(0), &wait);
            let _room = room.map_err(stopped)?;
            make()
        };
        let (size, blank) = match kind {
            HeuristicKind::WalkingDistance | HeuristicKind::Max => (goal.size(), goal.blank()),
            HeuristicKind::Patterns(_) if !kind.is_for(counting.metric()) => {
                return Err(HeuristicError::SingleOnly(kind).into());
            }
            HeuristicKind::Patterns(_) => {
                let reduction = Reduction::new(goal);
                (reduction.goal().size(), reduction.goal().blank())
            }
            _ => return make(),
        };
        let key = (size, blank, counting.metric(), kind, is_patient);
        let (kept, then) = (&self.laboratories.kept, AfterWaiting::MakeOwn);
        let shared = get_or_make(kept, &key, budget, then, stopped, make_with_tables)?;
        // It may have been made for another goal, or for other costs.
        Ok(Arc::new(shared.towards(goal, counting)?))
    }

    fn new_laboratory(
        &self,
        goal: &Board,
        counting: Counting,
        kind: HeuristicKind,
        is_patient: bool,
        budget: &Budget,
    ) -> Result<Laboratory, SolveError> {
        if let (HeuristicKind::Patterns(choice), Some(most)) = (kind, self.laboratories.bytes) {
            let tables = self.small_tables(goal, choice, most, budget)?;
            let cost = counting.cost();
            return Ok(Laboratory::with_tables(goal, cost, choice, &tables)?);
        }
        let limit = if is_patient {
            Laboratory::MANY_STATES
        } else {
            WalkingDistance::MAX_STATES
        };
        let budget = self.heuristic_budget(budget);
        let made = Laboratory::within(goal, counting, kind, limit, self.threads, &budget);
        Ok(made?)
    }

    /// What making a heuristic's tables may spend: what all builds may, and no more memory than
    /// there is for builds.
    fn heuristic_budget(&self, budget: &Budget) -> Budget {
        let building = self.source().build_budget(budget);
        let memory = [building.limits().memory, Some(self.pool.room.bytes())];
        Budget::new(&Limits {
            memory: memory.into_iter().flatten().min(),
            ..building.left()
        })
    }

    /// Pattern databases of at most that many bytes, built in memory.
    fn small_tables(
        &self,
        goal: &Board,
        choice: PatternChoice,
        most: u64,
        budget: &Budget,
    ) -> Result<TableSet, SolveError> {
        let catalogue = choice
            .catalogue(goal)
            .map_err(|error| refused(error.into()))?;
        let large = || SolveError::LargeHeuristic {
            heuristic: HeuristicKind::Patterns(choice).name().into_owned(),
            size: goal.size(),
        };
        // What numbers the states of a large table is large itself, so that comes second.
        if catalogue.least_states() > most.saturating_mul(8) {
            return Err(large());
        }
        let budget = self.source().build_budget(budget);
        let plan = TablePlan::new(catalogue, &budget).map_err(|error| refused(error.into()))?;
        if plan.tables_bytes() > most {
            return Err(large());
        }
        let built = plan.build(self.threads, &budget);
        built.map_err(|error| refused(error.into()))
    }
}
