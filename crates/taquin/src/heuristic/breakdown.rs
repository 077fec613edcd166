//! Where an estimate comes from: tile by tile and line by line.

mod slides;

pub use slides::SlideBreakdown;
use slides::SlideEstimator;

use super::lines::Lines;
use super::multi::alternating;
use super::{
    Hamming, Heuristic, LinearConflict, MultiWalkingDistance, WalkingDistance, WalkingError,
    WalkingHalves,
};
use crate::domain::{Counting, FlatState, MultiSliding, Sliding};
use crate::outcome::{Budget, Limit};
use crate::{Board, GoalSizeError, Tile};

/// Explains the estimates of boards for one goal. Its tables are built once.
#[derive(Clone, Debug)]
pub struct Estimator {
    puzzle: Sliding<FlatState>,
    hamming: Hamming,
    conflict: LinearConflict,
    walking: Walking,
    slides: Option<SlideEstimator>,
}

/// The walking distance in single-tile or in multi-tile moves, if there is one.
#[derive(Clone, Debug)]
enum Walking {
    Single(Result<WalkingDistance, WalkingError>),
    Multi(Result<MultiWalkingDistance, WalkingError>),
}

/// Every heuristic's value for a board, and where it comes from. In multi-tile moves the values and
/// the walking distance count slides; what is said of tiles and lines counts moves of single tiles.
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
    /// What moves of single tiles say of slides, in multi-tile moves.
    pub slides: Option<SlideBreakdown>,
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
    /// The value of the walking distance, if there is one.
    #[must_use]
    pub fn walking(&self) -> Option<u32> {
        let halves = self.walking_distance.ok()?;
        Some(match self.slides {
            None => halves.sum(),
            Some(_) => halves.alternating(),
        })
    }

    /// The value of the maximum of linear conflict and walking distance, if there is one.
    #[must_use]
    pub fn max(&self) -> Option<u32> {
        let halves = self.walking_distance.ok()?;
        Some(match &self.slides {
            None => self.linear_conflict.max(halves.sum()),
            Some(slides) => {
                let (vertical, horizontal) = slides.slides(slides.moves);
                alternating(
                    vertical.max(halves.vertical.into()),
                    horizontal.max(halves.horizontal.into()),
                )
            }
        })
    }

    /// The largest of the estimates.
    #[must_use]
    pub fn best(&self) -> u32 {
        self.max().unwrap_or(self.linear_conflict)
    }
}

impl Estimator {
    /// An estimator for boards that are to reach this goal.
    #[must_use]
    pub fn new(goal: &Board, counting: impl Into<Counting>) -> Self {
        let counting = counting.into();
        let walking = Walking::new(goal, counting, &Budget::default());
        Self::of(goal, counting, walking)
    }

    /// An estimator whose tables are made within the memory, the time and the cancel flag of a
    /// budget; the limit that ended them if they were not finished.
    pub fn within(
        goal: &Board,
        counting: impl Into<Counting>,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let counting = counting.into();
        let walking = Walking::new(goal, counting, budget);
        match walking.refusal() {
            Some(WalkingError::Stopped(limit)) => Err(limit),
            _ => Ok(Self::of(goal, counting, walking)),
        }
    }

    fn of(goal: &Board, counting: Counting, walking: Walking) -> Self {
        let puzzle = Sliding::<FlatState>::flat(goal, counting.cost());
        let slides = (counting == Counting::Slides).then(|| SlideEstimator::new(goal));
        Self {
            hamming: Hamming::new(&puzzle),
            conflict: LinearConflict::new(&puzzle),
            walking,
            slides,
            puzzle,
        }
    }

    /// This estimator for another goal. Tables are built only if that goal needs others, because it
    /// has another size or its blank is elsewhere, or if another metric is wanted.
    #[must_use]
    pub fn towards(&self, goal: &Board, counting: impl Into<Counting>) -> Self {
        let counting = counting.into();
        let shared = self.walking.towards(goal, counting);
        let walking = shared.unwrap_or_else(|| Walking::new(goal, counting, &Budget::default()));
        Self::of(goal, counting, walking)
    }

    /// Bytes of its tables. Clones share them.
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        match &self.walking {
            Walking::Single(walking) => walking.as_ref().map_or(0, WalkingDistance::table_bytes),
            Walking::Multi(walking) => walking
                .as_ref()
                .map_or(0, MultiWalkingDistance::table_bytes),
        }
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
        let slides = self.slides.as_ref().map(|slides| slides.breakdown(&state));
        let [hamming, manhattan, linear_conflict] = match (&self.slides, &slides) {
            (Some(multi), Some(slides)) => multi.values(&state, slides),
            _ => [
                self.hamming.evaluate(&self.puzzle, &state),
                tiles.iter().map(|tile| tile.distance * tile.weight).sum(),
                self.conflict.evaluate(&self.puzzle, &state),
            ],
        };
        Ok(Breakdown {
            hamming,
            manhattan,
            linear_conflict,
            walking_distance: self.walking(&state),
            rows: counts(size.rows(), by_row),
            columns: counts(size.columns(), by_column),
            tiles,
            conflicts: rows.chain(columns).collect(),
            slides,
        })
    }

    /// The two halves of the walking distance, or why there are none.
    fn walking(&self, state: &FlatState) -> Result<WalkingHalves, WalkingError> {
        match (&self.walking, &self.slides) {
            (Walking::Multi(Ok(walking)), Some(slides)) => {
                Ok(walking.evaluate(slides.puzzle(), state).halves())
            }
            (Walking::Single(Ok(walking)), _) => Ok(walking.evaluate(&self.puzzle, state).halves()),
            (Walking::Single(Err(refused)) | Walking::Multi(Err(refused)), _) => Err(*refused),
            (Walking::Multi(Ok(_)), None) => {
                unreachable!("tables for slides are made with what else they need")
            }
        }
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

impl Walking {
    fn new(goal: &Board, counting: Counting, budget: &Budget) -> Self {
        let most = WalkingDistance::MAX_STATES;
        match counting {
            Counting::Slides => {
                let puzzle = MultiSliding::flat(goal);
                Self::Multi(MultiWalkingDistance::within(&puzzle, most, budget))
            }
            Counting::Moves | Counting::Tiles => {
                let puzzle = Sliding::flat(goal, counting.cost());
                Self::Single(WalkingDistance::within(&puzzle, most, budget))
            }
        }
    }

    /// Why there is none.
    const fn refusal(&self) -> Option<WalkingError> {
        match self {
            Self::Single(Err(refused)) | Self::Multi(Err(refused)) => Some(*refused),
            Self::Single(Ok(_)) | Self::Multi(Ok(_)) => None,
        }
    }

    /// The same tables for another goal; `None` if they do not do.
    fn towards(&self, goal: &Board, counting: Counting) -> Option<Self> {
        match (self, counting) {
            (Self::Single(Ok(walking)), Counting::Moves | Counting::Tiles) => {
                let puzzle = Sliding::flat(goal, counting.cost());
                Some(Self::Single(Ok(walking.towards(&puzzle)?)))
            }
            (Self::Multi(Ok(walking)), Counting::Slides) => {
                let puzzle = MultiSliding::flat(goal);
                Some(Self::Multi(Ok(walking.towards(&puzzle)?)))
            }
            _ => None,
        }
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
mod tests;
