//! How many boards to keep, so that a search ends in time.

use std::time::Instant;

/// How many boards of a level are kept, by all threads together.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Width {
    /// Always so many: the same boards give the same solution, on every machine.
    Fixed(usize),
    /// As many as can be followed to the end until then.
    Until {
        /// When the search should be over.
        deadline: Instant,
        /// About how many moves a solution has.
        expected: u32,
        /// Never fewer than that, nor more.
        least: usize,
        most: usize,
    },
}

/// How many boards to keep, asked while a search runs.
#[derive(Debug)]
pub(super) struct Pace {
    width: Width,
    begin: Instant,
}

impl Pace {
    /// What following one board a level takes, in seconds, before that is known.
    const GUESS: f64 = 4e-7;
    /// After so many it is known.
    const ENOUGH: u64 = 20_000;
    /// The levels take less than their share, for those that turn out to be dearer.
    const SHARE: f64 = 0.92;

    pub(super) fn new(width: Width) -> Self {
        Self {
            width,
            begin: Instant::now(),
        }
    }

    /// The width for the next level, after `expanded` boards in all, when a solution has at least
    /// `bound` moves more and `depth` have been made.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is a rough guess, and never negative"
    )]
    pub(super) fn width(&self, depth: u32, bound: u32, expanded: u64) -> usize {
        let (deadline, expected, least, most) = match self.width {
            Width::Fixed(width) => return width.max(1),
            Width::Until {
                deadline,
                expected,
                least,
                most,
            } => (deadline, expected, least, most),
        };
        let now = Instant::now();
        let each = if expanded < Self::ENOUGH {
            Self::GUESS
        } else {
            (now - self.begin).as_secs_f64() / expanded as f64
        };
        // What is left is never less than the bound, and the bound never all of it.
        let levels = expected
            .saturating_sub(depth)
            .max(bound.saturating_add(bound / 8))
            .max(1);
        let left = deadline.saturating_duration_since(now).as_secs_f64();
        let width = Self::SHARE * left / (each * f64::from(levels));
        (width as usize).clamp(least.clamp(1, most.max(1)), most.max(1))
    }
}
