//! How many nodes an iteration of IDA* expands (Korf, Reid & Edelkamp 2001).
//!
//! Take a uniformly random solvable board and make any fixed sequence of moves: the result is again
//! uniform, among the boards with the blank where the sequence puts it. So of the nodes at depth i
//! of the brute-force tree that have their blank on a cell c, the share with an estimate of at most
//! v is P(h ≤ v | c), the share among all solvable boards with their blank there. An iteration with
//! threshold d needs f = i + h ≤ d. With a consistent estimate f never falls along a path, so a node
//! with f ≤ d is always reached, and the iteration expands on average
//!
//! > E(d) = Σᵢ Σ_c Nᵢ(c) · P(h ≤ d − i | c)
//!
//! nodes. The published formula uses one distribution for all cells, weighted as the blanks of deep
//! levels are. Keeping the cells apart costs nothing and makes the formula exact on average over all
//! starts, at every depth, and with the parity of the estimate taken care of.

use super::Equilibrium;
use super::branching::{TreeLevels, to_f64};
use crate::domain::{Sliding, TileState};
use crate::heuristic::Heuristic;
use crate::{BlankClass, Board, Invariant, Rng, Size, Tile, uniform};

/// How often a heuristic takes each value among the solvable boards of a size, for each place of the
/// blank.
#[derive(Clone, Debug)]
pub struct Distribution {
    size: Size,
    /// The group of each cell. On large boards, cells of one class and colour share one.
    group_of: Box<[u16]>,
    groups: Vec<Group>,
    boards: usize,
    exact: bool,
}

/// The boards with their blank on some cells.
#[derive(Clone, Debug, Default)]
struct Group {
    boards: f64,
    /// For each value, the weights of the boards that have it, and their squares.
    values: Vec<(f64, f64)>,
}

impl Group {
    fn add(&mut self, value: u32, weight: f64) {
        let value = value as usize;
        if self.values.len() <= value {
            self.values.resize(value + 1, (0.0, 0.0));
        }
        self.boards += 1.0;
        self.values[value].0 += weight;
        self.values[value].1 += weight * weight;
    }

    /// The values with the weights of their boards.
    fn weights(&self) -> impl Iterator<Item = (usize, f64)> {
        self.values.iter().map(|value| value.0).enumerate()
    }

    fn total(&self) -> f64 {
        self.weights().map(|(_, weight)| weight).sum()
    }
}

/// The nodes that an iteration expands, predicted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The natural logarithm of the number of nodes; −∞ for none.
    pub ln_nodes: f64,
    /// The standard error as a share of the number, from the sampling: 0 if all boards were looked
    /// at. It does not know of values that no sample had, so where it is large the number is more
    /// likely too small than too large.
    pub relative_error: f64,
}

impl Prediction {
    /// The number of nodes; infinite where that is more than an `f64` holds.
    #[must_use]
    pub fn nodes(&self) -> f64 {
        self.ln_nodes.exp()
    }
}

impl Distribution {
    /// Up to this many cells each has a group of its own, and samples lean towards small values.
    const MAX_CELLS: usize = 64;

    /// Looks at every solvable board: 181,440 on 3×3, and out of the question beyond ten cells or
    /// so.
    #[must_use]
    pub fn exact<S, H>(puzzle: &Sliding<S>, heuristic: &H) -> Self
    where
        S: TileState,
        H: Heuristic<Sliding<S>>,
    {
        let mut all = Self::empty(puzzle.size());
        all.exact = true;
        let parity = Invariant::of(puzzle.goal_board()).parity();
        let mut tiles: Vec<Tile> = (0..puzzle.size().cells()).map(|t| t as Tile).collect();
        each_permutation(&mut tiles, 0, &mut |tiles| {
            let board = Board::from_permutation(puzzle.size(), tiles);
            if Invariant::of(&board).parity() == parity {
                all.look(puzzle, heuristic, &board, 1.0);
            }
        });
        all
    }

