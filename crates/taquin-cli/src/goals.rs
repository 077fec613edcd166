//! The goal asked for, at every size that comes along.

use clap::Args;
use taquin::notation::BoardForm;
use taquin::{Board, Goal, GoalSizeError, Invariant, Size};

use crate::names;

#[derive(Args)]
pub(crate) struct GoalArgs {
    /// The arrangement to reach: classic, blank-first, snail, snake, or a board.
    ///
    /// Default: classic; with `--input npuzzle` or `p1379` their own goal, the snail.
    #[arg(long, value_name = "GOAL", value_parser = names::goal)]
    goal: Option<Goal>,
}

impl GoalArgs {
    /// The goal, or the one that belongs to the form of the boards.
    pub(crate) fn with_form(&self, form: Option<BoardForm>) -> Goals {
        let goal = self.goal.clone();
        Goals::new(goal.unwrap_or_else(|| form.unwrap_or_default().goal()))
    }
}

/// One goal as boards of different sizes; the last one is kept at hand.
pub(crate) struct Goals {
    goal: Goal,
    name: String,
    last: Option<(Board, Invariant)>,
}

impl Goals {
    pub(crate) fn new(goal: Goal) -> Self {
        Self {
            name: goal.name().into_owned(),
            goal,
            last: None,
        }
    }

    /// As results name it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The goal board of a size and its invariant.
    pub(crate) fn of(&mut self, size: Size) -> Result<&(Board, Invariant), GoalSizeError> {
        let fits = |(board, _): &(Board, Invariant)| board.size() == size;
        if !self.last.as_ref().is_some_and(fits) {
            let board = self.goal.board(size)?;
            let invariant = Invariant::of(&board);
            self.last = Some((board, invariant));
        }
        Ok(self.last.as_ref().expect("it was just set"))
    }
}
