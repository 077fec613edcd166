//! A table that leads nowhere.

use thiserror::Error;

use crate::tables::TableSubject;

/// A table that leads nowhere: it was changed after it was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{subject} is damaged")]
pub struct DamagedTableError {
    /// Which table.
    pub subject: TableSubject,
}
