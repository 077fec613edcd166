//! What every solution of a board takes at least, for boards of any size.

use super::slide_bound;
use crate::Metric;
use crate::solve::position::Position;

/// What every solution takes at least: of the board, or of the way back from the goal, whichever
/// says more. In single-tile moves it has the parity of every solution.
pub(crate) fn lower_bound(position: &Position, metric: Metric) -> u32 {
    let one_way = |position: &Position| match metric {
        Metric::Single => one_way(position),
        Metric::Multi => slide_bound(position),
    };
    one_way(position).max(one_way(&position.inverse()))
}

/// Manhattan distance and linear conflicts.
fn one_way(position: &Position) -> u32 {
    let size = position.size();
    let (rows, columns) = (size.rows(), size.columns());
    let homes = position.homes();
    let tile = |cell: usize| (cell != position.blank()).then(|| usize::from(homes[cell]));
    let steps = |cell: usize| Some(size.distance(tile(cell)?, cell));
    let manhattan: usize = (0..size.cells()).filter_map(steps).sum();
    let mut ends = Vec::new();
    let mut leaving = 0;
    for row in 0..rows {
        let own = (0..columns).filter_map(|column| tile(row * columns + column));
        let own = own.filter(|&home| size.row(home) == row);
        leaving += out_of_order(own.map(|home| size.column(home)), &mut ends);
    }
    for column in 0..columns {
        let own = (0..rows).filter_map(|row| tile(row * columns + column));
        let own = own.filter(|&home| size.column(home) == column);
        leaving += out_of_order(own.map(|home| size.row(home)), &mut ends);
    }
    (manhattan + 2 * leaving) as u32
}

/// How many numbers have to go so that the others increase. `ends` is there to save its memory.
pub(super) fn out_of_order(numbers: impl Iterator<Item = usize>, ends: &mut Vec<usize>) -> usize {
    ends.clear();
    let mut count = 0;
    for number in numbers {
        count += 1;
        // The smallest end of an increasing subsequence of each length.
        let place = ends.partition_point(|&end| end < number);
        if place == ends.len() {
            ends.push(number);
        } else {
            ends[place] = number;
        }
    }
    count - ends.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Cost;
    use crate::heuristic::HeuristicKind;
    use crate::search::Laboratory;
    use crate::{Goal, Reduction, Rng, uniform};

    #[test]
    fn one_way_it_is_the_linear_conflict_of_the_laboratory() {
        let mut rng = Rng::from_seed(6);
        for size in ["3x3", "4x4", "3x7", "9x9", "5x12"] {
            let goal = Goal::Classic.board(size.parse().unwrap()).unwrap();
            let laboratory =
                Laboratory::new(&goal, Cost::Unit, HeuristicKind::LinearConflict).unwrap();
            let reduction = Reduction::new(&goal);
            for _ in 0..20 {
                let board = uniform(&goal, &mut rng);
                let position = Position::new(&reduction, &reduction.reduce(&board).unwrap());
                assert_eq!(laboratory.estimate(&board), Ok(one_way(&position)));
            }
        }
    }
}
