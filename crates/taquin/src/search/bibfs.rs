//! Bidirectional search without an estimate: breadth-first from both ends, and Dijkstra's algorithm
//! from both ends where costs differ (Nicholson 1966, Pohl 1969).

use super::arena::{Arena, StatePlace, joined_path};
use super::queue::BucketQueue;
use super::run::Run;
use super::{Observer, PruneReason, SearchEvent};
use crate::domain::Reversible;
use crate::outcome::{Limit, Limits, Proof, Report};

/// Finds a cheapest path by searching from the start and from the goal until the two meet.
///
/// Two searches of half the depth are far smaller than one of the whole. Each end expands its
/// cheapest open node; with equal costs that is breadth-first, layer by layer, and the end with
/// fewer open nodes takes the next layer. Whenever one end reaches a state that the other knows,
/// that is a path, but the first one need not be the cheapest: the search goes on until no path
/// that is still unknown can cost less than the best one known.
///
/// * `domain`: the problem, with one goal and with actions that can be taken back at the same cost.
///   Costs may differ.
/// * `start`: where to begin. It may be the goal itself; then the path is empty.
/// * `limits`: memory is what the states of both ends, their tables and queues take. When a limit
///   stops the search, the lower bound is the least that a path between the two frontiers can cost.
/// * `observer`: sees each expansion, at either end, with its cost from that end, each state that is
///   met again, and the solution. The estimate it sees is 0.
///
/// ```
/// use taquin::search::{Cost, PackedState, Sliding, bibfs};
/// use taquin::{Board, Goal, Limits, Outcome};
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let domain = Sliding::<PackedState>::new(&goal, Cost::Unit).expect("nine cells fit");
/// let report = bibfs(&domain, domain.state(&board)?, &Limits::default(), &mut ());
/// let Outcome::Solved(solution) = report.outcome else { panic!("it is solvable") };
/// assert_eq!(solution.cost, 31);
/// assert!(solution.proof.is_optimal());
/// assert!(report.statistics.expanded < 181_440 / 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bibfs<D, O>(
    domain: &D,
    start: D::State,
    limits: &Limits,
    observer: &mut O,
) -> Report<Vec<D::Action>>
where
    D: Reversible,
    O: Observer<D>,
{
    let mut run = Run::new(limits);
    let mut search = Search {
        domain,
        ends: [
            End::new(domain, start.clone()),
            End::new(domain, domain.goal()),
        ],
        best: u32::MAX,
        meeting: (0, 0),
        lower_bound: 0,
    };
    if domain.is_goal(&start) {
        (search.best, search.meeting) = (0, (0, 0));
    }
    let end = search.alternate(&mut run, observer);
    let [forward, backward] = &search.ends;
    run.stored(forward.arena.len() + backward.arena.len());
    match end {
        Ok(()) if search.best == u32::MAX => run.no_solution(),
        Ok(()) => {
            let (there, from_goal) = search.meeting;
            let actions = joined_path(
                domain,
                (&forward.arena, there),
                (&backward.arena, from_goal),
            );
            let proof = Proof::Optimal(
                "every path that is still unknown costs at least what leads to the two frontiers \
                 and one action between them",
            );
            run.solved(domain, start, actions, proof, observer)
        }
        Err(limit) => run.stopped(limit, search.lower_bound.min(search.best)),
    }
}

/// One end's search. What it remembers of a node besides the path is whether it was expanded.
struct End<D: Reversible> {
    arena: Arena<D, bool>,
    /// By g.
    open: BucketQueue<u32>,
}

impl<D: Reversible> End<D> {
    fn new(domain: &D, root: D::State) -> Self {
        Self {
            arena: Arena::new(domain, root, false),
            open: BucketQueue::with(0, 0),
        }
    }

    /// The smallest g of an open node, and the node.
    fn first(&mut self) -> Option<(u32, u32)> {
        let live = |_, &node: &u32| !self.arena[node].extra;
        self.open.peek_live(live).map(|(g, &node)| (g, node))
    }
}

