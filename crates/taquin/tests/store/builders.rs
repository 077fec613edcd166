//! Several who want the same table at once, and builders that are killed.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use taquin::tables::store::{FileCheck, StoreNotice};

use crate::support::{
    Folder, Process, assert_is_the_table, built_now, key, key_of, payload, request,
};

#[test]
fn one_of_several_threads_builds_and_the_others_read() {
    const OTHERS: usize = 3;
    let folder = Folder::empty();
    let store = &folder.store;
    let builds = AtomicUsize::new(0);
    let (waiting, all_wait) = mpsc::channel();
    let (building, is_building) = mpsc::channel();
    thread::scope(|scope| {
        let builds = &builds;
        scope.spawn(move || {
            let build = || {
                builds.fetch_add(1, Ordering::Relaxed);
                building.send(()).unwrap();
                // The others are sure to come too early.
                (0..OTHERS).for_each(|_| all_wait.recv().unwrap());
                built_now()
            };
            let table = store.get_or_build(&request(), build, &mut |notice| panic!("{notice}"));
            assert!(table.unwrap().path().is_none());
        });
        is_building.recv().unwrap();
        for _ in 0..OTHERS {
            let waiting = waiting.clone();
            scope.spawn(move || {
                let build = || {
                    builds.fetch_add(1, Ordering::Relaxed);
                    built_now()
                };
                let mut tell = |notice: StoreNotice| {
                    assert!(matches!(notice, StoreNotice::Waiting { .. }), "{notice}");
                    waiting.send(()).unwrap();
                };
                let table = store.get_or_build(&request(), build, &mut tell).unwrap();
                assert!(table.path().is_some());
                assert_is_the_table(&table);
            });
        }
    });
    assert_eq!(builds.into_inner(), 1);
}

#[test]
fn tables_of_different_patterns_are_built_at_the_same_time() {
    let folder = Folder::empty();
    let lock = folder.store.try_lock(key()).unwrap().unwrap();
    assert!(folder.store.try_lock(key()).unwrap().is_none());
    let other = folder.store.try_lock(key_of([2, 3])).unwrap().unwrap();
    assert_eq!(*lock.subject(), key().into());
    assert_eq!(*other.subject(), key_of([2, 3]).into());
    drop(lock);
    assert!(folder.store.try_lock(key()).unwrap().is_some());
}

#[test]
fn a_failed_build_gives_its_error_and_lets_the_next_one_try() {
    let folder = Folder::empty();
    let mut tell = |notice: StoreNotice| panic!("{notice}");
    let result = folder
        .store
        .get_or_build(&request(), || Err("no"), &mut tell);
    assert_eq!(result.err(), Some("no"));
    assert!(folder.names().is_empty());
    let (built, notices) = folder.get(FileCheck::Header);
    assert_eq!((built, notices.len()), (1, 0));
}

#[test]
fn one_of_two_processes_builds_and_the_other_reads() {
    let folder = Folder::empty();
    let mut first = Process::start(folder.path());
    assert_eq!(first.tells(), "building");
    let mut second = Process::start(folder.path());
    assert_eq!(second.tells(), "waiting");
    first.finish_building();
    assert_eq!(first.tells(), "done");
    assert_eq!(second.tells(), "done");
    assert!(first.end().success() && second.end().success());
    assert_eq!(folder.names(), ["4x4-blank15-0,1,4,5.taquin"]);
    let (built, _) = folder.get(FileCheck::All { threads: 1 });
    assert_eq!(built, 0);
}

#[test]
fn when_a_builder_is_killed_the_one_that_waits_builds() {
    let folder = Folder::empty();
    let mut first = Process::start(folder.path());
    assert_eq!(first.tells(), "building");
    let mut second = Process::start(folder.path());
    assert_eq!(second.tells(), "waiting");
    first.kill();
    assert_eq!(second.tells(), "building");
    second.finish_building();
    assert_eq!(second.tells(), "done");
    assert!(second.end().success());
    assert_eq!(folder.names(), ["4x4-blank15-0,1,4,5.taquin"]);
}

#[test]
fn a_builder_killed_at_any_moment_leaves_nothing_that_is_read() {
    let folder = Folder::empty();
    for _ in 0..10 {
        let mut builder = Process::start(folder.path());
        assert_eq!(builder.tells(), "building");
        builder.finish_building();
        // It is anywhere now between building and the end.
        builder.kill();
        if let Some(table) = folder.store.open(key()).unwrap() {
            assert_is_the_table(&table);
            folder.store.remove(key()).unwrap();
        }
    }
    let (_, notices) = folder.get(FileCheck::All { threads: 2 });
    assert!(notices.is_empty(), "{notices:?}");
    assert_eq!(folder.names(), ["4x4-blank15-0,1,4,5.taquin"]);
}

/// The system kills a process that writes more into a file than it may, right after the last byte
/// that it may write: so the builder ends at a known place in the middle of the file.
#[cfg(unix)]
#[test]
fn a_builder_killed_while_it_writes_leaves_nothing_that_is_read() {
    let folder = Folder::empty();
    // In blocks of 512 bytes: in the header, between header and payload, in the payload.
    for blocks in [1, 8, 9, 3000] {
        let limit = format!("ulimit -c 0; ulimit -f {blocks}");
        let mut builder = Process::start_after(&limit, folder.path());
        assert_eq!(builder.tells(), "building");
        // It has cleared away what the one before it had left.
        assert!(folder.temporary_files().is_empty());
        builder.finish_building();
        assert_eq!(builder.tells(), "");
        assert!(!builder.end().success());

        let [half] = &folder.temporary_files()[..] else {
            panic!("{:?}", folder.names());
        };
        let len = fs::metadata(half).unwrap().len();
        assert_eq!(len, blocks * 512);
        assert_eq!(folder.names().len(), 1);
        assert!(folder.store.open(key()).unwrap().is_none());
    }
    let (built, notices) = folder.get(FileCheck::Header);
    assert_eq!((built, notices.len()), (1, 0));
    assert_eq!(folder.names(), ["4x4-blank15-0,1,4,5.taquin"]);
}

/// As above, but the process asked to be told instead of killed: to it the disk is full.
#[cfg(unix)]
#[test]
fn a_full_disk_gives_a_sentence_and_the_table_and_leaves_nothing() {
    let folder = Folder::empty();
    let limit = "trap '' XFSZ; ulimit -f 3000";
    let mut builder = Process::start_after(limit, folder.path());
    assert_eq!(builder.tells(), "building");
    builder.finish_building();
    let told = builder.tells();
    let expected = format!("not kept: {}: cannot write it: ", folder.file().display());
    assert!(told.starts_with(&expected), "{told}");
    assert_eq!(builder.tells(), "done");
    assert!(builder.end().success());
    assert!(folder.names().is_empty());
}

#[test]
fn files_of_killed_writers_are_cleared_away_but_not_those_of_living_ones() {
    let folder = Folder::empty();
    let dead = folder.path().join("4x4-blank15-2,3.taquin.abc.tmp");
    let alive = folder.path().join("4x4-blank15-0,1,4,5.taquin.abc.tmp");
    fs::write(&dead, payload()).unwrap();
    fs::write(&alive, payload()).unwrap();
    let lock = folder.store.try_lock(key()).unwrap().unwrap();
    for listed in folder.store.list().unwrap() {
        if listed.path == alive {
            assert!(!listed.remove().unwrap());
        }
    }
    assert_eq!(folder.store.clean().unwrap(), [&*dead]);
    assert_eq!(folder.temporary_files(), [&*alive]);
    lock.clean().unwrap();
    assert!(folder.names().is_empty());
}
