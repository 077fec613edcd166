//! NBS: near-optimal bidirectional heuristic search (Chen, Holte, Zilles & Sturtevant 2017).

use super::arena::{Arena, StatePlace, joined_path};
use super::queue::BucketQueue;
use super::run::Run;
use super::{Observer, PruneReason, SearchEvent};
use crate::domain::{Domain, Reversible};
use crate::heuristic::{Heuristic, debug_check};
use crate::outcome::{Limit, Limits, Proof, Report};

/// Finds a cheapest path with an estimate from each end.
///
/// Take an open node u of the search from the start and an open node v of the search from the goal.
/// A path from u to v costs at least lb(u, v), the largest of f(u), f(v), and g(u) + g(v) + 1 (some
/// action must lie between them). As long as lb(u, v) is below the cost of a cheapest path, no
/// search can do without expanding u or v: the path might run there. NBS takes the pair with the
/// smallest lb and expands both, so with consistent estimates it never expands more than twice as
/// many nodes, below the cost of a cheapest path, as the least that any search of this kind needs
/// for its proof.
///
/// * `domain`: the problem, with one goal and with actions that can be taken back at the same cost.
///   Costs may differ.
/// * `start`: where to begin. It may be the goal itself; then the path is empty.
/// * `forward`: estimates the cost from a state to the goal; must never say too much.
/// * `backward`: estimates the cost from a state to `start`; must never say too much. Usually the
///   same kind of estimate built for `start` as its goal. It is asked with `domain`, so it must know
///   its own goal rather than ask the domain for one.
/// * `limits`: memory is what the states of both ends, their tables and queues take. When a limit
///   stops the search, the lower bound is the smallest lb of a pair.
/// * `observer`: sees each expansion, at either end, with g and h from that end, each state that is
///   met again or cannot improve on a known path, and the solution.
///
/// States are expanded again when a cheaper path to them turns up, so the estimates need not be
/// consistent.
///
/// ```
/// use taquin::heuristic::Manhattan;
/// use taquin::search::{Cost, PackedState, Sliding, nbs};
/// use taquin::{Board, Goal, Limits, Outcome};
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let domain = Sliding::<PackedState>::new(&goal, Cost::Unit).expect("nine cells fit");
/// let back = Sliding::<PackedState>::new(&board, Cost::Unit).expect("nine cells fit");
/// let (forward, backward) = (Manhattan::new(&domain), Manhattan::new(&back));
/// let start = domain.state(&board)?;
/// let report = nbs(&domain, start, &forward, &backward, &Limits::default(), &mut ());
/// let Outcome::Solved(solution) = report.outcome else { panic!("it is solvable") };
/// assert_eq!(solution.cost, 31);
/// assert!(solution.proof.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn nbs<D, H, B, O>(
    domain: &D,
    start: D::State,
    forward: &H,
    backward: &B,
    limits: &Limits,
    observer: &mut O,
) -> Report<Vec<D::Action>>
where
    D: Reversible,
    H: Heuristic<D>,
    B: Heuristic<D>,
    O: Observer<D>,
{
    let mut run = Run::new(limits);
    let mut search = Search {
        domain,
        ahead: End::new(domain, start.clone(), forward),
        behind: End::new(domain, domain.goal(), backward),
        best: Best {
            cost: u32::MAX,
            meeting: (0, 0),
        },
        lower_bound: 0,
    };
    if domain.is_goal(&start) {
        search.best.cost = 0;
    }
    let end = search.expand_pairs(&mut run, observer);
    run.stored(search.ahead.arena.len() + search.behind.arena.len());
    match end {
        Ok(()) if search.best.cost == u32::MAX => run.no_solution(),
        Ok(()) => {
            let (there, from_goal) = search.best.meeting;
            let actions = joined_path(
                domain,
                (&search.ahead.arena, there),
                (&search.behind.arena, from_goal),
            );
            let proof = Proof::Optimal(
                "no pair of open nodes, one from each end, can be joined at a smaller cost",
            );
            run.solved(domain, start, actions, proof, observer)
        }
        Err(limit) => run.stopped(limit, search.lower_bound.min(search.best.cost)),
    }
}

/// What is remembered of a node besides its path.
struct Mark<M> {
    memo: M,
    h: u32,
    list: List,
}

/// Where a node is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    /// Open, with an f too large to be in a pair yet.
    Waiting,
    /// Open, with an f that does not stand in the way: only its g matters now.
    Ready,
    /// Expanded.
    Closed,
}

