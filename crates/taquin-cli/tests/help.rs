//! Every command has help, and every example in it works.

#![cfg(unix)]

use std::process::{Command, Output};

fn taquin() -> &'static str {
    env!("CARGO_BIN_EXE_taquin")
}

fn help(command: &[&str]) -> String {
    let output = Command::new(taquin())
        .args(command)
        .arg("--help")
        .output()
        .unwrap();
    assert!(output.status.success(), "{command:?} --help");
    String::from_utf8(output.stdout).unwrap()
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

/// Runs a line of an example in a shell that finds the program.
fn shell(line: &str, dir: &std::path::Path) -> Output {
    let bin = std::path::Path::new(taquin()).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-c", line])
        .current_dir(dir)
        .env("PATH", format!("{}:{path}", bin.display()))
        // Not those of whoever runs the tests.
        .env("TAQUIN_TABLES", dir.join("tables"))
        .output()
        .unwrap()
}

#[test]
fn examples_in_the_help_texts_work() {
    let dir = tempfile::tempdir().unwrap();
    let all = help(&[]);
    let commands_of_all = commands(&all);
    assert!(commands_of_all.len() > 15, "{all}");
    for command in commands_of_all {
        let about = help(&[command]);
        run_examples(&[command], &about, dir.path());
        for part in commands(&about) {
            let command = [command, part];
            run_examples(&command, &help(&command), dir.path());
        }
    }
}

fn run_examples(command: &[&str], help: &str, dir: &std::path::Path) {
    let lines = help.lines().map(str::trim);
    let examples: Vec<&str> = lines.filter_map(|line| line.strip_prefix("$ ")).collect();
    assert!(!examples.is_empty(), "`{command:?} --help` has no example");
    for line in examples {
        let output = shell(line, dir);
        // 1 is an answer too: the board is unsolvable.
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 1)), "{line}: {output:?}");
        assert!(output.stderr.is_empty(), "{line}: {output:?}");
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
