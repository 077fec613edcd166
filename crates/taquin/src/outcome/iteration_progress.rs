//! How far an iteration is, and how much of it may be left.

use std::time::Duration;

use super::Iteration;

/// How far the iteration under way is, as of a moment ago: see
/// [`Progress::iteration`](super::Progress::iteration).
///
/// ```
/// use std::time::Duration;
/// use taquin::{IterationProgress, TimeLeft};
///
/// let iteration = IterationProgress {
///     number: 7,
///     threshold: 98,
///     nodes: 50_000_000,
///     before: 60_000_000,
///     resumed: 0,
///     time: Duration::from_secs(25),
///     expected: Some(300_000_000),
/// };
/// assert_eq!(iteration.rate(), Some(2_000_000.0));
/// assert_eq!(iteration.time_left(), TimeLeft::About(Duration::from_secs(125)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IterationProgress {
    /// Which iteration it is, from 1 on. Where several searches follow each other on the way to one
    /// answer, one that begins a threshold again does not count again.
    pub number: u32,
    /// Paths that cost more are cut off.
    pub threshold: u32,
    /// Nodes expanded in it so far. A search that begins a threshold again, with other tables, has
    /// nodes of its own.
    pub nodes: u64,
    /// Nodes expanded before it began, in iterations that are complete and in searches before.
    pub before: u64,
    /// Those of `nodes` that a search before this one had expanded, where this one goes on from a
    /// checkpoint.
    pub resumed: u64,
    /// How long it has been under way.
    pub time: Duration,
    /// About how many nodes it has if it must be searched in full, going by how the ones before
    /// grew; `None` where none of this search is complete. A solution may end it sooner.
    pub expected: Option<u64>,
}

/// How much time an iteration may still take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLeft {
    /// Too little is known yet.
    Unknown,
    /// About this long, if it must be searched in full.
    About(Duration),
    /// It has more nodes already than were expected.
    LongerThanExpected,
}

impl IterationProgress {
    /// Nodes a second in this iteration, if there was time for some.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "it is a rough figure")]
    pub fn rate(&self) -> Option<f64> {
        let seconds = self.time.as_secs_f64();
        let nodes = self.nodes.saturating_sub(self.resumed);
        (nodes > 0 && seconds > 0.0).then(|| nodes as f64 / seconds)
    }

    /// How much time it may still take: the nodes that are left of those expected, at the rate so
    /// far.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "it is a rough figure")]
    pub fn time_left(&self) -> TimeLeft {
        let Some(expected) = self.expected else {
            return TimeLeft::Unknown;
        };
        if self.nodes > expected {
            return TimeLeft::LongerThanExpected;
        }
        let left = (expected - self.nodes) as f64;
        let seconds = self.rate().map(|rate| left / rate);
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        time.map_or(TimeLeft::Unknown, TimeLeft::About)
    }
}

/// How many times as many nodes an iteration has as the one before, by how far apart their
/// thresholds are: a guess where a search has completed one only. Moves one at a time give two
/// steps an iteration, multi-tile moves one.
const GROWTH_OF_ONE: f64 = 3.0;
const GROWTH_OF_TWO: f64 = 6.0;

/// About how many nodes the next iteration has after these, which are complete: those of the last
/// one times the growth between the last two.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "it is a rough figure, and positive"
)]
pub(super) fn expected(threshold: u32, complete: &[Iteration]) -> Option<u64> {
    let [.., last] = complete else {
        return None;
    };
    let growth = match complete {
        // An iteration that shrinks says nothing of the next one: it has what this one has at least.
        [.., before, last] if before.expanded > 0 => {
            (last.expanded as f64 / before.expanded as f64).max(1.0)
        }
        _ if threshold <= last.threshold + 1 => GROWTH_OF_ONE,
        _ => GROWTH_OF_TWO,
    };
    (last.expanded > 0).then_some((last.expanded as f64 * growth) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(iterations: &[(u32, u64)]) -> Vec<Iteration> {
        let one = |&(threshold, expanded)| Iteration {
            threshold,
            expanded,
            generated: expanded,
        };
        iterations.iter().map(one).collect()
    }

    fn with(nodes: u64, expected: Option<u64>) -> IterationProgress {
        IterationProgress {
            number: 3,
            threshold: 90,
            nodes,
            before: 1000,
            resumed: 0,
            time: Duration::from_secs(10),
            expected,
        }
    }

    #[test]
    fn an_iteration_grows_as_the_last_one_did() {
        let before = complete(&[(80, 1), (82, 100), (84, 500)]);
        assert_eq!(expected(86, &before), Some(2500));
    }

    #[test]
    fn one_complete_iteration_gives_a_guess_and_none_gives_nothing() {
        assert_eq!(expected(80, &[]), None);
        assert_eq!(expected(82, &complete(&[(80, 100)])), Some(600));
        assert_eq!(expected(81, &complete(&[(80, 100)])), Some(300));
        // Nothing can be made of iterations without nodes.
        assert_eq!(expected(82, &complete(&[(80, 0)])), None);
        assert_eq!(expected(84, &complete(&[(80, 0), (82, 100)])), Some(600));
        // The next one is never expected to be smaller.
        assert_eq!(expected(84, &complete(&[(80, 200), (82, 100)])), Some(100));
        let huge = complete(&[(80, 1), (82, u64::MAX)]);
        assert_eq!(expected(84, &huge), Some(u64::MAX));
    }

    #[test]
    fn the_time_left_is_what_the_rest_takes_at_the_rate_so_far() {
        let about = |seconds| TimeLeft::About(Duration::from_secs(seconds));
        assert_eq!(with(500, Some(2500)).rate(), Some(50.0));
        assert_eq!(with(500, Some(2500)).time_left(), about(40));
        assert_eq!(with(2500, Some(2500)).time_left(), about(0));
    }

    #[test]
    fn more_nodes_than_expected_are_said_to_be_more() {
        let longer = TimeLeft::LongerThanExpected;
        assert_eq!(with(2501, Some(2500)).time_left(), longer);
    }

    #[test]
    fn nothing_is_said_of_the_time_where_nothing_is_known() {
        assert_eq!(with(500, None).time_left(), TimeLeft::Unknown);
        assert_eq!(with(0, Some(2500)).time_left(), TimeLeft::Unknown);
        assert_eq!(with(0, Some(2500)).rate(), None);
        let at_once = IterationProgress {
            time: Duration::ZERO,
            ..with(5, Some(2500))
        };
        assert_eq!(at_once.time_left(), TimeLeft::Unknown);
    }
}
