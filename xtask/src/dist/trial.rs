//! The archive as its users get it: unpacked in an empty folder, and run there.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{PAPERS, SHELLS, archive, name};
use crate::{Chore, metadata, package, target};

/// The most bytes of a program that is shipped. One with debug information has three times as many.
const LARGEST: u64 = 15_000_000;

/// Makes an archive with the program of the packages, and tries it. Whether the program is fast does
/// not matter here.
pub(crate) fn check() -> Chore {
    let folder = empty_folder()?;
    let archive = super::write(&package::program()?, &folder)?;
    check_unpacked(&archive, &folder)?;
    remove(&folder);
    Ok(())
}

/// Tries an archive that was made to be shipped.
pub(crate) fn check_shipped(archive: &str) -> Chore {
    let archive = Path::new(archive);
    let folder = empty_folder()?;
    let unpacked = check_unpacked(archive, &folder)?;
    let program = unpacked.join(format!("taquin{EXE_SUFFIX}"));
    let size = fs::metadata(&program).map_err(|error| format!("no program: {error}"))?;
    if size.len() > LARGEST {
        let bytes = size.len();
        return Err(format!(
            "the program has {bytes} bytes, more than {LARGEST}: is it stripped?"
        ));
    }
    remove(&folder);
    println!("{}: {} bytes, all in order", name(archive), size.len());
    Ok(())
}

/// Checks an archive, and unpacks it to a folder to run it there. Returns where it was unpacked.
fn check_unpacked(archive: &Path, folder: &Path) -> Result<PathBuf, String> {
    check_sum(archive)?;
    let home = folder.join("home");
    fs::create_dir_all(&home).map_err(|error| format!("cannot make a folder: {error}"))?;
    let unpacked = unpack(archive, folder)?;
    check_files(&unpacked)?;
    check_manual(&unpacked)?;
    check_program(&unpacked, &home)?;
    Ok(unpacked)
}

fn empty_folder() -> Result<PathBuf, String> {
    let folder = target().join("dist-trial");
    remove(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make a folder: {error}"))?;
    Ok(folder)
}

/// It is large, and made anew next time.
fn remove(folder: &Path) {
    drop(fs::remove_dir_all(folder));
}

/// The checksum is that of the archive, as computed here and by the system's own tool.
fn check_sum(path: &Path) -> Chore {
    let bytes = fs::read(path).map_err(|error| format!("cannot read the archive: {error}"))?;
    let file = path.with_file_name(format!("{}.sha256", name(path)));
    let line = fs::read_to_string(&file).map_err(|error| format!("no checksum: {error}"))?;
    if line != format!("{}  {}\n", archive::checksum(&bytes), name(path)) {
        return Err(format!("the checksum is not that of the archive: {line}"));
    }
    let mut tool = Command::new("sha256sum");
    tool.arg("--check").arg(name(&file));
    tool.current_dir(path.parent().unwrap_or(path));
    match tool.output() {
        Ok(output) if !output.status.success() => {
            Err(format!("sha256sum does not agree: {}", errors(&output)))
        }
        // Not every system has the tool.
        _ => Ok(()),
    }
}

/// Unpacks with the system's own `tar`, which every system that we build for has.
fn unpack(archive: &Path, folder: &Path) -> Result<PathBuf, String> {
    let copy = folder.join(name(archive));
    if copy != archive {
        fs::copy(archive, &copy).map_err(|error| format!("cannot copy the archive: {error}"))?;
    }
    let mut tar = Command::new("tar");
    // A name without a folder: with a drive's letter in it, some would look for another machine.
    tar.arg("-xzf").arg(name(archive)).current_dir(folder);
    let output = tar.output();
    let output = output.map_err(|error| format!("tar does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("tar cannot unpack it: {}", errors(&output)));
    }
    Ok(folder.join(name(archive).trim_end_matches(".tar.gz")))
}

/// Nothing is missing.
fn check_files(unpacked: &Path) -> Chore {
    let shells = SHELLS.map(|(_, file)| format!("completions/{file}"));
    let expected = PAPERS.iter().map(|paper| (*paper).to_owned());
    let expected = expected.chain(shells).chain([
        "man/man1/taquin-solve.1".to_owned(),
        "docs/cli.md".to_owned(),
    ]);
    for file in expected {
        let size = fs::metadata(unpacked.join(&file)).map_or(0, |file| file.len());
        if size == 0 {
            return Err(format!("{file} is missing in the archive, or empty"));
        }
    }
    let pages = super::files(&unpacked.join("man/man1"))?;
    if let Some(page) = pages.iter().find(|page| name(page).contains("-help")) {
        return Err(format!("{} is no page to look up", page.display()));
    }
    let licences = fs::read_to_string(unpacked.join("THIRD-PARTY-LICENSES.txt"));
    let licences = licences.map_err(|error| format!("no licences: {error}"))?;
    for package in metadata::needed_by(&["taquin-cli"])? {
        let owner = format!("\n{} {}\n", package.name, package.version);
        if !package.own && !licences.contains(&owner) {
            return Err(format!("no licence of {} in the archive", package.name));
        }
    }
    Ok(())
}

/// A page of the manual can be read, by `man` itself where it is.
fn check_manual(unpacked: &Path) -> Chore {
    let page = unpacked.join("man/man1/taquin-solve.1");
    let text = fs::read_to_string(&page).map_err(|error| format!("no manual page: {error}"))?;
    if !text.contains(".TH taquin-solve 1") {
        return Err("taquin-solve.1 is no manual page".to_owned());
    }
    let mut man = Command::new("man");
    man.arg(&page).env("MANPAGER", "cat").env("PAGER", "cat");
    match man.output() {
        Ok(output) if output.status.success() => {
            let shown = String::from_utf8_lossy(&output.stdout).into_owned();
            if shown.contains("taquin") {
                Ok(())
            } else {
                Err(format!("man shows something else: {shown}"))
            }
        }
        // Small systems have no `man`, or one that only says that it is not there.
        _ => Ok(()),
    }
}

/// The program runs with nothing but itself: no environment, an empty home, its own folder.
fn check_program(unpacked: &Path, home: &Path) -> Chore {
    let run = |args: &[&str]| {
        let mut command = Command::new(unpacked.join(format!("taquin{EXE_SUFFIX}")));
        command.args(args).current_dir(unpacked).env_clear();
        command.env("HOME", home).env("USERPROFILE", home);
        // Without it no program can use the network on Windows.
        if let Some(system) = std::env::var_os("SystemRoot") {
            command.env("SystemRoot", system);
        }
        let output = command.output();
        output.map_err(|error| format!("the program does not start: {error}"))
    };
    for (args, expected) in [
        (&["--version"][..], env!("CARGO_PKG_VERSION")),
        (&["solve", "8 1 3/4 0 2/7 6 5"], "LURRDDLURULDLU"),
    ] {
        let output = run(args)?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() || !text.contains(expected) {
            let errors = errors(&output);
            return Err(format!("taquin {}: {text}{errors}", args.join(" ")));
        }
    }
    Ok(())
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