    /// Looks at random boards, which follow from the seed.
    ///
    /// A prediction lives on small values: the deeper levels of the tree are so much larger that a
    /// board in a million counts if its estimate is small. Uniform samples never meet it. So
    /// three of four samples are drawn with tiles that lean towards their homes, more or less
    /// strongly, and every board is weighted by how much more likely that made it. This is
    /// importance sampling from a mixture: the expected result is the same, and no board weighs
    /// more than four times what it would in a uniform sample. Boards of more than 64 cells are
    /// drawn uniformly.
    #[must_use]
    pub fn sample<S, H>(puzzle: &Sliding<S>, heuristic: &H, samples: usize, seed: u64) -> Self
    where
        S: TileState,
        H: Heuristic<Sliding<S>>,
    {
        let mut all = Self::empty(puzzle.size());
        let mut rng = Rng::from_seed(seed);
        let cells = puzzle.size().cells();
        if cells <= Self::MAX_CELLS {
            let leaning = Leaning::new(puzzle.goal_board());
            for number in 0..samples {
                let blank = number % cells;
                let tendency = number / cells % TENDENCIES.len();
                let (board, weight) = leaning.draw(blank, tendency, &mut rng);
                all.look(puzzle, heuristic, &board, weight);
            }
        } else {
            for _ in 0..samples {
                let board = uniform(puzzle.goal_board(), &mut rng);
                all.look(puzzle, heuristic, &board, 1.0);
            }
        }
        all
    }

    /// Whichever is less work: [`exact`](Self::exact) if there are no more boards than samples.
    #[must_use]
    pub fn new<S, H>(puzzle: &Sliding<S>, heuristic: &H, samples: usize, seed: u64) -> Self
    where
        S: TileState,
        H: Heuristic<Sliding<S>>,
    {
        let boards = (3..=puzzle.size().cells()).try_fold(1_usize, usize::checked_mul);
        if boards.is_some_and(|boards| boards <= samples) {
            Self::exact(puzzle, heuristic)
        } else {
            Self::sample(puzzle, heuristic, samples, seed)
        }
    }

    fn empty(size: Size) -> Self {
        let cells = size.cells();
        let group_of: Box<[u16]> = (0..cells)
            .map(|cell| {
                if cells <= Self::MAX_CELLS {
                    return cell as u16;
                }
                let class = match size.class(cell) {
                    BlankClass::Corner => 0,
                    BlankClass::Edge => 1,
                    BlankClass::Inside => 2,
                };
                2 * class + size.colour(cell) as u16
            })
            .collect();
        let groups = group_of.iter().max().map_or(0, |&g| usize::from(g) + 1);
        Self {
            size,
            group_of,
            groups: vec![Group::default(); groups],
            boards: 0,
            exact: false,
        }
    }

    fn look<S, H>(&mut self, puzzle: &Sliding<S>, heuristic: &H, board: &Board, weight: f64)
    where
        S: TileState,
        H: Heuristic<Sliding<S>>,
    {
        let Ok(state) = puzzle.state(board) else {
            return; // Never: the board was made for the puzzle.
        };
        let value = heuristic.value(&heuristic.evaluate(puzzle, &state));
        self.groups[usize::from(self.group_of[board.blank()])].add(value, weight);
        self.boards += 1;
    }

    /// How many boards were looked at.
    #[must_use]
    pub const fn boards(&self) -> usize {
        self.boards
    }

