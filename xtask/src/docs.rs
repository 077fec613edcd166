//! `cargo xtask docs`: the command-line reference, made from the program's own help.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use crate::{Chore, cargo, root};

const HEAD: &str = "\
# Command-line reference

Made by `cargo xtask docs` from the program's own help; `cargo xtask test` checks that it is current.
";

fn path() -> PathBuf {
    root().join("docs/cli.md")
}

/// Writes `docs/cli.md`.
pub(crate) fn write() -> Chore {
    fs::write(path(), reference()?).map_err(|error| format!("cannot write docs/cli.md: {error}"))
}

/// Whether `docs/cli.md` says what the program says.
pub(crate) fn is_current() -> Result<bool, String> {
    let current = reference()?;
    let written = fs::read_to_string(path());
    Ok(written.is_ok_and(|written| written.replace("\r\n", "\n") == current))
}

fn reference() -> Result<String, String> {
    let overview = help(&[])?;
    let mut text = format!("{HEAD}\n```text\n{overview}```\n");
    for command in commands(&overview) {
        let about = help(&[command])?;
        writeln!(text, "\n## taquin {command}\n\n```text\n{about}```").expect("strings take all");
        for part in commands(&about) {
            let about = help(&[command, part])?;
            writeln!(text, "\n### taquin {command} {part}\n\n```text\n{about}```")
                .expect("strings take all");
        }
    }
    Ok(text)
}

/// The names under `Commands:` in a help text, if it has any.
fn commands(help: &str) -> Vec<&str> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect()
}

/// The long help of a command. Nothing is connected to a terminal, so its width is always the same.
fn help(command: &[&str]) -> Result<String, String> {
    let mut run = cargo(&["run", "--quiet", "--package", "taquin-cli", "--"]);
    run.args(command).arg("--help").env_remove("COLUMNS");
    let output = run
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot run taquin: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text
        .lines()
        .fold(String::new(), |text, line| text + line.trim_end() + "\n"))
}
