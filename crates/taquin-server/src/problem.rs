//! What went wrong, as a problem document (RFC 9457).

use std::collections::BTreeMap;

use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use taquin::notation::{self, ParseError};
use taquin::search::LaboratoryError;
use taquin::tables::ChangedTableError;
use taquin::{Limit, SolveError};
use utoipa::openapi::{self, ContentBuilder, Ref, RefOr, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

/// Why a request was not answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// What kind of problem it is; the table in `docs/api.md` lists them.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The kind of problem in words.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What exactly is wrong, and what to do.
    detail: String,
    /// Which field it is about, as a JSON pointer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pointer: Option<String>,
    /// Where in the text of that field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    place: Option<TextPlace>,
    /// After how many seconds to try again.
    #[serde(skip)]
    retry_after: Option<u32>,
}

/// A place in a text: line and column, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct TextPlace {
    line: u64,
    column: usize,
}

impl From<notation::TextPlace> for TextPlace {
    fn from(place: notation::TextPlace) -> Self {
        Self {
            line: place.line,
            column: place.column,
        }
    }
}

/// The problems that any request of the API can meet.
pub(crate) struct Refusals;

impl IntoResponses for Refusals {
    fn responses() -> BTreeMap<String, RefOr<openapi::Response>> {
        let kinds = [
            (400, "The request cannot be read."),
            (403, "A page of another site asks."),
            (408, "The body did not arrive in time."),
            (
                413,
                "The body or the board is too large, or the answer needs more time or memory than \
                 the server allows.",
            ),
            (415, "The body is not JSON."),
            (422, "A field is missing, unknown or wrong."),
            (
                500,
                "A table was changed while it was used, or the server failed.",
            ),
            (503, "All searches are taken, or the server is stopping."),
        ];
        let responses = kinds.map(|(status, description)| {
            let schema = Ref::from_schema_name(Problem::name());
            let content = ContentBuilder::new().schema(Some(schema)).build();
            let response = ResponseBuilder::new()
                .description(description)
                .content(PROBLEM_JSON, content)
                .build();
            (status.to_string(), response.into())
        });
        responses.into()
    }
}

/// The media type of problem documents.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

