//! The goal asked for, at every size that comes along.

use clap::Args;
use taquin::notation::BoardForm;
use taquin::{Board, Goal, GoalSizeError, Invariant, Size};

use crate::names;

#[derive(Args)]
pub(crate) struct GoalArgs {
    /// The arrangement to reach: classic, blank-first, snail, snake, or a board.
    ///
    /// Default: classic, or the goal of the problem whose form or answer is asked for: the snail
    /// for npuzzle and p1379.
    #[arg(long, value_name = "GOAL", value_parser = names::goal, allow_hyphen_values = true)]
    goal: Option<Goal>,
}

impl GoalArgs {
    /// The goal asked for, or the one that belongs to the form of the boards.
    pub(crate) fn goal(&self, form: Option<BoardForm>) -> Goal {
        let goal = self.goal.clone();
        goal.unwrap_or_else(|| form.unwrap_or_default().goal())
    }

    /// The same, ready for boards of every size.
    pub(crate) fn with_form(&self, form: Option<BoardForm>) -> Goals {
        Goals::new(self.goal(form))
    }
}

/// What to type after a command for that goal.
pub(crate) fn option(goal: &Goal) -> String {
    match (goal, goal.name()) {
        (Goal::Classic, _) => String::new(),
        (_, name) if name.contains(' ') => format!(" --goal \"{name}\""),
        (_, name) => format!(" --goal {name}"),
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
