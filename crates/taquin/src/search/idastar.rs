//! IDA*: depth-first search under a rising threshold (Korf 1985).

use super::run::Run;
use super::{Observer, PruneReason, SearchEvent};
use crate::domain::Domain;
use crate::heuristic::{Heuristic, debug_check};
use crate::outcome::{Budget, Iteration, Limit, Limits, Meter, Proof, Report};

/// Finds a cheapest path from `start` to a goal with memory for one path only.
///
/// Each iteration searches depth-first and cuts off every node whose f = g + h exceeds a threshold.
/// The first threshold is the estimate of the start; each next one is the smallest f that was cut
/// off, so no solution is ever jumped over and the first one found is a cheapest. Nodes are tested
/// for the goal when they are generated.
///
/// * `domain`: the problem. Its costs are at least 1. A space in which no goal can be reached must
///   be refused by the caller (for the puzzle: [`Solvability`](crate::Solvability)): the search
///   answers [`Outcome::NoSolution`](crate::Outcome::NoSolution) only if an iteration cuts nothing off, and where paths can run
///   in circles there is always something to cut off, so that it would never end.
/// * `start`: where to begin. It is changed in place along the search.
/// * `heuristic`: must never say too much, or the solution may not be optimal. It need not be
///   consistent. An estimate of `u32::MAX` says that no goal can be reached from a state.
/// * `limits`: nodes are counted over all iterations; memory bounds the path. When one stops the
///   search, the lower bound is the threshold of the iteration under way: all smaller ones are
///   exhausted.
/// * `observer`: sees each iteration begin, each expansion, each node cut off, what set the next
///   threshold, and the solution.
///
/// [`Statistics::peak_states`](crate::Statistics::peak_states) counts the nodes that are remembered at once: those on the path and
/// those beside it that are still to be searched.
///
/// ```
/// use taquin::heuristic::Manhattan;
/// use taquin::search::{Cost, PackedState, Sliding, idastar};
/// use taquin::{Board, Goal, Limits, Outcome};
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let domain = Sliding::<PackedState>::new(&goal, Cost::Unit).expect("nine cells fit");
/// let (start, heuristic) = (domain.state(&board)?, Manhattan::new(&domain));
/// let report = idastar(&domain, start, &heuristic, &Limits::default(), &mut ());
/// let Outcome::Solved(solution) = report.outcome else { panic!("it is solvable") };
/// assert_eq!(solution.cost, 31);
/// let thresholds: Vec<u32> = report.statistics.iterations.iter().map(|i| i.threshold).collect();
/// assert_eq!(thresholds, [21, 23, 25, 27, 29, 31]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn idastar<D, H, O>(
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
    idastar_from(domain, start, heuristic, 0, limits, observer)
}

/// What [`idastar`] finds where it is proven already that no solution costs less than `proven`: the
/// thresholds below that are left out.
pub(super) fn idastar_from<D, H, O>(
    domain: &D,
    start: D::State,
    heuristic: &H,
    proven: u32,
    limits: &Limits,
    observer: &mut O,
) -> Report<Vec<D::Action>>
where
    D: Domain,
    H: Heuristic<D>,
    O: Observer<D>,
{
    deepen(domain, start, heuristic, proven, &mut (), limits, observer)
}

/// What an iteration remembers of the states it has searched: nothing, or a table.
pub(super) trait Memory<S> {
    /// A new iteration begins: what was remembered counts no more.
    fn begin(&mut self);

    /// Whether the state is still to be searched from here with cost `g` so far. If so it is
    /// remembered: the caller searches it now.
    fn enter(&mut self, state: &S, g: u32) -> bool;

    /// The most states that were remembered at once.
    fn peak(&self) -> usize;
}

/// Remembers nothing.
impl<S> Memory<S> for () {
    fn begin(&mut self) {}

    #[inline]
    fn enter(&mut self, _: &S, _: u32) -> bool {
        true
    }

    fn peak(&self) -> usize {
        0
    }
}

