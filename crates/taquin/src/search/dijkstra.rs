//! Dijkstra's algorithm: cheapest states first (Dijkstra 1959).

use super::Observer;
use super::best_first::{Order, best_first};
use crate::domain::Domain;
use crate::heuristic::Zero;
use crate::outcome::{Limits, Proof, Report};

/// Finds a cheapest path without any estimate.
///
/// The node with the smallest cost so far, g, is expanded next. No path to it can be found later
/// that is cheaper, since it would have to pass through an open node, whose g is no smaller. So
/// the first goal whose turn comes is a cheapest one.
///
/// * `domain`: the problem. Costs may differ.
/// * `start`: where to begin. It may be a goal itself; then the path is empty.
/// * `limits`: memory is what states, their table and the queue take. When a limit stops the
///   search, the lower bound is the smallest g of an open node.
/// * `observer`: sees each expansion, each state that is met again, and the solution. The estimate
///   it sees is 0.
///
/// ```
/// use taquin::search::{Cost, PackedState, Sliding, dijkstra};
/// use taquin::{Board, Goal, Limits, Outcome};
///
/// let board: Board = "1 2 3/4 0 6/7 5 8".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let domain = Sliding::<PackedState>::new(&goal, Cost::Tile).expect("nine cells fit");
/// let report = dijkstra(&domain, domain.state(&board)?, &Limits::default(), &mut ());
/// let Outcome::Solved(solution) = report.outcome else { panic!("it is solvable") };
/// assert_eq!(solution.cost, 5 + 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn dijkstra<D, O>(
    domain: &D,
    start: D::State,
    limits: &Limits,
    observer: &mut O,
) -> Report<Vec<D::Action>>
where
    D: Domain,
    O: Observer<D>,
{
    best_first(domain, start, &Zero, &ByCost, limits, observer)
}

/// Smallest g first.
struct ByCost;

impl Order for ByCost {
    type Key = u32;

    #[inline]
    fn key(&self, g: u32, _: u32) -> u32 {
        g
    }

    fn least_cost(&self, key: u32) -> u32 {
        key
    }

    /// An expanded node has its cheapest path, so this never comes up.
    fn reopens(&self) -> bool {
        false
    }

    fn proof(&self, _: u32, _: impl FnOnce() -> u32) -> Proof {
        Proof::Optimal("every state that costs less to reach was expanded before")
    }
}
