//! Which method fits a board size, a board and a memory.

mod measured;
#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

use super::answer::SearchedBy;
use super::puzzle::Puzzle;
use super::request::{LaboratoryChoice, Want};
use super::solver::Solver;
use crate::Board;
use crate::outcome::Budget;
use crate::search::Algorithm;
use crate::space::{Basis, Figure, Forecast, ForecastError, Needs};
use crate::supply::build_time;
use crate::tables::{Catalogue, TablePlan, Tier};

/// A way to search for a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    /// What searches.
    pub searched_by: SearchedBy,
    /// The tables it uses, if any.
    pub tables: Option<Tier>,
}

/// What a method needs, and what comes of it.
///
/// Nodes, seconds and lengths are those of a random board on average, or of the board that the
/// advice is about where its own first iterations tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// The method.
    pub method: Method,
    /// Whether it fits in the memory and in an hour.
    pub fits: bool,
    /// The natural logarithm of the bytes it needs; those of its tables, if it has any.
    pub ln_bytes: Option<f64>,
    /// How long its tables take to build, if they are not there yet. A rough guess.
    pub build_time: Option<Duration>,
    /// The natural logarithm of the nodes it expands.
    pub ln_nodes: Option<f64>,
    /// The natural logarithm of the seconds it takes on one core, tables not counted.
    pub ln_seconds: Option<f64>,
    /// Where nodes and seconds come from.
    pub basis: Basis,
    /// How many moves its solutions take.
    pub length: Option<Figure>,
    /// How many times as long as a shortest one its solutions are at most, as it proves itself;
    /// 1 if they are proven to be shortest ones.
    pub factor: Option<f64>,
    /// Why it fits or not, in a sentence.
    pub reason: &'static str,
}

/// Which method fits, with the numbers behind it.
///
/// ```
/// use taquin::tables::Tier;
/// use taquin::{Advice, Goal, SearchedBy, Solver};
///
/// let goal = Goal::Classic.board("4x4".parse()?)?;
/// let advice = Advice::new(&Solver::in_memory(), &goal, None, 1 << 30)?;
/// assert_eq!(advice.method.searched_by, SearchedBy::Engine);
/// assert_eq!(advice.method.tables, Some(Tier::Quick));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Advice {
    /// What is known before any search.
    pub forecast: Forecast,
    /// The bytes that may be used.
    pub memory: u64,
    /// The method to use: what the solver does for [`Want::Solution`].
    pub method: Method,
    /// Every method, those of the solver first.
    pub assessments: Vec<Assessment>,
}

impl Method {
    const fn engine(tier: Tier) -> Self {
        Self {
            searched_by: SearchedBy::Engine,
            tables: Some(tier),
        }
    }

    const fn anytime(tables: Option<Tier>) -> Self {
        Self {
            searched_by: SearchedBy::Anytime,
            tables,
        }
    }

    const fn laboratory(algorithm: Algorithm) -> Self {
        Self {
            searched_by: SearchedBy::Laboratory(algorithm),
            tables: None,
        }
    }

