//! A client's connection, and whether the client is still there.
//!
//! A search ends when its client leaves. The HTTP library notices that only as long as nothing has
//! come behind the request: a single byte more, and it reads no further until it has answered. So
//! while a client is watched, what it sends is read ahead here, up to a bound, and its end is seen.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::problem::Problem;
use crate::state::App;

/// How many bytes are read ahead while a request runs. A client that sends more is treated as one
/// that has left.
const MOST_AHEAD: usize = 64 << 10;
/// Bytes that are read at once.
const PIECE: usize = 4 << 10;

/// The client of a request; cheap to clone.
#[derive(Clone)]
pub(crate) struct Client(Arc<dyn Watched>);

/// The stream to a client, for the HTTP library to read from and to write to.
pub(crate) struct Connection<S>(Arc<Mutex<State<S>>>);

struct State<S> {
    stream: S,
    /// What was read ahead and not yet taken.
    ahead: Vec<u8>,
    /// How many want to know when the client leaves.
    watching: usize,
    /// Wakes the task that waits for that.
    waker: Option<Waker>,
}

/// As long as this lives, it is noticed when the client leaves.
pub(crate) struct Watch(Arc<dyn Watched>);

/// A connection, whatever its stream is.
trait Watched: Send + Sync {
    fn begin_watch(&self);
    fn end_watch(&self);
    fn poll_left(&self, cx: &mut Context<'_>) -> Poll<()>;
}

impl Client {
    /// A client behind a stream.
    pub(crate) fn new<S>(stream: S) -> (Self, Connection<S>)
    where
        S: AsyncRead + Unpin + Send + 'static,
    {
        let state = Arc::new(Mutex::new(State {
            stream,
            ahead: Vec::new(),
            watching: 0,
            waker: None,
        }));
        (
            Self(Arc::<Mutex<State<S>>>::clone(&state)),
            Connection(state),
        )
    }

    /// From now on it is noticed when the client leaves.
    pub(crate) fn watch(&self) -> Watch {
        self.0.begin_watch();
        Watch(Arc::clone(&self.0))
    }

    /// Ends when the client has left while it was watched. The task that waits for this must be the
    /// one that reads from the connection, since a stream wakes only the last one that has asked.
    pub(crate) async fn left(&self) {
        poll_fn(|cx| self.0.poll_left(cx)).await;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.end_watch();
    }
}

impl FromRequestParts<App> for Client {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        let client = parts.extensions.get::<Self>();
        client.cloned().ok_or_else(Problem::internal)
    }
}

fn lock<S>(state: &Mutex<State<S>>) -> MutexGuard<'_, State<S>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S: AsyncRead + Unpin + Send> Watched for Mutex<State<S>> {
    fn begin_watch(&self) {
        let mut state = lock(self);
        state.watching += 1;
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn end_watch(&self) {
        lock(self).watching -= 1;
    }

    fn poll_left(&self, cx: &mut Context<'_>) -> Poll<()> {
        let state = &mut *lock(self);
        if state.watching == 0 {
            state.waker = Some(cx.waker().clone());
            return Poll::Pending;
        }
        loop {
            if state.ahead.len() >= MOST_AHEAD {
                return Poll::Ready(());
            }
            let mut piece = [0; PIECE];
            let mut piece = ReadBuf::new(&mut piece);
            match Pin::new(&mut state.stream).poll_read(cx, &mut piece) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Ok(())) if !piece.filled().is_empty() => {
                    state.ahead.extend_from_slice(piece.filled());
                }
                // The end, or a connection that broke.
                Poll::Ready(_) => return Poll::Ready(()),
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let state = &mut *lock(&self.0);
        if state.ahead.is_empty() {
            return Pin::new(&mut state.stream).poll_read(cx, buffer);
        }
        let taken = state.ahead.len().min(buffer.remaining());
        buffer.put_slice(&state.ahead[..taken]);
        state.ahead.drain(..taken);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut lock(&self.0).stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut lock(&self.0).stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        lock(&self.0).stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut lock(&self.0).stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut lock(&self.0).stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    use super::*;

    /// A stream that has some bytes to give, and then ends or has no more for now.
    struct Script {
        bytes: usize,
        ends: bool,
    }

    impl AsyncRead for Script {
        fn poll_read(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            let given = self.bytes.min(buffer.remaining());
            if given == 0 && !self.ends {
                return Poll::Pending;
            }
            buffer.put_slice(&vec![b'x'; given]);
            self.bytes -= given;
            Poll::Ready(Ok(()))
        }
    }

    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether a client is seen to have left that sends this many bytes behind its request.
    fn is_gone(bytes: usize, ends: bool) -> bool {
        let (client, _connection) = Client::new(Script { bytes, ends });
        let _watch = client.watch();
        let mut cx = Context::from_waker(Waker::noop());
        client.0.poll_left(&mut cx).is_ready()
    }

    #[test]
    fn a_client_that_leaves_is_noticed_whatever_it_has_sent_ahead() {
        for bytes in [0, 1, PIECE, PIECE + 1, MOST_AHEAD - 1] {
            assert!(is_gone(bytes, true), "{bytes} bytes");
            assert!(!is_gone(bytes, false), "{bytes} bytes");
        }
        assert!(is_gone(MOST_AHEAD, false), "it sends without end");
    }

    #[test]
    fn what_was_read_ahead_is_not_lost() {
        let (client, mut connection) = Client::new(Script {
            bytes: 100,
            ends: false,
        });
        let mut cx = Context::from_waker(Waker::noop());
        let watch = client.watch();
        assert!(client.0.poll_left(&mut cx).is_pending());
        drop(watch);
        let mut all = 0;
        for expected in [64, 36] {
            let mut bytes = [0; 64];
            let mut buffer = ReadBuf::new(&mut bytes);
            let read = Pin::new(&mut connection).poll_read(&mut cx, &mut buffer);
            assert!(read.is_ready());
            assert_eq!(buffer.filled().len(), expected);
            all += expected;
        }
        assert_eq!(all, 100);
    }

    #[test]
    fn nothing_is_read_ahead_while_nobody_watches() {
        let (client, connection) = Client::new(Script {
            bytes: 1,
            ends: true,
        });
        let wakes = Arc::new(Wakes::default());
        let waker = Arc::clone(&wakes).into();
        let mut cx = Context::from_waker(&waker);
        assert!(client.0.poll_left(&mut cx).is_pending());
        assert_eq!(lock(&connection.0).stream.bytes, 1);
        // A new watch wakes the task that waits.
        let _watch = client.watch();
        assert_eq!(wakes.0.load(Ordering::Relaxed), 1);
        assert!(client.0.poll_left(&mut cx).is_ready());
    }
}
