//! Server-sent events: what a search tells while it runs.

use std::cell::Cell;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};
use serde::Serialize;
use taquin::tables::Tier;
use taquin::{Event, Progress, Size};
use taquin_records::{TierWord, Word, milliseconds};
use tokio::runtime::Handle;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::task::AbortHandle;
use tokio::time::{self, MissedTickBehavior};
use utoipa::ToSchema;

use super::solve::Job;
use crate::client::{Client, Watch};
use crate::gate::{QueuePlace, SearchPermit};
use crate::problem::Problem;
use crate::search_task::{self, CancelOnDrop};
use crate::state::App;

/// Events that wait for a client to take them in; when there are this many, the search waits too.
const BUFFER: usize = 256;
/// How often progress is told.
const PERIOD: Duration = Duration::from_millis(200);
/// How often a silent stream says that it is still there.
const STILL_HERE: Duration = Duration::from_secs(10);

/// What a stream consists of.
#[derive(ToSchema)]
#[expect(dead_code, reason = "for the description of the API")]
pub(crate) struct ServerSentEvent {
    /// Its name.
    event: String,
    /// One line of JSON.
    data: String,
}

/// How many searches come before.
#[derive(Serialize)]
struct Queued {
    ahead: usize,
}

/// How far a search is.
#[derive(Serialize)]
struct Progressing {
    nodes: u64,
    lower_bound: u32,
    time_ms: f64,
}

/// Tables that are being built.
#[derive(Serialize)]
struct Building {
    size: String,
    tier: TierWord,
}

impl Building {
    fn new(size: Size, tier: Tier) -> Self {
        Self {
            size: size.to_string(),
            tier: Word(tier),
        }
    }
}

/// An event with one line of JSON.
pub(crate) fn event(name: &str, data: &impl Serialize) -> sse::Event {
    // Records are written without fail.
    let json = serde_json::to_string(data).unwrap_or_default();
    sse::Event::default().event(name).data(json)
}

/// A stream of one event, the last one.
pub(crate) fn end(record: &impl Serialize) -> Response {
    let last: Result<sse::Event, Infallible> = Ok(event("end", record));
    Sse::new(stream::iter([last])).into_response()
}

/// What goes through the channel to a client.
enum Item {
    Event(sse::Event),
    /// Whatever comes after this is not passed on.
    Last(sse::Event),
}

/// What comes through a channel, up to the last event.
fn events(items: Receiver<Item>) -> impl Stream<Item = sse::Event> {
    stream::unfold(Some(items), async |items| {
        let mut items = items?;
        Some(match items.recv().await? {
            Item::Event(event) => (event, Some(items)),
            Item::Last(event) => (event, None),
        })
    })
}

/// The answer that passes on what comes through a channel. As long as there is more to come, it is
/// noticed when the client leaves.
fn respond(items: Receiver<Item>, watch: Watch) -> Response {
    let events = events(items).map(move |event| {
        let _ = &watch;
        Ok::<_, Infallible>(event)
    });
    let keep_alive = KeepAlive::new().interval(STILL_HERE);
    Sse::new(events).keep_alive(keep_alive).into_response()
}

/// Where a search sends its events to; they come from its own thread.
pub(crate) struct Sink {
    events: Sender<Item>,
    /// Whether the client takes no more events.
    is_closed: Cell<bool>,
    runtime: Handle,
    patience: Duration,
}

impl Sink {
    /// Sends an event; false if the client has left or does not read.
    pub(crate) fn send(&self, name: &str, data: &impl Serialize) -> bool {
        if !self.is_closed.get() {
            let item = Item::Event(event(name, data));
            let sending = self.events.send_timeout(item, self.patience);
            self.is_closed.set(self.runtime.block_on(sending).is_err());
        }
        !self.is_closed.get()
    }
}

/// Runs a search whose events go to a client; what it returns is the last one. The client's leaving
/// ends it, and so does the end of the server.
pub(crate) fn run<W>(
    app: &App,
    client: &Client,
    cancel_on_drop: CancelOnDrop,
    work: W,
) -> Result<Response, Problem>
where
    W: FnOnce(&Sink) -> Result<sse::Event, Problem> + Send + 'static,
{
    let Ok(place) = app.gate.place() else {
        cancel_on_drop.let_go();
        return Err(app.turned_away());
    };
    let (events, receiver) = mpsc::channel(BUFFER);
    let app = app.clone();
    tokio::spawn(async move {
        let sink = Sink {
            events: events.clone(),
            is_closed: Cell::new(false),
            runtime: Handle::current(),
            patience: app.bounds.patience,
        };
        let work = async {
            let turn = turn(&app, place, &events).await?;
            search_task::spawn(&app, turn, move || work(&sink)).await
        };
        let last = tokio::select! {
            done = work => {
                // A search that ends because nobody takes its events has not ended by itself. The
                // last event is sent below: until then only the client closes the channel.
                if events.is_closed() {
                    return;
                }
                cancel_on_drop.let_go();
                done
            }
            () = events.closed() => return,
            () = app.stopping() => {
                drop(cancel_on_drop);
                Err(Problem::stopping())
            }
        };
        let last = last.unwrap_or_else(|problem| event("problem", &problem));
        let _ = events
            .send_timeout(Item::Last(last), app.bounds.patience)
            .await;
    });
    Ok(respond(receiver, client.watch()))
}

