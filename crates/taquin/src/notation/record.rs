//! The tiles of one board while it is being read.

use super::error::{ParseError, ParseErrorKind, TextPlace, Token};
use super::token::{self, TileToken, tokens};
use crate::{Board, BoardError, Size, Tile};

/// Tiles and where each one stands. Kept by the reader and used again for every board.
#[derive(Debug)]
pub(super) struct Draft {
    tiles: Vec<Tile>,
    places: Vec<TextPlace>,
    /// The first number that is beyond all boards: which tile it is, and as it was written.
    huge: Option<(usize, Token)>,
}

impl Draft {
    pub(super) const fn new() -> Self {
        Self {
            tiles: Vec::new(),
            places: Vec::new(),
            huge: None,
        }
    }

    pub(super) fn clear(&mut self) {
        self.tiles.clear();
        self.places.clear();
        self.huge = None;
    }

    pub(super) fn len(&self) -> usize {
        self.tiles.len()
    }

    /// Whether the tiles are 0..n in some order: a whole board, if of an unknown shape.
    pub(super) fn is_permutation(&self) -> bool {
        let mut seen = vec![false; self.tiles.len()];
        self.tiles.iter().all(|&t| {
            seen.get_mut(usize::from(t))
                .is_some_and(|s| !std::mem::replace(s, true))
        })
    }

    /// Adds one tile. `offset` is its byte offset, which is its column too: all that comes before
    /// a tile is ASCII.
    pub(super) fn push(
        &mut self,
        token: &str,
        line: u64,
        offset: usize,
        expected: &'static str,
    ) -> Result<(), ParseError> {
        let place = TextPlace {
            line,
            column: offset + 1,
        };
        let tile = match token::tile(token) {
            TileToken::Tile(tile) => tile,
            TileToken::Huge => {
                if self.huge.is_none() {
                    self.huge = Some((self.tiles.len(), Token::new(token)));
                }
                Tile::MAX
            }
            TileToken::Other => {
                let token = Token::new(token);
                let kind = ParseErrorKind::Unexpected { token, expected };
                return Err(ParseError::new(place, kind));
            }
        };
        self.tiles.push(tile);
        self.places.push(place);
        Ok(())
    }

    /// Adds a single character of a form that writes one a tile.
    pub(super) fn push_digit(&mut self, tile: Tile, line: u64, offset: usize) {
        self.tiles.push(tile);
        self.places.push(TextPlace {
            line,
            column: offset + 1,
        });
    }

    /// Adds the tiles of a line that holds one row and nothing else; gives their number.
    pub(super) fn push_row(&mut self, text: &str, line: u64) -> Result<usize, ParseError> {
        let before = self.tiles.len();
        for (offset, token) in tokens(text) {
            self.push(token, line, offset, "a tile number or a sign for the blank")?;
        }
        Ok(self.tiles.len() - before)
    }

    /// The place of the first tile.
    pub(super) fn start(&self) -> TextPlace {
        let origin = TextPlace { line: 1, column: 1 };
        self.places.first().copied().unwrap_or(origin)
    }

    /// The board, if the tiles are all there.
    pub(super) fn finish(&self, size: Size) -> Result<Board, ParseError> {
        let error = match Board::from_tiles(size, &self.tiles) {
            Ok(board) => return Ok(board),
            Err(error) => error,
        };
        let (cell, first) = match error {
            BoardError::TooLarge { cell, .. } => (cell, None),
            BoardError::Repeated { first, cell, .. } => (cell, Some(self.places[first])),
            BoardError::Count { .. } => (0, None),
        };
        let kind = match &self.huge {
            Some((huge, token)) if *huge == cell => ParseErrorKind::HugeTile {
                token: token.clone(),
                size,
            },
            _ => ParseErrorKind::Tiles { error, first },
        };
        let place = self.places.get(cell).copied();
        Err(ParseError::new(place.unwrap_or_else(|| self.start()), kind))
    }
}
