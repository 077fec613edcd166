//! Frontier search: keep the open nodes only (Korf 1999; Korf, Zhang, Thayer & Hohwald 2005).

use crate::domain::{Domain, Reversible};
use crate::outcome::{Limit, Limits, Proof, Report};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::hash::Mix;
use super::queue::BucketQueue;
use super::room::Probe;
use super::run::Run;
use super::{Observer, PruneReason, SearchEvent};

/// Finds a cheapest path while storing the frontier of the search and nothing behind it.
///
/// Expanded states serve two purposes in other searches: not to be entered again, and to find the
/// way back. Here each open state remembers instead which of its actions lead back to expanded
/// states, and those are never used; an expanded state can be reached through its neighbours only,
/// so it never comes back. Open states are expanded in the order of their cost, as in
/// [`dijkstra`](super::dijkstra), breadth-first where all actions cost 1.
///
/// When the goal's turn comes its cost C is known, but not the way. That is found by dividing: one
/// search from the start keeps its frontier at half of C, a second one from the goal meets it, and
/// a state where both costs add up to C lies on a cheapest path. The two halves are solved in the
/// same way. All of this reaches to half of C at most, so it takes far less than the first search.
///
/// * `domain`: the problem, with one goal and with actions that can be taken back at the same cost.
///   Costs may differ. Actions after the sixty-fourth of a state cannot be remembered as used: with
///   more of them the answer is still right, but expanded states can come back, and a goal that
///   cannot be reached goes unnoticed.
/// * `start`: where to begin. It may be the goal itself; then the path is empty.
/// * `limits`: memory is what the frontiers take; nodes count over the first search and the
///   recovery of the path. When a limit stops the first search, the lower bound is the smallest
///   cost of an open state; when one stops the recovery, it is C.
/// * `observer`: sees the expansions of the first search, each state that is met again in it, and
///   the solution; not the recovery. The estimate it sees is 0.
///
/// [`Statistics::peak_states`](crate::Statistics::peak_states) is the size of the largest frontier.
///
/// # Panics
///
/// If `domain` has actions that cannot be taken back at the same cost, despite what [`Reversible`]
/// promises, the path may turn out not to be recoverable.
///
/// ```
/// use taquin::search::{Cost, PackedState, Sliding, frontier};
/// use taquin::{Board, Goal, Limits, Outcome};
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let domain = Sliding::<PackedState>::new(&goal, Cost::Unit).expect("nine cells fit");
/// let report = frontier(&domain, domain.state(&board)?, &Limits::default(), &mut ());
/// let Outcome::Solved(solution) = report.outcome else { panic!("it is solvable") };
/// assert_eq!(solution.cost, 31);
/// assert!(report.statistics.peak_states < 181_440 / 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn frontier<D, O>(
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
    let mut bound = 0;
    let cost = match distance(domain, &start, &mut bound, &mut run, observer) {
        Ok(Some(cost)) => cost,
        Ok(None) => return run.no_solution(),
        Err(limit) => return run.stopped(limit, bound),
    };
    match recover(domain, &start, cost, &mut run) {
        Ok(actions) => {
            let proof = Proof::Optimal("every state that costs less to reach was expanded before");
            run.solved(domain, start, actions, proof, observer)
        }
        Err(limit) => run.stopped(limit, cost),
    }
}

/// What a cheapest solution costs. `bound` follows the cost up to which all states are known.
fn distance<D: Reversible, O: Observer<D>>(
    domain: &D,
    start: &D::State,
    bound: &mut u32,
    run: &mut Run,
    observer: &mut O,
) -> Result<Option<u32>, Limit> {
    let mut frontier = Frontier::new(domain, start.clone());
    // Step 1: the cheapest open state. No cheaper path to it can turn up.
    while let Some((state, reached)) = frontier.pop() {
        *bound = reached.g;
        run.meter.budget.reach(reached.g)?;
        // Step 2: is it the goal?
        if domain.is_goal(&state) {
            return Ok(Some(reached.g));
        }
        // Step 3: its neighbours, except those behind it.
        run.expand()?;
        if O::ACTIVE {
            observer.on(SearchEvent::Expanded {
                state: &state,
                action: reached.action,
                g: reached.g,
                h: 0,
            });
        }
        frontier.expand(domain, &state, &reached, run, 0, |state, action, g, new| {
            if O::ACTIVE && !new {
                observer.on(SearchEvent::Pruned {
                    state,
                    action,
                    g,
                    h: 0,
                    reason: PruneReason::Duplicate,
                });
            }
        })?;
        run.stored(frontier.states.len());
    }
    Ok(None)
}

