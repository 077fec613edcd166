//! What every solution takes at least in multi-tile moves, for boards of any size.
//!
//! Slides along columns are counted at the borders between two rows. A slide takes at most one
//! tile over each border, so there are at least as many slides as tiles have to cross the busiest
//! one. Of the tiles that are in their own row but not in order, some have to leave it and come
//! back: twice over one of the two borders beside the row. The same goes for slides along rows.
//! And because the two kinds alternate, there are nearly as many of one as of the other.

use super::bound::out_of_order;
use crate::heuristic::alternating;
use crate::solve::position::Position;

/// Slides that are needed at least, as seen from this end of the way.
pub(super) fn slide_bound(position: &Position) -> u32 {
    let size = position.size();
    let (rows, columns) = (size.rows(), size.columns());
    let row = |row: usize, place: usize| row * columns + place;
    let column = |column: usize, place: usize| place * columns + column;
    let along_columns = over_borders(position, (rows, columns), row, |cell| {
        (size.row(cell), size.column(cell))
    });
    let along_rows = over_borders(position, (columns, rows), column, |cell| {
        (size.column(cell), size.row(cell))
    });
    alternating(along_columns, along_rows)
}

/// Slides across the lines of one kind that are needed at least. There are so many lines of so many
/// cells; `cell` says which cell is in which line and place, `place` which line and place a cell is.
fn over_borders(
    position: &Position,
    (lines, length): (usize, usize),
    cell: impl Fn(usize, usize) -> usize,
    place: impl Fn(usize) -> (usize, usize),
) -> u32 {
    let homes = position.homes();
    let mut borders = vec![0_u32; lines - 1];
    let mut leaving = Vec::with_capacity(lines);
    let mut ends = Vec::new();
    for line in 0..lines {
        let tiles = (0..length).map(|at| cell(line, at));
        let tiles = tiles.filter(|&cell| cell != position.blank());
        let tiles = tiles.map(|cell| place(usize::from(homes[cell])));
        let mut own = Vec::new();
        for (home, at) in tiles {
            for border in &mut borders[home.min(line)..home.max(line)] {
                *border += 1;
            }
            if home == line {
                own.push(at);
            }
        }
        leaving.push(out_of_order(own.into_iter(), &mut ends) as u32);
    }
    // The smallest number for which all borders have room.
    let mut least = borders.iter().copied().max().unwrap_or(0);
    let mut enough = least + 2 * leaving.iter().sum::<u32>();
    while least < enough {
        let middle = least.midpoint(enough);
        if fits(&borders, &leaving, middle) {
            enough = middle;
        } else {
            least = middle + 1;
        }
    }
    enough
}

/// Whether each border can be crossed at most so often, if tiles that leave their line take the
/// border with more room. What one line leaves of the border before it is of no use to a later one,
/// so it takes as much there as it can.
fn fits(borders: &[u32], leaving: &[u32], most: u32) -> bool {
    // How many tiles can cross the border before this line and come back.
    let mut room = 0;
    for (line, &tiles) in leaving.iter().enumerate() {
        let after = borders.get(line).map_or(0, |&border| (most - border) / 2);
        let rest = tiles.saturating_sub(room);
        if rest > after {
            return false;
        }
        room = after - rest;
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::outcome::Budget;
    use crate::solve::anytime::lower_bound;
    use crate::solve::position::Position;
    use crate::space::Space;
    use crate::{Board, Goal, Metric, Reduction, Rng, random_walk_end, uniform};

    /// Compares the bound with the truth on random boards, and on some near the goal; the mean of
    /// both on the random ones.
    fn judge(goal: &Board) -> (f64, f64) {
        let reduction = Reduction::new(goal);
        let space = Space::new(goal, Metric::Multi).unwrap();
        let atlas = space.search(2, &Budget::default()).unwrap();
        let mut rng = Rng::from_seed(1);
        let mut sums = (0, 0);
        for i in 0..4000 {
            let board = match i % 2 {
                0 => uniform(goal, &mut rng),
                _ => random_walk_end(goal, i / 50, &mut rng),
            };
            let position = Position::new(&reduction, &reduction.reduce(&board).unwrap());
            let bound = lower_bound(&position, Metric::Multi);
            let distance = atlas.distance(&board).unwrap();
            assert!(bound <= distance, "{board}: {bound}, not {distance}");
            assert_eq!(bound == 0, distance == 0, "{board}");
            if i % 2 == 0 {
                sums = (sums.0 + bound, sums.1 + distance);
            }
        }
        (f64::from(sums.0) / 2000.0, f64::from(sums.1) / 2000.0)
    }

    #[test]
    fn no_bound_is_above_the_truth() {
        for size in ["2x2", "2x3", "3x2", "2x4", "3x3", "2x5", "5x2"] {
            for goal in [Goal::Classic, Goal::Snail] {
                let (bound, distance) = judge(&goal.board(size.parse().unwrap()).unwrap());
                // Poor, but not idle.
                assert!(bound > distance / 3.0, "{size}: {bound} of {distance}");
            }
        }
    }
}
