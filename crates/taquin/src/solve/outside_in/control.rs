//! How wide the beam is: as wide as the time allows.

use std::time::{Duration, Instant};

use super::super::position::Position;
use super::beam::{Beam, Control};
use crate::outcome::Budget;

/// One width to the end.
pub(super) struct Fixed(pub(super) usize);

impl Control for Fixed {
    fn width(&mut self, _: &Beam<'_>) -> Option<usize> {
        Some(self.0)
    }

    fn is_over(&mut self) -> bool {
        false
    }
}

/// As wide as it can be to be done in time.
pub(super) struct WidthInTime<'a> {
    budget: &'a Budget,
    started: Instant,
    time: Duration,
    beat: usize,
    widest: usize,
    width: usize,
    /// Plies to the next look at the clock, and those between two looks.
    until_look: u32,
    period: u32,
    last_look: Instant,
    /// When the rest was last estimated, the nodes then, and the plies that are to come.
    estimated: Instant,
    nodes: u64,
    /// How many nodes there may be.
    most: u64,
    /// The time it takes to go on with the greedy method.
    reserve: Duration,
    verdict: Verdict,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Going,
    /// The time is up.
    Late,
    /// The solution would be of no interest, or of none any more.
    Idle,
}

impl<'a> WidthInTime<'a> {
    /// What a node takes on a slow machine, for the first width; later it is measured.
    const NODE: f64 = 200e-9;
    /// What the greedy method takes for each unit of the Manhattan distance.
    const GREEDY: f64 = 200e-9;
    const NARROWEST: usize = 2;
    /// Beyond this, another search in another order gains more than a wider one.
    const WIDEST: usize = 10_000;

    pub(super) fn new(
        position: &Position,
        budget: &'a Budget,
        time: Duration,
        memory: usize,
        beat: usize,
    ) -> Self {
        let now = Instant::now();
        let (rows, columns) = (position.size().rows(), position.size().columns());
        // Of a random board, about.
        let distance = (rows * columns * (rows + columns)) as f64 / 3.0;
        let width = time.as_secs_f64() / (distance * 2.0 * Self::NODE);
        let most = (memory / Beam::BYTES).clamp(64, Self::WIDEST);
        let widest = ((width * 6.0) as usize).clamp(64, most);
        Self {
            budget,
            started: now,
            time,
            beat,
            widest,
            width: (width as usize).clamp(Self::NARROWEST, widest),
            until_look: 1,
            period: 1,
            last_look: now,
            estimated: now,
            nodes: 0,
            most: u64::MAX,
            reserve: Duration::from_secs_f64(distance * Self::GREEDY),
            verdict: Verdict::Going,
        }
    }

    /// This control with a limit on the nodes, which holds approximately.
    pub(super) fn with_nodes(self, most: u64) -> Self {
        // A width that could not go far is of no use.
        let few = usize::try_from(most / 100)
            .unwrap_or(usize::MAX)
            .max(Self::NARROWEST);
        Self {
            most,
            widest: self.widest.min(few),
            width: self.width.min(few),
            ..self
        }
    }

    /// Plies for each unit of the Manhattan distance, as measured on random boards.
    fn plies(width: f64) -> f64 {
        (2.8 - 0.17 * width.max(1.0).ln()).max(1.6)
    }

    /// The most that the beam will be.
    pub(super) const fn widest(&self) -> usize {
        self.widest
    }

    /// Whether there is time to go on with the greedy method, or hardly any is needed.
    pub(super) fn may_finish(&self) -> bool {
        let late = self.started.elapsed() + self.reserve > self.time + self.time / 20;
        let soon_done = self.reserve < Duration::from_millis(5);
        self.verdict != Verdict::Idle && (soon_done || !late) && !self.budget.is_cancelled()
    }

    /// Estimates the rest and adapts the width.
    fn estimate(&mut self, beam: &Beam<'_>, now: Instant) {
        let distance = beam.distance() as f64;
        if (beam.depth() as f64 + distance) >= self.beat as f64 {
            self.verdict = Verdict::Idle;
            return;
        }
        self.reserve = Duration::from_secs_f64(distance * Self::GREEDY);
        let nodes = beam.nodes() - self.nodes;
        let took = (now - self.estimated).as_secs_f64();
        if nodes > 0 && took > 0.0 {
            let left = self.time.saturating_sub(now - self.started).as_secs_f64() * 0.97;
            let plies = distance * Self::plies(self.width as f64) + 20.0;
            let width = left / (plies * took / nodes as f64);
            // Not all at once: a look can be disturbed.
            let width = width.clamp(self.width as f64 / 2.0, self.width as f64 * 2.0);
            self.width = (width as usize).clamp(Self::NARROWEST, self.widest);
        }
        self.estimated = now;
        self.nodes = beam.nodes();
    }
}

impl Control for WidthInTime<'_> {
    fn width(&mut self, beam: &Beam<'_>) -> Option<usize> {
        if beam.nodes() >= self.most && self.verdict == Verdict::Going {
            self.verdict = Verdict::Late;
        }
        self.until_look -= 1;
        if self.until_look == 0 {
            if self.is_over() {
                return None;
            }
            let now = Instant::now();
            // Every millisecond or so.
            if now - self.last_look > Duration::from_millis(1) {
                self.period = (self.period / 2).max(1);
            } else {
                self.period = (self.period * 2).min(1024);
            }
            self.last_look = now;
            self.until_look = self.period;
            if now - self.estimated > self.time / 50 {
                self.estimate(beam, now);
            }
        }
        (self.verdict == Verdict::Going).then_some(self.width)
    }

    fn is_over(&mut self) -> bool {
        if self.budget.is_cancelled() {
            self.verdict = Verdict::Idle;
        } else if self.started.elapsed() + self.reserve > self.time {
            self.verdict = Verdict::Late;
        }
        self.verdict != Verdict::Going
    }
}
