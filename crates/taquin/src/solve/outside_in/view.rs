//! The board as seen from one of its lines.

/// A line at the rim and what lies behind it: `u` counts along the line, `v` away from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    start: (i32, i32),
    along: (i32, i32),
    away: (i32, i32),
    length: usize,
}

impl View {
    /// The view from a line between two cells, and on to a third one opposite its start.
    pub(super) fn new(start: (usize, usize), end: (usize, usize), behind: (usize, usize)) -> Self {
        let at = |(row, column): (usize, usize)| (row as i32, column as i32);
        let (start, end, behind) = (at(start), at(end), at(behind));
        let towards = |to: (i32, i32)| ((to.0 - start.0).signum(), (to.1 - start.1).signum());
        Self {
            start,
            along: towards(end),
            away: towards(behind),
            length: ((end.0 - start.0).abs() + (end.1 - start.1).abs()) as usize + 1,
        }
    }

    /// How many cells the line has.
    pub(super) const fn length(&self) -> usize {
        self.length
    }

    /// The `u` and `v` of a row and a column.
    #[inline]
    pub(super) const fn of(&self, (row, column): (i32, i32)) -> (i32, i32) {
        let (row, column) = (row - self.start.0, column - self.start.1);
        (
            row * self.along.0 + column * self.along.1,
            row * self.away.0 + column * self.away.1,
        )
    }

    /// The cell at `u` and `v`.
    pub(super) const fn cell(&self, u: usize, v: usize, columns: usize) -> usize {
        let (u, v) = (u as i32, v as i32);
        let row = self.start.0 + u * self.along.0 + v * self.away.0;
        let column = self.start.1 + u * self.along.1 + v * self.away.1;
        row as usize * columns + column as usize
    }
}
