//! The sliding-tile puzzle in multi-tile moves as a search problem.

use super::{Counting, Domain, FlatState, Reversible, TilePuzzle, TileState};
use crate::{Board, GoalSizeError, Move, Size, Slide, Tile};

/// The sliding-tile puzzle of one size with one goal, in multi-tile moves: an action slides one or
/// more tiles of a line, and costs 1.
///
/// ```
/// use taquin::search::{MultiSliding, PackedState, bfs};
/// use taquin::{Board, Goal, Limits, Move, Outcome, Slide};
///
/// let board: Board = "0 1 2/4 5 3/7 8 6".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let domain = MultiSliding::<PackedState>::new(&goal).expect("nine cells fit");
/// let report = bfs(&domain, domain.state(&board)?, &Limits::default(), &mut ());
/// let Outcome::Solved(solution) = report.outcome else { panic!("it is solvable") };
/// let slide = |direction| Slide { direction, tiles: 2 };
/// assert_eq!(solution.moves, [slide(Move::Left), slide(Move::Up)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MultiSliding<S> {
    size: Size,
    goal_board: Board,
    goal: S,
    /// For each cell of the blank, how many tiles can slide in each direction.
    reaches: Box<[Reach]>,
    /// For each direction, how far behind the blank the first tile lies, modulo the range of
    /// `usize`.
    offsets: [usize; 4],
}

/// How many tiles can slide in each direction, in the order of [`Move::ALL`].
type Reach = [u8; 4];

/// The slides within a reach, direction by direction, the short ones first.
#[derive(Clone, Debug)]
struct Slides {
    reach: Reach,
    direction: usize,
    /// How many tiles the last slide had.
    tiles: u8,
}

impl Slides {
    #[inline]
    const fn new(reach: Reach) -> Self {
        Self {
            reach,
            direction: 0,
            tiles: 0,
        }
    }
}

impl Iterator for Slides {
    type Item = Slide;

    #[inline]
    fn next(&mut self) -> Option<Slide> {
        while self.tiles >= *self.reach.get(self.direction)? {
            self.direction += 1;
            self.tiles = 0;
        }
        self.tiles += 1;
        Some(Slide {
            direction: Move::ALL[self.direction],
            tiles: self.tiles,
        })
    }
}

impl MultiSliding<FlatState> {
    /// The puzzle of reaching `goal`, in states that hold boards of every size.
    #[must_use]
    pub fn flat(goal: &Board) -> Self {
        Self::with_state(goal, FlatState::new(goal))
    }
}

impl<S: TileState> MultiSliding<S> {
    /// The puzzle of reaching `goal`; `None` if the state type cannot hold boards of that size.
    #[must_use]
    pub fn new(goal: &Board) -> Option<Self> {
        Some(Self::with_state(goal, S::from_board(goal)?))
    }

    fn with_state(goal: &Board, state: S) -> Self {
        let size = goal.size();
        let reach = |blank| {
            let (row, column) = (size.row(blank), size.column(blank));
            let (below, right) = (size.rows() - 1 - row, size.columns() - 1 - column);
            [below, row, right, column].map(|tiles| tiles as u8)
        };
        Self {
            size,
            goal_board: goal.clone(),
            goal: state,
            reaches: (0..size.cells()).map(reach).collect(),
            offsets: Move::ALL.map(|m| size.offset(m)),
        }
    }

    /// The state for a board of the same size.
    pub fn state(&self, board: &Board) -> Result<S, GoalSizeError> {
        super::state_of(self.size, board)
    }

    /// Rows and columns.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The goal as a board.
    #[must_use]
    pub const fn goal_board(&self) -> &Board {
        &self.goal_board
    }

    /// The tiles that the last slide moved, each with the cell it came from and the cell it is on
    /// now: the one beside the blank first, which moved last.
    #[inline]
    pub fn last_slide<'a>(
        &self,
        after: &'a S,
        slide: Slide,
    ) -> impl DoubleEndedIterator<Item = (Tile, usize, usize)> + use<'a, S> {
        let (blank, back) = (
            after.blank(),
            self.offsets[slide.direction.opposite() as usize],
        );
        (0..usize::from(slide.tiles)).map(move |step| {
            let from = blank.wrapping_add(back.wrapping_mul(step));
            let to = from.wrapping_add(back);
            (after.tile(to), from, to)
        })
    }
}

