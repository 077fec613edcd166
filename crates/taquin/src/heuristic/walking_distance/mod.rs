//! Two simpler puzzles, solved in advance.

mod contents;
mod half;
mod space;

use std::fmt;
use std::sync::Arc;

use half::{Half, Side};
use space::Shape;

use super::Heuristic;
use crate::domain::{Sliding, TileState};
use crate::{Board, Move, Size, Tile};

/// The walking distance (Ken'ichiro Takahashi, 2002): the moves that two simpler puzzles need.
///
/// In the vertical puzzle only the rows matter: which row each tile is in, and in which it belongs.
/// Tiles of one goal row look the same, and any tile of a neighbouring row may move into the row
/// with the blank. The horizontal puzzle is the same with columns. Each move of the real puzzle is
/// a move in one of them and nothing in the other, so the two distances add up, and one move
/// changes the sum by 1 at most: the estimate is consistent. It is never less than Manhattan
/// distance with unit costs.
///
/// With heavy costs it counts moves as well. That is a lower bound, since each move costs at least
/// 1, but a weak one.
///
/// Both puzzles are solved when the heuristic is made. How long that takes depends on their states:
/// 24,964 for each half of 4x4, but millions from 4x5 on. Clones share the tables.
#[derive(Clone, Debug)]
pub struct WalkingDistance {
    vertical: Arc<Half>,
    horizontal: Arc<Half>,
    /// The goal row and the goal column of each tile.
    homes: Arc<[(u8, u8)]>,
}

/// What [`WalkingDistance`] knows of a state: where it is in the two simpler puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkingMemo {
    vertical_state: u32,
    horizontal_state: u32,
    halves: WalkingHalves,
}

/// The two parts of a walking distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkingHalves {
    /// Vertical moves, at least.
    pub vertical: u16,
    /// Horizontal moves, at least.
    pub horizontal: u16,
}

impl WalkingHalves {
    /// The walking distance: their sum.
    #[must_use]
    pub const fn sum(self) -> u32 {
        self.vertical as u32 + self.horizontal as u32
    }
}

impl WalkingMemo {
    /// The two parts of the estimate.
    #[must_use]
    pub const fn halves(&self) -> WalkingHalves {
        self.halves
    }
}

/// A board whose walking distance would take too large tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooManyStatesError {
    /// The size of the board.
    pub size: Size,
    /// The decimal logarithm of the number of states, about, of the larger of the two simpler
    /// puzzles.
    pub log10_states: f64,
    /// The most that were allowed.
    pub limit: u32,
}

impl std::error::Error for TooManyStatesError {}

impl fmt::Display for TooManyStatesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exponent = self.log10_states.floor();
        let leading = 10_f64.powf(self.log10_states - exponent);
        write!(
            f,
            "walking distance on {} needs a table of about {leading:.1}e{exponent} states, and {} \
             is the most",
            self.size, self.limit
        )
    }
}

impl WalkingDistance {
    /// The most states that [`new`](Self::new) allows for each half.
    pub const MAX_STATES: u32 = 10_000_000;

    /// The heuristic for a puzzle, if neither half has more than [`MAX_STATES`](Self::MAX_STATES).
    pub fn new<S: TileState>(puzzle: &Sliding<S>) -> Result<Self, TooManyStatesError> {
        Self::with_limit(puzzle, Self::MAX_STATES)
    }

    /// The heuristic for a puzzle, if neither half has more states than the limit.
    ///
    /// A million states take about a quarter of a second and two megabytes, and up to 64 megabytes
    /// more for what makes steps fast. 5x5 has 65,650,495.
    pub fn with_limit<S: TileState>(
        puzzle: &Sliding<S>,
        limit: u32,
    ) -> Result<Self, TooManyStatesError> {
        let goal = puzzle.goal_board();
        let [vertical, horizontal] = shapes(goal);
        let larger = vertical.log10_states().max(horizontal.log10_states());
        let refuse = |log10_states| TooManyStatesError {
            size: puzzle.size(),
            log10_states,
            limit,
        };
        // Counting exactly takes memory too, so leave out what is far too large.
        if larger > f64::from(limit).log10() + 0.1 {
            return Err(refuse(larger));
        }
        #[expect(clippy::cast_precision_loss, reason = "only its size matters")]
        let build = |shape| {
            Half::new(shape, limit)
                .map(Arc::new)
                .map_err(|states| refuse((states as f64).log10()))
        };
        let vertical = build(vertical)?;
        let horizontal = if horizontal == vertical.shape() {
            Arc::clone(&vertical)
        } else {
            build(horizontal)?
        };
        let size = puzzle.size();
        Ok(Self {
            vertical,
            horizontal,
            homes: goal
                .cells_of_tiles()
                .into_iter()
                .map(|cell| (size.row(cell) as u8, size.column(cell) as u8))
                .collect(),
        })
    }

    /// How many states the vertical and the horizontal puzzle have.
    #[must_use]
    pub fn states(&self) -> (usize, usize) {
        (self.vertical.states(), self.horizontal.states())
    }

    /// The goal row and column of a tile; `None` for the blank.
    #[inline]
    fn home(&self, tile: Tile) -> Option<(usize, usize)> {
        let (row, column) = self.homes[usize::from(tile)];
        (tile != 0).then_some((row.into(), column.into()))
    }

    fn vertical_state<S: TileState>(&self, puzzle: &Sliding<S>, state: &S) -> u32 {
        let columns = puzzle.size().columns();
        self.vertical.state(|row, column| {
            let (home, _) = self.home(state.tile(row * columns + column))?;
            Some(home)
        })
    }

