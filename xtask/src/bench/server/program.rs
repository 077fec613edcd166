//! The program, and servers that it runs.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::Chore;

/// How long a server may take to tell its address before it is given up.
const PATIENCE: Duration = Duration::from_secs(10);

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
        let mut process = Command::new(&self.0)
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "off"])
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("the server does not start: {error}"))?;
        let output = process.stdout.take();
        // From here on it is killed whatever happens.
        let mut server = Server {
            process,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
        };
        let (sender, told) = mpsc::channel();
        thread::spawn(move || {
            let mut line = String::new();
            if let Some(output) = output {
                let _ = BufReader::new(output).read_line(&mut line);
            }
            let _ = sender.send(line);
        });
        let line = told
            .recv_timeout(PATIENCE)
            .map_err(|_| "the server does not tell its address".to_owned())?;
        let address = line.trim_end().rsplit_once("http://");
        let address = address.and_then(|(_, address)| address.parse().ok());
        server.address = address.ok_or_else(|| format!("no address in {line:?}"))?;
        Ok(server)
    }
}

/// A server that runs until this is dropped.
pub(super) struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The bytes of memory that it has in use, where the system tells.
    pub(super) fn memory(&self) -> Option<u64> {
        let status = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(status).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kibibytes << 10)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It fails only if the process is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