/// Waits for the turn, and tells the client that it waits.
async fn turn(
    app: &App,
    place: QueuePlace,
    events: &Sender<Item>,
) -> Result<SearchPermit, Problem> {
    if let QueuePlace::Waiting(waiting) = &place {
        let ahead = waiting.ahead();
        let _ = events.try_send(Item::Event(event("queued", &Queued { ahead })));
    }
    place.turn().await.map_err(|_| app.turned_away())
}

/// Solves a board, and tells of it.
pub(crate) fn solve(app: &App, client: &Client, job: Job) -> Result<Response, Problem> {
    let cancel_on_drop = CancelOnDrop::new(app);
    let cancel = cancel_on_drop.flag();
    let shared = app.clone();
    run(app, client, cancel_on_drop, move |sink| {
        let progress = Arc::new(Progress::default());
        let ticker = Ticker::start(sink, Arc::clone(&progress));
        let mut tell = |event: Event<'_>| {
            let is_taken = match event {
                Event::Building { size, tier } => sink.send("building", &Building::new(size, tier)),
                Event::Improved(known) => sink.send("improved", &job.improvement(&known)),
                _ => true,
            };
            if !is_taken {
                cancel.store(true, Ordering::Relaxed);
            }
        };
        let solved = job.run(&shared, Arc::clone(&cancel), Some(progress), &mut tell);
        drop(ticker);
        Ok(event("end", &solved?))
    })
}

/// Tells now and then how far a search is, until this is dropped or the client has left.
struct Ticker(AbortHandle);

impl Ticker {
    fn start(sink: &Sink, progress: Arc<Progress>) -> Self {
        let ticking = sink.runtime.spawn(tick(sink.events.clone(), progress));
        Self(ticking.abort_handle())
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Tells now and then how far a search is, until nobody listens.
async fn tick(events: Sender<Item>, progress: Arc<Progress>) {
    let begin = Instant::now();
    let mut ticks = time::interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let progressing = Progressing {
            nodes: progress.nodes(),
            lower_bound: progress.lower_bound(),
            time_ms: milliseconds(begin.elapsed()),
        };
        // A client that does not read gets no more progress events.
        let told = events.try_send(Item::Event(event("progress", &progressing)));
        if let Err(TrySendError::Closed(_)) = told {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nothing_follows_the_last_event() {
        let (sender, receiver) = mpsc::channel(BUFFER);
        let progress = || event("progress", &0);
        for item in [
            Item::Event(progress()),
            Item::Last(event("end", &1)),
            // A ticker that had not yet heard of the end.
            Item::Event(progress()),
        ] {
            assert!(sender.try_send(item).is_ok());
        }
        let told: Vec<sse::Event> = events(receiver).collect().await;
        assert_eq!(told.len(), 2);
        // The channel is gone, so a sender that is left is told.
        assert!(sender.is_closed());
    }

    #[tokio::test]
    async fn a_ticker_ends_with_its_client() {
        let (sender, receiver) = mpsc::channel(BUFFER);
        let ticking = tokio::spawn(tick(sender, Arc::default()));
        drop(receiver);
        let ended = time::timeout(100 * PERIOD, ticking).await;
        assert!(ended.is_ok(), "it goes on without its client");
    }

    #[tokio::test]
    async fn a_ticker_ends_with_its_search_even_if_that_panics() {
        let (sender, mut receiver) = mpsc::channel(BUFFER);
        let sink = Sink {
            events: sender,
            is_closed: Cell::new(false),
            runtime: Handle::current(),
            patience: PERIOD,
        };
        let ticker = Ticker::start(&sink, Arc::default());
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
            let _kept = (sink, ticker);
            panic!("a search that fails");
        }));
        assert!(panicked.is_err());
        let ended = time::timeout(100 * PERIOD, async {
            while receiver.recv().await.is_some() {}
        });
        assert!(ended.await.is_ok(), "the stream never ends");
    }
}
