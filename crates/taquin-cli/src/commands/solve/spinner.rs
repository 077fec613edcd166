//! What a person sees while a search or a batch goes on.

use std::collections::VecDeque;
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use taquin::Progress;

use super::anytime::News;
use super::how_far::how_far;
use super::signs::Signs;
use crate::{figures, output};

/// How far the searches of a batch are: each board has a progress of its own.
#[derive(Default)]
pub(super) struct Searches {
    state: Mutex<SearchesState>,
}

#[derive(Default)]
struct SearchesState {
    /// Those under way, in the order in which they began.
    running: VecDeque<Arc<Progress>>,
    /// The nodes of those that are done.
    done: u64,
}

impl Searches {
    /// Does `work` with the progress of one more board.
    pub(super) fn with<R>(&self, work: impl FnOnce(Arc<Progress>) -> R) -> R {
        let progress = Arc::new(Progress::default());
        self.state().running.push_back(Arc::clone(&progress));
        let result = work(Arc::clone(&progress));
        let mut state = self.state();
        state.running.retain(|other| !Arc::ptr_eq(other, &progress));
        state.done += progress.nodes();
        result
    }

    /// The nodes of all searches so far, and the bound of the one that began first.
    fn nodes_and_bound(&self) -> (u64, u32) {
        let state = self.state();
        let running = state.running.iter().map(|progress| progress.nodes());
        let bound = state.running.front().map_or(0, |first| first.lower_bound());
        (state.done + running.sum::<u64>(), bound)
    }

    /// How far the search is, if it is the only one. Of several, no single one tells enough.
    fn only(&self) -> Option<Arc<Progress>> {
        let state = self.state();
        let only = (state.running.len() == 1).then(|| state.running.front());
        only.flatten().cloned()
    }

    fn state(&self) -> MutexGuard<'_, SearchesState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells a person that a long search or batch goes on, and how far it is.
pub(super) struct Spinner {
    wanted: bool,
    /// Without a terminal: when to say that the search goes on.
    signs: Option<Signs>,
    /// Shown at the moment.
    bar: Option<ProgressBar>,
    searches: Arc<Searches>,
    /// Boards that are done, since when, and when that was last shown.
    boards: u64,
    begin: Instant,
    shown: Instant,
    /// What is known of the board that is being solved, from searches that tell.
    known: Option<News>,
}

impl Spinner {
    /// How often it changes.
    const PERIOD: Duration = Duration::from_millis(100);

    /// With `signs`, long searches are told of on standard error also where that is no terminal.
    pub(super) fn new(searches: Arc<Searches>, signs: bool) -> Self {
        let wanted = io::stderr().is_terminal();
        Self {
            wanted,
            signs: (signs && !wanted).then(|| Signs::new(Instant::now())),
            bar: None,
            searches,
            boards: 0,
            begin: Instant::now(),
            shown: Instant::now(),
            known: None,
        }
    }

    /// Whether there is a person.
    pub(super) const fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Something is known of the board that is being solved.
    pub(super) fn know(&mut self, news: News) {
        self.known = Some(news);
        if self.bar.is_some() {
            self.tick();
        }
    }

    /// One more board is done. Where results go to the terminal, they make room for themselves and
    /// tell enough; elsewhere the number of boards is shown.
    pub(super) fn count(&mut self, results_are_seen: bool) {
        self.boards += 1;
        self.known = None;
        if results_are_seen {
            self.clear();
        } else if self.wanted && self.shown.elapsed() > Self::PERIOD {
            self.shown = Instant::now();
            let rate = self.rate(self.boards);
            let boards = figures::count(self.boards);
            self.show(format!("{boards} boards done, {rate} a second"));
        }
    }

    /// Nothing was done for a moment.
    pub(super) fn tick(&mut self) {
        if !self.wanted {
            return self.sign();
        }
        if let Some(known) = &self.known {
            let done = match self.boards {
                0 => String::new(),
                boards => format!("{} boards done; ", figures::count(boards)),
            };
            let message = format!("{done}{}", best_so_far(known));
            return self.show(message);
        }
        self.show(self.state());
    }

    /// A sign of life for whoever reads a log.
    fn sign(&mut self) {
        let Some(signs) = &mut self.signs else {
            return;
        };
        let iteration = match self.boards {
            0 => self.searches.only().and_then(|only| only.iteration()),
            _ => None,
        };
        let threshold = iteration.map(|iteration| iteration.threshold);
        if signs.is_due(Instant::now(), threshold) {
            let seconds = self.begin.elapsed().as_secs();
            output::remark(format_args!("{seconds} s: {}", self.state()));
        }
    }

    /// How far the search is.
    fn state(&self) -> String {
        if self.boards == 0
            && let Some(text) = self.searches.only().and_then(|only| how_far(&only))
        {
            return text;
        }
        let (nodes, bound) = self.searches.nodes_and_bound();
        let rate = self.rate(nodes);
        match (nodes, self.boards) {
            (0, _) => "getting ready".to_owned(),
            (_, 0) => format!(
                "at least {bound} moves; {} nodes so far, {rate} a second",
                figures::count(nodes),
            ),
            (_, boards) => format!(
                "{} boards done; the next takes at least {bound} moves; {} nodes so far",
                figures::count(boards),
                figures::count(nodes)
            ),
        }
    }

    /// A number of things since the beginning, in a second.
    fn rate(&self, number: u64) -> String {
        let milliseconds = self.begin.elapsed().as_millis().max(1);
        figures::count(u128::from(number) * 1000 / milliseconds)
    }

    fn show(&mut self, message: String) {
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new_spinner();
            output::set_bar(Some(&bar));
            bar
        });
        bar.set_message(message);
        bar.tick();
    }

    pub(super) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            output::set_bar(None);
            bar.finish_and_clear();
        }
    }
}

/// The best solution so far, how good it is, and how much time is left to find a better one.
fn best_so_far(known: &News) -> String {
    let times = match figures::ratio(known.length as u32, known.lower_bound) {
        Some(ratio) => format!(", at most {ratio} times the shortest"),
        None => String::new(),
    };
    let left = match known.deadline {
        Some(deadline) => {
            let left = deadline.saturating_duration_since(Instant::now());
            format!("; {:.0} s left", left.as_secs_f64())
        }
        None => String::new(),
    };
    format!(
        "{} moves so far, at least {}{times}{left}",
        figures::count(known.length as u64),
        figures::count(known.lower_bound)
    )
}
