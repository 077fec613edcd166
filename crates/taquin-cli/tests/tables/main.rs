//! Tables in files: pattern databases, and atlases of whole spaces.

mod atlases;
mod patterns;
mod support;
