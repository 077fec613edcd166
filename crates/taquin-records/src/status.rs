//! The words of the field `status`.

pub(crate) const SOLVED: &str = "solved";
pub(crate) const UNSOLVABLE: &str = "unsolvable";
pub(crate) const LIMIT: &str = "limit";
