//! Sliding-tile puzzles of every size: the 8-, 15- and 24-puzzle and every rectangle around them.
//!
//! Is a board solvable, and why?
//!
//! ```
//! use taquin::{Board, Goal, Solvability};
//!
//! let board: Board = "1 2 3/4 5 6/8 7 0".parse()?;
//! let goal = Goal::Classic.board(board.size())?;
//! let verdict = Solvability::of(&board, &goal)?;
//! assert!(!verdict.is_solvable());
//! assert_eq!(verdict.swap_hint(&board, &goal), Some((7, 8)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Moves name the direction in which the tile slides:
//!
//! ```
//! use taquin::{Board, Goal, Metric, Moves};
//!
//! let board: Board = "1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15".parse()?;
//! let moves: Moves = "L3".parse()?;
//! assert_eq!(board.after(&moves)?, Goal::Classic.board(board.size())?);
//! assert_eq!((moves.length(Metric::Single), moves.length(Metric::Multi)), (3, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same seed gives the same scramble, on every platform and for ever:
//!
//! ```
//! use taquin::{Goal, Rng, uniform};
//!
//! let goal = Goal::Classic.board("3x3".parse()?)?;
//! assert_eq!(uniform(&goal, &mut Rng::from_seed(7)).to_string(), "8 4 7/1 6 3/5 2 0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! * `json` (off by default): [`notation::BoardReader`] also reads JSON Lines. Costs `serde` and
//!   `serde_json`.
//! * `store` (off by default): [`tables::store`](crate::tables) keeps pattern databases in files,
//!   [`solve::Provider`](crate::solve) gets solvers from there, and [`tables::BytesMut`] asks for
//!   huge pages. Costs `crc32fast`, `etcetera`, `memmap2` and `tempfile`.
//!
//! The library prints nothing and panics on no input; without `store` it opens no files. It starts
//! threads only to build and check pattern databases and where it is told how many.

mod board;
mod cpu;
pub mod heuristic;
pub mod notation;
pub mod search;
pub mod solve;
pub mod space;
pub mod tables;
mod threads;

pub use board::{
    BlankClass, Board, BoardError, Goal, GoalSizeError, IllegalMove, Invariant, Metric, Move,
    Moves, Reduction, Rng, Size, SizeError, Solvability, Symmetry, Tile, random_walk,
    random_walk_end, uniform,
};
