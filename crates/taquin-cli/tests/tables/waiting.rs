//! Another process that builds the same tables holds up nobody for longer than there is time.

#[cfg(unix)]
use std::io::{BufRead, BufReader};
#[cfg(unix)]
use std::process::Command;
use std::time::{Duration, Instant};

use taquin::tables::store::{BuildLock, Store};
use taquin::tables::{Catalogue, Tier};
use taquin::{Goal, Size};

#[cfg(unix)]
use crate::support::Ran;
use crate::support::Tables;

const BOARD: &str = "8 6 7/2 5 4/3 0 1";
/// Far more than all of these take, far less than for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// The locks of the tables of 3x3, held as a process does that builds them.
fn hold(tables: &Tables) -> Vec<BuildLock> {
    let goal = Goal::Classic.board(Size::new(3, 3).unwrap()).unwrap();
    let keys = Catalogue::for_goal(&goal, Tier::Quick).unwrap().keys();
    let store = Store::new(tables.path());
    let locks = keys.into_iter().map(|key| store.try_lock(key));
    locks.map(|lock| lock.unwrap().unwrap()).collect()
}

#[test]
fn a_time_limit_holds_while_another_process_builds() {
    let tables = Tables::new();
    let _held = hold(&tables);
    for args in [
        &["solve", "--within", "1s", BOARD][..],
        &["solve", "--limit-time", "2s", BOARD],
        &["solve", "--fast", BOARD],
        &["hint", "--within", "200ms", BOARD],
    ] {
        let begin = Instant::now();
        let ran = tables.taquin(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
        assert!(begin.elapsed() < PATIENCE, "{args:?}");
    }
    assert!(tables.files(".taquin").is_empty());
}

#[cfg(unix)]
#[test]
fn a_wait_without_a_time_limit_says_so_and_ends_with_an_interruption() {
    let tables = Tables::new();
    let _held = hold(&tables);
    for args in [
        &["solve", BOARD][..],
        &["solve", "--tables", "full", BOARD],
        &["tables", "build", "3x3"],
    ] {
        let mut waiting = tables.taquin_command(args).spawn().unwrap();
        let mut stderr = BufReader::new(waiting.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        assert!(
            line.ends_with("another process is building it; waiting\n"),
            "{args:?}: {line}"
        );
        let process = waiting.id().to_string();
        let sent = Command::new("kill").args(["-INT", &process]).status();
        assert!(sent.unwrap().success());
        let begin = Instant::now();
        let code = waiting.wait().unwrap().code();
        assert_eq!(code, Some(130), "{args:?}");
        assert!(begin.elapsed() < PATIENCE, "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn pipes_in_the_place_of_files_hold_up_no_command() {
    let tables = Tables::of_3x3();
    let file = tables.only();
    let lock = file.with_extension("taquin.lock");
    std::fs::remove_file(&file).unwrap();
    std::fs::remove_file(&lock).unwrap();
    for path in [&file, &lock] {
        let made = Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    }
    std::fs::write(file.with_extension("taquin.abc.tmp"), "half").unwrap();
    let ran = tables.taquin(&["solve", BOARD]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("31 moves"), "{}", ran.stdout);
    assert!(ran.stderr.contains("not a regular file"), "{}", ran.stderr);
    let said = |ran: &Ran| [&*ran.stdout, &*ran.stderr].concat();
    for (args, code) in [
        (&["list"][..], 0),
        (&["verify"], 1),
        (&["build", "3x3"], 2),
        (&["remove", "--damaged"], 2),
    ] {
        let ran = tables.run(args);
        assert_eq!(ran.code, Some(code), "{args:?}: {}", said(&ran));
        assert!(
            said(&ran).contains("not a regular file"),
            "{args:?}: {}",
            said(&ran)
        );
    }
}
