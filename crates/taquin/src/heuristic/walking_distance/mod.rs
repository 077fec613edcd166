//! Two simpler puzzles, solved in advance.

mod contents;
mod half;
mod multi;
mod space;

pub use multi::MultiWalkingDistance;

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use half::{Half, Side};
use space::{Shape, Space};

use super::Heuristic;
use super::multi::alternating;
use crate::domain::{Sliding, TileState};
use crate::outcome::{Budget, Limit};
use crate::{Board, Metric, Move, Size, Tile};

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

    /// The walking distance in multi-tile moves, if these are slides: vertical and horizontal ones
    /// alternate.
    #[must_use]
    pub const fn alternating(self) -> u32 {
        alternating(self.vertical as u32, self.horizontal as u32)
    }
}

impl WalkingMemo {
    /// The two parts of the estimate.
    #[must_use]
    pub const fn halves(&self) -> WalkingHalves {
        self.halves
    }
}

/// Why there is no walking distance for a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum WalkingError {
    /// Its tables would be too large.
    #[error(transparent)]
    TooManyStates(#[from] TooManyStatesError),
    /// Its tables were not finished: there was not enough memory or time, or they were no longer
    /// wanted.
    #[error("the tables of walking distance were not finished: {}", reason(*.0))]
    Stopped(Limit),
}

