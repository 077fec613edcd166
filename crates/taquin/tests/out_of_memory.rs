//! A system that refuses memory: every search of the laboratory then stops at its memory limit, and
//! nothing ends the process.
//!
//! The allocator of this test refuses large pieces once a thread has taken its share. Small pieces
//! it always gives, as a system does that is nearly full.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use taquin::heuristic::{AnyHeuristic, HeuristicKind, WalkingDistance, WalkingError};
use taquin::search::{Algorithm, Cost, FlatState, Laboratory, Sliding};
use taquin::space::Space;
use taquin::tables::{BuildError, Catalogue, TableSet, Tier};
use taquin::{Board, Budget, Goal, Limit, Limits, Metric, Outcome};

struct Refusing;

thread_local! {
    /// Bytes in large pieces that this thread may still take.
    static ROOM: Cell<usize> = const { Cell::new(usize::MAX) };
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// From this size on a piece may be refused.
const LARGE: usize = 32 << 10;

fn allows(size: usize) -> bool {
    if size < LARGE {
        return true;
    }
    let left = ROOM.get().checked_sub(size);
    REFUSED.set(REFUSED.get() || left.is_none());
    left.inspect(|&left| ROOM.set(left)).is_some()
}

fn give_back(size: usize) {
    if size >= LARGE {
        ROOM.set(ROOM.get().saturating_add(size));
    }
}

#[expect(unsafe_code, reason = "an allocator cannot be written without it")]
// SAFETY: every piece comes from the system's allocator and goes back to it with the same layout; a
// null pointer is what an allocator answers when it has nothing to give.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if allows(layout.size()) {
            // SAFETY: the caller's layout is handed on.
            unsafe { System.alloc(layout) }
        } else {
            std::ptr::null_mut()
        }
    }

    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        give_back(layout.size());
        // SAFETY: the piece came from `System` with this layout.
        unsafe { System.dealloc(piece, layout) }
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if !allows(new_size) {
            return std::ptr::null_mut();
        }
        give_back(layout.size());
        // SAFETY: the piece came from `System` with this layout.
        unsafe { System.realloc(piece, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// Does `work` while large pieces of more than that are refused; whether any was is the second value.
fn with_room<T>(bytes: usize, work: impl FnOnce() -> T) -> (T, bool) {
    REFUSED.set(false);
    ROOM.set(bytes);
    let result = work();
    ROOM.set(usize::MAX);
    (result, REFUSED.get())
}

/// More nodes than fit into the room, and few enough for a test.
const NODES: u64 = 100_000;

/// Whether a search stores a path only.
fn stores_little(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::Idastar | Algorithm::Rbfs)
}

/// Whether a search goes on with the memory that it has.
fn makes_do(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::IdastarTt | Algorithm::Smastar)
}

fn search(goal: &Board, board: &Board, algorithm: Algorithm) {
    let laboratory = Laboratory::new(goal, Cost::Unit, HeuristicKind::Manhattan).unwrap();
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    for room in [0, 1 << 18, 1 << 21] {
        let (report, refused) = with_room(room, || laboratory.search(board, algorithm, &limits));
        let outcome = report.unwrap().outcome;
        if stores_little(algorithm) {
            assert!(!refused, "{algorithm:?}");
        }
        match outcome {
            Outcome::Stopped { limit, .. } if makes_do(algorithm) => {
                assert!(refused, "{algorithm:?}");
                assert!(matches!(limit, Limit::Memory | Limit::Nodes), "{limit:?}");
            }
            Outcome::Stopped { limit, .. } => {
                let expected = if refused { Limit::Memory } else { Limit::Nodes };
                assert_eq!(limit, expected, "{algorithm:?}");
                // There is no room for as many nodes as this.
                assert!(
                    refused || room > 0 || stores_little(algorithm),
                    "{algorithm:?}"
                );
            }
            // Those that take any solution can be quick.
            Outcome::Solved(_) => assert!(!refused || makes_do(algorithm), "{algorithm:?}"),
            Outcome::NoSolution => panic!("{algorithm:?}: the board can be solved"),
        }
    }
}

fn hard(goal: &Goal, size: &str) -> (Board, Board) {
    let goal = goal.board(size.parse().unwrap()).unwrap();
    let board = taquin::uniform(&goal, &mut taquin::Rng::from_seed(3));
    (goal, board)
}

#[test]
fn every_search_stops_where_the_system_has_no_memory() {
    // States in one word, and states on the heap.
    for size in ["4x4", "5x5"] {
        let (goal, board) = hard(&Goal::Classic, size);
        for algorithm in Algorithm::ALL {
            search(&goal, &board, algorithm);
        }
    }
}

#[test]
fn walking_distance_says_that_there_is_no_memory() {
    let goal = Goal::Classic.board("4x5".parse().unwrap()).unwrap();
    let puzzle = Sliding::<FlatState>::new(&goal, Cost::Unit).unwrap();
    for room in [0, 1 << 18, 1 << 20, 3 << 20] {
        let (made, refused) = with_room(room, || WalkingDistance::new(&puzzle).err());
        assert!(refused);
        assert_eq!(made, Some(WalkingError::Stopped(Limit::Memory)), "{room}");
        let (made, _) = with_room(room, || {
            AnyHeuristic::new(HeuristicKind::Max, &puzzle).err()
        });
        assert_eq!(
            made.and_then(|error| error.stopped_by()),
            Some(Limit::Memory)
        );
    }
    assert!(WalkingDistance::new(&puzzle).is_ok());
}

#[test]
fn tables_and_whole_spaces_say_that_there_is_no_memory() {
    let goal = Goal::Classic.board("4x4".parse().unwrap()).unwrap();
    let catalogue = Catalogue::for_goal(&goal, Tier::Quick).unwrap();
    let build = || TableSet::build(catalogue.clone(), 1, &Budget::default()).err();
    let (error, _) = with_room(0, build);
    assert!(matches!(error, Some(BuildError::Memory(_))), "{error:?}");

    let goal = Goal::Classic.board("2x5".parse().unwrap()).unwrap();
    for metric in [Metric::Single, Metric::Multi] {
        let space = Space::new(&goal, metric).unwrap();
        for room in [0, 1 << 18, 1 << 19] {
            let (error, _) = with_room(room, || space.search(1, &Budget::default()).err());
            assert!(matches!(error, Some(BuildError::Memory(_))), "{error:?}");
            let (error, _) = with_room(room, || space.level(20, 1, &Budget::default()).err());
            assert!(matches!(error, Some(BuildError::Memory(_))), "{error:?}");
        }
    }
}
