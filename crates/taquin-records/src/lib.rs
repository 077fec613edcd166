//! The answers of Taquin as records, so that all programs give them the same fields in JSON.
//!
//! ```
//! use taquin::{Board, Goal, Unsolvable};
//! use taquin_records::Check;
//!
//! let board: Board = "1 2 3/4 5 6/8 7 0".parse()?;
//! let goal = Goal::Classic.board(board.size())?;
//! let verdict = Unsolvable::check(&board, &goal)?;
//! let hint = verdict.as_ref().err().and_then(|no| no.verdict.swap_hint(&board, &goal));
//!
//! let record = Check::new(&board, Goal::Classic.name(), &verdict, hint);
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
mod convert;
mod distance;
mod enumerate;
mod error;
mod estimate;
mod farthest;
mod figures;
mod hint;
#[cfg(feature = "openapi")]
mod openapi;
mod predict;
mod quality;
mod sample;
mod scramble;
mod show;
mod solve;
mod trace;
mod word;
mod writing;

pub use apply::{Apply, Lengths};
pub use check::{Check, CheckTexts};
pub use compare::Compare;
pub use convert::{ConvertBoard, ConvertMoves};
pub use distance::{Distance, FirstMove};
pub use enumerate::{BlankCell, Enumerate};
pub use error::ErrorRecord;
pub use estimate::{
    Conflict, Estimate, Estimates, Halves, LineSlides, PatternPart, PatternSet, Patterns, Slides,
    TileEstimate,
};
pub use farthest::Farthest;
pub use figures::{milliseconds, ratio, rounded};
pub use hint::Hint;
pub use predict::{Forecast, Predict};
pub use quality::{Counterexamples, Estimated, Quality, Step};
pub use sample::Sample;
pub use scramble::Scramble;
pub use show::Show;
pub use solve::{Abandoned, Improvement, Iteration, Solve};
pub use trace::Trace;
pub use word::{
    AlgorithmWord, CostWord, Direction, FormWord, ImprovementEvent, LimitWord, Line, MetricWord,
    NotationWord, ReasonWord, SlideWord, Status, StyleWord, TierWord, TraceLimit, Word,
};
pub use writing::Writing;

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
