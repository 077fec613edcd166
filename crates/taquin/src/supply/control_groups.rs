//! What the control groups of a process leave it of the memory (Linux).
//!
//! A process is in a group, that in another one, up to the root, and each may have a limit for all
//! processes in it. There are two versions, which can exist side by side:
//!
//! | | version 2 | version 1 |
//! |---|---|---|
//! | line of `/proc/self/cgroup` | `0::/path` | `5:memory:/path` |
//! | file system | `cgroup2` | `cgroup` with the option `memory` |
//! | limit | `memory.max` | `memory.limit_in_bytes` |
//! | use | `memory.current` | `memory.usage_in_bytes` |
//! | page cache in `memory.stat` | `active_file`, `inactive_file` | the same after `total_` |
//!
//! Pages of files count as used, but the system takes them back before it refuses memory.

use std::fs;
use std::path::{Path, PathBuf};

/// The least that a group of this process has left; `None` if no group has a limit. The files of
/// the system are looked for in `root`.
pub(super) fn available_in(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    // Names of mounted folders need not be text.
    let mounts = fs::read(root.join("proc/self/mountinfo")).ok()?;
    let mounts = String::from_utf8_lossy(&mounts);
    let mounts = mounts.lines().filter_map(Mount::read);
    let each = mounts.filter_map(|mount| {
        let group = mount.version.group(&groups)?;
        mount.least_left(root, group)
    });
    each.min()
}

/// A version of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// Where the groups of a version are files.
struct Mount {
    version: Version,
    /// The group that its folder shows: not the root in many containers.
    top: String,
    folder: PathBuf,
}

impl Version {
    /// The group of the process, by the lines of `/proc/self/cgroup`.
    fn group(self, lines: &str) -> Option<&str> {
        lines.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':');
            let (number, controllers) = (fields.next()?, fields.next()?);
            let is_meant = match self {
                Self::One => controllers.split(',').any(|name| name == "memory"),
                Self::Two => number == "0" && controllers.is_empty(),
            };
            is_meant.then(|| fields.next())?
        })
    }

    /// What a group has left; `None` if it has no limit.
    fn left(self, folder: &Path) -> Option<u64> {
        let (limit, used, prefix) = match self {
            Self::One => ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_"),
            Self::Two => ("memory.max", "memory.current", ""),
        };
        let number = |name: &str| -> Option<u64> {
            let text = fs::read_to_string(folder.join(name)).ok()?;
            // Version 2 writes "max" where there is no limit.
            text.trim().parse().ok()
        };
        let limit = number(limit)?;
        // Version 1 writes the largest multiple of a page where there is no limit.
        if limit >= i64::MAX as u64 / 2 {
            return None;
        }
        let statistics = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
        let pages_of_files: u64 = statistics
            .lines()
            .filter_map(|line| {
                let (name, bytes) = line.strip_prefix(prefix)?.split_once(' ')?;
                let is_file = matches!(name, "active_file" | "inactive_file");
                is_file.then(|| bytes.trim().parse::<u64>().ok())?
            })
            .sum();
        let used = number(used)?.saturating_sub(pages_of_files);
        Some(limit.saturating_sub(used))
    }
}

impl Mount {
    /// A line of `/proc/self/mountinfo`, if it is about groups with memory.
    fn read(line: &str) -> Option<Self> {
        let (mount, kind) = line.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let version = match kind.next()? {
            "cgroup2" => Version::Two,
            "cgroup" if kind.nth(1)?.split(',').any(|option| option == "memory") => Version::One,
            _ => return None,
        };
        let mut fields = mount.split(' ').skip(3);
        Some(Self {
            version,
            top: unescaped(fields.next()?),
            folder: PathBuf::from(unescaped(fields.next()?)),
        })
    }

    /// The least that a group or one above it has left.
    fn least_left(&self, root: &Path, group: &str) -> Option<u64> {
        let top = self.top.trim_end_matches('/');
        // A group outside of what is shown here: then its files cannot be seen, but those of the
        // top may be.
        let below = group.strip_prefix(top).unwrap_or_default();
        let below = Path::new(below.trim_start_matches('/'));
        let is_plain = |part| matches!(part, std::path::Component::Normal(_));
        let below = if below.components().all(is_plain) {
            below
        } else {
            Path::new("")
        };
        let mount = root.join(self.folder.strip_prefix("/").unwrap_or(&self.folder));
        let folders = below.ancestors().map(|below| mount.join(below));
        folders
            .filter_map(|folder| self.version.left(&folder))
            .min()
    }
}

