//! `cargo xtask docs`: what the program itself can write: the command-line reference from its help,
//! and the pictures.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::program::program;
use crate::{Chore, root};

const HEAD: &str = "\
# Command-line reference

Made by `cargo xtask docs` from the program's own help; `cargo xtask test` checks that it is current.
";

fn path() -> PathBuf {
    root().join("docs/cli.md")
}

/// The pictures, and the commands that draw them.
const PICTURES: [(&str, &[&str]); 2] = [
    ("docs/distances-3x3.svg", &["enumerate", "3x3"]),
    (
        "docs/estimates-3x3.svg",
        &[
            "quality",
            "3x3",
            "--heuristics",
            "manhattan,linear-conflict,walking-distance",
        ],
    ),
];

/// Writes all of it.
pub(crate) fn write() -> Chore {
    let program = program()?;
    let reference = reference(&program)?;
    fs::write(path(), reference).map_err(|error| format!("cannot write docs/cli.md: {error}"))?;
    for (name, command) in PICTURES {
        draw(&program, command, &root().join(name))?;
    }
    Ok(())
}

/// Which of the files are not what the program would write.
pub(crate) fn stale() -> Result<Vec<&'static str>, String> {
    let program = program()?;
    let mut stale = Vec::new();
    if !is(&path(), &reference(&program)?) {
        stale.push("docs/cli.md");
    }
    for (name, command) in PICTURES {
        let drawn = std::env::temp_dir().join(format!("taquin-docs-{}.svg", std::process::id()));
        draw(&program, command, &drawn)?;
        let picture = fs::read_to_string(&drawn);
        drop(fs::remove_file(&drawn));
        let picture = picture.map_err(|error| format!("no picture was drawn: {error}"))?;
        if !is(&root().join(name), &picture) {
            stale.push(name);
        }
    }
    Ok(stale)
}

/// Whether a file holds that text, whatever a checkout makes of its line ends.
fn is(path: &Path, text: &str) -> bool {
    let written = fs::read_to_string(path);
    written.is_ok_and(|written| written.replace("\r\n", "\n") == text)
}

/// Draws a picture with the program.
fn draw(program: &Path, command: &[&str], to: &Path) -> Chore {
    let output = Command::new(program)
        .args(command)
        .arg("--plot")
        .arg(to)
        .output();
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Err(format!("cannot run taquin: {error}")),
    }
}

fn reference(program: &Path) -> Result<String, String> {
    let overview = help(program, &[])?;
    let mut text = format!("{HEAD}\n```text\n{overview}```\n");
    for command in commands(&overview) {
        let about = help(program, &[command])?;
        writeln!(text, "\n## taquin {command}\n\n```text\n{about}```").expect("strings take all");
        for part in commands(&about) {
            let about = help(program, &[command, part])?;
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
fn help(program: &Path, command: &[&str]) -> Result<String, String> {
    let mut run = Command::new(program);
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
