//! The tests in a real browser, and pictures of the page.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use crate::program::EVERYTHING;
use crate::test::Verdict;
use crate::{Chore, cargo, root, target};

const CHROMIUMS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const CHROMEDRIVERS: [&str; 1] = ["chromedriver"];

/// A browser and the program that drives it.
struct Browser {
    chromium: PathBuf,
    chromedriver: PathBuf,
}

impl Browser {
    /// Finds both on this machine: where the environment says, or on the `PATH`.
    fn find() -> Option<Self> {
        Some(Self {
            chromium: find("TAQUIN_CHROMIUM", &CHROMIUMS)?,
            chromedriver: find("TAQUIN_CHROMEDRIVER", &CHROMEDRIVERS)?,
        })
    }

    /// Finds both, or installs Debian's where that may be done.
    fn get() -> Option<Self> {
        Self::find().or_else(|| {
            install();
            Self::find()
        })
    }

    /// The command for the tests in `crates/taquin-cli/tests/browser`.
    fn tests(&self, filter: &[&str]) -> Command {
        let mut command = cargo(&["test"]);
        command
            .args(EVERYTHING)
            // Tests that run at once have a browser each, with processes of its own.
            .args(["--test", "browser", "--", "--test-threads=2"])
            .args(filter);
        command
            .env("TAQUIN_CHROMIUM", &self.chromium)
            .env("TAQUIN_CHROMEDRIVER", &self.chromedriver);
        command
    }
}

fn find(variable: &str, names: &[&str]) -> Option<PathBuf> {
    if let Some(given) = env::var_os(variable).filter(|given| !given.is_empty()) {
        return Some(given.into());
    }
    on_path(names)
}

/// The first of these programs that is on the `PATH`.
fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let mut places = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.find(|file| file.is_file())
}

/// Installs Debian's Chromium, where there is apt-get and the tests run as root, as in the
/// container of a CI; not if `TAQUIN_NO_INSTALL` is set.
fn install() {
    let forbidden = env::var_os("TAQUIN_NO_INSTALL").is_some_and(|value| !value.is_empty());
    if forbidden || !is_root() || on_path(&["apt-get"]).is_none() {
        return;
    }
    println!("no Chromium here: installing Debian's (TAQUIN_NO_INSTALL=1 forbids it)");
    let apt = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive");
        command.status().is_ok_and(|status| status.success())
    };
    let packages = [
        "install",
        "-y",
        "--no-install-recommends",
        "chromium",
        "chromium-driver",
    ];
    if !(apt(&["update"]) && apt(&packages)) {
        eprintln!("Debian's Chromium could not be installed");
    }
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|out| out.stdout.trim_ascii() == b"0")
}

/// Runs the tests in a browser, if there is one.
pub(crate) fn test() -> Verdict {
    match Browser::get() {
        Some(browser) => crate::test::run(browser.tests(&[])),
        None => Verdict::Skipped("no Chromium; the browser tests did not run"),
    }
}

/// Writes pictures of every view into the target folder, and the README's picture.
pub(crate) fn screenshots() -> Chore {
    let browser = Browser::get().ok_or("no Chromium; see CONTRIBUTING.md")?;
    let folder = target().join("screenshots");
    let mut command = browser.tests(&["pictures::"]);
    let status = command.env("TAQUIN_SCREENSHOTS", &folder).status();
    let status = status.map_err(|error| format!("cannot start cargo: {error}"))?;
    if !status.success() {
        return Err("the pictures could not be taken".to_owned());
    }
    let picture = root().join("docs/page.png");
    fs::copy(folder.join("page.png"), &picture)
        .map_err(|error| format!("cannot write {}: {error}", picture.display()))?;
    println!("wrote {} and docs/page.png", folder.display());
    Ok(())
}
