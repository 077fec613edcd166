//! What ranks boards in a beam by multi-tile moves.

use crate::solve::position::Position;

/// A cell, or a tile by its home. Numbers of lines and places in them are bytes.
pub(super) type Cell = u16;

/// A line of cells: where it begins, how far apart its cells are, and how many there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    first: Cell,
    stride: Cell,
    pub(super) length: u8,
}

impl Line {
    #[inline(always)]
    pub(super) const fn cell(self, place: u8) -> Cell {
        self.first
            .wrapping_add(self.stride.wrapping_mul(place as Cell))
    }
}

/// The two ways a slide can go: numbers, because `axis ^ 1` is the other one.
pub(super) const ROW: usize = 0;
pub(super) const COLUMN: usize = 1;

/// The most lines of either kind: they are bits of a word.
pub(super) const LINES: usize = 64;

/// Ranks boards by three things, each a sum.
///
/// For each tile, how far from home it is, in both directions: one line away counts next to
/// nothing, since slides that are needed anyway will take it there, and from then on ever more. In
/// each line, for every two neighbours, how much their homes are in order. And linear conflicts,
/// which count for more in lines far from the blank's home, as in
/// [`LineGuide`](super::LineGuide).
#[derive(Debug)]
pub(crate) struct SlideGuide {
    /// Rows and columns, in the order of [`ROW`] and [`COLUMN`].
    lines: [Box<[Line]>; 2],
    /// For each cell its place in its row and in its column.
    places: Box<[[u8; 2]]>,
    /// What a tile counts that is so many rows and columns from home: 0 at home and nowhere else.
    tiles: Box<[[u32; LINES]]>,
    /// What two neighbours of a line count, by how much further the home of the second is.
    pairs: Box<[u16]>,
    /// What a tile counts that must leave its line, for rows and for columns.
    conflicts: [Box<[u32]>; 2],
    /// No two places of a line are further apart.
    reach: usize,
}

/// The change of one line: what is in one of its places, before and after.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineChange {
    pub(super) axis: usize,
    pub(super) line: u8,
    pub(super) place: u8,
    pub(super) before: Option<Cell>,
    pub(super) after: Option<Cell>,
}

/// Weights learned on 5×5 and 6×6: those by which the boards on the way to a solution stand out
/// most from the others of a beam.
mod weights {
    /// A tile that is not at home.
    pub(super) const AWAY: f64 = 1.0;
    /// A tile two lines away, and how that grows with the lines beyond the first.
    pub(super) const FAR: (f64, f64) = (38.0, 1.8);
    /// A tile in the wrong row and the wrong column, and how that grows with the smaller distance.
    pub(super) const BOTH: (f64, f64) = (33.0, 0.5);
    /// Two neighbours whose homes are in the wrong order, for each line; in the same line; next to
    /// each other; two lines apart; further apart.
    pub(super) const INVERTED: u16 = 28;
    pub(super) const SAME: u16 = 20;
    pub(super) const NEXT: u16 = 0;
    pub(super) const SECOND: u16 = 14;
    pub(super) const APART: u16 = 24;
    /// A tile that must leave its line: next to the blank's home, and for each line further away.
    pub(super) const CONFLICT: (u32, u32) = (90, 5);
}

impl SlideGuide {
    /// A guide for boards of at most [`LINES`] rows and columns.
    pub(crate) fn new(position: &Position) -> Self {
        let size = position.size();
        let (rows, columns, cells) = (size.rows(), size.columns(), size.cells());
        let line = |first: usize, stride: usize, length: usize| Line {
            first: first as Cell,
            stride: stride as Cell,
            length: length as u8,
        };
        let goal = position.goal();
        let reach = rows.max(columns) - 1;
        let conflict = |away: usize| weights::CONFLICT.0 + weights::CONFLICT.1 * away as u32;
        let conflicts = |lines: usize, home: usize| -> Box<[u32]> {
            (0..lines).map(|l| conflict(l.abs_diff(home))).collect()
        };
        Self {
            lines: [
                (0..rows)
                    .map(|row| line(row * columns, 1, columns))
                    .collect(),
                (0..columns)
                    .map(|column| line(column, columns, rows))
                    .collect(),
            ],
            places: (0..cells)
                .map(|cell| [size.column(cell) as u8, size.row(cell) as u8])
                .collect(),
            tiles: (0..LINES)
                .map(|a| std::array::from_fn(|b| away(a, b)))
                .collect(),
            pairs: (0..=2 * reach).map(|i| in_order(i, reach)).collect(),
            conflicts: [
                conflicts(rows, size.row(goal)),
                conflicts(columns, size.column(goal)),
            ],
            reach,
        }
    }

    /// The place of a cell in its line of this axis, which is the number of its other line.
    #[inline(always)]
    pub(super) fn place(&self, axis: usize, cell: Cell) -> u8 {
        self.places[usize::from(cell)][axis & 1]
    }

    #[inline(always)]
    pub(super) fn line(&self, axis: usize, number: u8) -> Line {
        self.lines[axis & 1][usize::from(number)]
    }

    /// What a tile counts in a place of a line.
    #[inline(always)]
    pub(super) fn tile(&self, axis: usize, tile: Cell, line: u8, place: u8) -> i32 {
        let across = self.place(axis ^ 1, tile).abs_diff(line);
        let along = self.place(axis, tile).abs_diff(place);
        self.tiles[usize::from(across) % LINES][usize::from(along) % LINES].cast_signed()
    }

