//! How far a build is, for a person who watches.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use taquin::Budget;

use indicatif::{ProgressBar, ProgressStyle};
use taquin::tables::{Indexer, Key};

use crate::output;

/// How often the bar is drawn; what is built faster gets none.
const TICK: Duration = Duration::from_millis(100);

/// Builds the missing tables in `work`, with a bar on standard error if that is a terminal.
pub(crate) fn with_bar<T>(
    what: &str,
    missing: &[Key],
    budget: &Budget,
    work: impl FnOnce() -> T,
) -> T {
    if missing.is_empty() {
        return work();
    }
    let entries = |key: &Key| Indexer::new(key).entries();
    with_bar_of(what, || missing.iter().map(entries).sum(), budget, work)
}

/// Does `work` with a bar that fills up as its states become known, all of which `total` counts.
pub(crate) fn with_bar_of<T>(
    what: &str,
    total: impl FnOnce() -> u64 + Send,
    budget: &Budget,
    work: impl FnOnce() -> T,
) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (working, is_working) = mpsc::channel::<()>();
        let draw = move || {
            let mut bar = None;
            let mut total = Some(total);
            // Nothing is ever sent: the channel breaks when the work is done.
            while is_working.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let bar: &mut ProgressBar = bar.get_or_insert_with(|| {
                    let total = total.take().map_or(0, |total| total());
                    new_bar(what, total)
                });
                bar.set_position(budget.spent());
            }
            if let Some(bar) = bar {
                output::set_bar(None);
                bar.finish_and_clear();
            }
        };
        // Without a thread there is no bar.
        drop(thread::Builder::new().spawn_scoped(scope, draw));
        let result = work();
        drop(working);
        result
    })
}

fn new_bar(what: &str, total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let style = "{msg} {wide_bar} {percent}% {human_pos} states, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    output::set_bar(Some(&bar));
    bar
}
