//! What the program prints, compared to the letter: the examples of the READMEs and `tests/cmd`.

#[test]
fn the_readme_and_the_recorded_sessions_are_true() {
    trycmd::TestCases::new()
        // Not the tables of whoever runs the tests.
        .env(
            "TAQUIN_TABLES",
            concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"),
        )
        .case("../../README.md")
        .case("README.md")
        .case("../../docs/trace.md")
        .case("tests/cmd/*.trycmd");
}

#[test]
fn the_recorded_session_with_a_folder_of_its_own_is_true() {
    let folder = tempfile::tempdir().unwrap();
    trycmd::TestCases::new()
        .env("TAQUIN_TABLES", folder.path().to_str().unwrap())
        .case("tests/cmd/tables/*.trycmd");
}