impl<S: TileState> Domain for MultiSliding<S> {
    type State = S;
    type Action = Slide;

    #[inline]
    fn actions(&self, state: &S) -> impl Iterator<Item = Slide> + use<'_, S> {
        Slides::new(self.reaches[state.blank()])
    }

    /// The slides across the last one. Those along its line lead to boards that one slide from the
    /// board before it leads to as well.
    #[inline]
    fn actions_after(
        &self,
        state: &S,
        last: Option<Slide>,
    ) -> impl Iterator<Item = Slide> + use<'_, S> {
        let [up, down, left, right] = self.reaches[state.blank()];
        Slides::new(match last.map(|slide| slide.direction) {
            None => [up, down, left, right],
            Some(Move::Up | Move::Down) => [0, 0, left, right],
            Some(Move::Left | Move::Right) => [up, down, 0, 0],
        })
    }

    #[inline]
    fn apply(&self, state: &mut S, slide: Slide) -> u32 {
        let offset = self.offsets[slide.direction as usize];
        for _ in 0..slide.tiles {
            state.slide(state.blank().wrapping_add(offset));
        }
        1
    }

    #[inline]
    fn undo(&self, state: &mut S, slide: Slide) {
        self.apply(state, slide.opposite());
    }

    #[inline]
    fn is_goal(&self, state: &S) -> bool {
        *state == self.goal
    }

    #[inline]
    fn inverse(&self, slide: Slide) -> Option<Slide> {
        Some(slide.opposite())
    }

    #[inline]
    fn state_bytes(&self, state: &S) -> usize {
        state.bytes()
    }
}

impl<S: TileState> Reversible for MultiSliding<S> {
    fn goal(&self) -> S {
        self.goal.clone()
    }
}

impl<S: TileState> TilePuzzle for MultiSliding<S> {
    fn goal_board(&self) -> &Board {
        &self.goal_board
    }

    fn counting(&self) -> Counting {
        Counting::Slides
    }

    fn towards(&self, goal: &Board) -> Result<Self, GoalSizeError> {
        Ok(Self::with_state(goal, self.state(goal)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Moves};

    #[test]
    fn slides_across_the_last_one_follow_it() {
        let goal = Goal::Classic.board(Size::new(3, 4).unwrap()).unwrap();
        let board = goal.after(&"DR2".parse::<Moves>().unwrap()).unwrap();
        let domain = MultiSliding::flat(&goal);
        let state = domain.state(&board).unwrap();
        let text = |slides: &mut dyn Iterator<Item = Slide>| {
            let slides: Vec<String> = slides.map(|slide| slide.to_string()).collect();
            slides.join(" ")
        };
        assert_eq!(text(&mut domain.actions(&state)), "U D L L2 R");
        let last = |direction| {
            Some(Slide {
                direction,
                tiles: 2,
            })
        };
        let after = |last| text(&mut domain.actions_after(&state, last));
        assert_eq!(after(None), "U D L L2 R");
        assert_eq!(after(last(Move::Right)), "U D");
        assert_eq!(after(last(Move::Down)), "L L2 R");
    }

    #[test]
    fn a_slide_is_its_moves_one_by_one() {
        let goal = Goal::Snail.board(Size::new(4, 5).unwrap()).unwrap();
        let domain = MultiSliding::flat(&goal);
        let start = domain.goal();
        for slide in domain.actions(&start) {
            let (after, cost) = domain.successor(&start, slide);
            assert_eq!(cost, 1);
            let moves: Moves = slide.moves().collect();
            let board = goal.after(&moves).unwrap();
            assert_eq!(after.to_board(goal.size()).unwrap(), board);
            let cells = goal.cells_of_tiles();
            let moved = domain.last_slide(&after, slide).map(|(tile, from, to)| {
                assert_eq!(
                    (from, to),
                    (
                        cells[usize::from(tile)],
                        board.cells_of_tiles()[usize::from(tile)]
                    )
                );
            });
            assert_eq!(moved.count(), usize::from(slide.tiles));
            let mut back = after.clone();
            domain.undo(&mut back, slide);
            assert_eq!(back, start);
        }
    }
}
