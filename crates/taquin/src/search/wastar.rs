//! Weighted A*: trust the estimate more than it deserves, within a bound (Pohl 1970).

use super::Observer;
use super::best_first::{Order, best_first};
use crate::domain::Domain;
use crate::heuristic::Heuristic;
use crate::outcome::{Limits, Proof, Report};

/// Finds a path that costs at most `weight` times as much as a cheapest one, usually far sooner.
///
/// The node with the smallest g + w·h is expanded next. Some open node lies on a cheapest path with
/// g + h no more than that path's cost C, so its key is at most w·C; a goal whose turn comes before
/// it has a key, which is its cost, no larger. With a consistent estimate this holds even if
/// states are never expanded twice (Likhachev, Gordon & Thrun 2003), so they are not.
///
/// When the search ends, the smallest g + h that is still open bounds C from below, and that often
/// proves more than the weight promises: [`Proof::Within`] has the better of the two bounds, and
/// the proof is [`Proof::Optimal`] if nothing is open that could be cheaper.
///
/// * `domain`: the problem. Costs may differ.
/// * `start`: where to begin. It may be a goal itself; then the path is empty.
/// * `heuristic`: must never say too much, or nothing is proven. If it is not
///   [consistent](Heuristic::is_consistent), states are expanded again when a cheaper path to them
///   turns up.
/// * `weight`: from 1, which is A*, to a million; what lies outside counts as the nearest of the
///   two, and what is no number as 1. It is rounded down to a multiple of 1/1024, so that keys are
///   whole numbers.
/// * `limits`: memory is what states, their table and the queue take. When a limit stops the
///   search, the lower bound is the smallest g + h that is still open. [`Limits::cost`] stops it
///   when the smallest key is more than the weight times that cost.
/// * `observer`: sees each expansion, each state that is met again and not followed, and the
///   solution.
///
/// ```
/// use taquin::heuristic::Manhattan;
/// use taquin::search::{Cost, PackedState, Sliding, wastar};
/// use taquin::{Board, Goal, Limits, Outcome};
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let domain = Sliding::<PackedState>::new(&goal, Cost::Unit).expect("nine cells fit");
/// let (start, heuristic) = (domain.state(&board)?, Manhattan::new(&domain));
/// let report = wastar(&domain, start, &heuristic, 2.0, &Limits::default(), &mut ());
/// let Outcome::Solved(solution) = report.outcome else { panic!("it is solvable") };
/// assert!((31..=62).contains(&solution.cost));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn wastar<D, H, O>(
    domain: &D,
    start: D::State,
    heuristic: &H,
    weight: f64,
    limits: &Limits,
    observer: &mut O,
) -> Report<Vec<D::Action>>
where
    D: Domain,
    H: Heuristic<D>,
    O: Observer<D>,
{
    let order = Weighted {
        weight: whole_weight(weight),
        reopens: !heuristic.is_consistent(),
    };
    best_first(domain, start, heuristic, &order, limits, observer)
}

/// Parts of a unit of cost in which keys are counted.
const PARTS: u32 = 1024;

#[expect(
    clippy::cast_sign_loss,
    reason = "the weight is at least 1 when it is converted"
)]
fn whole_weight(weight: f64) -> u32 {
    // What is no number is converted to 0.
    ((weight.clamp(1.0, 1e6) * f64::from(PARTS)) as u32).max(PARTS)
}

/// Smallest g + w·h first, then the largest g.
struct Weighted {
    weight: u32,
    reopens: bool,
}

impl Order for Weighted {
    type Key = (u64, u32);

    #[inline]
    fn key(&self, g: u32, h: u32) -> (u64, u32) {
        let parts = u64::from(PARTS) * u64::from(g) + u64::from(self.weight) * u64::from(h);
        (parts, !g)
    }

    /// The smallest key is at most the weight times the cost of a cheapest solution.
    fn least_cost(&self, key: (u64, u32)) -> u32 {
        u32::try_from(key.0.div_ceil(u64::from(self.weight))).unwrap_or(u32::MAX)
    }

    fn reopens(&self) -> bool {
        self.reopens
    }

    fn proof(&self, cost: u32, lower_bound: impl FnOnce() -> u32) -> Proof {
        let least = lower_bound();
        let parts = u64::from(cost) * u64::from(PARTS);
        let by_weight = parts.div_ceil(u64::from(self.weight)) as u32;
        if cost <= least.max(by_weight) {
            return Proof::Optimal("nothing that is still open can lead to a cheaper solution");
        }
        if by_weight >= least {
            Proof::Within {
                lower_bound: by_weight,
                why: "the weight bounds how far the estimate can lead astray",
            }
        } else {
            Proof::Within {
                lower_bound: least,
                why: "no solution costs less than the smallest g + h that is still open",
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_some_weight() {
        for (weight, parts) in [
            (1.0, 1024),
            (1.5, 1536),
            (0.3, 1024),
            (-2.0, 1024),
            (f64::NAN, 1024),
            (f64::INFINITY, 1_024_000_000),
        ] {
            assert_eq!(whole_weight(weight), parts, "{weight}");
        }
    }
}
