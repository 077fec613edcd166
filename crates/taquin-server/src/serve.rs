//! Listening, serving, and stopping in good order.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time;
use tokio_io_timeout::TimeoutStream;

use crate::config::{Bounds, Config};
use crate::resources::Resources;
use crate::router::router;
use crate::security::OwnNamesOnly;
use crate::state::App;

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    bounds: Bounds,
    app: App,
    stop: watch::Sender<bool>,
}

impl Server {
    /// Listens. Nothing is answered before [`run`](Self::run).
    pub async fn bind(config: Config, resources: Resources) -> io::Result<Self> {
        let listener = TcpListener::bind(config.listen).await?;
        let address = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let app = App::new(config.bounds.clone(), resources, stopped);
        let own_names = OwnNamesOnly(address.ip().to_canonical().is_loopback());
        Ok(Self {
            listener,
            address,
            router: router(app.clone(), own_names, config.web),
            bounds: config.bounds,
            app,
            stop,
        })
    }

    /// Where it listens; with port 0 asked for, the one it got.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `end` comes; then takes no more connections, ends searches, and waits a little
    /// for what is under way.
    pub async fn run(self, end: impl Future<Output = ()>) {
        let app = self.app.clone();
        tokio::task::spawn_blocking(move || app.resources.warm_up());
        let graceful = GracefulShutdown::new();
        let places = Arc::new(Semaphore::new(self.bounds.connections));
        tokio::pin!(end);
        loop {
            // With all places taken, new connections wait in the system's queue.
            let place = Arc::clone(&places).acquire_owned();
            let accepted = async {
                let place = place.await;
                (place, self.listener.accept().await)
            };
            tokio::select! {
                () = &mut end => break,
                (place, stream) = accepted => match (place, stream) {
                    (Ok(place), Ok((stream, _))) => self.serve(stream, place, &graceful),
                    (_, Err(error)) => {
                        // Out of file descriptors, most likely: others must close theirs first.
                        tracing::warn!(%error, "a connection was not accepted");
                        time::sleep(Duration::from_millis(50)).await;
                    }
                    (Err(_), _) => break,
                },
            }
        }
        tracing::info!("stopping");
        drop(self.listener);
        // Searches end as if their clients had left.
        self.stop.send_replace(true);
        self.app.resources.close();
        let farewell = time::timeout(self.bounds.farewell, graceful.shutdown());
        if farewell.await.is_err() {
            tracing::warn!("some clients did not leave in time");
        }
        let mut waits = 0;
        while self.app.gate.running() > 0 && waits < 100 {
            waits += 1;
            time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Serves one connection in a task of its own.
    fn serve(&self, stream: TcpStream, place: OwnedSemaphorePermit, graceful: &GracefulShutdown) {
        // Small answers are not to wait for larger ones.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(self.router.clone());
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(self.bounds.patience));
        let stream = TokioIo::new(Box::pin(stream));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.bounds.patience)
            .max_buf_size(MOST_HEAD)
            .serve_connection(stream, service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke");
            }
            drop(place);
        });
    }
}

/// The most bytes of a request's head, and of what is kept for a client that does not read.
const MOST_HEAD: usize = 64 << 10;
