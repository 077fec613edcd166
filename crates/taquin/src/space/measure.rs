//! The nodes of an iteration, counted.

use super::branching::to_f64;
use crate::domain::{Domain, Sliding, TileState};
use crate::heuristic::Heuristic;
use crate::{Rng, uniform};

/// Counts the nodes that one depth-first iteration expands below a threshold, goals or not.
///
/// These are all nodes of the brute-force tree that can be reached from the start through nodes
/// with f = g + h of at most `threshold`, the start included; none if the start's own estimate
/// exceeds it. An iteration of IDA* that finds no goal expands exactly these.
///
/// `None` if there are more than `most`.
pub fn count_iteration<D, H>(
    domain: &D,
    start: &D::State,
    heuristic: &H,
    threshold: u32,
    most: u64,
) -> Option<u64>
where
    D: Domain,
    H: Heuristic<D>,
{
    let memo = heuristic.evaluate(domain, start);
    if heuristic.value(&memo) > threshold {
        return Some(0);
    }
    let mut expanded = 0;
    let mut stack = vec![(start.clone(), memo, None, 0_u32)];
    while let Some((state, memo, last, g)) = stack.pop() {
        if expanded == most {
            return None;
        }
        expanded += 1;
        for action in domain.actions_after(&state, last) {
            let (after, cost) = domain.successor(&state, action);
            let g = g.saturating_add(cost);
            let memo = heuristic.step(domain, &memo, &after, action);
            if g.saturating_add(heuristic.value(&memo)) <= threshold {
                stack.push((after, memo, Some(action), g));
            }
        }
    }
    Some(expanded)
}

/// What an iteration expands on average, counted on uniformly random boards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// The number of boards.
    pub boards: usize,
    /// The mean number of nodes, boards with too large an estimate counting as 0.
    pub nodes: f64,
    /// The standard error of the mean. A few boards near the goal have most of the nodes, so it is
    /// large.
    pub standard_error: f64,
}

impl Measurement {
    /// Counts on `boards` random boards (at least 2), which follow from the seed. `None` if all of
    /// them together have more than `most` nodes: to leave out the boards that are too large would
    /// falsify the mean.
    pub fn take<S, H>(
        puzzle: &Sliding<S>,
        heuristic: &H,
        threshold: u32,
        boards: usize,
        most: u64,
        seed: u64,
    ) -> Option<Self>
    where
        S: TileState,
        H: Heuristic<Sliding<S>>,
    {
        let boards = boards.max(2);
        let mut rng = Rng::from_seed(seed);
        let mut left = most;
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..boards {
            let board = uniform(puzzle.goal_board(), &mut rng);
            let start = puzzle.state(&board).ok()?;
            let nodes = count_iteration(puzzle, &start, heuristic, threshold, left)?;
            left -= nodes;
            #[expect(clippy::cast_precision_loss, reason = "nobody counts 2⁵² nodes")]
            let nodes = nodes as f64;
            sum += nodes;
            squares += nodes * nodes;
        }
        let count = to_f64(boards);
        let mean = sum / count;
        let variance = (squares / count - mean * mean).max(0.0) * count / (count - 1.0);
        Some(Self {
            boards,
            nodes: mean,
            standard_error: (variance / count).sqrt(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Cost, PackedState};
    use crate::heuristic::LinearConflict;
    use crate::outcome::Limits;
    use crate::search::idastar;
    use crate::{Board, Goal};

    #[test]
    fn an_iteration_without_a_solution_expands_what_is_counted() {
        let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
        let goal = Goal::Classic.board(board.size()).unwrap();
        let puzzle = Sliding::<PackedState>::new(&goal, Cost::Unit).unwrap();
        let heuristic = LinearConflict::new(&puzzle);
        let start = puzzle.state(&board).unwrap();
        let report = idastar(&puzzle, start, &heuristic, &Limits::default(), &mut ());
        let iterations = report.statistics.iterations;
        let (_, without_solution) = iterations.split_last().unwrap();
        assert!(!without_solution.is_empty());
        for iteration in without_solution {
            let count =
                |most| count_iteration(&puzzle, &start, &heuristic, iteration.threshold, most);
            assert_eq!(count(u64::MAX), Some(iteration.expanded));
            assert_eq!(count(iteration.expanded - 1), None);
        }
    }
}
