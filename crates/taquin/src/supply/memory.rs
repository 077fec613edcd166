//! How much memory there is.

#[cfg(feature = "store")]
use std::{fs, path::Path};

#[cfg(feature = "store")]
use super::control_groups;

/// The memory that this process could have now, where the system tells.
///
/// On Linux it is what the machine has to spare, or what is left to the control groups of the
/// process, if that is less: containers and services are limited that way. Linux promises more than
/// it has, and ends the process that takes it at its word, so a build that can do with less has to
/// ask first. Elsewhere, and without the feature `store`, with which the library opens files, this
/// is `None`.
#[must_use]
#[cfg(feature = "store")]
pub fn available_memory() -> Option<u64> {
    available_in(Path::new("/"))
}

/// The memory that a process could have now: unknown without the feature `store`.
#[must_use]
#[cfg(not(feature = "store"))]
pub const fn available_memory() -> Option<u64> {
    None
}

/// The memory that a process could have whose system has its files in that folder.
#[cfg(feature = "store")]
fn available_in(root: &Path) -> Option<u64> {
    let limits = [on_machine(root), control_groups::available_in(root)];
    limits.into_iter().flatten().min()
}

/// What the machine has to spare.
#[cfg(feature = "store")]
fn on_machine(root: &Path) -> Option<u64> {
    let report = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let line = report
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(all(test, feature = "store"))]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_of_machine_and_control_group_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        assert_eq!(available_in(root.path()), None);
        write(
            "proc/meminfo",
            "MemTotal: 9000 kB\nMemAvailable:    5000 kB\n",
        );
        assert_eq!(available_in(root.path()), Some(5_120_000));
        write("proc/self/cgroup", "0::/\n");
        let mount = "30 23 0:26 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw\n";
        write("proc/self/mountinfo", mount);
        write("sys/fs/cgroup/memory.max", "1000000\n");
        write("sys/fs/cgroup/memory.current", "300000\n");
        assert_eq!(available_in(root.path()), Some(700_000));
        write("sys/fs/cgroup/memory.max", "90000000\n");
        assert_eq!(available_in(root.path()), Some(5_120_000));
    }

    #[test]
    fn this_machine_tells_what_it_has_if_it_is_one_that_does() {
        if cfg!(target_os = "linux") && Path::new("/proc/meminfo").exists() {
            assert!(available_memory().is_some());
        } else {
            assert_eq!(available_memory(), None);
        }
    }
}
