//! Sliding-tile puzzles over HTTP: the API of `docs/api.md` and the page of `web/`.
//!
//! [`Server::bind`] listens, [`Server::run`] serves until it is told to stop. Everything that a
//! stranger can make it spend is bounded by [`Bounds`].

mod api;
mod client;
mod config;
mod fields;
mod gate;
mod kept;
mod memory;
mod metrics;
mod openapi;
mod page;
mod peers;
mod problem;
mod read;
mod resources;
mod router;
mod runtime;
mod search_task;
mod search_threads;
mod security;
mod serve;
mod state;
mod unconnected;

pub use config::{Bounds, Config};
pub use memory::give_large_blocks_back;
pub use resources::Resources;
pub use runtime::runtime;
pub use serve::Server;

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

// Not a part of the API: for the tests and the fuzzing of this project.
#[doc(hidden)]
pub use unconnected::Unconnected;
