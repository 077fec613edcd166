//! What happens to a file after it was checked.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use taquin::heuristic::PatternChoice;
use taquin::search::{Algorithm, Cost, Laboratory, LaboratoryError};
use taquin::space::{DistanceError, SampleError, Space};
use taquin::supply::TableSource;
use taquin::tables::store::Store;
use taquin::tables::{AnyTables, ChangedTableError};
use taquin::{Board, Budget, Goal, Limits, Metric, Rng, uniform};

use crate::support::{BYTES, Folder, START, key, payload};

/// Writes a byte into a file, where it lies.
fn write(path: &Path, at: u64, byte: u8) {
    let mut file = File::options().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&[byte]).unwrap();
}

/// Makes a file look as if it was last written long ago, so that the next write is seen in its times.
fn settle(path: &Path) {
    let file = File::options().write(true).open(path).unwrap();
    let long_ago = SystemTime::now() - Duration::from_secs(100);
    file.set_modified(long_ago).unwrap();
}

#[test]
fn a_byte_that_is_changed_after_the_check_is_noticed() {
    let folder = Folder::with_table();
    let table = folder.store.open(key()).unwrap().unwrap();
    table.verify(2).unwrap();
    assert_eq!(table.bytes().confirm(), Ok(()));
    let place = (1 << 20) + 5;
    write(&folder.file(), (START + place) as u64, !payload()[place]);
    let start = (START + (1 << 20)) as u64;
    let changed = Err(ChangedTableError {
        path: folder.file(),
        part: Some((start, start + (1 << 20))),
    });
    assert_eq!(table.bytes().confirm(), changed);
    // What was found before cannot be trusted, whatever is done about it.
    write(&folder.file(), (START + place) as u64, payload()[place]);
    assert_eq!(table.bytes().confirm(), changed);
    let again = folder.store.open(key()).unwrap().unwrap();
    again.verify(2).unwrap();
    assert_eq!(again.bytes().confirm(), Ok(()));
}

#[test]
fn a_byte_that_is_changed_and_changed_back_is_noticed() {
    let folder = Folder::with_table();
    let table = folder.store.open(key()).unwrap().unwrap();
    settle(&folder.file());
    table.verify(2).unwrap();
    assert_eq!(table.bytes().confirm(), Ok(()));
    write(&folder.file(), START as u64, payload()[0]);
    let changed = table.bytes().confirm().unwrap_err();
    assert_eq!((changed.path, changed.part), (folder.file(), None));
}

#[test]
fn what_was_never_checked_is_checked_before_it_is_confirmed() {
    let folder = Folder::with_table();
    write(&folder.file(), (START + BYTES - 1) as u64, 255);
    let table = folder.store.open(key()).unwrap().unwrap();
    assert!(table.bytes().confirm().is_err());
}

#[test]
fn another_name_or_none_is_no_change() {
    let folder = Folder::with_table();
    let table = folder.store.open(key()).unwrap().unwrap();
    table.verify(2).unwrap();
    let other = folder.path().join("other");
    fs::rename(folder.file(), &other).unwrap();
    assert_eq!(table.bytes().confirm(), Ok(()));
    fs::remove_file(other).unwrap();
    assert_eq!(table.bytes().confirm(), Ok(()));
    // Memory stays as it is.
    assert_eq!(table.bytes().to_huge_pages(1).unwrap().confirm(), Ok(()));
}

#[test]
fn lookups_in_an_atlas_that_was_changed_are_errors() {
    let folder = Folder::empty();
    let source = TableSource::stored(Store::new(folder.path()));
    let goal = Goal::Classic.board("2x5".parse().unwrap()).unwrap();
    let space = Space::new(&goal, Metric::Single).unwrap();
    let get = || {
        let from = space.atlas(&source, false, &Budget::default()).unwrap();
        (from.atlas, from.time.is_some())
    };
    assert!(get().1, "it was searched");
    let (atlas, is_new) = get();
    assert!(!is_new);
    let board = uniform(&goal, &mut Rng::from_seed(1));
    let distance = atlas.distance(&board).unwrap();
    let common = 35;
    let sample = || atlas.sample(common, 2, &mut Rng::from_seed(1), 1, &Budget::default());
    assert!(sample().is_ok());
    assert!(atlas.census().all().at(common) > 100_000, "it is looked up");

    let file = folder.store.path(space.key());
    let byte = fs::read(&file).unwrap()[START + 777];
    write(&file, START as u64 + 777, !byte);
    let is_named = |error: DistanceError| match error {
        DistanceError::Changed(changed) => changed.path == file,
        _ => false,
    };
    assert!(atlas.distance(&board).is_err_and(is_named));
    assert!(atlas.best(&board).is_err_and(is_named));
    assert!(atlas.solution(&board).is_err_and(is_named));
    assert!(matches!(sample(), Err(SampleError::Changed(_))));
    // It is made again for the next one.
    let (atlas, is_new) = get();
    assert!(is_new);
    assert_eq!(atlas.distance(&board), Ok(distance));

    // A file that was made shorter is not read any more.
    let (atlas, is_new) = get();
    assert!(!is_new);
    let shorter = File::options().write(true).open(&file).unwrap();
    shorter.set_len(START as u64).unwrap();
    assert!(atlas.distance(&board).is_err_and(is_named));
    assert!(matches!(atlas.best(&board), Err(DistanceError::Changed(_))));
}

#[test]
fn a_search_of_the_laboratory_with_tables_that_were_changed_is_an_error() {
    let folder = Folder::empty();
    let source = TableSource::stored(Store::new(folder.path()));
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let goal = Goal::Classic.board(board.size()).unwrap();
    let choice: PatternChoice = "4-4".parse().unwrap();
    let catalogue = choice.catalogue(&goal).unwrap();
    let tier = taquin::tables::Tier::Quick;
    let search = || {
        let set = source.set(&catalogue.clone().into(), tier, &Budget::default());
        let Ok(AnyTables::Patterns(set)) = set else {
            panic!("{set:?}");
        };
        Laboratory::with_tables(&goal, Cost::Unit, choice, &set).unwrap()
    };
    search();
    let file = folder.store.path(catalogue.keys()[0]);
    settle(&file);
    let laboratory = search();
    let solve = || laboratory.search(&board, Algorithm::Idastar, &Limits::default());
    assert!(solve().is_ok());
    // The same byte again, since debug builds find wrong ones themselves.
    let byte = fs::read(&file).unwrap()[START];
    write(&file, START as u64, byte);
    let refused = solve().unwrap_err();
    assert!(
        matches!(&refused, LaboratoryError::Changed(changed) if changed.path == file),
        "{refused}"
    );
}
