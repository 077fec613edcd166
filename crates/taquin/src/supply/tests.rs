mod multi;

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::*;
use crate::outcome::{Budget, Limit, Limits, Outcome};
use crate::solve::{Effort, GoalSolver};
use crate::tables::store::{Store, StoreError, Unwritten};
use crate::tables::{BuildError, Catalogue, Tier};
use crate::{Board, Goal, Metric, Rng, uniform};

fn stored(folder: &Path) -> TableSource {
    TableSource::stored(Store::new(folder))
}

fn goal(size: &str) -> Board {
    Goal::Classic.board(size.parse().unwrap()).unwrap()
}

fn get(source: &TableSource, goal: &Board, tier: Tier) -> ReadyTables {
    source
        .get(goal, Metric::Single, tier, &Budget::default())
        .unwrap()
}

/// The farthest board of 3x3 takes 31 moves.
fn solves(ready: &ReadyTables) -> bool {
    let board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let solver = GoalSolver::new(&goal("3x3"), &ready.tables).unwrap();
    let report = solver.solve(&board, &Effort::default()).unwrap();
    matches!(report.outcome, Outcome::Solved(solution) if solution.cost == 31)
}

#[test]
fn stored_tables_are_kept_for_the_next_process() {
    let folder = tempfile::tempdir().unwrap();
    let goal = goal("3x3");
    let first = stored(folder.path());
    assert!(
        !Tier::ALL
            .iter()
            .any(|&tier| first.is_stored(&goal, Metric::Single, tier))
    );
    assert!(solves(&get(&first, &goal, Tier::Quick)));

    let (second, listener) = heard(folder.path());
    // All tiles of so small a board make one table, so both tiers are the same.
    assert!(second.is_stored(&goal, Metric::Single, Tier::Full));
    assert!(solves(&get(&second, &goal, Tier::Full)));
    assert_eq!(listener.built(), [""; 0]);
    assert_eq!(listener.got(), [false]);
}

#[test]
fn tables_in_memory_are_built_each_time_and_never_stored() {
    let listener = Arc::new(Listener::default());
    let source = TableSource::in_memory().with_observer(Arc::<Listener>::clone(&listener));
    let goal = goal("3x3");
    for _ in 0..2 {
        assert!(solves(&get(&source, &goal, Tier::Quick)));
        assert!(!source.is_stored(&goal, Metric::Single, Tier::Quick));
    }
    assert_eq!(listener.built(), ["building the quick tables of 3x3"; 2]);
    assert_eq!(listener.got(), [true, true]);
    assert!(source.store().is_none());
}

#[test]
fn damaged_tables_are_never_handed_out() {
    let folder = tempfile::tempdir().unwrap();
    let goal = goal("3x3");
    get(&stored(folder.path()), &goal, Tier::Quick);
    let catalogue = Catalogue::for_goal(&goal, Tier::Quick).unwrap();
    let path = Store::new(folder.path()).path(catalogue.keys()[0]);
    let sound = fs::read(&path).unwrap();

    // In the payload, which only the checksums tell; in the header; and at the end.
    let mut flipped = sound.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let mut foreign = sound.clone();
    foreign[0] = 0;
    let short = sound[..sound.len() - 1].to_vec();
    for damaged in [flipped, foreign, short] {
        fs::write(&path, damaged).unwrap();
        assert!(solves(&get(&stored(folder.path()), &goal, Tier::Quick)));
        assert!(fs::read(&path).unwrap() == sound);
    }
}

#[test]
fn where_nothing_can_be_kept_tables_are_built_all_the_same() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let source = stored(&file.path().join("tables"));
    let goal = goal("3x3");
    assert!(solves(&get(&source, &goal, Tier::Quick)));
    assert!(!source.is_stored(&goal, Metric::Single, Tier::Quick));
}

#[test]
fn smaller_tables_are_taken_where_memory_is_short() {
    let folder = tempfile::tempdir().unwrap();
    let goal = goal("4x4");
    let (source, listener) = heard(folder.path());
    let ready = get(&source.with_memory(20_000_000), &goal, Tier::Full);
    assert_eq!(ready.tier, Tier::Quick);
    let notices = listener.notices();
    assert!(
        notices[0].ends_with("; taking the quick tables instead of the full ones"),
        "{notices:?}"
    );
    let solver = GoalSolver::new(&goal, &ready.tables).unwrap();
    let board = uniform(&goal, &mut Rng::from_seed(1));
    assert!(solver.estimate(&board).unwrap() > 30);

    let none = stored(&folder.path().join("other")).with_memory(1000);
    let refused = none.get(&goal, Metric::Single, Tier::Full, &Budget::default());
    assert!(matches!(
        refused,
        Err(TablesError::Build(BuildError::Limit(_)))
    ));
}

#[test]
fn a_budget_that_is_spent_ends_a_build_and_names_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let source = stored(folder.path());
    let cancelled = Limits {
        cancel: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    };
    for (limits, limit) in [
        (Limits::within(Duration::ZERO), Limit::Time),
        (cancelled, Limit::Cancelled),
    ] {
        let refused = source.get(
            &goal("4x4"),
            Metric::Single,
            Tier::Quick,
            &Budget::new(&limits),
        );
        let Err(error) = refused else {
            panic!("{limit}: the tables were built");
        };
        assert!(error.is_stopped(), "{error}");
        assert!(
            matches!(error, TablesError::Build(BuildError::Stopped(by)) if by == limit),
            "{error}"
        );
    }
    assert!(!source.is_stored(&goal("4x4"), Metric::Single, Tier::Quick));
}

