//! Round numbers along an axis.

use crate::figures;

/// An axis of counts from its foot to its top.
pub(super) struct Axis {
    /// The numbers to write beside it, all of them round.
    pub(super) ticks: Vec<u64>,
    top: u64,
    log: bool,
}

/// Where a logarithmic axis begins, so that a count of 1 is still seen.
const FOOT: f64 = 0.6;
/// A linear axis has at most this many steps.
const STEPS: u64 = 6;

impl Axis {
    /// An axis on which a count twice as large stands twice as high.
    pub(super) fn linear(max: u64) -> Self {
        let max = max.max(1);
        let step = round_up(max.div_ceil(STEPS));
        let top = max.div_ceil(step).saturating_mul(step);
        Self {
            ticks: (0..=top / step).map(|index| index * step).collect(),
            top,
            log: false,
        }
    }

    /// An axis on which ten times as much is always the same way higher.
    pub(super) fn logarithmic(max: u64) -> Self {
        let top = round_up(max.max(10));
        let powers = std::iter::successors(Some(1_u64), |power| power.checked_mul(10));
        let powers = powers.take_while(|&power| power <= top);
        // Few powers of ten leave room for what is between.
        let between: &[u64] = if top <= 500 { &[1, 2, 5] } else { &[1] };
        let ticks = powers.flat_map(|power| between.iter().map(move |digit| digit * power));
        Self {
            ticks: ticks.filter(|&tick| tick <= top).collect(),
            top,
            log: true,
        }
    }

    /// How high a count stands: 0 at the foot, 1 at the top.
    pub(super) fn height(&self, count: u64) -> f64 {
        let (count, top) = (float(count), float(self.top));
        if !self.log {
            count / top
        } else if count < 1.0 {
            0.0
        } else {
            (count / FOOT).ln() / (top / FOOT).ln()
        }
    }
}

/// The smallest of 1, 2, 5, 10, 20, 50 … that is not below a number.
fn round_up(number: u64) -> u64 {
    let mut power = 1_u64;
    loop {
        for digit in [1, 2, 5] {
            let round = power.saturating_mul(digit);
            if round >= number {
                return round;
            }
        }
        power = power.saturating_mul(10);
    }
}

/// The step between whole numbers on an axis with that many pixels for one, so that each has at
/// least that much room.
pub(super) fn step(pixels: f64, room: f64) -> u32 {
    #[expect(
        clippy::cast_sign_loss,
        reason = "both are positive, and a cast stops at the limits"
    )]
    let at_least = (room / pixels).ceil() as u32;
    u32::try_from(round_up(at_least.into())).unwrap_or(u32::MAX)
}

/// The multiples of a step from one number to another, both included.
pub(super) fn multiples(step: u32, from: u32, to: u32) -> impl Iterator<Item = u32> {
    let (first, last) = (from.div_ceil(step), to / step);
    (first..=last).map(move |index| index * step)
}

/// A round number as short as an axis needs it: `500`, `20,000`, `5M`, `1.5B`.
pub(super) fn short(number: u64) -> String {
    for (unit, name) in [
        (1_000_000_000_000, "T"),
        (1_000_000_000, "B"),
        (1_000_000, "M"),
    ] {
        if number >= unit {
            let whole = figures::count(number / unit);
            let tenths = number % unit / (unit / 10);
            return if tenths == 0 {
                format!("{whole}{name}")
            } else {
                format!("{whole}.{tenths}{name}")
            };
        }
    }
    figures::count(number)
}

/// A count as a coordinate.
#[expect(clippy::cast_precision_loss, reason = "pixels are coarser")]
pub(super) const fn float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_ticks_are_round_and_reach_the_maximum() {
        for (max, ticks) in [
            (0, vec![0, 1]),
            (1, vec![0, 1]),
            (6, vec![0, 1, 2, 3, 4, 5, 6]),
            (7, vec![0, 2, 4, 6, 8]),
            (24_047, vec![0, 5000, 10_000, 15_000, 20_000, 25_000]),
        ] {
            assert_eq!(Axis::linear(max).ticks, ticks, "{max}");
        }
        for power in 0..12 {
            for digit in 1..10 {
                let max = digit * 10_u64.pow(power);
                let axis = Axis::linear(max);
                assert!(axis.height(max) <= 1.0 && axis.height(max) > 0.6, "{max}");
                assert!((2..=7).contains(&axis.ticks.len()), "{max}");
            }
        }
    }

    #[test]
    fn the_largest_number_is_no_trouble() {
        assert!(Axis::linear(u64::MAX).height(u64::MAX) <= 1.0);
        assert!(Axis::logarithmic(u64::MAX).height(u64::MAX) <= 1.0);
        assert!(short(u64::MAX).ends_with('T'));
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten_or_closer() {
        assert_eq!(Axis::logarithmic(0).ticks, [1, 2, 5, 10]);
        assert_eq!(Axis::logarithmic(70).ticks, [1, 2, 5, 10, 20, 50, 100]);
        assert_eq!(
            Axis::logarithmic(24_047).ticks,
            [1, 10, 100, 1000, 10_000],
            "the axis ends at 50,000"
        );
        assert_eq!(Axis::logarithmic(100_000_000_000).ticks.len(), 12);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "both are exact")]
    fn the_logarithm_of_nothing_is_the_foot() {
        let axis = Axis::logarithmic(1000);
        assert_eq!(axis.height(0), 0.0);
        assert_eq!(axis.height(1000), 1.0);
        assert!(axis.height(1) > 0.01);
        assert_eq!(Axis::linear(0).height(0), 0.0);
    }

    #[test]
    fn steps_leave_room() {
        assert_eq!(step(30.0, 25.0), 1);
        assert_eq!(step(10.0, 25.0), 5);
        assert_eq!(step(6.5, 25.0), 5);
        assert_eq!(step(1e-9, 1e9), u32::MAX);
        assert!(multiples(5, 3, 15).eq([5, 10, 15]));
        assert!(multiples(5, 0, 4).eq([0]));
        assert!(multiples(u32::MAX, 0, u32::MAX).eq([0, u32::MAX]));
    }

    #[test]
    fn short_numbers_keep_what_counts() {
        for (number, text) in [
            (0, "0"),
            (500, "500"),
            (20_000, "20,000"),
            (500_000, "500,000"),
            (5_000_000, "5M"),
            (1_500_000_000, "1.5B"),
            (100_000_000_000, "100B"),
        ] {
            assert_eq!(short(number), text);
        }
    }
}
