//! What the program prints, compared to the letter: the README's examples and `tests/cmd`.

#[test]
fn the_readme_and_the_recorded_sessions_are_true() {
    trycmd::TestCases::new()
        .case("../../README.md")
        .case("../../docs/trace.md")
        .case("tests/cmd/*.trycmd");
}
