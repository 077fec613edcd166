//! Listening, serving, and stopping in good order.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time;
use tokio_io_timeout::TimeoutStream;

use crate::client::Client;
use crate::config::{Bounds, Config};
use crate::peers::{PeerPlace, Peers};
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
    peers: Arc<Peers>,
    app: App,
    stop: watch::Sender<bool>,
}

impl Server {
    /// Listens, on the runtime that this is called on. Nothing is answered before
    /// [`run`](Self::run).
    ///
    /// # Panics
    /// Outside of a runtime.
    pub fn bind(config: Config, resources: Resources) -> io::Result<Self> {
        let listener = listen(config.listen)?;
        let address = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let app = App::new(config.bounds.clone(), resources, stopped)?;
        let is_loopback = address.ip().to_canonical().is_loopback();
        let own_names = OwnNamesOnly(is_loopback);
        // On this machine all who ask have one address.
        let most = if is_loopback {
            usize::MAX
        } else {
            config.bounds.peer_connections
        };
        Ok(Self {
            listener,
            address,
            peers: Peers::new(most),
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
        self.app.threads.run(move || app.resources.warm_up());
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
                    (Ok(place), Ok((stream, peer))) => {
                        // A peer with too many connections gets no more of them.
                        if let Some(peer) = self.peers.place(peer.ip()) {
                            self.serve(stream, (place, peer), &graceful);
                        }
                    }
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
        let app = self.app.clone();
        let writing = tokio::task::spawn_blocking(move || app.resources.finish_writing());
        if time::timeout(WRITING, writing).await.is_err() {
            tracing::warn!("a table was not written in time");
        }
    }

    /// Serves one connection in a task of its own.
    fn serve(
        &self,
        stream: TcpStream,
        places: (OwnedSemaphorePermit, PeerPlace),
        graceful: &GracefulShutdown,
    ) {
        // Small answers are not to wait for larger ones.
        let _ = stream.set_nodelay(true);
        let (client, stream) = Client::new(stream);
        let router = TowerToHyperService::new(self.router.clone());
        let asking = client.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(asking.clone());
            router.call(request)
        });
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
            tokio::select! {
                done = connection => if let Err(error) = done {
                    tracing::debug!(%error, "a connection broke");
                },
                // Whatever was searched for it ends with the connection.
                () = client.left() => tracing::debug!("a client left"),
            }
            drop(places);
        });
    }
}

/// The most bytes of a request's head, and of what is kept for a client that does not read.
const MOST_HEAD: usize = 64 << 10;

/// The bytes that the system keeps of what a client has not yet taken. The system takes more of us
/// only when a good part of them is gone: with the megabytes that it would use by itself, a client
/// that reads slowly but steadily would look as if it did not read at all.
const SEND_BUFFER: u32 = 32 << 10;

/// How long the server waits at its end until tables are written.
const WRITING: Duration = Duration::from_secs(1);

/// Connections that the system keeps until there is a place for them.
const BACKLOG: u32 = 1024;

/// Listens on an address.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    // A server that is started again need not wait until its old connections are forgotten. Elsewhere
    // the same word lets two servers have one port.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    // Connections have what their listener has.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}
