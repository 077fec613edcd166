//! Parberry's greedy method of 1995: line by line, for any board in no time.
//!
//! A line at the rim is filled tile by tile and then left alone; what remains is a smaller
//! rectangle, down to 2×2. Nothing is searched, so the time is proportional to the moves, which
//! grow as the cube of the side.

use std::cmp::Ordering;

use super::EngineError;
use super::position::Position;
use crate::outcome::WrongSolutionError;
use crate::{Board, Move, Moves, Reduction, Size, Solvability};

/// A solution by Parberry's greedy method (*Information Processing Letters* 56, 1995), for any
/// goal and every size.
///
/// It is long, about 8n³/3 moves on n×n where the shortest are about n³ or less; but it needs no
/// tables and no search. A board of 255×255 takes a few seconds for some 44 million moves.
///
/// ```
/// use taquin::solve::greedy;
/// use taquin::{Board, Goal};
///
/// let board: Board = "13 14 4 12/3 15 10 8/9 1 5 7/6 11 2 0".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let moves = greedy(&board, &goal)?;
/// assert_eq!(board.after(&moves)?, goal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of_board(board: &Board, goal: &Board) -> Result<Moves, EngineError> {
    let verdict = Solvability::of(board, goal)?;
    if !verdict.is_solvable() {
        return Err(EngineError::Unsolvable(verdict));
    }
    let reduction = Reduction::new(goal);
    let position = Position::new(&reduction, &reduction.reduce(board)?);
    let moves = greedy(&position);
    let moves = reduction.restore(&moves.into());
    WrongSolutionError::check(board, goal, &moves)?;
    Ok(moves)
}

/// The moves of the greedy method from a position, which must be solvable; of another one some
/// lines are filled.
pub(crate) fn greedy(position: &Position) -> Vec<Move> {
    let mut filler = Filler::new(position);
    let size = position.size();
    let home = (size.row(position.goal()), size.column(position.goal()));
    let mut rest = Rectangle {
        top: 0,
        left: 0,
        rows: size.rows(),
        columns: size.columns(),
    };
    while (rest.rows, rest.columns) != (2, 2) {
        // On a square a row comes first, else what makes it more square: so a line always has two
        // more beside it, which the turn at its end needs.
        let side = match rest.rows >= rest.columns {
            true if home.0 != rest.top => Side::Top,
            true => Side::Bottom,
            false if home.1 != rest.left => Side::Left,
            false => Side::Right,
        };
        filler.fill(&View::new(&rest, side, size));
        rest.peel(side);
    }
    filler.turn(&rest, size.columns());
    filler.moves
}

/// The cells that are not yet filled.
#[derive(Clone, Copy)]
struct Rectangle {
    top: usize,
    left: usize,
    rows: usize,
    columns: usize,
}

#[derive(Clone, Copy)]
enum Side {
    Top,
    Bottom,
    Left,
    Right,
}

impl Rectangle {
    fn peel(&mut self, side: Side) {
        match side {
            Side::Top | Side::Bottom => self.rows -= 1,
            Side::Left | Side::Right => self.columns -= 1,
        }
        match side {
            Side::Top => self.top += 1,
            Side::Left => self.left += 1,
            Side::Bottom | Side::Right => {}
        }
    }
}

/// A cell as it is seen from the line that is being filled.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Spot {
    /// Lines away from the line.
    deep: i32,
    along: i32,
}

impl Spot {
    const fn new(deep: i32, along: i32) -> Self {
        Self { deep, along }
    }

    const fn to(self, way: Way) -> Self {
        match way {
            Way::Out => Self::new(self.deep - 1, self.along),
            Way::In => Self::new(self.deep + 1, self.along),
            Way::Back => Self::new(self.deep, self.along - 1),
            Way::On => Self::new(self.deep, self.along + 1),
        }
    }

    const fn distance(self, other: Self) -> u32 {
        self.deep.abs_diff(other.deep) + self.along.abs_diff(other.along)
    }
}

/// Directions as they are seen from the line.
#[derive(Clone, Copy)]
enum Way {
    Out,
    In,
    Back,
    On,
}

/// A rectangle turned so that the line to be filled is in front.
struct View {
    deep: i32,
    along: i32,
    size: Size,
    first: usize,
    /// From a cell to the next one in and on.
    strides: [isize; 2],
    /// What slides when the blank goes out, in, back, on.
    moves: [Move; 4],
}

#[expect(clippy::cast_possible_wrap, reason = "no side is longer than 255")]
impl View {
    fn new(rest: &Rectangle, side: Side, size: Size) -> Self {
        use Move::{Down, Left, Right, Up};
        let cell =
            |row: usize, column: usize| (rest.top + row) * size.columns() + rest.left + column;
        let (first, moves) = match side {
            Side::Top => (cell(0, 0), [Down, Up, Right, Left]),
            Side::Bottom => (cell(rest.rows - 1, 0), [Up, Down, Right, Left]),
            Side::Left => (cell(0, 0), [Right, Left, Down, Up]),
            Side::Right => (cell(0, rest.columns - 1), [Left, Right, Down, Up]),
        };
        let [_, inwards, _, on] = moves;
        let (rows, width) = (rest.rows as i32, rest.columns as i32);
        let (deep, along) = match side {
            Side::Top | Side::Bottom => (rows, width),
            Side::Left | Side::Right => (width, rows),
        };
        Self {
            deep,
            along,
            size,
            first,
            strides: [inwards, on].map(|m| size.offset(m).cast_signed()),
            moves,
        }
    }

