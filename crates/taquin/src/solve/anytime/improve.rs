//! One board, solved better and better.

use std::time::{Duration, Instant};

use crate::search::{Outcome, Proof, Report, Solution, Statistics};
use crate::solve::greedy::greedy;
use crate::solve::optimal::{Damaged, Engine};
use crate::solve::position::Position;
use crate::solve::{Aim, Effort};
use crate::{Board, Move};

use super::lower_bound;
use super::ways::is_cancelled;

/// What is known of a board at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Improvement<'a> {
    /// The best solution so far.
    pub moves: &'a [Move],
    /// What every solution takes at least.
    pub lower_bound: u32,
    /// When that was known.
    pub time: Duration,
}

/// The board to solve, as the parts of the engine room want it.
#[derive(Clone, Copy)]
pub(in crate::solve) struct Parts<'a> {
    /// The canonical board.
    pub(in crate::solve) board: &'a Board,
    /// The same by homes.
    pub(in crate::solve) position: &'a Position,
    /// The tables, if there are any.
    pub(in crate::solve) engine: Option<&'a Engine>,
}

/// A board on its way to ever better solutions.
pub(in crate::solve) struct Improving<'a> {
    pub(super) parts: Parts<'a>,
    pub(super) effort: &'a Effort,
    watch: &'a mut dyn FnMut(Improvement<'_>),
    pub(super) begin: Instant,
    pub(super) deadline: Option<Instant>,
    pub(super) best: Vec<Move>,
    pub(super) lower_bound: u32,
    pub(super) statistics: Statistics,
}

const BEST: &str = "it is the best solution that was found in the time there was";
const FIRST: &str = "it is the first solution that was found";
const OPTIMAL: &str = "the solution is as long as the bound";

impl<'a> Improving<'a> {
    pub(in crate::solve) fn new(
        parts: Parts<'a>,
        effort: &'a Effort,
        watch: &'a mut dyn FnMut(Improvement<'_>),
    ) -> Self {
        let begin = Instant::now();
        Self {
            parts,
            effort,
            watch,
            begin,
            deadline: effort.limits.time.and_then(|time| begin.checked_add(time)),
            best: Vec::new(),
            lower_bound: 0,
            statistics: Statistics::default(),
        }
    }

    /// Improves until the aim or a limit is reached.
    pub(in crate::solve) fn run(mut self) -> Result<Report<Move>, Damaged> {
        // Step 1: a solution, whatever happens.
        self.lower_bound = lower_bound(self.parts.position);
        if let Some(engine) = self.parts.engine {
            self.lower_bound = self.lower_bound.max(engine.estimate(self.parts.board)?);
        }
        self.best = greedy(self.parts.position);
        debug_assert!(self.parts.position.is_solved_by(&self.best));
        self.tell();
        if !self.is_over() {
            self.first()?;
        }
        if self.effort.aim == Aim::Best {
            self.improve()?;
        }
        Ok(self.report())
    }

    /// Takes a solution, if it is better.
    pub(super) fn take(&mut self, moves: Vec<Move>) {
        debug_assert!(self.parts.position.is_solved_by(&moves));
        if moves.len() < self.best.len() {
            self.best = moves;
            self.tell();
        }
    }

    pub(super) fn raise(&mut self, lower_bound: u32) {
        let lower_bound = lower_bound.min(self.best.len() as u32);
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
            lower_bound: self.lower_bound,
            time: self.begin.elapsed(),
        });
    }

    fn is_optimal(&self) -> bool {
        self.best.len() as u32 <= self.lower_bound
    }

    /// Whether nothing more is wanted, or nothing more may be done.
    pub(super) fn is_over(&self) -> bool {
        self.is_optimal()
            || is_cancelled(&self.effort.limits)
            || self.deadline.is_some_and(|d| Instant::now() >= d)
            || self.nodes_left() == 0
    }

    pub(super) fn nodes_left(&self) -> u64 {
        let most = self.effort.limits.nodes.unwrap_or(u64::MAX);
        most.saturating_sub(self.statistics.expanded)
    }

    fn report(mut self) -> Report<Move> {
        self.statistics.time = self.begin.elapsed();
        let cost = self.best.len() as u32;
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
                actions: self.best,
                cost,
                proof,
                lower_bound: self.lower_bound,
            }),
            statistics: self.statistics,
        }
    }
}
