//! Good solutions with a bound: whatever the board and the limit, there is one, it solves the
//! board, it is no longer than the greedy one, and nothing is claimed that is not so.

mod hints;
mod known;
mod limits;
mod properties;
mod slides;
mod support;