struct Search<'a, D: Reversible> {
    domain: &'a D,
    /// From the start, and from the goal.
    ends: [End<D>; 2],
    /// Cost of the best path so far.
    best: u32,
    /// Where it changes from one end's nodes to the other's.
    meeting: (u32, u32),
    /// No path that is still unknown costs less.
    lower_bound: u32,
}

impl<D: Reversible> Search<'_, D> {
    fn alternate<O: Observer<D>>(&mut self, run: &mut Run, observer: &mut O) -> Result<(), Limit> {
        // The end whose turn it is, and the layer that it is to finish.
        let mut turn = (0, 0);
        loop {
            // Step 1: the frontiers. When one is empty, that end has seen everything it can reach,
            // and no path is still unknown.
            let [forward, backward] = &mut self.ends;
            let firsts = forward.first().zip(backward.first());
            // Step 2: is it over? An unknown path leaves one frontier at some open node and enters
            // the other at another one (at the same one it would be known), so there is at least
            // one action between the two, and actions cost at least 1.
            let between = firsts.map_or(u32::MAX, |(ahead, behind)| {
                ahead.0.saturating_add(behind.0).saturating_add(1)
            });
            self.lower_bound = self.lower_bound.max(between);
            let proven = self.lower_bound.min(self.best);
            if proven < u32::MAX {
                run.meter.budget.reach(proven)?;
            }
            let Some((ahead, behind)) = firsts.filter(|_| self.lower_bound < self.best) else {
                return Ok(());
            };
            // Step 3: whose turn? A layer is finished by the end that began it; then the smaller
            // frontier goes on.
            let firsts = [ahead, behind];
            if firsts[turn.0].0 != turn.1 {
                let smaller = usize::from(backward.open.len() < forward.open.len());
                turn = (smaller, firsts[smaller].0);
            }
            // Step 4: expand.
            run.expand()?;
            self.expand(turn.0, firsts[turn.0].1, run, observer)?;
        }
    }

    fn expand<O: Observer<D>>(
        &mut self,
        end: usize,
        number: u32,
        run: &mut Run,
        observer: &mut O,
    ) -> Result<(), Limit> {
        let domain = self.domain;
        let [forward, backward] = &mut self.ends;
        let (mine, other) = if end == 0 {
            (forward, &*backward)
        } else {
            (backward, &*forward)
        };
        let node = &mut mine.arena[number];
        node.extra = true;
        let (state, last, parent_g) = (node.state.clone(), node.action, node.g);
        if O::ACTIVE {
            observer.on(SearchEvent::Expanded {
                state: &state,
                action: last,
                g: parent_g,
                h: 0,
            });
        }
        for action in domain.actions_after(&state, last) {
            let others = mine.open.bytes() + other.open.bytes() + other.arena.bytes();
            mine.arena.make_room(&run.meter.budget, others)?;
            let (after, cost) = domain.successor(&state, action);
            run.statistics.generated += 1;
            let g = parent_g.saturating_add(cost);
            let place = mine.arena.find(&after);
            if let StatePlace::Known(known) = place
                && mine.arena[known].g <= g
            {
                if O::ACTIVE {
                    observer.on(SearchEvent::Pruned {
                        state: &after,
                        action,
                        g,
                        h: 0,
                        reason: PruneReason::Duplicate,
                    });
                }
                continue;
            }
            // Known at the other end as well: a path.
            let met = other.arena.get(&after);
            let new = match place {
                StatePlace::Known(known) => {
                    let node = &mut mine.arena[known];
                    (node.g, node.action, node.parent) = (g, Some(action), number);
                    known
                }
                StatePlace::Vacant(vacancy) => {
                    mine.arena
                        .insert(domain, vacancy, after, Some(action), number, g, false)
                }
            };
            mine.open.push(g, new)?;
            if let Some(met) = met {
                let whole = g.saturating_add(other.arena[met].g);
                if whole < self.best {
                    self.best = whole;
                    self.meeting = if end == 0 { (new, met) } else { (met, new) };
                }
            }
        }
        Ok(())
    }
}
