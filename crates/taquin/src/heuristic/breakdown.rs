//! Where an estimate comes from: tile by tile and line by line.

use super::lines::Lines;
use super::{Hamming, Heuristic, LinearConflict, WalkingDistance, WalkingError, WalkingHalves};
use crate::domain::{Cost, FlatState, Sliding};
use crate::outcome::{Budget, Limit};
use crate::{Board, GoalSizeError, Tile};

/// Explains the estimates of boards for one goal. Its tables are built once.
#[derive(Clone, Debug)]
pub struct Estimator {
    puzzle: Sliding<FlatState>,
    hamming: Hamming,
    conflict: LinearConflict,
    walking: Result<WalkingDistance, WalkingError>,
}

/// Every heuristic's value for a board, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakdown {
    /// The value of [`Hamming`].
    pub hamming: u32,
    /// The value of [`Manhattan`](super::Manhattan).
    pub manhattan: u32,
    /// The value of [`LinearConflict`].
    pub linear_conflict: u32,
    /// The two parts of [`WalkingDistance`], or why there are none.
    pub walking_distance: Result<WalkingHalves, WalkingError>,
    /// What the walking distance looks at: for each row how many of its tiles belong to each row.
    /// The blank is not counted.
    pub rows: Vec<Vec<usize>>,
    /// For each column how many of its tiles belong to each column. The blank is not counted.
    pub columns: Vec<Vec<usize>>,
    /// Each tile, in the order of their numbers.
    pub tiles: Vec<TileEstimate>,
    /// The lines in which tiles conflict: rows from the top, then columns from the left.
    pub conflicts: Vec<LineConflict>,
}

/// How far one tile is from home. Cells are counted from 0 in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileEstimate {
    /// The tile.
    pub tile: Tile,
    /// The cell that it is on.
    pub cell: usize,
    /// The cell that the goal has it on.
    pub home: usize,
    /// The rows and columns between the two. The tile is misplaced if this is not 0.
    pub distance: u32,
    /// What each of its moves counts: 1, or with heavy costs its number.
    pub weight: u32,
}

/// A row or a column, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Line {
    /// From the top.
    Row(usize),
    /// From the left.
    Column(usize),
}

/// The tiles of a line that stand in one another's way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineConflict {
    /// Which line.
    pub line: Line,
    /// The tiles in it that belong to it, in their order on the board.
    pub own: Vec<Tile>,
    /// The pairs of them in the wrong order: first as they are on the board.
    pub pairs: Vec<(Tile, Tile)>,
    /// A smallest set of tiles without which all pairs are gone; with heavy costs, a lightest one.
    pub leaving: Vec<Tile>,
    /// What this adds to Manhattan distance: two moves for each tile that leaves.
    pub added: u32,
}

impl Breakdown {
    /// The largest of the estimates.
    #[must_use]
    pub fn best(&self) -> u32 {
        let walking = self.walking_distance.as_ref().map_or(0, |w| w.sum());
        self.linear_conflict.max(walking)
    }
}

impl Estimator {
    /// An estimator for boards that are to reach this goal.
    #[must_use]
    pub fn new(goal: &Board, cost: Cost) -> Self {
        let puzzle = Sliding::<FlatState>::flat(goal, cost);
        let walking = WalkingDistance::new(&puzzle);
        Self::of(puzzle, walking)
    }

    /// An estimator whose tables are made within the memory, the time and the cancel flag of a
    /// budget; the limit that ended them if they were not finished.
    pub fn within(goal: &Board, cost: Cost, budget: &Budget) -> Result<Self, Limit> {
        let puzzle = Sliding::<FlatState>::flat(goal, cost);
        match WalkingDistance::within(&puzzle, WalkingDistance::MAX_STATES, budget) {
            Err(WalkingError::Stopped(limit)) => Err(limit),
            walking => Ok(Self::of(puzzle, walking)),
        }
    }

    fn of(puzzle: Sliding<FlatState>, walking: Result<WalkingDistance, WalkingError>) -> Self {
        Self {
            hamming: Hamming::new(&puzzle),
            conflict: LinearConflict::new(&puzzle),
            walking,
            puzzle,
        }
    }

