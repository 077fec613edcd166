//! `docs/theory.md` names a test for each claim: they must exist.

use std::collections::HashMap;
use std::path::Path;

/// The pieces of a text between backquotes that name a test: `path/to/file.rs::name`.
fn named_tests(text: &str) -> Vec<(&str, &str)> {
    text.split('`')
        .skip(1)
        .step_by(2)
        .filter_map(|code| code.split_once(".rs::").map(|(file, _)| (file, code)))
        .map(|(file, code)| code.split_at(file.len() + ".rs".len()))
        .map(|(file, test)| (file, test.trim_start_matches(':')))
        .collect()
}

#[test]
fn every_test_that_the_theory_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let theory = std::fs::read_to_string(root.join("docs/theory.md")).unwrap();
    let mut sources: HashMap<&str, String> = HashMap::new();
    let tests = named_tests(&theory);
    for (file, test) in &tests {
        let source = sources.entry(file).or_insert_with(|| {
            std::fs::read_to_string(root.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
        });
        // Tests of `proptest` have arguments and no attribute on the line before.
        let found = source.lines().any(|line| {
            let name = line.trim_start().strip_prefix("fn ");
            name.and_then(|name| name.strip_prefix(test))
                .is_some_and(|rest| rest.starts_with('('))
        });
        assert!(
            found,
            "docs/theory.md names `{file}::{test}`, which is not there"
        );
        assert!(source.contains("#[test]"), "{file} has no tests");
    }
    assert!(tests.len() > 20, "{} tests found", tests.len());
}
