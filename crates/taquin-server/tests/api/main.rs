//! The HTTP API of `docs/api.md`, asked by clients of good and of bad manners.

mod answers;
#[cfg(unix)]
mod changed;
mod clients;
mod errors;
mod limits;
mod memory;
mod page;
mod queue;
mod shutdown;
mod streams;
mod support;
mod tables;
