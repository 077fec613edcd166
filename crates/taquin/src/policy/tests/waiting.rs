//! A request waits for others for a part of its time, and then does without them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::{FARTHEST, board, goal, request, solution};
use crate::Metric;
use crate::Move;
use crate::outcome::{Budget, Limits};
use crate::policy::puzzle::Puzzle;
use crate::policy::shortest::Plan;
use crate::policy::{Request, SearchedBy, Solver, Want};
use crate::search::Algorithm;
use crate::supply::{BuildObserver, TableSource};
use crate::tables::Tier;

/// How long anything may take on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// Holds up the first build of some tables until it may go on, and lets all others pass.
struct HeldUp {
    what: &'static str,
    begun: Mutex<Option<Sender<()>>>,
    go_on: Mutex<Receiver<()>>,
}

impl BuildObserver for HeldUp {
    fn building(
        &self,
        what: &str,
        _: &(dyn Fn() -> u64 + Sync),
        _: &Budget,
        work: &mut dyn FnMut(),
    ) {
        let mut begun = None;
        if what == self.what {
            begun = self.begun.lock().unwrap().take();
        }
        if let Some(begun) = begun {
            begun.send(()).unwrap();
            // An error says that the test has failed.
            let _ = self.go_on.lock().unwrap().recv();
        }
        work();
    }
}

/// A solver whose first build of some tables tells when it begins, and goes on when it is told to.
fn held_up(what: &'static str) -> (Solver, Receiver<()>, Sender<()>) {
    let (begin, begun) = mpsc::channel();
    let (end, go_on) = mpsc::channel();
    let observer = HeldUp {
        what,
        begun: Mutex::new(Some(begin)),
        go_on: Mutex::new(go_on),
    };
    let source = TableSource::in_memory().with_observer(Arc::new(observer));
    (Solver::with_source(source).with_threads(2), begun, end)
}

#[test]
fn a_request_builds_for_itself_what_another_one_takes_too_long_for() {
    let (solver, begun, end) = held_up("building the full tables of 3x3");
    let shortest = |limits| Request {
        limits,
        ..request(&board(FARTHEST), Want::Shortest)
    };
    thread::scope(|scope| {
        let solver = &solver;
        let patient = shortest(Limits::default());
        let first = scope.spawn(move || solver.solve(&patient).unwrap());
        begun.recv_timeout(PATIENCE).expect("the build begins");
        // A part of the time goes into waiting; the rest is for tables that are built in no time.
        let hasty = shortest(Limits::within(Duration::from_secs(8)));
        let answer = solver.solve(&hasty).unwrap();
        assert_eq!(solution(&answer, &hasty).cost, 31);
        assert!(answer.is_optimal() && !first.is_finished());
        end.send(()).unwrap();
        assert!(first.join().unwrap().is_optimal());
    });
}

#[test]
fn a_short_request_does_not_wait_for_tables_that_a_longer_one_wanted() {
    let (solver, begun, end) = held_up("building the full tables of 4x4");
    let goal = goal("4x4");
    let quick = solver
        .pool
        .get(Puzzle::single(&goal), Tier::Quick, &Budget::default());
    assert!(quick.is_ok());
    let cancel = Arc::new(AtomicBool::new(false));
    let mut near = goal.clone();
    near.slide(Move::Down).unwrap();
    let longer = Request {
        tables: Some(Tier::Full),
        limits: Limits {
            cancel: Some(Arc::clone(&cancel)),
            ..Limits::default()
        },
        ..request(&near, Want::Shortest)
    };
    thread::scope(|scope| {
        let solver = &solver;
        let first = scope.spawn(move || solver.solve(&longer).unwrap());
        begun.recv_timeout(PATIENCE).expect("the build begins");
        // The longer one has gone over to the full tables for all that come after it.
        let key = Puzzle::single(&goal).key();
        let full = Plan::settled(Tier::Full);
        solver.plans.lock().unwrap().insert(key, full);
        let short = Request {
            limits: Limits::within(Duration::from_secs(1)),
            ..request(&near, Want::Shortest)
        };
        let answer = solver.solve(&short).unwrap();
        assert_eq!(solution(&answer, &short).cost, 1);
        assert_eq!(answer.heuristic.as_deref(), Some("pdb:quick"));
        assert!(!first.is_finished());
        cancel.store(true, Ordering::Relaxed);
        end.send(()).unwrap();
        assert!(first.join().unwrap().solution().is_err());
    });
}

