//! Reading requests: their bodies and queries, and what is wrong with them.

use axum::body::{self, Body, HttpBody};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use http_body_util::LengthLimitError;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::error::Category;
use serde_path_to_error::{Path, Segment as Step};
use tokio::time;

use crate::problem::Problem;
use crate::state::App;

/// What came as the JSON body of a request.
pub(crate) struct Json<T>(pub(crate) T);

/// What came in the query of a request.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let kind = request.headers().get(CONTENT_TYPE);
        let kind = kind.and_then(|value| value.to_str().ok()).unwrap_or("");
        let kind = kind.split(';').next().unwrap_or("").trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(Problem::media_type());
        }
        let bytes = whole(request.into_body(), app).await?;
        if !bytes.trim_ascii_start().starts_with(b"{")
            && serde_json::from_slice::<IgnoredAny>(&bytes).is_ok()
        {
            let detail = "the body is JSON, but not an object with fields";
            return Err(Problem::invalid("", detail));
        }
        let mut json = serde_json::Deserializer::from_slice(&bytes);
        let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
            match error.inner().classify() {
                Category::Data => wrong(error.path(), error.inner()),
                Category::Io | Category::Syntax | Category::Eof => {
                    Problem::malformed(format!("the body is no JSON: {}", error.inner()))
                }
            }
        })?;
        json.end()
            .map_err(|error| Problem::malformed(format!("the body is no JSON: {error}")))?;
        Ok(Self(value))
    }
}

/// A part of a request's path.
pub(crate) struct Segment(pub(crate) String);

impl FromRequestParts<App> for Segment {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let path = axum::extract::Path::from_request_parts(parts, app).await;
        path.map(|axum::extract::Path(text)| Self(text))
            .map_err(|error| Problem::malformed(error.body_text()))
    }
}

/// All of a body that is neither too large nor too slow.
async fn whole(body: Body, app: &App) -> Result<axum::body::Bytes, Problem> {
    let most = app.bounds.body;
    let too_large =
        || Problem::too_large(format!("the body of a request has at most {most} bytes"));
    // Who says beforehand that it is too large need not send it.
    if body.size_hint().lower() > most as u64 {
        return Err(too_large());
    }
    let bytes = time::timeout(app.bounds.patience, body::to_bytes(body, most)).await;
    let bytes = bytes.map_err(|_| Problem::too_slow())?;
    bytes.map_err(|error| {
        if error.into_inner().is::<LengthLimitError>() {
            too_large()
        } else {
            Problem::malformed("the body ended too early or came in broken pieces")
        }
    })
}

impl<T: DeserializeOwned> FromRequestParts<App> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        let query = parts.uri.query().unwrap_or("");
        let fields = form_urlencoded::parse(query.as_bytes());
        let fields = serde_urlencoded::Deserializer::new(fields);
        let value = serde_path_to_error::deserialize(fields)
            .map_err(|error| wrong(error.path(), error.inner()))?;
        Ok(Self(value))
    }
}

/// A field that is wrong, in few words however long those were that came.
fn wrong(path: &Path, error: &impl std::fmt::Display) -> Problem {
    const LONGEST: usize = 400;
    let short = |text: String| text.chars().take(LONGEST).collect::<String>();
    Problem::invalid(short(pointer(path)), short(error.to_string()))
}

/// A path as a JSON pointer (RFC 6901).
fn pointer(path: &Path) -> String {
    let step = |segment: &Step| match segment {
        Step::Seq { index } => format!("/{index}"),
        Step::Map { key } | Step::Enum { variant: key } => {
            format!("/{}", key.replace('~', "~0").replace('/', "~1"))
        }
        Step::Unknown => String::new(),
    };
    path.iter().map(step).collect()
}