/// What is left to do on the way to a path.
enum Task<D: Domain> {
    /// Find the path from one state to another, which has this cost.
    Path(D::State, D::State, u32),
    /// Take this action.
    Step(D::Action),
}

/// The actions of a cheapest path to the goal, which is known to have this cost.
fn recover<D: Reversible>(
    domain: &D,
    start: &D::State,
    cost: u32,
    run: &mut Run,
) -> Result<Vec<D::Action>, Limit> {
    let mut actions = Vec::new();
    // A stack in place of recursion, with what comes first on the path on top.
    let mut tasks = vec![Task::<D>::Path(start.clone(), domain.goal(), cost)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Step(action) => actions.push(action),
            Task::Path(_, _, 0) => {}
            Task::Path(from, to, cost) => match divide(domain, &from, &to, cost, run)? {
                Part::Middle(middle, first) => {
                    tasks.push(Task::Path(middle.clone(), to, cost - first));
                    tasks.push(Task::Path(from, middle, first));
                }
                Part::Last(before, first, action) => {
                    tasks.push(Task::Step(action));
                    tasks.push(Task::Path(from, before, first));
                }
            },
        }
    }
    Ok(actions)
}

/// A part of a cheapest path.
enum Part<D: Domain> {
    /// A state near its middle, and what the path up to it costs.
    Middle(D::State, u32),
    /// The state before its end, what the path up to it costs, and the action that follows.
    Last(D::State, u32, D::Action),
}

/// Divides a path of known cost, more than 0, in two that both cost less.
fn divide<D: Reversible>(
    domain: &D,
    from: &D::State,
    to: &D::State,
    cost: u32,
    run: &mut Run,
) -> Result<Part<D>, Limit> {
    // Step 1: expand everything below half of the cost. The first state on the path that is not
    // below it is then open, since the state before it was expanded. It may be the end itself, if
    // the last action is a dear one; then that action is the part we want.
    let half = u64::from(cost).div_ceil(2) as u32;
    let mut near = Frontier::new(domain, from.clone());
    while near.first_g().is_some_and(|g| g < half) {
        let Some((state, reached)) = near.pop() else {
            break;
        };
        run.expand()?;
        let mut last = None;
        near.expand(domain, &state, &reached, run, 0, |after, action, g, _| {
            if g == cost && after == to {
                last = Some(action);
            }
        })?;
        run.stored(near.states.len());
        if let Some(action) = last {
            return Ok(Part::Last(state, reached.g, action));
        }
    }
    // Step 2: from the end, visit every state up to the other half. One of them is open on the
    // near side, and the two costs add up: it lies on a cheapest path.
    let mut far = Frontier::new(domain, to.clone());
    while let Some((state, reached)) = far.pop() {
        if let Some(open) = near.states.get(&state)
            && open.g.checked_add(reached.g) == Some(cost)
        {
            return Ok(Part::Middle(state, open.g));
        }
        run.expand()?;
        let others = near.bytes(0);
        far.expand(domain, &state, &reached, run, others, |_, _, _, _| ())?;
        run.stored(near.states.len() + far.states.len());
    }
    unreachable!("a reversible domain has a path back of the same cost");
}

/// How an open state was reached.
struct Reached<A> {
    g: u32,
    /// A bit for each action, in the order of [`Domain::actions`], that leads to an expanded state.
    used: u64,
    /// The last action on the path.
    action: Option<A>,
}

