//! Whole spaces that are kept: good files, damaged files, searches that are killed, no room.

use std::fs;
#[cfg(unix)]
use std::process::Command;

use crate::support::{Ran, Tables, until_it_builds};

/// Enough boards that they are kept, and few enough to be searched at once.
const ENUMERATE: [&str; 3] = ["enumerate", "2x5", "--json"];
/// A search that is not over before someone can stop it.
const LONG: [&str; 4] = ["enumerate", "3x4", "--threads", "1"];
const FILE: &str = "2x5-blank9-single.taquin";

fn was_stored(printed: &str) -> bool {
    printed.contains("\"time_ms\":null")
}

/// The record without the time.
fn figures(printed: &str) -> &str {
    printed.split("\"time_ms\"").next().unwrap()
}

#[test]
fn what_was_searched_is_kept_listed_sound_and_not_searched_again() {
    let tables = Tables::new();
    let first = tables.taquin(&ENUMERATE).succeeds();
    assert!(!was_stored(&first), "{first}");
    assert_eq!(tables.only(), tables.path().join(FILE));
    let second = tables.taquin(&ENUMERATE).succeeds();
    assert!(was_stored(&second), "{second}");
    assert_eq!(figures(&first), figures(&second));
    let fresh = tables.taquin(&["enumerate", "2x5", "--json", "--fresh"]);
    assert!(!was_stored(&fresh.succeeds()));

    let listed = tables.run(&["list", "--json"]).succeeds();
    for field in [
        "\"state\":\"table\"",
        "\"metric\":\"single\"",
        "\"entries\":1814400",
        "\"max\":55",
        "\"pattern\":null",
    ] {
        assert!(listed.contains(field), "{field}: {listed}");
    }
    tables.run(&["verify"]).succeeds();
    // Other goals with the blank in a corner, and boards that lie the other way, share it.
    let turned = tables.taquin(&["enumerate", "5x2", "--goal", "blank-first", "--json"]);
    assert!(was_stored(&turned.succeeds()));
    tables.run(&["remove", "2x5"]).succeeds();
    assert!(tables.files(".taquin").is_empty());
}

#[test]
fn small_spaces_are_not_kept() {
    let tables = Tables::new();
    tables.taquin(&["enumerate", "3x3"]).succeeds();
    assert!(tables.files("").is_empty());
}

#[test]
fn every_byte_that_is_damaged_is_noticed_and_the_space_searched_again() {
    let tables = Tables::new();
    let good = tables.taquin(&ENUMERATE).succeeds();
    let file = tables.only();
    let length = fs::metadata(&file).unwrap().len() as usize;
    for at in [0, 9, 20, 45, 4096, length / 2, length - 1] {
        let mut bytes = fs::read(&file).unwrap();
        bytes[at] ^= 4;
        fs::write(&file, bytes).unwrap();
        let ran = tables.taquin(&ENUMERATE);
        assert_eq!(ran.code, Some(0), "byte {at}: {}", ran.stderr);
        assert!(ran.stderr.contains(FILE), "byte {at}: {}", ran.stderr);
        assert!(!was_stored(&ran.stdout), "byte {at}");
        assert_eq!(figures(&ran.stdout), figures(&good), "byte {at}");
        // It was replaced.
        assert!(was_stored(&tables.taquin(&ENUMERATE).succeeds()));
    }
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..length - 1]).unwrap();
    let ran = tables.taquin(&ENUMERATE);
    assert!(ran.stderr.contains("damaged"), "{}", ran.stderr);
    assert_eq!(figures(&ran.stdout), figures(&good));
}

#[test]
fn after_a_search_was_killed_the_next_one_works() {
    let tables = Tables::new();
    let mut search = tables.taquin_command(&LONG).spawn().unwrap();
    until_it_builds(&mut search, &tables);
    search.kill().unwrap();
    search.wait().unwrap();
    assert!(tables.files(".taquin").is_empty());
    // As if it had been killed while it wrote.
    let lock = tables.files(".lock")[0].clone();
    let left = lock.with_extension("u7Rf.tmp");
    fs::write(&left, b"half an atlas").unwrap();

    tables.taquin(&["enumerate", "3x4"]).succeeds();
    assert!(tables.run(&["verify"]).succeeds().contains("1 table"));
    assert!(tables.files(".tmp").is_empty());
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_says_so_and_leaves_nothing_half_done() {
    let tables = Tables::new();
    let mut search = tables.taquin_command(&LONG).spawn().unwrap();
    until_it_builds(&mut search, &tables);
    let process = search.id().to_string();
    let sent = Command::new("kill").args(["-INT", &process]).status();
    assert!(sent.unwrap().success());
    let ran = Ran::of(search);
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(ran.stderr.contains("interrupted"), "{}", ran.stderr);
    assert!(ran.stdout.is_empty(), "{}", ran.stdout);
    assert!(tables.files(".tmp").is_empty());
    assert!(tables.files(".taquin").is_empty());
}

/// A limit on the length of files does what a full disk does: the write fails half way.
#[cfg(unix)]
#[test]
fn where_there_is_no_room_the_answer_is_given_and_nothing_kept() {
    let tables = Tables::new();
    let program = env!("CARGO_BIN_EXE_taquin");
    let line = format!(
        "trap '' XFSZ; ulimit -f 100; exec '{program}' {}",
        ENUMERATE.join(" ")
    );
    let output = Command::new("sh")
        .args(["-c", &line])
        .env("TAQUIN_TABLES", tables.path())
        .output()
        .unwrap();
    let (stdout, stderr) = (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    );
    assert!(output.status.success(), "{stderr}");
    assert!(stdout.contains("\"farthest\":55"), "{stdout}");
    assert!(
        stderr.contains(FILE) && stderr.contains("not kept"),
        "{stderr}"
    );
    assert!(tables.files(".tmp").is_empty() && tables.files(".taquin").is_empty());
}

#[test]
fn two_searches_at_once_both_succeed() {
    let tables = Tables::new();
    let search = || tables.taquin_command(&ENUMERATE).spawn().unwrap();
    let searches = [search(), search(), search()];
    for ran in searches.map(Ran::of) {
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let waits = |line: &str| line.contains("another process is building it; waiting");
        assert!(ran.stderr.lines().all(waits), "{}", ran.stderr);
    }
    assert!(tables.run(&["verify"]).succeeds().contains("1 table"));
}
