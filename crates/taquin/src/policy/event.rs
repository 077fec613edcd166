//! What happens on the way to an answer.

use std::fmt;
use std::time::Duration;

use crate::solve::Improvement;
use crate::supply::TablesError;
use crate::tables::Tier;
use crate::{Board, Size};

/// Something that happens while a [`Solver`](super::Solver) works on a request.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Tables are being built, which takes a while.
    Building {
        /// For boards of this size.
        size: Size,
        /// Which ones.
        tier: Tier,
    },
    /// There is a first solution, a better one, or a better bound.
    Improved(Improvement<'a>),
    /// Something that a person should know.
    Notice(Notice),
}

/// Something that a person should know about how a board is solved.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Notice {
    /// The quick tables took too long on a board, so the full ones are used from here on.
    QuickTablesTooSlow {
        /// The board.
        board: Board,
        /// The time that the search with quick tables took.
        after: Duration,
    },
    /// The boards so far took as long as building the full tables does, so these are used from here
    /// on.
    FullTablesRepay {
        /// The size of the boards.
        size: Size,
    },
    /// The tables cannot be had, so the board is solved without.
    WithoutTables(TablesError),
    /// Tables would help, but there is no time to build them.
    NoTimeForTables {
        /// The goal.
        goal: Board,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::QuickTablesTooSlow { board, after } => write!(
                f,
                "{board}: not solved with the quick tables after {:.1} s; getting the full tables \
                 of {} ready",
                after.as_secs_f64(),
                board.size()
            ),
            Self::FullTablesRepay { size } => write!(
                f,
                "the full tables of {size} repay their making from here on; getting them ready"
            ),
            Self::WithoutTables(error) => write!(f, "{error}; searching without tables"),
            Self::NoTimeForTables { goal } => write!(
                f,
                "{} has no full tables yet, and building them would take too much of the time",
                goal.size()
            ),
        }
    }
}
