//! No estimate at all.

use super::Heuristic;
use crate::domain::Domain;

/// Always 0, for any problem. With it A* is Dijkstra's algorithm, and IDA* plain iterative
/// deepening: the yardstick for the other heuristics.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<D: Domain> Heuristic<D> for Zero {
    type Memo = ();

    #[inline]
    fn evaluate(&self, _: &D, _: &D::State) {}

    #[inline]
    fn step(&self, _: &D, (): &(), _: &D::State, _: D::Action) {}

    #[inline]
    fn value(&self, (): &()) -> u32 {
        0
    }

    fn is_consistent(&self) -> bool {
        true
    }
}
