//! `cargo xtask dist`: the program for this platform as an archive, with everything that belongs to
//! it, and a checksum beside it.

mod archive;
mod licences;
mod trial;

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use archive::Entry;

pub(crate) use trial::{check, check_shipped};

use crate::{Chore, cargo, metadata, read, root, target};

/// The shells that completions are made for, and what the files are called there.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "taquin.bash"),
    ("elvish", "taquin.elv"),
    ("fish", "taquin.fish"),
    ("powershell", "_taquin.ps1"),
    ("zsh", "_taquin"),
];

/// The papers that lie beside the program.
pub(crate) const PAPERS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Makes the archive in `target/dist`, with a program that is built for it or with the one given.
pub(crate) fn make(program: Option<&str>) -> Chore {
    let program = match program {
        Some(path) => PathBuf::from(path),
        None => build()?,
    };
    let archive = write(&program, &target().join("dist"))?;
    println!("{}", archive.display());
    Ok(())
}

/// The program as it is shipped: small and fast, which takes its time, and with all features.
fn build() -> Result<PathBuf, String> {
    let mut build = cargo(&["build", "--locked", "--profile", "dist"]);
    build.args(["--package", "taquin-cli", "--all-features"]);
    if !build.status().is_ok_and(|status| status.success()) {
        return Err("the program cannot be built".to_owned());
    }
    Ok(target().join(format!("dist/taquin{EXE_SUFFIX}")))
}

/// Writes the archive and its checksum to a folder. Returns where the archive is.
fn write(program: &Path, folder: &Path) -> Result<PathBuf, String> {
    let name = format!("taquin-{}-{}", env!("CARGO_PKG_VERSION"), metadata::host()?);
    let entries = entries(program)?;
    fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let path = folder.join(format!("{name}.tar.gz"));
    archive::write(&path, &name, entries)
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(path)
}

/// Everything that belongs into the archive.
fn entries(program: &Path) -> Result<Vec<Entry>, String> {
    let bytes = |path: &Path| {
        fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
    };
    let mut entries = vec![Entry::program(
        format!("taquin{EXE_SUFFIX}"),
        bytes(program)?,
    )];
    for paper in PAPERS {
        entries.push(Entry::file(paper, read(paper)?));
    }
    entries.push(Entry::file(
        "THIRD-PARTY-LICENSES.txt",
        licences::collect()?,
    ));
    for path in files(&root().join("docs"))? {
        entries.push(Entry::file(format!("docs/{}", name(&path)), bytes(&path)?));
    }
    let pages = target().join(format!("man-{}", std::process::id()));
    run(program, &["man", "--dir", &pages.to_string_lossy()])?;
    for path in files(&pages)? {
        entries.push(Entry::file(
            format!("man/man1/{}", name(&path)),
            bytes(&path)?,
        ));
    }
    // They are in the archive now.
    drop(fs::remove_dir_all(&pages));
    for (shell, file) in SHELLS {
        let script = run(program, &["completions", shell])?;
        entries.push(Entry::file(format!("completions/{file}"), script));
    }
    Ok(entries)
}

/// What the program prints.
fn run(program: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new(program).args(args).output();
    let output = output.map_err(|error| format!("cannot start {}: {error}", program.display()))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("taquin {} fails: {errors}", args.join(" ")))
}

/// The files of a folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let paths = entries.flatten().map(|entry| entry.path());
    Ok(paths.filter(|path| path.is_file()).collect())
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
