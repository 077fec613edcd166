//! Every command has help, and every example in it works.

#![cfg(unix)]

use std::process::{Command, Output};

fn taquin() -> &'static str {
    env!("CARGO_BIN_EXE_taquin")
}

fn help(command: &str) -> String {
    let output = Command::new(taquin())
        .args([command, "--help"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{command} --help");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a line of an example in a shell that finds the program.
fn shell(line: &str, dir: &std::path::Path) -> Output {
    let bin = std::path::Path::new(taquin()).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-c", line])
        .current_dir(dir)
        .env("PATH", format!("{}:{path}", bin.display()))
        .output()
        .unwrap()
}

#[test]
fn examples_in_the_help_texts_work() {
    let overview = String::from_utf8(
        Command::new(taquin())
            .arg("--help")
            .output()
            .unwrap()
            .stdout,
    );
    let overview = overview.unwrap();
    let commands = overview
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help");
    let dir = tempfile::tempdir().unwrap();
    let mut examples = 0;
    for command in commands {
        let help = help(command);
        let before = examples;
        for line in help
            .lines()
            .filter_map(|line| line.trim().strip_prefix("$ "))
        {
            let output = shell(line, dir.path());
            // 1 is an answer too: the board is unsolvable.
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 1)), "{line}: {output:?}");
            assert!(output.stderr.is_empty(), "{line}: {output:?}");
            examples += 1;
        }
        assert!(examples > before, "`{command} --help` has no example");
    }
}

#[test]
fn completions_and_manual_pages_are_there() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = Command::new(taquin())
            .args(["completions", shell])
            .output()
            .unwrap();
        assert!(
            output.status.success() && output.stdout.len() > 1000,
            "{shell}"
        );
    }
    let output = Command::new(taquin())
        .args(["man", "check"])
        .output()
        .unwrap();
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(
        page.contains("taquin\\-check") && page.contains("unsolvable"),
        "{page}"
    );
    let output = Command::new(taquin())
        .args(["man", "nothing"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}
