//! Server-sent events: what a search tells while it runs.

use std::cell::Cell;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Serialize;
use taquin::tables::Tier;
use taquin::{Event, Progress, Size};
use taquin_records::{TierWord, Word, milliseconds};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::time::{self, MissedTickBehavior};
use utoipa::ToSchema;

use super::solve::Job;
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
fn event(name: &str, data: &impl Serialize) -> sse::Event {
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

/// The answer that passes on what comes through a channel.
fn respond(items: Receiver<Item>) -> Response {
    let events = stream::unfold(Some(items), async |items| {
        let mut items = items?;
        let (event, rest) = match items.recv().await? {
            Item::Event(event) => (event, Some(items)),
            Item::Last(event) => (event, None),
        };
        Some((Ok::<_, Infallible>(event), rest))
    });
    let keep_alive = KeepAlive::new().interval(STILL_HERE);
    Sse::new(events).keep_alive(keep_alive).into_response()
}

/// Where a search sends its events to; they come from its own thread.
pub(crate) struct Sink {
    events: Sender<Item>,
    /// Whether nobody takes events any more.
    is_closed: Cell<bool>,
    runtime: Handle,
    patience: Duration,
}

impl Sink {
    /// Sends an event; false if there is nobody to take it, or nobody who does.
    pub(crate) fn send(&self, name: &str, data: &impl Serialize) -> bool {
        let item = Item::Event(event(name, data));
        if !self.is_closed.get() {
            let sending = self.events.send_timeout(item, self.patience);
            self.is_closed.set(self.runtime.block_on(sending).is_err());
        }
        !self.is_closed.get()
    }
}

/// Runs a search whose events go to a client. The client's leaving ends it, and so does the end of
/// the server.
pub(crate) fn run<W>(app: &App, cancel_on_drop: CancelOnDrop, work: W) -> Result<Response, Problem>
where
    W: FnOnce(&Sink) -> Result<(), Problem> + Send + 'static,
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
            search_task::spawn(turn, move || work(&sink)).await
        };
        let problem = tokio::select! {
            done = work => {
                cancel_on_drop.let_go();
                done.err()
            }
            () = events.closed() => return,
            () = app.stopping() => {
                drop(cancel_on_drop);
                Some(Problem::stopping())
            }
        };
        if let Some(problem) = problem {
            let last = Item::Last(event("problem", &problem));
            let _ = events.send_timeout(last, app.bounds.patience).await;
        }
    });
    Ok(respond(receiver))
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
pub(crate) fn solve(app: &App, job: Job) -> Result<Response, Problem> {
    let cancel_on_drop = CancelOnDrop::new(app);
    let cancel = cancel_on_drop.flag();
    let shared = app.clone();
    run(app, cancel_on_drop, move |sink| {
        let progress = Arc::new(Progress::default());
        let ticker = sink
            .runtime
            .spawn(tick(sink.events.clone(), Arc::clone(&progress)));
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
        ticker.abort();
        sink.send("end", &solved?);
        Ok(())
    })
}

/// Tells now and then how far a search is.
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
        // Who does not take in what there is needs no more of it.
        let _ = events.try_send(Item::Event(event("progress", &progressing)));
    }
}
