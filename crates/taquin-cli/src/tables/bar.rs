//! How far a build is, for a person who watches.

use indicatif::{ProgressBar, ProgressStyle};
use taquin::Budget;
use taquin::tables::{Indexer, Key};

use crate::{output, ticker};

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
    let draw = |still_works: &dyn Fn() -> bool| {
        let mut bar = None;
        let mut total = Some(total);
        // What is built within a tick gets no bar.
        while still_works() {
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
    ticker::drawing(draw, work)
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
