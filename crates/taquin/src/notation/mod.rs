//! Reading and writing boards and move sequences: the only part of the library that knows text.
//!
//! * [`BoardReader`] streams boards in any of the [forms](BoardForm) that the sliding-puzzle world
//!   writes, and finds out by itself which one it sees; [`read_board`] reads just one.
//! * [`BoardForm::write`] prints them.
//! * [`read_moves`] reads a move sequence for a board in any [notation](MoveNotation);
//!   [`MoveNotation::write`] prints it.
//! * [`Judge`] prints answers as contest judges want them.
//!
//! `docs/formats.md` specifies all of it.

mod error;
mod form;
mod goal;
#[cfg(feature = "json")]
mod json;
mod judge;
mod lines;
mod moves;
mod moves_reader;
mod reader;
mod record;
mod single_line;
mod size;
mod token;

pub use error::{ParseError, ParseErrorKind, ReadError, TextPlace, Token};
pub use form::{BoardForm, UnwritableBoardError};
pub use judge::Judge;
pub use moves::{MoveNotation, MoveStyle, read_moves};
pub use moves_reader::{MovesLine, MovesReader};
pub use reader::{BoardEntry, BoardReader, GivenMoves, ReadOptions, read_board, read_entry};