    /// This estimator for another goal. Tables are built only if that goal needs others, because it
    /// has another size or its blank is elsewhere.
    #[must_use]
    pub fn towards(&self, goal: &Board, cost: Cost) -> Self {
        let puzzle = Sliding::<FlatState>::flat(goal, cost);
        let shared = self.walking.as_ref().ok();
        let shared = shared.and_then(|walking| walking.towards(&puzzle));
        let walking = shared.map_or_else(|| WalkingDistance::new(&puzzle), Ok);
        Self::of(puzzle, walking)
    }

    /// Bytes of its tables. Clones share them.
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        let walking = self.walking.as_ref();
        walking.map_or(0, WalkingDistance::table_bytes)
    }

    /// The estimates for a board of the goal's size.
    pub fn breakdown(&self, board: &Board) -> Result<Breakdown, GoalSizeError> {
        let state = self.puzzle.state(board)?;
        let [rows, columns] = self.conflict.lines();
        let rows = conflicts(rows, &state, Line::Row);
        let columns = conflicts(columns, &state, Line::Column);
        let tiles = self.tiles(board);
        let size = board.size();
        let (width, places) = (size.columns(), tiles.iter().map(|t| (t.cell, t.home)));
        let by_row = places.clone().map(|(c, home)| (c / width, home / width));
        let by_column = places.map(|(c, home)| (c % width, home % width));
        let walking = self.walking.as_ref().map_err(|&refused| refused);
        Ok(Breakdown {
            hamming: self.hamming.evaluate(&self.puzzle, &state),
            manhattan: tiles.iter().map(|tile| tile.distance * tile.weight).sum(),
            linear_conflict: self.conflict.evaluate(&self.puzzle, &state),
            walking_distance: walking.map(|w| w.evaluate(&self.puzzle, &state).halves()),
            rows: counts(size.rows(), by_row),
            columns: counts(size.columns(), by_column),
            tiles,
            conflicts: rows.chain(columns).collect(),
        })
    }

    fn tiles(&self, board: &Board) -> Vec<TileEstimate> {
        let homes = self.conflict.homes();
        let cells = board.cells_of_tiles().into_iter();
        (0..)
            .zip(cells)
            .skip(1)
            .map(|(tile, cell)| TileEstimate {
                tile,
                cell,
                home: homes.cell(tile),
                distance: homes.distance(tile, cell),
                weight: homes.weight(tile),
            })
            .collect()
    }
}

/// How often each pair of lines is there.
fn counts(lines: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut counts = vec![vec![0; lines]; lines];
    for (line, home) in pairs {
        counts[line][home] += 1;
    }
    counts
}

/// The lines with conflicts among all rows or all columns.
fn conflicts(
    lines: &Lines,
    state: &FlatState,
    line: fn(usize) -> Line,
) -> impl Iterator<Item = LineConflict> {
    (0..lines.count()).filter_map(move |index| {
        let own: Vec<Own> = lines
            .tiles(state, index)
            .filter_map(|tile| {
                Some(Own {
                    tile,
                    place: lines.home_place(tile, index)?,
                    weight: lines.weight(tile),
                })
            })
            .collect();
        let pairs: Vec<(Tile, Tile)> = own
            .iter()
            .enumerate()
            .flat_map(|(i, first)| own[i + 1..].iter().map(move |second| (first, second)))
            .filter(|(first, second)| first.place > second.place)
            .map(|(first, second)| (first.tile, second.tile))
            .collect();
        if pairs.is_empty() {
            return None;
        }
        Some(LineConflict {
            line: line(index),
            pairs,
            leaving: leaving(&own),
            added: lines.added(state, index),
            own: own.iter().map(|own| own.tile).collect(),
        })
    })
}

/// A tile in its own line.
struct Own {
    tile: Tile,
    place: usize,
    weight: u32,
}

