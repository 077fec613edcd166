//! In which order the tiles come home.
//!
//! Lines at the rim are filled one after the other, each from one end to the other, and left alone
//! from then on. The last two tiles of a line come together: one is parked in the home of the other
//! and that one beside it, so that both slide home when the blank passes.

use super::super::position::Position;
use super::view::View;

/// What happens next to a board whose earlier stages are done.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stage {
    /// A tile comes home.
    Place(Carry),
    /// One of the last two tiles of a line comes to the home of the other.
    Park(u16, LineEnd),
    /// The other one comes to the cell beside that.
    Follow(u16, LineEnd),
    /// The blank goes to the home of the one that was parked, and both tiles slide home.
    Close(LineEnd),
    /// Anything goes in the rectangle that is left.
    Rest,
}

/// A tile, the cell that it has to reach and the line that it is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carry {
    pub(super) tile: u16,
    pub(super) to: u16,
    pub(super) line: u16,
    /// Whether this is the first tile of its line.
    pub(super) first: bool,
}

/// The cells at the end of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineEnd {
    /// The last cell of the line and the one before.
    pub(super) last: u16,
    pub(super) before: u16,
    /// The cells beside those in the next line.
    pub(super) beside_last: u16,
    pub(super) beside_before: u16,
}

/// Which of the orders that are equally good to take.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Variant {
    /// On a square, a column comes before a row.
    pub(super) columns_first: bool,
    /// Lines are filled from their other end.
    pub(super) backwards: bool,
    /// Among equals others win.
    pub(super) lottery: u64,
}

impl Variant {
    /// The one with a number; neighbours differ most.
    pub(super) const fn number(number: usize) -> Self {
        Self {
            columns_first: number % 2 == 1,
            backwards: number / 2 % 2 == 1,
            lottery: number as u64,
        }
    }
}

/// The stages, and what follows from them for tiles and cells.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) stages: Vec<Stage>,
    pub(super) views: Vec<View>,
    /// From which stage on what is in a cell stays there.
    pub(super) kept_from: Vec<u32>,
    /// How early the turn of each tile comes: 0 for the first one, 1 for the last.
    pub(super) turn_of: Vec<f64>,
}

impl Plan {
    /// The rectangle that is left is at most this long and wide.
    pub(super) const REST: usize = 3;

    pub(super) fn new(position: &Position, variant: Variant) -> Self {
        let size = position.size();
        let columns = size.columns();
        let home = (size.row(position.goal()), size.column(position.goal()));
        let mut plan = Self {
            stages: Vec::new(),
            views: Vec::new(),
            kept_from: vec![u32::MAX; size.cells()],
            turn_of: vec![1.0; size.cells()],
        };
        let mut rest = Rectangle {
            top: 0,
            left: 0,
            rows: size.rows(),
            columns,
        };
        while rest.rows > Self::REST || rest.columns > Self::REST {
            let row =
                rest.rows > rest.columns || rest.rows == rest.columns && !variant.columns_first;
            let view = rest.peel(row, home, variant.backwards);
            plan.fill(view, columns);
        }
        plan.stages.push(Stage::Rest);
        let lines = plan.views.len() as f64 + 1.0;
        for turn in &mut plan.turn_of {
            *turn = (*turn / lines).min(1.0);
        }
        plan
    }

    /// Adds the stages of one line.
    fn fill(&mut self, view: View, columns: usize) {
        let line = self.views.len() as u16;
        let cells: Vec<u16> = (0..view.length())
            .map(|u| view.cell(u, 0, columns) as u16)
            .collect();
        for (index, &cell) in cells.iter().enumerate() {
            let within = index as f64 / cells.len() as f64;
            self.turn_of[usize::from(cell)] = f64::from(line) + within;
        }
        let (start, end) = cells.split_at(cells.len() - 2);
        for (index, &cell) in start.iter().enumerate() {
            self.kept_from[usize::from(cell)] = self.stages.len() as u32 + 1;
            self.stages.push(Stage::Place(Carry {
                tile: cell,
                to: cell,
                line,
                first: index == 0,
            }));
        }
        let beside = |back| view.cell(cells.len() - back, 1, columns) as u16;
        let turn = LineEnd {
            last: end[1],
            before: end[0],
            beside_last: beside(1),
            beside_before: beside(2),
        };
        self.stages.push(Stage::Park(line, turn));
        self.stages.push(Stage::Follow(line, turn));
        self.stages.push(Stage::Close(turn));
        for cell in end {
            self.kept_from[usize::from(*cell)] = self.stages.len() as u32;
        }
        self.views.push(view);
    }
}

/// The cells that are not yet filled.
struct Rectangle {
    top: usize,
    left: usize,
    rows: usize,
    columns: usize,
}

impl Rectangle {
    /// Takes off a row or a column on the side away from the home of the blank.
    fn peel(&mut self, row: bool, home: (usize, usize), backwards: bool) -> View {
        let (top, left) = (self.top, self.left);
        let (bottom, right) = (top + self.rows - 1, left + self.columns - 1);
        let ends = |a, b| if backwards { (b, a) } else { (a, b) };
        if row {
            self.rows -= 1;
            let (from, to) = ends(left, right);
            if home.0 == top {
                View::new((bottom, from), (bottom, to), (top, from))
            } else {
                self.top += 1;
                View::new((top, from), (top, to), (bottom, from))
            }
        } else {
            self.columns -= 1;
            let (from, to) = ends(top, bottom);
            if home.1 == left {
                View::new((from, right), (to, right), (from, left))
            } else {
                self.left += 1;
                View::new((from, left), (to, left), (from, right))
            }
        }
    }
}
