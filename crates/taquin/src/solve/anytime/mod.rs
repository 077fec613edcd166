//! A solution at once, then better ones, while a bound rises from the other side.

mod bound;
mod by_slides;
mod improve;
mod slide_bound;
mod tidy;
mod ways;

pub use improve::Improvement;

pub(crate) use bound::lower_bound;
pub(super) use improve::{Improving, Parts};
pub(crate) use improve::{Known, Start};
use slide_bound::slide_bound;
