//! Where results and complaints go.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use anstream::AutoStream;
use anstyle::Style;
use anyhow::Context;
use clap::ColorChoice;
use indicatif::ProgressBar;
use serde::Serialize;

/// Standard output, buffered. It is locked while a record is written, so that whoever ends the
/// program from another thread leaves no half record behind.
type Writer = Arc<Mutex<BufWriter<Box<dyn Write + Send>>>>;

/// Standard output as it was opened.
static WRITER: OnceLock<Writer> = OnceLock::new();

/// Standard output; on a terminal every record shows at once.
pub(crate) struct Output {
    writer: Writer,
    colour: bool,
    terminal: bool,
}

impl Output {
    pub(crate) fn new(choice: ColorChoice) -> Self {
        match choice {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let colour = AutoStream::choice(&stdout) != anstream::ColorChoice::Never;
        let writer: Box<dyn Write + Send> = if colour {
            Box::new(AutoStream::auto(stdout))
        } else {
            // Nothing will be coloured, so nothing need be stripped.
            Box::new(stdout)
        };
        let writer = Arc::new(Mutex::new(BufWriter::with_capacity(1 << 16, writer)));
        Self {
            writer: Arc::clone(WRITER.get_or_init(|| writer)),
            colour,
            terminal,
        }
    }

    /// Whether a person watches.
    pub(crate) const fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// How many columns the person who watches has; `None` if nobody does.
    pub(crate) fn width(&self) -> Option<usize> {
        /// What terminals have that do not tell.
        const USUAL: usize = 80;
        let width = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0);
        self.terminal
            .then(|| width().map_or(USUAL, usize::from).max(1))
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: &str) -> anyhow::Result<()> {
        let mut writer = lock(&self.writer);
        writer.write_all(text.as_bytes()).context(WRITING)
    }

    /// Writes one record, which ends with a line break.
    pub(crate) fn record(&mut self, text: &str) -> anyhow::Result<()> {
        self.text(text)?;
        self.end_record()
    }

    /// Copies everything from a reader.
    pub(crate) fn copy(&mut self, from: &mut impl io::Read) -> anyhow::Result<()> {
        io::copy(from, &mut *lock(&self.writer)).context(WRITING)?;
        Ok(())
    }

    /// Writes one line of JSON.
    pub(crate) fn json(&mut self, record: &impl Serialize) -> anyhow::Result<()> {
        let mut writer = lock(&self.writer);
        let written = serde_json::to_writer(&mut *writer, record).map_err(io::Error::from);
        let written = written.and_then(|()| writer.write_all(b"\n"));
        drop(writer);
        written.context(WRITING)?;
        self.end_record()
    }

    fn end_record(&mut self) -> anyhow::Result<()> {
        if self.terminal { self.flush() } else { Ok(()) }
    }

    pub(crate) fn flush(&mut self) -> anyhow::Result<()> {
        lock(&self.writer).flush().context(WRITING)
    }

    /// Complains about one of many things, behind the results that were written before. Where both
    /// go to one place, the line stands where it belongs.
    pub(crate) fn complain(&mut self, message: fmt::Arguments<'_>) -> anyhow::Result<()> {
        self.flush()?;
        complain(message);
        Ok(())
    }

    /// Something that can flush the output while a command holds it.
    pub(crate) fn flusher(&self) -> Flusher {
        Flusher(Arc::clone(&self.writer))
    }

    /// The text in a style, or plain where there is no colour.
    pub(crate) fn styled(&self, style: Style, text: impl fmt::Display) -> String {
        if self.colour {
            format!("{style}{text}{style:#}")
        } else {
            text.to_string()
        }
    }
}

/// Flushes standard output.
#[derive(Clone)]
pub(crate) struct Flusher(Writer);

impl Flusher {
    pub(crate) fn flush(&self) -> io::Result<()> {
        lock(&self.0).flush()
    }
}

fn lock(writer: &Writer) -> MutexGuard<'_, BufWriter<Box<dyn Write + Send>>> {
    writer.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Flushes standard output from a thread that is about to end the program, unless nobody reads it.
pub(crate) fn flush_from_elsewhere() {
    /// How long a reader may take for the last of the output. One that is stuck costs this once.
    const PATIENCE: Duration = Duration::from_secs(2);
    let Some(writer) = WRITER.get() else {
        return;
    };
    let (sender, done) = mpsc::channel();
    let flush = move || {
        let mut writer = lock(writer);
        // There is nobody to tell of an error.
        let _ = writer.flush();
        let _ = sender.send(());
        // Nothing is written after this: it might end within a record.
        std::mem::forget(writer);
    };
    // Without a thread to wait for, the wait could be for ever.
    if thread::Builder::new().spawn(flush).is_ok() {
        let _ = done.recv_timeout(PATIENCE);
    }
}

/// The bar that is on the screen, so that messages do not run into it.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Says which bar is on the screen from now on.
pub(crate) fn set_bar(bar: Option<&ProgressBar>) {
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = bar.cloned();
}

/// What could not be done when printing fails.
pub(crate) const WRITING: &str = "cannot write the output";

/// Whether an error only means that nobody reads our output any more.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// One line on standard error about something that is wrong.
pub(crate) fn complain(message: fmt::Arguments<'_>) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    say(style, "error", message);
}

/// One line on standard error that helps but is no error.
pub(crate) fn remark(message: fmt::Arguments<'_>) {
    let style = anstyle::AnsiColor::Cyan.on_default().bold();
    say(style, "note", message);
}

fn say(style: Style, word: &str, message: fmt::Arguments<'_>) {
    let say = || {
        // When standard error is gone there is nobody left to tell.
        let _ = writeln!(anstream::stderr(), "{style}{word}{style:#}: {message}");
    };
    match &*BAR.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(bar) => bar.suspend(say),
        None => say(),
    }
}
