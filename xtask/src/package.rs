//! `cargo xtask package`: the packages as they would be published, and the program built from them
//! alone.

use std::collections::BTreeSet;
use std::env::consts::EXE_SUFFIX;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::read::GzDecoder;

use crate::metadata::PUBLISHED;
use crate::serving::Server;
use crate::{Chore, cargo, read, target};

/// What may lie in a package, at its top.
const PARTS: [&str; 10] = [
    ".cargo_vcs_info.json",
    "Cargo.lock",
    "Cargo.toml",
    "Cargo.toml.orig",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "examples",
    "src",
    "web",
];

/// What the manifest of a package must say.
const FIELDS: [&str; 9] = [
    "categories",
    "description",
    "documentation",
    "homepage",
    "keywords",
    "license",
    "readme",
    "repository",
    "rust-version",
];

/// Packages everything that is published, looks at the packages, builds the program from them and
/// tries it.
pub(crate) fn check() -> Chore {
    try_program(&program()?, &place())
}

/// The program, built from packages that have all they need.
pub(crate) fn program() -> Result<PathBuf, String> {
    let place = place();
    let folders = unpack_all(&place)?;
    for folder in &folders {
        complete(folder)?;
    }
    write_workspace(&place, &folders)?;
    build(&place)
}

/// Where the packages are unpacked.
fn place() -> PathBuf {
    target().join("packages")
}

/// Makes the packages and unpacks them. Returns where each of them is.
fn unpack_all(place: &Path) -> Result<Vec<PathBuf>, String> {
    fs::create_dir_all(place).map_err(cannot("make", place))?;
    pack()?;
    PUBLISHED
        .iter()
        .map(|name| unpack(&format!("{name}-{}", env!("CARGO_PKG_VERSION")), place))
        .collect()
}

/// Unpacks one package, unless it has not changed since the last time: what was compiled is then
/// still good.
fn unpack(full_name: &str, place: &Path) -> Result<PathBuf, String> {
    let file_name = format!("{full_name}.crate");
    let package = target().join("package").join(&file_name);
    let bytes = fs::read(&package).map_err(cannot("read", &package))?;
    let (known, folder) = (place.join(file_name), place.join(full_name));
    if folder.is_dir() && fs::read(&known).is_ok_and(|known| known == bytes) {
        return Ok(folder);
    }
    if folder.is_dir() {
        fs::remove_dir_all(&folder).map_err(cannot("remove", &folder))?;
    }
    let mut archive = tar::Archive::new(GzDecoder::new(bytes.as_slice()));
    // All files of a package have the same old time. With it cargo would not see that they changed.
    archive.set_preserve_mtime(false);
    archive.unpack(place).map_err(cannot("unpack", &package))?;
    fs::write(&known, &bytes).map_err(cannot("write", &known))?;
    Ok(folder)
}

fn pack() -> Chore {
    let package = |options: &[&str]| {
        let mut command = cargo(&["package", "--quiet", "--no-verify", "--allow-dirty"]);
        // Tests stay at home, which cargo has a warning about for each.
        command.env("CARGO_TERM_QUIET", "true").args(options);
        for name in PUBLISHED {
            command.args(["--package", name]);
        }
        command.output()
    };
    // All that is needed has been fetched, most likely; else cargo may ask for the rest.
    let output = match package(&["--offline"]) {
        Ok(output) if output.status.success() => return Ok(()),
        _ => package(&[]),
    };
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Err(format!("cargo package does not start: {error}")),
    }
}

/// Checks that a package has its papers and nothing needless.
fn complete(folder: &Path) -> Chore {
    let name = folder.display();
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        if read(folder.join(licence))? != read(licence)? {
            return Err(format!("{name}: {licence} is not that of the repository"));
        }
    }
    let manifest = read(folder.join("Cargo.toml"))?;
    let has = |field: &&str| {
        let start = format!("{field} = ");
        manifest.lines().any(|line| line.starts_with(&start))
    };
    if let Some(missing) = FIELDS.iter().find(|field| !has(field)) {
        return Err(format!("{name}: the manifest has no {missing}"));
    }
    if read(folder.join("README.md"))?.trim().is_empty() {
        return Err(format!("{name}: the README is empty"));
    }
    let entries = fs::read_dir(folder).map_err(cannot("read", folder))?;
    let found: BTreeSet<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    match found.iter().find(|part| !PARTS.contains(&part.as_str())) {
        Some(needless) => Err(format!("{name}: {needless} has no place in a package")),
        None => Ok(()),
    }
}

