//! What is written, read, listed, removed.

use std::fs;

use taquin::tables::Key;
use taquin::tables::store::{FileCheck, ListedState, Store, StoreErrorKind, StoreNotice};

use crate::support::{BYTES, Folder, MAX, START, assert_is_the_table, key, key_of, payload};

#[test]
fn what_is_written_is_read() {
    let folder = Folder::empty();
    assert!(folder.store.open(key()).unwrap().is_none());
    let lock = folder.store.try_lock(key()).unwrap().unwrap();
    lock.write(BYTES as u64, MAX, &payload()).unwrap();
    let table = folder.store.open(key()).unwrap().unwrap();
    assert_is_the_table(&table);
    assert_eq!(table.path(), Some(&*folder.file()));
    assert_eq!(folder.names(), ["4x4-blank15-0,1,4,5.taquin"]);
}

#[test]
fn payloads_of_every_length_are_read() {
    let folder = Folder::empty();
    let lock = folder.store.try_lock(key()).unwrap().unwrap();
    for len in [0, 1, 4096, (1 << 20) - 1, 1 << 20, (1 << 20) + 1] {
        lock.write(7, 3, &payload()[..len]).unwrap();
        let table = folder.store.open(key()).unwrap().unwrap();
        for threads in [0, 1, 2, 9] {
            table.verify(threads).unwrap();
        }
        assert!(table.bytes()[..] == payload()[..len], "{len} bytes");
        let address = table.bytes().as_ptr().addr();
        assert!(len == 0 || address.is_multiple_of(4096), "{len} bytes");
    }
}

#[test]
fn names_tell_tables_apart() {
    let store = Store::new("tables");
    let key = |size: &str, blank, homes: &[usize]| {
        let pattern = homes.iter().copied().collect();
        Key::new(size.parse().unwrap(), blank, pattern).unwrap()
    };
    let keys = [
        key("4x4", 15, &[0, 1]),
        key("4x4", 15, &[0, 1, 2]),
        key("4x4", 15, &[0, 12]),
        key("4x4", 5, &[0, 1]),
        key("4x5", 15, &[0, 1]),
        key("5x4", 15, &[0, 1]),
    ];
    let mut paths: Vec<_> = keys.iter().map(|key| store.path(key)).collect();
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), keys.len());
    assert!(paths.iter().all(|path| path.starts_with("tables")));
}

#[test]
fn a_table_that_was_removed_or_replaced_can_be_used_by_those_who_have_it() {
    let folder = Folder::with_table();
    let old = folder.store.open(key()).unwrap().unwrap();
    let lock = folder.store.try_lock(key()).unwrap().unwrap();
    lock.write(1, 1, b"other").unwrap();
    let new = folder.store.open(key()).unwrap().unwrap();
    assert!(folder.store.remove(key()).unwrap());
    assert!(!folder.store.remove(key()).unwrap());
    assert!(folder.store.open(key()).unwrap().is_none());
    assert_is_the_table(&old.clone());
    new.verify(1).unwrap();
    assert_eq!(new.bytes()[..], *b"other");
}

#[test]
fn a_copy_in_memory_is_equal_to_the_file() {
    let folder = Folder::with_table();
    let table = folder.store.open(key()).unwrap().unwrap();
    let copy = table.bytes().to_huge_pages(2).unwrap();
    assert!(copy[..] == payload());
}

#[test]
fn a_list_shows_tables_and_what_only_looks_like_them() {
    let folder = Folder::with_table();
    let other = folder.store.try_lock(key_of([2, 3])).unwrap().unwrap();
    other.write(10, 4, &[1; 10]).unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::copy(folder.file(), file("4x4-blank15-0.taquin")).unwrap();
    fs::write(file("notes.taquin"), "Not what you think.").unwrap();
    fs::write(file("notes.txt"), "Nothing to do with us.").unwrap();
    fs::write(file("4x4-blank15-7.taquin.x1y2.tmp"), "half").unwrap();

    let list = folder.store.list().unwrap();
    let shown: Vec<_> = list
        .iter()
        .map(|file| {
            let name = file.path.file_name().unwrap().to_str().unwrap();
            let state = match &file.state {
                ListedState::Table(table) => format!("table, max {}", table.description().max),
                ListedState::Unusable(error) => error.kind().to_string(),
                ListedState::Temporary => "temporary".to_owned(),
                other => panic!("{other:?}"),
            };
            format!("{name}: {} bytes: {state}", file.bytes)
        })
        .collect();
    let whole = START + BYTES;
    assert_eq!(
        shown,
        [
            format!("4x4-blank15-0,1,4,5.taquin: {whole} bytes: table, max {MAX}"),
            format!(
                "4x4-blank15-0.taquin: {whole} bytes: \
                 the table 4x4-blank15-0,1,4,5, under a wrong name"
            ),
            "4x4-blank15-2,3.taquin: 4106 bytes: table, max 4".to_owned(),
            "4x4-blank15-7.taquin.x1y2.tmp: 4 bytes: temporary".to_owned(),
            "notes.taquin: 19 bytes: not a table of Taquin".to_owned(),
        ]
    );

    for file in &list {
        assert!(file.remove().unwrap(), "{}", file.path.display());
        assert!(!file.remove().unwrap(), "{}", file.path.display());
    }
    assert_eq!(folder.names(), ["notes.txt"]);
}

#[test]
fn a_folder_that_does_not_exist_is_an_empty_store_and_is_made_when_needed() {
    let folder = Folder::empty();
    let store = Store::new(folder.path().join("a/b"));
    assert!(store.list().unwrap().is_empty());
    assert!(store.clean().unwrap().is_empty());
    assert!(!store.remove(key()).unwrap());
    assert!(store.open(key()).unwrap().is_none());
    let lock = store.try_lock(key()).unwrap().unwrap();
    lock.write(BYTES as u64, MAX, &payload()).unwrap();
    assert_is_the_table(&store.open(key()).unwrap().unwrap());
}

#[test]
fn a_folder_that_cannot_be_written_gives_a_sentence_and_the_table() {
    // Root may write everywhere, but nobody below a file.
    let mut below = Folder::empty();
    let file = below.path().join("file");
    fs::write(&file, "").unwrap();
    below.store = Store::new(file.join("tables"));
    let (built, notices) = below.get(FileCheck::Header);
    assert_eq!(built, 1);
    let [notice @ StoreNotice::NotKept(error)] = &notices[..] else {
        panic!("{notices:?}");
    };
    assert_eq!(error.path(), below.store.folder());
    assert!(matches!(error.kind(), StoreErrorKind::Io { .. }));
    let sentence = notice.to_string();
    let start = format!(
        "{}: cannot make this folder: ",
        below.store.folder().display()
    );
    assert!(sentence.starts_with(&start), "{sentence}");
    assert!(sentence.ends_with("; the table is not kept"), "{sentence}");
}

#[test]
fn the_default_folder_is_among_the_caches() {
    let folder = Store::default_folder().expect("whoever runs tests has a home");
    assert!(folder.ends_with("taquin/tables"), "{}", folder.display());
}
