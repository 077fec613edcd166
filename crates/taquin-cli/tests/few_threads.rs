//! A user who may start few threads, or none beside the first, gets the same answers.
#![cfg(target_os = "linux")]

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Users that nobody is, one for each test: the limit counts all threads of a user, and does not
/// hold for root.
const NOBODY: u32 = 54_321;
const NOBODY_ELSE: u32 = 54_322;
/// The most seconds that a server may take to listen or to end.
const PATIENCE: &str = "120";

/// A folder with the program that every user may run and write to.
struct Stage {
    folder: tempfile::TempDir,
    user: u32,
}

impl Stage {
    /// `None` where the number of threads cannot be limited, and why is printed.
    fn new(user: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        // By another process: while ours has the copy open for writing, the other test may fork, and
        // a file that any process has open for writing cannot be run.
        let mut copy = Command::new("cp");
        copy.arg(env!("CARGO_BIN_EXE_taquin")).arg(folder.path());
        assert!(copy.status().is_ok_and(|status| status.success()));
        let stage = Self { folder, user };
        let forking = ["-c", "(exit 0) | true; echo forked"];
        let mut fork = stage.command("prlimit");
        fork.args(["--nproc=1", "sh"]).args(forking);
        let obstacle = match fork.output() {
            Err(error) => format!("prlimit cannot be run: {error}"),
            Ok(output) if output.stdout.is_empty() => return Some(stage),
            Ok(_) => "the limit on threads does not hold here".to_owned(),
        };
        println!("skipped: {obstacle}");
        None
    }

    /// A program that this user runs.
    fn command(&self, program: &str) -> Command {
        let folder = self.folder.path();
        let mut command = Command::new(program);
        command
            .env("TAQUIN_TABLES", folder.join("tables"))
            .current_dir(folder)
            .stdin(Stdio::null());
        if is_root() {
            command.uid(self.user).gid(self.user);
        }
        command
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("taquin")
    }

    /// What the program says that may have this many threads.
    fn run(&self, most: u32, args: &[&str]) -> Output {
        let mut command = self.command("prlimit");
        command
            .arg(format!("--nproc={most}"))
            .arg(self.program())
            .args(args);
        command.output().unwrap()
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn few_threads_are_enough_for_every_answer() {
    let Some(stage) = Stage::new(NOBODY) else {
        return;
    };
    let board = "8 1 3/4 0 2/7 6 5";
    let commands = [
        (format!("check|{board}"), "solvable"),
        (
            format!("solve|--threads|1024|{board}|{board}|{board}"),
            "14 moves",
        ),
        (
            format!("solve|--algorithm|astar|--threads|8|{board}|{board}"),
            "14 moves",
        ),
        (format!("compare|--algorithms|astar|{board}"), "14"),
        (
            "bench|ladder|--boards|1|--walk|20|--heuristics|max".to_owned(),
            "mean",
        ),
        ("tables|build|3x3".to_owned(), "362,880 entries"),
        ("tables|verify".to_owned(), "all sound"),
        ("tables|quality|3x3|--boards|3".to_owned(), "362,880"),
    ];
    // An ordinary user has other threads, so that more than one may be allowed and still be none.
    for most in [1, 2, 3, 5] {
        for (command, expected) in &commands {
            let args: Vec<&str> = command.split('|').collect();
            let output = stage.run(most, &args);
            let (said, complained) = (text(&output.stdout), text(&output.stderr));
            assert!(output.status.success(), "{most} {args:?}: {complained}");
            assert!(said.contains(expected), "{most} {args:?}: {said}");
            let is_calm = !complained.contains("panicked");
            assert!(is_calm, "{most} {args:?}: {complained}");
        }
    }
}

/// How a server ends that may have this many threads, or `None` if it listens.
fn serve(stage: &Stage, most: u32) -> Option<Output> {
    // `timeout` starts a process, which an ordinary user may not do with such a limit: they have
    // more threads than that. So the limit is for the server alone.
    let mut command = stage.command("timeout");
    let mut process = command
        .args([PATIENCE, "prlimit", &format!("--nproc={most}")])
        .arg(stage.program())
        .args(["serve", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let output = process.stdout.take().unwrap();
    BufReader::new(output).read_line(&mut line).unwrap();
    if line.contains("listens") {
        // The signal goes on to the server.
        let pid = process.id().to_string();
        let ended = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(ended.is_ok_and(|status| status.success()));
        process.wait().unwrap();
        return None;
    }
    Some(process.wait_with_output().unwrap())
}

#[test]
fn a_server_listens_or_says_that_it_has_too_few_threads() {
    let Some(stage) = Stage::new(NOBODY_ELSE) else {
        return;
    };
    // `timeout` is one thread of the same user, so that the server may have one less.
    for most in 2..=10 {
        match serve(&stage, most) {
            None => assert!(most > 2, "there was no thread to serve with"),
            Some(output) => {
                let said = text(&output.stderr);
                assert_eq!(output.status.code(), Some(2), "{most}: {said}");
                assert!(said.contains("too few threads"), "{most}: {said}");
            }
        }
    }
}
