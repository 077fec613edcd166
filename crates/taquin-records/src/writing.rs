//! How the moves in a record are written.

use taquin::notation::{MoveNotation, MoveStyle};
use taquin::{Board, Move, Moves};

/// How the moves in a record are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Writing {
    /// What they stand for.
    pub notation: MoveNotation,
    /// How directions are written.
    pub style: MoveStyle,
}

impl Writing {
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
