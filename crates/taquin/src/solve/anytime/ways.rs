//! The ways to a better solution, and which of them are tried on which board, and for how long.

use std::time::{Duration, Instant};

use crate::outcome::{Budget, Limits, Outcome};
use crate::solve::beam::{
    Beam, LineGuide, PatternGuide, Play, Shape, Slides, Steps, Width, bytes_per_board,
};
use crate::solve::position::Position;
use crate::solve::{AnyEngine, DamagedTableError, Effort, outside_in};
use crate::{Metric, Move};

use super::improve::{Improving, Parts};
use super::lower_bound;

/// Boards of up to so many cells are solved optimally in the time that a good solution takes
/// elsewhere, if there are tables.
const OPTIMAL_CELLS: usize = 16;
/// Up to so many, tables are the better guide; where they get smaller for the board, lines are.
const TABLE_CELLS: usize = 25;
/// Up to so many, a beam gets through the whole board, however narrow it is; up to so many, if it is
/// wide.
const BEAM_CELLS: usize = 49;
const WIDE_BEAM_CELLS: usize = 100;
/// That is to say, this wide.
const WIDE_BEAM: f64 = 8000.0;
/// Boards that a thread looks at in a second, roughly.
const BOARDS_PER_SECOND: f64 = 2e6;
/// The width of the beam for the first solution.
pub(super) const FIRST_WIDTH: usize = 60;
/// A narrower beam by single-tile moves finds hardly anything.
const LEAST_WIDTH: usize = 50;
/// The width with which a board is finished that a beam could not.
pub(super) const RESCUE_WIDTH: usize = 200;
/// The boards that are looked at for the first solution where lines are all there is to go by.
const FIRST_NODES: usize = 50_000;
/// Greedy solutions of more moves are the first ones, for a start.
const FIRST_LENGTH: usize = 500_000;
/// The part of the time for going from the outside in where a beam gets through as well, and where
/// it needs to be wide.
const OUTSIDE_SHARE: f64 = 0.3;
const OUTSIDE_SHARE_OF_LARGE: f64 = 0.4;
/// Parts of the time after which there should be something better than the first solution, if they
/// are not too short.
const PREVIEWS: [f64; 3] = [0.0004, 0.004, 0.04];
const SHORTEST_PREVIEW: Duration = Duration::from_millis(80);
/// How long to go from the outside in where nobody says how long.
pub(super) const OPEN_TIME: Duration = Duration::from_secs(10);
/// The part of the time that is too short for another beam.
const SPARE: f64 = 0.05;
/// A beam that takes so many times its part of the time will find nothing any more.
const OVERTIME: f64 = 1.25;
/// The memory that a search may take where nobody says otherwise.
const DEFAULT_MEMORY: u64 = 2_000_000_000;
/// The most children of a board by single-tile moves, nearly.
const STEPS: usize = 3;
/// A width without a time to fit it into starts here.
pub(super) const OPEN_WIDTH: usize = 1000;

/// How long each preview of a search takes that takes so long.
pub(super) fn previews(time: Duration) -> impl Iterator<Item = Duration> {
    let parts = PREVIEWS.map(|share| time.mul_f64(share));
    parts.into_iter().filter(|&part| part >= SHORTEST_PREVIEW)
}

