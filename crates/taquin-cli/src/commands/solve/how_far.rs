//! How far the search of one board is, in words.

use std::time::Duration;

use taquin::{IterationProgress, Progress, TimeLeft};

use crate::figures;

/// What is known of the board, and how far the iteration under way is; `None` if the search does
/// not go by iterations.
pub(super) fn how_far(progress: &Progress) -> Option<String> {
    let iteration = progress.iteration()?;
    let bound = progress.lower_bound();
    Some(bounds(bound, progress.best()) + "; " + &text(&iteration))
}

fn bounds(bound: u32, best: Option<u32>) -> String {
    let at_most = match best {
        Some(best) => format!(", at most {best}"),
        None => String::new(),
    };
    format!("at least {bound} moves{at_most}")
}

fn text(iteration: &IterationProgress) -> String {
    let nodes = figures::count(iteration.nodes);
    let time_left = iteration.time_left();
    let about = iteration.expected.map(figures::two_digits);
    let nodes = match (about, time_left) {
        (None, _) => format!("{nodes} nodes"),
        (Some(about), TimeLeft::LongerThanExpected) => {
            format!("{nodes} nodes, longer than expected (about {about})")
        }
        (Some(about), _) => format!("{nodes} of about {about} nodes"),
    };
    let rate = match iteration.rate() {
        Some(rate) => format!(", {} a second", figures::short(rate)),
        None => String::new(),
    };
    let left = match time_left {
        TimeLeft::About(time) => format!(", about {} left", rounded(time)),
        TimeLeft::Unknown | TimeLeft::LongerThanExpected => String::new(),
    };
    let (number, threshold) = (iteration.number, iteration.threshold);
    format!("iteration {number} ({threshold} moves): {nodes}{rate}{left}")
}

/// A time that is only known roughly: `40 s`, `5 min`, `2.5 h`, `12 days`.
fn rounded(time: Duration) -> String {
    let seconds = time.as_secs_f64().max(1.0);
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 100.0 * 60.0 => format!("{:.0} min", s / 60.0),
        s if s < 10.0 * 3600.0 => format!("{:.1} h", s / 3600.0),
        s if s < 100.0 * 3600.0 => format!("{:.0} h", s / 3600.0),
        s => {
            // A number of any length is no help.
            let days = Duration::from_secs_f64(s / 86_400.0).as_secs();
            format!("{} days", figures::two_digits(days))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEVENTH: IterationProgress = IterationProgress {
        number: 7,
        threshold: 98,
        nodes: 41_203_112,
        before: 60_000_000,
        resumed: 0,
        time: Duration::from_secs(20),
        expected: Some(312_345_678),
    };

    #[test]
    fn an_iteration_tells_its_nodes_its_rate_and_what_is_left() {
        assert_eq!(
            text(&SEVENTH),
            "iteration 7 (98 moves): 41,203,112 of about 310,000,000 nodes, 2.1 M a second, about \
             2 min left"
        );
    }

    #[test]
    fn nothing_is_said_of_what_is_not_known() {
        let first = IterationProgress {
            expected: None,
            ..SEVENTH
        };
        assert_eq!(
            text(&first),
            "iteration 7 (98 moves): 41,203,112 nodes, 2.1 M a second"
        );
        let new = IterationProgress {
            nodes: 0,
            ..SEVENTH
        };
        assert_eq!(
            text(&new),
            "iteration 7 (98 moves): 0 of about 310,000,000 nodes"
        );
    }

    #[test]
    fn an_iteration_that_is_longer_than_expected_says_so() {
        let long = IterationProgress {
            expected: Some(30_123_456),
            ..SEVENTH
        };
        assert_eq!(
            text(&long),
            "iteration 7 (98 moves): 41,203,112 nodes, longer than expected (about 30,000,000), \
             2.1 M a second"
        );
    }

    #[test]
    fn a_solution_that_is_known_bounds_the_length_from_above() {
        assert_eq!(bounds(98, None), "at least 98 moves");
        assert_eq!(bounds(98, Some(104)), "at least 98 moves, at most 104");
        assert_eq!(how_far(&Progress::default()), None);
    }

    #[test]
    fn rough_times_have_few_digits() {
        let times = [0, 40, 120, 5000, 9000, 90_000, 1_000_000, 86_400_000_000];
        let texts = times.map(|seconds| rounded(Duration::from_secs(seconds)));
        let expected = [
            "1 s",
            "40 s",
            "2 min",
            "83 min",
            "2.5 h",
            "25 h",
            "11 days",
            "1,000,000 days",
        ];
        assert_eq!(texts, expected);
    }
}
