//! The results so far: a file with a line of JSON a board.
//!
//! A line is written when its board is done, so whatever ends the bench loses no more than the
//! board under way. A last line without its end was cut off, and its board is measured again.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::options::{Options, typed};

/// What results depend on. Only those that agree in it stand in one table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Setup {
    /// The most time for a board, in milliseconds.
    pub(crate) until_ms: u64,
    pub(crate) threads: usize,
    /// The version of the library.
    pub(crate) version: String,
    /// The tables, by name.
    pub(crate) tables: String,
}

impl Setup {
    pub(crate) fn new(options: &Options, tables: String) -> Self {
        Self {
            until_ms: options.until.as_millis() as u64,
            threads: options.threads,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            tables,
        }
    }

    pub(crate) fn until(&self) -> String {
        typed(Duration::from_millis(self.until_ms))
    }
}

/// What came of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) id: u32,
    /// The length of a shortest solution, if it was found in the time.
    pub(crate) length: Option<u32>,
    /// What every solution takes at least.
    pub(crate) bound: u32,
    /// Whether there is a solution, and whether it is proven that none is shorter.
    pub(crate) solved: bool,
    pub(crate) proven: bool,
    /// Nodes expanded in iterations that were searched in full: they are the same in every run.
    pub(crate) nodes_of_complete_iterations: u64,
    /// All nodes expanded.
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
    #[serde(flatten)]
    pub(crate) setup: Setup,
}

/// The file of results.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    setup: Setup,
    pub(crate) entries: Vec<Entry>,
}

impl Journal {
    /// The journal in this file, with what is there unless it is to be forgotten.
    pub(crate) fn open(path: &Path, setup: Setup, fresh: bool) -> Result<Self> {
        let fail = |error: std::io::Error| format!("{}: {error}", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(fail)?;
        }
        if fresh
            && let Err(error) = std::fs::remove_file(path)
            && error.kind() != ErrorKind::NotFound
        {
            return Err(fail(error).into());
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(fail)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fail)?;
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        let entries = read(&bytes[..whole], &setup)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        file.set_len(whole as u64).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        let path = path.to_owned();
        Ok(Self {
            path,
            file,
            setup,
            entries,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }

    pub(crate) fn has(&self, id: u32) -> bool {
        self.entries.iter().any(|entry| entry.id == id)
    }

    /// Writes a result, so that it is there whatever comes next.
    pub(crate) fn add(&mut self, entry: Entry) -> Result<()> {
        let mut line = serde_json::to_string(&entry)?;
        line.push('\n');
        self.file.write_all(line.as_bytes())?;
        self.file.sync_data()?;
        self.entries.push(entry);
        Ok(())
    }
}

/// The results in whole lines, which must all be of this setup.
fn read(bytes: &[u8], setup: &Setup) -> Result<Vec<Entry>> {
    let mut entries: Vec<Entry> = Vec::new();
    for (i, line) in std::str::from_utf8(bytes)?.lines().enumerate() {
        let number = i + 1;
        let entry: Entry = serde_json::from_str(line).map_err(|error| {
            format!("line {number} is no result ({error}); --fresh starts over")
        })?;
        if entry.setup != *setup {
            return Err(format!(
                "has results with --until {} --threads {}, version {}, tables {}; now it is \
                 --until {} --threads {}, version {}, tables {}. --fresh starts over, --journal \
                 names another file",
                entry.setup.until(),
                entry.setup.threads,
                entry.setup.version,
                entry.setup.tables,
                setup.until(),
                setup.threads,
                setup.version,
                setup.tables
            )
            .into());
        }
        entries.push(entry);
    }
    Ok(entries)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn setup(threads: usize) -> Setup {
        let options = Options {
            threads,
            ..Options::default()
        };
        Setup::new(&options, "some".to_owned())
    }

    pub(crate) fn entry(id: u32) -> Entry {
        Entry {
            id,
            length: Some(96),
            bound: 96,
            solved: true,
            proven: true,
            nodes_of_complete_iterations: 4_000_000,
            nodes: 7_000_000,
            seconds: 2.5,
            setup: setup(2),
        }
    }

    fn open(path: &Path, fresh: bool) -> Result<Journal> {
        Journal::open(path, setup(2), fresh)
    }

    #[test]
    fn what_was_written_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/korf24.jsonl");
        let mut journal = open(&path, false).unwrap();
        assert!(!journal.has(38));
        journal.add(entry(38)).unwrap();
        drop(journal);
        let mut journal = open(&path, false).unwrap();
        journal.add(entry(40)).unwrap();
        drop(journal);
        let journal = open(&path, false).unwrap();
        assert_eq!(journal.entries, [entry(38), entry(40)]);
        assert!(journal.has(40) && !journal.has(25));
        assert!(open(&path, true).unwrap().entries.is_empty());
        assert!(open(&path, false).unwrap().entries.is_empty());
    }

    #[test]
    fn a_line_that_was_cut_off_is_measured_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("korf24.jsonl");
        let mut journal = open(&path, false).unwrap();
        journal.add(entry(38)).unwrap();
        journal.add(entry(40)).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let first = whole.iter().position(|&b| b == b'\n').unwrap() + 1;
        for length in first..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut journal = open(&path, false).unwrap();
            assert_eq!(journal.entries, [entry(38)], "{length}");
            journal.add(entry(40)).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), whole, "{length}");
        }
    }

    #[test]
    fn results_of_another_setup_are_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("korf24.jsonl");
        open(&path, false).unwrap().add(entry(38)).unwrap();
        let other = Journal::open(&path, setup(1), false);
        let error = other.err().expect("it is another setup").to_string();
        assert!(
            error.contains("--threads 2") && error.contains("--threads 1"),
            "{error}"
        );
        assert_eq!(open(&path, false).unwrap().entries.len(), 1);
    }

    #[test]
    fn a_line_that_is_no_result_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("korf24.jsonl");
        std::fs::write(&path, "{}\n").unwrap();
        let error = open(&path, false).err().expect("it is no result");
        assert!(error.to_string().contains("line 1"), "{error}");
    }
}
