//! `taquin tables` with good files, damaged files, several builders, and builders that are killed.

use std::fs;
#[cfg(unix)]
use std::process::Command;

use crate::support::{Ran, Tables, command, until_it_builds};

#[test]
fn what_is_built_is_listed_sound_and_not_built_again() {
    let tables = Tables::new();
    assert!(
        tables
            .run(&["list"])
            .succeeds()
            .contains("0 tables, 0 bytes")
    );
    let built = tables.run(&["build", "3x3"]).succeeds();
    assert!(built.contains("values up to 31, built in"), "{built}");
    let again = tables
        .run(&["build", "3x3", "--goal", "blank-first"])
        .succeeds();
    assert!(again.contains("values up to 31, already there"), "{again}");
    // A goal with its blank elsewhere is another puzzle.
    let snail = tables.run(&["build", "3x3", "--goal", "snail"]).succeeds();
    assert!(snail.contains("built in"), "{snail}");

    let listed = tables.run(&["list", "--format", "csv"]).succeeds();
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 3, "{listed}");
    assert!(lines[1].contains("\"0,1,2,3,5,6,7,8\",8,"), "{listed}");
    assert!(lines[2].contains("31,\"quick,full\","), "{listed}");
    assert!(tables.run(&["verify"]).succeeds().contains("2 tables in"));
}

#[test]
fn a_flipped_byte_is_named_and_the_table_built_again() {
    let tables = Tables::of_3x3();
    let file = tables.only();
    let sound = fs::read(&file).unwrap();
    for place in [0, 8, 20, 60, sound.len() / 2, sound.len() - 1] {
        let mut damaged = sound.clone();
        damaged[place] ^= 4;
        fs::write(&file, damaged).unwrap();

        let verified = tables.run(&["verify"]);
        assert_eq!((verified.code, &*verified.stderr), (Some(1), ""), "{place}");
        let name = file.file_name().unwrap().to_str().unwrap();
        let says = |what: &str| verified.stdout.contains(&format!("{name}: {what}"));
        let named = says("") && !says("ok");
        assert!(named, "{place}: {}", verified.stdout);
        assert!(
            verified.stdout.contains("remove --damaged"),
            "{}",
            verified.stdout
        );

        let built = tables.run(&["build", "3x3"]);
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        assert!(
            built.stderr.contains("building it again"),
            "{place}: {}",
            built.stderr
        );
        assert!(fs::read(&file).unwrap() == sound, "{place}");
    }
}

#[test]
fn files_that_cannot_be_used_are_listed_with_the_reason_and_removed() {
    let tables = Tables::of_3x3();
    let file = tables.only();
    let sound = fs::read(&file).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(tables.path().join(name), bytes).unwrap();
    write("3x4-blank11-0,1.taquin", &sound[..sound.len() - 7]);
    write("3x4-blank11-0,2.taquin", b"a diary");
    let mut older = sound.clone();
    older[8] = 0;
    write("3x4-blank11-0,3.taquin", &older);
    write("3x4-blank11-0,4.taquin", &sound);
    write("3x4-blank11-0,5.taquin", b"");
    write("3x4-blank11-0,1.taquin.x4Hj.tmp", &sound[..5000]);
    write("notes.txt", b"not ours");

    let listed = tables.run(&["list"]).succeeds();
    for reason in [
        "its header says",
        "not a table of Taquin",
        "a table in format 0",
        "under a wrong name",
        "ends within its header",
        "left behind",
    ] {
        assert!(listed.contains(reason), "{reason}: {listed}");
    }
    assert!(!listed.contains("notes"), "{listed}");
    let json = tables.run(&["list", "4x3", "--json"]).succeeds();
    assert_eq!(json.matches("\"state\":\"unusable\"").count(), 5, "{json}");
    assert_eq!(json.matches("\"state\":\"temporary\"").count(), 1, "{json}");
    assert_eq!(tables.run(&["verify"]).code, Some(1));
    tables.run(&["verify", "3x3"]).succeeds();

    let removed = tables.run(&["remove", "--damaged"]).succeeds();
    assert!(removed.contains("6 files removed"), "{removed}");
    tables.run(&["verify"]).succeeds();
    assert_eq!(tables.only(), file);
    assert!(tables.path().join("notes.txt").exists());
}

#[test]
fn tables_are_removed_by_size_or_all() {
    let tables = Tables::of_3x3();
    tables.run(&["build", "2x3"]).succeeds();
    assert!(
        tables
            .run(&["remove", "5x5"])
            .succeeds()
            .contains("0 files removed")
    );
    assert!(
        tables
            .run(&["remove", "3x2"])
            .succeeds()
            .contains("1 file removed")
    );
    assert!(tables.only().to_str().unwrap().contains("3x3"));
    assert!(
        tables
            .run(&["remove", "--all"])
            .succeeds()
            .contains("1 file removed")
    );
    assert!(tables.files(".taquin").is_empty());
    // Nothing is removed that was not asked for.
    tables.run(&["remove"]).refuses(&["SIZE"]);
    tables
        .run(&["remove", "--all", "--damaged"])
        .refuses(&["--damaged"]);
}

