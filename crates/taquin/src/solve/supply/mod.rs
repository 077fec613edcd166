//! Where solvers get their tables: from the files of a store, or built.

mod atlas;
mod attendant;
mod equipment;
mod provider;
mod shelf;

use std::fs;

pub use atlas::Drawn;
pub use attendant::{Attendant, Notice};
pub use equipment::{Equipment, Equipped, build_time};
pub use provider::{Obtained, Provider, Ready, Unready};

/// The memory that the system could hand out now, where it tells.
///
/// Linux promises more than it has, and ends the process that takes it at its word: so who wants to
/// do with less has to ask first.
#[must_use]
pub fn available_memory() -> Option<u64> {
    let report = fs::read_to_string("/proc/meminfo").ok()?;
    let line = report
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests;
