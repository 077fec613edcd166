//! A store in a folder of its own, the table that all tests want, and processes that want it too.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};

use taquin::tables::store::{FileCheck, Store, StoreNotice, Stored, TableRequest};
use taquin::tables::{Bytes, BytesMut, Key, OutOfMemoryError};
use tempfile::TempDir;

/// The largest value of the table.
pub(crate) const MAX: u8 = 250;
/// Three parts with a checksum each, and a little one.
pub(crate) const BYTES: usize = (3 << 20) + 100;
/// Where the payload begins.
pub(crate) const START: usize = 4096;

pub(crate) fn key() -> Key {
    key_of([0, 1, 4, 5])
}

pub(crate) fn key_of<const N: usize>(homes: [usize; N]) -> Key {
    let size = "4x4".parse().expect("a size");
    Key::new(size, 15, homes.into_iter().collect()).expect("a table")
}

pub(crate) fn payload() -> Vec<u8> {
    (0..BYTES).map(|i| (i % 251) as u8).collect()
}

pub(crate) fn request() -> TableRequest {
    TableRequest {
        subject: key().into(),
        entries: BYTES as u64,
        bytes: BYTES,
        check: FileCheck::Header,
    }
}

/// A store whose folder goes with it.
pub(crate) struct Folder {
    pub(crate) store: Store,
    folder: TempDir,
}

impl Folder {
    /// With nothing in it.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(folder.path());
        Self { store, folder }
    }

    /// With the table in it.
    pub(crate) fn with_table() -> Self {
        let folder = Self::empty();
        let lock = folder.store.try_lock(key()).unwrap().unwrap();
        lock.write(BYTES as u64, MAX, &payload()).unwrap();
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The table's file.
    pub(crate) fn file(&self) -> PathBuf {
        self.store.path(key())
    }

    /// All files that are no locks, in the order of their names.
    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path()).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let mut paths: Vec<PathBuf> = paths.filter(|path| !has_extension(path, "lock")).collect();
        paths.sort();
        paths
    }

    /// Their names.
    pub(crate) fn names(&self) -> Vec<String> {
        let files = self.files().into_iter();
        files
            .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
            .collect()
    }

    /// The files that were to become tables.
    pub(crate) fn temporary_files(&self) -> Vec<PathBuf> {
        let mut files = self.files();
        files.retain(|path| has_extension(path, "tmp"));
        files
    }

    /// Asks for the table; says how often it was built and what was noticed. The table that comes
    /// back is checked.
    pub(crate) fn get(&self, check: FileCheck) -> (usize, Vec<StoreNotice>) {
        let mut built = 0;
        let build = || {
            built += 1;
            built_now()
        };
        let mut notices = Vec::new();
        let request = TableRequest { check, ..request() };
        let table = self
            .store
            .get_or_build(&request, build, &mut |notice| notices.push(notice));
        assert_is_the_table(&table.unwrap());
        (built, notices)
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// What a builder gives that does not fail.
pub(crate) fn built_now() -> Result<(Bytes, u8), OutOfMemoryError> {
    let mut bytes = BytesMut::zeroed(BYTES)?;
    bytes.copy_from_slice(&payload());
    Ok((bytes.into(), MAX))
}

pub(crate) fn assert_is_the_table(table: &Stored) {
    table.verify(2).unwrap();
    assert!(table.bytes()[..] == payload());
    let description = table.description();
    assert_eq!(description.subject, key().into());
    assert_eq!((description.entries, description.max), (BYTES as u64, MAX));
}

/// Where [`another_process`] finds the folder of its store.
const FOLDER: &str = "TAQUIN_TEST_STORE";

/// Not a test: what the processes do that tests start. Asks for the table and tells on standard
/// error what happens; while it builds, it waits for a line on standard input.
#[test]
#[ignore = "other tests start it in a process of its own"]
fn another_process() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let build = || {
        eprintln!("building");
        std::io::stdin().lines().next();
        built_now()
    };
    let mut tell = |notice| match notice {
        StoreNotice::Rebuilding(_) => eprintln!("rebuilding"),
        StoreNotice::Waiting { .. } => eprintln!("waiting"),
        StoreNotice::NotKept(error) => eprintln!("not kept: {error}"),
        other => eprintln!("{other}"),
    };
    let table = Store::new(folder).get_or_build(&request(), build, &mut tell);
    assert_is_the_table(&table.unwrap());
    eprintln!("done");
}

/// A process that asks for the table. It is killed when this is dropped.
pub(crate) struct Process {
    child: Child,
    lines: Lines<BufReader<ChildStderr>>,
}

impl Process {
    pub(crate) fn start(folder: &Path) -> Self {
        let program = std::env::current_exe().expect("the test itself");
        Self::spawn(Command::new(program), folder)
    }

    /// One that a shell starts after these commands.
    #[cfg(unix)]
    pub(crate) fn start_after(commands: &str, folder: &Path) -> Self {
        let mut shell = Command::new("sh");
        let program = std::env::current_exe().expect("the test itself");
        shell.args(["-c", &format!(r#"{commands}; exec "$0" "$@""#)]);
        shell.arg(program);
        Self::spawn(shell, folder)
    }

    fn spawn(mut command: Command, folder: &Path) -> Self {
        command
            .args(["--exact", "support::another_process"])
            .args(["--ignored", "--nocapture"])
            .env(FOLDER, folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("a process");
        let lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        Self { child, lines }
    }

    /// The next thing it tells; empty if it has ended.
    pub(crate) fn tells(&mut self) -> String {
        self.lines.next().map_or(String::new(), Result::unwrap)
    }

    /// Lets it go on with building.
    pub(crate) fn finish_building(&mut self) {
        let input = self.child.stdin.as_mut().expect("it is piped");
        input.write_all(b"\n").unwrap();
    }

    /// Ends it without giving it a chance to do anything.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn end(mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended before.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