/// IDA* with or without a memory: the iterations.
pub(super) fn deepen<D, H, O, M>(
    domain: &D,
    start: D::State,
    heuristic: &H,
    proven: u32,
    memory: &mut M,
    limits: &Limits,
    observer: &mut O,
) -> Report<Vec<D::Action>>
where
    D: Domain,
    H: Heuristic<D>,
    O: Observer<D>,
    M: Memory<D::State>,
{
    let mut run = Run::new(limits);
    let memo = heuristic.evaluate(domain, &start);
    let mut threshold = heuristic.value(&memo).max(proven);
    let mut path = Path::new(memo);
    let end = if domain.is_goal(&start) {
        Ok(Some(Vec::new()))
    } else {
        let mut state = start.clone();
        loop {
            if threshold == u32::MAX {
                break Ok(None);
            }
            if let Err(limit) = run.meter.budget.reach(threshold) {
                break Err(limit);
            }
            if O::ACTIVE {
                observer.on(SearchEvent::Iteration {
                    number: run.statistics.iterations.len() + 1,
                    threshold,
                });
            }
            memory.begin();
            let mut pass = Pass {
                domain,
                heuristic,
                threshold,
                expanded: 0,
                generated: 0,
                next: u32::MAX,
                next_state: None,
            };
            let before = run.statistics.expanded;
            let meter = &mut run.meter;
            let end = pass.search(&mut path, &mut state, memory, meter, before, observer);
            run.iteration(Iteration {
                threshold,
                expanded: pass.expanded,
                generated: pass.generated,
            });
            match end {
                Ok(Some(last)) => break Ok(Some(path.actions(last))),
                Ok(None) => threshold = pass.next,
                Err(limit) => break Err(limit),
            }
            if O::ACTIVE && threshold < u32::MAX {
                observer.on(SearchEvent::NextThreshold {
                    threshold,
                    state: pass.next_state.as_ref(),
                });
            }
        }
    };
    run.stored(path.nodes.len() + memory.peak());
    match end {
        Ok(Some(actions)) => {
            let proof = Proof::Optimal(
                "every path whose f is below its cost was searched in an earlier iteration, and \
                 the estimate never says too much",
            );
            run.solved(domain, start, actions, proof, observer)
        }
        Ok(None) => run.no_solution(),
        Err(limit) => run.stopped(limit, threshold),
    }
}

/// A node that is on the path or waits beside it.
#[derive(Clone)]
struct Node<A, M> {
    /// The action that leads to it from its parent; `None` for the start.
    action: Option<A>,
    g: u32,
    memo: M,
}

/// The children of a node on the path that are still to be searched: a range of [`Path::nodes`].
struct Frame<S> {
    next: usize,
    end: usize,
    /// The node's state, to come back to.
    state: Saved<S>,
}

/// The path from the start to the node that is being searched, and what waits beside it.
struct Path<S, A, M> {
    /// The start, then the children of each node on the path that were not cut off, level by
    /// level. What lies behind the deepest level is left over and gets written over, so that the
    /// length is the most that was ever needed.
    nodes: Vec<Node<A, M>>,
    /// One for each node on the path, whose child that is searched now is the one before `next`.
    frames: Vec<Frame<S>>,
}

impl<S, A: Copy, M> Path<S, A, M> {
    fn new(start: M) -> Self {
        Self {
            nodes: vec![Node {
                action: None,
                g: 0,
                memo: start,
            }],
            frames: Vec::new(),
        }
    }

    /// The actions from the start to a child of the last node on the path.
    fn actions(&self, last: A) -> Vec<A> {
        let along = |frame: &Frame<S>| self.nodes[frame.next - 1].action;
        self.frames.iter().filter_map(along).chain([last]).collect()
    }

    /// Writes a node at an index that is at most one past the last.
    #[inline]
    fn put(&mut self, index: usize, node: Node<A, M>, budget: &Budget) -> Result<(), Limit> {
        if let Some(slot) = self.nodes.get_mut(index) {
            *slot = node;
            return Ok(());
        }
        self.nodes.push(node);
        let bytes = size_of_val(&*self.nodes) + size_of_val(&*self.frames);
        budget.keep(bytes as u64)
    }
}

/// The state before an action, copied if that is no more work than taking the action back.
struct Saved<S>(Option<S>);

impl<S: Clone> Saved<S> {
    #[inline]
    fn new(state: &S) -> Self {
        Self((!std::mem::needs_drop::<S>() && size_of::<S>() <= 32).then(|| state.clone()))
    }

    #[inline]
    fn restore<D: Domain<State = S>>(&self, domain: &D, state: &mut S, action: D::Action) {
        match &self.0 {
            Some(before) => state.clone_from(before),
            None => domain.undo(state, action),
        }
    }
}

