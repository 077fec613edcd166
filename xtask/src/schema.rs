//! The API against its own description: schemathesis makes requests up from the `OpenAPI` document,
//! sends them to the server, and compares every answer with what the document promises.

use std::path::PathBuf;
use std::process::Command;

use crate::program::program;
use crate::serving::Server;
use crate::target;

/// The package, from Python's index.
const PACKAGE: &str = "schemathesis==4.32.5";
/// How many requests are made up for each operation: in every run of the tests, and with `--slow`.
pub(crate) const FEW: &str = "15";
pub(crate) const MANY: &str = "100";
/// From which random numbers they are made.
const SEED: &str = "1";

/// Why the description was not tried, or what is wrong.
pub(crate) enum Unchecked {
    /// Something is missing on this machine.
    Missing(&'static str),
    /// The server and its description do not agree, or do not start.
    Wrong(String),
}

/// Drives the server from its description, with this many requests for each operation.
pub(crate) fn check(examples: &str) -> Result<(), Unchecked> {
    let tool = tool()?;
    let program = program().map_err(Unchecked::Wrong)?;
    let mut command = Server::command(&program);
    command
        .args(["--limit-time", "1s"])
        .env("TAQUIN_TABLES", target().join("schema-tables"));
    let server = Server::start(command).map_err(Unchecked::Wrong)?;
    let status = Command::new(tool)
        .arg("run")
        .arg(format!("http://{}/api/openapi.json", server.address()))
        .args(["--max-examples", examples, "--seed", SEED])
        .args(["--request-timeout", "20", "--generation-database", "none"])
        // No description can tell which texts are boards, so most of those made up are refused.
        .args(["--exclude-checks", "positive_data_acceptance"])
        .current_dir(target())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Unchecked::Wrong(
            "the answers are not those of the description".to_owned(),
        )),
        Err(error) => Err(Unchecked::Wrong(format!("schemathesis: {error}"))),
    }
}

/// schemathesis, installed below the target folder if it is not there yet.
fn tool() -> Result<PathBuf, Unchecked> {
    let home = target().join("python");
    let tool = home.join("bin/schemathesis");
    let stamp = home.join(PACKAGE);
    if stamp.exists() {
        return Ok(tool);
    }
    let succeeds = |command: &mut Command| command.status().is_ok_and(|status| status.success());
    if !succeeds(Command::new("python3").args(["-m", "venv"]).arg(&home)) {
        return Err(Unchecked::Missing("needs python3 with the module venv"));
    }
    let mut install = Command::new(home.join("bin/pip"));
    install.args(["install", "--quiet", "--disable-pip-version-check", PACKAGE]);
    if !succeeds(&mut install) {
        return Err(Unchecked::Missing("schemathesis could not be installed"));
    }
    let stamped = std::fs::write(stamp, "");
    stamped.map_err(|error| Unchecked::Wrong(format!("the target folder: {error}")))?;
    Ok(tool)
}
