//! Sizes as text.

use std::str::FromStr;

use super::error::{ParseError, ParseErrorKind, Token};
use crate::Size;

/// Reads rows × columns: `3x4`, `3X4` or `3×4`.
impl FromStr for Size {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let unexpected = || ParseErrorKind::Unexpected {
            token: Token::new(text),
            expected: "rows x columns, as in 3x4",
        };
        let numbers = text.trim().split_once(['x', 'X', '×']);
        let numbers = numbers.and_then(|(rows, columns)| {
            let number = |part: &str| part.trim().parse::<usize>().ok();
            Some((number(rows)?, number(columns)?))
        });
        let size = match numbers {
            Some((rows, columns)) => Self::new(rows, columns).map_err(ParseErrorKind::from),
            None => Err(unexpected()),
        };
        size.map_err(|kind| ParseError::in_line(text, 0, kind))
    }
}

#[cfg(test)]
mod tests {
    use crate::Size;

    #[test]
    fn sizes_are_rows_by_columns() {
        let size: Size = "3x4".parse().unwrap();
        assert_eq!((size.rows(), size.columns()), (3, 4));
        assert_eq!("3×4".parse(), Ok(size));
        for wrong in [
            "", "4", "x", "4x", "4x4x4", "-3x3", "1x9", "300x300", "4 by 4",
        ] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }
}