/// A path as it is, from a line in which spaces and the like are octal numbers.
fn unescaped(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut path = String::from(parts.next().unwrap_or_default());
    for part in parts {
        let code = part
            .get(..3)
            .and_then(|code| u8::from_str_radix(code, 8).ok());
        if let Some(code) = code {
            path.push(code.into());
            path.push_str(&part[3..]);
        } else {
            path.push('\\');
            path.push_str(part);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system in a folder.
    struct System(tempfile::TempDir);

    impl System {
        fn new(files: &[(&str, &str)]) -> Self {
            let system = Self(tempfile::tempdir().unwrap());
            for (path, text) in files {
                system.write(path, text);
            }
            system
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.0.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn available(&self) -> Option<u64> {
            available_in(self.0.path())
        }
    }

    const TWO: &str = "23 1 0:20 / /proc rw - proc proc rw\n\
                       30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";

    #[test]
    fn without_groups_nothing_is_known() {
        assert_eq!(System::new(&[]).available(), None);
        let unlimited = System::new(&[
            ("proc/self/cgroup", "0::/a\n"),
            ("proc/self/mountinfo", TWO),
            ("sys/fs/cgroup/a/memory.max", "max\n"),
            ("sys/fs/cgroup/a/memory.current", "1000\n"),
        ]);
        assert_eq!(unlimited.available(), None);
    }

    #[test]
    fn the_least_along_the_path_counts_without_pages_of_files() {
        let system = System::new(&[
            ("proc/self/cgroup", "0::/slice/my service\n"),
            ("proc/self/mountinfo", TWO),
            ("sys/fs/cgroup/slice/my service/memory.max", "5000\n"),
            ("sys/fs/cgroup/slice/my service/memory.current", "3000\n"),
            (
                "sys/fs/cgroup/slice/my service/memory.stat",
                "anon 1500\nfile 1500\ninactive_file 900\nactive_file 600\nslab 7\n",
            ),
            ("sys/fs/cgroup/slice/memory.max", "max\n"),
            ("sys/fs/cgroup/slice/memory.current", "9000\n"),
        ]);
        assert_eq!(system.available(), Some(3500));
        system.write("sys/fs/cgroup/slice/memory.max", "9500\n");
        assert_eq!(system.available(), Some(500));
        // More is used than is allowed now.
        system.write("sys/fs/cgroup/slice/memory.max", "100\n");
        assert_eq!(system.available(), Some(0));
    }

    #[test]
    fn version_one_has_names_of_its_own() {
        let one = "25 1 0:22 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n\
                   31 23 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
        let system = System::new(&[
            ("proc/self/cgroup", "6:cpu,cpuacct:/b\n4:memory:/a\n0::/c\n"),
            ("proc/self/mountinfo", one),
            ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "8000\n"),
            ("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "6000\n"),
            (
                "sys/fs/cgroup/memory/a/memory.stat",
                "inactive_file 1\nactive_file 1\ntotal_inactive_file 1000\ntotal_active_file 500\n",
            ),
            (
                "sys/fs/cgroup/memory/memory.limit_in_bytes",
                "9223372036854771712\n",
            ),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "99999\n"),
        ]);
        assert_eq!(system.available(), Some(3500));
        // Both versions at once: the smaller one counts.
        system.write("proc/self/mountinfo", &format!("{one}{TWO}"));
        system.write("sys/fs/cgroup/c/memory.max", "200\n");
        system.write("sys/fs/cgroup/c/memory.current", "50\n");
        assert_eq!(system.available(), Some(150));
    }

    #[test]
    fn a_container_sees_its_own_part() {
        let files = [
            ("proc/self/cgroup", "0::/docker/abc/inner\n"),
            (
                "proc/self/mountinfo",
                "30 23 0:26 /docker/abc /mnt/c\\040groups ro - cgroup2 cgroup2 rw\n",
            ),
            ("mnt/c groups/memory.max", "4000\n"),
            ("mnt/c groups/memory.current", "1000\n"),
            ("mnt/c groups/inner/memory.max", "700\n"),
            ("mnt/c groups/inner/memory.current", "100\n"),
        ];
        assert_eq!(System::new(&files).available(), Some(600));
        // A group that is not below what is shown: only the top can be seen.
        let elsewhere = System::new(&files);
        elsewhere.write("proc/self/cgroup", "0::/../../other\n");
        assert_eq!(elsewhere.available(), Some(3000));
    }

    #[test]
    fn nonsense_is_no_limit() {
        let system = System::new(&[
            ("proc/self/cgroup", "\n:::\n0\n0::/a\n"),
            ("proc/self/mountinfo", TWO),
            ("sys/fs/cgroup/a/memory.max", "many\n"),
            ("sys/fs/cgroup/a/memory.stat", "file\nactive_file x\n"),
        ]);
        assert_eq!(system.available(), None);
        assert_eq!(unescaped("a\\040b\\\\c\\9"), "a b\\\\c\\9");
    }
}
