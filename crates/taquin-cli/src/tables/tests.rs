use std::sync::atomic::AtomicBool;

use taquin::Board;
use taquin::tables::Tier;

use super::*;

fn goal(size: &str) -> Board {
    Goal::Classic.board(size.parse().unwrap()).unwrap()
}

#[test]
fn an_interruption_is_told_from_other_errors() {
    let folder = tempfile::tempdir().unwrap();
    let cancelled = Arc::new(AtomicBool::new(true));
    let provider = Provider::new(Store::new(folder.path())).with_cancel(cancelled);
    let error = provider
        .get(&goal("3x3"), Tier::Quick)
        .map(|ready| ready.tier);
    let error = anyhow::Error::from(error.unwrap_err()).context("on the way");
    assert!(is_interruption(&error));

    let error = provider
        .get(&goal("7x7"), Tier::Quick)
        .map(|ready| ready.tier);
    let error = anyhow::Error::from(error.unwrap_err());
    assert!(!is_interruption(&error));
    assert!(error.to_string().contains("36 cells"), "{error}");
}
