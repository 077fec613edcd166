//! Files of the repository that must agree with each other.

use crate::dist::PAPERS;
use crate::metadata::PUBLISHED;
use crate::{read, root};

/// Symbolic links would do on Unix, but become files with a path in them elsewhere.
#[test]
fn every_package_has_the_licences_of_the_repository() {
    for package in PUBLISHED {
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let own = read(format!("crates/{package}/{licence}")).unwrap();
            assert!(own == read(licence).unwrap(), "{package}/{licence}");
        }
    }
}

/// The commands of the README, which stand alone on an indented line.
fn commands_of_the_readme() -> [&'static str; 2] {
    [
        r#"cargo run --release -- solve "8 1 3/4 0 2/7 6 5""#,
        "cargo xtask test",
    ]
}

#[test]
fn hosted_ci_runs_the_two_commands_of_the_readme_everywhere() {
    let workflow = read(".github/workflows/ci.yml").unwrap();
    let readme = read("README.md").unwrap();
    for command in commands_of_the_readme() {
        assert!(readme.contains(&format!("\n    {command}\n")), "{command}");
        assert!(workflow.contains(&format!("run: {command}\n")), "{command}");
    }
    for system in ["ubuntu-latest", "macos-latest", "windows-latest"] {
        assert!(workflow.contains(system), "{system}");
    }
}

/// `.dockerignore` keeps everything out of the build but what it names.
#[test]
fn the_image_is_built_from_what_is_there_and_from_all_that_is_needed() {
    let ignored = read(".dockerignore").unwrap();
    let named: Vec<&str> = ignored
        .lines()
        .filter_map(|line| line.strip_prefix('!'))
        .collect();
    for path in &named {
        assert!(root().join(path).exists(), "no {path}");
    }
    let sources = [
        ".cargo",
        "Cargo.lock",
        "Cargo.toml",
        "crates",
        "docs",
        "xtask",
    ];
    for path in PAPERS.into_iter().chain(sources) {
        assert!(named.contains(&path), "{path} is not named");
    }
}

#[test]
fn the_server_in_the_image_runs_without_a_shell_and_not_as_root() {
    let dockerfile = read("Dockerfile").unwrap();
    let last = |word: &str| {
        let mut lines = dockerfile.lines().filter(|line| line.starts_with(word));
        lines.next_back().unwrap_or_default().to_owned()
    };
    assert!(last("ENTRYPOINT").starts_with("ENTRYPOINT [\""));
    assert!(last("CMD").starts_with("CMD [\""));
    let user = last("USER");
    let user = user.strip_prefix("USER ").unwrap();
    assert!(
        user.split(':')
            .all(|id| id.parse::<u32>().is_ok_and(|id| id > 0))
    );
}
