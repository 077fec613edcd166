//! The library's named things as command-line values, with their names and summaries.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command};
use taquin::heuristic::{HeuristicKind, PatternNameError};
use taquin::notation::{BoardForm, Judge, MoveNotation, MoveStyle, ParseError};
use taquin::search::{Algorithm, Cost};
use taquin::tables::Tier;
use taquin::{Goal, Metric, Named, Size};

/// A parser of the names of a type, which shows them in help texts.
fn named<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let value = |one: &T| PossibleValue::new(one.name()).help(one.summary());
    PossibleValuesParser::new(T::ALL.iter().map(value)).try_map(|typed| typed.parse::<T>())
}

pub(crate) fn board_form() -> impl TypedValueParser<Value = BoardForm> {
    named()
}

pub(crate) fn judge() -> impl TypedValueParser<Value = Judge> {
    named()
}

pub(crate) fn move_notation() -> impl TypedValueParser<Value = MoveNotation> {
    named()
}

pub(crate) fn move_style() -> impl TypedValueParser<Value = MoveStyle> {
    named()
}

pub(crate) fn algorithm() -> impl TypedValueParser<Value = Algorithm> {
    named()
}

pub(crate) fn cost() -> impl TypedValueParser<Value = Cost> {
    named()
}

pub(crate) fn tier() -> impl TypedValueParser<Value = Tier> {
    named()
}

pub(crate) fn metric() -> impl TypedValueParser<Value = Metric> {
    named()
}

pub(crate) fn heuristic() -> impl TypedValueParser<Value = HeuristicKind> {
    HeuristicParser
}

/// Reads the names of heuristics. Any numbers of tiles make pattern databases, so that there is no
/// list of all names.
#[derive(Clone)]
struct HeuristicParser;

impl HeuristicParser {
    fn values() -> impl Iterator<Item = PossibleValue> {
        HeuristicKind::listed().map(|(name, summary)| PossibleValue::new(name).help(summary))
    }
}

impl TypedValueParser for HeuristicParser {
    type Value = HeuristicKind;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        typed: &OsStr,
    ) -> Result<HeuristicKind, clap::Error> {
        // A name that begins like those of pattern databases gets their sentence, any other one the
        // list.
        let patterns = |name: &str| match name.strip_prefix("pdb:") {
            Some(choice) => choice.parse().map(HeuristicKind::Patterns),
            None => Err(PatternNameError),
        };
        if typed.to_str().is_some_and(|name| name.starts_with("pdb:")) {
            return patterns.parse_ref(command, arg, typed);
        }
        PossibleValuesParser::new(Self::values())
            .try_map(|name| name.parse::<HeuristicKind>())
            .parse_ref(command, arg, typed)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Self::values()))
    }
}

/// A size in an option, where the place of an error is clear without line and column.
pub(crate) fn size(text: &str) -> Result<Size, String> {
    text.parse().map_err(|error| reason(&error))
}

/// A goal in an option: a name or a board.
pub(crate) fn goal(text: &str) -> Result<Goal, String> {
    text.parse().map_err(|error: ParseError| {
        let names = Goal::NAMED.map(|goal| goal.name()).join(", ");
        format!("{}; a goal is one of {names}, or a board", reason(&error))
    })
}

fn reason(error: &ParseError) -> String {
    error.kind().to_string()
}
