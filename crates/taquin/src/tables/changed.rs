//! A table's file that did not stay as it was.

use std::path::PathBuf;

use thiserror::Error;

/// The file of a table was changed after its bytes had been checked, while they were in use. So
/// what was found with the table may be wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{}: {} after the table was checked, so no answer is given; the table will be checked again \
     before it is used",
    path.display(), What(*.part)
)]
pub struct ChangedTableError {
    /// The file.
    pub path: PathBuf,
    /// The first bytes of it that are wrong now, the end exclusive. `None` if all that are there
    /// are right now. The file was written to in between, so wrong bytes may have been read.
    pub part: Option<(u64, u64)>,
}

/// What happened to a file.
struct What(Option<(u64, u64)>);

impl std::fmt::Display for What {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some((start, end)) => write!(f, "bytes {start} to {} were changed", end - 1),
            None => f.write_str("it was written to"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_names_the_file_and_the_bytes() {
        let error = ChangedTableError {
            path: "tables/a.taquin".into(),
            part: Some((4096, 5000)),
        };
        let sentence = error.to_string();
        let start = "tables/a.taquin: bytes 4096 to 4999 were changed after";
        assert!(sentence.starts_with(start), "{sentence}");
        let touched = ChangedTableError {
            part: None,
            ..error
        };
        assert!(touched.to_string().contains("it was written to after"));
    }
}
