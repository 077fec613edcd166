//! Many boards on all cores: results in input order, memory bounded.
//!
//! One thread reads, several work, the calling one prints. A board may be read only after one of
//! the boards before it was printed, so a slow board holds up the reading, not the memory.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use taquin::notation::BoardEntry;

use crate::input::{BadBoard, BoardArgs, Origin, Watch};
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
    /// Something about a board that is being worked on. That comes at once, whosever turn it is.
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

/// Hands every board to `work`, on `threads` threads, and every result to `print`, in input order.
/// What `work` tells on the way is printed before its result. Ends early when `print` fails, or gives a status after which the arguments ask to stop, or after
/// `stop` was set and what was under way is printed.
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

    // The threads are not waited for: the reader may be waiting for a keyboard.
    let reader = boards.clone();
    thread::spawn(move || {
        let mut number = 0;
        reader.read(&Watch::default(), |origin, entry| {
            let job = (number, origin.clone(), entry);
            number += 1;
            if permits.recv().is_err() || job_sender.send(job).is_err() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
    });
    let jobs = Arc::new(Mutex::new(jobs));
    let work = Arc::new(work);
    // How many boards are being worked on, so that an interruption can wait for their results.
    let under_way = Arc::new(AtomicUsize::new(0));
    for _ in 0..threads {
        let (jobs, work, result_sender) = (jobs.clone(), work.clone(), result_sender.clone());
        let (stop, under_way) = (stop.clone(), under_way.clone());
        thread::spawn(move || {
            while let Some((number, origin, entry)) = next_job(&jobs, &under_way) {
                // Nothing new is begun after an interruption.
                if !stop.load(Ordering::Relaxed) {
                    // Nobody listens any more when the printing has failed.
                    let mut tell = |news| drop(result_sender.send(Message::News(news)));
                    let work = |entry: &BoardEntry| work(entry, &mut tell);
                    let result = entry.and_then(|entry| answer(origin, entry, work));
                    if result_sender.send(Message::Result(number, result)).is_err() {
                        return;
                    }
                }
                under_way.fetch_sub(1, Ordering::Release);
            }
        });
    }
    drop(result_sender);

    // Results that came before their turn wait here: no more than there are permits.
    let mut waiting = BTreeMap::new();
    let mut turn = 0;
    let mut status = Status::Done;
    loop {
        // Searches under way see the flag too and end soon; then nothing more will come.
        let over = stop.load(Ordering::Relaxed) && under_way.load(Ordering::Acquire) == 0;
        let mut received = results.try_recv().map_err(|_| RecvTimeoutError::Timeout);
        if received.is_err() && !over {
            // Whoever waits for an answer before asking again must get it now.
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
