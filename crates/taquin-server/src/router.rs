//! Which request goes where, and through what.

use std::path::PathBuf;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::{Router, http};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::services::ServeDir;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{
    about, apply, check, compare, distribution, estimate, hint, json, quality, scramble, solve,
    trace,
};
use crate::openapi::{self, Document};
use crate::page;
use crate::problem::Problem;
use crate::security::{self, OwnNamesOnly};
use crate::state::App;

/// Everything that is answered.
pub(crate) fn router(app: App, own_names: OwnNamesOnly, web: Option<PathBuf>) -> Router {
    let (api, document) = OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(about::about))
        .routes(routes!(apply::apply))
        .routes(routes!(check::check))
        .routes(routes!(compare::compare))
        .routes(routes!(distribution::distribution))
        .routes(routes!(estimate::estimate))
        .routes(routes!(hint::hint))
        .routes(routes!(quality::quality))
        .routes(routes!(scramble::scramble))
        .routes(routes!(solve::solve))
        .routes(routes!(solve::solve_stream))
        .routes(routes!(trace::trace_stream))
        .split_for_parts();
    let document = openapi::written(&document);
    let router = Router::new()
        .merge(api)
        .route("/api/v1/{*path}", any(not_found))
        .route("/api/openapi.json", get(async move || json(document)))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .method_not_allowed_fallback(async || Problem::method());
    let router = match web {
        Some(folder) => router.fallback_service(ServeDir::new(folder).fallback(any(not_found))),
        None => router.fallback(page::file),
    };
    router
        .layer(middleware::from_fn_with_state(own_names, security::guard))
        .layer(CatchPanicLayer::custom(
            |_: Box<dyn std::any::Any + Send>| Problem::internal().into_response(),
        ))
        .layer(middleware::from_fn_with_state(app.clone(), observe))
        .layer(middleware::from_fn(security::headers))
        .with_state(app)
}

async fn not_found(uri: http::Uri) -> Problem {
    Problem::not_found(uri.path())
}

async fn health() -> &'static str {
    "ok\n"
}

async fn metrics(State(app): State<App>) -> Response {
    let kind =
        HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
    (
        [(CONTENT_TYPE, kind)],
        app.metrics.text(&app.gate, app.resources.kept_bytes()),
    )
        .into_response()
}

/// The most of a path that is written into the log.
const LONGEST_PATH: usize = 200;

/// Counts a request and writes it into the log. What a client made up is not a path to count by.
async fn observe(
    State(app): State<App>,
    path: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let begin = Instant::now();
    let method = request.method().clone();
    let asked: String = request.uri().path().chars().take(LONGEST_PATH).collect();
    let response = next.run(request).await;
    let (status, time) = (response.status(), begin.elapsed());
    let path = path.as_ref().map_or("page", MatchedPath::as_str);
    app.metrics.count(path, status.as_u16(), time);
    let time_ms = taquin_records::milliseconds(time);
    if status == StatusCode::INTERNAL_SERVER_ERROR {
        tracing::error!(%method, path = asked, status = status.as_u16(), time_ms, "failed");
    } else {
        tracing::info!(%method, path = asked, status = status.as_u16(), time_ms, "answered");
    }
    response
}
