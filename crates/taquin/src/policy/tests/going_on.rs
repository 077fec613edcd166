//! One search after another: what was found, proven and counted before is kept.

use std::sync::Arc;
use std::time::Duration;

use super::{FARTHEST, board, goal, request, scramble, solution};
use crate::outcome::{Budget, Limit, Limits, Progress};
use crate::policy::puzzle::Puzzle;
use crate::policy::shortest::{after, search};
use crate::policy::solver::Job;
use crate::policy::{
    AllShortest, Answer, Ending, Event, LaboratoryChoice, Request, SearchedBy, SolveError, Solver,
    Want,
};
use crate::search::Algorithm;
use crate::supply::TableSource;
use crate::tables::Tier;
use crate::threads::testing::with_at_most;
use crate::threads::useful;

const ALL: AllShortest = AllShortest {
    list: Some(usize::MAX),
    count: true,
};

fn watched(request: Request) -> (Request, Arc<Progress>) {
    let progress = Arc::new(Progress::default());
    let limits = Limits {
        progress: Some(Arc::clone(&progress)),
        ..request.limits.clone()
    };
    (Request { limits, ..request }, progress)
}

#[test]
fn progress_never_goes_backwards_from_one_search_to_the_next() {
    let solver = Solver::in_memory().with_threads(2);
    // The first is proven without tables, the second has none, the third takes them in.
    for (size, seed, milliseconds) in [("5x5", 1, 1000), ("7x7", 2, 1000), ("4x4", 3, 2000)] {
        let want = Want::Within(Duration::from_millis(milliseconds));
        let (request, progress) = watched(request(&scramble(size, seed), want));
        let mut seen = Vec::new();
        let answer = solver.solve_with(&request, &mut |event| {
            if let Event::Improved(known) = event {
                assert!(progress.lower_bound() >= known.lower_bound);
                seen.push((progress.nodes(), progress.lower_bound()));
            }
        });
        let answer = answer.unwrap();
        assert!(seen.len() > 1, "{size}");
        assert!(
            seen.is_sorted_by_key(|&(nodes, _)| nodes),
            "{size}: {seen:?}"
        );
        assert!(
            seen.is_sorted_by_key(|&(_, bound)| bound),
            "{size}: {seen:?}"
        );
        // At the end all is counted, once.
        assert_eq!(progress.nodes(), answer.statistics.expanded, "{size}");
        let found = solution(&answer, &request);
        assert_eq!(progress.lower_bound(), found.lower_bound, "{size}");
    }
}

#[test]
fn a_search_with_other_tables_goes_on_from_the_bound_that_is_known() {
    let solver = Solver::in_memory();
    let next = request(&scramble("2x5", 3), Want::Shortest);
    let budget = Budget::default();
    let pooled = solver
        .pool
        .get(Puzzle::single(&goal("2x5")), Tier::Quick, &budget)
        .unwrap();
    let job = || Job {
        request: &next,
        board: &next.board,
        goal: goal("2x5"),
        threads: 1,
        budget: Budget::default(),
    };
    let thresholds = |answer: &Answer| -> Vec<u32> {
        let iterations = answer.statistics.iterations.iter();
        iterations.map(|iteration| iteration.threshold).collect()
    };
    let whole = search(&job(), &pooled, None, None, 0).unwrap();
    let all = thresholds(&whole);
    assert!(all.len() > 2, "the board is too easy: {all:?}");
    let cost = solution(&whole, &next).cost;
    for (i, &bound) in all.iter().enumerate() {
        // A bound of the other parity says one more.
        for proven in [bound, bound - 1] {
            let answer = search(&job(), &pooled, None, None, proven).unwrap();
            assert_eq!(thresholds(&answer), all[i..], "{proven}");
            assert_eq!(solution(&answer, &next).cost, cost);
            let answer = search(&job(), &pooled, Some(ALL), None, proven).unwrap();
            assert_eq!(thresholds(&answer)[..all.len() - i], all[i..], "{proven}");
            assert_eq!(solution(&answer, &next).cost, cost);
        }
    }
}

/// All shortest solutions of the farthest board within so many nodes.
fn all_within(nodes: Option<u64>) -> Answer {
    let limits = Limits {
        nodes,
        ..Limits::default()
    };
    let request = Request {
        limits,
        threads: Some(1),
        ..request(&board(FARTHEST), Want::All(ALL))
    };
    Solver::in_memory().solve(&request).unwrap()
}

#[test]
fn all_solutions_stopped_on_the_way_keep_the_shortest_one() {
    let whole = all_within(None);
    assert_eq!((whole.count, whole.incomplete), (Some(40), None));
    let nodes = whole.statistics.expanded;
    let request = request(&board(FARTHEST), Want::All(ALL));
    let answer = all_within(Some(nodes - 1));
    assert_eq!(answer.incomplete, Some(Limit::Nodes));
    assert!(answer.is_optimal());
    assert_eq!(solution(&answer, &request).cost, 31);
    assert_eq!(answer.count, None);
    let list = answer.list.unwrap();
    assert!((1..=40).contains(&list.len()), "{}", list.len());
    for moves in &list {
        assert!(whole.list.as_ref().unwrap().contains(moves));
    }
    // Before the length is proven there is no solution.
    let early = all_within(Some(5));
    assert!(matches!(
        early.ending,
        Ending::Stopped {
            limit: Limit::Nodes,
            ..
        }
    ));
    assert_eq!(
        (early.list.map(|list| list.len()), early.incomplete),
        (Some(0), None)
    );
}

