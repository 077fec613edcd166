//! A*: cheapest estimated total first (Hart, Nilsson & Raphael 1968).

use super::Observer;
use super::best_first::{Order, best_first};
use crate::domain::Domain;
use crate::heuristic::Heuristic;
use crate::outcome::{Limits, Proof, Report};

/// Finds a cheapest path with the help of an estimate.
///
/// The node with the smallest f = g + h is expanded next: its cost so far and the least that the
/// rest can cost. There is always an open node on a cheapest path, with an f no larger than that
/// path's cost, so a goal whose turn comes first cannot be beaten. Among equal f the larger g comes
/// first: less of that sum is a guess, and in the last layer it leads straight to the goal.
///
/// * `domain`: the problem. Costs may differ.
/// * `start`: where to begin. It may be a goal itself; then the path is empty.
/// * `heuristic`: must never say too much, or the path may not be a cheapest. If it is
///   [consistent](Heuristic::is_consistent), no state is expanded twice; if not, states are
///   expanded again when a cheaper path to them turns up. An estimate of `u32::MAX` says that no
///   goal can be reached.
/// * `limits`: memory is what states, their table and the queue take, and on large boards the first
///   to run out. When a limit stops the search, the lower bound is the smallest f of an open node.
/// * `observer`: sees each expansion, each state that is met again at no smaller cost, and the
///   solution.
///
/// ```
/// use taquin::heuristic::Manhattan;
/// use taquin::search::{Cost, PackedState, Sliding, astar};
/// use taquin::{Board, Goal, Limits, Outcome};
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let domain = Sliding::<PackedState>::new(&goal, Cost::Unit).expect("nine cells fit");
/// let (start, heuristic) = (domain.state(&board)?, Manhattan::new(&domain));
/// let report = astar(&domain, start, &heuristic, &Limits::default(), &mut ());
/// let Outcome::Solved(solution) = report.outcome else { panic!("it is solvable") };
/// assert_eq!(solution.cost, 31);
/// assert!(solution.proof.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn astar<D, H, O>(
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
    let order = ByTotal {
        reopens: !heuristic.is_consistent(),
    };
    best_first(domain, start, heuristic, &order, limits, observer)
}

/// Smallest f first, then the largest g.
struct ByTotal {
    reopens: bool,
}

impl Order for ByTotal {
    /// Both numbers in one word: f above, and g below counted from the top.
    type Key = u64;

    #[inline]
    fn key(&self, g: u32, h: u32) -> u64 {
        u64::from(g.saturating_add(h)) << 32 | u64::from(!g)
    }

    /// Some open node lies on a cheapest path, with an f no larger than what that costs.
    fn least_cost(&self, key: u64) -> u32 {
        (key >> 32) as u32
    }

    fn reopens(&self) -> bool {
        self.reopens
    }

    fn proof(&self, _: u32, _: impl FnOnce() -> u32) -> Proof {
        Proof::Optimal("no open node has a smaller f, and the estimate never says too much")
    }
}