/// The tiles outside a heaviest increasing subsequence.
///
/// This says which ones they are, so it is slower than what the heuristic uses.
fn leaving(own: &[Own]) -> Vec<Tile> {
    // For each tile: the weight of the best subsequence that ends with it, and the tile before it.
    let mut best: Vec<(u32, Option<usize>)> = Vec::with_capacity(own.len());
    for (i, last) in own.iter().enumerate() {
        let before = (0..i)
            .filter(|&j| own[j].place < last.place)
            .max_by_key(|&j| best[j].0);
        best.push((last.weight + before.map_or(0, |j| best[j].0), before));
    }
    let mut stays = vec![false; own.len()];
    let mut end = (0..own.len()).max_by_key(|&i| best[i].0);
    while let Some(i) = end {
        stays[i] = true;
        end = best[i].1;
    }
    let leaves = own.iter().zip(stays).filter(|(_, stays)| !stays);
    leaves.map(|(own, _)| own.tile).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Rng, Size, uniform};

    #[test]
    fn the_parts_add_up_to_the_estimates() {
        let mut rng = Rng::from_seed(31);
        for (rows, columns) in [(2, 3), (3, 3), (4, 4), (8, 8)] {
            let size = Size::new(rows, columns).unwrap();
            for goal in Goal::NAMED {
                let goal = goal.board(size).unwrap();
                for cost in [Cost::Unit, Cost::Tile] {
                    let estimator = Estimator::new(&goal, cost);
                    assert_eq!(estimator.breakdown(&goal).unwrap().best(), 0);
                    for _ in 0..50 {
                        let parts = estimator.breakdown(&uniform(&goal, &mut rng)).unwrap();
                        let misplaced = parts.tiles.iter().filter(|tile| tile.distance > 0);
                        assert_eq!(
                            misplaced.map(|tile| tile.weight).sum::<u32>(),
                            parts.hamming
                        );
                        let added: u32 = parts.conflicts.iter().map(|line| line.added).sum();
                        assert_eq!(parts.manhattan + added, parts.linear_conflict);
                        for line in &parts.conflicts {
                            let leaves = |tile: &Tile| line.leaving.contains(tile);
                            let weight = |&t: &Tile| parts.tiles[usize::from(t) - 1].weight;
                            let weight: u32 = line.leaving.iter().map(weight).sum();
                            assert_eq!(line.added, 2 * weight);
                            assert!(line.pairs.iter().all(|(a, b)| leaves(a) || leaves(b)));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_reversed_row_has_three_pairs_and_two_tiles_that_leave() {
        let board: Board = "3 2 1/4 5 6/7 8 0".parse().unwrap();
        let goal = Goal::Classic.board(board.size()).unwrap();
        let parts = Estimator::new(&goal, Cost::Unit).breakdown(&board).unwrap();
        let [line] = &parts.conflicts[..] else {
            panic!("{:?}", parts.conflicts);
        };
        assert_eq!(line.line, Line::Row(0));
        assert_eq!(line.own, [3, 2, 1]);
        assert_eq!(line.pairs, [(3, 2), (3, 1), (2, 1)]);
        assert_eq!(line.leaving.len(), 2);
        assert_eq!(line.added, 4);
        assert_eq!((parts.tiles[0].cell, parts.tiles[0].home), (2, 0));
        assert_eq!(
            (parts.hamming, parts.manhattan, parts.linear_conflict),
            (2, 4, 8)
        );
    }

    #[test]
    fn lines_count_where_their_tiles_belong() {
        let board: Board = "4 2 1/0 5 3".parse().unwrap();
        let goal = Goal::Classic.board(board.size()).unwrap();
        let parts = Estimator::new(&goal, Cost::Unit).breakdown(&board).unwrap();
        assert_eq!(parts.rows, [[2, 1], [1, 1]]);
        assert_eq!(parts.columns, [[1, 0, 0], [0, 2, 0], [1, 0, 1]]);
    }

    #[test]
    fn a_board_of_another_size_is_refused() {
        let goal = |rows, columns| {
            Goal::Classic
                .board(Size::new(rows, columns).unwrap())
                .unwrap()
        };
        let estimator = Estimator::new(&goal(3, 3), Cost::Unit);
        assert!(estimator.breakdown(&goal(3, 4)).is_err());
    }
}
