//! How a board gets solved: one request in, one answer out.
//!
//! [`Solver`] takes a [`Request`] and gives an [`Answer`], with [`Event`]s on the way. Which engine
//! searches, with which tables, when the quick tables give way to the full ones and when the
//! laboratory takes over: all of that is decided here and nowhere else.

mod advice;
mod answer;
mod best;
mod coach;
mod event;
mod laboratory;
mod pool;
mod puzzle;
mod request;
mod shortest;
mod solver;
#[cfg(test)]
mod tests;
mod useful;

pub use advice::{Advice, Assessment, Method};
pub use answer::{AbandonedSearch, Answer, Ending, SearchedBy, SolveError, UnsolvedError};
pub use coach::{Coach, Hint, HintError};
pub use event::{Event, Notice};
pub use request::{AllShortest, LaboratoryChoice, Request, Want};
pub use solver::Solver;