    /// The name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match (self.searched_by, self.tables) {
            (SearchedBy::Engine, Some(Tier::Quick)) => "idastar-pdb:quick",
            (SearchedBy::Engine, Some(Tier::Full)) => "idastar-pdb:full",
            (SearchedBy::Anytime, Some(Tier::Quick)) => "anytime-pdb:quick",
            (SearchedBy::Anytime, Some(Tier::Full)) => "anytime-pdb:full",
            (searched_by, _) => searched_by.name(),
        }
    }

    /// The name of its tables, as [`Answer::heuristic`](super::Answer::heuristic) has it.
    #[must_use]
    pub const fn heuristic(self) -> Option<&'static str> {
        match self.tables {
            Some(Tier::Quick) => Some("pdb:quick"),
            Some(Tier::Full) => Some("pdb:full"),
            None => None,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The tables of a goal, and what they cost.
struct TierCost {
    catalogue: Catalogue,
    tier: Tier,
    is_stored: bool,
    bytes: u64,
    /// Building takes more than keeping.
    peak_bytes: u64,
}

impl Solver {
    /// How a request for a solution is answered within this many bytes of memory.
    ///
    /// [`Answer::searched_by`](super::Answer::searched_by) will be the same. So will
    /// [`Answer::heuristic`](super::Answer::heuristic), unless a board is so hard that other tables
    /// are built for it, or a search for the best solution ends before its tables are there.
    #[must_use]
    pub fn method_for(&self, goal: &Board, memory: u64) -> Method {
        let costs = self.tier_costs(goal);
        if goal.size().cells() > Want::SMALL_CELLS {
            let fitting = costs.iter().rev().filter(|cost| cost.peak_bytes <= memory);
            let mut useful = fitting.filter(|cost| self.is_useful(goal, cost.tier));
            return Method::anytime(useful.next().map(|cost| cost.tier));
        }
        // Where the tables of the plan do not fit, smaller ones are taken.
        let plan = self.plan(Puzzle::single(goal)).tier;
        let mut fitting = costs
            .iter()
            .rev()
            .filter(|cost| cost.tier <= plan && cost.peak_bytes <= memory);
        match fitting.next() {
            Some(cost) => Method::engine(cost.tier),
            None => Method::laboratory(LaboratoryChoice::default().algorithm),
        }
    }

    /// Whether a search for the best solution takes in these tables.
    fn is_useful(&self, goal: &Board, tier: Tier) -> bool {
        let is_at_hand = self.pool.at_hand(Puzzle::single(goal), tier).is_some();
        is_at_hand
            || self
                .ready_after(Puzzle::single(goal), tier, Want::PATIENCE)
                .is_some()
    }

    /// The tables that there are for a goal, small ones first. Tiers that are the same are here
    /// once, as the full one.
    fn tier_costs(&self, goal: &Board) -> Vec<TierCost> {
        let catalogues: Vec<(Tier, Catalogue)> = Tier::ALL
            .into_iter()
            .filter_map(|tier| Some((tier, Catalogue::for_goal(goal, tier).ok()?)))
            .collect();
        let is_same = matches!(&catalogues[..], [(_, quick), (_, full)] if quick == full);
        let cost = |(tier, catalogue): (Tier, Catalogue)| {
            let plan = TablePlan::new(catalogue.clone(), &Budget::default()).ok()?;
            let bytes = plan.tables_bytes();
            let mut missing = catalogue.keys();
            missing.retain(|&key| !self.source().has_file(key));
            let building = plan.working_memory(&missing, self.threads);
            Some(TierCost {
                catalogue,
                tier,
                is_stored: missing.is_empty(),
                bytes,
                peak_bytes: bytes.max(building),
            })
        };
        catalogues
            .into_iter()
            .skip(usize::from(is_same))
            .filter_map(cost)
            .collect()
    }
}

impl Advice {
    /// The methods for reaching a goal within this many bytes of memory, from a board or from a
    /// random one, and the one that this solver uses.
    ///
    /// A board is tested for solvability first: an unsolvable one gets an error and no advice.
    pub fn new(
        solver: &Solver,
        goal: &Board,
        board: Option<&Board>,
        memory: u64,
    ) -> Result<Self, ForecastError> {
        let forecast = Forecast::new(goal, board)?;
        let method = solver.method_for(goal, memory);
        let costs = solver.tier_costs(goal);
        let question = Question {
            solver,
            forecast: &forecast,
            is_board: board.is_some(),
            memory,
        };
        let mut assessments = Vec::new();
        match &costs[..] {
            tiers if goal.size().cells() <= Want::SMALL_CELLS => {
                assessments.extend(tiers.iter().map(|cost| question.engine(cost, tiers)));
            }
            tiers => {
                let chosen = tiers.iter().find(|cost| Some(cost.tier) == method.tables);
                assessments.push(question.anytime(chosen));
                // The strongest tables make the solution better, and are what a proof needs.
                if let Some(full) = tiers.last() {
                    if method.tables != Some(full.tier) {
                        assessments.push(question.anytime(Some(full)));
                    }
                    assessments.push(question.engine(full, tiers));
                }
            }
        }
        let laboratory = |needs| laboratory(&forecast, needs);
        assessments.extend(forecast.needs(memory).map(laboratory));
        Ok(Self {
            forecast,
            memory,
            method,
            assessments,
        })
    }

    /// What the method to use needs.
    #[must_use]
    pub fn assessment(&self) -> Option<&Assessment> {
        self.assessments
            .iter()
            .find(|assessment| assessment.method == self.method)
    }
}

/// What advice is about.
struct Question<'a> {
    solver: &'a Solver,
    forecast: &'a Forecast,
    /// Whether the forecast is for one board, not for a random one.
    is_board: bool,
    memory: u64,
}

