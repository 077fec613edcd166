//! The library's named things as command-line values, with their names and summaries.

use std::borrow::Cow;
use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command};
use taquin::heuristic::{HeuristicKind, PatternNameError};
use taquin::notation::{BoardForm, Judge, MoveNotation, MoveStyle, ParseError};
use taquin::search::{Algorithm, Cost};
use taquin::tables::Tier;
use taquin::{Goal, Metric, Size};

/// A parser of the names of `all`, which shows them in help texts.
fn named<T, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
    help: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let values = all.map(|value| {
        let help = help(value);
        let shown = PossibleValue::new(name(value));
        if help.is_empty() {
            shown
        } else {
            shown.help(help)
        }
    });
    PossibleValuesParser::new(values).try_map(move |typed: String| {
        all.into_iter()
            .find(|&value| name(value) == typed)
            .ok_or("not one of the names")
    })
}

pub(crate) fn board_form() -> impl TypedValueParser<Value = BoardForm> {
    named(BoardForm::ALL, BoardForm::name, BoardForm::summary)
}

pub(crate) fn judge() -> impl TypedValueParser<Value = Judge> {
    named(Judge::ALL, Judge::name, |_| "")
}

pub(crate) fn move_notation() -> impl TypedValueParser<Value = MoveNotation> {
    named(
        MoveNotation::ALL,
        MoveNotation::name,
        |notation| match notation {
            MoveNotation::Tile => "directions in which the tiles move",
            MoveNotation::Blank => "directions in which the blank moves",
            MoveNotation::Numbers => "the numbers of the tiles that slide",
            MoveNotation::Positions => "the cells the blank goes to, from 0 in reading order",
        },
    )
}

pub(crate) fn move_style() -> impl TypedValueParser<Value = MoveStyle> {
    named(MoveStyle::ALL, MoveStyle::name, |style| match style {
        MoveStyle::Letters => "RRRD",
        MoveStyle::Lower => "rrrd",
        MoveStyle::Compact => "R3 D",
        MoveStyle::Arrows => "→→→↓",
        MoveStyle::Ascii => ">>>v",
    })
}

pub(crate) fn algorithm() -> impl TypedValueParser<Value = Algorithm> {
    named(Algorithm::ALL, Algorithm::name, Algorithm::summary)
}

pub(crate) fn heuristic() -> impl TypedValueParser<Value = HeuristicKind> {
    HeuristicParser
}

/// The pattern databases that help texts and completions show, of the many that there are.
const PATTERNS: [(&str, &str); 6] = [
    (
        "pdb:5-5-5",
        "pattern databases: the moves of five tiles, three times",
    ),
    ("pdb:6-6-3", "pattern databases of six, six and three tiles"),
    (
        "pdb:7-8",
        "pattern databases of seven and eight tiles; takes seconds to build on 4x4",
    ),
    (
        "pdb:7-8+reflected",
        "the larger of these and the same on the mirrored board",
    ),
    ("pdb:quick", "the size's small pattern databases"),
    ("pdb:full", "the size's strongest pattern databases"),
];

/// Reads the names of heuristics. Any numbers of tiles make pattern databases, so that there is no
/// list of all names.
#[derive(Clone)]
struct HeuristicParser;

impl HeuristicParser {
    fn values() -> impl Iterator<Item = PossibleValue> {
        let named = HeuristicKind::ALL
            .into_iter()
            .filter_map(|kind| match kind.name() {
                Cow::Borrowed(name) => Some(PossibleValue::new(name).help(kind.summary())),
                Cow::Owned(_) => None,
            });
        let patterns = PATTERNS.map(|(name, help)| PossibleValue::new(name).help(help));
        named.chain(patterns)
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
            .try_map(|name| HeuristicKind::from_name(&name).ok_or("not one of the names"))
            .parse_ref(command, arg, typed)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Self::values()))
    }
}

pub(crate) fn cost() -> impl TypedValueParser<Value = Cost> {
    named([Cost::Unit, Cost::Tile], Cost::name, |cost| match cost {
        Cost::Unit => "every move costs 1",
        Cost::Tile => "a move costs the number of its tile",
    })
}

pub(crate) fn tier() -> impl TypedValueParser<Value = Tier> {
    named(Tier::ALL, Tier::name, |tier| match tier {
        Tier::Quick => "ready in well under a second",
        Tier::Full => "the strongest that are worth building",
    })
}

pub(crate) fn metric() -> impl TypedValueParser<Value = Metric> {
    named(
        [Metric::Single, Metric::Multi],
        Metric::name,
        |metric| match metric {
            Metric::Single => "every tile that slides counts",
            Metric::Multi => "a slide of several tiles in a line counts once",
        },
    )
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
