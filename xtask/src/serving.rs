//! A server of the program, for chores that ask it something.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long a server may take to tell its address, and to answer, before it is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server that runs until this is dropped.
pub(crate) struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    /// A command that starts a server on a free port of this machine, without a log.
    pub(crate) fn command(program: &Path) -> Command {
        let mut command = Command::new(program);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "off"]);
        command
    }

    /// Starts it and waits until it has told its address.
    pub(crate) fn start(mut command: Command) -> Result<Self, String> {
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("the server does not start: {error}"))?;
        let output = process.stdout.take();
        // From here on it is killed whatever happens.
        let mut server = Self {
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

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The body of what it answers to one request, which must succeed.
    pub(crate) fn get(&self, path: &str) -> Result<Vec<u8>, String> {
        let fail = |error: std::io::Error| format!("no answer to GET {path}: {error}");
        let mut stream = TcpStream::connect_timeout(&self.address, PATIENCE).map_err(fail)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(fail)?;
        let address = self.address;
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).map_err(fail)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).map_err(fail)?;
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
        match end {
            Some(end) if answer.starts_with(b"HTTP/1.1 200 ") => Ok(answer.split_off(end + 4)),
            _ => Err(format!(
                "GET {path} is answered with {}",
                String::from_utf8_lossy(&answer)
            )),
        }
    }

    /// The bytes of memory that it has in use, where the system tells.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.status("VmRSS:")
    }

    /// The bytes of memory that it has for itself, without those of mapped files, where the system
    /// tells.
    pub(crate) fn anonymous_memory(&self) -> Option<u64> {
        self.status("RssAnon:")
    }

    /// A number of bytes that the system tells of the process.
    fn status(&self, name: &str) -> Option<u64> {
        let status = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(status).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
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
