use std::sync::atomic::AtomicBool;

use taquin::tables::Tier;
use taquin::{Board, Goal, Metric};

use super::*;

fn goal(size: &str) -> Board {
    Goal::Classic.board(size.parse().unwrap()).unwrap()
}

#[test]
fn an_interruption_is_told_from_other_errors() {
    let source = TableSource::in_memory();
    let cancelled = Budget::new(&Limits {
        cancel: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    });
    let error = |size| {
        source
            .get(&goal(size), Metric::Single, Tier::Quick, &cancelled)
            .unwrap_err()
    };
    let interrupted = anyhow::Error::from(error("3x3")).context("on the way");
    assert_eq!(stopped_by(&interrupted), Some(Limit::Cancelled));

    let other = anyhow::Error::from(error("7x7"));
    assert_eq!(stopped_by(&other), None);
    assert!(other.to_string().contains("36 cells"), "{other}");
}
