//! Tables that another process builds.

use std::path::Path;

use serde_json::json;
use taquin::tables::store::{BuildLock, Store};
use taquin::tables::{Catalogue, Key, Tier};
use taquin::{Board, Goal, Size};

use crate::support::{EASY, Rig};

pub(crate) fn goal() -> Board {
    Goal::Classic.board(Size::new(3, 3).unwrap()).unwrap()
}

/// The tables of 3x3.
pub(crate) fn keys() -> Vec<Key> {
    Catalogue::for_goal(&goal(), Tier::Quick).unwrap().keys()
}

/// Their locks, as a process holds them that builds them.
fn hold(folder: &Path) -> Vec<BuildLock> {
    let store = Store::new(folder);
    let locks = keys().into_iter().map(|key| store.try_lock(key));
    locks.map(|lock| lock.unwrap().unwrap()).collect()
}

#[test]
fn nobody_waits_long_for_tables_that_another_process_builds() {
    let folder = tempfile::tempdir().unwrap();
    let _held = hold(folder.path());
    let rig = Rig::with_tables(folder.path());
    // More of them at once than there are turns, and in the end those who are in no hurry.
    std::thread::scope(|scope| {
        for request in [
            json!({"board": EASY}),
            json!({"board": EASY, "optimal": true}),
            json!({"board": EASY, "within_ms": 200}),
            json!({"board": EASY, "fast": true}),
        ] {
            let rig = &rig;
            scope.spawn(move || {
                let answer = rig.ask("solve", &request);
                assert_eq!(answer["status"], "solved", "{request}: {answer}");
            });
        }
    });
    let hint = rig.ask("hint", &json!({"board": EASY, "within_ms": 200}));
    assert_eq!(hint["status"], "solved", "{hint}");
}