/// One end's search.
///
/// The open list is in two parts, which is what makes finding the best pair cheap: nodes wait in
/// the order of f until the lower bound has risen to it, and are then ready in the order of g.
struct End<'a, D: Domain, H: Heuristic<D>> {
    heuristic: &'a H,
    arena: Arena<D, Mark<H::Memo>>,
    waiting: BucketQueue<u32>,
    ready: BucketQueue<u32>,
}

impl<'a, D: Domain, H: Heuristic<D>> End<'a, D, H> {
    fn new(domain: &D, root: D::State, heuristic: &'a H) -> Self {
        let memo = heuristic.evaluate(domain, &root);
        let h = heuristic.value(&memo);
        let mark = Mark {
            memo,
            h,
            list: List::Waiting,
        };
        Self {
            heuristic,
            arena: Arena::new(domain, root, mark),
            waiting: BucketQueue::with(h, 0),
            ready: BucketQueue::new(),
        }
    }

    fn bytes(&self) -> u64 {
        self.arena.bytes() + self.waiting.bytes() + self.ready.bytes()
    }

    /// The smallest f that waits. An entry is outdated once its node has moved on or has a
    /// smaller f.
    fn first_waiting(&mut self) -> Option<(u32, u32)> {
        let live = |f, &node: &u32| {
            let node = &self.arena[node];
            node.extra.list == List::Waiting && node.g.saturating_add(node.extra.h) == f
        };
        self.waiting.peek_live(live).map(|(f, &node)| (f, node))
    }

    /// The smallest g that is ready.
    fn first_ready(&mut self) -> Option<(u32, u32)> {
        let live = |g, &node: &u32| {
            let node = &self.arena[node];
            node.extra.list == List::Ready && node.g == g
        };
        self.ready.peek_live(live).map(|(g, &node)| (g, node))
    }

    /// Makes all waiting nodes ready whose f is below a bound.
    fn admit_below(&mut self, bound: u32) -> Result<(), Limit> {
        while self.first_waiting().is_some_and(|(f, _)| f < bound) {
            self.admit_one()?;
        }
        Ok(())
    }

    /// Makes the first waiting node ready.
    fn admit_one(&mut self) -> Result<(), Limit> {
        if let Some((_, node)) = self.waiting.pop() {
            let marked = &mut self.arena[node];
            marked.extra.list = List::Ready;
            self.ready.push(marked.g, node)?;
        }
        Ok(())
    }
}

/// The best path so far: what it costs, and the node at each end where the two halves meet.
struct Best {
    cost: u32,
    meeting: (u32, u32),
}

struct Search<'a, D: Domain, H: Heuristic<D>, B: Heuristic<D>> {
    domain: &'a D,
    ahead: End<'a, D, H>,
    behind: End<'a, D, B>,
    best: Best,
    /// The smallest lb of a pair.
    lower_bound: u32,
}

impl<D: Domain, H: Heuristic<D>, B: Heuristic<D>> Search<'_, D, H, B> {
    fn expand_pairs<O: Observer<D>>(
        &mut self,
        run: &mut Run,
        observer: &mut O,
    ) -> Result<(), Limit> {
        loop {
            // Step 1: the pair with the smallest lb. If an end has no open node left, there is none,
            // and nothing is still unknown.
            let pair = self.best_pair()?;
            if pair.is_none() {
                self.lower_bound = u32::MAX;
            }
            // Step 2: is it over? Whatever is still unknown costs at least the smallest lb.
            let proven = self.lower_bound.min(self.best.cost);
            if proven < u32::MAX {
                run.meter.budget.reach(proven)?;
            }
            let Some((u, v)) = pair.filter(|_| self.lower_bound < self.best.cost) else {
                return Ok(());
            };
            // Step 3: expand both. One of them might do, but nobody knows which: expanding both is
            // what the guarantee of twice the least rests on.
            run.expand()?;
            expand(
                self.domain,
                (&mut self.ahead, u),
                &self.behind,
                &mut self.best,
                |best, mine, other| best.meeting = (mine, other),
                run,
                observer,
            )?;
            run.expand()?;
            expand(
                self.domain,
                (&mut self.behind, v),
                &self.ahead,
                &mut self.best,
                |best, mine, other| best.meeting = (other, mine),
                run,
                observer,
            )?;
        }
    }

    /// The ready nodes that form a pair with the smallest lb, which becomes the lower bound.
    fn best_pair(&mut self) -> Result<Option<(u32, u32)>, Limit> {
        // Nodes that came since the last pair may have an f below the bound: they must not wait.
        self.ahead.admit_below(self.lower_bound)?;
        self.behind.admit_below(self.lower_bound)?;
        loop {
            let ready = (self.ahead.first_ready(), self.behind.first_ready());
            let waiting = (self.ahead.first_waiting(), self.behind.first_waiting());
            if ready.0.or(waiting.0).is_none() || ready.1.or(waiting.1).is_none() {
                return Ok(None);
            }
            // All ready nodes have f ≤ bound, so their lb depends on g alone.
            let together = match ready {
                (Some((g, u)), Some((k, v))) => {
                    let sum = g.saturating_add(k).saturating_add(1);
                    if sum <= self.lower_bound {
                        return Ok(Some((u, v)));
                    }
                    sum
                }
                _ => u32::MAX,
            };
            // No pair has an lb within the bound yet. Nodes with an f at the bound join first; when
            // there are none the bound rises to whatever comes next.
            let f = (
                waiting.0.map_or(u32::MAX, |(f, _)| f),
                waiting.1.map_or(u32::MAX, |(f, _)| f),
            );
            if waiting.0.is_some() && f.0 <= self.lower_bound {
                self.ahead.admit_one()?;
            } else if waiting.1.is_some() && f.1 <= self.lower_bound {
                self.behind.admit_one()?;
            } else {
                self.lower_bound = together.min(f.0).min(f.1);
            }
        }
    }
}

