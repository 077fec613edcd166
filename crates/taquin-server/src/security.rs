//! Who may ask, and what browsers are told to refuse.

use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderName, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;

/// Everything comes from this server; pictures also from the user's own files, which the page shows
/// without sending them anywhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' blob: data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The headers of every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    ),
];

/// Adds the headers to every answer.
pub(crate) async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

/// Whether only this machine's own names are answered to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnNamesOnly(pub(crate) bool);

/// Refuses what a page of another site asks for. Such a page could make its visitor's browser use a
/// server that listens for the visitor alone: by its address, which browsers tell in
/// `Sec-Fetch-Site`, or by a host name of its own that leads to this machine.
pub(crate) async fn guard(
    State(own_names): State<OwnNamesOnly>,
    request: Request,
    next: Next,
) -> Response {
    match refusal(own_names, request.uri().path(), request.headers()) {
        Some(detail) => Problem::foreign(detail).into_response(),
        None => next.run(request).await,
    }
}

fn refusal(
    OwnNamesOnly(own): OwnNamesOnly,
    path: &str,
    headers: &HeaderMap,
) -> Option<&'static str> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // `Host` and `Origin` must be unambiguous: two programs may pick different ones of two values.
    let (host, origin) = match (only(headers, &HOST), only(headers, &ORIGIN)) {
        (Ok(host), Ok(origin)) => (host, origin),
        (Err(_), _) => return Some("the header Host is there twice, or is no text"),
        (_, Err(_)) => return Some("the header Origin is there twice, or is no text"),
    };
    // A link from elsewhere to the page is fine.
    let follows_a_link = text("sec-fetch-mode") == Some("navigate")
        && text("sec-fetch-dest") == Some("document")
        && !path.starts_with("/api/v1/");
    // Another port of this machine is the same site, and still the page of another program.
    let is_foreign =
        matches!(text("sec-fetch-site"), Some("cross-site" | "same-site")) && !follows_a_link;
    // Browsers that do not say where a request comes from do so when they send something.
    let has_other_origin = origin.is_some_and(|origin| {
        let authority = origin.split_once("://").map(|(_, authority)| authority);
        authority != host
    });
    if is_foreign || has_other_origin {
        return Some("a page of another site asks");
    }
    if own && !host.is_some_and(is_own_name) {
        return Some("use http://localhost or http://127.0.0.1 with the port of the server");
    }
    None
}

/// A header that is there twice, or that is no text.
struct Unclear;

/// The text of a header that may be there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Unclear> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| Unclear),
        (Some(_), Some(_)) => Err(Unclear),
    }
}

/// Whether a host is this machine, as it calls itself.
fn is_own_name(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    matches!(name, "localhost" | "[::1]")
        || name.starts_with("127.") && name.parse::<std::net::Ipv4Addr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_has_this_machine_s_names() {
        for own in [
            "localhost",
            "localhost:8015",
            "127.0.0.1:1",
            "[::1]:8015",
            "[::1]",
            "127.9.9.9",
        ] {
            assert!(is_own_name(own), "{own}");
        }
        for other in [
            "",
            "example.org",
            "localhost.example.org:80",
            "127.0.0.1.example.org",
            "10.0.0.1",
        ] {
            assert!(!is_own_name(other), "{other}");
        }
    }

    #[test]
    fn other_sites_can_link_here_and_no_more() {
        let refused = |path: &str, headers: &[(&'static str, &'static str)]| {
            let headers = headers.iter().map(|&(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            });
            let mut all = HeaderMap::new();
            for (name, value) in headers {
                all.append(name, value);
            }
            refusal(OwnNamesOnly(true), path, &all).is_some()
        };
        let page = |headers: &_| refused("/", headers);
        let host = ("host", "localhost:8015");
        assert!(!page(&[host][..]));
        assert!(!page(&[host, ("sec-fetch-site", "same-origin")][..]));
        let elsewhere = ("sec-fetch-site", "cross-site");
        assert!(page(&[host, elsewhere][..]));
        let beside = ("sec-fetch-site", "same-site");
        assert!(page(&[host, beside][..]));
        assert!(refused("/api/v1/about", &[host, beside]));
        let link = ("sec-fetch-mode", "navigate");
        let (whole, framed) = (("sec-fetch-dest", "document"), ("sec-fetch-dest", "iframe"));
        assert!(!page(&[host, link, whole, elsewhere][..]));
        assert!(page(&[host, link, framed, elsewhere][..]));
        assert!(refused(
            "/api/v1/solve/stream",
            &[host, link, whole, elsewhere]
        ));
        assert!(!page(&[host, ("origin", "http://localhost:8015")][..]));
        for origin in ["http://example.org", "http://localhost:9000", "null"] {
            assert!(page(&[host, ("origin", origin)][..]), "{origin}");
        }
        assert!(page(&[("host", "rebound.example.org")][..]));
        assert!(page(&[][..]));
        assert!(!page(&[host, link, whole, beside][..]));
    }

    #[test]
    fn what_two_readers_would_read_differently_is_refused() {
        let own = HeaderValue::from_static("localhost:8015");
        let origin = HeaderValue::from_static("http://localhost:8015");
        let other = HeaderValue::from_static("http://example.org");
        let no_text = HeaderValue::from_bytes(b"http://\xff").unwrap();
        let refused = |own_names, hosts: &[&HeaderValue], origins: &[&HeaderValue]| {
            let mut headers = HeaderMap::new();
            for (name, values) in [(HOST, hosts), (ORIGIN, origins)] {
                for value in values {
                    headers.append(name.clone(), (*value).clone());
                }
            }
            refusal(OwnNamesOnly(own_names), "/api/v1/about", &headers).is_some()
        };
        for own_names in [true, false] {
            assert!(!refused(own_names, &[&own], &[&origin]));
            assert!(refused(own_names, &[&own], &[&no_text]));
            assert!(refused(own_names, &[&no_text], &[]));
            assert!(refused(own_names, &[&own, &own], &[]));
            assert!(refused(own_names, &[&own], &[&origin, &origin]));
            assert!(refused(own_names, &[&own], &[&origin, &other]));
        }
    }
}