    /// Whether these were all there are.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.exact
    }

    /// The mean value over uniformly random boards.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let each = 1.0 / to_f64(self.size.cells());
        self.mean_weighted(|_| each)
    }

    /// The mean value over the nodes of a deep level of the brute-force tree.
    #[must_use]
    pub fn equilibrium_mean(&self, equilibrium: &Equilibrium) -> f64 {
        self.mean_weighted(|cell| equilibrium.share(cell))
    }

    fn mean_weighted(&self, share: impl Fn(usize) -> f64) -> f64 {
        let of_group = |group: &Group| {
            let sum: f64 = group.weights().map(|(v, weight)| to_f64(v) * weight).sum();
            let total = group.total();
            (total > 0.0).then(|| sum / total)
        };
        let means: Vec<Option<f64>> = self.groups.iter().map(of_group).collect();
        let (mut sum, mut shares) = (0.0, 0.0);
        for (cell, &group) in self.group_of.iter().enumerate() {
            if let Some(mean) = means[usize::from(group)] {
                sum += share(cell) * mean;
                shares += share(cell);
            }
        }
        sum / shares
    }

    /// The probability that a uniformly random board has at most this value.
    #[must_use]
    pub fn probability(&self, value: u32) -> f64 {
        let of_cell = |&group: &u16| {
            let group = &self.groups[usize::from(group)];
            let up_to = group.weights().take(value as usize + 1);
            up_to.map(|(_, weight)| weight).sum::<f64>() / group.boards.max(1.0)
        };
        self.group_of.iter().map(of_cell).sum::<f64>() / to_f64(self.size.cells())
    }

    /// What an iteration with this threshold expands on average over all boards, those whose own
    /// estimate exceeds the threshold counting as 0.
    ///
    /// Exact if the distribution is exact and the estimate consistent; of an estimate that is not,
    /// it is an upper bound, as a node can be cut off above one that would pass.
    #[must_use]
    pub fn predict(&self, threshold: u32) -> Prediction {
        self.along(TreeLevels::uniform(self.size), threshold)
    }

    /// What an iteration with this threshold expands on average over all boards whose blank is on
    /// one cell: see [`predict`](Self::predict).
    #[must_use]
    pub fn predict_from(&self, blank: usize, threshold: u32) -> Prediction {
        self.along(TreeLevels::from_cell(self.size, blank), threshold)
    }

    fn along(&self, levels: TreeLevels, threshold: u32) -> Prediction {
        let smallest = |group: &Group| group.values.iter().position(|value| value.0 > 0.0);
        let smallest = self.groups.iter().filter_map(smallest).min();
        // Below the smallest value that was seen no node counts; the levels that can are few.
        let deepest = smallest.and_then(|value| (threshold as usize).checked_sub(value));
        let Some(deepest) = deepest else {
            return Prediction {
                ln_nodes: f64::NEG_INFINITY,
                relative_error: if self.exact { 0.0 } else { f64::INFINITY },
            };
        };
        // 1. For each group and depth, the nodes of the tree down to there with the blank in that
        //    group, as a share of those of the deepest level.
        let levels: Vec<_> = levels.take(deepest + 1).collect();
        let ln_scale = levels[deepest].ln_nodes();
        let mut so_far = vec![0.0; self.groups.len()];
        let mut down_to = Vec::with_capacity(levels.len());
        for level in &levels {
            let nodes = (level.ln_nodes() - ln_scale).exp();
            for (cell, &group) in self.group_of.iter().enumerate() {
                so_far[usize::from(group)] += nodes * level.share(cell);
            }
            down_to.push(so_far.clone());
        }
        // 2. A board with value h stands for the nodes down to depth `threshold` - h.
        let (mut nodes, mut variance) = (0.0, 0.0);
        for (g, group) in self.groups.iter().enumerate() {
            let (mut sum, mut squares) = (0.0, 0.0);
            for (value, &(weight, square)) in group.values.iter().enumerate() {
                if let Some(depth) = (threshold as usize).checked_sub(value)
                    && weight > 0.0
                {
                    let worth = down_to[depth][g];
                    sum += worth * weight;
                    squares += worth * worth * square;
                }
            }
            let boards = group.boards.max(1.0);
            let mean = sum / boards;
            nodes += mean;
            variance += (squares / boards - mean * mean).max(0.0) / boards;
        }
        Prediction {
            ln_nodes: ln_scale + nodes.ln(),
            relative_error: match nodes > 0.0 {
                _ if self.exact => 0.0,
                true => variance.sqrt() / nodes,
                false => f64::INFINITY,
            },
        }
    }
}

/// Calls `see` with every order of the tiles from `fixed` on.
fn each_permutation(tiles: &mut [Tile], fixed: usize, see: &mut impl FnMut(&[Tile])) {
    if fixed + 1 >= tiles.len() {
        return see(tiles);
    }
    for i in fixed..tiles.len() {
        tiles.swap(fixed, i);
        each_permutation(tiles, fixed + 1, see);
        tiles.swap(fixed, i);
    }
}

/// How strongly tiles lean towards their homes: a cell one step farther away is chosen e^-t times as
/// often. The first is not at all.
const TENDENCIES: [f64; 4] = [0.0, 0.3, 0.6, 0.9];

/// Draws boards whose tiles lean towards their homes, and knows how likely each was.
struct Leaning {
    size: Size,
    parity: u8,
    /// For each tile and cell, how attractive the cell is under each tendency.
    pull: Vec<[f64; TENDENCIES.len()]>,
}

