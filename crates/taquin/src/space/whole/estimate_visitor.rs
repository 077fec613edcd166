//! Takes the estimates of all boards.

use super::layout::{BoardPlace, Layout, Order};
use super::search::{Found, Visitor, search};
use super::{Inconsistent, Quality, Space, Underestimate};
use crate::domain::{PackedState, TilePuzzle};
use crate::heuristic::{Heuristic, HeuristicKind, HeuristicUser};
use crate::outcome::Budget;
use crate::tables::{BuildError, SpaceKey};
use crate::{Move, Slide, Tile};

/// A measurement to be made with whatever heuristic comes.
pub(super) struct Job<'a, P> {
    pub(super) key: &'a SpaceKey,
    pub(super) layout: &'a Layout,
    pub(super) view: &'a View,
    pub(super) puzzle: &'a P,
    pub(super) threads: usize,
    pub(super) budget: &'a Budget,
}

impl<P> Clone for Job<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Job<'_, P> {}

impl<P: TilePuzzle<State = PackedState> + Sync> HeuristicUser<P> for Job<'_, P> {
    type Result = Result<Sums, BuildError>;

    fn take<H: Heuristic<P> + Sync>(self, heuristic: &H) -> Self::Result {
        let mut estimate_visitor = EstimateVisitor {
            layout: self.layout,
            view: self.view,
            puzzle: self.puzzle,
            heuristic,
            budget: self.budget,
            sums: Sums::default(),
        };
        search(
            self.key,
            self.layout,
            self.threads,
            self.budget,
            &mut estimate_visitor,
        )?;
        Ok(estimate_visitor.sums)
    }
}

/// Takes the estimates of all boards that a search finds.
struct EstimateVisitor<'a, P, H> {
    layout: &'a Layout,
    view: &'a View,
    puzzle: &'a P,
    heuristic: &'a H,
    budget: &'a Budget,
    sums: Sums,
}

/// What is known of the boards so far. Of several boards that would do, the first in the order of
/// their places is taken, so that threads make no difference.
#[derive(Default)]
pub(super) struct Sums {
    /// For each distance, how many boards have each estimate.
    pairs: Vec<Vec<u64>>,
    /// The largest error with its board.
    worst: Option<Gap>,
    inadmissible: Option<Gap>,
    inconsistent: Option<Jump>,
}

/// A board with its distance and its estimate.
#[derive(Clone, Copy)]
struct Gap {
    place: BoardPlace,
    distance: u32,
    estimate: u32,
}

/// A move that changes the estimate by more than one.
#[derive(Clone, Copy)]
struct Jump {
    place: BoardPlace,
    slide: Slide,
    estimates: (u32, u32),
}

/// What a thread knows of a level.
#[derive(Default)]
pub(super) struct Notes {
    counts: Vec<u64>,
    worst: Option<Gap>,
    inadmissible: Option<Gap>,
    inconsistent: Option<Jump>,
}

impl Gap {
    /// How far the estimate is below the distance.
    const fn size(&self) -> u32 {
        self.distance.saturating_sub(self.estimate)
    }

    /// The worse of two.
    fn worse(self, other: Option<Self>) -> Self {
        let key = |gap: &Self| (gap.size(), std::cmp::Reverse((gap.distance, gap.place)));
        match other {
            Some(other) if key(&other) > key(&self) => other,
            _ => self,
        }
    }
}

/// The one that comes first.
fn first<T, K: Ord>(one: Option<T>, other: Option<T>, key: impl Fn(&T) -> K) -> Option<T> {
    one.into_iter().chain(other).min_by_key(key)
}

impl<P, H> Visitor for EstimateVisitor<'_, P, H>
where
    P: TilePuzzle<State = PackedState> + Sync,
    H: Heuristic<P> + Sync,
{
    type Notes = Notes;

    fn found(&self, notes: &mut Notes, found: Found) {
        // A stretch of words can take seconds with pattern databases. The search itself then sees
        // that the budget has ended.
        if self.budget.check().is_err() {
            return;
        }
        let Found {
            distance,
            blank,
            word,
            mut bits,
        } = found;
        let all = bits;
        self.layout.orders(blank, word, all, |order| {
            let bit = bits.trailing_zeros();
            bits &= bits - 1;
            let place = BoardPlace { blank, word, bit };
            self.look(notes, distance, place, order);
        });
    }

    fn level(&mut self, _: u32, _: &[u64], notes: Vec<Notes>) -> bool {
        let mut row: Vec<u64> = Vec::new();
        for notes in notes {
            row.resize(row.len().max(notes.counts.len()), 0);
            for (sum, count) in row.iter_mut().zip(notes.counts) {
                *sum += count;
            }
            let sums = &mut self.sums;
            if let Some(worst) = notes.worst {
                sums.worst = Some(worst.worse(sums.worst));
            }
            let key = |gap: &Gap| (gap.distance, gap.place);
            sums.inadmissible = first(sums.inadmissible, notes.inadmissible, key);
            // A level later than one that has some is not looked at, so the distance plays no part.
            sums.inconsistent = first(sums.inconsistent, notes.inconsistent, |jump| jump.place);
        }
        self.sums.pairs.push(row);
        true
    }
}

