//! Damage is found, named, and repaired.

use std::fs;

use taquin::tables::store::{FileCheck, StoreErrorKind, StoreNotice};

use crate::support::{BYTES, Folder, START, key, key_of};

/// Changes the table's file.
fn damage(folder: &Folder, change: impl FnOnce(&mut Vec<u8>)) {
    let mut file = fs::read(folder.file()).unwrap();
    change(&mut file);
    // Not in place: the old file may still be mapped.
    fs::remove_file(folder.file()).unwrap();
    fs::write(folder.file(), file).unwrap();
}

/// The one notice of a rebuild, as it is told, without the file's name.
fn rebuild(folder: &Folder, check: FileCheck) -> String {
    let (built, notices) = folder.get(check);
    assert_eq!(built, 1);
    let [notice @ StoreNotice::Rebuilding(error)] = &notices[..] else {
        panic!("{notices:?}");
    };
    assert_eq!(error.path(), folder.file());
    let sentence = notice.to_string();
    let file = format!("{}: ", folder.file().display());
    let reason = sentence.strip_prefix(&file).expect("it names the file");
    // And now it is in order.
    let (built, notices) = folder.get(FileCheck::All { threads: 2 });
    assert_eq!((built, notices.len()), (0, 0));
    reason.to_owned()
}

#[test]
fn a_table_that_is_there_is_not_built() {
    let folder = Folder::with_table();
    for check in [FileCheck::Header, FileCheck::All { threads: 2 }] {
        let (built, notices) = folder.get(check);
        assert_eq!((built, notices.len()), (0, 0));
    }
}

#[test]
fn a_table_that_is_not_there_is_built_once() {
    let folder = Folder::empty();
    for expected in [1, 0] {
        let (built, notices) = folder.get(FileCheck::Header);
        assert_eq!((built, notices.len()), (expected, 0));
    }
}

#[test]
fn damage_to_the_header_is_named_and_repaired() {
    type Change = fn(&mut Vec<u8>);
    let cases: [(Change, &str); 10] = [
        (
            |file| file.clear(),
            "damaged: it ends within its header, after 0 bytes",
        ),
        (
            |file| file.truncate(5),
            "damaged: it ends within its header, after 5 bytes",
        ),
        (
            |file| file.truncate(50),
            "damaged: it ends within its header, after 50 bytes",
        ),
        (
            |file| file.truncate(START + 1000),
            "damaged: it has 5096 bytes, and its header says 3149924",
        ),
        (
            |file| file.push(0),
            "damaged: it has 3149925 bytes, and its header says 3149924",
        ),
        (
            |file| file[30] ^= 4,
            "damaged: its header does not have its checksum",
        ),
        (
            |file| file[START - 1] = 1,
            "damaged: its header does not have its checksum",
        ),
        (
            |file| file[..4].copy_from_slice(b"\x7fELF"),
            "not a table of Taquin",
        ),
        (
            |file| file[8] = 0,
            "a table in format 0, and this is format 1",
        ),
        (
            |file| file[8] = 2,
            "a table in format 2, and this is format 1",
        ),
    ];
    for (change, reason) in cases {
        let folder = Folder::with_table();
        damage(&folder, change);
        assert_eq!(
            rebuild(&folder, FileCheck::Header),
            format!("{reason}; building it again")
        );
    }
}

#[test]
fn a_flipped_byte_of_the_payload_is_found_wherever_it_is() {
    let part = 1 << 20;
    for (at, first, last) in [
        (0, 0, part - 1),
        (part - 1, 0, part - 1),
        (part, part, 2 * part - 1),
        (2 * part + 77, 2 * part, 3 * part - 1),
        (BYTES - 1, 3 * part, BYTES - 1),
    ] {
        let folder = Folder::with_table();
        damage(&folder, |file| file[START + at] ^= 0x10);
        // The header is in order, so the table opens; whoever uses it verifies it sooner or later.
        let table = folder.store.open(key()).unwrap().unwrap();
        for threads in [1, 2, 5] {
            let error = table.verify(threads).unwrap_err();
            assert_eq!(error.path(), folder.file());
            let StoreErrorKind::Payload { start, end } = *error.kind() else {
                panic!("{error}");
            };
            let range = (START + first) as u64..(START + last + 1) as u64;
            assert_eq!(start..end, range, "byte {at}, {threads} threads");
        }
        let reason = rebuild(&folder, FileCheck::All { threads: 2 });
        let (first, last) = (START + first, START + last);
        assert_eq!(
            reason,
            format!(
                "damaged: bytes {first} to {last} do not have their checksum; building it again"
            )
        );
    }
}

#[test]
fn the_first_of_several_damaged_parts_is_named() {
    let folder = Folder::with_table();
    damage(&folder, |file| {
        for at in (START + (1 << 20)..file.len()).step_by(1000) {
            file[at] ^= 1;
        }
    });
    let table = folder.store.open(key()).unwrap().unwrap();
    for _ in 0..20 {
        let error = table.verify(3).unwrap_err();
        let expected = (START + (1 << 20)) as u64;
        assert!(
            matches!(error.kind(), StoreErrorKind::Payload { start, .. } if *start == expected),
            "{error}"
        );
    }
}

#[test]
fn a_table_under_the_name_of_another_is_not_taken_for_it() {
    let folder = Folder::empty();
    let other = key_of([2, 3]);
    let lock = folder.store.try_lock(other).unwrap().unwrap();
    lock.write(10, 4, &[1; 10]).unwrap();
    fs::rename(folder.store.path(other), folder.file()).unwrap();
    assert_eq!(
        rebuild(&folder, FileCheck::Header),
        "the table 4x4-blank15-2,3, under a wrong name; building it again"
    );
}

#[test]
fn a_table_of_the_wrong_measure_is_not_used() {
    for (entries, bytes) in [(BYTES, BYTES - 1), (BYTES - 1, BYTES)] {
        let folder = Folder::empty();
        let lock = folder.store.try_lock(key()).unwrap().unwrap();
        lock.write(entries as u64, 4, &vec![1; bytes]).unwrap();
        drop(lock);
        assert_eq!(
            rebuild(&folder, FileCheck::Header),
            format!(
                "a table of {entries} entries in {bytes} bytes, not of {BYTES} in {BYTES}; \
                 building it again"
            )
        );
    }
}

#[test]
fn what_is_no_file_is_no_table() {
    let folder = Folder::empty();
    fs::create_dir(folder.file()).unwrap();
    let (built, notices) = folder.get(FileCheck::Header);
    assert_eq!(built, 1);
    assert!(
        matches!(
            &notices[..],
            [StoreNotice::Rebuilding(_), StoreNotice::NotKept(_)]
        ),
        "{notices:?}"
    );
    assert_eq!(folder.names(), ["4x4-blank15-0,1,4,5.taquin"]);
}
