//! What is counted, for Prometheus.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::gate::Gate;

/// What is counted.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    times: Family<Path, Histogram>,
    running: Gauge,
    waiting: Gauge,
    kept: Gauge,
    /// Requests that were sent away because all searches were taken.
    pub(crate) turned_away: Counter,
    /// Nodes that finished searches have expanded.
    pub(crate) nodes: Counter,
    /// Searches whose client left before they ended, or began.
    pub(crate) abandoned: Counter,
}

/// A kind of requests: the path is one of a fixed list, never what a client made up.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    path: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Path {
    path: String,
}

/// The bounds of the histogram's buckets, in seconds.
const BUCKETS: [f64; 11] = [
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10.0,
];

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("taquin");
        let requests = Family::default();
        registry.register("requests", "Requests answered", requests.clone());
        let times: Family<Path, Histogram> =
            Family::new_with_constructor(|| Histogram::new(BUCKETS));
        registry.register_with_unit(
            "request_duration",
            "Time until the answer began",
            Unit::Seconds,
            times.clone(),
        );
        let kept = Gauge::default();
        registry.register_with_unit(
            "kept",
            "What is kept for the next request",
            Unit::Bytes,
            kept.clone(),
        );
        let gauges = [
            ("searches_running", "Searches that run"),
            ("searches_waiting", "Searches that wait for their turn"),
        ];
        let [running, waiting] = gauges.map(|(name, help)| {
            let gauge = Gauge::default();
            registry.register(name, help, gauge.clone());
            gauge
        });
        let counters = [
            (
                "turned_away",
                "Requests sent away because all searches were taken",
            ),
            ("nodes", "Nodes that searches have expanded"),
            ("searches_abandoned", "Searches whose client left"),
        ];
        let [turned_away, nodes, abandoned] = counters.map(|(name, help)| {
            let counter = Counter::default();
            registry.register(name, help, counter.clone());
            counter
        });
        Self {
            registry,
            requests,
            times,
            running,
            waiting,
            kept,
            turned_away,
            nodes,
            abandoned,
        }
    }
}

impl Metrics {
    /// A request was answered.
    pub(crate) fn count(&self, path: &str, status: u16, time: Duration) {
        let path = path.to_owned();
        let times = self.times.get_or_create(&Path { path: path.clone() });
        times.observe(time.as_secs_f64());
        drop(times);
        self.requests.get_or_create(&Request { path, status }).inc();
    }

    /// All of it as text.
    pub(crate) fn text(&self, gate: &Gate, kept_bytes: u64) -> String {
        self.kept.set(i64::try_from(kept_bytes).unwrap_or(i64::MAX));
        for (gauge, number) in [
            (&self.running, gate.running()),
            (&self.waiting, gate.waiting()),
        ] {
            gauge.set(i64::try_from(number).unwrap_or(i64::MAX));
        }
        let mut text = String::new();
        // Strings take all.
        let _ = text::encode(&mut text, &self.registry);
        text
    }
}
