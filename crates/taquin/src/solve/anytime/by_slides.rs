//! Better solutions in multi-tile moves.
//!
//! A beam by slides gets through much larger boards than one by single-tile moves: it has fewer
//! levels, and a slide that brings one tile home takes others with it. So there is nothing else to
//! try while there is time for one.

use crate::outcome::{Budget, Limits};
use crate::solve::DamagedTableError;
use crate::solve::beam::{Beam, Slides, Width};
use crate::solve::greedy::greedy;
use crate::solve::position::Position;
use crate::{Metric, Move};

use super::improve::Improving;
use super::ways::{self, FIRST_WIDTH, OPEN_TIME, OPEN_WIDTH, previews};

/// Boards that are looked at for the first solution.
const FIRST_NODES: usize = 20_000;
/// Up to so many cells that takes a moment, and there is time for two beams.
const SOON_CELLS: usize = 100;
/// A beam of this width has to get through in the time there is. It may get stuck near the goal,
/// but that is better than none.
const NARROWEST: usize = 8;
/// Up to so many cells a first solution by slides takes less than a second.
const FIRST_CELLS: usize = 1024;
/// The width of a beam that goes on where another one got stuck, and the boards it may look at.
const RESCUE_WIDTH: usize = 300;
const RESCUE_NODES: u64 = 20_000;
/// The part of the time for a beam that may need to be rescued, as narrow ones do.
const LARGE_SHARE: f64 = 0.75;
/// The part of the time to go on line after line.
const RESCUE_SHARE: f64 = 0.1;
/// What a child takes, in nanoseconds, roughly.
const CHILD: usize = 200;

impl Improving<'_> {
    /// Whether slides are counted, and a beam by slides gets through the board in the time there
    /// is.
    pub(super) fn fits_slides(&self) -> bool {
        let size = self.parts.position.size();
        let side = size.rows().max(size.columns());
        if self.parts.metric != Metric::Multi || side > Slides::MAX_LINE {
            return false;
        }
        let time = self.effort.limits.time.unwrap_or(OPEN_TIME);
        time.as_nanos() > (NARROWEST * self.levels() * side * CHILD) as u128
    }

    /// About how many slides a good solution of a random board has.
    const fn levels(&self) -> usize {
        let size = self.parts.position.size();
        size.cells() * (size.rows() + size.columns()) / 5
    }

    /// About how many slides a good solution of this board has. A wider beam takes a tenth off the
    /// first solution; on large boards that is a poor one.
    pub(super) fn expected_slides(&self) -> u32 {
        let less = self.length * 9 / 10;
        if self.is_soon_done_by_slides() {
            less
        } else {
            less.min(self.levels() as u32 * 7 / 8)
        }
    }

    /// Whether a first solution by slides takes hardly any time.
    pub(super) const fn is_soon_done_by_slides(&self) -> bool {
        self.parts.position.size().cells() <= SOON_CELLS
    }

    /// A fair solution at once.
    pub(super) fn first_by_slides(&mut self) -> Result<(), DamagedTableError> {
        if self.parts.position.size().cells() > FIRST_CELLS {
            return Ok(());
        }
        let width = (FIRST_NODES / self.levels().max(1)).clamp(1, FIRST_WIDTH);
        self.beam(Width::Fixed(width), false)
    }

    /// As wide a beam as there is time for from either end: two of them find more than one that is
    /// twice as wide. On large boards one is narrow enough.
    pub(super) fn improve_by_slides(&mut self) -> Result<(), DamagedTableError> {
        let Some(time) = self.effort.limits.time else {
            let mut width = OPEN_WIDTH;
            while !self.is_over() && width <= self.most() {
                self.beam(Width::Fixed(width), false)?;
                self.beam(Width::Fixed(width), true)?;
                width *= 4;
            }
            return Ok(());
        };
        for part in previews(time) {
            self.beam_until(self.budget.elapsed() + part, false)?;
        }
        if !self.is_soon_done_by_slides() {
            return self.beam_until(time.mul_f64(LARGE_SHARE), false);
        }
        let half = (self.budget.elapsed() + time) / 2;
        self.beam_until(half, false)?;
        self.beam_until(time, true)
    }

    /// Goes on from where a beam got stuck: with a wider one, or line after line; if the time is up,
    /// with the greedy method, which takes none.
    pub(super) fn rescue_by_slides(&mut self, from: &Position) -> Option<Vec<Move>> {
        if self.is_over() {
            return Some(greedy(from));
        }
        let left = self.budget.left();
        let budget = Budget::new(&Limits {
            nodes: Some(self.budget.nodes_left().min(RESCUE_NODES)),
            ..left
        });
        let beam = Beam {
            play: &Slides::new(from),
            width: Width::Fixed(RESCUE_WIDTH),
            threads: self.effort.threads.max(1),
            longest: self.longest(),
            budget: &budget,
        };
        let found = beam.run();
        self.count(found.expanded, found.generated);
        if found.moves.is_some() {
            return found.moves;
        }
        let rest = match self.effort.limits.time {
            None => self.finish(from, ways::RESCUE_WIDTH),
            Some(time) => {
                let wanted = (Metric::Multi, self.length as usize);
                self.line_after_line(from, time.mul_f64(RESCUE_SHARE), wanted)
            }
        };
        rest.or_else(|| Some(greedy(from)))
    }
}
