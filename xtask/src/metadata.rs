//! What `cargo metadata` tells of the packages that the programs are made of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::cargo;

/// The packages that are published, in the order in which one needs the other.
pub(crate) const PUBLISHED: [&str; 4] = ["taquin", "taquin-records", "taquin-server", "taquin-cli"];

/// A package, ours or one that we use.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// What it may be used under, as an SPDX expression.
    pub(crate) license: Option<String>,
    pub(crate) repository: Option<String>,
    /// The oldest compiler that it promises to work with.
    pub(crate) rust_version: Option<RustVersion>,
    /// Where its `Cargo.toml` is.
    pub(crate) folder: PathBuf,
    /// Whether it comes from this repository.
    pub(crate) own: bool,
}

/// A version of the compiler: its parts, so that versions can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RustVersion(u32, u32, u32);

impl RustVersion {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '.').map(|part| part.parse().ok());
        let first = parts.next()??;
        Some(Self(
            first,
            parts.next().unwrap_or(Some(0))?,
            parts.next().unwrap_or(Some(0))?,
        ))
    }
}

impl std::fmt::Display for RustVersion {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}.{}", self.0, self.1)?;
        if self.2 > 0 {
            write!(formatter, ".{}", self.2)?;
        }
        Ok(())
    }
}

/// The platform of this machine, as the compiler names it.
pub(crate) fn host() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output();
    let output = output.map_err(|error| format!("rustc does not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| "rustc does not name its platform".to_owned())
}

/// The published packages of these names and all packages that they need on this platform, with all
/// features: what ends up in the program, or helps to compile it.
pub(crate) fn needed_by(names: &[&str]) -> Result<Vec<Package>, String> {
    let host = host()?;
    let output = cargo(&["metadata", "--format-version", "1", "--all-features"])
        .args(["--locked", "--filter-platform", &host])
        .output()
        .map_err(|error| format!("cargo metadata does not start: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("what cargo metadata prints cannot be read: {error}"))?;
    Ok(reach(&metadata, names))
}

/// The packages of these names and all that can be reached from them, by name and version.
fn reach(metadata: &Value, names: &[&str]) -> Vec<Package> {
    let packages: BTreeMap<&str, &Value> = items(&metadata["packages"])
        .filter_map(|package| Some((package["id"].as_str()?, package)))
        .collect();
    let nodes: BTreeMap<&str, &Value> = items(&metadata["resolve"]["nodes"])
        .filter_map(|node| Some((node["id"].as_str()?, node)))
        .collect();
    let is_root = |package: &Value| {
        let name = package["name"].as_str();
        package["source"].is_null() && name.is_some_and(|name| names.contains(&name))
    };
    let roots = packages.iter().filter(|(_, package)| is_root(package));
    let mut open: Vec<&str> = roots.map(|(id, _)| *id).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        if found.insert(id)
            && let Some(node) = nodes.get(id)
        {
            // Dependencies of tests are in no program.
            let needed = items(&node["deps"]).filter(|dependency| {
                items(&dependency["dep_kinds"]).any(|kind| kind["kind"].as_str() != Some("dev"))
            });
            open.extend(needed.filter_map(|dependency| dependency["pkg"].as_str()));
        }
    }
    let mut found: Vec<Package> = found
        .into_iter()
        .filter_map(|id| Package::read(packages.get(id)?))
        .collect();
    found.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    found
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

impl Package {
    fn read(package: &Value) -> Option<Self> {
        let text = |field: &str| package[field].as_str().map(str::to_owned);
        let manifest = text("manifest_path")?;
        Some(Self {
            name: text("name")?,
            version: text("version")?,
            license: text("license"),
            repository: text("repository"),
            rust_version: text("rust_version").and_then(|version| RustVersion::parse(&version)),
            folder: Path::new(&manifest).parent()?.to_owned(),
            own: package["source"].is_null(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let version = |text| RustVersion::parse(text).unwrap();
        assert!(version("1.9") < version("1.89") && version("1.89") == version("1.89.0"));
        assert!(version("1.89.1") > version("1.89"));
        assert_eq!(RustVersion::parse("1.x"), None);
    }

    #[test]
    fn what_only_tests_need_is_not_needed() {
        let metadata = serde_json::json!({
            "packages": [
                {"id": "a", "name": "a", "version": "1.0.0", "source": null, "manifest_path": "/a/Cargo.toml"},
                {"id": "b", "name": "b", "version": "1.0.0", "source": "r", "manifest_path": "/b/Cargo.toml"},
                {"id": "c", "name": "c", "version": "1.0.0", "source": "r", "manifest_path": "/c/Cargo.toml"},
                {"id": "d", "name": "d", "version": "1.0.0", "source": "r", "manifest_path": "/d/Cargo.toml"},
            ],
            "resolve": {"nodes": [
                {"id": "a", "deps": [
                    {"pkg": "b", "dep_kinds": [{"kind": null}]},
                    {"pkg": "c", "dep_kinds": [{"kind": "dev"}]},
                ]},
                {"id": "b", "deps": [{"pkg": "d", "dep_kinds": [{"kind": "build"}]}]},
                {"id": "c", "deps": []},
                {"id": "d", "deps": []},
            ]},
        });
        let found = reach(&metadata, &["a"]);
        let names: Vec<&str> = found.iter().map(|package| package.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "d"]);
    }
}
