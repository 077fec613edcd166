//! The larger of two estimates.

use super::Heuristic;
use crate::domain::Domain;

/// The larger of two estimates of the same problem; nest it for more than two.
///
/// It is admissible because both are, and consistent if both are: if neither falls by more than
/// the cost of an action, the larger does not either.
#[derive(Clone, Copy, Debug)]
pub struct Max<A, B> {
    first: A,
    second: B,
}

impl<A, B> Max<A, B> {
    /// The maximum of two heuristics.
    #[must_use]
    pub const fn new(first: A, second: B) -> Self {
        Self { first, second }
    }

    /// The second of the two.
    pub(super) const fn second(&self) -> &B {
        &self.second
    }
}

impl<D: Domain, A: Heuristic<D>, B: Heuristic<D>> Heuristic<D> for Max<A, B> {
    type Memo = (A::Memo, B::Memo);

    fn evaluate(&self, domain: &D, state: &D::State) -> Self::Memo {
        (
            self.first.evaluate(domain, state),
            self.second.evaluate(domain, state),
        )
    }

    #[inline]
    fn step(
        &self,
        domain: &D,
        before: &Self::Memo,
        after: &D::State,
        action: D::Action,
    ) -> Self::Memo {
        (
            self.first.step(domain, &before.0, after, action),
            self.second.step(domain, &before.1, after, action),
        )
    }

    #[inline]
    fn value(&self, memo: &Self::Memo) -> u32 {
        self.first.value(&memo.0).max(self.second.value(&memo.1))
    }

    fn is_consistent(&self) -> bool {
        self.first.is_consistent() && self.second.is_consistent()
    }

    fn memo_bytes(&self) -> usize {
        self.first.memo_bytes() + self.second.memo_bytes()
    }
}
