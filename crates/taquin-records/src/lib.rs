//! The answers of Taquin as records, so that all programs give them the same fields in JSON.
//!
//! ```
//! use taquin::{Board, Goal, Solvability};
//! use taquin_records::Check;
//!
//! let board: Board = "1 2 3/4 5 6/8 7 0".parse()?;
//! let goal = Goal::Classic.board(board.size())?;
//! let verdict = Solvability::of(&board, &goal)?;
//! let hint = verdict.swap_hint(&board, &goal);
//!
//! let record = Check::new(&board, Goal::Classic.name(), verdict, hint);
//! let json = serde_json::to_string(&record)?;
//! assert!(json.starts_with(r#"{"board":"1 2 3/4 5 6/8 7 0","size":"3x3","goal":"classic","#));
//! assert!(json.ends_with(r#""hint":[7,8],"error":null}"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `openapi` every record has a schema: `utoipa::ToSchema`. It costs a few more
//! crates to compile, so it is off by default.

mod apply;
mod check;
mod compare;
mod distance;
mod enumerate;
mod estimate;
mod figures;
mod hint;
#[cfg(feature = "openapi")]
mod openapi;
mod quality;
mod scramble;
mod solve;
mod status;
mod trace;
mod writing;

pub use apply::{Apply, Lengths};
pub use check::{Check, CheckTexts};
pub use compare::Compare;
pub use distance::{Distance, FirstMove};
pub use enumerate::{BlankCell, Enumerate};
pub use estimate::{
    Conflict, Estimate, Estimates, Halves, PatternPart, PatternSet, Patterns, TileEstimate,
};
pub use figures::{milliseconds, ratio, rounded};
pub use hint::Hint;
pub use quality::{Counterexamples, Estimated, Quality, Step};
pub use scramble::Scramble;
pub use solve::{Improvement, Iteration, Search, Solve};
pub use trace::{Trace, Tracer};
pub use writing::Writing;
