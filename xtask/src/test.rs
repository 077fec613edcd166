//! `cargo xtask test`: every check of the project, one after the other, then a summary.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::program::EVERYTHING;
use crate::schema::{self, Unchecked};
use crate::{Chore, browser, cargo, deny, dist, docs, package, platforms, rust_version};

/// What became of a step.
pub(crate) enum Verdict {
    Passed,
    Failed,
    /// With the reason.
    Skipped(&'static str),
}

impl From<Result<(), Unchecked>> for Verdict {
    fn from(result: Result<(), Unchecked>) -> Self {
        match result {
            Ok(()) => Self::Passed,
            Err(Unchecked::Missing(why)) => Self::Skipped(why),
            Err(Unchecked::Wrong(message)) => Err(message).into(),
        }
    }
}

impl From<Chore> for Verdict {
    fn from(result: Chore) -> Self {
        match result {
            Ok(()) => Self::Passed,
            Err(message) => {
                eprintln!("{message}");
                Self::Failed
            }
        }
    }
}

/// A named check.
struct Step {
    name: &'static str,
    check: fn() -> Verdict,
}

const STEPS: &[Step] = &[
    Step {
        name: "format",
        check: || run(cargo(&["fmt", "--all", "--check"])),
    },
    Step {
        name: "clippy",
        check: || {
            // "All targets" are not all: those that only run when asked for are named.
            clippy(&[&EVERYTHING[..], &["--all-targets", "--test", "browser"]].concat())
        },
    },
    Step {
        name: "features",
        check: features,
    },
    Step {
        name: "tests",
        // Examples that have no tests were checked by clippy.
        check: || {
            let tests = [&["test"], &EVERYTHING[..], &["--tests", "--no-fail-fast"]].concat();
            run(cargo(&tests))
        },
    },
    Step {
        name: "doc tests",
        check: || {
            run(cargo(
                &[&["test"], &EVERYTHING[..], &["--doc", "--no-fail-fast"]].concat(),
            ))
        },
    },
    Step {
        name: "the API against its description",
        check: || schema::check(schema::FEW).into(),
    },
    Step {
        name: "browser tests",
        check: browser::test,
    },
    Step {
        name: "documentation",
        check: || {
            // The example is there for its dependencies: see `features`.
            let targets = ["--lib", "--bins", "--example", "newcomer"];
            let mut doc = cargo(&[&["doc", "--no-deps"], &EVERYTHING[..], &targets].concat());
            doc.env("RUSTDOCFLAGS", "-D warnings");
            run(doc)
        },
    },
    Step {
        name: "what the program writes of the docs is current",
        check: || match docs::stale() {
            Ok(stale) if stale.is_empty() => Verdict::Passed,
            Ok(stale) => {
                eprintln!("stale: {}; run `cargo xtask docs`", stale.join(", "));
                Verdict::Failed
            }
            Err(message) => {
                eprintln!("{message}");
                Verdict::Failed
            }
        },
    },
    Step {
        name: "oldest Rust",
        check: || rust_version::check().into(),
    },
    Step {
        name: "packages",
        check: || package::check().into(),
    },
    Step {
        name: "archive",
        check: || dist::check().into(),
    },
    Step {
        name: "cargo deny",
        check: deny::check,
    },
    Step {
        name: "Windows",
        check: platforms::windows_check,
    },
    Step {
        name: "fuzz, ten seconds a target",
        check: fuzz,
    },
];

/// The slow checks, which rarely find anything: with `--slow` only.
const SLOW_STEPS: &[Step] = &[
    Step {
        name: "slow tests",
        check: || {
            let tests = ["--test=optimal", "--test=slides", "--test=tables", "--lib"];
            let test = [
                &["test", "--release", "--package", "taquin", "--all-features"],
                &tests[..],
                &["--", "--ignored"],
            ];
            run(cargo(&test.concat()))
        },
    },
    Step {
        name: "slow tests of the program",
        check: || {
            let tests = [
                "--test=always_answers",
                "--test=checkpoints",
                "--",
                "--ignored",
            ];
            run(cargo(&[&["test"], &EVERYTHING[..], &tests].concat()))
        },
    },
    Step {
        name: "the API, more requests",
        check: || schema::check(schema::MANY).into(),
    },
];

/// The fuzz targets in `crates/taquin/fuzz`.
const FUZZ_TARGETS: [&str; 4] = ["board", "moves", "table_header", "json_body"];

/// Runs all steps, also after one has failed, and tells how each went.
pub(crate) fn run_all(is_slow: bool) -> Chore {
    let mut results: Vec<(&str, Verdict, Duration)> = Vec::new();
    let slow = if is_slow { SLOW_STEPS } else { &[] };
    for step in STEPS.iter().chain(slow) {
        println!("\n==> {}", step.name);
        let start = Instant::now();
        let verdict = (step.check)();
        results.push((step.name, verdict, start.elapsed()));
    }
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    println!("\nSummary");
    for (name, verdict, time) in &results {
        let word = match verdict {
            Verdict::Passed => {
                passed += 1;
                "ok".to_owned()
            }
            Verdict::Failed => {
                failed += 1;
                "FAILED".to_owned()
            }
            Verdict::Skipped(why) => {
                skipped += 1;
                format!("skipped: {why}")
            }
        };
        println!("  {name:<28} {:>7.1} s  {word}", time.as_secs_f64());
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    if failed == 0 {
        Ok(())
    } else {
        Err(format!("{failed} of {} checks failed", results.len()))
    }
}

pub(crate) fn run(mut command: Command) -> Verdict {
    match command.status() {
        Ok(status) if status.success() => Verdict::Passed,
        Ok(_) => Verdict::Failed,
        Err(error) => {
            eprintln!("cannot start {command:?}: {error}");
            Verdict::Failed
        }
    }
}

/// Warnings are errors.
fn clippy(args: &[&str]) -> Verdict {
    run(cargo(
        &[&["clippy"], args, &["--", "-D", "warnings"]].concat(),
    ))
}

/// The library alone, and the program as `cargo build` makes it. To ask for an example makes cargo
/// count the dependencies of tests in, so that those of the program are not checked again.
fn features() -> Verdict {
    match clippy(&["--package", "taquin", "--no-default-features"]) {
        Verdict::Passed => clippy(&["--workspace", "--bins", "--example", "newcomer"]),
        other => other,
    }
}

/// Fuzzing needs cargo-fuzz and a nightly compiler, which not every machine has; the property tests
/// look for the same faults everywhere.
fn fuzz() -> Verdict {
    let answers = |command: &mut Command| command.output().is_ok_and(|out| out.status.success());
    let nightly = ["+nightly", "fuzz", "--version"];
    // A toolchain can only be chosen through rustup's own `cargo`.
    if !answers(Command::new("cargo").args(nightly)) {
        return Verdict::Skipped("needs cargo-fuzz and a nightly toolchain");
    }
    for target in FUZZ_TARGETS {
        let mut fuzz = Command::new("cargo");
        fuzz.current_dir(crate::root().join("crates/taquin"))
            .args(["+nightly", "fuzz", "run", target])
            .args(["--", "-max_total_time=10", "-max_len=4096"])
            // What a thread still holds while it ends is taken for lost memory.
            .arg("-detect_leaks=0")
            // The compiler that runs this chore must not be handed on to the other toolchain.
            .env_remove("CARGO")
            .env_remove("RUSTC")
            .env_remove("RUSTUP_TOOLCHAIN");
        if matches!(run(fuzz), Verdict::Failed) {
            return Verdict::Failed;
        }
    }
    Verdict::Passed
}
