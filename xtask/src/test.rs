//! `cargo xtask test`: every check of the project, one after the other, then a summary.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::schema::{self, Unchecked};
use crate::{Chore, browser, cargo, docs};

/// What became of a step.
pub(crate) enum Verdict {
    Passed,
    Failed,
    /// With the reason.
    Skipped(&'static str),
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
            let clippy = |args: &[&str]| {
                run(cargo(
                    &[&["clippy"], args, &["--", "-D", "warnings"]].concat(),
                ))
            };
            // "All targets" are not all: those that only run when asked for are left out.
            match clippy(&["--workspace", "--all-targets", "--all-features"]) {
                Verdict::Passed => clippy(&["-p", "taquin-cli", "--test", "browser"]),
                other => other,
            }
        },
    },
    Step {
        name: "library without features",
        check: || run(cargo(&["check", "-p", "taquin", "--no-default-features"])),
    },
    Step {
        name: "tests, doc tests, README",
        check: || run(cargo(&["test", "--workspace", "--all-features"])),
    },
    Step {
        name: "the API against its description",
        check: || match schema::check() {
            Ok(()) => Verdict::Passed,
            Err(Unchecked::Missing(why)) => Verdict::Skipped(why),
            Err(Unchecked::Wrong(message)) => {
                eprintln!("{message}");
                Verdict::Failed
            }
        },
    },
    Step {
        name: "browser tests",
        check: browser::test,
    },
    Step {
        name: "documentation",
        check: || {
            let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--all-features"]);
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
        name: "fuzz, ten seconds a target",
        check: fuzz,
    },
];

/// The fuzz targets in `crates/taquin/fuzz`.
const FUZZ_TARGETS: [&str; 2] = ["board", "moves"];

/// Runs all steps, also after one has failed, and tells how each went.
pub(crate) fn run_all() -> Chore {
    let mut results: Vec<(&str, Verdict, Duration)> = Vec::new();
    for step in STEPS {
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
