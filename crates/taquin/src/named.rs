//! Things that have names: one list of each, for the command line, the API, results and messages.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// One of a few things that go by name on the command line, in requests and in results.
///
/// [`Display`](fmt::Display) prints the name, [`FromStr`] reads it.
///
/// ```
/// use taquin::search::Algorithm;
/// use taquin::{Metric, Named};
///
/// assert_eq!(Metric::from_name("multi"), Some(Metric::Multi));
/// assert_eq!("idastar".parse(), Ok(Algorithm::Idastar));
/// assert_eq!(
///     "best".parse::<Metric>().unwrap_err().to_string(),
///     "\"best\" is not a metric; there are single, multi"
/// );
///
/// fn help<T: Named>() -> String {
///     T::ALL.iter().map(|one| format!("{one}: {}\n", one.summary())).collect()
/// }
/// assert!(help::<Metric>().starts_with("single: every tile that slides counts\n"));
/// ```
pub trait Named: Copy + fmt::Display + FromStr<Err = NameError> + 'static {
    /// What each of them is, with its article, as in "an algorithm".
    const WHAT: &'static str;
    /// All of them, in the order in which lists show them.
    const ALL: &'static [Self];

    /// The name.
    fn name(self) -> &'static str;

    /// A line about it, for help texts: no capital at the beginning, no full stop at the end.
    fn summary(self) -> &'static str;

    /// The one with this name; `None` if there is none.
    #[must_use]
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.name() == name)
    }

    /// The names of all, in the order of [`ALL`](Self::ALL).
    fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|one| one.name())
    }
}

/// A name that is none of those there are.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{given:?} is not {what}; there are {}", names.join(", "))]
pub struct NameError {
    given: String,
    what: &'static str,
    names: Vec<&'static str>,
}

impl NameError {
    /// Messages show this many characters of a text that came from outside.
    const LONGEST: usize = 40;

    pub(crate) fn new(given: &str, what: &'static str, names: Vec<&'static str>) -> Self {
        Self {
            given: given.chars().take(Self::LONGEST).collect(),
            what,
            names,
        }
    }

    /// The names that there are.
    #[must_use]
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }
}

/// Makes an enum without fields [`Named`], from one list of its variants with their names and
/// summaries. The type also gets `ALL`, `name` and `summary` of its own, for constants and for
/// callers that do not use the trait.
macro_rules! named {
    ($type:ident: $what:literal; $($variant:ident => $name:expr, $summary:literal;)+) => {
        impl $type {
            /// All of them, in the order in which lists show them.
            pub const ALL: [Self; [$($summary),+].len()] = [$(Self::$variant),+];

            /// The name on the command line and in results.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// A line about it, for help texts.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Self::$variant => $summary,)+
                }
            }
        }

        impl $crate::named::Named for $type {
            const WHAT: &'static str = $what;
            const ALL: &'static [Self] = &$type::ALL;

            fn name(self) -> &'static str {
                $type::name(self)
            }

            fn summary(self) -> &'static str {
                $type::summary(self)
            }
        }

        /// Prints the name.
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        /// Reads the name.
        impl std::str::FromStr for $type {
            type Err = $crate::named::NameError;

            fn from_str(name: &str) -> Result<Self, $crate::named::NameError> {
                use $crate::named::{NameError, Named};
                Self::from_name(name)
                    .ok_or_else(|| NameError::new(name, Self::WHAT, Self::names().collect()))
            }
        }
    };
}

pub(crate) use named;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::notation::{BoardForm, Judge, MoveNotation, MoveStyle};
    use crate::search::{Algorithm, Cost, PruneReason};
    use crate::tables::Tier;
    use crate::{Limit, Metric};

    fn check<T: Named + PartialEq + fmt::Debug>() {
        let mut seen = HashSet::new();
        for &one in T::ALL {
            let name = one.name();
            assert!(seen.insert(name), "{name} is there twice");
            assert_eq!(one.to_string(), name);
            assert_eq!(name.parse(), Ok(one));
            let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(name.chars().all(is_plain), "{name}");
            let summary = one.summary();
            assert!(!summary.is_empty() && !summary.ends_with('.'), "{name}");
        }
        for wrong in ["", "no-such-name", &T::ALL[0].name().to_uppercase()] {
            let error = wrong.parse::<T>().unwrap_err();
            assert!(error.names().iter().copied().eq(T::names()));
        }
    }

    #[test]
    fn names_are_read_as_they_are_printed_and_others_are_refused() {
        check::<Algorithm>();
        check::<BoardForm>();
        check::<Cost>();
        check::<Limit>();
        check::<Judge>();
        check::<Metric>();
        check::<MoveNotation>();
        check::<MoveStyle>();
        check::<PruneReason>();
        check::<Tier>();
    }

    #[test]
    fn messages_show_the_beginning_of_what_was_given() {
        let error = "é".repeat(1000).parse::<Tier>().unwrap_err();
        let shown = "é".repeat(NameError::LONGEST);
        assert_eq!(
            error.to_string(),
            format!("{shown:?} is not a tier of tables; there are quick, full")
        );
    }
}