/// The open states.
struct Frontier<D: Domain> {
    states: HashMap<D::State, Reached<D::Action>, Mix>,
    /// By g. A state whose g became smaller is in it twice; the later entry is outdated.
    queue: BucketQueue<u32, D::State>,
    /// Bytes that a state points to.
    heap: u64,
    probe: Probe,
}

impl<D: Domain> Frontier<D> {
    fn new(domain: &D, root: D::State) -> Self {
        let heap = (domain.state_bytes(&root) - size_of::<D::State>()) as u64;
        let queue = BucketQueue::with(0, root.clone());
        let reached = Reached {
            g: 0,
            used: 0,
            action: None,
        };
        Self {
            states: std::iter::once((root, reached)).collect(),
            queue,
            heap,
            probe: Probe::default(),
        }
    }

    /// Bytes that are held. If `more` states do not fit, the table is about to double, and counts
    /// in both sizes.
    fn bytes(&self, more: usize) -> u64 {
        let room = self.states.capacity();
        let rooms = if self.states.len() + more > room {
            3 * room
        } else {
            room
        };
        // The standard table leaves one slot in eight free and has a byte of its own for each.
        let slot = size_of::<(D::State, Reached<D::Action>)>() + 1;
        let table = rooms * slot * 8 / 7;
        let pointed = (self.states.len() + self.queue.len()) as u64 * self.heap;
        table as u64 + self.queue.bytes() + pointed
    }

    /// Makes sure that there is memory for one more state.
    #[inline]
    fn make_room(&mut self) -> Result<(), Limit> {
        if self.states.len() == self.states.capacity() {
            let reserved = self.states.try_reserve(1);
            reserved.map_err(|_| Limit::Memory)?;
        }
        // It is in the table and in the queue.
        self.probe.ask(2 * self.heap as usize)
    }

    /// The smallest g of an open state.
    fn first_g(&mut self) -> Option<u32> {
        let live = |g, state: &D::State| self.states.get(state).is_some_and(|open| open.g == g);
        self.queue.peek_live(live).map(|(g, _)| g)
    }

    /// Takes the open state with the smallest g.
    fn pop(&mut self) -> Option<(D::State, Reached<D::Action>)> {
        loop {
            let (g, state) = self.queue.pop()?;
            if let Entry::Occupied(open) = self.states.entry(state)
                && open.get().g == g
            {
                return Some(open.remove_entry());
            }
        }
    }

    /// Generates the neighbours of a state that was popped, and marks in each the way back as used.
    /// `each` sees them, and whether the path to them is taken up.
    fn expand(
        &mut self,
        domain: &D,
        state: &D::State,
        reached: &Reached<D::Action>,
        run: &mut Run,
        others: u64,
        mut each: impl FnMut(&D::State, D::Action, u32, bool),
    ) -> Result<(), Limit> {
        for (number, action) in domain.actions(state).enumerate() {
            if number < 64 && (reached.used >> number) & 1 == 1 {
                continue;
            }
            run.meter.budget.keep(self.bytes(1) + others)?;
            self.make_room()?;
            let (after, cost) = domain.successor(state, action);
            run.statistics.generated += 1;
            let g = reached.g.saturating_add(cost);
            let inverse = domain.inverse(action);
            let back = domain
                .actions(&after)
                .take(64)
                .position(|a| Some(a) == inverse)
                .map_or(0, |number| 1 << number);
            match self.states.entry(after) {
                Entry::Occupied(mut open) => {
                    let cheaper = g < open.get().g;
                    each(open.key(), action, g, cheaper);
                    let known = open.get_mut();
                    known.used |= back;
                    if cheaper {
                        (known.g, known.action) = (g, Some(action));
                        self.queue.push(g, open.key().clone())?;
                    }
                }
                Entry::Vacant(place) => {
                    each(place.key(), action, g, true);
                    self.queue.push(g, place.key().clone())?;
                    place.insert(Reached {
                        g,
                        used: back,
                        action: Some(action),
                    });
                }
            }
        }
        Ok(())
    }
}
