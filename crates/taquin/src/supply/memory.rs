//! How much memory there is.

/// The memory that the system could hand out now, where it tells.
///
/// Linux promises more than it has, and ends the process that takes it at its word. So a build that
/// can do with less has to ask first. Without the feature `store` the library opens no files, and
/// this is `None`.
#[must_use]
#[cfg(feature = "store")]
pub fn available_memory() -> Option<u64> {
    let report = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = report
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// The memory that the system could hand out now: unknown without the feature `store`.
#[must_use]
#[cfg(not(feature = "store"))]
pub const fn available_memory() -> Option<u64> {
    None
}