fn reason(limit: Limit) -> &'static str {
    match limit {
        Limit::Memory => "there was not enough memory",
        Limit::Time => "there was not enough time",
        _ => "they were no longer wanted",
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
    pub fn new<S: TileState>(puzzle: &Sliding<S>) -> Result<Self, WalkingError> {
        Self::with_limit(puzzle, Self::MAX_STATES)
    }

    /// The heuristic for a puzzle, if neither half has more states than the limit.
    ///
    /// A million states take about a quarter of a second and two megabytes, and up to 64 megabytes
    /// more for what makes steps fast. 5x5 has 65,650,495.
    pub fn with_limit<S: TileState>(puzzle: &Sliding<S>, limit: u32) -> Result<Self, WalkingError> {
        Self::within(puzzle, limit, &Budget::default())
    }

    /// The heuristic for a puzzle, if neither half has more states than the limit, made within the
    /// memory and the time of a budget.
    pub fn within<S: TileState>(
        puzzle: &Sliding<S>,
        limit: u32,
        budget: &Budget,
    ) -> Result<Self, WalkingError> {
        Self::solved(puzzle.goal_board(), Metric::Single, limit, budget)
    }

    /// Both halves for a goal, solved in moves of a metric.
    fn solved(
        goal: &Board,
        metric: Metric,
        limit: u32,
        budget: &Budget,
    ) -> Result<Self, WalkingError> {
        let [vertical, horizontal] = shapes(goal);
        let larger = vertical.log10_states().max(horizontal.log10_states());
        let refuse = |log10_states| TooManyStatesError {
            size: goal.size(),
            log10_states,
            limit,
        };
        // Counting exactly takes memory too, so leave out what is far too large.
        if larger > f64::from(limit).log10() + 0.1 {
            return Err(refuse(larger).into());
        }
        let bytes = working_memory(goal, metric);
        budget.keep(bytes).map_err(WalkingError::Stopped)?;
        #[expect(clippy::cast_precision_loss, reason = "only its size matters")]
        let build = |shape| {
            let space = Space::new(shape, budget)?;
            if space.states() > limit as usize {
                return Err(refuse((space.states() as f64).log10()).into());
            }
            Half::new(space, metric, budget).map(Arc::new)
        };
        let vertical = build(vertical)?;
        let horizontal = if horizontal == vertical.shape() {
            Arc::clone(&vertical)
        } else {
            build(horizontal)?
        };
        Ok(Self {
            vertical,
            horizontal,
            homes: homes(goal),
        })
    }

    /// Bytes that it takes at most to make the heuristic for a goal; about as many are kept.
    #[must_use]
    pub fn working_memory(goal: &Board) -> u64 {
        working_memory(goal, Metric::Single)
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

    fn vertical_state<S: TileState>(&self, columns: usize, state: &S) -> u32 {
        self.vertical.state(|row, column| {
            let (home, _) = self.home(state.tile(row * columns + column))?;
            Some(home)
        })
    }

    fn horizontal_state<S: TileState>(&self, columns: usize, state: &S) -> u32 {
        self.horizontal.state(|column, row| {
            let (_, home) = self.home(state.tile(row * columns + column))?;
            Some(home)
        })
    }

    /// Where a state with so many columns is in the two simpler puzzles.
    fn look<S: TileState>(&self, columns: usize, state: &S) -> WalkingMemo {
        let vertical_state = self.vertical_state(columns, state);
        let horizontal_state = self.horizontal_state(columns, state);
        WalkingMemo {
            vertical_state,
            horizontal_state,
            halves: WalkingHalves {
                vertical: self.vertical.distance(vertical_state),
                horizontal: self.horizontal.distance(horizontal_state),
            },
        }
    }
}

/// Bytes that it takes at most to solve both halves for a goal in moves of a metric.
fn working_memory(goal: &Board, metric: Metric) -> u64 {
    let [vertical, horizontal] = shapes(goal);
    let bytes = |shape: Shape| {
        // To count the bytes of what is never built would take long itself.
        if shape.log10_states() > LOG10_ENDLESS {
            return u64::MAX;
        }
        let states = Half::bytes(shape, shape.most_states(), metric);
        shape.graph_bytes().saturating_add(states)
    };
    if vertical == horizontal {
        bytes(vertical)
    } else {
        bytes(vertical).saturating_add(bytes(horizontal))
    }
}

/// The logarithm of a number of states that no computer holds.
const LOG10_ENDLESS: f64 = 18.0;

/// `count` equal values, or the memory limit if there is no room for them.
fn filled_with<T: Copy>(value: T, count: usize) -> Result<Vec<T>, WalkingError> {
    let mut values = Vec::new();
    let reserved = values.try_reserve_exact(count);
    reserved.map_err(|_| WalkingError::Stopped(Limit::Memory))?;
    values.resize(count, value);
    Ok(values)
}

/// Adds a value, or gives the memory limit if there is no room for it.
#[inline]
fn push<T>(values: &mut Vec<T>, value: T) -> Result<(), WalkingError> {
    if values.len() == values.capacity() {
        let reserved = values.try_reserve(1);
        reserved.map_err(|_| WalkingError::Stopped(Limit::Memory))?;
    }
    values.push(value);
    Ok(())
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
        self.look(puzzle.size().columns(), state)
    }

    #[inline]
    fn step(&self, puzzle: &Sliding<S>, before: &WalkingMemo, after: &S, m: Move) -> WalkingMemo {
        let (tile, ..) = puzzle.last_slide(after, m);
        let (row, column) = self.homes[usize::from(tile)];
        let (side, columns) = (Side::of(m), puzzle.size().columns());
        let mut memo = *before;
        match m {
            Move::Up | Move::Down => {
                memo.vertical_state = self
                    .vertical
                    .follow(before.vertical_state, side, row.into())
                    .unwrap_or_else(|| self.vertical_state(columns, after));
                memo.halves.vertical = self.vertical.distance(memo.vertical_state);
            }
            Move::Left | Move::Right => {
                memo.horizontal_state = self
                    .horizontal
                    .follow(before.horizontal_state, side, column.into())
                    .unwrap_or_else(|| self.horizontal_state(columns, after));
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

impl WalkingDistance {
    /// This heuristic for another goal, with the same tables; `None` if that goal needs others,
    /// because it has another size or its blank is elsewhere.
    #[must_use]
    pub fn towards<S: TileState>(&self, puzzle: &Sliding<S>) -> Option<Self> {
        self.shared_with(puzzle.goal_board())
    }

    fn shared_with(&self, goal: &Board) -> Option<Self> {
        if shapes(goal) != [self.vertical.shape(), self.horizontal.shape()] {
            return None;
        }
        Some(Self {
            homes: homes(goal),
            ..self.clone()
        })
    }

    /// Bytes of its tables. Clones share them.
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        if Arc::ptr_eq(&self.vertical, &self.horizontal) {
            return self.vertical.table_bytes();
        }
        self.vertical.table_bytes() + self.horizontal.table_bytes()
    }
}

/// The goal row and the goal column of each tile.
fn homes(goal: &Board) -> Arc<[(u8, u8)]> {
    let size = goal.size();
    let cells = goal.cells_of_tiles().into_iter();
    cells
        .map(|cell| (size.row(cell) as u8, size.column(cell) as u8))
        .collect()
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
    fn the_memory_for_any_board_is_known_at_once() {
        let bytes = |rows, columns| {
            WalkingDistance::working_memory(puzzle(rows, columns, &Goal::Classic).goal_board())
        };
        assert!((1_000..10_000_000).contains(&bytes(4, 4)));
        assert!(bytes(5, 5) > bytes(4, 5) && bytes(4, 5) > bytes(4, 4));
        for (rows, columns) in [(8, 8), (2, 18), (12, 4), (30, 2), (255, 255)] {
            assert!(bytes(rows, columns) > 1 << 40, "{rows}x{columns}");
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
    fn goals_with_the_blank_in_one_place_share_their_tables() {
        let size = Size::new(3, 4).unwrap();
        let classic = Goal::Classic.board(size).unwrap();
        let made = WalkingDistance::new(&Sliding::<FlatState>::new(&classic, Cost::Unit).unwrap());
        let made = made.unwrap();
        assert!(made.table_bytes() > 0);
        // Turned by half, and then the blank led back home.
        let other: Board = "11 10 9 8/7 6 5 4/3 2 1 0".parse().unwrap();
        let puzzle = Sliding::<FlatState>::new(&other, Cost::Unit).unwrap();
        let shared = made.towards(&puzzle).unwrap();
        assert!(Arc::ptr_eq(&shared.vertical, &made.vertical));
        let own = WalkingDistance::new(&puzzle).unwrap();
        let mut state = puzzle.goal();
        for &m in &random_walk(&other, 500, &mut Rng::from_seed(7)) {
            puzzle.apply(&mut state, m);
            assert_eq!(
                shared.evaluate(&puzzle, &state),
                own.evaluate(&puzzle, &state)
            );
        }
        let first = Goal::BlankFirst.board(size).unwrap();
        let elsewhere = Sliding::<FlatState>::new(&first, Cost::Unit).unwrap();
        assert!(made.towards(&elsewhere).is_none());
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
