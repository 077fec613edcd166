//! The server's log: lines that a thread of its own writes, so that no request waits for them.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use tracing_subscriber::fmt::MakeWriter;

/// How the log is written.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Log {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
    /// Nothing.
    Off,
}

/// Lines that may wait to be written. What comes while as many wait is left out, and counted.
const WAITING: usize = 4096;
/// How long the end of the server waits until the last lines are written.
const PATIENCE: Duration = Duration::from_secs(1);

impl Log {
    /// Writes the log to standard error until the guard is dropped. What was logged by then is
    /// written first, unless standard error is stuck.
    pub(super) fn install(self) -> io::Result<Option<LogGuard>> {
        if matches!(self, Self::Off) {
            return Ok(None);
        }
        let (lines, guard) = start(io::stderr(), self)?;
        let builder = tracing_subscriber::fmt()
            .with_writer(lines)
            .log_internal_errors(false)
            .with_target(false);
        if matches!(self, Self::Json) {
            builder.json().flatten_event(true).init();
        } else {
            builder.init();
        }
        Ok(Some(guard))
    }

    /// The line that stands for those that were left out.
    fn gap(self, lines: u64) -> String {
        let message = "lines were left out: they came faster than they could be written";
        match self {
            Self::Json => {
                format!("{{\"level\":\"WARN\",\"message\":\"{message}\",\"lines\":{lines}}}\n")
            }
            Self::Text | Self::Off => format!("WARN {lines} {message}\n"),
        }
    }
}

/// Takes the lines of the log.
#[derive(Clone)]
struct Lines {
    queue: SyncSender<Message>,
    /// How many were left out since that was last told.
    left_out: Arc<AtomicU64>,
}

enum Message {
    Line(Vec<u8>),
    End,
}

/// Keeps the log's thread. When it is dropped, the lines that wait are written, then no more.
pub(super) struct LogGuard {
    queue: SyncSender<Message>,
    /// Disconnected when the thread has ended.
    written: Receiver<()>,
}

/// Starts a thread that writes lines.
fn start(mut to: impl Write + Send + 'static, log: Log) -> io::Result<(Lines, LogGuard)> {
    let (queue, waiting) = mpsc::sync_channel(WAITING);
    let (writing, written) = mpsc::channel();
    let left_out = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&left_out);
    let write = move || {
        let _writing = writing;
        for message in waiting {
            let Message::Line(mut line) = message else {
                return;
            };
            let gap = counted.swap(0, Ordering::Relaxed);
            if gap > 0 {
                line.extend(log.gap(gap).into_bytes());
            }
            // A log that cannot be written is lost; the server goes on.
            drop(to.write_all(&line));
        }
    };
    thread::Builder::new().name("log".to_owned()).spawn(write)?;
    let guard = LogGuard {
        queue: queue.clone(),
        written,
    };
    Ok((Lines { queue, left_out }, guard))
}

impl Drop for LogGuard {
    /// Waits until the lines before this are written, but not for ever: standard error may be stuck.
    fn drop(&mut self) {
        let end = Instant::now() + PATIENCE;
        while let Err(TrySendError::Full(_)) = self.queue.try_send(Message::End) {
            if Instant::now() >= end {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        let left = end.saturating_duration_since(Instant::now());
        // An error either way: the thread has ended, or it took too long.
        let _ = self.written.recv_timeout(left);
    }
}

/// The subscriber hands over each line whole, in one write.
impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match self.queue.try_send(Message::Line(line.to_vec())) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => {
                self.left_out.fetch_add(1, Ordering::Relaxed);
            }
            Err(TrySendError::Disconnected(_)) => return Err(io::ErrorKind::BrokenPipe.into()),
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::Sender;

    use super::*;

    /// Keeps what is written.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_was_logged_is_written_before_the_guard_is_gone() {
        let kept = Kept::default();
        let (mut lines, guard) = start(kept.clone(), Log::Text).unwrap();
        for _ in 0..100 {
            lines.write_all(b"one line\n").unwrap();
        }
        drop(guard);
        assert_eq!(*kept.0.lock().unwrap(), b"one line\n".repeat(100));
        assert!(lines.write_all(b"too late\n").is_err());
    }

    /// Says what it is about to write, then writes nothing until it may.
    struct Stuck(Sender<Vec<u8>>, Receiver<()>);

    impl Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.send(bytes.to_vec());
            let _ = self.1.recv();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn no_request_waits_for_a_log_that_is_stuck_and_the_gap_is_told() {
        let (begins, begun) = mpsc::channel();
        let (free, may_go) = mpsc::channel();
        let (mut lines, guard) = start(Stuck(begins, may_go), Log::Json).unwrap();
        lines.write_all(b"stuck\n").unwrap();
        begun.recv().unwrap();
        for _ in 0..2 * WAITING {
            lines.write_all(b"waits or is left out\n").unwrap();
        }
        drop(free);
        drop(guard);
        let written: Vec<Vec<u8>> = begun.iter().collect();
        assert_eq!(written.len(), WAITING);
        let first = String::from_utf8(written[0].clone()).unwrap();
        assert!(
            first.contains(&format!("\"lines\":{WAITING}}}\n")),
            "{first}"
        );
    }

    #[test]
    fn the_end_of_the_server_does_not_wait_for_a_log_that_is_stuck() {
        for lines_that_wait in [0, 2 * WAITING] {
            let (begins, begun) = mpsc::channel();
            let (free, may_go) = mpsc::channel();
            let (mut lines, guard) = start(Stuck(begins, may_go), Log::Text).unwrap();
            lines.write_all(b"stuck\n").unwrap();
            begun.recv().unwrap();
            for _ in 0..lines_that_wait {
                lines.write_all(b"waits or is left out\n").unwrap();
            }
            // Else this would be for ever.
            drop(guard);
            drop(free);
        }
    }
}
