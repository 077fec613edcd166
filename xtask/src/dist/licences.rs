//! The licences of everything that the program is made of, in one text.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

use crate::metadata::{Package, needed_by};
use crate::read;

/// How the names of files with licences begin, in capitals.
const BEGINNINGS: [&str; 6] = [
    "LICENSE",
    "LICENCE",
    "UNLICENSE",
    "COPYING",
    "COPYRIGHT",
    "NOTICE",
];

const RULE: &str =
    "================================================================================";

/// A list of all packages that the program is made of, then every text that their licences come
/// with, once, under the packages that have it.
pub(super) fn collect() -> Result<String, String> {
    let packages = needed_by(&["taquin-cli"])?;
    let packages: Vec<&Package> = packages.iter().filter(|package| !package.own).collect();
    let mut texts = Texts::default();
    let mut list = String::new();
    for package in packages {
        let name = format!("{} {}", package.name, package.version);
        let licence = package.license.as_deref();
        let licence = licence.ok_or_else(|| format!("{name} names no licence"))?;
        let address = package.repository.as_deref().unwrap_or("");
        line(&mut list, &format!("{name}: {licence} {address}"));
        let found = files(&package.folder).map_err(|error| format!("{name}: {error}"))?;
        if found.is_empty() {
            // Its text is the same for everybody, so that of ours will do.
            if !licence.contains("Apache-2.0") {
                return Err(format!("{name} ({licence}) comes without its licence"));
            }
            texts.add(&name, &read("LICENSE-APACHE")?);
        }
        for text in found {
            texts.add(&name, &text);
        }
    }
    let address = "https://github.com/rust-lang/rust";
    let name = "the standard library of Rust";
    line(&mut list, &format!("{name}: MIT OR Apache-2.0 {address}"));
    texts.add(name, &read("LICENSE-APACHE")?);
    let name = "the font DejaVu Sans";
    line(
        &mut list,
        &format!("{name}: its own licence https://dejavu-fonts.github.io"),
    );
    texts.add(name, &read("crates/taquin-cli/src/plot/LICENSE-DejaVu")?);
    Ok(format!(
        "The program taquin is licensed under MIT or Apache-2.0: see LICENSE-MIT and LICENSE-APACHE.\n\
         These are the works of others that it is made of or was built with, and their licences.\n\n\
         {list}{}",
        texts.print()
    ))
}

fn line(list: &mut String, text: &str) {
    writeln!(list, "{}", text.trim_end()).expect("strings take all");
}

/// The texts of the licences in a package.
fn files(folder: &Path) -> io::Result<Vec<String>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_uppercase();
        if BEGINNINGS.iter().any(|start| name.starts_with(start)) && entry.path().is_file() {
            paths.push(entry.path());
        }
    }
    paths.sort();
    let read = |path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    paths.iter().map(read).collect()
}

/// Texts, each once however it is broken into lines, and who has them.
#[derive(Default)]
struct Texts {
    /// By the words of the text: which one it is in `texts`.
    known: BTreeMap<String, usize>,
    texts: Vec<(String, Vec<String>)>,
}

impl Texts {
    fn add(&mut self, owner: &str, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let index = *self.known.entry(words.join(" ")).or_insert_with(|| {
            let text = text.replace("\r\n", "\n");
            self.texts.push((text.trim_end().to_owned(), Vec::new()));
            self.texts.len() - 1
        });
        let owners = &mut self.texts[index].1;
        if owners.last().is_none_or(|last| last != owner) {
            owners.push(owner.to_owned());
        }
    }

    fn print(&self) -> String {
        self.texts
            .iter()
            .fold(String::new(), |all, (text, owners)| {
                all + &format!("\n{RULE}\n{}\n{RULE}\n\n{text}\n", owners.join("\n"))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_printed_once_however_its_lines_are_broken() {
        let mut texts = Texts::default();
        texts.add("one 1.0.0", "Do as\nyou like.");
        texts.add("two 2.0.0", "Do as you\r\nlike.\r\n");
        texts.add("three 3.0.0", "Do nothing.");
        let text = texts.print();
        assert_eq!(text.matches("you like").count(), 1);
        assert!(text.contains("one 1.0.0\ntwo 2.0.0\n") && text.contains("Do nothing."));
    }
}
