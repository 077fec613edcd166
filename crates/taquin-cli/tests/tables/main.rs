//! Tables in files: pattern databases, and atlases of whole spaces.

mod atlases;
// Other systems do not let a file be replaced while it is mapped into memory.
#[cfg(unix)]
mod changed;
mod multi;
mod patterns;
mod support;
mod waiting;
