//! Whole spaces within a budget: memory, time and the cancel flag.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use taquin::heuristic::HeuristicKind;
use taquin::space::{Quality, QualityError, SampleError};
use taquin::tables::BuildError;
use taquin::{Budget, Limit, Limits, Metric, Rng};

use crate::support::{METRICS, atlas, classic, space};

fn memory(bytes: u64) -> Budget {
    Budget::new(&Limits {
        memory: Some(bytes),
        ..Limits::default()
    })
}

/// Far more than a look at the budget takes, also on a machine that is busy; to look up pattern
/// databases for all boards takes minutes.
const SOON: Duration = Duration::from_secs(10);

/// Cancels work once it has begun, and says how long it then went on.
fn cancelled<T: Send>(work: impl FnOnce(&Budget) -> T + Send) -> (T, Duration) {
    let cancel = Arc::new(AtomicBool::new(false));
    let budget = Budget::new(&Limits {
        cancel: Some(Arc::clone(&cancel)),
        ..Limits::default()
    });
    thread::scope(|scope| {
        let worker = scope.spawn(|| work(&budget));
        while budget.spent() == 0 && !worker.is_finished() {
            thread::yield_now();
        }
        cancel.store(true, Ordering::Relaxed);
        let begin = Instant::now();
        let result = worker.join().expect("it does not panic");
        (result, begin.elapsed())
    })
}

#[test]
fn a_search_that_takes_more_memory_than_it_may_is_refused_with_the_numbers() {
    for metric in METRICS {
        let space = space(&classic("3x4"), metric);
        let bytes = space.working_memory(2);
        let budget = memory(bytes - 1);
        match space.search(2, &budget) {
            Err(BuildError::Limit(over)) => {
                assert_eq!((over.bytes, over.limit), (bytes, bytes - 1));
            }
            other => panic!("{:?}", other.map(|_| ())),
        }
        assert_eq!(budget.spent(), 0);
        // Two bits a board and a little more, and the atlas.
        assert!(bytes < 200_000_000, "{bytes}");
    }
    let small = space(&classic("3x3"), Metric::Single);
    assert!(small.search(2, &memory(small.working_memory(2))).is_ok());
}

#[test]
fn the_boards_of_a_level_count_as_memory() {
    let space = space(&classic("2x5"), Metric::Single);
    let enough = space.working_memory(2);
    // 38 is where there are most: about a twentieth of 1,814,400 boards.
    let (common, rare) = (38, 5);
    assert!(space.level(rare, 2, &memory(enough)).is_ok());
    match space.level(common, 2, &memory(enough)) {
        Err(BuildError::Limit(over)) => assert!(over.bytes > enough && over.limit == enough),
        other => panic!("{:?}", other.map(|boards| boards.len())),
    }
    assert!(space.level(common, 2, &memory(enough + (16 << 20))).is_ok());
}

#[test]
fn drawn_boards_count_as_memory() {
    let atlas = atlas(&classic("3x3"), Metric::Single);
    let mut rng = Rng::from_seed(1);
    let drawn = atlas.sample(20, usize::MAX / 64, &mut rng, 2, &memory(1 << 30));
    let Err(SampleError::Build(BuildError::Limit(over))) = drawn else {
        panic!("{:?}", drawn.map(|boards| boards.len()));
    };
    assert_eq!(over.limit, 1 << 30);
    assert_eq!(
        atlas
            .sample(20, 3, &mut rng, 2, &memory(1 << 30))
            .unwrap()
            .len(),
        3
    );
}

#[test]
fn the_tables_of_a_heuristic_count_as_memory() {
    let space = space(&classic("3x3"), Metric::Single);
    let bytes = |kind| Quality::working_memory(&space, kind, 2).unwrap();
    let patterns = HeuristicKind::from_name("pdb:quick").unwrap();
    let manhattan = bytes(HeuristicKind::Manhattan);
    for kind in [HeuristicKind::Max, patterns] {
        assert!(bytes(kind) > manhattan, "{}", kind.name());
        let refused = Quality::measure(&space, kind, 2, &memory(bytes(kind) - 1));
        let Err(QualityError::Build(BuildError::Limit(over))) = refused else {
            panic!("{:?}", refused.map(|_| ()));
        };
        assert_eq!(over.bytes, bytes(kind));
        assert!(Quality::measure(&space, kind, 2, &memory(bytes(kind))).is_ok());
    }
}

#[test]
fn every_work_on_a_whole_space_stops_soon() {
    let large = |metric| space(&classic("3x4"), metric);
    for metric in METRICS {
        let (result, took) = cancelled(|budget| large(metric).search(2, budget).err());
        assert_eq!(result, Some(BuildError::Stopped(Limit::Cancelled)));
        assert!(took < SOON, "{took:?}");
    }
    let (result, took) = cancelled(|budget| large(Metric::Single).level(53, 2, budget).err());
    assert_eq!(result, Some(BuildError::Stopped(Limit::Cancelled)));
    assert!(took < SOON, "{took:?}");
    // Pattern databases are looked up by walking: minutes for all boards of this size.
    let patterns = HeuristicKind::from_name("pdb:quick").unwrap();
    let measure = |budget: &Budget| Quality::measure(&large(Metric::Single), patterns, 2, budget);
    let (result, took) = cancelled(|budget| measure(budget).err());
    let stopped = QualityError::Build(BuildError::Stopped(Limit::Cancelled));
    assert_eq!(result, Some(stopped));
    assert!(took < SOON, "{took:?}");

    let late = Budget::new(&Limits::within(Duration::from_millis(100)));
    let stopped = measure(&late).err();
    assert_eq!(
        stopped,
        Some(QualityError::Build(BuildError::Stopped(Limit::Time)))
    );
    assert!(late.elapsed() < SOON, "{:?}", late.elapsed());
}
