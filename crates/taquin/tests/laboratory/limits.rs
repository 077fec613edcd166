//! Every limit stops every search, which then says which one it was and what it has proven.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use taquin::search::{Cost, Observer, SearchEvent};
use taquin::{Goal, Limit, Limits, Outcome, Rng};

use crate::support::{Algorithm, FAR, Puzzle, board, manhattan, true_costs};

fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

#[test]
fn with_too_few_nodes_the_answer_is_stopped_and_never_a_wrong_length() {
    let mut rng = Rng::from_seed(4);
    for cost in [Cost::Unit, Cost::Tile] {
        let lab = manhattan("3x3", &Goal::Classic, cost);
        let costs = true_costs(&lab.domain);
        for _ in 0..40 {
            let start = lab.uniform(&mut rng);
            let distance = costs[&start];
            for nodes in [0, 1, 5, 50, 1000] {
                let limits = limits(|l| l.nodes = Some(nodes));
                for algorithm in Algorithm::ALL {
                    let report = lab.run(algorithm, start, &limits, &mut ());
                    let Outcome::Stopped { limit, lower_bound } = report.outcome else {
                        assert!(report.statistics.expanded <= nodes, "{algorithm:?}");
                        lab.check(algorithm, &start, &report, distance);
                        continue;
                    };
                    assert_eq!(limit, Limit::Nodes, "{algorithm:?}");
                    assert_eq!(report.statistics.expanded, nodes, "{algorithm:?}");
                    assert!(lower_bound <= distance, "{algorithm:?} {nodes}");
                    let estimate = lab.estimate(&start);
                    assert!(algorithm.is_blind() || lower_bound >= estimate);
                }
            }
        }
    }
}

#[test]
fn every_search_stops_once_all_solutions_are_known_to_cost_too_much() {
    for (size, cost) in [
        ("2x2", Cost::Unit),
        ("2x3", Cost::Unit),
        ("2x3", Cost::Tile),
    ] {
        let lab = manhattan(size, &Goal::Classic, cost);
        for (start, &distance) in true_costs(&lab.domain).iter().filter(|(_, d)| **d > 0) {
            let enough = limits(|l| l.cost = Some(distance));
            let too_little = limits(|l| l.cost = Some(distance - 1));
            let hopeless = lab.estimate(start).checked_sub(1);
            let hopeless = limits(|l| l.cost = hopeless);
            for algorithm in Algorithm::ALL {
                // A solution that costs no more than the limit is found.
                let report = lab.run(algorithm, *start, &enough, &mut ());
                lab.check(algorithm, start, &report, distance);
                // One that costs more is not, unless it turns up before that is proven.
                let report = lab.run(algorithm, *start, &too_little, &mut ());
                if let Outcome::Stopped { limit, lower_bound } = report.outcome {
                    assert_eq!(limit, Limit::Cost, "{algorithm:?}");
                    assert_eq!(lower_bound, distance, "{algorithm:?}");
                } else {
                    assert!(!algorithm.is_optimal(cost), "{algorithm:?}");
                    lab.check(algorithm, start, &report, distance);
                }
                // An estimate above the limit stops at once whatever uses it.
                if !algorithm.is_blind() && hopeless.cost.is_some() {
                    let report = lab.run(algorithm, *start, &hopeless, &mut ());
                    let Outcome::Stopped { limit, lower_bound } = report.outcome else {
                        panic!("{algorithm:?}");
                    };
                    assert_eq!(limit, Limit::Cost, "{algorithm:?}");
                    assert!(lower_bound <= distance, "{algorithm:?}");
                    assert_eq!(report.statistics.expanded, 0, "{algorithm:?}");
                }
            }
        }
    }
}

#[test]
fn a_flag_a_deadline_or_a_byte_of_memory_stops_every_search() {
    let lab = manhattan("4x4", &Goal::Classic, Cost::Unit);
    let start = lab.start(&board(FAR));
    let flag = Arc::new(AtomicBool::new(true));
    for (limits, expected) in [
        (limits(|l| l.cancel = Some(flag)), Limit::Cancelled),
        (limits(|l| l.time = Some(Duration::ZERO)), Limit::Time),
        (limits(|l| l.memory = Some(1)), Limit::Memory),
    ] {
        for algorithm in Algorithm::ALL {
            let report = lab.run(algorithm, start, &limits, &mut ());
            let Outcome::Stopped { limit, lower_bound } = report.outcome else {
                panic!("{algorithm:?} {expected}");
            };
            assert_eq!(limit, expected, "{algorithm:?}");
            assert!(lower_bound <= 80, "{algorithm:?}");
        }
    }
}

/// The most expansions between two looks at the flag.
const PERIOD: u64 = 1024;

/// Sets a flag after some expansions.
struct Canceller {
    flag: Arc<AtomicBool>,
    after: u64,
}

impl Observer<Puzzle> for Canceller {
    fn on(&mut self, event: SearchEvent<'_, Puzzle>) {
        if matches!(event, SearchEvent::Expanded { .. }) {
            self.after = self.after.saturating_sub(1);
            self.flag.store(self.after == 0, Ordering::Relaxed);
        }
    }
}

#[test]
fn a_flag_that_is_set_on_the_way_stops_every_search_soon_after() {
    let lab = manhattan("4x4", &Goal::Classic, Cost::Unit);
    let start = lab.start(&board(FAR));
    for algorithm in Algorithm::ALL {
        let flag = Arc::new(AtomicBool::new(false));
        let limits = limits(|l| l.cancel = Some(flag.clone()));
        let mut canceller = Canceller { flag, after: 500 };
        let report = lab.run(algorithm, start, &limits, &mut canceller);
        let Outcome::Stopped { limit, .. } = report.outcome else {
            panic!("{algorithm:?}");
        };
        assert_eq!(limit, Limit::Cancelled, "{algorithm:?}");
        let most = 500 + PERIOD;
        assert!(report.statistics.expanded <= most, "{algorithm:?}");
    }
}
