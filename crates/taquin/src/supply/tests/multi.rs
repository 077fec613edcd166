//! Tables of multi-tile moves.

use super::*;
use crate::tables::{AnyCatalogue, AnyTables};

/// The farthest board of 3x3 in single-tile moves takes 23 slides.
const BOARD: &str = "8 6 7/2 5 4/3 0 1";

fn get(source: &TableSource, tier: Tier) -> ReadyTables {
    let goal = goal("3x3");
    source
        .get(&goal, Metric::Multi, tier, &Budget::default())
        .unwrap()
}

fn slides(ready: &ReadyTables) -> u32 {
    let solver = GoalSolver::new(&goal("3x3"), &ready.tables).unwrap();
    let report = solver.solve(&BOARD.parse().unwrap(), &Effort::default());
    let Outcome::Solved(solution) = report.unwrap().outcome else {
        panic!("no limit was set");
    };
    solution.cost
}

fn files(source: &TableSource) -> Vec<std::path::PathBuf> {
    let catalogue = AnyCatalogue::for_goal(&goal("3x3"), Metric::Multi, Tier::Full).unwrap();
    let store = source.store().unwrap();
    let subjects = catalogue.subjects().into_iter();
    subjects.map(|subject| store.path(subject)).collect()
}

#[test]
fn they_are_kept_for_the_next_process_beside_those_of_single_tile_moves() {
    let folder = tempfile::tempdir().unwrap();
    let (source, listener) = heard(folder.path());
    let is_stored = |metric| source.is_stored(&goal("3x3"), metric, Tier::Full);
    let ready = get(&source, Tier::Full);
    let length = slides(&ready);
    assert!(is_stored(Metric::Multi) && !is_stored(Metric::Single));
    assert!(matches!(ready.tables, AnyTables::Classes(_)));
    assert_eq!(ready.tables.count(), files(&source).len());
    let built = "building the full tables of multi-tile moves for 3x3";
    assert_eq!(listener.built(), [built]);
    assert!(listener.got().iter().all(|&built| built));

    let (second, listener) = heard(folder.path());
    assert_eq!(slides(&get(&second, Tier::Full)), length);
    assert_eq!(listener.built(), [""; 0]);
    assert!(listener.got().iter().all(|&built| !built));
}

#[test]
fn damaged_files_are_built_again() {
    let folder = tempfile::tempdir().unwrap();
    let (source, listener) = heard(folder.path());
    let length = slides(&get(&source, Tier::Full));
    for file in files(&source) {
        let sound = fs::read(&file).unwrap();
        let mut flipped = sound.clone();
        *flipped.last_mut().unwrap() ^= 1;
        let short = sound[..sound.len() - 1].to_vec();
        for damaged in [flipped, short, Vec::new()] {
            fs::write(&file, damaged).unwrap();
            assert_eq!(slides(&get(&source, Tier::Full)), length);
            let notices = listener.notices();
            assert!(notices[0].ends_with("; building it again"), "{notices:?}");
            assert_eq!(fs::read(&file).unwrap(), sound);
        }
    }
}

#[test]
fn a_file_under_the_name_of_another_table_is_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let (source, listener) = heard(folder.path());
    let length = slides(&get(&source, Tier::Full));
    let files = files(&source);
    assert!(files.len() > 1);
    fs::copy(&files[0], &files[1]).unwrap();
    assert_eq!(slides(&get(&source, Tier::Full)), length);
    let notices = listener.notices();
    assert!(notices[0].ends_with("; building it again"), "{notices:?}");
}

#[test]
fn a_tier_that_does_not_fit_is_replaced_and_a_budget_ends_a_build() {
    let folder = tempfile::tempdir().unwrap();
    let goal = goal("4x4");
    let needed = |tier| {
        let catalogue = crate::tables::ClassCatalogue::for_goal(&goal, tier).unwrap();
        let keys = catalogue.keys().iter();
        keys.map(crate::tables::ClassKey::working_memory)
            .max()
            .unwrap()
    };
    let (source, listener) = heard(folder.path());
    let source = source.with_memory(needed(Tier::Full) - 1);
    let get = |tier, budget: &Budget| source.get(&goal, Metric::Multi, tier, budget);
    let ready = get(Tier::Full, &Budget::default()).unwrap();
    assert_eq!(ready.tier, Tier::Quick);
    assert!(listener.notices()[0].contains("taking the quick tables"));

    let cancelled = Limits {
        cancel: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    };
    let source = TableSource::in_memory();
    let stopped = source.get(&goal, Metric::Multi, Tier::Quick, &Budget::new(&cancelled));
    let limit = Limit::Cancelled;
    assert!(matches!(
        stopped,
        Err(TablesError::Build(BuildError::Stopped(found))) if found == limit
    ));
    let tiny = TableSource::in_memory().with_memory(1);
    let refused = tiny.get(&goal, Metric::Multi, Tier::Full, &Budget::default());
    assert!(matches!(
        refused,
        Err(TablesError::Build(BuildError::Limit(_)))
    ));
    let large = super::goal("5x5");
    let none = tiny.get(&large, Metric::Multi, Tier::Full, &Budget::default());
    assert!(matches!(none, Err(TablesError::Key(_))));
}
