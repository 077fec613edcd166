//! Numbers as people read them.

use std::time::Duration;

use taquin::Metric;
use taquin_records::Lengths;
pub(crate) use taquin_records::{milliseconds, ratio};

/// How many moves a solution has: in the metric asked for, and in the other one for those who want
/// to know it too, as in `14 moves` and ` (11 multi-tile moves)`.
pub(crate) fn moves(metric: Metric, lengths: Lengths) -> (String, String) {
    let Lengths { single, multi } = lengths;
    let moves = |length: usize| if length == 1 { "move" } else { "moves" };
    let slides = format!("{multi} multi-tile {}", moves(multi));
    let (asked, other) = match metric {
        Metric::Single => (format!("{single} {}", moves(single)), slides),
        Metric::Multi => (slides, format!("{single} single-tile {}", moves(single))),
    };
    let other = match single {
        0 => String::new(),
        _ => format!(" ({other})"),
    };
    (asked, other)
}

/// A count with its digits in groups of three: `12,345,678`.
pub(crate) fn count(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count of which only two digits are known: `310,000,000`.
pub(crate) fn two_digits(number: u64) -> String {
    let digits = number.checked_ilog10().map_or(1, |log| log + 1);
    let unit = 10_u64.pow(digits.saturating_sub(2));
    let (whole, rest) = (number / unit, number % unit);
    let rounded = u128::from(whole) + u128::from(rest >= unit.div_ceil(2) && rest > 0);
    count(rounded * u128::from(unit))
}

/// A positive number in little space: `950`, `12 k`, `2.1 M`.
pub(crate) fn short(number: f64) -> String {
    let units = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    // From here on it is rounded to the next unit.
    let unit = units.into_iter().find(|(size, _)| number >= 0.9995 * size);
    let (size, unit) = unit.unwrap_or((1.0, ""));
    let number = number / size;
    let decimals = usize::from(number < 9.95 && !unit.is_empty());
    format!("{number:.decimals$}{unit}")
}

/// A time in the unit that suits it, three digits or so: `1.23 s`, `45.6 ms`, `789 µs`.
pub(crate) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (number, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s => (s * 1e6, "µs"),
    };
    let decimals = match number {
        n if n < 10.0 => 2,
        n if n < 100.0 => 1,
        _ => 0,
    };
    format!("{number:.decimals$} {unit}")
}

/// A number that is given by its natural logarithm: `0.0123`, `12.3`, `1,235`, `1.23e45`.
pub(crate) fn from_ln(ln: f64) -> String {
    let log10 = ln / std::f64::consts::LN_10;
    let number = ln.exp();
    if ln == f64::NEG_INFINITY {
        "0".to_owned()
    } else if log10 < -3.0 {
        format!("{number:.2e}")
    } else if number < 1.0 {
        format!("{number:.4}")
    } else if number < 1000.0 {
        format!("{number:.1}")
    } else if log10 < 9.0 {
        #[expect(clippy::cast_sign_loss, reason = "it is positive")]
        count(number.round() as u128)
    } else if log10 < 300.0 {
        format!("{number:.2e}")
    } else {
        format!("1e{log10:.0}")
    }
}

/// A number from its natural logarithm with two digits, for what is only known roughly: `4.2`,
/// `960`, `2.1e8`.
pub(crate) fn roughly(ln: f64) -> String {
    let number = ln.exp();
    if (1.0..10_000.0).contains(&number) {
        let decimals = usize::from(number < 10.0);
        format!("{number:.decimals$}")
    } else if number.is_finite() && number > 0.0 {
        format!("{number:.1e}")
    } else {
        from_ln(ln)
    }
}

/// Bytes from their natural logarithm: `1.5 GB`.
pub(crate) fn bytes(ln: f64) -> String {
    scaled(
        ln,
        1000.0,
        &["bytes", "kB", "MB", "GB", "TB", "PB"],
        "bytes",
    )
}

/// Bytes from their number: `1.5 GB`.
#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
pub(crate) fn size(number: u64) -> String {
    bytes((number as f64).ln())
}

