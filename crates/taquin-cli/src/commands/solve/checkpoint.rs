//! `--checkpoint`: a file that keeps how far the search of one board is.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::Result;
use taquin::solve::{Checkpoint, CheckpointFile, CheckpointKeeper, OtherSearchError, SearchState};
use taquin::{Answer, Board, Ending, SolveError};

use crate::{figures, output};

/// The option.
#[derive(clap::Args)]
pub(super) struct CheckpointArgs {
    /// A shortest solution of one board, however long it takes, with a file that keeps how far the
    /// search is. After Ctrl-C, a kill or a reboot the same command goes on there. It uses the full
    /// tables unless --tables says otherwise.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, help_heading = "Which solution", conflicts_with_all = ["within", "fast", "algorithm", "heuristic", "all", "max", "count"])]
    checkpoint: Option<PathBuf>,
}

impl CheckpointArgs {
    /// Whether there is to be one.
    pub(super) const fn is_wanted(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// Opens the file, and says what is in it.
    pub(super) fn open(&self) -> Result<Option<OneBoard>> {
        let Some(path) = &self.checkpoint else {
            return Ok(None);
        };
        let file = CheckpointFile::open(path)?;
        if let Some(found) = file.found() {
            let far = how_far(&found.state);
            output::remark(format_args!("going on from {}: {far}", path.display()));
        }
        Ok(Some(OneBoard {
            keeper: Arc::new(Telling {
                file,
                has_told: AtomicBool::new(false),
            }),
            board: OnceLock::new(),
        }))
    }
}

/// A checkpoint, and the board that it is of.
pub(super) struct OneBoard {
    keeper: Arc<Telling>,
    board: OnceLock<Board>,
}

impl OneBoard {
    /// The keeper for a board; an error for every board but the first.
    pub(super) fn keeper(&self, board: &Board) -> Result<Arc<dyn CheckpointKeeper>, SolveError> {
        let own = self.board.get_or_init(|| board.clone());
        if own != board {
            return Err(OtherSearchError::Board(own.clone()).into());
        }
        Ok(Arc::clone(&self.keeper) as _)
    }

    /// Says of a search that was stopped before its end that it can go on.
    pub(super) fn remark_on(&self, answer: &Result<Answer, SolveError>) {
        let is_stopped = |answer: &Answer| matches!(answer.ending, Ending::Stopped { .. });
        if !answer.as_ref().is_ok_and(is_stopped) {
            return;
        }
        let path = self.keeper.file.path();
        output::remark(format_args!(
            "{} keeps how far the search is; the same command goes on there",
            path.display()
        ));
    }
}

/// A checkpoint in a file that tells if it cannot be written.
#[derive(Debug)]
struct Telling {
    file: CheckpointFile,
    has_told: AtomicBool,
}

impl CheckpointKeeper for Telling {
    fn kept(&self) -> Option<Checkpoint> {
        self.file.kept()
    }

    fn is_due(&self) -> bool {
        self.file.is_due()
    }

    fn keep(&self, checkpoint: &Checkpoint) {
        self.file.keep(checkpoint);
        match self.file.take_problem() {
            None => self.has_told.store(false, Ordering::Relaxed),
            Some(problem) if !self.has_told.swap(true, Ordering::Relaxed) => {
                output::remark(format_args!("{problem}; the search goes on without it"));
            }
            Some(_) => {}
        }
    }
}

/// How far a search is, in words.
fn how_far(state: &SearchState) -> String {
    if state.is_solved() {
        return format!("solved in {} moves", state.threshold);
    }
    let within = |bound: u16| u32::from(bound) <= state.threshold;
    let tasks = state.tasks.iter().filter(|task| within(task.bound));
    let (all, done) = tasks.fold((0_u64, 0_u64), |(all, done), task| {
        (all + 1, done + u64::from(task.done.is_some()))
    });
    format!(
        "at least {} moves; {} of {} tasks of iteration {} are done, after {:.0} s",
        state.threshold,
        figures::count(done),
        figures::count(all),
        state.iterations.len() + 1,
        state.time.as_secs_f64()
    )
}
