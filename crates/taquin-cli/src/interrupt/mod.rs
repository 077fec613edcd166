//! Ctrl-C and its kin: they end the program at once, or let a command say first how far it got.
//!
//! SIGTERM and SIGHUP are treated as Ctrl-C is, and so are Ctrl-Break and a closed window on
//! Windows.

mod signals;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::output;
use crate::status::Status;

/// Set by the first signal that a command listens to.
static FLAG: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// What the first signal leads to. The flag is set while this is locked, so that a command which
/// stops listening either sees the flag or is ended by the signal.
static LISTENER: Mutex<Listener> = Mutex::new(Listener {
    listens: false,
    hook: None,
});

struct Listener {
    /// Whether a command listens to [`FLAG`].
    listens: bool,
    /// What else is to happen at the first signal that a command listens to.
    hook: Option<Box<dyn FnOnce() + Send>>,
}

fn listener() -> MutexGuard<'static, Listener> {
    LISTENER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A second signal within this time is taken for the first: people press twice, and a terminal and
/// a wrapper both send one.
const TOGETHER: Duration = Duration::from_millis(500);

/// Handles signals from now on, but for those that were ignored when the program was started.
pub(crate) fn install() {
    let mut first = None;
    signals::on_each(move || heard(&mut first, Instant::now()));
}

/// What a signal leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    /// It belongs to the one before it.
    Nothing,
    /// The command that listens is told.
    Tell,
    /// The program ends.
    End,
}

/// What a signal leads to. `first` is when the first one came that a command listened to.
fn deed(first: Option<Instant>, now: Instant, listened: bool) -> Deed {
    match first {
        Some(first) if now.duration_since(first) < TOGETHER => Deed::Nothing,
        None if listened => Deed::Tell,
        _ => Deed::End,
    }
}

/// A signal has come.
fn heard(first: &mut Option<Instant>, now: Instant) {
    let mut listener = listener();
    match deed(*first, now, listener.listens) {
        Deed::Nothing => {}
        Deed::Tell => {
            *first = Some(now);
            FLAG.store(true, Ordering::SeqCst);
            let hook = listener.hook.take();
            drop(listener);
            if let Some(hook) = hook {
                hook();
            }
        }
        Deed::End => {
            drop(listener);
            end()
        }
    }
}

/// Ends the program. What was answered is printed.
fn end() -> ! {
    output::flush_from_elsewhere();
    std::process::exit(Status::INTERRUPTED.into());
}

/// The flag that the first signal sets from now on; a second one, if it comes later, still ends the
/// program at once.
pub(crate) fn flag() -> Arc<AtomicBool> {
    listener().listens = true;
    Arc::clone(&FLAG)
}

/// From now on a signal ends the program at once, until a command asks for the [`flag`] again.
pub(crate) fn unlisten() {
    listener().listens = false;
}

/// Does something at the first signal from now on.
pub(crate) fn on_first(hook: impl FnOnce() + Send + 'static) {
    let mut listener = listener();
    listener.hook = Some(Box::new(hook));
    listener.listens = true;
}

/// Does short work that must not be left half done, such as writing a file. A signal that comes
/// meanwhile waits for it.
pub(crate) fn wait_for<T>(work: impl FnOnce() -> T) -> T {
    let already = listener().listens;
    if already {
        return work();
    }
    let flag = flag();
    let done = work();
    unlisten();
    if flag.load(Ordering::SeqCst) {
        end();
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_signals_at_once_are_one_and_a_later_one_ends() {
        let now = Instant::now();
        let told = Some(now);
        assert_eq!(deed(None, now, false), Deed::End);
        assert_eq!(deed(None, now, true), Deed::Tell);
        for listened in [true, false] {
            // The command may have heard the first and be busy with printing.
            assert_eq!(deed(told, now + TOGETHER / 2, listened), Deed::Nothing);
            assert_eq!(deed(told, now + TOGETHER, listened), Deed::End);
        }
    }
}
