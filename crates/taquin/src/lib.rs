//! Sliding-tile puzzles of every size: the 8-, 15- and 24-puzzle and every rectangle around them.
//!
//! ```
//! use taquin::{Board, Request, Solver};
//!
//! let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
//! let answer = Solver::in_memory().solve(&Request::new(board))?;
//! let solution = answer.solution()?;
//! assert_eq!(solution.moves.to_string(), "LURRDDLURULDLU");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Solver`] is the front door: a [`Request`] says what is wanted, an [`Answer`] what came of it.
//! With the feature `store`, `Solver::stored` keeps the tables that make it fast in files.
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
//! A seed gives the same scramble on every platform and in every version:
//!
//! ```
//! use taquin::{Goal, Rng, uniform};
//!
//! let goal = Goal::Classic.board("3x3".parse()?)?;
//! assert_eq!(uniform(&goal, &mut Rng::from_seed(7)).to_string(), "8 4 7/1 6 3/5 2 0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! * [`notation`]: boards and moves as text, in every form in use.
//! * [`search`]: the laboratory, the algorithms of the textbooks, generic over a
//!   [`Domain`](search::Domain) of your own; [`heuristic`]: what guides them.
//! * [`space`]: every board of a small puzzle.
//! * [`solve`]: the fast engines by themselves; [`tables`]: pattern databases; [`supply`]: where
//!   they come from.
//!
//! # Features
//!
//! * `json` (off by default): [`notation::BoardReader`] also reads JSON Lines. Costs `serde` and
//!   `serde_json`.
//! * `store` (off by default): `tables::store` keeps tables in files, [`supply::TableSource`] gets
//!   them from there, and large tables ask for huge pages. Costs `crc32fast`, `etcetera`,
//!   `libc`, `memmap2` and `tempfile`.
//!
//! The library prints nothing and panics on no input; without `store` it opens no files. It starts
//! threads to build and check tables, and to search with as many as it is told.

mod board;
mod cpu;
mod domain;
pub mod heuristic;
mod named;
pub mod notation;
mod outcome;
mod policy;
pub mod search;
pub mod solve;
pub mod space;
pub mod supply;
pub mod tables;
mod threads;

pub use board::{
    BlankClass, Board, BoardError, Goal, GoalSizeError, IllegalMoveError, Invariant, Metric, Move,
    Moves, Reduction, Rng, Size, SizeError, Slide, Solvability, Symmetry, Tile, Unsolvable,
    random_walk, random_walk_end, uniform,
};
pub use named::{NameError, Named};
pub use outcome::{
    Budget, Iteration, IterationProgress, Limit, Limits, Outcome, Progress, Proof, Report,
    Solution, Statistics, TimeLeft, WrongSolutionError,
};
pub use policy::{
    AbandonedSearch, Advice, AllShortest, Answer, Assessment, Coach, Ending, Event, Hint,
    HintError, LaboratoryChoice, Method, Notice, Request, SearchedBy, SolveError, Solver,
    UnsolvedError, Want,
};

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