    /// What two neighbours in a line count.
    #[inline(always)]
    fn pair(&self, axis: usize, first: Cell, second: Cell) -> i32 {
        let [first, second] = [first, second].map(|tile| usize::from(self.place(axis, tile)));
        i32::from(self.pairs[self.reach + second - first])
    }

    /// How many of a line's own tiles have to leave it, so that the others are in order; `changed`
    /// stands for what is in one of its places.
    #[inline(always)]
    fn leaving(&self, homes: &[Cell], change: LineChange, changed: Option<Cell>) -> i32 {
        let LineChange {
            axis, line, place, ..
        } = change;
        let cells = self.line(axis, line);
        let (mut own, mut ends) = (0, 0_u64);
        for i in 0..cells.length {
            let tile = if i == place {
                let Some(tile) = changed else { continue };
                tile
            } else {
                homes[usize::from(cells.cell(i))]
            };
            if self.place(axis ^ 1, tile) == line {
                own += 1;
                // The last members of increasing subsequences, one for each length.
                let number = self.place(axis, tile);
                let larger = ends & (u64::MAX << number);
                ends = ends & !(larger & larger.wrapping_neg()) | 1 << number;
            }
        }
        own - ends.count_ones().cast_signed()
    }

    /// What a tile, or none, counts between its neighbours in a line.
    #[inline(always)]
    fn between(
        &self,
        axis: usize,
        left: Option<Cell>,
        tile: Option<Cell>,
        right: Option<Cell>,
    ) -> i32 {
        let pair = |a: Option<Cell>, b: Option<Cell>| match (a, b) {
            (Some(a), Some(b)) => self.pair(axis, a, b),
            _ => 0,
        };
        match tile {
            Some(_) => pair(left, tile) + pair(tile, right),
            None => pair(left, right),
        }
    }

    /// By how much a change of a line changes what lines count. The blank is in no other place of
    /// it.
    #[inline(always)]
    pub(super) fn change(&self, homes: &[Cell], change: LineChange) -> i32 {
        let LineChange {
            axis,
            line,
            place,
            before,
            after,
        } = change;
        let cells = self.line(axis, line);
        let at = |place: u8| homes[usize::from(cells.cell(place))];
        let left = (place > 0).then(|| at(place - 1));
        let right = (place + 1 < cells.length).then(|| at(place + 1));
        let mut sum =
            self.between(axis, left, after, right) - self.between(axis, left, before, right);
        let is_own =
            |tile: Option<Cell>| tile.is_some_and(|tile| self.place(axis ^ 1, tile) == line);
        if is_own(before) || is_own(after) {
            let more = self.leaving(homes, change, after) - self.leaving(homes, change, before);
            sum += more * self.conflicts[axis & 1][usize::from(line)].cast_signed();
        }
        sum
    }

    /// What all tiles count, and what all lines do.
    pub(super) fn sums(&self, homes: &[Cell], blank: Cell) -> (u32, u32) {
        let tiles = (0..).zip(homes).filter(|&(cell, _)| cell != blank);
        let count = |(cell, &tile)| {
            let [place, line] = self.places[usize::from(cell)];
            self.tile(ROW, tile, line, place)
        };
        let tiles = tiles.map(count).sum::<i32>();
        let mut lines = 0;
        for axis in [ROW, COLUMN] {
            for (line, cells) in (0..).zip(&self.lines[axis]) {
                let row = (0..cells.length).map(|place| cells.cell(place));
                let row: Vec<Cell> = row.filter(|&cell| cell != blank).collect();
                let pair = |two: &[Cell]| {
                    let [a, b] = [two[0], two[1]].map(|cell| homes[usize::from(cell)]);
                    self.pair(axis, a, b)
                };
                lines += row.windows(2).map(pair).sum::<i32>();
                // The blank's place, or any with what is there.
                let own = self.place(axis ^ 1, blank) == line;
                let place = if own { self.place(axis, blank) } else { 0 };
                let there = (!own).then(|| homes[usize::from(cells.cell(0))]);
                let change = LineChange {
                    axis,
                    line,
                    place,
                    before: None,
                    after: None,
                };
                let leaving = self.leaving(homes, change, there);
                lines += leaving * self.conflicts[axis][usize::from(line)].cast_signed();
            }
        }
        (tiles.cast_unsigned(), lines.cast_unsigned())
    }
}

/// What a tile counts that is so many rows and columns from home.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "distances are small"
)]
fn away(down: usize, along: usize) -> u32 {
    if down == 0 && along == 0 {
        return 0;
    }
    let (far, power) = weights::FAR;
    let one = |lines: usize| far * (lines.saturating_sub(1) as f64).powf(power);
    let (both, grows) = weights::BOTH;
    let both = match down.min(along) {
        0 => 0.0,
        less => both * (less as f64).powf(grows),
    };
    (weights::AWAY + one(down) + one(along) + both).round() as u32
}

/// What two neighbours count whose homes are in places `reach` and `place` of a line.
const fn in_order(place: usize, reach: usize) -> u16 {
    if place < reach {
        return weights::SAME + weights::INVERTED * (reach - place) as u16;
    }
    match place - reach {
        0 => weights::SAME,
        1 => weights::NEXT,
        2 => weights::SECOND,
        _ => weights::APART,
    }
}