#[test]
fn a_request_that_finds_no_room_to_build_in_is_answered_without_tables() {
    // Room for the tables of one request.
    let (solver, begun, end) = held_up("building the full tables of 3x3");
    let solver = solver.with_build_room(100 << 20);
    thread::scope(|scope| {
        let _all = solver.pool.room.take(100 << 20, &Budget::default());
        let solver = &solver;
        let hasty = Request {
            limits: Limits::within(Duration::from_secs(8)),
            ..request(&board(FARTHEST), Want::Shortest)
        };
        let answer = scope.spawn(move || {
            let answer = solver.solve(&hasty).unwrap();
            assert_eq!(solution(&answer, &hasty).cost, 31);
            answer
        });
        begun.recv_timeout(PATIENCE).expect("the build begins");
        end.send(()).unwrap();
        let answer = answer.join().unwrap();
        assert!(answer.is_optimal());
        let laboratory = SearchedBy::Laboratory(Algorithm::Idastar);
        assert_eq!(answer.searched_by, laboratory);
    });
}

#[cfg(feature = "store")]
mod locked {
    use super::*;
    use crate::policy::Coach;
    use crate::tables::Catalogue;
    use crate::tables::store::{BuildLock, Store};
    use crate::{Board, Goal};

    /// The locks of a goal's tables in that folder, as another process holds them that builds.
    fn locks(store: &Store, goal: &Board) -> Vec<BuildLock> {
        let catalogue = Catalogue::for_goal(goal, Tier::Quick).unwrap();
        let keys = catalogue.keys().into_iter();
        keys.map(|key| store.try_lock(key).unwrap().unwrap())
            .collect()
    }

    #[test]
    fn tables_that_another_process_builds_are_built_in_memory_when_the_wait_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        let board = board(FARTHEST);
        let _held = locks(&store, &goal("3x3"));
        let solver = Solver::stored(store);
        let time = Duration::from_secs(8);
        for want in [Want::Shortest, Want::Solution, Want::Within(time)] {
            let request = Request {
                limits: Limits::within(time),
                ..request(&board, want)
            };
            let answer = solver.solve(&request).unwrap();
            assert_eq!(solution(&answer, &request).cost, 31, "{want:?}");
            assert!(answer.is_optimal(), "{want:?}");
        }
        // Nothing was written under the other one's nose.
        assert!(
            !solver
                .source()
                .is_stored(&goal("3x3"), Metric::Single, Tier::Quick)
        );
    }

    #[test]
    fn tables_that_are_asked_for_by_name_are_built_in_memory_too() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        let _held = locks(&store, &goal("3x3"));
        let solver = Solver::stored(store);
        let time = Duration::from_secs(2);
        for want in [Want::Shortest, Want::First, Want::Within(time)] {
            let request = Request {
                tables: Some(Tier::Quick),
                limits: Limits::within(time),
                ..request(&board(FARTHEST), want)
            };
            let begin = Instant::now();
            let answer = solver.solve(&request).unwrap();
            assert_eq!(answer.heuristic.as_deref(), Some("pdb:quick"), "{want:?}");
            solution(&answer, &request);
            assert!(begin.elapsed() < PATIENCE, "{want:?}");
        }
    }

    #[test]
    fn a_hint_does_not_wait_for_another_process() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        let board = board(FARTHEST);
        let _held = locks(&store, &goal("3x3"));
        let solver = Solver::stored(store);
        let mut coach = Coach::new(Goal::Classic, Duration::from_millis(200));
        let begin = Instant::now();
        let hint = coach.hint(&solver, &board, &Limits::default()).unwrap();
        assert!(begin.elapsed() < PATIENCE);
        assert!(hint.next.is_some() && hint.remaining >= 31);
    }

    #[test]
    fn a_wait_without_a_limit_ends_with_the_flag() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        let _held = locks(&store, &goal("3x3"));
        let (waiting, waits) = mpsc::channel();
        let observer = Arc::new(Waits(Mutex::new(waiting)));
        let source = TableSource::stored(store).with_observer(observer);
        let solver = Solver::with_source(source);
        let cancel = Arc::new(AtomicBool::new(false));
        let request = Request {
            limits: Limits {
                cancel: Some(Arc::clone(&cancel)),
                ..Limits::default()
            },
            ..request(&board(FARTHEST), Want::Shortest)
        };
        thread::scope(|scope| {
            let answer = scope.spawn(|| solver.solve(&request).unwrap());
            let notice = waits.recv().unwrap();
            assert!(notice.ends_with("another process is building it; waiting"));
            cancel.store(true, Ordering::Relaxed);
            assert!(answer.join().unwrap().solution().is_err());
        });
        assert!(waits.try_recv().is_err(), "nothing more is said of it");
    }

    /// Passes notices on.
    struct Waits(Mutex<Sender<String>>);

    impl BuildObserver for Waits {
        fn notice(&self, notice: &crate::supply::TableNotice) {
            self.0.lock().unwrap().send(notice.to_string()).unwrap();
        }
    }
}
