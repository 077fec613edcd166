//! The requests: one file each.

pub(crate) mod about;
pub(crate) mod apply;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod distribution;
pub(crate) mod estimate;
pub(crate) mod hint;
pub(crate) mod quality;
pub(crate) mod scramble;
pub(crate) mod solve;
mod stream;
pub(crate) mod trace;

use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::problem::Problem;

/// What a request is answered with.
pub(crate) type Answer<T> = Result<Answered<T>, Problem>;

/// A result as JSON.
pub(crate) struct Answered<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Answered<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

/// JSON that is written already, for records that borrow from what is gone by now.
pub(crate) fn json(text: impl Into<Body>) -> Response {
    let kind = HeaderValue::from_static("application/json");
    ([(CONTENT_TYPE, kind)], text.into()).into_response()
}