/// A workspace of the unpacked packages, which take each other from there, with the versions and
/// the profiles of the repository. What they need from elsewhere need then not be compiled again.
fn write_workspace(place: &Path, folders: &[PathBuf]) -> Chore {
    let mut text = String::from("[workspace]\nresolver = \"3\"\nmembers = [");
    let full_names = folders.iter().filter_map(|folder| folder.file_name());
    let full_names: Vec<String> = full_names
        .map(|name| format!("{:?}", name.to_string_lossy()))
        .collect();
    text += &full_names.join(", ");
    text += "]\n\n[patch.crates-io]\n";
    for (name, full) in PUBLISHED.iter().zip(&full_names) {
        writeln!(text, "{name} = {{ path = {full} }}").expect("strings take all");
    }
    text += &profiles(&read("Cargo.toml")?);
    let write = |name: &str, text: String| {
        fs::write(place.join(name), text).map_err(cannot("write to", place))
    };
    write("Cargo.toml", text)?;
    write("Cargo.lock", read("Cargo.lock")?)
}

/// The sections about profiles of a manifest.
fn profiles(manifest: &str) -> String {
    let mut inside = false;
    let lines = manifest.lines().filter(|line| {
        if line.starts_with('[') {
            inside = line.starts_with("[profile.");
        }
        inside
    });
    lines.fold(String::from("\n"), |text, line| text + line + "\n")
}

/// Builds the program from the packages.
fn build(place: &Path) -> Result<PathBuf, String> {
    let own_target = place.join("target");
    let mut command = cargo(&["build", "--offline", "--workspace", "--all-features"]);
    command
        // To ask for an example makes cargo count the dependencies of tests in, as
        // `cargo test --workspace` does: all others are then compiled with the same features.
        .args(["--bin", "taquin", "--example", "newcomer"])
        // It is compiled to be tried once, on a small board.
        .args(["--config", "profile.dev.opt-level=0"])
        .args(["--config", "profile.dev.debug=false"])
        .args(["--config", "profile.dev.incremental=false"])
        .arg("--target-dir")
        .arg(&own_target)
        .env("CARGO_BUILD_BUILD_DIR", target())
        .current_dir(place);
    match command.status() {
        Ok(status) if status.success() => Ok(own_target.join(format!("debug/taquin{EXE_SUFFIX}"))),
        Ok(_) => Err("the program cannot be built from the packages".to_owned()),
        Err(error) => Err(format!("cargo build does not start: {error}")),
    }
}

/// Solves a board, and looks at the page that is in the program.
fn try_program(program: &Path, place: &Path) -> Chore {
    let tables = place.join("tables");
    let solved = Command::new(program)
        .args(["solve", "8 1 3/4 0 2/7 6 5"])
        .env("TAQUIN_TABLES", &tables)
        .output()
        .map_err(|error| format!("the program does not start: {error}"))?;
    let text = String::from_utf8_lossy(&solved.stdout);
    if !text.contains("LURRDDLURULDLU") {
        let errors = String::from_utf8_lossy(&solved.stderr);
        return Err(format!("the board is not solved: {text}{errors}"));
    }
    let mut command = Server::command(program);
    command.env("TAQUIN_TABLES", &tables);
    let server = Server::start(command)?;
    for (path, file) in [("/", "index.html"), ("/js/main.js", "js/main.js")] {
        let page = fs::read(crate::root().join("crates/taquin-server/web").join(file));
        if page.is_ok_and(|page| page == server.get(path).unwrap_or_default()) {
            continue;
        }
        return Err(format!("GET {path} does not give web/{file}"));
    }
    Ok(())
}

fn cannot<E: std::fmt::Display>(what: &str, path: &Path) -> impl Fn(E) -> String {
    move |error| format!("cannot {what} {}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::profiles;

    #[test]
    fn profiles_are_taken_over_and_nothing_else() {
        let manifest = "[workspace]\na = 1\n[profile.dev]\nb = 2\n[profile.dev.package.\"*\"]\nc = 3\n[lints]\nd = 4\n";
        let expected = "\n[profile.dev]\nb = 2\n[profile.dev.package.\"*\"]\nc = 3\n";
        assert_eq!(profiles(manifest), expected);
    }
}
