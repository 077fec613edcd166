//! Nobody waits longer than he has time, and nothing but a file is opened.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fs, thread};

use taquin::tables::store::{FileCheck, StoreErrorKind, StoreNotice, Stored, TableRequest};
use taquin::{Budget, Limit, Limits};

use crate::support::{Folder, assert_is_the_table, built_now, key, payload, request};

/// A budget whose time is over.
fn over() -> Budget {
    Budget::new(&Limits::within(Duration::ZERO))
}

/// Asks for the table without time to wait; says what was noticed, and whether it can be kept.
fn get_without_waiting(folder: &Folder) -> (Stored, Vec<StoreNotice>, bool) {
    let mut notices = Vec::new();
    let request = TableRequest {
        check: FileCheck::All { threads: 2 },
        ..request()
    };
    let got = folder
        .store
        .get_unwritten(&request, built_now, &over(), &over(), &mut |notice| {
            notices.push(notice);
        });
    let (table, unwritten) = got.unwrap();
    assert_is_the_table(&table);
    (table, notices, unwritten.is_some())
}

#[test]
fn whoever_has_no_time_to_wait_for_a_lock_builds_in_memory() {
    let folder = Folder::empty();
    let lock = folder.store.try_lock(key()).unwrap().unwrap();
    let (table, notices, can_be_kept) = get_without_waiting(&folder);
    assert!(table.path().is_none() && !can_be_kept);
    let [
        StoreNotice::Waiting { path },
        notice @ StoreNotice::NotWaiting { path: same },
    ] = &notices[..]
    else {
        panic!("{notices:?}");
    };
    assert_eq!((path, same), (&folder.file(), &folder.file()));
    let sentence = notice.to_string();
    assert!(sentence.ends_with("doing without the file"), "{sentence}");
    assert!(folder.names().is_empty());
    drop(lock);
}

#[test]
fn whoever_has_no_time_to_check_a_file_leaves_it_alone() {
    let folder = Folder::with_table();
    let before = fs::read(folder.file()).unwrap();
    let (table, notices, can_be_kept) = get_without_waiting(&folder);
    assert!(table.path().is_none() && !can_be_kept);
    let [StoreNotice::NotChecked(error)] = &notices[..] else {
        panic!("{notices:?}");
    };
    assert_eq!(error.path(), folder.file());
    let limit = Limit::Time;
    assert!(matches!(error.kind(), StoreErrorKind::Stopped { limit: by } if *by == limit));
    assert!(fs::read(folder.file()).unwrap() == before);
}

#[test]
fn a_check_ends_with_its_budget() {
    let folder = Folder::with_table();
    let table = folder.store.open(key()).unwrap().unwrap();
    for threads in [1, 3] {
        let stopped = table.verify_within(threads, &over()).unwrap_err();
        assert!(matches!(stopped.kind(), StoreErrorKind::Stopped { .. }));
        table.verify_within(threads, &Budget::default()).unwrap();
    }
}

#[test]
fn a_wait_for_a_lock_ends_with_its_flag() {
    let folder = Folder::empty();
    let _held = folder.store.try_lock(key()).unwrap().unwrap();
    assert!(folder.store.lock(key(), &over()).unwrap().is_none());
    let cancel = Arc::new(AtomicBool::new(false));
    let budget = Budget::new(&Limits {
        cancel: Some(Arc::clone(&cancel)),
        ..Limits::default()
    });
    thread::scope(|scope| {
        let wait = scope.spawn(|| folder.store.lock(key(), &budget).unwrap().is_none());
        cancel.store(true, Ordering::Relaxed);
        assert!(wait.join().unwrap());
    });
}

/// Makes a pipe, which would be opened only when somebody opens its other end.
#[cfg(unix)]
fn make_pipe(path: &std::path::Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success(), "{}", path.display());
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_is_an_error_at_once() {
    let folder = Folder::empty();
    make_pipe(&folder.file());
    let error = folder.store.open(key()).unwrap_err();
    assert!(matches!(error.kind(), StoreErrorKind::NoFile), "{error}");
    assert_eq!(folder.store.list().unwrap().len(), 1);
    // The table takes its place.
    let (built, notices) = folder.get(FileCheck::Header);
    assert!(matches!(&notices[..], [StoreNotice::Rebuilding(_)]));
    assert_eq!(
        (built, fs::metadata(folder.file()).unwrap().is_file()),
        (1, true)
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_folder_in_the_place_of_a_lock_is_an_error_at_once() {
    let pipe = Folder::empty();
    let lock = |folder: &Folder| folder.path().join("4x4-blank15-0,1,4,5.taquin.lock");
    make_pipe(&lock(&pipe));
    // Also if there is somebody at its other end.
    let read = Folder::empty();
    make_pipe(&lock(&read));
    let both_ends = fs::File::options().read(true).write(true).open(lock(&read));
    let sub_folder = Folder::empty();
    fs::create_dir(lock(&sub_folder)).unwrap();
    let device = Folder::empty();
    std::os::unix::fs::symlink("/dev/null", lock(&device)).unwrap();
    for folder in [pipe, read, sub_folder, device] {
        let error = folder.store.try_lock(key()).unwrap_err();
        assert!(matches!(error.kind(), StoreErrorKind::NoFile), "{error}");
        assert_eq!(error.path(), lock(&folder));
        let left = folder.path().join("4x4-blank15-0,1,4,5.taquin.abc.tmp");
        fs::write(&left, payload()).unwrap();
        assert!(folder.store.clean().is_err());
        // The table can be had all the same.
        let (built, notices) = folder.get(FileCheck::Header);
        assert!(
            matches!(&notices[..], [StoreNotice::NotKept(_)]),
            "{notices:?}"
        );
        assert_eq!(built, 1);
    }
    drop(both_ends);
}
