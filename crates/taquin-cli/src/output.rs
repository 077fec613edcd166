//! Where results and complaints go.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use anstream::AutoStream;
use anstyle::Style;
use anyhow::Context;
use clap::ColorChoice;
use indicatif::ProgressBar;
use serde::Serialize;

/// Standard output, buffered; on a terminal every record shows at once.
pub(crate) struct Output {
    writer: Rc<RefCell<BufWriter<Box<dyn Write>>>>,
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
        let writer: Box<dyn Write> = if colour {
            Box::new(AutoStream::auto(stdout))
        } else {
            // Nothing will be coloured, so nothing need be stripped.
            Box::new(stdout.lock())
        };
        Self {
            writer: Rc::new(RefCell::new(BufWriter::with_capacity(1 << 16, writer))),
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
        let mut writer = self.writer.borrow_mut();
        writer.write_all(text.as_bytes()).context(WRITING)
    }

    /// Writes one record, which ends with a line break.
    pub(crate) fn record(&mut self, text: &str) -> anyhow::Result<()> {
        self.text(text)?;
        self.end_record()
    }

    /// Copies everything from a reader.
    pub(crate) fn copy(&mut self, from: &mut impl io::Read) -> anyhow::Result<()> {
        io::copy(from, &mut *self.writer.borrow_mut()).context(WRITING)?;
        Ok(())
    }

    /// Writes one line of JSON.
    pub(crate) fn json(&mut self, record: &impl Serialize) -> anyhow::Result<()> {
        serde_json::to_writer(&mut *self.writer.borrow_mut(), record)
            .map_err(io::Error::from)
            .context(WRITING)?;
        self.text("\n")?;
        self.end_record()
    }

    fn end_record(&mut self) -> anyhow::Result<()> {
        if self.terminal { self.flush() } else { Ok(()) }
    }

    pub(crate) fn flush(&mut self) -> anyhow::Result<()> {
        self.writer.borrow_mut().flush().context(WRITING)
    }

    /// Something that can flush the output while a command holds it.
    pub(crate) fn flusher(&self) -> Flusher {
        Flusher(Rc::clone(&self.writer))
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
pub(crate) struct Flusher(Rc<RefCell<BufWriter<Box<dyn Write>>>>);

impl Flusher {
    pub(crate) fn flush(&self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

/// The bar that is on the screen, so that messages do not run into it.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Says which bar is on the screen from now on.
pub(crate) fn set_bar(bar: Option<&ProgressBar>) {
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = bar.cloned();
}

const WRITING: &str = "cannot write the output";

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
