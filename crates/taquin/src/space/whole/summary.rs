//! What is known of a whole space, without what is known of each board.

use super::atlas::key_of;
use super::{Atlas, Census, Inconsistent, Quality, Space, Underestimate};
use crate::{Board, Slide};

/// How many boards a space has at each distance, and which are the farthest: what is worth keeping
/// of an [`Atlas`] that is too large to keep. Goals that differ only in names or by reflection share
/// it.
///
/// ```
/// use taquin::space::Space;
/// use taquin::{Budget, Goal, Metric};
///
/// let goal = Goal::Classic.board("2x3".parse()?)?;
/// let classic = Space::new(&goal, Metric::Single)?;
/// let summary = classic.search(1, &Budget::default())?.summary();
/// let other = Space::new(&"0 5 4/3 2 1".parse()?, Metric::Single)?;
/// let same = summary.towards(&other).unwrap();
/// assert_eq!(same.census().all(), summary.census().all());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Summary {
    space: Space,
    census: Census,
    farthest: Vec<Board>,
}

impl Atlas {
    /// What it says of all boards together.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary {
            space: self.space().clone(),
            census: self.census().clone(),
            farthest: self.farthest().to_vec(),
        }
    }
}

impl Summary {
    /// The space.
    #[must_use]
    pub const fn space(&self) -> &Space {
        &self.space
    }

    /// How many boards there are at each distance.
    #[must_use]
    pub const fn census(&self) -> &Census {
        &self.census
    }

    /// The boards at the largest distance, in the order of their tiles; [`Atlas::MAX_LISTED`] of
    /// them if there are more.
    #[must_use]
    pub fn farthest(&self) -> &[Board] {
        &self.farthest
    }

    /// This summary as it is for another space with the same [key](Space::key): its boards are those
    /// of this one under other names. `None` for spaces with other keys.
    #[must_use]
    pub fn towards(&self, space: &Space) -> Option<Self> {
        if space.key() != self.space.key() {
            return None;
        }
        let by_cell = self.census.by_blank();
        let canonical = self.space.canonical_cells();
        let tally = |cell: usize| {
            let own = canonical.iter().position(|&other| other == cell)?;
            by_cell.get(own).cloned()
        };
        let cells = space.canonical_cells().into_iter();
        let tallies: Option<Vec<_>> = cells.map(tally).collect();
        let boards = self.farthest.iter();
        let boards: Option<Vec<_>> = boards
            .map(|board| self.space.seen_as(board, space))
            .collect();
        let mut farthest = boards?;
        farthest.sort_by_cached_key(key_of);
        Some(Self {
            space: space.clone(),
            census: Census::new(tallies?),
            farthest,
        })
    }

    /// Bytes that it takes, roughly.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let tallies = self.census.by_blank().iter().chain([self.census.all()]);
        let counts: usize = tallies.map(|tally| size_of_val(tally.counts())).sum();
        (size_of::<Self>() + counts + size_of_val(&*self.farthest)) as u64
    }
}

impl Quality {
    /// What was measured in one space, for another that has the same [key](Space::key); `None` if it
    /// has not. Heuristics see no difference between them.
    #[must_use]
    pub fn towards(&self, own: &Space, other: &Space) -> Option<Self> {
        if own.key() != other.key() {
            return None;
        }
        let estimated = |found: &Underestimate| {
            Some(Underestimate {
                board: own.seen_as(&found.board, other)?,
                ..found.clone()
            })
        };
        let step = |found: &Inconsistent| {
            let canonical = own
                .reduction
                .symmetry()
                .transform_move(found.slide.direction);
            let back = other.reduction.symmetry().inverse();
            Some(Inconsistent {
                board: own.seen_as(&found.board, other)?,
                slide: Slide {
                    direction: back.transform_move(canonical),
                    ..found.slide
                },
                ..found.clone()
            })
        };
        let inadmissible = match &self.inadmissible {
            Some(found) => Some(estimated(found)?),
            None => None,
        };
        let inconsistent = match &self.inconsistent {
            Some(found) => Some(step(found)?),
            None => None,
        };
        Some(Self {
            worst: estimated(&self.worst)?,
            inadmissible,
            inconsistent,
            ..self.clone()
        })
    }
}

