//! How many boards there are at each distance.

/// How many boards there are at each distance from the goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    counts: Vec<u64>,
}

impl Tally {
    /// A tally from the number of boards at distance 0, 1, 2 and so on.
    pub(super) fn new(mut counts: Vec<u64>) -> Self {
        while counts.last() == Some(&0) {
            counts.pop();
        }
        Self { counts }
    }

    /// The number of boards at distance 0, 1, 2 and so on, up to the farthest.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many boards there are at a distance.
    #[must_use]
    pub fn at(&self, distance: u32) -> u64 {
        self.counts.get(distance as usize).copied().unwrap_or(0)
    }

    /// How many boards there are.
    #[must_use]
    pub fn boards(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The largest distance; 0 if there are no boards.
    #[must_use]
    pub fn farthest(&self) -> u32 {
        self.counts.len().saturating_sub(1) as u32
    }

    /// The mean distance; `None` if there are no boards.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "43 billion boards at most")]
    pub fn mean(&self) -> Option<f64> {
        let sum: f64 = self.weighted(|distance| distance);
        (self.boards() > 0).then(|| sum / self.boards() as f64)
    }

    /// The standard deviation of the distances of all boards; `None` if there are none.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "43 billion boards at most")]
    pub fn deviation(&self) -> Option<f64> {
        let mean = self.mean()?;
        let squares = self.weighted(|distance| (distance - mean).powi(2));
        Some((squares / self.boards() as f64).sqrt())
    }

    /// The distance that half of the boards do not exceed; `None` if there are none.
    #[must_use]
    pub fn median(&self) -> Option<u32> {
        let half = self.boards().div_ceil(2);
        let mut so_far = 0;
        let within = |count: &u64| {
            so_far += count;
            so_far >= half
        };
        let median = self.counts.iter().position(within)?;
        Some(median as u32)
    }

    #[expect(clippy::cast_precision_loss, reason = "43 billion boards at most")]
    fn weighted(&self, value: impl Fn(f64) -> f64) -> f64 {
        let terms = self.counts.iter().zip(0_u32..);
        terms
            .map(|(&count, distance)| count as f64 * value(f64::from(distance)))
            .sum()
    }
}

/// How many boards of a space there are at each distance, in all and for each cell in which the
/// blank can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    all: Tally,
    by_blank: Vec<Tally>,
}

impl Census {
    /// A census from a tally for each cell.
    pub(super) fn new(by_blank: Vec<Tally>) -> Self {
        let levels = by_blank.iter().map(|tally| tally.counts.len()).max();
        let at = |distance: u32| by_blank.iter().map(|tally| tally.at(distance)).sum();
        let counts = (0..levels.unwrap_or(0) as u32).map(at).collect();
        Self {
            all: Tally::new(counts),
            by_blank,
        }
    }

    /// All boards.
    #[must_use]
    pub const fn all(&self) -> &Tally {
        &self.all
    }

    /// The boards whose blank is in each cell, in reading order.
    #[must_use]
    pub fn by_blank(&self) -> &[Tally] {
        &self.by_blank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_tally_are_those_of_its_boards() {
        // Distances 0, 1, 1, 3.
        let tally = Tally::new(vec![1, 2, 0, 1, 0, 0]);
        assert_eq!(tally.counts(), [1, 2, 0, 1]);
        assert_eq!(
            (tally.boards(), tally.farthest(), tally.median()),
            (4, 3, Some(1))
        );
        assert_eq!((tally.at(1), tally.at(3), tally.at(4)), (2, 1, 0));
        assert!((tally.mean().unwrap() - 1.25).abs() < 1e-12);
        assert!((tally.deviation().unwrap() - 1.1875_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn an_empty_tally_has_no_mean() {
        let tally = Tally::new(vec![0, 0]);
        assert_eq!((tally.boards(), tally.farthest()), (0, 0));
        assert_eq!(
            (tally.mean(), tally.deviation(), tally.median()),
            (None, None, None)
        );
    }

    #[test]
    fn a_census_sums_up_its_cells() {
        let cells = vec![Tally::new(vec![1, 0, 2]), Tally::new(vec![0, 3])];
        let census = Census::new(cells);
        assert_eq!(census.all().counts(), [1, 3, 2]);
        assert_eq!(census.by_blank()[1].counts(), [0, 3]);
    }
}