impl Question<'_> {
    /// The search for the best solution in [`Want::PATIENCE`].
    fn anytime(&self, tables: Option<&TierCost>) -> Assessment {
        let forecast = self.forecast;
        let tier = tables.map(|cost| cost.tier);
        let is_solved = self.is_board && forecast.length.basis == Basis::Known;
        let (length, factor) = match measured::anytime(forecast.size, tier) {
            _ if is_solved => (Some(forecast.length), Some(1.0)),
            Some(found) => {
                // It is no shorter than a shortest one.
                let value = found.length.value.max(forecast.length.value);
                let length = Figure {
                    value,
                    ..found.length
                };
                ((!self.is_board).then_some(length), Some(found.factor))
            }
            None => (None, None),
        };
        let has_room = tables.is_none_or(|cost| cost.peak_bytes <= self.memory);
        let reason = match (has_room, tier) {
            (false, _) => "its tables do not fit in the memory",
            (true, Some(Tier::Full)) => {
                "it gives the best solution that it finds in its time, with a lower bound that is \
                 proven; the bound is better with the full tables"
            }
            (true, _) => {
                "it gives the best solution that it finds in its time, with a lower bound that is \
                 proven; where the two meet, the solution is a shortest one"
            }
        };
        Assessment {
            method: Method::anytime(tier),
            fits: has_room,
            ln_bytes: tables.map(|cost| ln(cost.bytes)),
            build_time: tables.and_then(|cost| self.time_to_build(cost)),
            ln_nodes: None,
            ln_seconds: Some(Want::PATIENCE.as_secs_f64().ln()),
            basis: length.map_or(Basis::Estimated, |length| length.basis),
            length,
            factor,
            reason,
        }
    }

    /// The engine with tables, of all that there are.
    fn engine(&self, cost: &TierCost, all: &[TierCost]) -> Assessment {
        let forecast = self.forecast;
        let is_small = forecast.size.cells() <= Want::SMALL_CELLS;
        let known = measured::engine(forecast.size, cost.tier);
        // Random boards were measured; on large sizes a board can be far from that.
        let known = known.filter(|_| is_small || !self.is_board);
        let (ln_nodes, basis) = match known {
            Some(nodes) => (nodes.value.ln(), nodes.basis),
            None => (forecast.ln_rule(), Basis::Estimated),
        };
        let ln_seconds = ln_nodes - measured::nodes_per_second(forecast.size).ln();
        // Of two guesses, that with tables is no worse than that without.
        let [.., idastar] = forecast.needs(self.memory);
        let ln_seconds = match known {
            Some(_) => ln_seconds,
            None => ln_seconds.min(idastar.ln_seconds),
        };
        let has_room = cost.peak_bytes <= self.memory;
        let is_soon = ln_seconds <= Forecast::LONGEST.ln();
        let reason = match (has_room, is_soon) {
            (false, _) => "its tables do not fit in the memory",
            (true, false) => {
                "it would prove that a solution is a shortest one, but on average that takes more \
                 than an hour"
            }
            (true, true) if is_small => self.small_reason(cost, all),
            (true, true) => {
                "it proves that a solution is a shortest one, but takes longer on hard boards"
            }
        };
        Assessment {
            method: Method::engine(cost.tier),
            fits: has_room && is_soon,
            ln_bytes: Some(ln(cost.bytes)),
            build_time: self.time_to_build(cost),
            ln_nodes: Some(ln_nodes),
            ln_seconds: Some(ln_seconds),
            basis,
            length: Some(forecast.length),
            factor: Some(1.0),
            reason,
        }
    }

    /// Why the engine fits on boards that it always solves optimally.
    fn small_reason(&self, cost: &TierCost, all: &[TierCost]) -> &'static str {
        let better = all.iter().find(|other| other.tier > cost.tier);
        match (cost.tier, better) {
            (Tier::Full, _) if all.len() == 1 => {
                "its tables are built at once, and every solution is a shortest one"
            }
            (Tier::Full, _) => {
                "every solution is a shortest one, with the fewest nodes: for hard boards, and for \
                 many"
            }
            (Tier::Quick, Some(full)) if full.peak_bytes <= self.memory => {
                "its tables are built at once, and every solution is a shortest one; when boards \
                 have taken as long as the full tables take to build, those are built and used"
            }
            (Tier::Quick, _) => {
                "its tables are built at once, and every solution is a shortest one"
            }
        }
    }

    /// How long tables take to build, if they are not there yet.
    fn time_to_build(&self, cost: &TierCost) -> Option<Duration> {
        (!cost.is_stored).then(|| build_time(&cost.catalogue.clone().into(), self.solver.threads))
    }
}

fn laboratory(forecast: &Forecast, needs: Needs) -> Assessment {
    Assessment {
        method: Method::laboratory(needs.algorithm),
        fits: needs.fits,
        ln_bytes: Some(needs.ln_bytes),
        build_time: None,
        ln_nodes: Some(needs.ln_nodes),
        ln_seconds: Some(needs.ln_seconds),
        basis: Basis::Estimated,
        length: Some(forecast.length),
        factor: Some(1.0),
        reason: needs.reason,
    }
}

fn ln(bytes: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a logarithm forgives it")]
    let bytes = bytes.max(1) as f64;
    bytes.ln()
}
