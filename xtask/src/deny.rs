//! `cargo deny`: licences, known faults, duplicates and sources of the dependencies, as `deny.toml`
//! says.

use std::process::Command;

use crate::cargo;
use crate::test::{Verdict, run};

/// Runs what of it can be run on this machine.
pub(crate) fn check() -> Verdict {
    let mut version = cargo(&["deny", "--version"]);
    if !version.output().is_ok_and(|output| output.status.success()) {
        return Verdict::Skipped("needs cargo-deny");
    }
    // Known faults are in a database that has to be fetched, which not every machine can.
    let mut fetch = cargo(&["deny", "fetch", "db"]);
    if fetch.output().is_ok_and(|output| output.status.success()) {
        return run(deny(&["advisories", "bans", "licenses", "sources"]));
    }
    println!("the database of known faults cannot be fetched: not looked at");
    run(deny(&["bans", "licenses", "sources"]))
}

fn deny(what: &[&str]) -> Command {
    let mut command = cargo(&["deny", "--all-features", "check", "--hide-inclusion-graph"]);
    command.args(what);
    command
}
