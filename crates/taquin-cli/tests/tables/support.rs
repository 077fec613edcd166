//! A folder of tables, and what programs that use it print.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A folder of tables, and the program that uses it.
pub(crate) struct Tables {
    folder: TempDir,
}

/// What a run came to.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Tables {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    /// One with the table of 3x3.
    pub(crate) fn of_3x3() -> Self {
        let tables = Self::new();
        tables.run(&["build", "3x3"]).succeeds();
        tables
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        command(self.path(), args)
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args).spawn().unwrap())
    }

    /// Any command, not only `taquin tables`.
    pub(crate) fn taquin_command(&self, args: &[&str]) -> Command {
        taquin(self.path(), args)
    }

    pub(crate) fn taquin(&self, args: &[&str]) -> Ran {
        Ran::of(self.taquin_command(args).spawn().unwrap())
    }

    /// The files that end like that.
    pub(crate) fn files(&self, end: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path()).into_iter().flatten();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths
            .filter(|path| path.to_str().unwrap().ends_with(end))
            .collect()
    }

    /// The file of the only table.
    pub(crate) fn only(&self) -> PathBuf {
        let [file] = &self.files(".taquin")[..] else {
            panic!("{:?}", self.files(""));
        };
        file.clone()
    }
}

/// A command of `taquin tables`.
pub(crate) fn command(folder: &Path, args: &[&str]) -> Command {
    taquin(folder, &[&["tables"], args].concat())
}

fn taquin(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taquin"));
    command.args(args).env("TAQUIN_TABLES", folder);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

impl Ran {
    pub(crate) fn of(child: Child) -> Self {
        let output = child.wait_with_output().unwrap();
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Done, and nothing to remark; gives what was printed.
    pub(crate) fn succeeds(self) -> String {
        assert_eq!((self.code, &*self.stderr), (Some(0), ""), "{}", self.stdout);
        self.stdout
    }

    /// An error that says all of this.
    pub(crate) fn refuses(&self, words: &[&str]) {
        assert_eq!(self.code, Some(2), "{}", self.stderr);
        for word in words {
            assert!(self.stderr.contains(word), "{word}: {}", self.stderr);
        }
    }
}

/// Waits until a builder has begun, or is done already.
pub(crate) fn until_it_builds(builder: &mut Child, tables: &Tables) {
    while tables.files(".lock").is_empty() && builder.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
}
