//! The laboratory's searches and heuristics against one another and against brute force, through
//! the public interface only.

mod heuristics;
mod lengths;
mod limits;
mod memory;
mod multi;
mod nodes;
mod patterns;
mod support;
