//! Greedy best-first search: whatever looks nearest to the goal first (Doran & Michie 1966).

use super::Observer;
use super::best_first::{Order, best_first};
use crate::domain::Domain;
use crate::heuristic::Heuristic;
use crate::outcome::{Limits, Proof, Report};

/// Finds some path, as fast as the estimate can lead to one.
///
/// The node with the smallest estimate h is expanded next, whatever its path cost so far; among
/// equal estimates the one with the cheaper path. No state is expanded twice. On large boards the
/// paths are many times longer than needed.
///
/// * `domain`: the problem. Costs may differ; they hardly matter here.
/// * `start`: where to begin. It may be a goal itself; then the path is empty.
/// * `heuristic`: the better it orders states, the shorter the search. For the path nothing depends
///   on it; the lower bound at a limit needs an estimate that never says too much.
/// * `limits`: memory is what states, their table and the queue take. When a limit stops the
///   search, the lower bound is the smallest g + h that is still open or was passed over. Since the
///   search does not watch that bound, [`Limits::cost`] stops it only if the start's estimate is
///   above it.
/// * `observer`: sees each expansion, each state that is met again and not followed, and the
///   solution.
///
/// ```
/// use taquin::heuristic::Manhattan;
/// use taquin::search::{Cost, PackedState, Sliding, greedy};
/// use taquin::{Board, Goal, Limits, Outcome};
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let domain = Sliding::<PackedState>::new(&goal, Cost::Unit).expect("nine cells fit");
/// let (start, heuristic) = (domain.state(&board)?, Manhattan::new(&domain));
/// let report = greedy(&domain, start, &heuristic, &Limits::default(), &mut ());
/// let Outcome::Solved(solution) = report.outcome else { panic!("it is solvable") };
/// assert!(solution.cost >= 31 && !solution.proof.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn greedy<D, H, O>(
    domain: &D,
    start: D::State,
    heuristic: &H,
    limits: &Limits,
    observer: &mut O,
) -> Report<Vec<D::Action>>
where
    D: Domain,
    H: Heuristic<D>,
    O: Observer<D>,
{
    best_first(domain, start, heuristic, &ByEstimate, limits, observer)
}

/// Smallest h first, then the smallest g.
struct ByEstimate;

impl Order for ByEstimate {
    /// Both numbers in one word.
    type Key = u64;

    #[inline]
    fn key(&self, g: u32, h: u32) -> u64 {
        u64::from(h) << 32 | u64::from(g)
    }

    /// An estimate says nothing about the cheapest solution without the cost of the path to it.
    fn least_cost(&self, _: u64) -> u32 {
        0
    }

    fn reopens(&self) -> bool {
        false
    }

    fn proof(&self, cost: u32, _: impl FnOnce() -> u32) -> Proof {
        if cost == 0 {
            Proof::Optimal("the start is a goal")
        } else {
            Proof::Nothing("greedy search follows the estimate and never compares costs")
        }
    }
}
