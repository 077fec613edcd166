//! What a person sees while something goes on: drawn by a thread of its own, and not at all where
//! nobody watches or the system allows no more threads.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use indicatif::ProgressBar;

/// How often something is drawn.
const TICK: Duration = Duration::from_millis(100);

/// Does `work`. Meanwhile `draw` runs on another thread, if standard error is a terminal; what it is
/// given waits for a tick and says whether the work still goes on.
pub(crate) fn drawing<T>(
    draw: impl FnOnce(&dyn Fn() -> bool) + Send,
    work: impl FnOnce() -> T,
) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (working, is_working) = mpsc::channel::<()>();
        // Nothing is ever sent: the channel breaks when the work is done.
        let still_works = move || is_working.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout);
        // Without a thread nothing is drawn.
        drop(thread::Builder::new().spawn_scoped(scope, move || draw(&still_works)));
        let result = work();
        drop(working);
        result
    })
}

/// Does `work`, which may say what it does by the messages of the spinner.
pub(crate) fn spinning<T>(spinner: &ProgressBar, work: impl FnOnce() -> T) -> T {
    let draw = |still_works: &dyn Fn() -> bool| {
        while still_works() {
            spinner.tick();
        }
    };
    let result = drawing(draw, work);
    spinner.finish_and_clear();
    result
}
