//! Recursive best-first search (Korf 1993).

use super::run::Run;
use super::{Observer, SearchEvent};
use crate::domain::Domain;
use crate::heuristic::{Heuristic, debug_check};
use crate::outcome::{Limit, Limits, Proof, Report};

/// Finds a cheapest path from `start` to a goal, best node first, with memory for one path and the
/// nodes beside it.
///
/// It follows the best child as long as that is better than every other node it remembers. When
/// it is not, it goes back to the better one, forgets the subtree and keeps only the smallest f in
/// it, the *stored value*. So it expands nodes in the order of A*, and pays with expanding again
/// what it forgot. That is little where many nodes share an f, and much where almost every node
/// has its own.
///
/// * `domain`: the problem. Its costs are at least 1. A space in which no goal can be reached must
///   be refused by the caller: as with [`idastar`](super::idastar()),
///   [`Outcome::NoSolution`](crate::Outcome::NoSolution) is the answer only where all paths end.
/// * `start`: where to begin. It is changed in place along the search.
/// * `heuristic`: must never say too much, or the solution may not be optimal. It need not be
///   consistent: a child inherits its parent's stored value if that is larger. An estimate of
///   `u32::MAX` says that no goal can be reached from a state.
/// * `limits`: memory bounds the path and what is beside it. When one stops the search, the lower
///   bound is the largest stored value that was the best at some time.
/// * `observer`: sees each expansion, again for each time, and the solution.
///
/// There are no iterations to report.
/// [`Statistics::peak_states`](crate::Statistics::peak_states) counts the nodes on the path and
/// beside it.
///
/// ```
/// use taquin::heuristic::Manhattan;
/// use taquin::search::{Cost, PackedState, Sliding, rbfs};
/// use taquin::{Board, Goal, Limits, Outcome};
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let goal = Goal::Classic.board(board.size())?;
/// let domain = Sliding::<PackedState>::new(&goal, Cost::Unit).expect("nine cells fit");
/// let (start, heuristic) = (domain.state(&board)?, Manhattan::new(&domain));
/// let report = rbfs(&domain, start, &heuristic, &Limits::default(), &mut ());
/// let Outcome::Solved(solution) = report.outcome else { panic!("it is solvable") };
/// assert_eq!(solution.cost, 31);
/// assert!(report.statistics.peak_states < 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rbfs<D, H, O>(
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
    let mut run = Run::new(limits);
    let memo = heuristic.evaluate(domain, &start);
    let value = heuristic.value(&memo);
    let mut search = Rbfs {
        domain,
        heuristic,
        state: start.clone(),
        nodes: vec![Node {
            action: None,
            g: 0,
            f: value,
            stored: value,
            memo,
        }],
        // A frame above the start that holds nothing else: its return is the end.
        frames: vec![Frame {
            first: 0,
            bound: u32::MAX,
            chosen: 0,
        }],
        lower_bound: 0,
    };
    match search.search(&mut run, observer) {
        Ok(Some(actions)) => {
            let proof = Proof::Optimal(
                "nodes are expanded in the order of their f, the estimate never says too much, and \
                 the goal's turn came before anything cheaper",
            );
            run.solved(domain, start, actions, proof, observer)
        }
        Ok(None) => run.no_solution(),
        Err(limit) => run.stopped(limit, search.lower_bound),
    }
}

/// A node on the path or beside it.
#[derive(Clone)]
struct Node<A, M> {
    /// The action that leads to it from its parent; `None` for the start.
    action: Option<A>,
    g: u32,
    /// g + h.
    f: u32,
    /// The smallest f in its subtree, as far as that was searched. `u32::MAX`: nothing is left.
    stored: u32,
    memo: M,
}

/// An expanded node: its children are `nodes[first..]` up to those of the next frame.
struct Frame {
    first: usize,
    /// The best stored value anywhere else: its children are followed no further than that.
    bound: u32,
    /// The child that was followed last.
    chosen: usize,
}

struct Rbfs<'a, D: Domain, H: Heuristic<D>> {
    domain: &'a D,
    heuristic: &'a H,
    state: D::State,
    nodes: Vec<Node<D::Action, H::Memo>>,
    frames: Vec<Frame>,
    lower_bound: u32,
}

impl<D: Domain, H: Heuristic<D>> Rbfs<'_, D, H> {
    /// The actions of the solution; `None` if there is none.
    fn search<O: Observer<D>>(
        &mut self,
        run: &mut Run,
        observer: &mut O,
    ) -> Result<Option<Vec<D::Action>>, Limit> {
        while let Some(frame) = self.frames.last_mut() {
            // 1. The best child of the last node on the path, and the best of the others. Of equals
            //    the first is taken.
            let mut best = frame.first;
            let (mut least, mut other) = (u32::MAX, u32::MAX);
            for (index, node) in self.nodes.iter().enumerate().skip(frame.first) {
                if node.stored < least {
                    other = least;
                    (best, least) = (index, node.stored);
                } else {
                    other = other.min(node.stored);
                }
            }

            // 2. If something elsewhere is better, forget the children and hand their best value
            //    to the parent, whose turn it is again.
            if least > frame.bound || least == u32::MAX {
                self.nodes.truncate(frame.first);
                self.frames.pop();
                if let Some(parent) = self.frames.last() {
                    let node = &mut self.nodes[parent.chosen];
                    node.stored = least;
                    if let Some(action) = node.action {
                        self.domain.undo(&mut self.state, action);
                    }
                }
                continue;
            }

            // 3. Otherwise this is the best node there is. No solution costs less than its value.
            self.lower_bound = self.lower_bound.max(least);
            run.meter.budget.reach(self.lower_bound)?;
            frame.chosen = best;
            let bound = frame.bound.min(other);
            if let Some(action) = self.nodes[best].action {
                self.domain.apply(&mut self.state, action);
            }
            if self.domain.is_goal(&self.state) {
                return Ok(Some(self.path()));
            }
            run.expand()?;
            self.frames.push(Frame {
                first: self.nodes.len(),
                bound,
                chosen: 0,
            });
            self.expand(best, run, observer);
            run.stored(self.nodes.len());
            run.meter
                .budget
                .keep((size_of_val(&*self.nodes) + size_of_val(&*self.frames)) as u64)?;
        }
        Ok(None)
    }

    /// Makes the children of a node whose state is the current one.
    fn expand<O: Observer<D>>(&mut self, parent: usize, run: &mut Run, observer: &mut O) {
        let (domain, heuristic) = (self.domain, self.heuristic);
        let Node {
            action,
            g,
            f,
            stored,
            memo,
        } = self.nodes[parent].clone();
        if O::ACTIVE {
            observer.on(SearchEvent::Expanded {
                state: &self.state,
                action,
                g,
                h: heuristic.value(&memo),
            });
        }
        for action in domain.actions_after(&self.state, action) {
            let g = g.saturating_add(domain.apply(&mut self.state, action));
            let memo = heuristic.step(domain, &memo, &self.state, action);
            debug_check(heuristic, domain, &memo, &self.state);
            let child = g.saturating_add(heuristic.value(&memo));
            self.nodes.push(Node {
                action: Some(action),
                g,
                f: child,
                // A stored value above f says that the node was expanded before, and that nothing
                // below it costs less: so nothing below this child does.
                stored: if f < stored { child.max(stored) } else { child },
                memo,
            });
            domain.undo(&mut self.state, action);
            run.statistics.generated += 1;
        }
    }

    fn path(&self) -> Vec<D::Action> {
        let chosen = |frame: &Frame| self.nodes[frame.chosen].action;
        self.frames.iter().filter_map(chosen).collect()
    }
}