impl Leaning {
    fn new(goal: &Board) -> Self {
        let size = goal.size();
        let homes = goal.cells_of_tiles();
        let pull = homes
            .iter()
            .flat_map(|&home| (0..size.cells()).map(move |cell| (home, cell)))
            .map(|(home, cell)| {
                let distance = to_f64(size.distance(home, cell));
                TENDENCIES.map(|tendency| (-tendency * distance).exp())
            })
            .collect();
        Self {
            size,
            parity: Invariant::of(goal).parity(),
            pull,
        }
    }

    /// A solvable board with the blank on a cell, and how likely it would be in a uniform sample
    /// against how likely it is in one of all tendencies.
    ///
    /// Tiles choose their cells one after the other, in a random order that says nothing about the
    /// result. Of the two ways to place the last two, one makes a solvable board.
    fn draw(&self, blank: usize, tendency: usize, rng: &mut Rng) -> (Board, f64) {
        let cells = self.size.cells();
        let mut order: Vec<usize> = (1..cells).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        let mut free: Vec<usize> = (0..cells).filter(|&cell| cell != blank).collect();
        let mut tiles: Vec<Tile> = vec![0; cells];
        // The probability of all choices so far under each tendency, against a uniform choice.
        let mut likelihood = [1.0; TENDENCIES.len()];
        let (last, first) = (order.split_off(order.len() - 2), order);
        for tile in first {
            let pulls = &self.pull[tile * cells..][..cells];
            let mut sums = [0.0; TENDENCIES.len()];
            for &cell in &free {
                for (sum, pull) in sums.iter_mut().zip(&pulls[cell]) {
                    *sum += pull;
                }
            }
            let mut point = unit(rng) * sums[tendency];
            let stops_at = |&cell: &usize| {
                point -= pulls[cell][tendency];
                point < 0.0
            };
            // Rounding may leave the point behind the last cell.
            let chosen = free.iter().position(stops_at).unwrap_or(free.len() - 1);
            let choices = to_f64(free.len());
            let cell = free.swap_remove(chosen);
            tiles[cell] = tile as Tile;
            for ((all, pull), sum) in likelihood.iter_mut().zip(&pulls[cell]).zip(sums) {
                *all *= pull / sum * choices;
            }
        }
        tiles[free[0]] = last[0] as Tile;
        tiles[free[1]] = last[1] as Tile;
        let mut board = Board::from_permutation(self.size, &tiles);
        if Invariant::of(&board).parity() != self.parity {
            tiles.swap(free[0], free[1]);
            board = Board::from_permutation(self.size, &tiles);
        }
        let mixture = likelihood.iter().sum::<f64>() / to_f64(TENDENCIES.len());
        (board, 1.0 / mixture)
    }
}

