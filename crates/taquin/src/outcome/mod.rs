//! Words that all engines share: what may be spent, how far a search is, and what came of it.
//!
//! [`Limits`] say what a search may spend. A [`Budget`] is those limits while something runs:
//! searches, table builds and waits all obey one. A [`Report`] says what came of a search, and a
//! [`Proof`] how good a solution is known to be.

mod budget;
mod iteration_progress;
mod limits;
mod meter;
mod progress;
mod report;

pub use budget::Budget;
pub use iteration_progress::{IterationProgress, TimeLeft};
pub use limits::{Limit, Limits};
pub(crate) use meter::Meter;
pub use progress::Progress;
pub use report::{Iteration, Outcome, Proof, Report, Solution, Statistics, WrongSolutionError};