    fn horizontal_state<S: TileState>(&self, puzzle: &Sliding<S>, state: &S) -> u32 {
        let columns = puzzle.size().columns();
        self.horizontal.state(|column, row| {
            let (_, home) = self.home(state.tile(row * columns + column))?;
            Some(home)
        })
    }
}

/// The shapes of the vertical and the horizontal puzzle.
fn shapes(goal: &Board) -> [Shape; 2] {
    let (rows, columns) = (goal.size().rows(), goal.size().columns());
    [
        Shape {
            lines: rows,
            length: columns,
            blank: goal.blank_row(),
        },
        Shape {
            lines: columns,
            length: rows,
            blank: goal.blank_column(),
        },
    ]
}

impl<S: TileState> Heuristic<Sliding<S>> for WalkingDistance {
    type Memo = WalkingMemo;

    fn evaluate(&self, puzzle: &Sliding<S>, state: &S) -> WalkingMemo {
        let vertical_state = self.vertical_state(puzzle, state);
        let horizontal_state = self.horizontal_state(puzzle, state);
        WalkingMemo {
            vertical_state,
            horizontal_state,
            halves: WalkingHalves {
                vertical: self.vertical.distance(vertical_state),
                horizontal: self.horizontal.distance(horizontal_state),
            },
        }
    }

    #[inline]
    fn step(&self, puzzle: &Sliding<S>, before: &WalkingMemo, after: &S, m: Move) -> WalkingMemo {
        let (tile, ..) = puzzle.last_slide(after, m);
        let (row, column) = self.homes[usize::from(tile)];
        let side = match m {
            Move::Up | Move::Left => Side::Next,
            Move::Down | Move::Right => Side::Before,
        };
        let mut memo = *before;
        match m {
            Move::Up | Move::Down => {
                memo.vertical_state = self
                    .vertical
                    .follow(before.vertical_state, side, row.into())
                    .unwrap_or_else(|| self.vertical_state(puzzle, after));
                memo.halves.vertical = self.vertical.distance(memo.vertical_state);
            }
            Move::Left | Move::Right => {
                memo.horizontal_state = self
                    .horizontal
                    .follow(before.horizontal_state, side, column.into())
                    .unwrap_or_else(|| self.horizontal_state(puzzle, after));
                memo.halves.horizontal = self.horizontal.distance(memo.horizontal_state);
            }
        }
        memo
    }

    #[inline]
    fn value(&self, memo: &WalkingMemo) -> u32 {
        memo.halves.sum()
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Cost, Domain, FlatState, Reversible};
    use crate::{Goal, Rng, random_walk};

    fn puzzle(rows: usize, columns: usize, goal: &Goal) -> Sliding<FlatState> {
        let goal = goal.board(Size::new(rows, columns).unwrap()).unwrap();
        Sliding::new(&goal, Cost::Unit).unwrap()
    }

    #[test]
    fn each_half_of_4x4_has_24964_states() {
        for goal in Goal::NAMED {
            let walking = WalkingDistance::new(&puzzle(4, 4, &goal)).unwrap();
            assert_eq!(walking.states(), (24_964, 24_964), "{goal:?}");
        }
    }

    #[test]
    fn equal_halves_share_a_table() {
        let walking = WalkingDistance::new(&puzzle(4, 4, &Goal::Classic)).unwrap();
        assert!(Arc::ptr_eq(&walking.vertical, &walking.horizontal));
        let walking = WalkingDistance::new(&puzzle(3, 4, &Goal::Classic)).unwrap();
        assert!(!Arc::ptr_eq(&walking.vertical, &walking.horizontal));
    }

    #[test]
    fn without_links_a_step_gives_the_same() {
        let puzzle = puzzle(3, 4, &Goal::Snail);
        let linked = WalkingDistance::new(&puzzle).unwrap();
        let mut unlinked = WalkingDistance::new(&puzzle).unwrap();
        for half in [&mut unlinked.vertical, &mut unlinked.horizontal] {
            Arc::get_mut(half).unwrap().forget_links();
        }
        let mut state = puzzle.goal();
        let mut memo = linked.evaluate(&puzzle, &state);
        for &m in &random_walk(puzzle.goal_board(), 2000, &mut Rng::from_seed(51)) {
            puzzle.apply(&mut state, m);
            let stepped = unlinked.step(&puzzle, &memo, &state, m);
            memo = linked.step(&puzzle, &memo, &state, m);
            assert_eq!(stepped, memo);
            assert_eq!(stepped, unlinked.evaluate(&puzzle, &state));
        }
    }

    #[test]
    fn sizes_without_feasible_tables_are_refused_with_a_number() {
        let refused = |rows, columns| {
            let refused = WalkingDistance::new(&puzzle(rows, columns, &Goal::Classic));
            refused.unwrap_err().to_string()
        };
        assert_eq!(
            refused(6, 6),
            "walking distance on 6x6 needs a table of about 2.1e12 states, and 10000000 is the most"
        );
        assert!(refused(5, 5).contains("6.7e7 states"), "{}", refused(5, 5));
        // Refusing is quick even where the number has tens of thousands of digits.
        assert!(refused(255, 255).contains("255x255"));
        assert!(refused(2, 255).contains("2x255"));
        let few = WalkingDistance::with_limit(&puzzle(4, 4, &Goal::Classic), 24_963);
        assert!(few.is_err());
        let enough = WalkingDistance::with_limit(&puzzle(4, 4, &Goal::Classic), 24_964);
        assert!(enough.is_ok());
    }
}