impl Improving<'_> {
    /// A fair solution at once.
    pub(super) fn first(&mut self) -> Result<(), DamagedTableError> {
        if self.has_strong_tables() {
            return self.beam(Width::Fixed(FIRST_WIDTH), false);
        }
        // Who wants something at once would wait too long for better.
        if self.best.len() > FIRST_LENGTH {
            return Ok(());
        }
        if self.fits_slides() && self.is_soon_done_by_slides() {
            return self.first_by_slides();
        }
        // So wide that it takes a moment, whatever the size.
        let width = (FIRST_NODES / self.best.len().max(1)).clamp(1, FIRST_WIDTH);
        if let Some(moves) = self.finish(self.parts.position, width) {
            self.take(moves);
        }
        // Where all the time is for better ones, they come soon enough.
        if self.fits_slides() && self.effort.limits.time.is_none() && !self.is_over() {
            return self.first_by_slides();
        }
        Ok(())
    }

    /// Better ones, until a limit is reached.
    pub(super) fn improve(&mut self) -> Result<(), DamagedTableError> {
        let cells = self.parts.position.size().cells();
        let engine = self.parts.engine;
        if let Some(engine) = engine
            && cells <= OPTIMAL_CELLS
        {
            return self.prove(engine, None);
        }
        if self.fits_slides() {
            return self.improve_by_slides();
        }
        self.preview()?;
        if let (Some(engine), Some(time)) = (engine, self.effort.limits.time) {
            self.prove(engine, Some(time.mul_f64(self.proof_share)))?;
        }
        let fits_beam = self.fits_beam();
        if !self.has_strong_tables() {
            let share = match fits_beam {
                false => 1.0,
                true if cells <= BEAM_CELLS => OUTSIDE_SHARE,
                true => OUTSIDE_SHARE_OF_LARGE,
            };
            let left = self.budget.time_left();
            self.go_outside_in(left.map_or(OPEN_TIME, |left| left.mul_f64(share)));
        }
        if fits_beam {
            self.beams()?;
        }
        // What time is left goes into the bound.
        match engine {
            Some(engine) => self.prove(engine, None),
            None => Ok(()),
        }
    }

    /// Something better soon, where there is much time and all of it may not be waited for.
    fn preview(&mut self) -> Result<(), DamagedTableError> {
        let Some(time) = self.effort.limits.time else {
            return Ok(());
        };
        for part in previews(time) {
            if self.has_strong_tables() {
                self.beam_until(self.budget.elapsed() + part, false)?;
            } else {
                self.go_outside_in(part);
            }
        }
        Ok(())
    }

    /// Whether there are tables that guide better than lines do.
    const fn has_strong_tables(&self) -> bool {
        self.parts.patterns().is_some() && self.parts.position.size().cells() <= TABLE_CELLS
    }

    /// Line after line, for so long.
    fn go_outside_in(&mut self, time: Duration) {
        if self.is_over() {
            return;
        }
        let wanted = (self.parts.metric, self.length as usize);
        if let Some(moves) = self.line_after_line(self.parts.position, time, wanted) {
            self.take(moves);
        }
    }

    /// Line after line from a position, for so long: a solution that has fewer moves of a metric.
    pub(super) fn line_after_line(
        &mut self,
        position: &Position,
        time: Duration,
        wanted: (Metric, usize),
    ) -> Option<Vec<Move>> {
        let mut limits = self.budget.left().capped(Some(time));
        limits.memory = limits.memory.or(Some(DEFAULT_MEMORY));
        let budget = Budget::new(&limits);
        let threads = self.effort.threads.max(1);
        let found = outside_in::solve(position, &budget, threads, wanted);
        self.count(found.nodes, found.nodes);
        found.moves
    }

    /// Line after line to the end, at once, if there are as many nodes left as that takes.
    pub(super) fn finish(&mut self, position: &Position, width: usize) -> Option<Vec<Move>> {
        // About twice the bound is the length.
        let most = self.budget.nodes_left()
            / (2 * u64::from(lower_bound(position, Metric::Single)).max(1));
        let width = width.min(usize::try_from(most).unwrap_or(usize::MAX));
        if width == 0 {
            return None;
        }
        let (moves, nodes) = outside_in::solve_with_width(position, width);
        self.count(nodes, nodes);
        Some(moves)
    }

    /// Counts what was looked at.
    pub(super) fn count(&mut self, expanded: u64, generated: u64) {
        self.statistics.expanded += expanded;
        self.statistics.generated += generated;
        self.budget.count(expanded);
    }

    /// Whether a beam gets through the whole board by single-tile moves, in the time there is.
    fn fits_beam(&self) -> bool {
        let size = self.parts.position.size();
        if self.parts.metric != Metric::Single {
            return false;
        }
        if size.columns().max(size.rows()) > LineGuide::MAX_LINE {
            return false;
        }
        let wide = || {
            let time = self.effort.limits.time.unwrap_or(OPEN_TIME).as_secs_f64();
            let threads = u32::try_from(self.effort.threads.max(1)).unwrap_or(u32::MAX);
            let boards = time * BOARDS_PER_SECOND * f64::from(threads);
            boards > WIDE_BEAM * f64::from(self.expected())
        };
        size.cells() <= BEAM_CELLS || size.cells() <= WIDE_BEAM_CELLS && wide()
    }

    /// About how many moves a good solution has: the one at hand may be a poor one.
    fn expected(&self) -> u32 {
        match self.parts.metric {
            Metric::Single => self.length.min(self.lower_bound * 3 / 2),
            Metric::Multi => self.expected_slides(),
        }
    }

    /// As wide a beam as there is time for, or wider and wider ones.
    fn beams(&mut self) -> Result<(), DamagedTableError> {
        let Some(time) = self.effort.limits.time else {
            let mut width = OPEN_WIDTH;
            while !self.is_over() && width <= self.most() {
                self.beam(Width::Fixed(width), false)?;
                width *= 4;
            }
            return Ok(());
        };
        self.beam_until(time, false)?;
        // One that had to give up early leaves time for the other direction, which tables do not
        // know.
        let spare = time.saturating_sub(self.budget.elapsed());
        if !self.has_strong_tables() && spare > time.mul_f64(SPARE) {
            self.beam_until(time, true)?;
        }
        Ok(())
    }

    /// One beam that ends when so much time is over.
    pub(super) fn beam_until(
        &mut self,
        time: Duration,
        inverse: bool,
    ) -> Result<(), DamagedTableError> {
        let left = time.saturating_sub(self.budget.elapsed());
        let Some(deadline) = Instant::now().checked_add(left) else {
            return Ok(());
        };
        if self.is_over() {
            return Ok(());
        }
        let width = Width::Until {
            deadline,
            expected: self.expected(),
            least: match self.parts.metric {
                Metric::Single => LEAST_WIDTH,
                Metric::Multi => 1,
            },
            most: self.most(),
        };
        self.beam(width, inverse)
    }

    /// One beam; with `inverse` from the goal's end, where the guide can do that.
    pub(super) fn beam(&mut self, width: Width, inverse: bool) -> Result<(), DamagedTableError> {
        let Parts {
            board,
            position,
            metric,
            ..
        } = self.parts;
        let patterns = self.parts.patterns();
        if let Some(engine) = patterns.filter(|_| self.has_strong_tables()) {
            let guide = PatternGuide::new(engine, board)?;
            if let Some(moves) = self.follow(&Steps::new(&guide, position), position, width) {
                self.take(moves);
            }
            return Ok(());
        }
        let other_end = inverse.then(|| position.inverse());
        let from = other_end.as_ref().unwrap_or(position);
        let found = match metric {
            Metric::Single => {
                let guide = LineGuide::new(from);
                self.follow(&Steps::new(&guide, from), from, width)
            }
            Metric::Multi => self.follow(&Slides::new(from), from, width),
        };
        if let Some(mut moves) = found {
            if inverse {
                moves = moves.iter().rev().map(|m| m.opposite()).collect();
            }
            self.take(moves);
        }
        Ok(())
    }

    fn follow<P: Play>(
        &mut self,
        play: &P,
        position: &Position,
        width: Width,
    ) -> Option<Vec<Move>> {
        let own = match width {
            Width::Fixed(_) => None,
            Width::Until { deadline, .. } => {
                let left = deadline.saturating_duration_since(Instant::now());
                Some(left.mul_f64(OVERTIME))
            }
        };
        let budget = Budget::new(&self.budget.left().capped(own));
        let beam = Beam {
            play,
            width,
            threads: self.effort.threads.max(1),
            longest: self.longest(),
            budget: &budget,
        };
        let found = beam.run();
        self.count(found.expanded, found.generated);
        found
            .moves
            .or_else(|| self.rescue(position, found.nearest?))
    }

    /// Goes on from where a beam got stuck, line after line, if that may still be worth it.
    fn rescue(&mut self, position: &Position, mut moves: Vec<Move>) -> Option<Vec<Move>> {
        if self.parts.metric == Metric::Single && self.is_over() {
            return None;
        }
        let mut there = position.clone();
        for &m in &moves {
            there.slide(m);
        }
        let metric = self.parts.metric;
        let length = metric.length(&moves) as u32 + lower_bound(&there, metric);
        if length >= self.length {
            return None;
        }
        moves.extend(match metric {
            Metric::Single => self.finish(&there, RESCUE_WIDTH)?,
            Metric::Multi => self.rescue_by_slides(&there)?,
        });
        Some(moves)
    }

    /// Searches for a shortest solution, for so long at most; what is proven on the way stays.
    fn prove(
        &mut self,
        engine: &AnyEngine,
        time: Option<Duration>,
    ) -> Result<(), DamagedTableError> {
        if self.is_over() {
            return Ok(());
        }
        let effort = Effort {
            limits: Limits {
                // Longer ones are known.
                cost: Some(self.longest()),
                ..self.budget.left().capped(time)
            },
            ..self.effort.clone()
        };
        let report = engine.solve_from(self.parts.board, &effort, self.lower_bound)?;
        self.count(report.statistics.expanded, report.statistics.generated);
        match report.outcome {
            Outcome::Solved(solution) => {
                self.lower_bound = solution.cost;
                self.take(solution.moves.to_vec());
            }
            Outcome::Stopped { lower_bound, .. } => self.raise(lower_bound),
            Outcome::NoSolution => {}
        }
        Ok(())
    }

    /// The widest beam that the memory has room for.
    pub(super) fn most(&self) -> usize {
        let Parts {
            position, metric, ..
        } = self.parts;
        let bytes = self.effort.limits.memory.unwrap_or(DEFAULT_MEMORY);
        let (cells, length) = (position.size().cells(), self.length as usize);
        let each = match metric {
            Metric::Single => {
                let notes = self.parts.patterns().map_or(1, PatternGuide::words_of);
                bytes_per_board(Shape::new::<u8>(cells, notes), STEPS, length)
            }
            Metric::Multi => {
                let most = position.size().rows().max(position.size().columns());
                bytes_per_board(Slides::shape_of(cells), most, length)
            }
        };
        // A number of a board, with those of all threads and a move, must fit into 32 bits.
        ((bytes / each as u64) as usize).clamp(1, 1 << 25)
    }
}
