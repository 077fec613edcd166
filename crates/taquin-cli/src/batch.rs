//! Many boards on all cores: results in input order, memory bounded.
//!
//! One thread reads, several work, the calling one prints. A board may be read only after one of
//! the boards before it was printed, so a slow board holds up the reading, not the memory.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use taquin::notation::BoardEntry;

use crate::input::{Answer, BadBoard, BoardArgs, Fault, Origin, Watch};
use crate::output::Output;
use crate::status::Status;

/// How many boards may be between reading and printing, for each thread.
const AHEAD: usize = 16;
/// How often the printing thread looks up when nothing comes.
const TICK: Duration = Duration::from_millis(100);

/// A board that was read and worked on.
pub(crate) struct Answered<T> {
    pub(crate) origin: Origin,
    pub(crate) entry: BoardEntry,
    pub(crate) answer: T,
}

/// What the printing thread is told.
pub(crate) enum Step<T, N> {
    /// The next result in input order.
    Result(Result<Answered<T>, BadBoard>),
    /// Something about a board that is being worked on. That comes at once, in no order.
    News(N),
    /// Nothing is there to print at the moment.
    Idle,
    /// Nothing has come for a while.
    Tick,
}

/// Where a board is in the input, and what was read there.
type Job = (u64, Origin, Result<BoardEntry, BadBoard>);

/// What comes from the threads that work.
enum Message<T, N> {
    Result(u64, Result<Answered<T>, BadBoard>),
    News(N),
}

/// Hands every board to `work`, on up to `threads` threads, and every result to `print`, in input
/// order. What `work` tells on the way is printed before its result. Ends early when `print` fails,
/// or gives a status after which the arguments ask to stop, or after `stop` was set and what was
/// under way is printed.
///
/// Threads are started as boards come, so that there are no more than boards; and where the system
/// allows no more, those that there are do the work.
pub(crate) fn in_order<T: Send + 'static, N: Send + 'static>(
    boards: &BoardArgs,
    threads: usize,
    stop: &Arc<AtomicBool>,
    work: impl Fn(&BoardEntry, &mut dyn FnMut(N)) -> T + Send + Sync + 'static,
    mut print: impl FnMut(Step<T, N>) -> Result<Status>,
) -> Result<Status> {
    let (job_sender, jobs) = mpsc::channel::<Job>();
    let (result_sender, results) = mpsc::channel();
    let (permit_sender, permits) = mpsc::channel();
    for _ in 0..threads * AHEAD {
        permit_sender.send(()).context("the receiver is at hand")?;
    }
    // How many boards are being worked on, so that an interruption can wait for their results.
    let under_way = Arc::new(AtomicUsize::new(0));
    let work = Arc::new(work);
    let crew = Arc::new(Crew {
        jobs: Mutex::new(jobs),
        results: result_sender,
        work: Arc::clone(&work),
        stop: Arc::clone(stop),
        under_way: Arc::clone(&under_way),
        waiting: AtomicUsize::new(0),
        queued: AtomicUsize::new(0),
    });

    // The threads are not waited for: the reader may be waiting for a keyboard.
    let reader = boards.clone();
    let read = move || {
        let mut number = 0;
        let mut places = Places {
            taken: 0,
            all: threads,
        };
        reader.read(&Watch::default(), |origin, entry| {
            let job = (number, origin.clone(), entry);
            number += 1;
            crew.queued.fetch_add(1, Ordering::SeqCst);
            if permits.recv().is_err() || job_sender.send(job).is_err() {
                return ControlFlow::Break(());
            }
            crew.see_to_next(&mut places);
            ControlFlow::Continue(())
        });
    };
    if thread::Builder::new().spawn(read).is_err() {
        return one_by_one(boards, stop, &*work, print);
    }

    // Results that came before their turn wait here: no more than there are permits.
    let mut waiting = BTreeMap::new();
    let mut turn = 0;
    let mut status = Status::Done;
    loop {
        // Searches under way see the flag too and end soon; then nothing more will come.
        let over = stop.load(Ordering::Relaxed) && under_way.load(Ordering::Acquire) == 0;
        let mut received = results.try_recv().map_err(|_| RecvTimeoutError::Timeout);
        if received.is_err() && !over {
            // A program that waits for an answer before it asks again must get it now.
            print(Step::Idle)?;
            received = results.recv_timeout(TICK);
        }
        match received {
            Ok(Message::Result(number, result)) => {
                waiting.insert(number, result);
            }
            Ok(Message::News(news)) => {
                print(Step::News(news))?;
            }
            Err(RecvTimeoutError::Timeout) if !over => {
                print(Step::Tick)?;
            }
            Err(_) => {
                // After an interruption there may be gaps between the last results.
                for result in waiting.into_values() {
                    status = status.max(print(Step::Result(result))?);
                }
                return Ok(status);
            }
        }
        while let Some(result) = waiting.remove(&turn) {
            turn += 1;
            status = status.max(print(Step::Result(result))?);
            // Fails only when the reader has reached the end.
            let _ = permit_sender.send(());
            if boards.ends_after(status) {
                return Ok(status);
            }
        }
    }
}