/// A time from the natural logarithm of its seconds: `2.5 minutes`.
pub(crate) fn long_time(ln: f64) -> String {
    let seconds = ln.exp();
    let unit = |size: f64, name: &str| {
        let number = seconds / size;
        let decimals = usize::from(number < 10.0);
        format!("{number:.decimals$} {name}")
    };
    match seconds {
        _ if seconds < 0.1 => "less than 0.1 seconds".to_owned(),
        _ if seconds < 120.0 => unit(1.0, "seconds"),
        _ if seconds < 7200.0 => unit(60.0, "minutes"),
        _ if seconds < 172_800.0 => unit(3600.0, "hours"),
        _ if seconds < 63_115_200.0 => unit(86_400.0, "days"),
        _ => {
            let years = from_ln(ln - 31_557_600_f64.ln());
            format!("{years} years")
        }
    }
}

fn scaled(ln: f64, base: f64, units: &[&str], fallback: &str) -> String {
    let mut number = ln.exp();
    for (i, unit) in units.iter().enumerate() {
        if number < base {
            let decimals = usize::from(i > 0 && number < 100.0);
            return format!("{number:.decimals$} {unit}");
        }
        number /= base;
    }
    format!("{} {fallback}", from_ln(ln))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_few_digits_and_groups() {
        assert_eq!(count(0_u8), "0");
        assert_eq!(count(181_440_u32), "181,440");
        assert_eq!(count(10_461_394_944_000_u64), "10,461,394,944,000");
        for (number, text) in [
            (0.0, "0"),
            (0.000_012_3, "1.23e-5"),
            (0.0123, "0.0123"),
            (12.34, "12.3"),
            (1234.6, "1,235"),
            (1.234e12, "1.23e12"),
        ] {
            assert_eq!(from_ln(f64::ln(number)), text);
        }
        assert_eq!(from_ln(1000.0), "1e434");
        assert_eq!(roughly(5.44_f64.ln()), "5.4");
        assert_eq!(roughly(961.2_f64.ln()), "961");
        assert_eq!(roughly(210_073_690_f64.ln()), "2.1e8");
        assert_eq!(roughly(1000.0), "1e434");
    }

    #[test]
    fn rough_counts_have_two_digits() {
        let numbers = [0, 7, 94, 949, 950, 312_345_678, 995, 999];
        let texts = numbers.map(two_digits);
        let expected = [
            "0",
            "7",
            "94",
            "950",
            "950",
            "310,000,000",
            "1,000",
            "1,000",
        ];
        assert_eq!(texts, expected);
        assert_eq!(two_digits(u64::MAX), "18,000,000,000,000,000,000");
        let numbers = [
            0.4,
            9.0,
            950.0,
            999.7,
            1234.0,
            12_340.0,
            2_060_155.0,
            4.2e10,
        ];
        let texts = numbers.map(short);
        let expected = ["0", "9", "950", "1.0 k", "1.2 k", "12 k", "2.1 M", "42 G"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn bytes_and_times_have_their_units() {
        assert_eq!(bytes(512_f64.ln()), "512 bytes");
        assert_eq!(bytes(1.5e9_f64.ln()), "1.5 GB");
        assert_eq!(size(0), "0 bytes");
        assert_eq!(size(45_360), "45.4 kB");
        assert_eq!(bytes(1e40_f64.ln()), "1.00e40 bytes");
        assert_eq!(long_time(0.01_f64.ln()), "less than 0.1 seconds");
        assert_eq!(long_time(90_f64.ln()), "90 seconds");
        assert_eq!(long_time(9000_f64.ln()), "2.5 hours");
        assert_eq!(long_time(1e30_f64.ln()), "3.17e22 years");
    }

    #[test]
    fn times_have_the_unit_that_suits_them() {
        let times = [0, 789, 45_600, 1_234_000, 123_400_000].map(Duration::from_micros);
        let texts = times.map(time);
        assert_eq!(texts, ["0.00 µs", "789 µs", "45.6 ms", "1.23 s", "123 s"]);
    }
}
