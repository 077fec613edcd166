//! Searches of the laboratory, and the heuristics they were made with.

use std::sync::Arc;

use quick_cache::sync::Cache;

use super::answer::{Answer, Ending, SearchedBy, SolveError};
use super::pool::get_or_make;
use super::request::LaboratoryChoice;
use super::shortest::estimate;
use super::solver::{Job, Solver};
use crate::Board;
use crate::domain::Cost;
use crate::heuristic::{HeuristicError, HeuristicKind, PatternChoice, PatternError};
use crate::outcome::{Budget, Limit};
use crate::search::Laboratory;
use crate::tables::{BuildError, Indexer, Key, TableSet};

/// Laboratories by goal, cost and heuristic, kept for the next request.
pub(super) struct Laboratories {
    kept: Cache<LaboratoryKey, Arc<Laboratory>>,
    /// The most bytes of pattern databases; `None` for what the laboratory itself allows.
    bytes: Option<u64>,
}

/// A goal, what moves cost, the heuristic, and whether its tables may take long to build.
type LaboratoryKey = (Board, Cost, HeuristicKind, bool);

/// Tables of a heuristic for which there was no time.
fn stopped(limit: Limit) -> SolveError {
    refused(PatternError::Build(BuildError::Stopped(limit)))
}

fn refused(error: PatternError) -> SolveError {
    SolveError::Heuristic(error.into())
}

/// How many are kept: they have tables of their own.
const KEPT: usize = 8;

impl Default for Laboratories {
    fn default() -> Self {
        Self {
            kept: Cache::new(KEPT),
            bytes: None,
        }
    }
}

impl Laboratories {
    /// With pattern databases of at most that many bytes.
    pub(super) fn bounded(bytes: u64) -> Self {
        Self {
            bytes: Some(bytes),
            ..Self::default()
        }
    }
}

impl Solver {
    /// What a search of the laboratory finds.
    pub(super) fn in_laboratory(
        &self,
        job: &Job<'_>,
        choice: LaboratoryChoice,
    ) -> Result<Answer, SolveError> {
        let make = |kind| self.get_laboratory(&job.goal, choice.cost, kind, false, &job.budget);
        let laboratory = match choice.heuristic {
            // A blind search needs no tables.
            _ if !choice.algorithm.uses_heuristic() => make(HeuristicKind::LinearConflict),
            Some(kind) => self.laboratory(&job.goal, choice.cost, kind, &job.budget),
            None => make(HeuristicKind::Max).or_else(|_| make(HeuristicKind::LinearConflict)),
        };
        let searched_by = SearchedBy::Laboratory(choice.algorithm);
        let laboratory = match laboratory {
            Ok(laboratory) => Laboratory::clone(&laboratory).with_weight(choice.weight),
            // There was no time for its tables.
            Err(SolveError::Heuristic(HeuristicError::Patterns(PatternError::Build(
                BuildError::Stopped(limit),
            )))) => {
                let lower_bound = estimate(job);
                let ending = Ending::Stopped { limit, lower_bound };
                return Ok(Answer::without_search(ending, searched_by));
            }
            Err(error) => return Err(error),
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
        cost: Cost,
        kind: HeuristicKind,
        budget: &Budget,
    ) -> Result<Arc<Laboratory>, SolveError> {
        let is_patient = self.laboratories.bytes.is_none();
        self.get_laboratory(goal, cost, kind, is_patient, budget)
    }

    fn get_laboratory(
        &self,
        goal: &Board,
        cost: Cost,
        kind: HeuristicKind,
        is_patient: bool,
        budget: &Budget,
    ) -> Result<Arc<Laboratory>, SolveError> {
        let make = || {
            let made = self.new_laboratory(goal, cost, kind, is_patient, budget);
            made.map(Arc::new)
        };
        match kind {
            HeuristicKind::WalkingDistance | HeuristicKind::Max | HeuristicKind::Patterns(_) => {
                let key = (goal.clone(), cost, kind, is_patient);
                get_or_make(&self.laboratories.kept, &key, budget, stopped, make)
            }
            _ => make(),
        }
    }

    fn new_laboratory(
        &self,
        goal: &Board,
        cost: Cost,
        kind: HeuristicKind,
        is_patient: bool,
        budget: &Budget,
    ) -> Result<Laboratory, SolveError> {
        let made = match (kind, self.laboratories.bytes) {
            (HeuristicKind::Patterns(choice), Some(most)) => {
                let tables = self.small_tables(goal, choice, most, budget)?;
                Laboratory::with_tables(goal, cost, choice, &tables)
            }
            _ if is_patient => Laboratory::with_limit(goal, cost, kind, Laboratory::MANY_STATES),
            _ => Laboratory::new(goal, cost, kind),
        };
        Ok(made?)
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
        let bytes = |key: &Key| Indexer::new(key).bytes() as u64;
        // What numbers the states of a large table is large itself, so that comes second.
        if catalogue.least_states() > most * 8
            || catalogue.keys().iter().map(bytes).sum::<u64>() > most
        {
            return Err(SolveError::LargeHeuristic {
                heuristic: HeuristicKind::Patterns(choice).name().into_owned(),
                size: goal.size(),
            });
        }
        let budget = self.source().build_budget(budget);
        let built = TableSet::build(catalogue, self.threads, &budget);
        built.map_err(|error| refused(error.into()))
    }
}
