//! Searches on threads of their own, which end when nobody waits for them any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::oneshot;

use crate::client::Client;
use crate::gate::SearchPermit;
use crate::problem::Problem;
use crate::state::App;

/// Held by the task that waits for a search. If it is dropped before it was let go, it raises the search's
/// cancel flag: so a search stops when its client leaves or the server goes away.
pub(crate) struct CancelOnDrop {
    app: App,
    flag: Arc<AtomicBool>,
    is_done: bool,
}

impl CancelOnDrop {
    pub(crate) fn new(app: &App) -> Self {
        Self {
            app: app.clone(),
            flag: Arc::default(),
            is_done: false,
        }
    }

    /// The flag to give to the search.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// The search has ended by itself.
    pub(crate) fn let_go(mut self) {
        self.is_done = true;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if !self.is_done {
            self.flag.store(true, Ordering::Relaxed);
            self.app.metrics.abandoned.inc();
        }
    }
}

/// Does work that takes long, when its turn comes, on a thread of its own. The work gets a flag that
/// is raised when the task that waits for it is dropped, because the client has left; the turn ends
/// when the work does, not before.
pub(crate) async fn run<T, W>(app: &App, client: &Client, work: W) -> Result<T, Problem>
where
    T: Send + 'static,
    W: FnOnce(Arc<AtomicBool>) -> Result<T, Problem> + Send + 'static,
{
    let place = app.gate.place().map_err(|_| app.turned_away())?;
    let _watch = client.watch();
    let cancel_on_drop = CancelOnDrop::new(app);
    let flag = cancel_on_drop.flag();
    let work = async {
        let turn = place.turn().await.map_err(|_| app.turned_away())?;
        spawn(app, turn, move || work(flag)).await
    };
    tokio::select! {
        done = work => {
            cancel_on_drop.let_go();
            done
        }
        () = app.stopping() => Err(Problem::stopping()),
    }
}

/// Does at once what takes little, and all else as [`run`] does: what takes some milliseconds is no
/// search, but many of them together would keep everybody waiting.
pub(crate) async fn run_unless_small<T, W>(
    app: &App,
    client: &Client,
    is_small: bool,
    work: W,
) -> Result<T, Problem>
where
    T: Send + 'static,
    W: FnOnce() -> Result<T, Problem> + Send + 'static,
{
    if is_small {
        return work();
    }
    run(app, client, |_| work()).await
}

/// Work on a thread of its own, which keeps the turn until it is done.
pub(crate) async fn spawn<T, W>(app: &App, turn: SearchPermit, work: W) -> Result<T, Problem>
where
    T: Send + 'static,
    W: FnOnce() -> Result<T, Problem> + Send + 'static,
{
    let (tell, told) = oneshot::channel();
    app.threads.run(move || {
        let done = work();
        drop(turn);
        // Nobody waits for it any more if the client has left.
        let _ = tell.send(done);
    });
    // The work panicked: the hook has told where.
    told.await.unwrap_or_else(|_| Err(Problem::internal()))
}
