//! A board that was not answered.

use std::borrow::Cow;

use serde::Serialize;

#[cfg(feature = "openapi")]
use crate::openapi::ErrorWord;
use crate::word::Status;

/// What stands among the results for a board that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorRecord<'a> {
    /// Always `null`.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub board: Option<Cow<'a, str>>,
    /// Always `null`.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub size: Option<Cow<'a, str>>,
    /// Always `null`.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub goal: Option<Cow<'a, str>>,
    /// Always `error`.
    #[cfg_attr(feature = "openapi", schema(value_type = ErrorWord))]
    pub status: Status,
    /// What is wrong, and where.
    pub error: Cow<'a, str>,
}

impl<'a> ErrorRecord<'a> {
    /// The record of what is wrong with a board.
    #[must_use]
    pub fn new(error: impl Into<Cow<'a, str>>) -> Self {
        Self {
            board: None,
            size: None,
            goal: None,
            status: Status::Error,
            error: error.into(),
        }
    }
}
