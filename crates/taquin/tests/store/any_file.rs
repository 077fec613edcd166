//! What is true of every file in the place of a table. The property tests and the fuzz target
//! `table_header` share it.

use std::fs;

use taquin::Budget;
use taquin::tables::store::{FileCheck, ListedState, Store, StoreErrorKind, Stored, TableRequest};
use taquin::tables::{Bytes, Key, OutOfMemoryError, TableSubject};

/// The fixed fields of the header.
const FIELDS: usize = 48;
/// A header of one page.
const PAGE: usize = 4096;
/// The payload has a checksum for each part of this many bytes.
const PART: usize = 1 << 20;

/// The table that the store is asked for.
fn key() -> Key {
    let size = "3x3".parse().expect("a size");
    let homes = [0, 1, 2].into_iter().collect();
    Key::new(size, 8, homes).expect("a table")
}

/// Makes a file of any bytes: either they are the file, or they are changes to the header of a good
/// one and its payload, with checksums that are put right or not. So what comes after the checksums
/// gets its share too.
pub(crate) fn make_file(data: &[u8]) -> Vec<u8> {
    let Some((&mode, rest)) = data.split_first() else {
        return Vec::new();
    };
    if mode & 1 == 0 {
        return rest.to_vec();
    }
    let changes = usize::from(mode >> 3);
    let (changes, payload) = rest.split_at(rest.len().min(3 * changes));
    let mut file = good_header();
    file[40..48].copy_from_slice(&(payload.len() as u64).to_le_bytes());
    file[48..52].copy_from_slice(&crc32(payload).to_le_bytes());
    for change in changes.chunks_exact(3) {
        // Most changes go where the fields are.
        let place = usize::from(change[0]) | usize::from(change[1] & 0x8f) << 8;
        let place = if place < 0x8000 {
            place % 64
        } else {
            place % PAGE
        };
        file[place] = change[2];
    }
    if mode & 2 != 0 {
        let checksum = header_checksum(&file);
        file[12..16].copy_from_slice(&checksum.to_le_bytes());
    }
    file.extend(payload);
    if mode & 4 != 0 {
        file.truncate(file.len() / 2);
    }
    file
}

/// The header of the table that is asked for, with no payload yet.
fn good_header() -> Vec<u8> {
    let mut header = b"TAQUIN\x1a\n\x01\0\0\0".to_vec();
    header.extend([0; 4]);
    header.extend([3, 3, 8, 20, 0, 0, 0, 0]);
    header.extend(0b111_u64.to_le_bytes());
    header.extend(3_u64.to_le_bytes());
    header.resize(PAGE, 0);
    header
}

/// Puts a file in the place of a table and asks the store for it in every way. What is accepted has
/// its checksums and is what it says; what is refused is built.
pub(crate) fn judge(store: &Store, file: &[u8]) {
    let path = store.path(key());
    fs::create_dir_all(store.folder()).expect("a folder");
    fs::write(&path, file).expect("a file");

    // 1. Opened by its name.
    match store.open(key()) {
        Ok(stored) => judge_accepted(&stored.expect("it is there"), key().into(), file),
        Err(error) => match error.kind() {
            StoreErrorKind::Header => assert!(!has_its_checksum(file)),
            StoreErrorKind::OtherTable { found } => {
                // 2. Opened as what it says it is.
                let other = store.path(**found);
                fs::rename(&path, &other).expect("a new name");
                let stored = store.open(**found).expect("a table").expect("a file");
                judge_accepted(&stored, **found, file);
                let listed = store.list().expect("a list");
                assert!(
                    matches!(listed[..], [ref it] if matches!(it.state, ListedState::Table(_)))
                );
                fs::rename(&other, &path).expect("the old name");
            }
            _ => {}
        },
    }

    // 3. Listed.
    for listed in store.list().expect("a list") {
        assert_eq!(listed.bytes, file.len() as u64);
        if let ListedState::Table(stored) = listed.state {
            judge_accepted(&stored, key().into(), file);
        }
    }

    // 4. Wanted by somebody who knows how large the table has to be, and what is in it.
    let payload = [1, 2, 3];
    let request = TableRequest {
        subject: key().into(),
        entries: 3,
        bytes: payload.len(),
        check: FileCheck::All { threads: 1 },
    };
    let mut was_built = false;
    let build = || {
        was_built = true;
        Ok::<_, OutOfMemoryError>((Bytes::from(payload.to_vec()), 3))
    };
    // Nothing is written: a disk is slow, and `damage.rs` shows that bad files are replaced.
    let table = store.get_unwritten(
        &request,
        build,
        &Budget::default(),
        &Budget::default(),
        &mut drop,
    );
    let (table, unwritten) = table.expect("nothing is out of memory");
    assert_eq!(unwritten.is_some(), was_built);
    if was_built {
        assert_eq!(table.bytes()[..], payload);
    } else {
        assert_eq!(file.len(), PAGE + payload.len());
        judge_accepted(&table, key().into(), file);
        assert!(table.verify(1).is_ok());
    }
    drop((table, unwritten));
    fs::remove_file(&path).expect("a file");
}

/// Whether the header has its checksum; it must be long enough for that.
fn has_its_checksum(file: &[u8]) -> bool {
    let start = payload_start(file);
    file.len() >= start && header_checksum(&file[..start]).to_le_bytes() == file[12..16]
}

fn judge_accepted(stored: &Stored, subject: TableSubject, file: &[u8]) {
    assert!(file.starts_with(b"TAQUIN\x1a\n\x01\0\0\0"));
    assert!(has_its_checksum(file));
    let description = stored.description();
    assert_eq!(description.subject, subject);
    assert_eq!(description.max, file[19]);
    assert_eq!(description.entries.to_le_bytes(), file[32..40]);
    let payload = &file[payload_start(file)..];
    assert_eq!(stored.bytes()[..], *payload);
    assert_eq!((payload.len() as u64).to_le_bytes(), file[40..48]);
    let sums = file[FIELDS..].chunks_exact(4);
    let right = payload
        .chunks(PART)
        .zip(sums)
        .all(|(part, sum)| crc32(part).to_le_bytes() == *sum);
    assert_eq!(stored.verify(1).is_ok(), right);
}

/// Where the payload begins, by what the header says of its length.
fn payload_start(file: &[u8]) -> usize {
    let bytes = file[40..48].iter().rev();
    let bytes = bytes.fold(0_u64, |bytes, &byte| bytes << 8 | u64::from(byte));
    let parts = bytes.div_ceil(PART as u64) as usize;
    (FIELDS + 4 * parts).next_multiple_of(PAGE)
}

/// The checksum of a header without its own place.
fn header_checksum(header: &[u8]) -> u32 {
    crc32(&[&header[..12], &header[16..]].concat())
}

/// The checksum as it is defined, bit by bit: the library's own is not asked.
fn crc32(bytes: &[u8]) -> u32 {
    let shift = |crc: u32| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| shift(crc))
    })
}
