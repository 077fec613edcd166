//! The API against its own description: schemathesis makes requests up from the `OpenAPI` document,
//! sends them to the server, and compares every answer with what the document promises.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::{cargo, target};

/// The package, from Python's index.
const PACKAGE: &str = "schemathesis==4.32.5";
/// How many requests are made up for each operation, and from which random numbers.
const EXAMPLES: &str = "40";
const SEED: &str = "1";

/// Why the description was not tried, or what is wrong.
pub(crate) enum Unchecked {
    /// Something is missing on this machine.
    Missing(&'static str),
    /// The server and its description do not agree, or do not start.
    Wrong(String),
}

/// Drives the server from its description.
pub(crate) fn check() -> Result<(), Unchecked> {
    let tool = tool()?;
    let built = cargo(&["build", "--package", "taquin-cli"]).status();
    if !built.is_ok_and(|status| status.success()) {
        return Err(Unchecked::Wrong("the program was not built".to_owned()));
    }
    let server = Server::start(&target().join("debug/taquin")).map_err(Unchecked::Wrong)?;
    let status = Command::new(tool)
        .arg("run")
        .arg(format!("{}/api/openapi.json", server.address))
        .args(["--max-examples", EXAMPLES, "--seed", SEED])
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

/// A server that is ended when this is dropped.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(program: &Path) -> Result<Self, String> {
        let fail = |error: std::io::Error| format!("the server does not start: {error}");
        let mut process = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "off"])
            .args(["--limit-time", "1s"])
            .env("TAQUIN_TABLES", target().join("schema-tables"))
            .stdout(Stdio::piped())
            .spawn()
            .map_err(fail)?;
        let mut line = String::new();
        let output = process.stdout.take().expect("the pipe was asked for");
        let read = BufReader::new(output).read_line(&mut line);
        let address = line.split_whitespace().last().unwrap_or("").to_owned();
        let server = Self { process, address };
        read.map_err(fail)?;
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It is gone already, or goes now.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
