//! `taquin tables list`: what is there.

use anyhow::Result;
use serde::Serialize;
use taquin::tables::store::{Listed, ListedState};
use taquin::tables::{Catalogue, ClassCatalogue, TableSubject, Tier};
use taquin::{Metric, Size};
use taquin_records::{MetricWord, Word};

use super::{is_for, name, tables};
use crate::export::{Column, FormatArgs, Sheet};
use crate::output::Output;
use crate::status::Status;
use crate::tables::TablesArgs;
use crate::{figures, names};

/// List the tables that are kept.
///
/// A file is named after the size, the goal's blank cell and the cells where the table's tiles
/// belong, counted from 0 in reading order; if it has all boards, after what counts as a move; and
/// if it is of coloured tiles in multi-tile moves, after their colours.
/// Files that cannot be used are listed with the reason. Headers are read, nothing more: `taquin
/// tables verify` looks at every byte.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin tables list

  Those of one size, for a program
  $ taquin tables list 4x4 --json")]
pub(crate) struct Args {
    /// Only tables of this size, rows x columns.
    #[arg(value_name = "SIZE", value_parser = names::size)]
    size: Option<Size>,

    #[command(flatten)]
    format: FormatArgs,

    #[command(flatten)]
    tables: TablesArgs,
}

/// A file in the folder.
// Here and not in taquin-records: only this program shows the files of its folder.
#[derive(Serialize)]
struct Record<'a> {
    file: &'a str,
    state: FileState,
    size: Option<String>,
    /// The goal's blank cell, from 0.
    blank: Option<usize>,
    /// The homes of the pattern's tiles, from 0.
    pattern: Option<String>,
    tiles: Option<usize>,
    /// Of coloured tiles, the colours in a drawing of the goal.
    colours: Option<String>,
    /// For a table of all boards or of coloured tiles, what counts as a move.
    metric: Option<MetricWord>,
    entries: Option<u64>,
    max: Option<u8>,
    /// Those that the table belongs to, separated by commas.
    tiers: Option<String>,
    /// The length of the file.
    bytes: u64,
    /// Why the file is unusable.
    error: Option<String>,
}

/// What a file is.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum FileState {
    Table,
    Unusable,
    /// Being written, or left behind.
    Temporary,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let store = args.tables.store()?;
    let mut files = store.list()?;
    files.retain(|file| args.size.is_none_or(|size| is_for(file, size)));
    let columns = vec![
        Column::text("file"),
        Column::text("size"),
        Column::number("blank"),
        Column::number("tiles"),
        Column::number("entries"),
        Column::number("max"),
        Column::text("for"),
        Column::number("bytes"),
        Column::text("state"),
    ];
    let mut sheet = Sheet::new(args.format.format(), columns);
    sheet.note(|| {
        let count = files.iter().filter(|file| is_table(file)).count();
        let bytes = files.iter().map(|file| file.bytes).sum();
        let folder = store.folder().display();
        format!("{folder}: {}, {}", tables(count), figures::size(bytes))
    });
    for file in &files {
        let name = name(file);
        let record = record(file, &name);
        sheet.record(out, &record)?;
        sheet.row(|| cells(&record));
    }
    sheet.end(out)?;
    Ok(Status::Done)
}

const fn is_table(file: &Listed) -> bool {
    matches!(file.state, ListedState::Table(_))
}

fn record<'a>(file: &Listed, name: &'a str) -> Record<'a> {
    let mut record = Record {
        file: name,
        state: FileState::Temporary,
        size: None,
        blank: None,
        pattern: None,
        tiles: None,
        colours: None,
        metric: None,
        entries: None,
        max: None,
        tiers: None,
        bytes: file.bytes,
        error: None,
    };
    match &file.state {
        ListedState::Table(stored) => {
            let description = stored.description();
            let subject = description.subject;
            record.state = FileState::Table;
            record.size = Some(subject.size().to_string());
            record.blank = Some(subject.blank());
            record.tiles = Some(subject.size().cells() - 1);
            record.entries = Some(description.entries);
            record.max = Some(description.max);
            match subject {
                TableSubject::Pattern(key) => {
                    record.pattern = Some(key.pattern().to_string());
                    record.tiles = Some(key.pattern().tiles());
                    record.tiers = Some(tiers(|tier| {
                        let catalogue = Catalogue::of(key.size(), key.blank(), tier);
                        catalogue.is_ok_and(|catalogue| catalogue.keys().contains(&key))
                    }));
                }
                TableSubject::Space(key) => record.metric = Some(Word(key.metric)),
                TableSubject::Classes(key) => {
                    record.colours = Some(key.to_string());
                    record.metric = Some(Word(Metric::Multi));
                    record.tiers = Some(tiers(|tier| {
                        let catalogue = ClassCatalogue::of(key.size(), key.blank(), tier);
                        catalogue.is_ok_and(|catalogue| catalogue.keys().contains(&key))
                    }));
                }
                _ => {}
            }
        }
        ListedState::Unusable(error) => {
            record.state = FileState::Unusable;
            record.error = Some(error.kind().to_string());
        }
        // Being written, or left behind.
        _ => {}
    }
    record
}

/// The tiers that a table belongs to.
fn tiers(uses: impl Fn(Tier) -> bool) -> String {
    let tiers = Tier::ALL.into_iter().filter(|&tier| uses(tier));
    let tiers = tiers.map(Tier::name);
    tiers.collect::<Vec<_>>().join(",")
}

fn cells(record: &Record<'_>) -> Vec<String> {
    let or_dash = |cell: Option<String>| cell.filter(|c| !c.is_empty()).unwrap_or("-".to_owned());
    let state = match (&record.error, record.state) {
        (Some(error), _) => error.clone(),
        (None, FileState::Temporary) => "being written, or left behind".to_owned(),
        _ => "ok".to_owned(),
    };
    vec![
        record.file.to_owned(),
        or_dash(record.size.clone()),
        or_dash(record.blank.map(|blank| blank.to_string())),
        or_dash(record.tiles.map(|tiles| tiles.to_string())),
        or_dash(record.entries.map(figures::count)),
        or_dash(record.max.map(|max| max.to_string())),
        or_dash(match (record.metric, &record.tiers) {
            (Some(metric), None) => Some(format!("all boards, {metric}")),
            (Some(metric), Some(tiers)) => Some(format!("{tiers}, {metric}")),
            (None, tiers) => tiers.clone(),
        }),
        figures::count(record.bytes),
        state,
    ]
}
