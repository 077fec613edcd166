//! Comma-separated values: the names of the fields first, then a line a record.

use anyhow::{Context, Result};
use serde::Serialize;

use crate::output::Output;

/// Knows whether the names of the fields were written.
#[derive(Default)]
pub(super) struct Writer {
    begun: bool,
}

impl Writer {
    /// Writes a record, which has fields of plain values only.
    pub(super) fn write(&mut self, out: &mut Output, record: &impl Serialize) -> Result<()> {
        let mut line = Vec::new();
        let mut csv = csv::WriterBuilder::new()
            .has_headers(!self.begun)
            .from_writer(&mut line);
        csv.serialize(record).context("cannot write as CSV")?;
        csv.flush()?;
        drop(csv);
        self.begun = true;
        out.record(std::str::from_utf8(&line)?)
    }
}