    fn cell(&self, spot: Spot) -> usize {
        let offset = spot.deep as isize * self.strides[0] + spot.along as isize * self.strides[1];
        self.first.wrapping_add_signed(offset)
    }

    fn spot(&self, cell: usize) -> Spot {
        let away = |a: usize, b: usize| a.abs_diff(b) as i32;
        let rows = away(self.size.row(cell), self.size.row(self.first));
        let columns = away(self.size.column(cell), self.size.column(self.first));
        if self.strides[0].unsigned_abs() == 1 {
            Spot::new(columns, rows)
        } else {
            Spot::new(rows, columns)
        }
    }

    const fn has(&self, spot: Spot) -> bool {
        0 <= spot.deep && spot.deep < self.deep && 0 <= spot.along && spot.along < self.along
    }
}

/// What the blank must not enter while it goes round a tile: the tile, and the part of the line
/// that is filled.
#[derive(Clone, Copy)]
struct Closed {
    tile: Spot,
    filled: i32,
}

impl Closed {
    const fn is_filled(&self, spot: Spot) -> bool {
        spot.deep == 0 && spot.along < self.filled
    }

    /// Whether a straight way is open.
    fn straight(&self, from: Spot, to: Spot) -> bool {
        let near = Spot::new(from.deep.min(to.deep), from.along.min(to.along));
        let far = Spot::new(from.deep.max(to.deep), from.along.max(to.along));
        let meets_tile = (near.deep..=far.deep).contains(&self.tile.deep)
            && (near.along..=far.along).contains(&self.tile.along);
        !meets_tile && !self.is_filled(near)
    }

    /// The corner of a way with at most one turn that is open.
    fn corner(&self, from: Spot, to: Spot) -> Option<Spot> {
        [
            Spot::new(to.deep, from.along),
            Spot::new(from.deep, to.along),
        ]
        .into_iter()
        .find(|&corner| self.straight(from, corner) && self.straight(corner, to))
    }
}

/// Where the blank turns on its way, and where it ends.
#[derive(Clone, Copy)]
struct Route {
    length: u32,
    turns: [Spot; 4],
}

impl Route {
    /// A shortest way of the blank to a spot beside the tile.
    fn new(view: &View, closed: &Closed, from: Spot, to: Spot) -> Option<Self> {
        if let Some(corner) = closed.corner(from, to) {
            return Some(Self {
                length: from.distance(to),
                turns: [corner, to, to, to],
            });
        }
        // The tile is in between: round one of its corners.
        let Spot { deep, along } = closed.tile;
        let around = [
            (0, -1),
            (0, 1),
            (-1, 0),
            (1, 0),
            (-1, -1),
            (-1, 1),
            (1, -1),
            (1, 1),
        ];
        around
            .into_iter()
            .map(|(d, a)| Spot::new(deep + d, along + a))
            .filter(|&via| view.has(via))
            .filter_map(|via| {
                let (first, second) = (closed.corner(from, via)?, closed.corner(via, to)?);
                let length = from.distance(via) + via.distance(to);
                Some(Self {
                    length,
                    turns: [first, via, second, to],
                })
            })
            .min_by_key(|route| route.length)
    }
}

struct Filler {
    homes: Vec<u16>,
    /// The cell of each home's owner.
    cells: Vec<u16>,
    blank: usize,
    moves: Vec<Move>,
}

impl Filler {
    fn new(position: &Position) -> Self {
        let homes = position.homes().to_vec();
        let mut cells = vec![0; homes.len()];
        for (cell, &home) in (0..).zip(&homes) {
            cells[usize::from(home)] = cell;
        }
        Self {
            homes,
            cells,
            blank: position.blank(),
            moves: Vec::new(),
        }
    }

    /// Lets the blank go to a neighbouring cell.
    fn step(&mut self, to: usize, m: Move) {
        let tile = self.homes[to];
        self.homes.swap(to, self.blank);
        self.cells[usize::from(tile)] = self.blank as u16;
        self.blank = to;
        self.moves.push(m);
    }

    /// Fills the front line of a view.
    fn fill(&mut self, view: &View) {
        let mut blank = view.spot(self.blank);
        for along in 0..view.along - 1 {
            let target = Spot::new(0, along);
            let tile = view.spot(self.cells[view.cell(target)].into());
            self.bring(view, &mut blank, tile, target, along);
        }
        self.fill_last(view, blank);
    }

