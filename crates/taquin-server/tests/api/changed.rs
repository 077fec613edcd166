//! Tables that are changed while the server uses them.
//!
//! On Unix: other systems do not let a file be replaced while it is mapped into memory.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::json;
use taquin::supply::TableSource;
use taquin::tables::Tier;
use taquin::tables::store::Store;
use taquin::{Budget, Metric};

use crate::support::{EASY, Rig, path, until};
use crate::tables::{goal, keys};

/// Writes a wrong byte into the only table, where it lies.
fn spoil(folder: &Path) -> PathBuf {
    let file = Store::new(folder).path(keys()[0]);
    let bytes = fs::read(&file).unwrap();
    let place = bytes.len() - 1000;
    let mut open = File::options().write(true).open(&file).unwrap();
    open.seek(SeekFrom::Start(place as u64)).unwrap();
    open.write_all(&[!bytes[place]]).unwrap();
    file
}

#[test]
fn a_table_that_is_changed_under_the_server_is_a_problem_of_the_server_and_then_built_again() {
    let folder = tempfile::tempdir().unwrap();
    let source = TableSource::stored(Store::new(folder.path()));
    source
        .get(&goal(), Metric::Single, Tier::Quick, &Budget::default())
        .unwrap();
    let optimal = json!({"board": EASY, "optimal": true});
    let hint = json!({"board": EASY, "within_ms": 5_000});
    let within = json!({"board": EASY, "within_ms": 5_000});
    for (name, request) in [("solve", &optimal), ("solve", &within), ("hint", &hint)] {
        // It has the table from the file, not from building it.
        let rig = Rig::with_tables(folder.path());
        let is_right = |rig: &Rig| {
            let answer = rig.ask("solve", &optimal);
            assert_eq!(
                (&answer["length"], &answer["optimal"]),
                (&json!(14), &json!(true))
            );
        };
        is_right(&rig);
        let file = spoil(folder.path());
        let problem = rig.post(name, request).problem(500, "changed-table");
        let (detail, file_name) = (
            problem["detail"].as_str().unwrap(),
            file.file_name().unwrap(),
        );
        assert!(detail.contains(file_name.to_str().unwrap()), "{detail}");
        let folder_name = folder.path().to_str().unwrap();
        assert!(
            !detail.contains(folder_name),
            "clients need not know: {detail}"
        );
        is_right(&rig);
        // It is written in the background.
        until("the file is whole again", || {
            let table = Store::new(folder.path()).open(keys()[0]).unwrap();
            table.is_some_and(|table| table.verify(1).is_ok())
        });
    }
}

#[test]
fn a_stream_tells_nothing_that_a_changed_table_led_to() {
    let folder = tempfile::tempdir().unwrap();
    let source = TableSource::stored(Store::new(folder.path()));
    source
        .get(&goal(), Metric::Single, Tier::Quick, &Budget::default())
        .unwrap();
    let rig = Rig::with_tables(folder.path());
    rig.ask("solve", &json!({"board": EASY}));
    spoil(folder.path());
    let stream = path("solve/stream", &[("board", EASY), ("within_ms", "5000")]);
    let events = rig.stream(&stream);
    let events: Vec<_> = events.filter(|event| event.name != "progress").collect();
    let [problem] = &events[..] else {
        panic!("{:?}", events.iter().map(|event| &event.name));
    };
    assert_eq!(problem.name, "problem");
    assert_eq!(problem.data["type"], "/problems/changed-table");
}
