//! What all requests share.

use std::io;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use taquin::{Limits, Statistics};
use tokio::sync::watch;

use crate::config::Bounds;
use crate::gate::Gate;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::resources::Resources;
use crate::search_threads::SearchThreads;

/// What all requests share; cheap to clone.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) bounds: Bounds,
    pub(crate) gate: Gate,
    pub(crate) threads: SearchThreads,
    pub(crate) resources: Resources,
    pub(crate) metrics: Metrics,
    /// Becomes true when the server is to stop.
    stop: watch::Receiver<bool>,
}

impl App {
    /// Fails if the system has no thread to search on.
    pub(crate) fn new(
        bounds: Bounds,
        resources: Resources,
        stop: watch::Receiver<bool>,
    ) -> io::Result<Self> {
        let gate = Gate::new(bounds.searches, bounds.queue, bounds.time);
        Ok(Self(Arc::new(Shared {
            // One more than there are searches, for the warm-up.
            threads: SearchThreads::start(bounds.searches + 1)?,
            bounds,
            gate,
            resources,
            metrics: Metrics::default(),
            stop,
        })))
    }

    /// Ends when the server is to stop.
    pub(crate) async fn stopping(&self) {
        let mut stop = self.stop.clone();
        // An error means that the server itself is gone: then this stops too.
        let _ = stop.wait_for(|&stop| stop).await;
    }

    /// What the search of a whole space may spend: its part of the threads, and the limits of any
    /// search.
    pub(crate) fn survey_effort(&self, cancel: Arc<AtomicBool>) -> (usize, Limits) {
        let threads = self.resources.solver().threads() / self.gate.running().max(1);
        let limits = Limits {
            cancel: Some(cancel),
            ..self.bounds.lowered(RequestedLimits::default())
        };
        (threads.max(1), limits)
    }

    /// Counts a request that could not be let in.
    pub(crate) fn turned_away(&self) -> Problem {
        self.metrics.turned_away.inc();
        Problem::busy()
    }

    /// Counts what a search took.
    pub(crate) fn account(&self, statistics: &Statistics) {
        self.metrics.nodes.inc_by(statistics.expanded);
    }
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// The limits that a caller asks for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RequestedLimits {
    pub(crate) time_ms: Option<u64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) memory: Option<u64>,
}

impl Bounds {
    /// What a caller asks for, as far as it is allowed.
    pub(crate) fn lowered(&self, requested: RequestedLimits) -> Limits {
        let time = requested.time_ms.map_or(self.time, Duration::from_millis);
        let nodes = requested.nodes.unwrap_or(self.nodes);
        let memory = requested.memory.unwrap_or(self.memory);
        Limits {
            nodes: Some(nodes.min(self.nodes)),
            time: Some(time.min(self.time)),
            memory: Some(memory.min(self.memory)),
            ..Limits::default()
        }
    }
}
