use std::fs;
use std::path::Path;
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::Duration;

use super::*;
use crate::search::Outcome;
use crate::solve::Effort;
use crate::tables::store::Store;
use crate::tables::{BuildError, Building, Catalogue, Tier};
use crate::{Board, Goal, Rng, uniform};

fn provider(folder: &Path) -> Provider {
    Provider::new(Store::new(folder))
}

fn goal(size: &str) -> Board {
    Goal::Classic.board(size.parse().unwrap()).unwrap()
}

/// The farthest board of 3x3 takes 31 moves.
fn solves(ready: &Ready) -> bool {
    let board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let report = ready.solver.solve(&board, &Effort::default()).unwrap();
    matches!(report.outcome, Outcome::Solved(solution) if solution.cost == 31)
}

#[test]
fn tables_are_made_once_a_process_and_kept_for_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let goal = goal("3x3");
    let first = provider(folder.path());
    assert!(!Tier::ALL.iter().any(|&tier| first.is_ready(&goal, tier)));
    let sets = thread::scope(|scope| {
        let get = || first.get(&goal, Tier::Quick).unwrap();
        let threads = [scope.spawn(get), scope.spawn(get)];
        threads.map(|thread| thread.join().unwrap())
    });
    assert!(Arc::ptr_eq(&sets[0], &sets[1]));
    assert!(solves(&sets[0]));

    let second = provider(folder.path());
    // All tiles of so small a board make one table, so both tiers are the same.
    assert!(second.is_ready(&goal, Tier::Full));
    assert!(solves(&second.get(&goal, Tier::Full).unwrap()));
}

#[test]
fn damaged_tables_are_never_handed_out() {
    let folder = tempfile::tempdir().unwrap();
    let goal = goal("3x3");
    provider(folder.path()).get(&goal, Tier::Quick).unwrap();
    let catalogue = Catalogue::for_goal(&goal, Tier::Quick).unwrap();
    let path = provider(folder.path()).store.path(catalogue.keys()[0]);
    let sound = fs::read(&path).unwrap();

    // In the payload, which only the checksums tell; in the header; and at the end.
    let mut flipped = sound.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let mut foreign = sound.clone();
    foreign[0] = 0;
    let short = sound[..sound.len() - 1].to_vec();
    for damaged in [flipped, foreign, short] {
        fs::write(&path, damaged).unwrap();
        assert!(solves(
            &provider(folder.path()).get(&goal, Tier::Quick).unwrap()
        ));
        assert!(fs::read(&path).unwrap() == sound);
    }
}

#[test]
fn where_nothing_can_be_kept_tables_are_built_all_the_same() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let provider = provider(&file.path().join("tables"));
    let goal = goal("3x3");
    assert!(solves(&provider.get(&goal, Tier::Quick).unwrap()));
    assert!(!provider.is_ready(&goal, Tier::Quick));
}

#[test]
fn smaller_tables_are_taken_where_memory_is_short() {
    let folder = tempfile::tempdir().unwrap();
    let goal = goal("4x4");
    let short = provider(folder.path()).with_memory(20_000_000);
    let ready = short.get(&goal, Tier::Full).unwrap();
    assert_eq!(ready.tier, Tier::Quick);
    assert!(Arc::ptr_eq(&ready, &short.get(&goal, Tier::Quick).unwrap()));
    let board = uniform(&goal, &mut Rng::from_seed(1));
    assert!(ready.solver.estimate(&board).unwrap() > 30);

    let none = provider(&folder.path().join("other")).with_memory(1000);
    let refused = none.get(&goal, Tier::Full).map(|ready| ready.tier);
    assert!(matches!(refused, Err(Unready::Build(BuildError::Limit(_)))));
}

/// Somebody who remembers what he heard.
#[derive(Default)]
struct Listener {
    notices: Mutex<Vec<String>>,
    built: Mutex<Vec<String>>,
}

impl Listener {
    fn notices(&self) -> Vec<String> {
        std::mem::take(&mut self.notices.lock().unwrap())
    }

    fn built(&self) -> Vec<String> {
        std::mem::take(&mut self.built.lock().unwrap())
    }
}

impl Attendant for Listener {
    fn notice(&self, notice: &Notice) {
        self.notices.lock().unwrap().push(notice.to_string());
    }

    fn building(
        &self,
        what: &str,
        total: &(dyn Fn() -> u64 + Sync),
        building: &Building,
        work: &mut dyn FnMut(),
    ) {
        work();
        assert!((1..=total()).contains(&building.states()));
        self.built.lock().unwrap().push(what.to_owned());
    }
}

fn heard(folder: &Path) -> (Provider, Arc<Listener>) {
    let listener = Arc::new(Listener::default());
    let provider = provider(folder).with_attendant(Arc::<Listener>::clone(&listener));
    (provider, listener)
}

