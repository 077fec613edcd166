//! The oldest compiler that the packages work with.
//!
//! Clippy knows when the standard library got its functions, and warns of those that are younger than
//! `rust-version` says. The packages that ours need may be younger too: that is compared here. The
//! hosted CI compiles the packages with exactly that compiler. The chores need a newer one.

use crate::metadata::{PUBLISHED, needed_by};
use crate::{Chore, read};

/// Checks that no dependency asks for a newer compiler than our packages do, and that they and
/// everything that tells people name the same one.
pub(crate) fn check() -> Chore {
    let packages = needed_by(&PUBLISHED)?;
    let own = packages.iter().find(|package| package.own);
    let oldest = own.and_then(|package| package.rust_version);
    let oldest = oldest.ok_or("our packages name no rust-version")?;
    let mut wrong = Vec::new();
    for package in &packages {
        let wanted = package.rust_version;
        if wanted > Some(oldest) || package.own && wanted != Some(oldest) {
            let wanted = wanted.map_or("none".to_owned(), |version| version.to_string());
            wrong.push(format!("{} {}: {wanted}", package.name, package.version));
        }
    }
    if !wrong.is_empty() {
        let wrong = wrong.join(", ");
        return Err(format!(
            "rust-version is {oldest}, but these ask for another: {wrong}"
        ));
    }
    let for_chores = env!("CARGO_PKG_RUST_VERSION");
    for (file, words) in [
        ("README.md", format!("Rust {oldest} or newer")),
        ("README.md", format!("Rust {for_chores} or newer")),
        ("CONTRIBUTING.md", format!("Rust {oldest} or newer")),
        ("CONTRIBUTING.md", format!("Rust {for_chores} or newer")),
        (
            ".github/workflows/ci.yml",
            format!("toolchain: \"{oldest}\""),
        ),
    ] {
        if !read(file)?.contains(&words) {
            return Err(format!("{file} does not say {words:?}"));
        }
    }
    Ok(())
}
