//! Amounts in options: memory, time, counts.

use std::time::Duration;

use taquin::search::Laboratory;

/// Bytes: `500M`, `2G`, `1GiB`, `1.5 GB`, or a plain number.
///
/// `k`, `M`, `G`, `T` are powers of 1000, with or without a `B`; `Ki`, `Mi`, `Gi`, `Ti` are powers
/// of 1024.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    let expected = "bytes as in 500M, 2G, 1GiB or 1000000";
    let (number, unit) = split(text, expected)?;
    let unit = unit.to_ascii_lowercase();
    let unit = unit.strip_suffix('b').unwrap_or(&unit);
    let (prefix, base) = match unit.strip_suffix('i') {
        // A lone "i" is no unit.
        Some("") => return Err(wrong(text, expected)),
        Some(prefix) => (prefix, 1024_u64),
        None => (unit, 1000),
    };
    let power = match prefix {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err(wrong(text, expected)),
    };
    whole(number, base.pow(power), text, expected)
}

/// A time: `500ms`, `1.5s`, `2m`, `1h`, or seconds as a plain number.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let expected = "a time as in 500ms, 1.5s, 2m, 1h, or seconds";
    let (number, unit) = split(text, expected)?;
    let seconds = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong(text, expected)),
    };
    Duration::try_from_secs_f64(number * seconds).map_err(|_| too_much(text))
}

/// A number of things: `10k`, `2M`, `1e9`, `1_000_000`, `1,000,000`.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    let expected = "a number as in 10k, 2M, 1e9 or 1_000_000";
    // Whole numbers keep all of their digits.
    if let Ok(number) = without_separators(text).parse() {
        return Ok(number);
    }
    let (number, unit) = split(text, expected)?;
    let factor = match unit {
        "" => 1,
        "k" | "K" => 1_000,
        "m" | "M" => 1_000_000,
        "g" | "G" | "b" | "B" => 1_000_000_000,
        "t" | "T" => 1_000_000_000_000,
        _ => return Err(wrong(text, expected)),
    };
    whole(number, factor, text, expected)
}

/// A weight of weighted A*: a number from 1 on.
pub(crate) fn weight(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(weight) if Laboratory::WEIGHTS.contains(&weight) => Ok(weight),
        _ => Err("a weight is a number from 1 to 1000000".to_owned()),
    }
}

/// The number that a text begins with, never negative, and the unit behind it.
fn split<'a>(text: &'a str, expected: &str) -> Result<(f64, &'a str), String> {
    let text = text.trim();
    let unit_from = text
        .char_indices()
        .find(|&(i, c)| c.is_alphabetic() && !is_exponent(text, i))
        .map_or(text.len(), |(i, _)| i);
    let (number, unit) = text.split_at(unit_from);
    let plain = number
        .chars()
        .all(|c| c.is_ascii_digit() || "._,eE+- ".contains(c));
    let number = without_separators(number.trim_end());
    match number.parse::<f64>() {
        Ok(value) if plain && value >= 0.0 && value.is_finite() => Ok((value, unit)),
        _ => Err(wrong(text, expected)),
    }
}

/// Whether the letter at a place is the `e` of a number such as `1e9`.
fn is_exponent(text: &str, at: usize) -> bool {
    let mut rest = text[at..].chars();
    matches!(rest.next(), Some('e' | 'E'))
        && rest
            .next()
            .is_some_and(|c| c.is_ascii_digit() || c == '+' || c == '-')
}

/// `1_000_000` and `1,000,000` as `1000000`. A comma that does not stand before three digits is left
/// alone, so that `1,5` is refused and not read as fifteen.
fn without_separators(number: &str) -> String {
    let groups: Vec<&str> = number.split(',').collect();
    let tail_is_grouped = groups[1..].iter().all(|group| group.len() == 3);
    let number = if tail_is_grouped {
        groups.concat()
    } else {
        number.to_owned()
    };
    number.replace('_', "")
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the number is not negative, and what is not whole or exact was not typed as such"
)]
fn whole(number: f64, factor: u64, text: &str, expected: &str) -> Result<u64, String> {
    let product = number * factor as f64;
    if product >= u64::MAX as f64 {
        return Err(too_much(text));
    }
    if factor == 1 && product.fract() != 0.0 {
        return Err(wrong(text, expected));
    }
    Ok(product.round() as u64)
}

fn wrong(text: &str, expected: &str) -> String {
    format!("expected {expected}, found \"{text}\"")
}

fn too_much(text: &str) -> String {
    format!("\"{text}\" is too much")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_has_decimal_and_binary_units() {
        for (text, bytes) in [
            ("0", 0),
            ("1000000", 1_000_000),
            ("500M", 500_000_000),
            ("500 MB", 500_000_000),
            ("2G", 2_000_000_000),
            ("1GiB", 1 << 30),
            ("1.5Gi", 3 << 29),
            ("64k", 64_000),
            ("64KiB", 65_536),
            ("1e9", 1_000_000_000),
            ("12b", 12),
        ] {
            assert_eq!(memory(text), Ok(bytes), "{text}");
        }
        for text in [
            "", "G", "-1G", "1X", "1i", "1.5", "nan", "1e30G", "1,5G", "1 2G",
        ] {
            assert!(memory(text).is_err(), "{text}: {:?}", memory(text));
        }
    }

    #[test]
    fn times_are_seconds_unless_said_otherwise() {
        for (text, milliseconds) in [
            ("500ms", 500),
            ("1.5s", 1500),
            ("2m", 120_000),
            ("2 min", 120_000),
            ("1h", 3_600_000),
            ("10", 10_000),
            ("0", 0),
        ] {
            assert_eq!(
                duration(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
        for text in ["", "s", "-1s", "1d", "1e300h", "inf", "1M"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn counts_have_separators_exponents_and_suffixes() {
        for (text, number) in [
            ("7", 7),
            ("10k", 10_000),
            ("2M", 2_000_000),
            ("1.5M", 1_500_000),
            ("1e9", 1_000_000_000),
            ("1_000_000", 1_000_000),
            ("1,000,000", 1_000_000),
            ("3G", 3_000_000_000),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(count(text), Ok(number), "{text}");
        }
        for text in ["", "k", "-3", "1.5", "2x", "1e40", "1,5", "1 2"] {
            assert!(count(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_was_expected_is_said() {
        let error = memory("lots").unwrap_err();
        assert_eq!(
            error,
            "expected bytes as in 500M, 2G, 1GiB or 1000000, found \"lots\""
        );
        assert_eq!(count("1e99").unwrap_err(), "\"1e99\" is too much");
    }
}
