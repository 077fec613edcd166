//! The requests without connections, for tests and fuzzing.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{self, Body};
use axum::http::Request;
use axum::http::header::{CONTENT_TYPE, HOST};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::watch;

use crate::client::Client;
use crate::config::Bounds;
use crate::resources::Resources;
use crate::router::router;
use crate::security::OwnNamesOnly;
use crate::state::App;

/// A server that does not listen: requests are handed to it one by one.
pub struct Unconnected {
    service: TowerToHyperService<Router>,
    /// Searches end when this is gone.
    _stop: watch::Sender<bool>,
}

impl Unconnected {
    /// With these bounds and resources. Fails if the system has no thread to search on.
    pub fn new(bounds: Bounds, resources: Resources) -> io::Result<Self> {
        let (stop, stopped) = watch::channel(false);
        let app = App::new(bounds, resources, stopped)?;
        let router = router(app, OwnNamesOnly(true), None);
        Ok(Self {
            service: TowerToHyperService::new(router),
            _stop: stop,
        })
    }

    /// Posts a body that claims to be JSON to a path: the status and the body of the answer, or why
    /// there is none.
    pub async fn post(&self, path: &str, body: Vec<u8>) -> Result<(u16, Vec<u8>), axum::Error> {
        let (patient, _) = Client::new(Silence);
        let request = Request::post(path)
            .extension(patient)
            .header(HOST, "localhost")
            .header(CONTENT_TYPE, "application/json")
            .body(Body::from(body))
            .map_err(axum::Error::new)?;
        let response = self.service.call(request).await;
        let response = response.map_err(axum::Error::new)?;
        let status = response.status().as_u16();
        let body = body::to_bytes(response.into_body(), usize::MAX).await?;
        Ok((status, body.into()))
    }
}

/// What comes from a client that waits for its answer, sends nothing more and never leaves.
struct Silence;

impl AsyncRead for Silence {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        _: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Poll::Pending
    }
}
