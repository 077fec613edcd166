//! SMA*: A* within a fixed number of nodes (Russell 1992).

mod tree;

use std::num::NonZeroUsize;

use crate::domain::Domain;
use crate::outcome::{Limit, Limits, Proof, Report};
use tree::{Branch, NEVER, Node, Tree};

use super::run::Run;
use super::{Observer, PruneReason, SearchEvent};
use crate::heuristic::{Heuristic, debug_check};

/// Finds a cheapest path like A*, but forgets the worst nodes when its memory is full.
///
/// The search grows a tree. The most promising node that is not in memory is added next: smallest f
/// first, and the deepest among equals. When there is no room, the worst leaf goes: largest f, and
/// the shallowest among equals. Its parent keeps what was learned below it, the smallest f there,
/// so the branch is taken up again only when nothing better is left, and never for less than it is
/// known to cost. A tree with room for everything behaves like A*; one with little room like a
/// depth-first search that remembers what it can.
///
/// The answer is optimal whenever it comes. If the branches that could still be cheapest are longer
/// than what memory holds as one path, the search stops at its memory limit and says what any
/// solution costs at least.
///
/// * `domain`: the problem. Costs may differ.
/// * `start`: where to begin. It may be a goal itself; then the path is empty.
/// * `heuristic`: must never say too much, or the path may not be a cheapest. It need not be
///   consistent: what was learned in a node is passed on to those below it. An estimate of
///   `u32::MAX` says that no goal can be reached.
/// * `capacity`: the most nodes to store. `None`, or more than `limits.memory` has room for, means
///   as many as fit there; without either there is no bound. A path of n actions needs n nodes.
/// * `limits`: nodes counts expansions, those of forgotten nodes each time. When a limit stops the
///   search, the lower bound is the smallest f in the tree.
/// * `observer`: sees each expansion, each node that is forgotten ([`PruneReason::Memory`]), each
///   one that is put off or given up since its state is in memory with a path no dearer, and the
///   solution.
///
/// A state that memory holds with a cheaper path is not searched again, which is all that keeps a
/// tree from walking in circles. A goal that cannot be reached is noticed only if memory suffices
/// for nearly all that can be.
///
/// ```
/// use taquin::heuristic::Manhattan;
/// use taquin::search::{Cost, PackedState, Sliding, smastar};
/// use taquin::{Board, Goal, Limits, Outcome};
/// use std::num::NonZeroUsize;
///
/// let board: Board = "1 2 3/7 4 5/0 8 6".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let domain = Sliding::<PackedState>::new(&goal, Cost::Unit).expect("nine cells fit");
/// let (start, heuristic) = (domain.state(&board)?, Manhattan::new(&domain));
/// let ten = NonZeroUsize::new(10);
/// let report = smastar(&domain, start, &heuristic, ten, &Limits::default(), &mut ());
/// let Outcome::Solved(solution) = report.outcome else { panic!("it is solvable") };
/// assert!(solution.proof.is_optimal());
/// assert!(report.statistics.peak_states <= 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn smastar<D, H, O>(
    domain: &D,
    start: D::State,
    heuristic: &H,
    capacity: Option<NonZeroUsize>,
    limits: &Limits,
    observer: &mut O,
) -> Report<Vec<D::Action>>
where
    D: Domain,
    H: Heuristic<D>,
    O: Observer<D>,
{
    let mut run = Run::new(limits);
    let node_bytes = Tree::<D, H::Memo>::node_bytes(domain, &start) + heuristic.memo_bytes() as u64;
    let affordable = limits.memory.map_or(u64::MAX, |bytes| bytes / node_bytes);
    let affordable = usize::try_from(affordable).unwrap_or(usize::MAX);
    let mut search = Search {
        domain,
        heuristic,
        tree: Tree::new(
            capacity.map_or(usize::MAX, usize::from).min(affordable),
            node_bytes,
        ),
        overflow: NEVER,
    };
    let memo = heuristic.evaluate(domain, &start);
    let h = heuristic.value(&memo);
    if domain.is_goal(&start) {
        let proof = Proof::Optimal("the start is a goal");
        return run.solved(domain, start, Vec::new(), proof, observer);
    }
    let end = search.grow(start.clone(), memo, &mut run, observer);
    match end {
        Ok(Some(actions)) => {
            let proof =
                Proof::Optimal("no branch, in memory or forgotten, has a smaller f than its cost");
            run.solved(domain, start, actions, proof, observer)
        }
        Ok(None) => run.no_solution(),
        Err(limit) => run.stopped(limit, search.lower_bound(h)),
    }
}

struct Search<'a, D: Domain, H: Heuristic<D>> {
    domain: &'a D,
    heuristic: &'a H,
    tree: Tree<D, H::Memo>,
    /// The smallest f of a branch that could not be followed since its path fills the memory.
    overflow: u32,
}