impl<P: TilePuzzle<State = PackedState>, H: Heuristic<P>> EstimateVisitor<'_, P, H> {
    #[inline]
    fn look(&self, notes: &mut Notes, distance: u32, place: BoardPlace, order: &Order) {
        let state = self.view.state(place.blank, &order[..self.layout.tiles()]);
        let memo = self.heuristic.evaluate(self.puzzle, &state);
        let estimate = self.heuristic.value(&memo);

        let at = estimate as usize;
        if notes.counts.len() <= at {
            notes.counts.resize(at + 1, 0);
        }
        notes.counts[at] += 1;

        let gap = Gap {
            place,
            distance,
            estimate,
        };
        if estimate > distance {
            notes.inadmissible = first(notes.inadmissible, Some(gap), |gap| gap.place);
        }
        let is_as_bad = |worst: &Gap| gap.size() >= worst.size();
        if notes.worst.as_ref().is_none_or(is_as_bad) {
            notes.worst = Some(gap.worse(notes.worst));
        }

        // Each move leads back too, so it is enough to look at it one way.
        if self.sums.inconsistent.is_some() {
            return;
        }
        for action in self.puzzle.actions(&state) {
            let slide: Slide = action.into();
            if !matches!(slide.direction, Move::Up | Move::Left) {
                continue;
            }
            let (after, _) = self.puzzle.successor(&state, action);
            let stepped = self.heuristic.step(self.puzzle, &memo, &after, action);
            let estimates = (estimate, self.heuristic.value(&stepped));
            if estimates.0.abs_diff(estimates.1) > 1 {
                let jump = Jump {
                    place,
                    slide,
                    estimates,
                };
                notes.inconsistent = first(notes.inconsistent, Some(jump), |jump| jump.place);
            }
        }
    }
}

/// The original puzzle's cells and tiles.
///
/// Pattern databases tell a board from its mirror image, so that they must be asked about the
/// original.
pub(super) struct View {
    /// The original cell of each canonical one.
    cells: Vec<u8>,
    /// The original number of each canonical tile.
    tiles: Vec<u64>,
}

impl View {
    pub(super) fn new(space: &Space) -> Self {
        let size = space.goal.size();
        let symmetry = space.reduction.symmetry();
        let mut cells = vec![0; size.cells()];
        let mut tiles = vec![0; size.cells() - 1];
        for original in 0..size.cells() {
            cells[symmetry.cell(size, original)] = original as u8;
            let name = usize::from(space.reduction.name(original as Tile));
            if let Some(name) = name.checked_sub(1) {
                tiles[name] = original as u64;
            }
        }
        Self { cells, tiles }
    }

    /// A board as searches store it.
    #[inline]
    fn state(&self, blank: usize, order: &[u8]) -> PackedState {
        let occupied = (0..self.cells.len()).filter(|&cell| cell != blank);
        let mut bits = 0;
        for (cell, &tile) in occupied.zip(order) {
            bits |= self.tiles[usize::from(tile)] << (4 * self.cells[cell]);
        }
        PackedState::from_bits(bits, usize::from(self.cells[blank]))
    }
}

impl Sums {
    /// The quality, with boards as the original puzzle has them.
    pub(super) fn described(self, kind: HeuristicKind, space: &Space, layout: &Layout) -> Quality {
        let board = |place: BoardPlace| {
            let board = space.board_at(layout, place);
            board.expect("a search finds boards")
        };
        let underestimate = |gap: Gap| Underestimate {
            board: board(gap.place),
            distance: gap.distance,
            estimate: gap.estimate,
        };
        let goal = Gap {
            place: layout.goal(),
            distance: 0,
            estimate: 0,
        };
        Quality {
            kind,
            pairs: self.pairs,
            worst: underestimate(self.worst.unwrap_or(goal)),
            inadmissible: self.inadmissible.map(underestimate),
            inconsistent: self.inconsistent.map(|jump| Inconsistent {
                board: board(jump.place),
                slide: jump.slide,
                estimates: jump.estimates,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Cost, Sliding};
    use crate::heuristic::Manhattan;
    use crate::{Board, Goal, Metric, Size};

    /// Manhattan distance times two: no estimate at all.
    struct Doubled(Manhattan);

    impl Heuristic<Sliding<PackedState>> for Doubled {
        type Memo = u32;

        fn evaluate(&self, puzzle: &Sliding<PackedState>, state: &PackedState) -> u32 {
            2 * self.0.evaluate(puzzle, state)
        }

        fn step(
            &self,
            puzzle: &Sliding<PackedState>,
            _: &u32,
            after: &PackedState,
            _: Move,
        ) -> u32 {
            self.evaluate(puzzle, after)
        }

        fn value(&self, memo: &u32) -> u32 {
            *memo
        }

        fn is_consistent(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_heuristic_that_says_too_much_or_jumps_is_found_out() {
        let goal = Goal::Snail.board(Size::new(3, 3).unwrap()).unwrap();
        let space = Space::new(&goal, Metric::Single).unwrap();
        let puzzle = Sliding::<PackedState>::new(&goal, Cost::Unit).unwrap();
        let doubled = Doubled(Manhattan::new(&puzzle));
        let key = space.key();
        let layout = Layout::new(&key);
        let job = Job {
            key: &key,
            layout: &layout,
            view: &View::new(&space),
            puzzle: &puzzle,
            threads: 2,
            budget: &Budget::default(),
        };
        let sums = job.take(&doubled).unwrap();
        let quality = sums.described(HeuristicKind::Manhattan, &space, &layout);

        // A move away from the goal is said to be two.
        let over = quality.inadmissible().unwrap();
        assert_eq!((over.distance, over.estimate), (1, 2));
        assert_eq!(
            Manhattan::new(&puzzle).evaluate(&puzzle, &puzzle.state(&over.board).unwrap()),
            1
        );

        let jump = quality.inconsistent().unwrap();
        let mut after = jump.board.clone();
        after.slide(jump.slide.direction).unwrap();
        let estimate = |board: &Board| doubled.evaluate(&puzzle, &puzzle.state(board).unwrap());
        assert_eq!(jump.estimates, (estimate(&jump.board), estimate(&after)));
        assert_eq!(jump.estimates.0.abs_diff(jump.estimates.1), 2);
    }
}
