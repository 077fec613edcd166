//! A table that is changed while it is in use leads to an error, and then to a new table.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{FARTHEST, board, goal, request, solution, wants};
use crate::Metric;
use crate::outcome::Limits;
use crate::policy::{Coach, Event, HintError, Request, SolveError, Solver, Want};
use crate::tables::store::Store;
use crate::tables::{Catalogue, Tier};
use crate::{Board, Goal};

/// A folder with the table of 3x3, and its file.
fn stored() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path());
    let goal = goal("3x3");
    let solver = Solver::stored(store.clone());
    let ready = solver.warm_up(
        &Goal::Classic,
        goal.size(),
        Metric::Single,
        &Limits::default(),
    );
    ready.unwrap();
    let catalogue = Catalogue::for_goal(&goal, Tier::Quick).unwrap();
    let file = store.path(catalogue.keys()[0]);
    assert!(file.exists());
    (folder, file)
}

/// Flips one bit of a file where it is, without making a new file.
fn flip(path: &Path) {
    let mut file = File::options().read(true).write(true).open(path).unwrap();
    let place = SeekFrom::End(-1000);
    let mut byte = [0];
    file.seek(place).unwrap();
    file.read_exact(&mut byte).unwrap();
    file.seek(place).unwrap();
    file.write_all(&[byte[0] ^ 1]).unwrap();
}

fn shortest(board: &Board) -> Request {
    request(board, Want::Shortest)
}

/// A shortest solution of the farthest board, as it should be.
fn assert_solves(solver: &Solver) {
    let request = shortest(&board(FARTHEST));
    let answer = solver.solve(&request).unwrap();
    assert_eq!(solution(&answer, &request).cost, 31);
    assert!(answer.is_optimal());
}

#[test]
fn whatever_is_wanted_there_is_an_error_that_names_the_file_and_then_a_new_table() {
    let (folder, file) = stored();
    let sound = fs::read(&file).unwrap();
    for want in wants() {
        // It gets the table from the file.
        let solver = Solver::stored(Store::new(folder.path()));
        let request = Request {
            // The first solution has no tables unless they are asked for.
            tables: Some(Tier::Full),
            ..request(&board(FARTHEST), want)
        };
        assert_solves(&solver);
        flip(&file);
        let mut told = 0;
        let answer = solver.solve_with(&request, &mut |event| {
            told += u32::from(matches!(event, Event::Improved(_)));
        });
        if let Want::Laboratory(_) = want {
            // Its tables are not kept in files.
            solution(&answer.unwrap(), &request);
            assert!(solver.solve(&shortest(&board(FARTHEST))).is_err());
        } else {
            let Err(SolveError::Changed(changed)) = answer else {
                panic!("{want:?}: {answer:?}");
            };
            assert_eq!(changed.path, file);
            assert!(changed.part.is_some_and(|(start, end)| start < end));
            assert_eq!(told, 0, "{want:?}: what may be wrong was told on the way");
        }
        // What came instead was built, and is in the file too.
        assert_solves(&solver);
        assert!(fs::read(&file).unwrap() == sound, "{want:?}");
    }
}

#[test]
fn a_table_that_is_made_shorter_is_an_error_and_then_built_again() {
    let (folder, file) = stored();
    let sound = fs::read(&file).unwrap();
    for length in [0, 100, sound.len() as u64 - 1] {
        let solver = Solver::stored(Store::new(folder.path()));
        assert_solves(&solver);
        let shorter = File::options().write(true).open(&file).unwrap();
        shorter.set_len(length).unwrap();
        let refused = solver.solve(&shortest(&board(FARTHEST))).unwrap_err();
        let SolveError::Changed(changed) = refused else {
            panic!("{refused}");
        };
        assert_eq!((&changed.path, changed.part), (&file, None));
        assert_solves(&solver);
        assert!(fs::read(&file).unwrap() == sound, "{length} bytes");
    }
}

#[test]
fn a_hint_is_an_error_too() {
    let (folder, file) = stored();
    let solver = Solver::stored(Store::new(folder.path()));
    assert_solves(&solver);
    flip(&file);
    let mut coach = Coach::new(Goal::Classic, Duration::from_secs(10));
    let mut hint = || coach.hint(&solver, &board(FARTHEST), &Limits::default());
    let refused = hint().unwrap_err();
    assert!(
        matches!(&refused, HintError::Solve(SolveError::Changed(changed)) if changed.path == file),
        "{refused}"
    );
    assert!(hint().is_ok_and(|hint| hint.remaining == 31 && hint.is_optimal()));
}

#[test]
fn what_is_changed_and_changed_back_is_noticed_once() {
    let (folder, file) = stored();
    let solver = Solver::stored(Store::new(folder.path()));
    settle(&file);
    assert_solves(&solver);
    flip(&file);
    flip(&file);
    let refused = solver.solve(&shortest(&board(FARTHEST))).unwrap_err();
    let SolveError::Changed(changed) = refused else {
        panic!("{refused}");
    };
    assert_eq!(changed.part, None);
    assert_solves(&solver);
}

#[test]
fn a_file_that_is_removed_or_renamed_is_used_on() {
    let (folder, file) = stored();
    let solver = Solver::stored(Store::new(folder.path()));
    assert_solves(&solver);
    fs::rename(&file, folder.path().join("elsewhere")).unwrap();
    assert_solves(&solver);
    fs::remove_file(folder.path().join("elsewhere")).unwrap();
    assert_solves(&solver);
    assert!(!file.exists(), "nothing was built again");
}

/// Makes a file look as if it was written long ago, as most tables are: then a write to it is sure
/// to be seen in its times.
fn settle(path: &Path) {
    let file = File::options().write(true).open(path).unwrap();
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(1000);
    file.set_modified(long_ago).unwrap();
}
