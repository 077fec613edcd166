//! Whole state spaces: how large they are, how search trees grow in them, and what follows for the
//! choice of a method.
//!
//! * [`TreeLevels`] counts the nodes of the brute-force search tree, level by level, and
//!   [`branching_factor`] says how fast they grow.
//! * [`Distribution`] holds how often a heuristic takes each value, and predicts from it how many
//!   nodes an iteration of IDA* expands (Korf, Reid & Edelkamp 2001). [`Measurement`] is the same
//!   number counted on random boards.
//! * [`Space`] is every board of a small puzzle: its [`Atlas`] says how many there are at each
//!   distance, and how far each is; [`Quality`] what a heuristic is worth.
//! * [`Advice`] puts these numbers together: which method fits a board size and a memory.

mod advise;
mod branching;
mod measure;
mod predict;
mod whole;

pub use advise::{
    Advice, AdviceError, Assessment, Basis, Figure, Method, NODES_PER_SECOND, NodesFrom,
    STORED_PER_SECOND, Subject,
};
pub use branching::{Equilibrium, TreeLevel, TreeLevels, branching_factor};
pub use measure::{Measurement, count_iteration};
pub use predict::{Distribution, Prediction};
pub use whole::{
    Atlas, Census, DistanceError, Inadmissible, Inconsistent, Quality, QualityError, SampleError,
    Slide, Space, SpaceTooLarge, Tally, Underestimate,
};
