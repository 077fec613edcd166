//! Files of any bytes in the place of a table: what the fuzz target `table_header` looks for, for
//! a few seconds on every machine.

use std::fs;

use proptest::prelude::*;

use crate::any_file::{judge, make_file};
use crate::support::Folder;

/// A header without changes, with its checksum, and a payload of three bytes: the table itself.
const GOOD: [u8; 4] = [0b11, 9, 8, 7];

#[test]
fn the_judge_knows_a_good_file() {
    let folder = Folder::empty();
    let file = make_file(&GOOD);
    judge(&folder.store, &file);
    fs::write(folder.path().join("3x3-blank8-0,1,2.taquin"), &file).unwrap();
    let listed = folder.store.list().unwrap();
    let [listed] = &listed[..] else {
        panic!("{listed:?}");
    };
    let taquin::tables::store::ListedState::Table(stored) = &listed.state else {
        panic!("{listed:?}");
    };
    stored.verify(1).unwrap();
    assert_eq!(stored.bytes()[..], GOOD[1..]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_file_is_accepted_without_its_checksums(
        mode: u8,
        rest in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let folder = Folder::empty();
        let data = [&[mode][..], &rest].concat();
        judge(&folder.store, &make_file(&data));
    }
}
