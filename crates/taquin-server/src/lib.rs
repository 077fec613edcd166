//! Sliding-tile puzzles over HTTP: the API of `docs/api.md` and the page of `web/`.
//!
//! [`Server::bind`] listens, [`Server::run`] serves until it is told to stop. Everything that a
//! stranger can make it spend is bounded by [`Bounds`].

mod api;
mod config;
mod fields;
mod gate;
mod metrics;
mod openapi;
mod page;
mod problem;
mod read;
mod resources;
mod router;
mod search_task;
mod security;
mod serve;
mod state;

pub use config::{Bounds, Config};
pub use resources::Resources;
pub use serve::Server;
