//! The fields of requests: names of things, boards, goals, sizes.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, de};
use taquin::heuristic::{HeuristicKind, PatternNameError};
use taquin::notation::{BoardForm, MoveNotation, MoveStyle, ReadOptions, read_board};
use taquin::search::{Algorithm, Cost};
use taquin::{Board, Goal, Metric, Size};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::problem::Problem;
use crate::state::App;

/// Something that has a name, one of a fixed list.
pub(crate) trait Name: Copy + 'static {
    /// What it is, with its article.
    const WHAT: &'static str;
    /// All of them.
    const ALL: &'static [Self];

    fn name(self) -> &'static str;

    /// Their names.
    fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|&one| one.name())
    }
}

macro_rules! name {
    ($type:ty, $what:literal, $all:expr) => {
        impl Name for $type {
            const WHAT: &'static str = $what;
            const ALL: &'static [Self] = &$all;

            fn name(self) -> &'static str {
                Self::name(self)
            }
        }
    };
}

name!(Algorithm, "an algorithm", Algorithm::ALL);
name!(BoardForm, "a form", BoardForm::ALL);
name!(Cost, "a cost", [Cost::Unit, Cost::Tile]);
name!(Metric, "a metric", [Metric::Single, Metric::Multi]);
name!(MoveNotation, "a notation", MoveNotation::ALL);
name!(MoveStyle, "a style", MoveStyle::ALL);

/// A field that holds a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named<T>(pub(crate) T);

pub(crate) type AlgorithmName = Named<Algorithm>;
pub(crate) type CostName = Named<Cost>;
pub(crate) type FormName = Named<BoardForm>;
pub(crate) type MetricName = Named<Metric>;
pub(crate) type NotationName = Named<MoveNotation>;
pub(crate) type StyleName = Named<MoveStyle>;

impl<'de, T: Name> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        let found = T::ALL.iter().find(|one| one.name() == name);
        found.copied().map(Self).ok_or_else(|| {
            let names: Vec<&str> = T::names().collect();
            de::Error::custom(format_args!(
                "{:?} is not {}; there are {}",
                shortened(&name),
                T::WHAT,
                names.join(", ")
            ))
        })
    }
}

impl<T: Name> PartialSchema for Named<T> {
    fn schema() -> RefOr<Schema> {
        let words = ObjectBuilder::new().schema_type(Type::String);
        words.enum_values(Some(T::names())).into()
    }
}

impl<T: Name> ToSchema for Named<T> {}

/// A field that holds the name of a heuristic: also those of pattern databases, of which there is no
/// list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Heuristic(pub(crate) HeuristicKind);

impl<'de> Deserialize<'de> for Heuristic {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        let kind = HeuristicKind::from_name(&name);
        kind.map(Self).ok_or_else(|| {
            let names = HeuristicKind::ALL.map(HeuristicKind::name).join(", ");
            de::Error::custom(format_args!(
                "{:?} is not a heuristic; there are {names}, and pattern databases: {PatternNameError}",
                shortened(&name)
            ))
        })
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

/// The beginning of a text that came from outside.
fn shortened(text: &str) -> &str {
    const LONGEST: usize = 40;
    text.char_indices()
        .nth(LONGEST)
        .map_or(text, |(end, _)| &text[..end])
}

/// A board and the goal that it is to reach.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) board: Board,
    /// The goal as a board.
    pub(crate) goal: Board,
    /// As results name it.
    pub(crate) goal_name: String,
}

impl Task {
    /// Reads a board, and the goal: the one asked for, or the one that belongs to the form.
    pub(crate) fn read(
        app: &App,
        board: &str,
        form: Option<FormName>,
        goal: Option<&str>,
    ) -> Result<Self, Problem> {
        let form = form.map(|form| form.0);
        let options = ReadOptions { form, size: None };
        let board =
            read_board(board, options).map_err(|error| Problem::unreadable("/board", &error))?;
        check_size(app, board.size(), "board")?;
        let goal = self::goal(goal)?.unwrap_or_else(|| form.unwrap_or_default().goal());
        Ok(Self {
            goal: goal_board(&goal, board.size())?,
            goal_name: goal.name().into_owned(),
            board,
        })
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
