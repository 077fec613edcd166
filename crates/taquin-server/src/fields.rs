//! The fields of requests that are no plain words: heuristics, boards, goals, sizes.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, de};
use taquin::heuristic::HeuristicKind;
use taquin::notation::{ReadOptions, read_entry};
use taquin::search::{Cost, Counting};
use taquin::{Board, Goal, Metric, Size, Solvability, Unsolvable};
use taquin_records::{CostWord, FormWord, MetricWord};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::problem::Problem;
use crate::state::App;

/// A field that holds the name of a heuristic: also those of pattern databases, of which there is no
/// list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Heuristic(pub(crate) HeuristicKind);

impl<'de> Deserialize<'de> for Heuristic {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        name.parse().map(Self).map_err(de::Error::custom)
    }
}

impl PartialSchema for Heuristic {
    fn schema() -> RefOr<Schema> {
        let name = ObjectBuilder::new().schema_type(Type::String);
        let names = HeuristicKind::ALL.map(HeuristicKind::name).join("|");
        name.pattern(Some(format!("^({names}|pdb:.+)$"))).into()
    }
}

impl ToSchema for Heuristic {}

/// What counts as a move and what it costs, from the fields `metric` and `cost`.
pub(crate) fn counting(
    metric: Option<MetricWord>,
    cost: Option<CostWord>,
) -> Result<Counting, Problem> {
    let metric = metric.map_or_else(Metric::default, |metric| metric.0);
    let cost = cost.map_or_else(Cost::default, |cost| cost.0);
    Counting::new(metric, cost).map_err(|error| Problem::invalid("/cost", error.to_string()))
}

/// A board and the goal that it is to reach.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) board: Board,
    pub(crate) goal: Goal,
    /// The goal as a board of that size.
    pub(crate) goal_board: Board,
}

impl Task {
    /// Reads a board, and the goal: the one asked for, or the one that belongs to the form.
    pub(crate) fn read(
        app: &App,
        board: &str,
        form: Option<FormWord>,
        goal: Option<&str>,
    ) -> Result<Self, Problem> {
        let form = form.map(|form| form.0);
        let options = ReadOptions { form, size: None };
        let entry =
            read_entry(board, options).map_err(|error| Problem::unreadable("/board", &error))?;
        let (board, form) = (entry.board, entry.form);
        check_size(app, board.size(), "board")?;
        let goal = self::goal(goal)?.unwrap_or_else(|| form.goal());
        Ok(Self {
            goal_board: goal_board(&goal, board.size())?,
            goal,
            board,
        })
    }

    /// The goal as results name it.
    pub(crate) fn goal_name(&self) -> Cow<'static, str> {
        self.goal.name()
    }

    /// Whether the goal can be reached, and if not, why not.
    pub(crate) fn solvability(&self) -> Result<Result<Solvability, Unsolvable>, Problem> {
        Unsolvable::check(&self.board, &self.goal_board)
            .map_err(|error| Problem::invalid("/goal", error.to_string()))
    }
}

/// A goal by name or as a board.
pub(crate) fn goal(text: Option<&str>) -> Result<Option<Goal>, Problem> {
    let read = |text: &str| {
        text.parse().map_err(|error| {
            let names = Goal::NAMED.map(|goal| goal.name()).join(", ");
            let problem = Problem::unreadable("/goal", &error);
            problem.with_advice(&format!("a goal is one of {names}, or a board"))
        })
    };
    text.map(read).transpose()
}

/// The goal as a board of a size.
pub(crate) fn goal_board(goal: &Goal, size: Size) -> Result<Board, Problem> {
    goal.board(size)
        .map_err(|error| Problem::invalid("/goal", error.to_string()))
}

/// A size, such as `4x4`.
pub(crate) fn size(app: &App, text: &str) -> Result<Size, Problem> {
    let size = text
        .parse()
        .map_err(|error| Problem::unreadable("/size", &error))?;
    check_size(app, size, "size")?;
    Ok(size)
}

fn check_size(app: &App, size: Size, field: &str) -> Result<(), Problem> {
    let most = app.bounds.cells;
    if size.cells() <= most {
        return Ok(());
    }
    let detail = format!("this server takes boards of up to {most} cells, and {size} has more");
    Err(Problem::too_large(detail).about(&format!("/{field}")))
}