/// Remembers what it heard.
#[derive(Default)]
struct Listener {
    notices: Mutex<Vec<String>>,
    built: Mutex<Vec<String>>,
    /// For each table whether it had to be built.
    got: Mutex<Vec<bool>>,
}

impl Listener {
    fn notices(&self) -> Vec<String> {
        std::mem::take(&mut self.notices.lock().unwrap())
    }

    fn built(&self) -> Vec<String> {
        std::mem::take(&mut self.built.lock().unwrap())
    }

    fn got(&self) -> Vec<bool> {
        std::mem::take(&mut self.got.lock().unwrap())
    }
}

impl BuildObserver for Listener {
    fn notice(&self, notice: &TableNotice) {
        self.notices.lock().unwrap().push(notice.to_string());
    }

    fn building(
        &self,
        what: &str,
        total: &(dyn Fn() -> u64 + Sync),
        budget: &Budget,
        work: &mut dyn FnMut(),
    ) {
        work();
        assert!(budget.spent() <= total());
        self.built.lock().unwrap().push(what.to_owned());
    }

    fn table(&self, table: &GotTable<'_>) {
        self.got.lock().unwrap().push(table.built_in.is_some());
    }
}

fn heard(folder: &Path) -> (TableSource, Arc<Listener>) {
    let listener = Arc::new(Listener::default());
    let source = stored(folder).with_observer(Arc::<Listener>::clone(&listener));
    (source, listener)
}

#[test]
fn the_observer_sees_how_far_a_build_is() {
    struct Counting(Mutex<(u64, u64)>);
    impl BuildObserver for Counting {
        fn building(
            &self,
            _: &str,
            total: &(dyn Fn() -> u64 + Sync),
            budget: &Budget,
            work: &mut dyn FnMut(),
        ) {
            assert_eq!(budget.spent(), 0);
            work();
            *self.0.lock().unwrap() = (budget.spent(), total());
        }
    }
    let counting = Arc::new(Counting(Mutex::default()));
    let source = TableSource::in_memory().with_observer(Arc::<Counting>::clone(&counting));
    get(&source, &goal("2x3"), Tier::Quick);
    let (spent, total) = *counting.0.lock().unwrap();
    assert!((1..=total).contains(&spent), "{spent} of {total}");
}

#[test]
fn a_damaged_file_is_a_notice() {
    let folder = tempfile::tempdir().unwrap();
    let (source, listener) = heard(folder.path());
    let goal = goal("2x3");
    let key = Catalogue::for_goal(&goal, Tier::Quick).unwrap().keys()[0];
    fs::write(source.store().unwrap().path(key), "nothing").unwrap();
    get(&source, &goal, Tier::Quick);
    let notices = listener.notices();
    assert!(notices[0].ends_with("; building it again"), "{notices:?}");
    assert_eq!(listener.built(), ["building the quick tables of 2x3"]);
}

#[test]
fn a_table_that_cannot_be_kept_is_a_notice() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let (source, listener) = heard(&file.path().join("tables"));
    get(&source, &goal("2x3"), Tier::Quick);
    let notices = listener.notices();
    assert!(
        notices[0].ends_with("; the table is not kept"),
        "{notices:?}"
    );
}

#[test]
fn an_observer_that_forgets_the_work_does_no_harm() {
    struct Forgetful;
    impl BuildObserver for Forgetful {
        fn building(&self, _: &str, _: &(dyn Fn() -> u64 + Sync), _: &Budget, _: &mut dyn FnMut()) {
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let source = stored(folder.path()).with_observer(Arc::new(Forgetful));
    let ready = source.get(
        &goal("2x3"),
        Metric::Single,
        Tier::Quick,
        &Budget::default(),
    );
    assert!(ready.is_ok());
}

#[test]
fn tables_are_written_in_the_background_and_a_refusal_is_told() {
    /// Writes in the background, and keeps what is refused.
    #[derive(Default)]
    struct Background {
        writers: Writers,
        refused: Arc<Mutex<Vec<String>>>,
    }

    impl BuildObserver for Background {
        fn write(&self, unwritten: Unwritten) {
            let refused = Arc::clone(&self.refused);
            let refuse = move |error: StoreError| refused.lock().unwrap().push(error.to_string());
            self.writers.write(unwritten, refuse);
        }
    }

    let folder = tempfile::tempdir().unwrap();
    let no_folder = folder.path().join("file");
    fs::write(&no_folder, "").unwrap();
    let goal = goal("2x4");
    for (path, is_good) in [(folder.path(), true), (&no_folder, false)] {
        let observer = Arc::new(Background::default());
        let source = stored(path).with_observer(Arc::<Background>::clone(&observer));
        get(&source, &goal, Tier::Quick);
        observer.writers.finish();
        assert_eq!(
            source.is_stored(&goal, Metric::Single, Tier::Quick),
            is_good
        );
        assert_eq!(observer.refused.lock().unwrap().is_empty(), is_good);
    }
}
