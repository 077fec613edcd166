//! What builds say that they take, against what they take: the peak of a process that does nothing
//! else.

use std::process::Command;
use std::{env, fs};

use taquin::heuristic::{HeuristicKind, WalkingDistance};
use taquin::search::{Cost, FlatState, Sliding};
use taquin::space::{Quality, Space};
use taquin::tables::{Catalogue, Indexer, Key, Partition, Table, TablePlan, TableSet};
use taquin::{Board, Budget, Goal, Limits, Metric};

/// The work that a process of this test is to do.
const WORK: &str = "TAQUIN_TEST_WORK";
const THREADS: usize = 2;
/// What the process itself grows by, whatever it does: pages of the program that are read for the
/// first time, what the allocator keeps, and huge pages that are used in part.
const NOISE: u64 = 4 << 20;

/// Work by its name: what it says that it takes, and the work itself.
type Work = (u64, Box<dyn FnOnce()>);

fn classic(size: &str) -> Board {
    Goal::Classic.board(size.parse().unwrap()).unwrap()
}

fn work(name: &str) -> Work {
    let budget = Budget::default;
    let (what, size) = name.split_once(' ').unwrap();
    match what {
        // The tiles of the first cells.
        "table-6" => {
            let size: taquin::Size = size.parse().unwrap();
            let homes = (0..6).collect();
            let key = Key::new(size, size.cells() - 1, homes).unwrap();
            let bytes = Indexer::new(&key).working_memory(THREADS);
            let build = move || {
                let indexer = Indexer::within(&key, &budget()).unwrap();
                drop(Table::build(key, &indexer, THREADS, &budget()).unwrap());
            };
            (bytes, Box::new(build))
        }
        "set" => {
            let goal = classic(size);
            let drawing = "aabb/aabb/aabb/aabb";
            let partition = Partition::from_drawing(goal.size(), goal.blank(), drawing).unwrap();
            let catalogue = Catalogue::of_partition(partition);
            let plan = TablePlan::new(catalogue.clone(), &budget()).unwrap();
            let bytes = plan.working_memory(&catalogue.keys(), THREADS);
            let build = move || drop(TableSet::build(catalogue, THREADS, &budget()).unwrap());
            (bytes, Box::new(build))
        }
        "single" | "multi" => {
            let metric = what.parse().unwrap();
            let space = Space::new(&classic(size), metric).unwrap();
            let search = {
                let space = space.clone();
                move || drop(space.search(THREADS, &budget()).unwrap())
            };
            (space.working_memory(THREADS), Box::new(search))
        }
        "quality" => {
            let space = Space::new(&classic(size), Metric::Single).unwrap();
            let kind = HeuristicKind::WalkingDistance;
            let bytes = Quality::working_memory(&space, kind, THREADS).unwrap();
            let measure = move || drop(Quality::measure(&space, kind, THREADS, &budget()).unwrap());
            (bytes, Box::new(measure))
        }
        "walking" => {
            let goal = classic(size);
            let bytes = WalkingDistance::working_memory(&goal);
            let puzzle = Sliding::<FlatState>::new(&goal, Cost::Unit).unwrap();
            (
                bytes,
                Box::new(move || drop(WalkingDistance::new(&puzzle).unwrap())),
            )
        }
        _ => panic!("no such work: {name}"),
    }
}

/// A line of `/proc/self/status`, in bytes.
fn status(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kibibytes = line.unwrap().trim_matches([':', ' ', '\t']);
    kibibytes
        .strip_suffix(" kB")
        .unwrap()
        .parse::<u64>()
        .unwrap()
        * 1024
}

/// What the other processes of this test do: the work, and a line about it.
#[test]
fn child() {
    let Ok(name) = env::var(WORK) else {
        // Nobody started this process for it.
        return;
    };
    let (bytes, work) = work(&name);
    let before = status("VmRSS");
    work();
    let taken = status("VmHWM") - before;
    println!("\n{WORK} {bytes} {taken}");
}

/// What a work says that it takes, and what it takes.
fn measured(name: &str) -> (u64, u64) {
    let child = Command::new(env::current_exe().unwrap())
        .args(["child", "--exact", "--nocapture", "--test-threads=1"])
        .env(WORK, name)
        // Memory that the allocator keeps for later would be counted twice.
        .env("MALLOC_ARENA_MAX", "1")
        .output()
        .unwrap();
    let output = String::from_utf8(child.stdout).unwrap();
    let line = output.lines().find_map(|line| line.strip_prefix(WORK));
    let line = line.unwrap_or_else(|| panic!("{name}: {output}"));
    let mut numbers = line
        .split_whitespace()
        .map(|number| number.parse().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

#[test]
fn what_a_build_takes_is_known_before_and_not_much_too_high() {
    if !cfg!(target_os = "linux") || fs::metadata("/proc/self/status").is_err() {
        println!("skipped: only Linux tells how much memory a process has had at most");
        return;
    }
    for name in [
        "table-6 4x4",
        "table-6 4x6",
        "set 4x4",
        "single 3x4",
        "multi 3x4",
        "quality 2x5",
    ] {
        let (said, taken) = measured(name);
        assert!(
            taken <= said + NOISE,
            "{name}: {taken} bytes taken, {said} said"
        );
        assert!(
            said <= 2 * taken + NOISE,
            "{name}: {taken} bytes taken, {said} said"
        );
    }
}

#[test]
fn what_walking_distance_takes_is_known_before() {
    if !cfg!(target_os = "linux") || fs::metadata("/proc/self/status").is_err() {
        println!("skipped: only Linux tells how much memory a process has had at most");
        return;
    }
    // How many states there are is not known exactly before they are counted.
    let (said, taken) = measured("walking 4x5");
    assert!(
        taken <= said + NOISE && said <= 4 * taken,
        "{taken} bytes taken, {said} said"
    );
}

#[test]
fn all_tables_of_a_set_are_looked_at_before_the_first_is_built() {
    let goal = classic("4x4");
    // A small pattern first, a large one last: keys are sorted by their cells.
    let drawing = "aaab/bbbb/bbcc/cccc";
    let partition = Partition::from_drawing(goal.size(), goal.blank(), drawing).unwrap();
    let catalogue = Catalogue::of_partition(partition);
    let keys = catalogue.keys();
    let plan = TablePlan::new(catalogue.clone(), &Budget::default()).unwrap();
    let whole = plan.working_memory(&keys, THREADS);
    let first = plan.working_memory(&keys[..1], THREADS);
    assert!(first < whole);
    let budget = |memory| {
        Budget::new(&Limits {
            memory: Some(memory),
            ..Limits::default()
        })
    };
    let short = budget(whole - 1);
    assert!(TableSet::build(catalogue.clone(), THREADS, &short).is_err());
    assert_eq!(short.spent(), 0, "nothing was built");
    assert!(TableSet::build(catalogue, THREADS, &budget(whole)).is_ok());
}
