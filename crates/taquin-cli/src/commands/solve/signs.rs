//! When a search tells, where nobody watches, that it goes on.

use std::time::{Duration, Instant};

/// When to write the next line about a long search.
///
/// The first lines come soon, the later ones seldom, so that the log of a day stays readable.
pub(super) struct Signs {
    next: Instant,
    /// The time from the next line to the one after it.
    gap: Duration,
    /// The iteration under way, and when it was first seen.
    iteration: Option<(u32, Instant)>,
}

impl Signs {
    /// When the first line comes.
    const FIRST: Duration = Duration::from_secs(10);
    /// The longest time between two lines.
    const LONGEST: Duration = Duration::from_secs(300);
    /// An iteration of this length is worth a line when the next one begins.
    const LONG_ITERATION: Duration = Duration::from_secs(10);

    pub(super) fn new(now: Instant) -> Self {
        Self {
            next: now + Self::FIRST,
            gap: 2 * Self::FIRST,
            iteration: None,
        }
    }

    /// Whether a line is due, where this is the threshold of the iteration under way.
    pub(super) fn is_due(&mut self, now: Instant, iteration: Option<u32>) -> bool {
        // `|`, as each of them remembers what it sees.
        self.ends_a_long_iteration(now, iteration) | self.is_time(now)
    }

    fn is_time(&mut self, now: Instant) -> bool {
        if now < self.next {
            return false;
        }
        self.next = now + self.gap;
        self.gap = (2 * self.gap).min(Self::LONGEST);
        true
    }

    fn ends_a_long_iteration(&mut self, now: Instant, iteration: Option<u32>) -> bool {
        let before = self.iteration;
        if before.map(|(threshold, _)| threshold) == iteration {
            return false;
        }
        self.iteration = iteration.map(|threshold| (threshold, now));
        iteration.is_some()
            && before.is_some_and(|(_, began)| now.duration_since(began) >= Self::LONG_ITERATION)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The seconds at which lines come within this many, ten looks a second.
    fn lines(seconds: u32, iteration: impl Fn(u32) -> Option<u32>) -> Vec<u32> {
        let begin = Instant::now();
        let mut signs = Signs::new(begin);
        let looks = (0..seconds * 10).filter(|&tenths| {
            let now = begin + Duration::from_millis(100) * tenths;
            signs.is_due(now, iteration(tenths / 10))
        });
        looks.map(|tenths| tenths / 10).collect()
    }

    #[test]
    fn lines_come_soon_at_first_and_seldom_later() {
        let first = [10, 30, 70, 150, 310, 610, 910];
        assert_eq!(lines(1000, |_| None), first);
        assert_eq!(lines(1000, |_| Some(90)), first);
        let day = lines(86_400, |_| Some(90)).len();
        assert!((100..300).contains(&day), "{day}");
    }

    #[test]
    fn an_iteration_after_a_long_one_has_a_line() {
        let short_then_long = |second| match second {
            0..3 => Some(90),
            3..12 => Some(92),
            12..40 => Some(94),
            _ => Some(96),
        };
        assert_eq!(lines(60, short_then_long), [10, 30, 40]);
        // The end of a board begins nothing.
        assert_eq!(lines(60, |second| (second < 40).then_some(90)), [10, 30]);
    }
}
