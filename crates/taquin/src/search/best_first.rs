//! What Dijkstra's algorithm, A*, weighted A* and greedy search have in common: always expand the
//! open node with the smallest key. They differ in the key, and in what follows from it.

use super::arena::{Arena, StatePlace, stored_bytes};
use super::queue::BucketQueue;
use super::run::Run;
use super::{Observer, PruneReason, SearchEvent};
use crate::domain::Domain;
use crate::heuristic::{Heuristic, debug_check};
use crate::outcome::{Limit, Limits, Proof, Report};

/// What makes one best-first search differ from another.
pub(super) trait Order {
    /// Smaller keys are expanded first.
    type Key: Ord + Copy;

    /// The key of a node. Must grow with `g`, so that of several entries of one node in the queue
    /// the newest, with the smallest g, comes first.
    fn key(&self, g: u32, h: u32) -> Self::Key;

    /// What any solution costs at least when this is the smallest key of an open node.
    fn least_cost(&self, key: Self::Key) -> u32;

    /// Whether a node that was expanded already is expanded again when a cheaper path to it turns
    /// up.
    fn reopens(&self) -> bool;

    /// How good a solution is. `lower_bound` gives what any solution costs at least, at the cost of
    /// a look at every node.
    fn proof(&self, cost: u32, lower_bound: impl FnOnce() -> u32) -> Proof;
}

/// What is remembered of a node besides its path.
struct Mark<M> {
    memo: M,
    /// It was expanded, and no cheaper path to it has been taken up since.
    closed: bool,
}

/// Bytes that A* takes for each stored state with a memo of type `M`, at most: its node, and its
/// number in a queue whose largest stack may be copied. What a state points to is `heap`.
pub(crate) const fn astar_bytes<D: Domain, M>(heap: usize) -> usize {
    stored_bytes::<D, Mark<M>>(heap) + 4 * size_of::<u32>()
}

struct Search<'a, D: Domain, H: Heuristic<D>, P: Order> {
    domain: &'a D,
    heuristic: &'a H,
    order: &'a P,
    arena: Arena<D, Mark<H::Memo>>,
    open: BucketQueue<P::Key>,
    /// The smallest f of a cheaper path that was found to an expanded node and not taken up.
    lost: u32,
    /// What any solution costs at least, as far as the keys have shown.
    proven: u32,
}

/// Searches in the order of a key.
pub(super) fn best_first<D, H, P, O>(
    domain: &D,
    start: D::State,
    heuristic: &H,
    order: &P,
    limits: &Limits,
    observer: &mut O,
) -> Report<Vec<D::Action>>
where
    D: Domain,
    H: Heuristic<D>,
    P: Order,
    O: Observer<D>,
{
    let mut run = Run::new(limits);
    let memo = heuristic.evaluate(domain, &start);
    let h = heuristic.value(&memo);
    let root = Mark {
        memo,
        closed: false,
    };
    let mut search = Search {
        domain,
        heuristic,
        order,
        arena: Arena::new(domain, start.clone(), root),
        open: BucketQueue::with(order.key(0, h), 0),
        lost: u32::MAX,
        proven: h,
    };
    let end = search.expand_in_order(&mut run, observer);
    run.stored(search.arena.len());
    match end {
        Ok(Some(goal)) => {
            let proof = order.proof(search.arena[goal].g, || search.lower_bound());
            run.solved(domain, start, search.arena.path(goal), proof, observer)
        }
        Ok(None) => run.no_solution(),
        Err(limit) => run.stopped(limit, search.lower_bound().max(search.proven)),
    }
}