/// Hands every board to `answer`, in input order, and gives the worst status: as
/// [`BoardArgs::each`], but the calling thread does not read, so that `stop` also ends the wait for
/// input.
pub(crate) fn each_until(
    boards: &BoardArgs,
    stop: &Arc<AtomicBool>,
    out: &mut Output,
    json: bool,
    mut answer: impl FnMut(&mut Output, &Answered<()>) -> Answer,
) -> Result<Status> {
    let no_work = |_: &BoardEntry, _: &mut dyn FnMut(())| ();
    in_order(boards, 1, stop, no_work, |step| match step {
        Step::Idle => {
            out.flush()?;
            Ok(Status::Done)
        }
        Step::News(()) | Step::Tick => Ok(Status::Done),
        // It was read before the interruption, and is not begun after it.
        Step::Result(_) if stop.load(Ordering::Relaxed) => Ok(Status::Done),
        Step::Result(Err(bad)) => bad.report(out, json),
        Step::Result(Ok(read)) => match answer(out, &read) {
            Ok(status) => Ok(status),
            Err(Fault::Board(bad)) => bad.report(out, json),
            Err(Fault::Enough) => {
                stop.store(true, Ordering::Relaxed);
                Ok(Status::Done)
            }
            Err(Fault::Fatal(error)) => Err(error),
        },
    })
}

/// Answers the boards one after the other on this thread, where the system allows no other.
fn one_by_one<T, N>(
    boards: &BoardArgs,
    stop: &AtomicBool,
    work: &impl Fn(&BoardEntry, &mut dyn FnMut(N)) -> T,
    mut print: impl FnMut(Step<T, N>) -> Result<Status>,
) -> Result<Status> {
    let mut status = Ok(Status::Done);
    boards.read(&Watch::default(), |origin, entry| {
        let mut tell = |news| {
            if status.is_ok()
                && let Err(error) = print(Step::News(news))
            {
                status = Err(error);
            }
        };
        let work = |entry: &BoardEntry| work(entry, &mut tell);
        let result = entry.and_then(|entry| answer(origin.clone(), entry, work));
        if let Ok(so_far) = status {
            let printed = print(Step::Result(result)).map(|new| so_far.max(new));
            status = printed.and_then(|status| print(Step::Idle).map(|_| status));
        }
        match status {
            Ok(status) if !boards.ends_after(status) && !stop.load(Ordering::Relaxed) => {
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Break(()),
        }
    });
    status
}

/// What the threads that work share.
struct Crew<T, N, W> {
    jobs: Mutex<Receiver<Job>>,
    results: Sender<Message<T, N>>,
    work: Arc<W>,
    stop: Arc<AtomicBool>,
    under_way: Arc<AtomicUsize>,
    /// How many threads wait for a board.
    waiting: AtomicUsize,
    /// How many boards wait for a thread.
    queued: AtomicUsize,
}

/// How many threads there are, and how many there may be.
struct Places {
    taken: usize,
    all: usize,
}

impl<T, N, W> Crew<T, N, W>
where
    T: Send + 'static,
    N: Send + 'static,
    W: Fn(&BoardEntry, &mut dyn FnMut(N)) -> T + Send + Sync + 'static,
{
    /// Sees to it that a thread works on a board that was just handed over: starts a thread if
    /// there are not enough and may be one more, or does it here if there are none at all.
    fn see_to_next(self: &Arc<Self>, places: &mut Places) {
        let (waiting, queued) = (&self.waiting, &self.queued);
        let too_few = waiting.load(Ordering::SeqCst) < queued.load(Ordering::SeqCst);
        if places.taken < places.all && too_few {
            let crew = Arc::clone(self);
            let work = move || while crew.work_on_next() {};
            if thread::Builder::new().spawn(work).is_ok() {
                places.taken += 1;
            } else {
                // The system allows no more, and it costs time to ask it for every board.
                places.all = places.taken;
            }
        }
        if places.all == 0 {
            self.work_on_next();
        }
    }

    /// Works on the next board, and says whether there may be more.
    fn work_on_next(&self) -> bool {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let job = next_job(&self.jobs, &self.under_way);
        // In this order: seen in between, there seem to be too few threads, never too many.
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        let Some((number, origin, entry)) = job else {
            return false;
        };
        self.queued.fetch_sub(1, Ordering::SeqCst);
        // Nothing new is begun after an interruption.
        if !self.stop.load(Ordering::Relaxed) {
            // This fails when the printing has failed.
            let mut tell = |news| drop(self.results.send(Message::News(news)));
            let work = |entry: &BoardEntry| (self.work)(entry, &mut tell);
            let result = entry.and_then(|entry| answer(origin, entry, work));
            if self.results.send(Message::Result(number, result)).is_err() {
                return false;
            }
        }
        self.under_way.fetch_sub(1, Ordering::Release);
        true
    }
}

/// Works on a board. A panic is an error in this program, but no reason to lose the other boards.
fn answer<T>(
    origin: Origin,
    entry: BoardEntry,
    work: impl FnOnce(&BoardEntry) -> T,
) -> Result<Answered<T>, BadBoard> {
    let Ok(answer) = panic::catch_unwind(AssertUnwindSafe(|| work(&entry))) else {
        let reason = "an error in this program, please report it";
        return Err(BadBoard::in_entry(&origin, &entry, reason));
    };
    Ok(Answered {
        origin,
        entry,
        answer,
    })
}

/// The next board to work on, which is counted as under way; `None` when there will be none.
fn next_job(jobs: &Mutex<Receiver<Job>>, under_way: &AtomicUsize) -> Option<Job> {
    let jobs = jobs.lock().unwrap_or_else(PoisonError::into_inner);
    let job = jobs.recv().ok()?;
    under_way.fetch_add(1, Ordering::Release);
    Some(job)
}