impl<D: Domain, H: Heuristic<D>> Search<'_, D, H> {
    /// Adds the most promising node again and again until it is a goal.
    fn grow<O: Observer<D>>(
        &mut self,
        start: D::State,
        memo: H::Memo,
        run: &mut Run,
        observer: &mut O,
    ) -> Result<Option<Vec<D::Action>>, Limit> {
        self.tree.make_room();
        if self.tree.capacity == 0 {
            return Err(Limit::Memory);
        }
        let f = self.heuristic.value(&memo);
        run.meter.budget.reach(f)?;
        self.add(start, memo, 0, f, None, run, observer)?;
        // Step 1: the node with the most promising branch that is not in memory.
        while let Some((f, parent)) = self.tree.first_open() {
            // Step 2: if paths were too long for memory at a smaller f, one of them might be the
            // cheapest, and whatever is found from here on could not be proven.
            if f > self.overflow {
                break;
            }
            run.meter.budget.reach(f)?;
            // Limits are asked here as well as in expansions: there can be many steps between two.
            run.meter.spend(run.statistics.expanded)?;
            let node = &self.tree[parent];
            let Some(which) = node
                .branches
                .iter()
                .position(|branch| branch.node.is_none() && branch.f == f)
            else {
                unreachable!("a node is sorted by one of its branches");
            };
            let action = node.branches[which].action;
            let (state, cost) = self.domain.successor(&node.state, action);
            let g = node.g.saturating_add(cost);
            // Step 3: is it a goal? Nothing else has a smaller f. A goal needs no room.
            if self.domain.is_goal(&state) {
                return Ok(Some(self.tree.path(parent, action)));
            }
            // Step 4: if its state is in memory with a path no dearer, use what is known there.
            if let Some(f) = self.tree.known_better(&state, g, f) {
                if O::ACTIVE {
                    self.tell_pruned(&state, action, g, PruneReason::Duplicate, observer);
                }
                self.tree.learn(parent, which, f);
                continue;
            }
            // Step 5: make room. If nothing can go, since all there is is the path to this node,
            // the branch is too long for this memory.
            self.tree.make_room();
            if self.tree.is_full() && !self.make_room(parent, observer) {
                self.overflow = self.overflow.min(f);
                if O::ACTIVE {
                    self.tell_pruned(&state, action, g, PruneReason::Memory, observer);
                }
                self.tree.learn(parent, which, NEVER);
                continue;
            }
            // Step 6: add the node. Its f is what the branch is known to cost, which may be more
            // than its own estimate says.
            let memo = &self.tree[parent].memo;
            let memo = self.heuristic.step(self.domain, memo, &state, action);
            self.add(state, memo, g, f, Some((parent, which)), run, observer)?;
        }
        if self.overflow < NEVER {
            return Err(Limit::Memory);
        }
        Ok(None)
    }

    /// Stores a node with estimates for all its branches, and passes what they say up the tree.
    #[expect(
        clippy::too_many_arguments,
        reason = "what a node is made of, and where it belongs"
    )]
    fn add<O: Observer<D>>(
        &mut self,
        state: D::State,
        memo: H::Memo,
        g: u32,
        f: u32,
        above: Option<(u32, usize)>,
        run: &mut Run,
        observer: &mut O,
    ) -> Result<(), Limit> {
        run.expand()?;
        let (domain, heuristic) = (self.domain, self.heuristic);
        let (parent, depth, action) = above.map_or((0, 0, None), |(parent, which)| {
            let node = &self.tree[parent];
            (parent, node.depth + 1, Some(node.branches[which].action))
        });
        if O::ACTIVE {
            observer.on(SearchEvent::Expanded {
                state: &state,
                action,
                g,
                h: heuristic.value(&memo),
            });
        }
        let branches: Vec<_> = domain
            .actions_after(&state, action)
            .map(|action| {
                let (after, cost) = domain.successor(&state, action);
                let memo = heuristic.step(domain, &memo, &after, action);
                debug_check(heuristic, domain, &memo, &after);
                let total = g
                    .saturating_add(cost)
                    .saturating_add(heuristic.value(&memo));
                Branch {
                    action,
                    f: total.max(f),
                    node: None,
                }
            })
            .collect();
        run.statistics.generated += branches.len() as u64;
        let node = Node::new(state, action, (parent, depth), (g, f), memo, branches);
        self.tree.insert(node, above);
        run.stored(self.tree.len());
        Ok(())
    }

    /// Forgets the worst leaf, except for one node. Says whether there was one.
    fn make_room<O: Observer<D>>(&mut self, except: u32, observer: &mut O) -> bool {
        let Some(worst) = self.tree.forget_worst(except) else {
            return false;
        };
        let node = &self.tree[worst];
        if O::ACTIVE
            && let Some(action) = node.action
        {
            self.tell_pruned(&node.state, action, node.g, PruneReason::Memory, observer);
        }
        true
    }

    /// What any solution costs at least: the smallest f of what could still be followed. Before
    /// there is a tree, that is the estimate of the start.
    fn lower_bound(&self, estimate: u32) -> u32 {
        if self.tree.len() == 0 {
            return estimate;
        }
        let first = self.tree.first_open().map_or(NEVER, |(f, _)| f);
        first.min(self.overflow).max(estimate)
    }

    fn tell_pruned<O: Observer<D>>(
        &self,
        state: &D::State,
        action: D::Action,
        g: u32,
        reason: PruneReason,
        observer: &mut O,
    ) {
        let memo = self.heuristic.evaluate(self.domain, state);
        observer.on(SearchEvent::Pruned {
            state,
            action,
            g,
            h: self.heuristic.value(&memo),
            reason,
        });
    }
}
