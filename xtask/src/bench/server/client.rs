//! As much of an HTTP/1.1 client as the load needs: one connection, one request after the other.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// How long an answer may take, unless told otherwise.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most bytes of an answer's head, and of its body.
const MOST_HEAD: u64 = 16 << 10;
const MOST_BODY: usize = 1 << 20;

/// A connection that is kept for the next request.
pub(super) struct Client {
    address: SocketAddr,
    stream: BufReader<TcpStream>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It did not come in time.
    Late,
    Broken(String),
}

impl From<Trouble> for String {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Late => "no answer in time".to_owned(),
            Trouble::Broken(why) => why,
        }
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => Self::Late,
            _ => Self::Broken(format!("the connection broke: {error}")),
        }
    }
}

impl Client {
    pub(super) fn connect(address: SocketAddr) -> Result<Self, Trouble> {
        let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self {
            address,
            stream: BufReader::new(stream),
        })
    }

    pub(super) fn get(&mut self, path: &str) -> Result<Answer, Trouble> {
        self.send_get(path)?;
        self.answer()
    }

    pub(super) fn post(&mut self, path: &str, body: &str) -> Result<Answer, Trouble> {
        self.send_post(path, body)?;
        self.answer()
    }

    /// Asks, and does not wait for the answer.
    pub(super) fn send_get(&mut self, path: &str) -> Result<(), Trouble> {
        let address = self.address;
        self.write(&format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n"))
    }

    /// Asks, and does not wait for the answer.
    pub(super) fn send_post(&mut self, path: &str, body: &str) -> Result<(), Trouble> {
        let (address, length) = (self.address, body.len());
        self.write(&format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        ))
    }

    fn write(&mut self, request: &str) -> Result<(), Trouble> {
        Ok(self.stream.get_mut().write_all(request.as_bytes())?)
    }

    /// How long to wait for an answer from now on.
    pub(super) fn wait_at_most(&self, time: Duration) -> Result<(), Trouble> {
        // None at all would mean for ever.
        let time = time.max(Duration::from_millis(1));
        Ok(self.stream.get_ref().set_read_timeout(Some(time))?)
    }

    /// The status of the answer if it begins within a time. Nothing can be asked after this.
    pub(super) fn status_within(mut self, time: Duration) -> Result<Option<u16>, Trouble> {
        let end = Instant::now() + time;
        self.wait_at_most(time)?;
        let mut line = String::new();
        let status = match self.stream.read_line(&mut line) {
            Ok(_) => Some(status(&line)?),
            Err(error) => match Trouble::from(error) {
                Trouble::Late => None,
                broken @ Trouble::Broken(_) => return Err(broken),
            },
        };
        std::thread::sleep(end.saturating_duration_since(Instant::now()));
        Ok(status)
    }

    fn answer(&mut self) -> Result<Answer, Trouble> {
        let mut head = String::new();
        let mut lines = (&mut self.stream).take(MOST_HEAD);
        while !head.ends_with("\r\n\r\n") {
            if lines.read_line(&mut head)? == 0 {
                return Err(Trouble::Broken("the answer has no end".to_owned()));
            }
        }
        let mut answer = Answer {
            status: status(&head)?,
            head,
            body: String::new(),
        };
        let length = answer
            .header("content-length")
            .and_then(|text| text.parse().ok());
        let Some(length) = length.filter(|&length| length <= MOST_BODY) else {
            return Err(Trouble::Broken("the answer's length is unknown".to_owned()));
        };
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        answer.body = String::from_utf8(body)
            .map_err(|_| Trouble::Broken("the answer is no text".to_owned()))?;
        Ok(answer)
    }
}

/// The status in the first line of a head.
fn status(head: &str) -> Result<u16, Trouble> {
    let status = head
        .strip_prefix("HTTP/1.1 ")
        .and_then(|rest| rest.get(..3));
    status
        .and_then(|status| status.parse().ok())
        .ok_or_else(|| Trouble::Broken(format!("no answer of HTTP: {head:?}")))
}

pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: String,
    head: String,
}

impl Answer {
    /// A header, by its name in small letters.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    /// Fails unless all is well and the body has these parts.
    pub(super) fn must_have(&self, parts: &[&str]) -> Result<(), String> {
        let body = &self.body;
        if self.status != 200 {
            return Err(format!("status {}: {body}", self.status));
        }
        match parts.iter().find(|part| !body.contains(**part)) {
            Some(part) => Err(format!("no {part} in {body}")),
            None => Ok(()),
        }
    }

    /// A number of `/metrics`.
    pub(super) fn metric(&self, name: &str) -> Result<u64, String> {
        let value = self.body.lines().find_map(|line| {
            let value = line.strip_prefix(name)?.strip_prefix(' ')?;
            value.parse().ok()
        });
        value.ok_or_else(|| format!("/metrics does not tell {name}"))
    }
}
