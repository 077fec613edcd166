//! Whole state spaces: how large they are, how search trees grow in them, and what a search needs.
//!
//! * [`TreeLevels`] counts the nodes of the brute-force search tree, level by level, and
//!   [`branching_factor`] says how fast they grow.
//! * [`Distribution`] holds how often a heuristic takes each value, and predicts from it how many
//!   nodes an iteration of IDA* expands (Korf, Reid & Edelkamp 2001). [`Measurement`] is the same
//!   number counted on random boards.
//! * [`Space`] is every board of a small puzzle: its [`Atlas`] says how many there are at each
//!   distance, and how far each is; [`Quality`] what a heuristic is worth.
//! * [`Forecast`] puts these numbers together: how long solutions are, and what the searches of the
//!   laboratory need for them.

mod advise;
mod branching;
mod measure;
mod predict;
mod whole;

pub use advise::{Basis, Figure, Forecast, ForecastError, Needs, NodesFrom};
pub use branching::{Equilibrium, branching_factor};
// Not a part of the API: for the tests, benches and chores of this project.
#[doc(hidden)]
pub use branching::{TreeLevel, TreeLevels};
pub use measure::Measurement;
// Not a part of the API: for the tests, benches and chores of this project.
pub use crate::board::Slide;
#[doc(hidden)]
pub use measure::count_iteration;
pub use predict::{Distribution, Prediction};
#[cfg(feature = "store")]
pub use whole::AtlasFrom;
pub use whole::{
    Atlas, Census, DistanceError, Inadmissible, Inconsistent, Quality, QualityError, SampleError,
    Space, SpaceTooLargeError, Summary, Tally, Underestimate,
};
