//! What all requests share.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use taquin::Move;
use taquin::search::{Limits, Report};
use tokio::sync::watch;

use crate::config::Bounds;
use crate::gate::Gate;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::workshop::Workshop;

/// What all requests share; cheap to clone.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) bounds: Bounds,
    pub(crate) gate: Gate,
    pub(crate) workshop: Workshop,
    pub(crate) metrics: Metrics,
    /// Becomes true when the server is to stop.
    stop: watch::Receiver<bool>,
}

impl App {
    pub(crate) fn new(bounds: Bounds, workshop: Workshop, stop: watch::Receiver<bool>) -> Self {
        let gate = Gate::new(bounds.searches, bounds.queue, bounds.time);
        Self(Arc::new(Shared {
            bounds,
            gate,
            workshop,
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

    /// Somebody could not be let in.
    pub(crate) fn turned_away(&self) -> Problem {
        self.metrics.turned_away.inc();
        Problem::busy()
    }

    /// A search has ended.
    pub(crate) fn account(&self, report: &Report<Move>) {
        self.metrics.nodes.inc_by(report.statistics.expanded);
    }

    /// How many threads a search may use: those that no other search needs.
    pub(crate) fn threads(&self) -> usize {
        (self.workshop.threads() / self.gate.running().max(1)).max(1)
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
pub(crate) struct Wishes {
    pub(crate) time_ms: Option<u64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) memory: Option<u64>,
}

impl Bounds {
    /// What a caller asks for, as far as it is allowed.
    pub(crate) fn lowered(&self, wishes: Wishes) -> Limits {
        let time = wishes.time_ms.map(Duration::from_millis);
        Limits {
            nodes: Some(
                wishes
                    .nodes
                    .map_or(self.nodes, |nodes| nodes.min(self.nodes)),
            ),
            time: Some(time.map_or(self.time, |time| time.min(self.time))),
            memory: Some(
                wishes
                    .memory
                    .map_or(self.memory, |memory| memory.min(self.memory)),
            ),
            ..Limits::default()
        }
    }
}
