//! Boards in JSON Lines, as the program writes them with `--json`.

use serde::Deserialize;

use super::error::{ParseError, ParseErrorKind, TextPlace};
use super::lines::{LONGEST_LINE, Line};
use super::reader::{BoardEntry, GivenMoves};
use super::record::Draft;
use super::{MoveNotation, ReadOptions, single_line};

/// The fields that are read; all others are passed over.
#[derive(Deserialize)]
struct Fields {
    board: Option<String>,
    size: Option<String>,
    moves: Option<String>,
    notation: Option<String>,
}

/// Reads the object on a line.
pub(super) fn parse(
    line: &Line,
    options: ReadOptions,
    draft: &mut Draft,
) -> Result<BoardEntry, ParseError> {
    let fault = |column: usize, message: String| {
        let place = TextPlace {
            line: line.number,
            column,
        };
        ParseError::new(place, ParseErrorKind::Json(message))
    };
    let fields: Fields = serde_json::from_str(&line.text).map_err(|error| {
        let message = error.to_string();
        // The place is ours to give.
        let message = message.split(" at line ").next().unwrap_or_default();
        fault(
            error.column().max(1),
            format!("not a JSON object with a board: {message}"),
        )
    })?;
    let Some(text) = fields.board else {
        return Err(fault(1, "the object has no \"board\"".to_owned()));
    };
    if text.len() > LONGEST_LINE {
        let message = format!("in \"board\": it is longer than {LONGEST_LINE} bytes");
        return Err(fault(1, message));
    }
    let size = match (options.size, &fields.size) {
        (None, Some(size)) => Some(
            size.parse()
                .map_err(|error: ParseError| fault(1, format!("in \"size\": {}", error.kind())))?,
        ),
        (size, _) => size,
    };
    let options = ReadOptions { form: None, size };
    let (board, form) = single_line::parse(&text, line.number, options, draft)
        .map_err(|error| fault(1, format!("in \"board\": {}", error.kind())))?;
    let moves = match fields.moves {
        None => None,
        Some(text) => {
            let named = |name: String| {
                let notation = MoveNotation::ALL.into_iter().find(|n| n.name() == name);
                notation.ok_or_else(|| fault(1, format!("unknown \"notation\": {name:?}")))
            };
            let notation = fields.notation.map(named).transpose()?;
            Some(GivenMoves { text, notation })
        }
    };
    Ok(BoardEntry {
        board,
        line: line.number,
        form,
        moves,
    })
}
