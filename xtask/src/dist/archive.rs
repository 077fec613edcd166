//! A compressed archive that is the same for the same content, and its checksum.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};

/// The time of every file: the first second of 2026. Archives of the same content are then the same.
const TIME: u64 = 1_767_225_600;

/// A file of an archive.
pub(super) struct Entry {
    path: String,
    content: Vec<u8>,
    /// Who may read, write and run it, as Unix writes it.
    mode: u32,
}

impl Entry {
    /// A file to read.
    pub(super) fn file(path: impl Into<String>, content: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            content: content.into(),
            mode: 0o644,
        }
    }

    /// A file to run.
    pub(super) fn program(path: impl Into<String>, content: impl Into<Vec<u8>>) -> Self {
        Self {
            mode: 0o755,
            ..Self::file(path, content)
        }
    }
}

/// Writes the entries below a folder of that name, sorted, into an archive; and beside it, under its
/// name and `.sha256`, the checksum as `sha256sum --check` reads it.
pub(super) fn write(path: &Path, folder: &str, entries: Vec<Entry>) -> io::Result<()> {
    let archive = pack(folder, entries)?;
    fs::write(path, &archive)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let line = format!("{}  {name}\n", checksum(&archive));
    fs::write(path.with_file_name(format!("{name}.sha256")), line)
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub(super) fn checksum(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("strings take all");
        text
    })
}

fn pack(folder: &str, mut entries: Vec<Entry>) -> io::Result<Vec<u8>> {
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    // Neither the time nor the system is noted in the head.
    let compressor = GzBuilder::new()
        .operating_system(255)
        .write(Vec::new(), Compression::default());
    let mut archive = tar::Builder::new(compressor);
    for entry in entries {
        let mut header = tar::Header::new_ustar();
        header.set_size(entry.content.len() as u64);
        header.set_mode(entry.mode);
        header.set_mtime(TIME);
        header.set_uid(0);
        header.set_gid(0);
        let path = format!("{folder}/{}", entry.path);
        archive.append_data(&mut header, path, entry.content.as_slice())?;
    }
    let mut bytes = archive.into_inner()?.finish()?;
    bytes.flush()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_content_in_any_order_makes_the_same_archive() {
        let entries = |names: [&str; 3]| names.map(|name| Entry::file(name, name)).into();
        let one = pack("folder", entries(["a", "b/c", "d"])).unwrap();
        let other = pack("folder", entries(["d", "a", "b/c"])).unwrap();
        assert_eq!(one, other);
        assert_ne!(one, pack("folder", entries(["a", "b/c", "e"])).unwrap());
    }

    #[test]
    fn checksums_are_those_of_the_standard() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(checksum(b"abc"), abc);
    }
}
