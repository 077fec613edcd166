//! How much a solution is worth.

use std::time::Duration;

use crate::outcome::Limits;

/// How much may be spent on a board, and on what.
///
/// ```
/// use std::time::Duration;
/// use taquin::solve::{Aim, Effort};
///
/// let effort = Effort { threads: 2, ..Effort::within(Duration::from_secs(1)) };
/// assert_eq!(effort.aim, Aim::Best);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Effort {
    /// When to give up.
    pub limits: Limits,
    /// How many threads may work on the board; 0 counts as 1. They join in only when a search is
    /// long enough to repay it.
    pub threads: usize,
    /// What is wanted.
    pub aim: Aim,
}

/// What is wanted of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Aim {
    /// A shortest solution, or none.
    #[default]
    Shortest,
    /// The best solution until a limit is hit, with a bound: there always is one. Without a limit
    /// it is a shortest one, however long that takes.
    Best,
    /// Some solution, as soon as possible, with a bound.
    First,
}

impl Effort {
    /// The best solution that is found in this time.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        Self {
            limits: Limits {
                time: Some(time),
                ..Limits::default()
            },
            aim: Aim::Best,
            ..Self::default()
        }
    }

    /// Some solution, as soon as possible.
    #[must_use]
    pub fn first() -> Self {
        Self {
            aim: Aim::First,
            ..Self::default()
        }
    }
}
