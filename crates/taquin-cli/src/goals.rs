//! The goal asked for, or the one that belongs to the form of each board.

use clap::Args;
use taquin::notation::{BoardEntry, BoardForm};
use taquin::{Board, Goal, GoalSizeError, Invariant, Size};

use crate::names;

#[derive(Args)]
pub(crate) struct GoalArgs {
    /// The arrangement to reach: classic, blank-first, snail, snake, or a board.
    ///
    /// Default: classic, or the goal of the problem whose form or answer is used: the snail for
    /// npuzzle and p1379.
    #[arg(long, value_name = "GOAL", value_parser = names::goal, allow_hyphen_values = true)]
    goal: Option<Goal>,
}

impl GoalArgs {
    /// The goal asked for, or the one that belongs to a form.
    pub(crate) fn goal(&self, form: BoardForm) -> Goal {
        self.goal.clone().unwrap_or_else(|| form.goal())
    }

    /// The goals of boards that come along. Where none was asked for, `form` decides, and else the
    /// form of each board.
    pub(crate) fn goals(&self, form: Option<BoardForm>) -> Goals {
        Goals {
            asked: self.goal.clone().or_else(|| form.map(BoardForm::goal)),
            last: None,
        }
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

/// The goals of boards that come along; the last one is kept at hand.
#[derive(Clone)]
pub(crate) struct Goals {
    asked: Option<Goal>,
    last: Option<GoalOf>,
}

/// A goal for boards of one size.
#[derive(Clone)]
pub(crate) struct GoalOf {
    pub(crate) goal: Goal,
    /// As results name it.
    pub(crate) name: String,
    pub(crate) board: Board,
    pub(crate) invariant: Invariant,
}

impl Goals {
    /// The goal of a board, at any size.
    pub(crate) fn named(&self, form: BoardForm) -> Goal {
        self.asked.clone().unwrap_or_else(|| form.goal())
    }

    /// The goal of a board that was read.
    pub(crate) fn of(&mut self, entry: &BoardEntry) -> Result<&GoalOf, GoalSizeError> {
        self.of_size(entry.board.size(), entry.form)
    }

    /// The goal of boards of this size in that form.
    pub(crate) fn of_size(
        &mut self,
        size: Size,
        form: BoardForm,
    ) -> Result<&GoalOf, GoalSizeError> {
        let own = form.goal();
        let goal = self.asked.as_ref().unwrap_or(&own);
        let fits = |last: &GoalOf| last.goal == *goal && last.board.size() == size;
        if !self.last.as_ref().is_some_and(fits) {
            let board = goal.board(size)?;
            self.last = Some(GoalOf {
                name: goal.name().into_owned(),
                invariant: Invariant::of(&board),
                goal: goal.clone(),
                board,
            });
        }
        Ok(self.last.as_ref().expect("it was just set"))
    }
}
