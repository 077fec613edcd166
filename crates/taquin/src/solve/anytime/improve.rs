//! One board, solved better and better.

use std::time::Duration;

use crate::outcome::{Budget, Outcome, Proof, Report, Solution, Statistics};
use crate::solve::greedy::greedy;
use crate::solve::position::Position;
use crate::solve::{Aim, AnyEngine, DamagedTableError, Effort, optimal};
use crate::{Board, Metric, Move, Moves};

use super::{lower_bound, tidy::tidy};

/// What is known of a board at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Improvement<'a> {
    /// The best solution so far, in single-tile moves.
    pub moves: &'a [Move],
    /// How many moves that are, in the metric of the search.
    pub length: u32,
    /// What every solution takes at least, in the same metric.
    pub lower_bound: u32,
    /// When that was known.
    pub time: Duration,
}

/// The board to solve, as the parts of the engine room want it.
#[derive(Clone, Copy)]
pub(in crate::solve) struct Parts<'a> {
    /// The canonical board.
    pub(in crate::solve) board: &'a Board,
    /// The canonical board by homes.
    pub(in crate::solve) position: &'a Position,
    /// The tables, if there are any.
    pub(in crate::solve) engine: Option<&'a AnyEngine>,
    /// What counts as a move.
    pub(in crate::solve) metric: Metric,
}

impl<'a> Parts<'a> {
    /// The pattern databases, if there are any.
    pub(super) const fn patterns(&self) -> Option<&'a optimal::Engine> {
        match self.engine {
            Some(AnyEngine::Patterns(engine)) => Some(engine),
            _ => None,
        }
    }
}

/// Where a search for better solutions starts.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// A solution and a bound that are known already.
    pub(crate) known: Option<Known>,
    /// What every solution takes at least, where that is proven already.
    pub(crate) proven: u32,
    /// The part of the time that goes into a proof before anything else is tried.
    pub(crate) proof_share: f64,
}

impl Default for Start {
    fn default() -> Self {
        Self {
            known: None,
            proven: 0,
            proof_share: PROOF_SHARE,
        }
    }
}

/// A solution of a board, and a bound on all of them.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) moves: Moves,
    pub(crate) lower_bound: u32,
}

/// A board on its way to ever better solutions.
pub(in crate::solve) struct Improving<'a> {
    pub(super) parts: Parts<'a>,
    pub(super) effort: &'a Effort,
    watch: &'a mut dyn FnMut(Improvement<'_>),
    pub(super) budget: Budget,
    pub(super) best: Vec<Move>,
    /// How many moves that are.
    pub(super) length: u32,
    pub(super) lower_bound: u32,
    pub(super) statistics: Statistics,
    pub(super) proof_share: f64,
    known: Option<Known>,
}

/// The part of the time that goes into the bound where it is not found by solving the board.
const PROOF_SHARE: f64 = 0.06;

const BEST: &str = "it is the best solution that was found in the time there was";
const FIRST: &str = "it is the first solution that was found";
const OPTIMAL: &str = "the solution is as long as the bound";

impl<'a> Improving<'a> {
    pub(in crate::solve) fn new(
        parts: Parts<'a>,
        effort: &'a Effort,
        start: Start,
        watch: &'a mut dyn FnMut(Improvement<'_>),
    ) -> Self {
        Self {
            parts,
            effort,
            watch,
            budget: Budget::new(&effort.limits),
            best: Vec::new(),
            length: 0,
            lower_bound: start.proven,
            statistics: Statistics::default(),
            proof_share: start.proof_share,
            known: start.known,
        }
    }

    /// Improves until the aim or a limit is reached.
    pub(in crate::solve) fn run(mut self) -> Result<Report, DamagedTableError> {
        // Step 1: a solution, whatever happens.
        self.lower_bound = self
            .lower_bound
            .max(lower_bound(self.parts.position, self.parts.metric));
        if let Some(engine) = self.parts.engine {
            self.lower_bound = self.lower_bound.max(engine.estimate(self.parts.board)?);
        }
        if let Some(known) = self.known.take() {
            self.set(known.moves.to_vec());
            debug_assert!(self.parts.position.is_solved_by(&self.best));
            let lower_bound = std::mem::replace(&mut self.lower_bound, known.lower_bound);
            self.raise(lower_bound);
        } else {
            self.set(greedy(self.parts.position));
            debug_assert!(self.parts.position.is_solved_by(&self.best));
            self.tell();
            if !self.is_over() {
                self.first()?;
            }
        }
        if self.effort.aim == Aim::Best {
            self.improve()?;
        }
        Ok(self.report())
    }

    /// Takes a solution, if it is better. Tables that were changed may have led to one that is
    /// none: the front door replays it.
    pub(super) fn take(&mut self, moves: Vec<Move>) {
        let before = (std::mem::take(&mut self.best), self.length);
        self.set(moves);
        if self.length < before.1 {
            self.tell();
        } else {
            (self.best, self.length) = before;
        }
    }

    fn set(&mut self, moves: Vec<Move>) {
        self.best = match self.parts.metric {
            Metric::Single => moves,
            // Where two parts of a solution meet, two slides may be one.
            Metric::Multi => tidy(moves),
        };
        self.length = self.parts.metric.length(&self.best) as u32;
    }

    /// Longer solutions than that are of no interest any more.
    pub(super) const fn longest(&self) -> u32 {
        // Single-tile solutions all have the same parity.
        self.length.saturating_sub(match self.parts.metric {
            Metric::Single => 2,
            Metric::Multi => 1,
        })
    }

    pub(super) fn raise(&mut self, lower_bound: u32) {
        let lower_bound = lower_bound.min(self.length);
        if lower_bound > self.lower_bound {
            self.lower_bound = lower_bound;
            self.tell();
        }
    }

    fn tell(&mut self) {
        if let Some(progress) = &self.effort.limits.progress {
            progress.set_lower_bound(self.lower_bound);
        }
        (self.watch)(Improvement {
            moves: &self.best,
            length: self.length,
            lower_bound: self.lower_bound,
            time: self.budget.elapsed(),
        });
    }

    const fn is_optimal(&self) -> bool {
        self.length <= self.lower_bound
    }

    /// Whether nothing more is wanted, or nothing more may be done.
    pub(super) fn is_over(&self) -> bool {
        self.is_optimal() || self.budget.check().is_err() || self.budget.nodes_left() == 0
    }

    fn report(mut self) -> Report {
        self.statistics.time = self.budget.elapsed();
        let cost = self.length;
        let proof = if self.is_optimal() {
            Proof::Optimal(OPTIMAL)
        } else {
            Proof::Within {
                lower_bound: self.lower_bound,
                why: match self.effort.aim {
                    Aim::First => FIRST,
                    Aim::Best | Aim::Shortest => BEST,
                },
            }
        };
        Report {
            outcome: Outcome::Solved(Solution {
                moves: self.best.into(),
                cost,
                proof,
                lower_bound: self.lower_bound,
            }),
            statistics: self.statistics,
        }
    }
}
