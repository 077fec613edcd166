//! Tables of multi-tile moves: built, listed, checked, used, damaged and removed.

use std::fs;

use crate::support::Tables;

const BUILD: [&str; 4] = ["build", "3x3", "--metric", "multi"];
const SOLVE: [&str; 5] = ["solve", "--metric", "multi", "--json", "8 6 7/2 5 4/3 0 1"];

#[test]
fn what_was_built_is_listed_sound_used_and_removed() {
    let tables = Tables::new();
    let built = tables.run(&BUILD).succeeds();
    assert!(built.contains("colours 111/223/34.: "), "{built}");
    let count = tables.files(".taquin").len();
    assert!(count > 1 && built.contains(&format!("{count} tables for 3x3 in ")));
    // Built once: also for the board turned over, and for other corners.
    for goal in ["classic", "blank-first"] {
        let again = tables.run(&[&BUILD[..], &["--goal", goal]].concat());
        assert_eq!(again.succeeds().matches("already there").count(), count);
    }
    let listed = tables.run(&["list", "--json"]).succeeds();
    assert_eq!(listed.lines().count(), count);
    for line in listed.lines() {
        for field in [
            "\"state\":\"table\"",
            "\"metric\":\"multi\"",
            "\"pattern\":null",
            "\"tiers\":\"quick,full\"",
            "\"colours\":\"1",
        ] {
            assert!(line.contains(field), "{field}: {line}");
        }
    }
    tables.run(&["verify"]).succeeds();

    let solved = tables.taquin(&SOLVE).succeeds();
    assert!(
        solved.contains("\"heuristic\":\"classes:full\""),
        "{solved}"
    );
    assert_eq!(tables.files(".taquin").len(), count);
    tables.run(&["remove", "3x3"]).succeeds();
    assert!(tables.files(".taquin").is_empty());
}

#[test]
fn a_damaged_table_is_found_named_and_built_again() {
    let tables = Tables::new();
    tables.run(&BUILD).succeeds();
    let length = |printed: &str| {
        let (_, after) = printed.split_once("\"length\":").unwrap();
        after.split(',').next().unwrap().to_owned()
    };
    let right = length(&tables.taquin(&SOLVE).succeeds());
    for file in tables.files(".taquin") {
        let mut bytes = fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 0x10;
        fs::write(&file, bytes).unwrap();
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let verified = tables.run(&["verify"]);
        assert_eq!(verified.code, Some(1));
        assert!(verified.stdout.contains(&name), "{}", verified.stdout);
        let solved = tables.taquin(&SOLVE);
        assert!(
            solved.stderr.contains("building it again"),
            "{}",
            solved.stderr
        );
        assert_eq!(
            (solved.code, length(&solved.stdout)),
            (Some(0), right.clone())
        );
        tables.run(&["verify"]).succeeds();
    }
}

#[test]
fn sizes_without_such_tables_are_refused_with_the_reason() {
    let tables = Tables::new();
    let refused = tables.run(&["build", "5x5", "--metric", "multi"]);
    refused.refuses(&["of up to 16 cells, and 5x5 has 25"]);
    assert!(tables.files("").is_empty());
}
