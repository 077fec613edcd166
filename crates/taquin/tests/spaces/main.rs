//! Whole spaces: published figures, brute force as the judge, and what is looked up in them.

mod census;
mod limits;
mod lookup;
mod quality;
mod samples;
mod support;
