//! Numbers as results give them.

use std::time::Duration;

/// A time as results give it: milliseconds, to the microsecond.
#[must_use]
pub fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// How many times the shortest a solution is at most, rounded up to thousandths so that it stays
/// true; `None` where the bound tells nothing.
#[must_use]
pub fn ratio(cost: u32, lower_bound: u32) -> Option<f64> {
    if cost <= lower_bound {
        return Some(1.0);
    }
    if lower_bound == 0 {
        return None;
    }
    let thousandths = (u64::from(cost) * 1000).div_ceil(lower_bound.into());
    #[expect(clippy::cast_precision_loss, reason = "such ratios are small")]
    Some(thousandths as f64 / 1000.0)
}

/// A number as results give it: six decimals say all that a paper could want.
#[must_use]
pub fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// A number to six digits: of figures that come from samples and logarithms the rest is noise, and
/// differs between platforms.
pub(crate) fn significant(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_given_to_the_microsecond() {
        let time = Duration::from_nanos(789_400);
        assert!((milliseconds(time) - 0.789).abs() < 1e-12);
    }

    #[test]
    fn ratios_are_rounded_up_and_one_only_when_proven() {
        for (cost, lower_bound, expected) in [
            (0, 0, Some(1.0)),
            (14, 14, Some(1.0)),
            (158, 134, Some(1.18)),
            (45, 23, Some(1.957)),
            (1_000_001, 1_000_000, Some(1.001)),
            (3, 0, None),
            (u32::MAX, 1, Some(4_294_967_295.0)),
        ] {
            assert_eq!(ratio(cost, lower_bound), expected, "{cost} / {lower_bound}");
        }
    }
}
