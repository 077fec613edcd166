//! Whether the code compiles for other systems: checked, not linked, where their target is installed.

use std::process::Command;

use crate::cargo;
use crate::test::{Verdict, run};

/// Checks everything for Windows, where its standard library is installed
/// (`rustup target add x86_64-pc-windows-gnu`).
pub(crate) fn windows_check() -> Verdict {
    let installed = Command::new("rustup")
        .args(["target", "list", "--installed"])
        .output();
    let installed = installed.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).into_owned(),
    );
    let Some(windows) = installed.lines().find(|target| target.contains("windows")) else {
        return Verdict::Skipped("needs `rustup target add x86_64-pc-windows-gnu`");
    };
    let mut check = cargo(&["check", "--workspace", "--all-targets", "--all-features"]);
    check.args(["--target", windows]);
    // Else an import that only Unix needs would pass here, and fail in clippy on Windows.
    check.env("RUSTFLAGS", "-D warnings");
    run(check)
}