impl<D: Domain, H: Heuristic<D>, P: Order> Search<'_, D, H, P> {
    /// The loop: gives the goal's node, or nothing if there is none.
    fn expand_in_order<O: Observer<D>>(
        &mut self,
        run: &mut Run,
        observer: &mut O,
    ) -> Result<Option<u32>, Limit> {
        // Step 1: the open node with the smallest key. An entry of a closed node is outdated: a
        // cheaper path to the node was found after it, and came first.
        while let Some((key, number)) = self.open.pop() {
            let node = &self.arena[number];
            if node.extra.closed {
                continue;
            }
            self.proven = self.proven.max(self.order.least_cost(key));
            run.meter.budget.reach(self.proven)?;
            // Step 2: the goal test waits until a node's turn. A cheaper path to the same goal may
            // still be found while it is in the queue.
            if self.domain.is_goal(&node.state) {
                return Ok(Some(number));
            }
            run.expand()?;
            if O::ACTIVE {
                observer.on(SearchEvent::Expanded {
                    state: &node.state,
                    action: node.action,
                    g: node.g,
                    h: self.heuristic.value(&node.extra.memo),
                });
            }
            // Step 3: its successors. It is closed only after all of them are stored: if memory
            // ends in between, it still counts as open for the lower bound.
            self.expand(number, run, observer)?;
            self.arena[number].extra.closed = true;
        }
        Ok(None)
    }

    fn expand<O: Observer<D>>(
        &mut self,
        number: u32,
        run: &mut Run,
        observer: &mut O,
    ) -> Result<(), Limit> {
        let (domain, heuristic) = (self.domain, self.heuristic);
        let node = &self.arena[number];
        let (state, last, parent_g) = (node.state.clone(), node.action, node.g);
        let memo = node.extra.memo.clone();
        for action in domain.actions_after(&state, last) {
            self.arena.make_room(&run.meter.budget, self.open.bytes())?;
            let (after, cost) = domain.successor(&state, action);
            run.statistics.generated += 1;
            let g = parent_g.saturating_add(cost);
            let (known, h, pruned) = match self.arena.find(&after) {
                // Step 4: a new state is stored, unless its estimate says that no goal can be
                // reached from it.
                StatePlace::Vacant(vacancy) => {
                    let memo = heuristic.step(domain, &memo, &after, action);
                    debug_check(heuristic, domain, &memo, &after);
                    let h = heuristic.value(&memo);
                    if h < u32::MAX {
                        let mark = Mark {
                            memo,
                            closed: false,
                        };
                        let new = self.arena.insert(
                            domain,
                            vacancy,
                            after,
                            Some(action),
                            number,
                            g,
                            mark,
                        );
                        self.arena.hold(heuristic.memo_bytes());
                        self.open.push(self.order.key(g, h), new)?;
                        continue;
                    }
                    (after, h, PruneReason::Bound)
                }
                // Step 5: a known state is worth a second look only if this path to it is cheaper.
                StatePlace::Known(other) => {
                    let reopens = self.order.reopens();
                    let node = &mut self.arena[other];
                    let h = heuristic.value(&node.extra.memo);
                    if g < node.g {
                        if !node.extra.closed || reopens {
                            node.g = g;
                            node.action = Some(action);
                            node.parent = number;
                            node.extra.closed = false;
                            self.open.push(self.order.key(g, h), other)?;
                            continue;
                        }
                        self.lost = self.lost.min(g.saturating_add(h));
                    }
                    (after, h, PruneReason::Duplicate)
                }
            };
            if O::ACTIVE {
                observer.on(SearchEvent::Pruned {
                    state: &known,
                    action,
                    g,
                    h,
                    reason: pruned,
                });
            }
        }
        Ok(())
    }

    /// What any solution costs at least: the smallest f of all that is still to be followed.
    ///
    /// Go along a cheapest solution from the start for as long as its nodes were expanded with the
    /// cheapest path to them. The next node was then generated with its cheapest path. Either it is
    /// open with it, or that path came too late and was not taken up. In both cases its f counts
    /// here, and it is no more than what the solution costs.
    fn lower_bound(&self) -> u32 {
        self.arena
            .iter()
            .filter(|node| !node.extra.closed)
            .map(|node| {
                node.g
                    .saturating_add(self.heuristic.value(&node.extra.memo))
            })
            .fold(self.lost, u32::min)
    }
}
