//! The page: the files of `web/`, embedded in the program.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName,
    IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;

use crate::problem::Problem;

#[derive(RustEmbed)]
#[folder = "web"]
struct Files;

/// The files by their paths, ready to be sent.
static READY: LazyLock<HashMap<String, File>> = LazyLock::new(|| {
    let file = |path: &str| Files::get(path).and_then(|file| File::new(path, &file));
    let files = Files::iter().filter_map(|path| Some((path.to_string(), file(&path)?)));
    files.collect()
});

/// A file of the page.
struct File {
    kind: HeaderValue,
    /// By which a browser knows it again.
    tag: HeaderValue,
    plain: Bytes,
    zipped: Bytes,
}

impl File {
    fn new(path: &str, file: &rust_embed::EmbeddedFile) -> Option<Self> {
        let mut zipped = GzEncoder::new(Vec::new(), Compression::best());
        zipped.write_all(&file.data).ok()?;
        let mut tag = String::from('"');
        for byte in &file.metadata.sha256_hash()[..8] {
            write!(tag, "{byte:02x}").ok()?;
        }
        tag.push('"');
        Some(Self {
            kind: HeaderValue::from_static(media_type(path)?),
            tag: HeaderValue::from_str(&tag).ok()?,
            plain: file.data.to_vec().into(),
            zipped: zipped.finish().ok()?.into(),
        })
    }

    fn answer(&self, asked: &HeaderMap) -> Response {
        let names = |header: HeaderName, name: &str| {
            let values = asked.get_all(header).iter();
            let mut values = values.filter_map(|value| value.to_str().ok());
            let is_named = |one: &str| {
                let mut parts = one.split(';').map(str::trim);
                let named = parts.next().map(|one| one.trim_start_matches("W/"));
                // A weight of nothing means that it is not wanted.
                named == Some(name) && !parts.any(|part| part == "q=0")
            };
            values.any(|value| value.split(',').any(is_named))
        };
        // A newer program has newer files under the same names, so browsers are to ask each time.
        let common = [
            (ETAG, self.tag.clone()),
            (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
            (VARY, HeaderValue::from_static("accept-encoding")),
        ];
        if names(IF_NONE_MATCH, self.tag.to_str().unwrap_or_default()) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        let kind = [(CONTENT_TYPE, self.kind.clone())];
        if names(ACCEPT_ENCODING, "gzip") {
            let encoding = [(CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
            return (common, kind, encoding, self.zipped.clone()).into_response();
        }
        (common, kind, self.plain.clone()).into_response()
    }
}

/// The file at a path; a folder stands for the index in it.
pub(crate) async fn file(request: Request) -> Response {
    let path = request.uri().path().strip_prefix('/').unwrap_or_default();
    let index = match path.strip_suffix('/').unwrap_or(path) {
        "" => "index.html".to_owned(),
        folder => format!("{folder}/index.html"),
    };
    let Some(file) = READY.get(path).or_else(|| READY.get(&index)) else {
        return Problem::not_found(request.uri().path()).into_response();
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let allowed = [(ALLOW, HeaderValue::from_static("GET,HEAD"))];
        return (allowed, Problem::method()).into_response();
    }
    file.answer(request.headers())
}

/// What a file of the page is; `None` for files that are no part of it, such as the README.
fn media_type(path: &str) -> Option<&'static str> {
    Some(match path.rsplit('.').next()? {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_but_the_readme_is_sent_and_together_they_load_in_100_kb() {
        let unsent = Files::iter().filter(|path| !READY.contains_key(&**path));
        assert_eq!(unsent.collect::<Vec<_>>(), ["README.md"]);
        assert!(READY.contains_key("index.html"));
        let bytes: usize = READY.values().map(|file| file.zipped.len()).sum();
        assert!(bytes < 100_000, "the page has {bytes} bytes");
    }
}
