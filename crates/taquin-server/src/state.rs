//! What all requests share.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use taquin::{Limits, Statistics};
use tokio::sync::watch;

use crate::config::Bounds;
use crate::gate::Gate;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::resources::Resources;

/// What all requests share; cheap to clone.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) bounds: Bounds,
    pub(crate) gate: Gate,
    pub(crate) resources: Resources,
    pub(crate) metrics: Metrics,
    /// Becomes true when the server is to stop.
    stop: watch::Receiver<bool>,
}

impl App {
    pub(crate) fn new(bounds: Bounds, resources: Resources, stop: watch::Receiver<bool>) -> Self {
        let gate = Gate::new(bounds.searches, bounds.queue, bounds.time);
        Self(Arc::new(Shared {
            bounds,
            gate,
            resources,
            metrics: Metrics::default(),
            stop,
        }))
    }

    /// Ends when the server is to stop.
    pub(crate) async fn stopping(&self) {
        let mut stop = self.stop.clone();
        // Whoever could stop it is gone: then it stops too.
        let _ = stop.wait_for(|&stop| stop).await;
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
