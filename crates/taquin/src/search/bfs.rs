//! Breadth-first search: nearest states first (Moore 1959).

use super::arena::{Arena, StatePlace};
use super::run::Run;
use super::{Observer, PruneReason, SearchEvent};
use crate::domain::Domain;
use crate::outcome::{Limit, Limits, Proof, Report};

/// Finds a path with the fewest actions.
///
/// All states one action away are visited before those two away, and so on. The first time that a
/// state is seen is on a shortest path to it, so each is stored once, and states are tested for the
/// goal when they are generated: waiting for their turn would cost one more layer.
///
/// * `domain`: the problem. The path is the cheapest one only if every action costs 1; as soon as
///   the search meets another cost it proves nothing about what it finds, and says so. Use
///   [`dijkstra`](super::dijkstra) there.
/// * `start`: where to begin. It may be a goal itself; then the path is empty.
/// * `limits`: memory is what the states and their table take. When a limit stops the search, the
///   lower bound is one more than the last layer that was complete: nearer states were all tested.
/// * `observer`: sees each expansion, each state that is met again, and the solution. The estimate
///   it sees is 0.
///
/// ```
/// use taquin::search::{Cost, PackedState, Sliding, bfs};
/// use taquin::{Board, Goal, Move, Limits, Outcome};
///
/// let board: Board = "1 2 3/4 0 6/7 5 8".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let domain = Sliding::<PackedState>::new(&goal, Cost::Unit).expect("nine cells fit");
/// let report = bfs(&domain, domain.state(&board)?, &Limits::default(), &mut ());
/// let Outcome::Solved(solution) = report.outcome else { panic!("it is solvable") };
/// assert_eq!(solution.moves, [Move::Up, Move::Left]);
/// assert!(solution.proof.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bfs<D, O>(
    domain: &D,
    start: D::State,
    limits: &Limits,
    observer: &mut O,
) -> Report<Vec<D::Action>>
where
    D: Domain,
    O: Observer<D>,
{
    let mut run = Run::new(limits);
    let mut search = Search {
        arena: Arena::new(domain, start.clone(), ()),
        depth: 0,
        unit: true,
    };
    let end = if domain.is_goal(&start) {
        Ok(Some(0))
    } else {
        search.layers(domain, &mut run, observer)
    };
    run.stored(search.arena.len());
    match end {
        Ok(Some(goal)) => {
            let proof = if search.unit {
                Proof::Optimal("every state that fewer actions reach was tested before")
            } else {
                Proof::Nothing(
                    "it has the fewest actions, but they differ in cost: a longer path may be \
                     cheaper",
                )
            };
            run.solved(domain, start, search.arena.path(goal), proof, observer)
        }
        Ok(None) => run.no_solution(),
        Err(limit) => run.stopped(limit, search.depth + 1),
    }
}

struct Search<D: Domain> {
    /// In the order in which states were found, which is the order of their depth: the array is
    /// the queue as well.
    arena: Arena<D, ()>,
    /// The layer that is being expanded. All states up to it are known and are no goals.
    depth: u32,
    /// Whether every action so far cost 1.
    unit: bool,
}

impl<D: Domain> Search<D> {
    /// Goes through the states layer by layer until one is a goal.
    fn layers<O: Observer<D>>(
        &mut self,
        domain: &D,
        run: &mut Run,
        observer: &mut O,
    ) -> Result<Option<u32>, Limit> {
        run.meter.budget.reach(1)?;
        let mut layer_end = self.arena.len();
        let mut next = 0;
        while next < self.arena.len() {
            // Step 1: the next state in line. Past the end of its layer the next layer begins.
            if next == layer_end {
                self.depth += 1;
                run.meter.budget.reach(self.depth + 1)?;
                layer_end = self.arena.len();
            }
            run.expand()?;
            let number = next as u32;
            next += 1;
            let node = &self.arena[number];
            let (state, last, g) = (node.state.clone(), node.action, node.g);
            if O::ACTIVE {
                observer.on(SearchEvent::Expanded {
                    state: &state,
                    action: last,
                    g,
                    h: 0,
                });
            }
            // Step 2: its successors. Taking the last action back would lead to a known state.
            for action in domain.actions_after(&state, last) {
                self.arena.make_room(&run.meter.budget, 0)?;
                let (after, cost) = domain.successor(&state, action);
                run.statistics.generated += 1;
                self.unit &= cost == 1;
                let g = g.saturating_add(cost);
                // Step 3: keep what is new, at the end of the line.
                match self.arena.find(&after) {
                    StatePlace::Known(_) => {
                        if O::ACTIVE {
                            observer.on(SearchEvent::Pruned {
                                state: &after,
                                action,
                                g,
                                h: 0,
                                reason: PruneReason::Duplicate,
                            });
                        }
                    }
                    StatePlace::Vacant(vacancy) => {
                        let goal = domain.is_goal(&after);
                        let new =
                            self.arena
                                .insert(domain, vacancy, after, Some(action), number, g, ());
                        if goal {
                            return Ok(Some(new));
                        }
                    }
                }
            }
        }
        Ok(None)
    }
}
