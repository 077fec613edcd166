//! Builds that share what they compile.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;

use crate::{cargo, target};

/// What every step asks cargo for, so that nothing is compiled twice with other features.
pub(crate) const EVERYTHING: [&str; 2] = ["--workspace", "--all-features"];

/// The program as the tests run it: to build it otherwise would be to build much of it anew.
pub(crate) fn program() -> Result<PathBuf, String> {
    let mut build = cargo(&["test"]);
    build
        .args(EVERYTHING)
        .args(["--tests", "--no-run", "--quiet"]);
    if !build.status().is_ok_and(|status| status.success()) {
        return Err("the program cannot be built".to_owned());
    }
    Ok(target().join(format!("debug/taquin{EXE_SUFFIX}")))
}
