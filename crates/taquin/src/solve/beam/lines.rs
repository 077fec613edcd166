//! Manhattan distance and linear conflicts as a guide.

use crate::solve::position::Position;

use super::guide::{Appraisal, Guide, Slide};

/// Ranks boards by the squares of the tiles' distances, row by row and column by column, and by
/// linear conflicts.
///
/// Squares, because one tile that is far from home costs more than several that are nearly there: it
/// has to be fetched across all that is in order by then. Conflicts count for more than the two moves
/// that are proven, and for more still in lines far from the blank's home, which have to be in order
/// first.
#[derive(Debug)]
pub(crate) struct LineGuide {
    rows: usize,
    columns: usize,
    /// What a tile that must leave its line counts: for each row, then for each column.
    conflicts: Box<[u32]>,
    /// Row and column of each cell.
    places: Box<[(u8, u8)]>,
}

/// A line's contents are looked at one after the other.
#[derive(Clone, Copy)]
enum Line {
    Row(u8),
    Column(u8),
}

impl LineGuide {
    /// Longer lines do not fit into a word's bits.
    pub(crate) const MAX_LINE: usize = 32;
    /// Weights found by trying, on 6×6 to 10×10. What the square of a distance counts, and a tile that
    /// must leave its line: next to the blank's home, and how much more for each line further away.
    const SQUARE: i32 = 6;
    const CONFLICT: (u32, u32) = (48, 4);

    pub(crate) fn new(position: &Position) -> Self {
        let size = position.size();
        let (rows, columns) = (size.rows(), size.columns());
        let places: Box<[(u8, u8)]> = (0..size.cells())
            .map(|cell| (size.row(cell) as u8, size.column(cell) as u8))
            .collect();
        let (row, column) = places[position.goal()];
        let row_lines = (0..rows as u8).map(|r| r.abs_diff(row));
        let column_lines = (0..columns as u8).map(|c| c.abs_diff(column));
        let (near, more) = Self::CONFLICT;
        Self {
            rows,
            columns,
            conflicts: row_lines
                .chain(column_lines)
                .map(|away| near + more * u32::from(away))
                .collect(),
            places,
        }
    }

    /// The row and the column of a cell.
    #[inline(always)]
    fn place(&self, cell: u8) -> (u8, u8) {
        self.places[usize::from(cell)]
    }

    /// How many of a line's own tiles have to leave it: all but as many as stand in the right
    /// order. `contents` gives what is in a cell, if anything.
    #[inline(always)]
    fn leaving(&self, line: Line, contents: impl Fn(usize) -> Option<u8>) -> u32 {
        let (first, stride, count) = match line {
            Line::Row(row) => (usize::from(row) * self.columns, 1, self.columns),
            Line::Column(column) => (usize::from(column), self.columns, self.rows),
        };
        let (mut own, mut ends) = (0, 0);
        for tile in (0..count).filter_map(|i| contents(first + i * stride)) {
            let (row, column) = self.place(tile);
            let number = match line {
                Line::Row(this) if this == row => column,
                Line::Column(this) if this == column => row,
                _ => continue,
            };
            own += 1;
            ends = longer(ends, number);
        }
        own - ends.count_ones()
    }

    /// By how much a move changes the bound and the score.
    #[inline(always)]
    fn change(&self, homes: &[u8], slide: Slide) -> (i32, i32) {
        let Slide { tile, from, to } = slide;
        let (from_row, from_column) = self.place(from);
        let (to_row, to_column) = self.place(to);
        let (row, column) = self.place(tile);
        // A move changes one of the two distances, by one.
        let (steps, squares) = if from_column == to_column {
            nearer(from_row, to_row, row)
        } else {
            nearer(from_column, to_column, column)
        };
        let mut bound = steps;
        let mut score = squares * Self::SQUARE;
        // Only a tile that comes into its own line, or leaves it, changes the conflicts there.
        let line = if from_column == to_column && (row == from_row || row == to_row) {
            Some((Line::Row(row), usize::from(row)))
        } else if from_row == to_row && (column == from_column || column == to_column) {
            Some((Line::Column(column), self.rows + usize::from(column)))
        } else {
            None
        };
        if let Some((line, number)) = line {
            let (from, to) = (usize::from(from), usize::from(to));
            let before = self.leaving(line, |cell| (cell != to).then(|| homes[cell]));
            let after = self.leaving(line, |cell| match cell {
                _ if cell == from => None,
                _ if cell == to => Some(tile),
                _ => Some(homes[cell]),
            });
            let more = after.cast_signed() - before.cast_signed();
            bound += 2 * more;
            score += more * self.conflicts[number].cast_signed();
        }
        (bound, score)
    }
}

/// By how much a step from one line to another changes the distance to a third, and its square.
#[inline(always)]
fn nearer(from: u8, to: u8, home: u8) -> (i32, i32) {
    let (before, after) = (i32::from(from.abs_diff(home)), i32::from(to.abs_diff(home)));
    (after - before, after * after - before * before)
}

/// The last members of increasing subsequences, one for each length, as bits, after one more
/// number: there are as many as the longest has members.
#[inline(always)]
const fn longer(ends: u32, number: u8) -> u32 {
    let larger = ends & (u32::MAX << number);
    ends & !(larger & larger.wrapping_neg()) | 1 << number
}

impl Guide for LineGuide {
    type Glance = ();

    /// The bound and the score.
    fn words(&self) -> usize {
        1
    }

    fn begin(&self, homes: &[u8], blank: u8, notes: &mut [u64]) -> Appraisal {
        let (mut bound, mut score) = (0, 0);
        for (cell, &tile) in (0..).zip(homes).filter(|&(cell, _)| cell != blank) {
            let ((r, c), (row, column)) = (self.place(cell), self.place(tile));
            for steps in [r.abs_diff(row), c.abs_diff(column)].map(u32::from) {
                bound += steps;
                score += steps * steps * Self::SQUARE.cast_unsigned();
            }
        }
        let rows = (0..self.rows as u8).map(Line::Row);
        let lines = rows.chain((0..self.columns as u8).map(Line::Column));
        for (line, weight) in lines.zip(&self.conflicts) {
            let leaving = self.leaving(line, |cell| {
                (cell != usize::from(blank)).then(|| homes[cell])
            });
            bound += 2 * leaving;
            score += weight * leaving;
        }
        notes[0] = u64::from(bound) << 32 | u64::from(score);
        Appraisal { score, bound }
    }

    #[inline(always)]
    fn glance(&self, _: &[u64], _: Slide) {}

    #[inline(always)]
    fn appraise(&self, homes: &[u8], notes: &[u64], slide: Slide, (): ()) -> Appraisal {
        let (bound, score) = self.change(homes, slide);
        Appraisal {
            score: (notes[0] as u32).wrapping_add_signed(score),
            bound: ((notes[0] >> 32) as u32).wrapping_add_signed(bound),
        }
    }

    #[inline(always)]
    fn advance(&self, homes: &[u8], notes: &mut [u64], slide: Slide) {
        let Appraisal { score, bound } = self.appraise(homes, notes, slide, ());
        notes[0] = u64::from(bound) << 32 | u64::from(score);
    }
}
