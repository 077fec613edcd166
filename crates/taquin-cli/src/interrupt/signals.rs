//! Hearing the signals that ask a program to end.

/// Calls `heard` for each of them, from a thread of its own.
#[cfg(unix)]
pub(super) fn on_each(mut heard: impl FnMut() + Send + 'static) {
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    // `nohup` has one ignored, and a shell has another for what it starts in the background: those
    // stay so.
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter();
    let wanted: Vec<i32> = wanted.filter(|&signal| !is_ignored(signal)).collect();
    let Ok(mut signals) = Signals::new(&wanted) else {
        return;
    };
    let handle = signals.handle();
    let listen = move || signals.forever().for_each(|_| heard());
    if thread::Builder::new().spawn(listen).is_ok() {
        return;
    }
    // No thread can be started, so a signal ends the program at once. Buffered output is lost.
    handle.close();
    for signal in wanted {
        let at_once = std::sync::Arc::new(true.into());
        let status = crate::status::Status::INTERRUPTED.into();
        drop(signal_hook::flag::register_conditional_shutdown(
            signal, status, at_once,
        ));
    }
}

/// Whether the program was started with a signal ignored.
#[cfg(unix)]
#[expect(unsafe_code, reason = "there is no other way to ask")]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: without a new action nothing is changed, and the old one is written to memory that is
    // large enough for it.
    let told = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: the call says that it has written it.
    told == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

/// Calls `heard` for each of them, from a thread of its own.
#[cfg(not(unix))]
pub(super) fn on_each(heard: impl FnMut() + Send + 'static) {
    // The only error is that there is no thread; then the system ends the program.
    drop(ctrlc::set_handler(heard));
}
