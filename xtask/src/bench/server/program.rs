//! The program, and servers that it runs.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::Chore;
use crate::serving::Server;

pub(super) struct Program(PathBuf);

impl Program {
    /// The program, built for release; or the one that `TAQUIN_PROGRAM` names, to measure another
    /// build.
    pub(super) fn find() -> Result<Self, String> {
        match std::env::var_os("TAQUIN_PROGRAM").filter(|path| !path.is_empty()) {
            Some(path) => Ok(Self(path.into())),
            None => super::super::program().map(Self),
        }
    }

    /// So many random boards of a size, the same ones every time.
    pub(super) fn boards(
        &self,
        size: &str,
        seed: u64,
        count: usize,
    ) -> Result<Vec<String>, String> {
        let scrambled = Command::new(&self.0)
            .args(["scramble", "--size", size])
            .args(["--seed", &seed.to_string(), "--count", &count.to_string()])
            .output()
            .map_err(|error| format!("the program does not start: {error}"))?;
        let boards = String::from_utf8_lossy(&scrambled.stdout);
        let boards: Vec<String> = boards.lines().map(str::to_owned).collect();
        if boards.len() == count {
            Ok(boards)
        } else {
            let errors = String::from_utf8_lossy(&scrambled.stderr);
            Err(format!("the program did not scramble {size}: {errors}"))
        }
    }

    /// Makes sure that the strongest tables of 4x4 are there.
    pub(super) fn build_tables(&self) -> Chore {
        let built = Command::new(&self.0)
            .args(["tables", "build", "4x4", "--tier", "full"])
            .stdout(Stdio::null())
            .status();
        match built {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("the tables were not built: {status}")),
            Err(error) => Err(format!("the program does not start: {error}")),
        }
    }

    /// A server on a free port, which has told its address.
    pub(super) fn serve(&self, options: &[&str]) -> Result<Server, String> {
        let mut command = Server::command(&self.0);
        command.args(options);
        Server::start(command)
    }
}