/// Expands a node of one end. `meet` notes where a new best path changes ends.
fn expand<D, H, B, O>(
    domain: &D,
    (mine, number): (&mut End<'_, D, H>, u32),
    other: &End<'_, D, B>,
    best: &mut Best,
    meet: impl Fn(&mut Best, u32, u32),
    run: &mut Run,
    observer: &mut O,
) -> Result<(), Limit>
where
    D: Domain,
    H: Heuristic<D>,
    B: Heuristic<D>,
    O: Observer<D>,
{
    let heuristic = mine.heuristic;
    let node = &mut mine.arena[number];
    node.extra.list = List::Closed;
    let (state, last, parent_g) = (node.state.clone(), node.action, node.g);
    let memo = node.extra.memo.clone();
    if O::ACTIVE {
        observer.on(SearchEvent::Expanded {
            state: &state,
            action: last,
            g: parent_g,
            h: node.extra.h,
        });
    }
    for action in domain.actions_after(&state, last) {
        let others = mine.waiting.bytes() + mine.ready.bytes() + other.bytes();
        mine.arena.make_room(&run.meter.budget, others)?;
        let (after, cost) = domain.successor(&state, action);
        run.statistics.generated += 1;
        let g = parent_g.saturating_add(cost);
        let mut prune = |state: &D::State, h, reason| {
            if O::ACTIVE {
                observer.on(SearchEvent::Pruned {
                    state,
                    action,
                    g,
                    h,
                    reason,
                });
            }
        };
        // A state that is known with a path no dearer is left alone, and so is one whose f shows
        // that no path through it beats the best.
        let (h, new) = match mine.arena.find(&after) {
            StatePlace::Known(known) => {
                let node = &mut mine.arena[known];
                let h = node.extra.h;
                if node.g <= g {
                    prune(&after, h, PruneReason::Duplicate);
                    continue;
                }
                if g.saturating_add(h) >= best.cost {
                    prune(&after, h, PruneReason::Bound);
                    continue;
                }
                (node.g, node.action, node.parent) = (g, Some(action), number);
                node.extra.list = List::Waiting;
                (h, known)
            }
            StatePlace::Vacant(vacancy) => {
                let memo = heuristic.step(domain, &memo, &after, action);
                debug_check(heuristic, domain, &memo, &after);
                let h = heuristic.value(&memo);
                if g.saturating_add(h) >= best.cost {
                    prune(&after, h, PruneReason::Bound);
                    continue;
                }
                let list = List::Waiting;
                let mark = Mark { memo, h, list };
                let new = mine
                    .arena
                    .insert(domain, vacancy, after, Some(action), number, g, mark);
                mine.arena.hold(heuristic.memo_bytes());
                (h, new)
            }
        };
        mine.waiting.push(g.saturating_add(h), new)?;
        // Known at the other end as well: a path.
        if let Some(met) = other.arena.get(&mine.arena[new].state) {
            let whole = g.saturating_add(other.arena[met].g);
            if whole < best.cost {
                best.cost = whole;
                meet(best, new, met);
            }
        }
    }
    Ok(())
}