#[test]
fn what_quick_tables_have_found_outlives_a_limit_with_the_full_ones() {
    let first = all_within(Some(all_within(None).statistics.expanded - 1));
    let stopped = |lower_bound| {
        let limit = Limit::Time;
        let ending = Ending::Stopped { limit, lower_bound };
        Answer::without_search(ending, SearchedBy::Engine)
    };
    let both = after(first.clone(), stopped(29));
    assert_eq!(both.ending, first.ending);
    assert_eq!(
        (both.incomplete, both.list),
        (Some(Limit::Time), first.list)
    );
    assert!(both.abandoned.is_some());
    // Without a solution the better bound stays.
    for (earlier, later, expected) in [(27, 25, 27), (25, 27, 27)] {
        let both = after(stopped(earlier), stopped(later));
        assert_eq!(both.ending, stopped(expected).ending);
        assert_eq!(both.incomplete, None);
    }
}

#[test]
fn a_weight_below_1_is_refused() {
    for weight in [f64::NAN, 0.5] {
        let choice = LaboratoryChoice {
            algorithm: Algorithm::Wastar,
            weight,
            ..LaboratoryChoice::default()
        };
        let request = request(&board(FARTHEST), Want::Laboratory(choice));
        let refused = Solver::in_memory().solve(&request);
        assert!(matches!(refused, Err(SolveError::Weight(_))), "{weight}");
    }
}

#[test]
fn boards_are_solved_however_few_threads_can_be_started() {
    for most in [0, 1, 3] {
        // Every kind of search that shares its work: the engine, beams, from the outside in.
        for (size, want) in [
            ("4x4", Want::Shortest),
            ("4x4", Want::Within(Duration::from_millis(100))),
            ("8x8", Want::Within(Duration::from_millis(100))),
            ("12x12", Want::Within(Duration::from_millis(100))),
        ] {
            let request = request(&scramble(size, 3), want);
            let solve = || {
                let solver = Solver::in_memory().with_threads(8);
                solver.solve(&request).unwrap()
            };
            let (answer, _) = with_at_most(most, solve);
            let found = solution(&answer, &request);
            assert!(want != Want::Shortest || found.proof.is_optimal());
        }
    }
}

#[test]
fn small_work_starts_few_threads_however_many_are_allowed() {
    let solve = |threads| {
        let request = request(&board(FARTHEST), Want::Shortest);
        let source = TableSource::in_memory().with_threads(threads);
        let solver = Solver::with_source(source).with_threads(threads);
        solution(&solver.solve(&request).unwrap(), &request);
    };
    let ((), started) = with_at_most(10_000, || solve(1024));
    assert!(started < 20, "{started}");
    // On larger boards too there are no more than are useful.
    let request = request(
        &scramble("12x12", 3),
        Want::Within(Duration::from_millis(100)),
    );
    let solver = Solver::in_memory().with_threads(1024);
    let (answer, started) = with_at_most(10_000, || solver.solve(&request).unwrap());
    assert!(started < 10 * useful(1024), "{started}");
    solution(&answer, &request);
}

/// Solves in a process of a user who may start no other process, and so no thread.
#[cfg(target_os = "linux")]
mod in_a_child {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    use std::{env, fs};

    use super::*;

    /// Set in the process that can start no threads.
    const CHILD: &str = "TAQUIN_TEST_NO_THREADS";
    /// The limit does not hold for root, so that is a user that nobody is.
    const NOBODY: u32 = 54_321;

    #[test]
    fn a_user_without_threads_gets_solutions() {
        if env::var_os(CHILD).is_some() {
            if std::thread::Builder::new().spawn(|| ()).is_ok() {
                println!("skipped: the limit on processes does not hold here");
                return;
            }
            for (size, want) in [
                ("4x4", Want::Shortest),
                ("5x5", Want::Within(Duration::from_millis(100))),
                ("12x12", Want::Within(Duration::from_millis(100))),
            ] {
                let request = request(&scramble(size, 3), want);
                let solver = Solver::in_memory().with_threads(1024);
                solution(&solver.solve(&request).unwrap(), &request);
            }
            println!("solved without threads");
            return;
        }
        // A copy of this program where every user may read it.
        let folder = tempfile::tempdir().unwrap();
        let all = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.path(), all).unwrap();
        let program = folder.path().join("tests");
        fs::copy(env::current_exe().unwrap(), &program).unwrap();
        let test = "policy::tests::going_on::in_a_child::a_user_without_threads_gets_solutions";
        let mut child = Command::new("prlimit");
        child
            .arg("--nproc=1")
            .arg(program)
            .args(["--exact", test, "--nocapture", "--test-threads=1"])
            .current_dir(folder.path())
            .env(CHILD, "");
        if fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0) {
            child.uid(NOBODY).gid(NOBODY);
        }
        let output = match child.output() {
            Ok(output) => output,
            Err(error) => return eprintln!("skipped: prlimit cannot be run: {error}"),
        };
        // Not every folder for temporary files may be seen, or have programs, for another user.
        if matches!(output.status.code(), Some(126 | 127)) {
            return eprintln!("skipped: the copy cannot be run: {output:?}");
        }
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("1 passed"), "{said}\n{output:?}");
        assert!(
            said.contains("skipped: ") || said.contains("solved without threads"),
            "{said}"
        );
    }
}