impl Problem {
    fn new(
        status: StatusCode,
        kind: &'static str,
        title: &'static str,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            title,
            status: status.as_u16(),
            detail: detail.into(),
            pointer: None,
            place: None,
            retry_after: None,
        }
    }

    /// The body is no JSON, or the query cannot be read.
    pub(crate) fn malformed(detail: impl Into<String>) -> Self {
        let title = "The request cannot be read";
        Self::new(
            StatusCode::BAD_REQUEST,
            "/problems/malformed",
            title,
            detail,
        )
    }

    /// It does not come from this server's own page, nor from a program.
    pub(crate) fn foreign(detail: impl Into<String>) -> Self {
        let title = "Requests from other sites are not answered";
        Self::new(StatusCode::FORBIDDEN, "/problems/foreign", title, detail)
    }

    /// There is no such thing.
    pub(crate) fn not_found(path: &str) -> Self {
        let detail = format!("there is nothing at {path}; /api lists what there is");
        let title = "Not found";
        Self::new(StatusCode::NOT_FOUND, "/problems/not-found", title, detail)
    }

    /// It is there for another method.
    pub(crate) fn method() -> Self {
        let detail = "see the header Allow for the methods that are answered here";
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "/problems/method",
            "Another method is needed",
            detail,
        )
    }

    /// The body did not come in time.
    pub(crate) fn too_slow() -> Self {
        let detail = "the body of the request did not arrive in time";
        let title = "The request came too slowly";
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            "/problems/too-slow",
            title,
            detail,
        )
    }

    /// There is more of it than is taken.
    pub(crate) fn too_large(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "/problems/too-large",
            "That is more than this server takes",
            detail,
        )
    }

    /// The body is something else than JSON.
    pub(crate) fn media_type() -> Self {
        let detail = "send the body as JSON, with the header Content-Type: application/json";
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "/problems/media-type",
            "Only JSON is read",
            detail,
        )
    }

    /// A field is missing, unknown or wrong.
    pub(crate) fn invalid(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        let title = "A field is wrong";
        let problem = Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "/problems/invalid",
            title,
            detail,
        );
        Self {
            pointer: Some(pointer.into()),
            ..problem
        }
    }

    /// The text of a field cannot be read.
    pub(crate) fn unreadable(pointer: impl Into<String>, error: &ParseError) -> Self {
        Self {
            place: Some(error.place().into()),
            ..Self::invalid(pointer, error.to_string())
        }
    }

    /// This problem with the field that it is about.
    pub(crate) fn about(self, pointer: &str) -> Self {
        Self {
            pointer: Some(pointer.to_owned()),
            ..self
        }
    }

    /// This problem with what to do about it.
    pub(crate) fn with_advice(self, advice: &str) -> Self {
        Self {
            detail: format!("{}; {advice}", self.detail),
            ..self
        }
    }

    /// All searches are taken, and the queue is full.
    pub(crate) fn busy() -> Self {
        let problem = Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "/problems/busy",
            "Too many searches",
            "all searches are taken and the queue is full; try again in a moment",
        );
        Self {
            retry_after: Some(1),
            ..problem
        }
    }

    /// A limit ended what can only be answered in full.
    pub(crate) fn out_of(limit: Limit) -> Self {
        if limit == Limit::Cancelled {
            return Self::stopping();
        }
        Self::too_large(format!(
            "this needs more {limit} than the server allows; try a smaller puzzle"
        ))
    }

    /// The server goes away.
    pub(crate) fn stopping() -> Self {
        let detail = "the server is shutting down";
        let title = "The server stops";
        let problem = Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "/problems/stopping",
            title,
            detail,
        );
        Self {
            retry_after: Some(10),
            ..problem
        }
    }

    /// The file of a table was changed while it was used. Clients learn its name, not where it is.
    pub(crate) fn changed_table(error: &ChangedTableError) -> Self {
        tracing::error!("{error}");
        let name = error.path.file_name().unwrap_or_default();
        let detail = format!(
            "the table {} was changed on the server's disk while it was used, so the answer cannot \
             be trusted; ask again, and the table is checked or built anew",
            name.display()
        );
        let title = "A table was changed";
        let problem = Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "/problems/changed-table",
            title,
            detail,
        );
        Self {
            retry_after: Some(1),
            ..problem
        }
    }

    /// Something that should not happen did.
    pub(crate) fn internal() -> Self {
        let detail = "this is a mistake in the server; its log says more";
        let title = "The server failed";
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "/problems/internal",
            title,
            detail,
        )
    }
}

impl Problem {
    /// Why a search of the laboratory gave nothing; if that is for the client to change, the field
    /// that it is about is given.
    pub(crate) fn of_laboratory(error: LaboratoryError, pointer: impl Into<String>) -> Self {
        match error {
            LaboratoryError::Changed(_) | LaboratoryError::Wrong(_) => {
                SolveError::from(error).into()
            }
            error => Self::invalid(pointer, error.to_string()),
        }
    }
}

impl Problem {
    /// Why a heuristic was not made: a limit ended that, or the field that names it is wrong.
    pub(crate) fn of_heuristic(error: SolveError, pointer: impl Into<String>) -> Self {
        if let Some(limit) = heuristic_limit(&error) {
            return Self::out_of(limit);
        }
        match error {
            SolveError::Heuristic(_) | SolveError::LargeHeuristic { .. } => {
                Self::invalid(pointer, error.to_string())
            }
            error => error.into(),
        }
    }
}

/// The limit that ended the making of a heuristic, if that is why there is none.
pub(crate) const fn heuristic_limit(error: &SolveError) -> Option<Limit> {
    match error {
        SolveError::Heuristic(refused) => refused.stopped_by(),
        _ => None,
    }
}

impl From<SolveError> for Problem {
    fn from(error: SolveError) -> Self {
        let pointer = match error {
            SolveError::Heuristic(_) | SolveError::LargeHeuristic { .. } => "/heuristic",
            // Not the client's fault.
            SolveError::Changed(error) => return Self::changed_table(&error),
            SolveError::Damaged(_) | SolveError::Wrong(_) | SolveError::Exhausted => {
                tracing::error!("{error}");
                return Self::internal();
            }
            _ => "/board",
        };
        Self::invalid(pointer, error.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}
