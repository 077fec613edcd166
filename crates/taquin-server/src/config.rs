//! What a server may spend, and where it listens.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;
use std::{num::NonZeroUsize, thread};

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens: on this machine alone, unless told otherwise.
    pub listen: SocketAddr,
    /// What it may spend.
    pub bounds: Bounds,
    /// The folder to serve the page from, useful while working on the page; `None` for the embedded
    /// one.
    pub web: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), Self::PORT),
            bounds: Bounds::default(),
            web: None,
        }
    }
}

impl Config {
    /// The port, unless told otherwise.
    pub const PORT: u16 = 8015;
}

/// What strangers can make a server spend. Callers can lower some of it, none can raise it.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Searches at once.
    pub searches: usize,
    /// How many searches may wait for a turn. Further requests are refused.
    pub queue: usize,
    /// The time of a search, and how long one waits for its turn.
    pub time: Duration,
    /// The nodes of a search.
    pub nodes: u64,
    /// The bytes that a search may keep states in.
    pub memory: u64,
    /// The bytes that all searches of whole spaces at once may take.
    pub survey_memory: u64,
    /// The bytes that all tables that are built at once may take.
    pub build_memory: u64,
    /// The bytes of what is kept for the next request: tables, estimators, what is known of whole
    /// spaces.
    pub kept: u64,
    /// The events of a trace.
    pub events: u64,
    /// The cells of a board.
    pub cells: usize,
    /// The bytes of a body.
    pub body: usize,
    /// Connections at once.
    pub connections: usize,
    /// Connections at once of one address, where other machines can connect.
    pub peer_connections: usize,
    /// How long a client may take for the head of a request, for its body, and for reading what was
    /// sent to it.
    pub patience: Duration,
    /// How long searches and clients are waited for at the end.
    pub farewell: Duration,
}

impl Bounds {
    /// What all searches together may keep states in.
    const MEMORY: u64 = 512 << 20;

    /// These bounds with that many searches at once, at least one, which share the memory.
    #[must_use]
    pub const fn with_searches(self, searches: usize) -> Self {
        // With none, every request would wait for ever.
        let searches = if searches == 0 { 1 } else { searches };
        Self {
            searches,
            memory: Self::MEMORY / searches as u64,
            ..self
        }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        let bounds = Self {
            searches: 1,
            queue: 64,
            time: Duration::from_secs(30),
            nodes: 10_000_000_000,
            memory: Self::MEMORY,
            survey_memory: 256 << 20,
            build_memory: 1 << 30,
            kept: 1 << 30,
            events: 20_000,
            cells: 1024,
            body: 64 << 10,
            connections: 1024,
            peer_connections: 128,
            patience: Duration::from_secs(10),
            farewell: Duration::from_secs(8),
        };
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        // Most searches are short and a few are long: with some more than there are cores, the short
        // ones need not wait for the long ones.
        bounds.with_searches(2 * cores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_searches_at_all_are_taken_for_one() {
        let bounds = Bounds::default().with_searches(0);
        assert_eq!((bounds.searches, bounds.memory), (1, Bounds::MEMORY));
    }
}
