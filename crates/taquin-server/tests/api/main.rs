//! The HTTP API of `docs/api.md`, asked by clients of good and of bad manners.

mod answers;
mod clients;
mod errors;
mod limits;
mod page;
mod queue;
mod shutdown;
mod streams;
mod support;