/// A number from 0 up to 1.
#[expect(clippy::cast_precision_loss, reason = "53 bits fit exactly")]
fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Cost, PackedState};
    use crate::heuristic::{AnyHeuristic, HeuristicKind, Manhattan};
    use crate::space::{Measurement, count_iteration};
    use crate::{Goal, Solvability};

    fn puzzle(size: &str, goal: &Goal) -> Sliding<PackedState> {
        let goal = goal.board(size.parse().unwrap()).unwrap();
        Sliding::new(&goal, Cost::Unit).unwrap()
    }

    fn all_boards(puzzle: &Sliding<PackedState>) -> Vec<PackedState> {
        let mut states = Vec::new();
        let mut tiles: Vec<Tile> = (0..puzzle.size().cells()).map(|t| t as Tile).collect();
        each_permutation(&mut tiles, 0, &mut |tiles| {
            let board = Board::from_tiles(puzzle.size(), tiles).unwrap();
            let verdict = Solvability::of(&board, puzzle.goal_board()).unwrap();
            if verdict.is_solvable() {
                states.push(puzzle.state(&board).unwrap());
            }
        });
        states
    }

    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn measured(
        puzzle: &Sliding<PackedState>,
        states: &[PackedState],
        h: &AnyHeuristic,
        threshold: u32,
    ) -> f64 {
        let count = |s: &PackedState| count_iteration(puzzle, s, h, threshold, u64::MAX).unwrap();
        states.iter().map(count).sum::<u64>() as f64 / states.len() as f64
    }

    #[test]
    fn predictions_are_exact_on_average_over_all_boards_of_3x3() {
        for goal in [Goal::Classic, Goal::Snail] {
            let puzzle = puzzle("3x3", &goal);
            let states = all_boards(&puzzle);
            assert_eq!(states.len(), 181_440);
            for (kind, thresholds) in [
                (HeuristicKind::Zero, [0, 4]),
                (HeuristicKind::Hamming, [5, 10]),
                (HeuristicKind::Manhattan, [10, 17]),
                (HeuristicKind::Max, [3, 18]),
            ] {
                let h = AnyHeuristic::new(kind, &puzzle).unwrap();
                let distribution = Distribution::exact(&puzzle, &h);
                assert_eq!(distribution.boards(), 181_440);
                for threshold in thresholds {
                    let predicted = distribution.predict(threshold).nodes();
                    let measured = measured(&puzzle, &states, &h, threshold);
                    assert!(
                        (predicted / measured - 1.0).abs() < 1e-9,
                        "{kind:?} {threshold}: {predicted} {measured}"
                    );
                }
            }
        }
    }

    #[test]
    fn samples_agree_with_the_whole_space() {
        let puzzle = puzzle("3x3", &Goal::Classic);
        for kind in [HeuristicKind::Manhattan, HeuristicKind::WalkingDistance] {
            let h = AnyHeuristic::new(kind, &puzzle).unwrap();
            let exact = Distribution::exact(&puzzle, &h);
            let sampled = Distribution::sample(&puzzle, &h, 20_000, 1);
            assert!((exact.mean() - sampled.mean()).abs() < 0.1);
            for value in [8, 12, 30] {
                let (a, b) = (exact.probability(value), sampled.probability(value));
                assert!((a / b - 1.0).abs() < 0.1, "{value}: {a} {b}");
            }
            for threshold in [15, 20, 26] {
                let (a, b) = (exact.predict(threshold), sampled.predict(threshold));
                assert!(a.relative_error == 0.0 && b.relative_error < 0.05);
                assert!((a.ln_nodes - b.ln_nodes).abs() < 4.0 * b.relative_error);
            }
        }
    }

    #[test]
    fn samples_agree_with_a_measurement_on_4x4() {
        let puzzle = puzzle("4x4", &Goal::Classic);
        let manhattan = Manhattan::new(&puzzle);
        let distribution = Distribution::sample(&puzzle, &manhattan, 100_000, 1);
        assert!((distribution.mean() - 37.0).abs() < 0.2);
        let predicted = distribution.predict(36);
        let measured = Measurement::take(&puzzle, &manhattan, 36, 4000, u64::MAX, 2).unwrap();
        let off = (predicted.nodes() - measured.nodes).abs();
        let error = predicted.nodes() * predicted.relative_error + measured.standard_error;
        assert!(off < 4.0 * error, "{predicted:?} {measured:?}");
    }

    #[test]
    fn two_moves_more_cost_the_square_of_the_branching_factor() {
        let puzzle = puzzle("4x4", &Goal::Classic);
        let manhattan = Manhattan::new(&puzzle);
        let distribution = Distribution::sample(&puzzle, &manhattan, 20_000, 3);
        let growth = crate::space::branching_factor(puzzle.size()).powi(2);
        let nodes: Vec<f64> = (0..=25)
            .map(|i| distribution.predict(2 * i).nodes())
            .collect();
        for pair in nodes[18..].windows(2) {
            let ratio = pair[1] / pair[0];
            assert!((ratio / growth - 1.0).abs() < 0.05, "{ratio} {growth}");
        }
        let all: f64 = nodes.iter().sum();
        assert!((all / nodes[25] - growth / (growth - 1.0)).abs() < 0.02);
    }

    #[test]
    fn thresholds_below_every_value_and_large_boards_are_no_trouble() {
        let size: Size = "12x12".parse().unwrap();
        let goal = Goal::Classic.board(size).unwrap();
        let puzzle = Sliding::<crate::search::FlatState>::new(&goal, Cost::Unit).unwrap();
        let manhattan = Manhattan::new(&puzzle);
        let distribution = Distribution::new(&puzzle, &manhattan, 200, 1);
        assert!(!distribution.is_exact());
        assert!(distribution.predict(3).nodes() == 0.0);
        let huge = distribution.predict(5000);
        assert!(huge.ln_nodes > 3000.0 && huge.nodes().is_infinite());
        // (2/3)n(n² - 1) - (n - 1)
        assert!((distribution.mean() - 1133.0).abs() < 20.0);
    }
}