/// One iteration.
struct Pass<'a, D: Domain, H> {
    domain: &'a D,
    heuristic: &'a H,
    threshold: u32,
    expanded: u64,
    generated: u64,
    /// The smallest f above the threshold so far.
    next: u32,
    /// The state that set it, remembered for an observer only.
    next_state: Option<D::State>,
}

impl<D: Domain, H: Heuristic<D>> Pass<'_, D, H> {
    /// Searches everything up to the threshold, depth first, in place: `state` is the start before
    /// and after, unless a solution or a limit ends the search midway. Gives the last action of the
    /// solution, of which `path` has the others; `None` if no goal is within the threshold.
    ///
    /// Limits are asked with what earlier iterations expanded; what this one counts stays in its own
    /// fields until it ends.
    #[inline]
    fn search<O: Observer<D>, M: Memory<D::State>>(
        &mut self,
        path: &mut Path<D::State, D::Action, H::Memo>,
        state: &mut D::State,
        memory: &mut M,
        meter: &mut Meter,
        expanded_before: u64,
        observer: &mut O,
    ) -> Result<Option<D::Action>, Limit> {
        let (domain, heuristic, threshold) = (self.domain, self.heuristic, self.threshold);
        path.frames.clear();
        // The node that `state` belongs to, and the end of the nodes that are in use.
        let mut here = 0;
        let mut end = 1;
        // By how much the smallest f above the threshold exceeds it, less 1. What does not exceed
        // it wraps round to more than any f could, so that no branch is needed to leave it out:
        // whether a node is cut off is a coin toss that the processor would lose half of the time.
        let mut excess = u32::MAX - threshold - 1;
        memory.enter(state, 0);
        loop {
            // 1. Expand the node: the children within the threshold queue up behind `end`.
            meter.spend(expanded_before + self.expanded)?;
            self.expanded += 1;
            let Node { action, g, memo } = path.nodes[here].clone();
            if O::ACTIVE {
                let h = heuristic.value(&memo);
                observer.on(SearchEvent::Expanded {
                    state,
                    action,
                    g,
                    h,
                });
            }
            let first = end;
            for action in domain.actions_after(state, action) {
                self.generated += 1;
                let parent = Saved::new(state);
                let g = g.saturating_add(domain.apply(state, action));
                let memo = heuristic.step(domain, &memo, state, action);
                debug_check(heuristic, domain, &memo, state);
                let h = heuristic.value(&memo);
                let f = g.saturating_add(h);
                let cut = f > threshold;
                if O::ACTIVE && cut {
                    if f - threshold - 1 < excess {
                        self.next_state = Some(state.clone());
                    }
                    observer.on(SearchEvent::Pruned {
                        state,
                        action,
                        g,
                        h,
                        reason: PruneReason::Threshold,
                    });
                }
                // The threshold is at most what any solution costs, so this one is a cheapest. An
                // estimate above 0 says already that the state is no goal.
                if h == 0 && !cut && domain.is_goal(state) {
                    return Ok(Some(action));
                }
                // A node that is cut off is written, too, and the next one overwrites it.
                let node = Node {
                    action: Some(action),
                    g,
                    memo,
                };
                path.put(end, node, &meter.budget)?;
                end += usize::from(!cut);
                excess = excess.min(f.wrapping_sub(threshold + 1));
                parent.restore(domain, state, action);
            }
            path.frames.push(Frame {
                next: first,
                end,
                state: Saved::new(state),
            });

            // 2. Go to the next node: a child, or else what waits beside the path.
            loop {
                let Some(frame) = path.frames.last_mut() else {
                    self.next = threshold + 1 + excess;
                    return Ok(None);
                };
                if frame.next < frame.end {
                    here = frame.next;
                    end = frame.end;
                    frame.next += 1;
                    let Node { action, g, memo } = &path.nodes[here];
                    let Some(action) = *action else { continue };
                    domain.apply(state, action);
                    if memory.enter(state, *g) {
                        break;
                    }
                    if O::ACTIVE {
                        observer.on(SearchEvent::Pruned {
                            state,
                            action,
                            g: *g,
                            h: heuristic.value(memo),
                            reason: PruneReason::Transposition,
                        });
                    }
                    domain.undo(state, action);
                    continue;
                }
                path.frames.pop();
                if let Some(parent) = path.frames.last()
                    && let Some(action) = path.nodes[parent.next - 1].action
                {
                    parent.state.restore(domain, state, action);
                }
            }
        }
    }
}