#[test]
fn two_builders_at_once_both_succeed() {
    let tables = Tables::new();
    let build = || {
        tables
            .command(&["build", "4x4", "--tier", "quick"])
            .spawn()
            .unwrap()
    };
    let builders = [build(), build()];
    for builder in builders {
        let ran = Ran::of(builder);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let quiet = |line: &str| line.contains("another process is building it; waiting");
        assert!(ran.stderr.lines().all(quiet), "{}", ran.stderr);
    }
    assert!(tables.run(&["verify"]).succeeds().contains("3 tables"));
    assert!(tables.files(".tmp").is_empty());
}

#[test]
fn after_a_builder_was_killed_the_next_one_works() {
    let tables = Tables::new();
    let args = ["build", "4x4", "--tier", "quick"];
    let mut builder = tables.command(&args).spawn().unwrap();
    until_it_builds(&mut builder, &tables);
    builder.kill().unwrap();
    builder.wait().unwrap();
    // As if it had been killed while it wrote.
    let lock = tables.files(".lock")[0].clone();
    let left = lock.with_extension("u7Rf.tmp");
    fs::write(&left, b"half a table").unwrap();

    tables.run(&["verify"]).succeeds();
    tables.run(&args).succeeds();
    assert!(tables.run(&["verify"]).succeeds().contains("3 tables"));
    // The next builder of that table clears it away; if there was none, this does.
    tables.run(&["remove", "--damaged"]).succeeds();
    assert!(tables.files(".tmp").is_empty());
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_says_so_and_leaves_nothing_half_done() {
    let tables = Tables::new();
    let mut builder = tables.command(&["build", "4x4"]).spawn().unwrap();
    until_it_builds(&mut builder, &tables);
    let process = builder.id().to_string();
    let sent = Command::new("kill").args(["-INT", &process]).status();
    assert!(sent.unwrap().success());
    let ran = Ran::of(builder);
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(ran.stderr.contains("interrupted"), "{}", ran.stderr);
    assert!(tables.files(".tmp").is_empty());
    tables.run(&["verify"]).succeeds();
}

#[test]
fn a_folder_that_cannot_be_written_to_is_named_before_anything_is_built() {
    // Not even root can make a folder below a file.
    let file = tempfile::NamedTempFile::new().unwrap();
    let folder = file.path().join("tables");
    let ran = Ran::of(command(&folder, &["build", "4x4"]).spawn().unwrap());
    ran.refuses(&[folder.to_str().unwrap(), "--tables-dir"]);
    // There is nothing in it, which is no error.
    Ran::of(command(&folder, &["list"]).spawn().unwrap()).succeeds();
}

#[test]
fn errors_say_what_was_wrong_and_what_to_do() {
    let tables = Tables::new();
    let refused = |args: &[&str], words: &[&str]| tables.run(args).refuses(words);
    refused(&["build", "7x7"], &["up to 36 cells", "7x7 has 49"]);
    refused(&["build", "4x4", "--tier", "huge"], &["quick", "full"]);
    refused(&["build", "4x4", "--goal", "1 2 3/4 5 6/7 8 0"], &["3x3"]);
    refused(
        &["build", "4x4", "--limit-memory", "1MB"],
        &["1000000 are allowed", "--tier quick"],
    );
    refused(
        &["quality", "3x3", "--partition", "aab/aab"],
        &["aab/aab", "3 rows of 3 letters", "aaa/aaa/aab"],
    );
    refused(
        &["quality", "3x4", "--partition", "aaaa/aaaa/aaaa"],
        &["pattern a", "1 to 8 tiles, not 11"],
    );
    assert!(tables.files(".taquin").is_empty());
}

#[test]
fn drawings_are_read_as_the_goal_lies() {
    let tables = Tables::new();
    // The b is the blank's cell and counts for nothing; read any other way it would be a tile.
    for (args, partitions) in [
        (["3x3", "--goal=classic", "--partition=aaa/aaa/aab"], "8"),
        (
            ["3x3", "--goal=blank-first", "--partition=baa/aaa/aaa"],
            "8",
        ),
        (["3x2", "--goal=classic", "--partition=aa/aa/ab"], "5"),
        (["3x2", "--goal=1 2/3 4/0 5", "--partition=aa/aa/ba"], "5"),
        (["3x2", "--goal=1 2/3 4/0 5", "--partition=aa/aa/ab"], "4-1"),
    ] {
        let common = ["--json", "--solve=5", "--boards=50"];
        let text = tables
            .run(&[&["quality"][..], &args, &common].concat())
            .succeeds();
        let expected = format!("\"partitions\":\"{partitions}\"");
        assert!(text.contains(&expected), "{args:?}: {text}");
    }
}