#[test]
fn many_who_want_the_same_goal_get_what_one_of_them_built() {
    let folder = tempfile::tempdir().unwrap();
    let (provider, listener) = heard(folder.path());
    let equipment = Equipment::new(Arc::new(provider));
    let (goal, barrier) = (goal("3x3"), Barrier::new(4));
    let solvers = thread::scope(|scope| {
        let equip = || {
            barrier.wait();
            equipment.of(&goal, Some(Duration::from_secs(4)))
        };
        let threads = [(); 4].map(|()| scope.spawn(equip));
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(listener.built(), ["building the full tables of 3x3"]);
    let sets = solvers.map(|equipped| match equipped {
        Equipped::Tables(ready) => ready,
        Equipped::Bare(_) => panic!("there was time for tables"),
    });
    assert!(sets.iter().all(|ready| Arc::ptr_eq(ready, &sets[0])));
}

#[test]
fn the_set_that_nobody_asked_for_the_longest_time_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let provider = provider(folder.path()).with_capacity(2);
    let goals = ["2x3", "2x4", "3x3"].map(goal);
    let get = |goal| provider.get(goal, Tier::Quick).unwrap();
    let is_at_hand = |goal| provider.at_hand(goal, Tier::Quick).is_some();
    let first = get(&goals[0]);
    get(&goals[1]);
    assert!(Arc::ptr_eq(&first, &get(&goals[0])));
    get(&goals[2]);
    assert_eq!(goals.each_ref().map(is_at_hand), [true, false, true]);
    // It is read again when somebody asks for it.
    get(&goals[1]);
    assert_eq!(goals.each_ref().map(is_at_hand), [false, true, true]);
}

#[test]
fn goals_with_the_same_tables_share_them() {
    let folder = tempfile::tempdir().unwrap();
    let (provider, listener) = heard(folder.path());
    let provider = Arc::new(provider);
    let classic = goal("2x3");
    let other: Board = "0 5/1 4/2 3".parse().unwrap();
    provider.get(&classic, Tier::Quick).unwrap();
    let catalogue = Catalogue::for_goal(&classic, Tier::Quick).unwrap();
    for key in catalogue.keys() {
        provider.store().remove(key).unwrap();
    }
    let ready = provider.get(&other, Tier::Quick).unwrap();
    assert_eq!(ready.solver.goal(), &other);
    let board = uniform(&other, &mut Rng::from_seed(1));
    let report = ready.solver.solve(&board, &Effort::default()).unwrap();
    let Outcome::Solved(solution) = report.outcome else {
        panic!("no limit was set")
    };
    let moves = solution.actions.into_iter().collect();
    assert_eq!(board.after(&moves).unwrap(), other);
    // Nothing was read or built a second time, nor is it for who is in a hurry.
    let third: Board = "5 4 3/2 1 0".parse().unwrap();
    let equipped = Equipment::new(provider).of(&third, None);
    assert_eq!(equipped.heuristic().as_deref(), Some("pdb:quick"));
    assert_eq!(listener.built().len(), 1);
}

#[test]
fn a_damaged_file_is_a_notice() {
    let folder = tempfile::tempdir().unwrap();
    let (provider, listener) = heard(folder.path());
    let goal = goal("2x3");
    let key = Catalogue::for_goal(&goal, Tier::Quick).unwrap().keys()[0];
    fs::write(provider.store().path(key), "nothing").unwrap();
    provider.get(&goal, Tier::Quick).unwrap();
    let notices = listener.notices();
    assert!(notices[0].ends_with("; building it again"), "{notices:?}");
    assert_eq!(listener.built(), ["building the quick tables of 2x3"]);
}

#[test]
fn who_has_more_time_is_asked_to_wait_and_others_profit() {
    let folder = tempfile::tempdir().unwrap();
    let (provider, listener) = heard(folder.path());
    let equipment = Equipment::new(Arc::new(provider));
    let goal = goal("3x3");
    let tables = |within: Option<u64>| {
        let equipped = equipment.of(&goal, within.map(Duration::from_millis));
        equipped.heuristic()
    };
    assert_eq!(tables(None), None);
    assert_eq!(tables(Some(0)), None);
    assert_eq!(tables(Some(1000)).as_deref(), Some("pdb:full"));
    assert_eq!(tables(Some(0)).as_deref(), Some("pdb:full"));
    assert_eq!(tables(None).as_deref(), Some("pdb:full"));
    assert_eq!(listener.built().len(), 1);
    assert_eq!(listener.notices(), [""; 0]);
}

#[test]
fn tables_that_somebody_else_got_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let provider = Arc::new(provider(folder.path()));
    let equipment = Equipment::new(Arc::clone(&provider));
    let goal = goal("3x3");
    assert_eq!(equipment.of(&goal, None).heuristic(), None);
    provider.get(&goal, Tier::Quick).unwrap();
    let equipped = equipment.of(&goal, None);
    assert_eq!(equipped.heuristic().as_deref(), Some("pdb:quick"));
}

#[test]
fn goals_of_one_size_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let equipment = Equipment::new(Arc::new(provider(folder.path())));
    let size = "3x3".parse().unwrap();
    for named in [Goal::Classic, Goal::Snail, Goal::Classic] {
        let goal = named.board(size).unwrap();
        assert_eq!(equipment.of(&goal, None).solver().goal(), &goal);
    }
}

#[test]
fn the_lack_of_tables_that_would_help_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let (provider, listener) = heard(folder.path());
    let equipment = Equipment::new(Arc::new(provider));
    let goal = goal("5x5");
    for _ in 0..2 {
        let equipped = equipment.of(&goal, Some(Duration::from_millis(10)));
        assert_eq!(equipped.heuristic(), None);
    }
    let said = "5x5 has no tables yet, and building them would take too much of the time";
    assert_eq!(listener.notices(), [said]);
}

#[test]
fn an_attendant_that_forgets_the_work_does_no_harm() {
    struct Forgetful;
    impl Attendant for Forgetful {
        fn building(
            &self,
            _: &str,
            _: &(dyn Fn() -> u64 + Sync),
            _: &Building,
            _: &mut dyn FnMut(),
        ) {
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let provider = provider(folder.path()).with_attendant(Arc::new(Forgetful));
    assert!(provider.get(&goal("2x3"), Tier::Quick).is_ok());
}

#[test]
fn a_table_that_cannot_be_kept_is_a_notice() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let (provider, listener) = heard(&file.path().join("tables"));
    provider.get(&goal("2x3"), Tier::Quick).unwrap();
    let notices = listener.notices();
    assert!(
        notices[0].ends_with("; the table is not kept"),
        "{notices:?}"
    );
}
