//! The best solution that is found in a given time, or the first one.

use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

use taquin::search::{Limits, Report};
use taquin::solve::{Aim, Effort, Equipment, Improvement};
use taquin::{Board, Goal, Move};

use super::method::{Answer, Busy, Refusal, reachable};
use crate::units;

/// Options for solutions that need not be shortest ones.
#[derive(clap::Args)]
pub(super) struct AnytimeArgs {
    /// The best solution that is found in this time for each board, as in 500ms, 10s or 5m, and what
    /// every solution takes at least; boards of every size, one at a time on all threads. Ends
    /// early when a solution is proven optimal. Tables that are there are used, others are built
    /// when that takes a small part of the time.
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Any solution", conflicts_with_all = ["fast", "limit_time", "algorithm", "heuristic", "weight", "cost", "all", "max", "count"])]
    pub(super) within: Option<Duration>,

    /// The first solution that is found, for boards of every size. No tables are built for it.
    #[arg(long, help_heading = "Any solution", conflicts_with_all = ["limit_time", "algorithm", "heuristic", "weight", "cost", "all", "max", "count"])]
    pub(super) fast: bool,

    /// With --within and --json: print every better solution and every better bound at once, as a
    /// line of its own, before the result.
    #[arg(long, help_heading = "Any solution", requires_all = ["within", "json"], conflicts_with = "fast")]
    pub(super) stream: bool,
}

impl AnytimeArgs {
    /// Whether any solution will do.
    pub(super) const fn is_wanted(&self) -> bool {
        self.within.is_some() || self.fast
    }

    /// The option that says so.
    pub(super) fn option(&self) -> Option<&'static str> {
        let first = self.fast.then_some("--fast");
        self.within.map(|_| "--within").or(first)
    }

    /// What is to be told of a board before its time is over, if a person watches or not.
    pub(super) const fn telling(&self, watched: bool) -> Telling {
        match (self.stream, self.within) {
            (true, _) => Telling::Moves,
            (false, Some(_)) if watched => Telling::Lengths,
            (false, _) => Telling::Nothing,
        }
    }
}

/// Solutions of boards of every size, as good as they get.
pub(super) struct Anytime {
    pub(super) equipment: Equipment,
    pub(super) goal: Goal,
    /// The time for each board; without one, the first solution is wanted.
    pub(super) within: Option<Duration>,
    pub(super) limits: Limits,
    pub(super) threads: usize,
    /// Boards under way, which share the threads.
    pub(super) busy: AtomicUsize,
    /// What is told on the way.
    pub(super) telling: Telling,
}

/// What somebody wants to hear on the way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Telling {
    Nothing,
    Lengths,
    /// The moves too, which takes a copy of them.
    Moves,
}

/// What is known of a board before its time is over.
pub(super) struct News {
    pub(super) board: Board,
    pub(super) length: u32,
    pub(super) lower_bound: u32,
    /// Empty if nobody asked for them.
    pub(super) moves: Vec<Move>,
    /// When that was known, from the beginning of the search.
    pub(super) time: Duration,
    /// When the search ends.
    pub(super) deadline: Option<Instant>,
}

impl Anytime {
    pub(super) fn solve(&self, board: &Board, tell: &mut dyn FnMut(News)) -> Answer {
        let begin = Instant::now();
        // No tables are built for a board that cannot be solved.
        let goal = match reachable(&self.goal, board) {
            Ok(goal) => goal,
            Err(refusal) => return self.answer(Err(refusal), None),
        };
        let equipped = self.equipment.of(&goal, self.within);
        // Who asks for tables is ready to wait for them; else that takes from the time.
        let spent = if self.equipment.is_asked_for() {
            Duration::ZERO
        } else {
            begin.elapsed()
        };
        let time = self.within.map(|within| within.saturating_sub(spent));
        let busy = Busy::new(&self.busy);
        let effort = Effort {
            limits: Limits {
                time,
                ..self.limits.clone()
            },
            threads: (self.threads / busy.boards).max(1),
            aim: self.within.map_or(Aim::First, |_| Aim::Best),
        };
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let mut watch = |known: Improvement<'_>| {
            if self.telling != Telling::Nothing {
                tell(self.news(board, known, deadline));
            }
        };
        let found = equipped.solver().improve(board, &effort, &mut watch);
        self.answer(found.map_err(Refusal::from), equipped.heuristic())
    }

    fn news(&self, board: &Board, known: Improvement<'_>, deadline: Option<Instant>) -> News {
        let moves = match self.telling {
            Telling::Moves => known.moves.to_vec(),
            Telling::Nothing | Telling::Lengths => Vec::new(),
        };
        News {
            board: board.clone(),
            length: u32::try_from(known.moves.len()).unwrap_or(u32::MAX),
            lower_bound: known.lower_bound,
            moves,
            time: known.time,
            deadline,
        }
    }

    fn answer(&self, found: Result<Report<Move>, Refusal>, heuristic: Option<String>) -> Answer {
        Answer {
            found,
            algorithm: self.within.map_or("first", |_| "anytime"),
            heuristic,
            count: None,
            solutions: None,
        }
    }
}
