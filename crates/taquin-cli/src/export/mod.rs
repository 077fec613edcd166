//! Tables of results: one exporter a format.
//!
//! People get a few columns in readable figures, programs every field in full. So a [`Sheet`] takes
//! both and uses what its format needs: rows of cells for `table` and `markdown`, records for `csv`
//! and `json`.

mod csv;
mod json;
mod markdown;
mod table;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::output::Output;

/// The forms in which results can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people at a terminal.
    Table,
    /// A table in Markdown.
    Markdown,
    /// Comma-separated values with a header line.
    Csv,
    /// JSON Lines, one object a result.
    Json,
}

/// The options of every command that prints a table.
#[derive(Args)]
pub(crate) struct FormatArgs {
    /// The form of the results.
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,

    /// Print JSON Lines, as --format json does.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl FormatArgs {
    pub(crate) const fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.format() == Format::Json
    }
}

/// A column for people.
pub(crate) struct Column {
    title: String,
    align: Align,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

impl Column {
    /// A column of words.
    pub(crate) fn text(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            align: Align::Left,
        }
    }

    /// A column of numbers.
    pub(crate) fn number(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            align: Align::Right,
        }
    }
}

/// A table that grows row by row. Records are written as they come; rows for people when all are
/// there, because only then the widths are known.
pub(crate) struct Sheet {
    format: Format,
    columns: Vec<Column>,
    notes: Vec<String>,
    rows: Vec<Vec<String>>,
    csv: csv::Writer,
}

impl Sheet {
    pub(crate) fn new(format: Format, columns: Vec<Column>) -> Self {
        Self {
            format,
            columns,
            notes: Vec::new(),
            rows: Vec::new(),
            csv: csv::Writer::default(),
        }
    }

    /// Takes a record with all fields, for programs.
    pub(crate) fn record(&mut self, out: &mut Output, record: &impl Serialize) -> Result<()> {
        match self.format {
            Format::Table | Format::Markdown => Ok(()),
            Format::Csv => self.csv.write(out, record),
            Format::Json => json::write(out, record),
        }
    }

    /// Takes a row with a cell for each column, for people.
    pub(crate) fn row(&mut self, cells: impl FnOnce() -> Vec<String>) {
        if self.is_for_people() {
            self.rows.push(cells());
        }
    }

    /// Takes a line to stand above the table, for people.
    pub(crate) fn note(&mut self, line: impl FnOnce() -> String) {
        if self.is_for_people() {
            self.notes.push(line());
        }
    }

    const fn is_for_people(&self) -> bool {
        matches!(self.format, Format::Table | Format::Markdown)
    }

    /// Writes what is left to write.
    pub(crate) fn end(self, out: &mut Output) -> Result<()> {
        let text = match self.format {
            Format::Table => table::text(&self.notes, &self.columns, &self.rows),
            Format::Markdown => markdown::text(&self.notes, &self.columns, &self.rows),
            Format::Csv | Format::Json => return Ok(()),
        };
        out.record(&text)
    }
}

/// A table alone, for people at a terminal.
pub(crate) fn table(columns: &[Column], rows: &[Vec<String>]) -> String {
    table::text(&[], columns, rows)
}
