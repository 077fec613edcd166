//! The server as a process: the memory it takes.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Not the tables of whoever runs the tests.
const TABLES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/serve-tables");
const PROGRAM: &str = env!("CARGO_BIN_EXE_taquin");
/// How long anything may take on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server that runs until this is dropped.
struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start(options: &[&str]) -> Self {
        let mut process = Command::new(PROGRAM)
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "off"])
            .args(options)
            .env("TAQUIN_TABLES", TABLES)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let (_, address) = line.trim_end().rsplit_once("http://").unwrap();
        let address = address.parse().unwrap();
        Self { process, address }
    }

    /// The status and the body of an answer.
    fn get(&self, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    /// The most memory it had so far, in bytes.
    fn peak_memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(status).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.unwrap().trim().strip_suffix(" kB").unwrap();
        kibibytes.parse::<u64>().unwrap() << 10
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Different goals of 3x4, with the blank in every cell.
fn goals(count: usize) -> Vec<String> {
    (0..count)
        .map(|number| {
            let mut tiles: Vec<usize> = (1..12).collect();
            tiles.rotate_left(number / 12);
            tiles.insert(number % 12, 0);
            let rows = tiles.chunks(4).map(|row| {
                let row: Vec<String> = row.iter().map(usize::to_string).collect();
                row.join("+")
            });
            rows.collect::<Vec<_>>().join("%2F")
        })
        .collect()
}

#[test]
fn thirty_two_surveys_at_once_fit_in_512_mb() {
    let server = Server::start(&["--searches", "32", "--limit-time", "5m"]);
    thread::scope(|scope| {
        for goal in goals(32) {
            let server = &server;
            scope.spawn(move || {
                let (status, body) = server.get(&format!("/api/v1/distribution/3x4?goal={goal}"));
                assert_eq!(status, 200, "{body}");
                assert!(body.contains("\"boards\":239500800"), "{goal}");
            });
        }
    });
    let peak = server.peak_memory();
    assert!(peak < 512 << 20, "{peak} bytes");
}

#[test]
fn surveys_obey_the_limits_of_the_command_line() {
    let small = Server::start(&["--limit-memory", "1MB"]);
    assert_eq!(small.get("/api/v1/distribution/3x4").0, 413);
    assert_eq!(small.get("/api/v1/distribution/2x3").0, 200);
    let peak = small.peak_memory();
    assert!(peak < 100 << 20, "{peak} bytes");
    let short = Server::start(&["--limit-time", "1ms"]);
    assert_eq!(short.get("/api/v1/distribution/3x4").0, 413);
}
