//! How the moves in a record are written.

use taquin::notation::{MoveNotation, MoveStyle};
use taquin::{Board, Metric, Move, Moves};

/// How the moves in a record are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Writing {
    /// What they stand for.
    pub notation: MoveNotation,
    /// How directions are written.
    pub style: MoveStyle,
}

impl Writing {
    /// Moves in a notation. Where no style is asked for, a slide of several tiles is written as one
    /// move where it counts as one: `R3 D` in multi-tile moves, `RRRD` in single-tile moves.
    ///
    /// ```
    /// use taquin::Metric;
    /// use taquin::notation::{MoveNotation, MoveStyle};
    /// use taquin_records::Writing;
    ///
    /// let writing = Writing::new(MoveNotation::Tile, None, Metric::Multi);
    /// assert_eq!(writing.style, MoveStyle::Compact);
    /// ```
    #[must_use]
    pub fn new(notation: MoveNotation, style: Option<MoveStyle>, metric: Metric) -> Self {
        let style = style.unwrap_or(match metric {
            Metric::Single => MoveStyle::Letters,
            Metric::Multi => MoveStyle::Compact,
        });
        Self { notation, style }
    }

    /// Moves that start from a board, on which they are legal.
    ///
    /// ```
    /// use taquin::Board;
    /// use taquin::Move::{Left, Up};
    /// use taquin::notation::{MoveNotation, MoveStyle};
    /// use taquin_records::Writing;
    ///
    /// let board: Board = "1 2 3/4 0 5/7 8 6".parse()?;
    /// assert_eq!(Writing::default().text(&board, &[Left, Up]), "LU");
    /// let numbers = Writing { notation: MoveNotation::Numbers, style: MoveStyle::Letters };
    /// assert_eq!(numbers.text(&board, &[Left, Up]), "5 6");
    /// # Ok::<(), taquin::notation::ParseError>(())
    /// ```
    #[must_use]
    pub fn text(self, board: &Board, moves: &[Move]) -> String {
        let moves = Moves::from(moves.to_vec());
        let mut text = String::new();
        let written = self.notation.write(board, &moves, self.style, &mut text);
        debug_assert!(written.is_ok(), "the moves of a record are legal");
        text
    }
}