    /// Puts the last tile of a line into its place, behind which there is no room to turn.
    fn fill_last(&mut self, view: &View, mut blank: Spot) {
        use Way::{Back, In, On, Out};
        let end = view.along - 1;
        let target = Spot::new(0, end);
        let tile = view.spot(self.cells[view.cell(target)].into());
        if tile == target {
            return;
        }
        if blank == target && tile == target.to(In) {
            self.walk(view, &mut blank, tile);
            return;
        }
        // Two lines in, under its place or beside that, whichever it comes to first; then the blank
        // below the place, and one of two turns of ten moves, which take the tile before it out of
        // the line and back again.
        let (below, turn) = if tile.along == end {
            (
                Spot::new(2, end),
                [Out, Back, In, On, In, Back, Out, Out, On, In],
            )
        } else {
            (
                Spot::new(2, end - 1),
                [Out, Back, In, In, On, Out, Back, Out, On, In],
            )
        };
        self.bring(view, &mut blank, tile, below, end);
        let closed = Closed {
            tile: below,
            filled: end,
        };
        self.go(view, &mut blank, &closed, target.to(In));
        for way in turn {
            let next = blank.to(way);
            self.walk(view, &mut blank, next);
        }
    }

    /// Brings a tile to a spot, step by step towards it, the blank going round it each time.
    fn bring(&mut self, view: &View, blank: &mut Spot, from: Spot, to: Spot, filled: i32) {
        let mut tile = from;
        while tile != to {
            let closed = Closed { tile, filled };
            let across = match tile.deep.cmp(&to.deep) {
                Ordering::Less => Some(Way::In),
                Ordering::Equal => None,
                Ordering::Greater => Some(Way::Out),
            };
            let along = match tile.along.cmp(&to.along) {
                Ordering::Less => Some(Way::On),
                Ordering::Equal => None,
                Ordering::Greater => Some(Way::Back),
            };
            // The nearer of the two first, so that the tile goes in steps as on a staircase: three
            // moves for each, where straight ahead it takes five.
            let nearest = [across, along]
                .into_iter()
                .filter_map(|way| Some(tile.to(way?)))
                .filter(|&next| !closed.is_filled(next))
                .filter_map(|next| Route::new(view, &closed, *blank, next))
                .min_by_key(|route| route.length);
            let Some(route) = nearest else {
                debug_assert!(false, "the blank is shut in");
                return;
            };
            for turn in route.turns {
                self.walk(view, blank, turn);
            }
            tile = *blank;
            self.walk(view, blank, closed.tile);
        }
    }

    /// Lets the blank go to a spot beside a tile.
    fn go(&mut self, view: &View, blank: &mut Spot, closed: &Closed, to: Spot) {
        let route = Route::new(view, closed, *blank, to);
        debug_assert!(route.is_some(), "the blank is shut in");
        for turn in route.iter().flat_map(|route| route.turns) {
            self.walk(view, blank, turn);
        }
    }

    /// Lets the blank go straight to a spot.
    fn walk(&mut self, view: &View, blank: &mut Spot, to: Spot) {
        let (way, stride) = if blank.deep == to.deep {
            let on = blank.along < to.along;
            (
                2 + usize::from(on),
                if on {
                    view.strides[1]
                } else {
                    -view.strides[1]
                },
            )
        } else {
            let inwards = blank.deep < to.deep;
            (
                usize::from(inwards),
                if inwards {
                    view.strides[0]
                } else {
                    -view.strides[0]
                },
            )
        };
        for _ in 0..blank.distance(to) {
            self.step(self.blank.wrapping_add_signed(stride), view.moves[way]);
        }
        *blank = to;
    }

    /// Turns the last four cells until all is at home.
    fn turn(&mut self, rest: &Rectangle, columns: usize) {
        use Move::{Down, Left, Right, Up};
        let first = rest.top * columns + rest.left;
        let ring = [first, first + 1, first + columns + 1, first + columns];
        // What slides when the blank goes on from each cell of the ring, clockwise and against it.
        let turns = [(1, [Left, Up, Right, Down]), (3, [Up, Right, Down, Left])];
        let Some(start) = ring.iter().position(|&cell| cell == self.blank) else {
            debug_assert!(false, "the blank is outside");
            return;
        };
        let steps = |direction: usize| {
            let mut homes = ring.map(|cell| usize::from(self.homes[cell]));
            let mut blank = start;
            // Three tiles and the blank are back where they were after twelve steps.
            (0..12).find(|_| {
                let solved = homes == ring;
                let next = (blank + direction) % 4;
                homes.swap(blank, next);
                blank = next;
                solved
            })
        };
        let best = turns
            .into_iter()
            .filter_map(|(direction, moves)| Some((steps(direction)?, direction, moves)))
            .min_by_key(|&(steps, ..)| steps);
        debug_assert!(best.is_some(), "unsolvable");
        let Some((steps, direction, moves)) = best else {
            return;
        };
        let mut at = start;
        for _ in 0..steps {
            let m = moves[at];
            at = (at + direction) % 4;
            self.step(ring[at], m);
        }
    }
}
