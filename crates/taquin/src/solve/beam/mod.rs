//! Beam search: level by level, with only the most promising boards of each level kept.
//!
//! All boards of a level are as many moves from the start, so a [`Guide`] that says which of them
//! look nearest to the goal is all there is to choose by. Nothing is proven by it. On several
//! threads each keeps the boards whose hash falls to it; `shard` tells how. What a move is says a
//! [`Play`]: single-tile moves are [`Steps`], multi-tile moves are [`Slides`].

mod guide;
mod level;
mod lines;
mod pace;
mod patterns;
mod picker;
mod play;
mod shard;
mod slide_guide;
mod slides;
mod steps;
#[cfg(test)]
mod tests;
mod zobrist;

pub(crate) use level::Shape;
pub(crate) use lines::LineGuide;
pub(crate) use pace::Width;
pub(crate) use patterns::PatternGuide;
pub(crate) use play::Play;
pub(crate) use shard::{Beam, bytes_per_board};
pub(crate) use slides::Slides;
pub(crate) use steps::Steps;