impl Space {
    /// The space of the canonical goal that this one's [reduces](crate::Reduction) to.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let goal = self.reduction.goal().clone();
        Self {
            reduction: crate::Reduction::new(&goal),
            goal,
            metric: self.metric,
        }
    }

    /// The canonical cell of each cell.
    fn canonical_cells(&self) -> Vec<usize> {
        let size = self.goal.size();
        let symmetry = self.reduction.symmetry();
        (0..size.cells())
            .map(|cell| symmetry.cell(size, cell))
            .collect()
    }

    /// A board of this space as a board of another one with the same key.
    fn seen_as(&self, board: &Board, other: &Self) -> Option<Board> {
        let canonical = self.reduction.reduce(board).ok()?;
        other.reduction.restore_board(&canonical).ok()
    }
}

#[cfg(test)]
mod tests {
    use crate::heuristic::HeuristicKind;
    use crate::outcome::Budget;
    use crate::space::{Quality, Space};
    use crate::{Board, Goal, Metric, Rng, uniform};

    /// Random goals of a size, with the blank anywhere.
    fn spaces(size: &str, metric: Metric) -> Vec<Space> {
        let mut rng = Rng::from_seed(3);
        let classic = Goal::Classic.board(size.parse().unwrap()).unwrap();
        let goals = (0..12).map(|_| uniform(&classic, &mut rng));
        goals
            .map(|goal| Space::new(&goal, metric).unwrap())
            .collect()
    }

    #[test]
    fn a_summary_is_that_of_every_goal_with_the_same_key() {
        for (size, metric) in [
            ("2x3", Metric::Single),
            ("3x2", Metric::Multi),
            ("2x4", Metric::Single),
        ] {
            for space in spaces(size, metric) {
                let canonical = space.canonical();
                let known = canonical.search(1, &Budget::default()).unwrap().summary();
                assert!(known.bytes() > 0);
                let told = known.towards(&space).unwrap();
                let own = space.search(1, &Budget::default()).unwrap();
                assert_eq!(told.census(), own.census(), "{}", space.goal());
                assert_eq!(told.farthest(), own.farthest(), "{}", space.goal());
                assert_eq!(told.space().goal(), space.goal());
            }
        }
    }

    #[test]
    fn a_quality_is_that_of_every_goal_with_the_same_key() {
        for kind in ["manhattan", "max", "pdb:3-2"].map(HeuristicKind::from_name) {
            let kind = kind.unwrap();
            for space in spaces("2x3", Metric::Single) {
                let canonical = space.canonical();
                let known = Quality::measure(&canonical, kind, 1, &Budget::default()).unwrap();
                let told = known.towards(&canonical, &space).unwrap();
                let own = Quality::measure(&space, kind, 1, &Budget::default()).unwrap();
                assert_eq!(told.pairs(), own.pairs(), "{}", space.goal());
                assert_eq!(told.worst(), own.worst(), "{}", space.goal());
                assert_eq!(told.inadmissible(), own.inadmissible());
                assert_eq!(told.inconsistent(), own.inconsistent());
            }
        }
    }

    #[test]
    fn spaces_of_another_key_are_not_the_same() {
        let space = |goal: &str, metric| Space::new(&goal.parse::<Board>().unwrap(), metric);
        let corner = space("1 2 3/4 5 0", Metric::Single).unwrap();
        let summary = corner.search(1, &Budget::default()).unwrap().summary();
        for other in [
            space("1 2 3/4 0 5", Metric::Single),
            space("1 2 3/4 5 0", Metric::Multi),
            space("1 2 3/4 5 6/7 8 0", Metric::Single),
        ] {
            assert!(summary.towards(&other.unwrap()).is_none());
        }
    }
}
