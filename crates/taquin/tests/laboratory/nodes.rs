//! What searches count and show, and how the counts of one relate to those of another.

use taquin::heuristic::HeuristicKind;
use taquin::search::{Cost, Domain, Observer, PruneReason, SearchEvent};
use taquin::{Board, Goal, Iteration, Limits, Outcome, Report, Rng, Statistics, random_walk};

use crate::support::{Algorithm, Lab, Path, Puzzle, board, kind, manhattan};

/// Counts events, iteration by iteration.
struct Counter<'a> {
    domain: &'a Puzzle,
    iterations: Vec<Iteration>,
    /// Expansions, and the children that their nodes have.
    expanded: u64,
    children: u64,
    transpositions: u64,
    solved: Option<(u32, usize)>,
}

impl<'a> Counter<'a> {
    fn new(domain: &'a Puzzle) -> Self {
        Self {
            domain,
            iterations: Vec::new(),
            expanded: 0,
            children: 0,
            transpositions: 0,
            solved: None,
        }
    }
}

impl Observer<Puzzle> for Counter<'_> {
    fn on(&mut self, event: SearchEvent<'_, Puzzle>) {
        match event {
            SearchEvent::Iteration { number, threshold } => {
                self.iterations.push(Iteration {
                    threshold,
                    expanded: 0,
                    generated: 0,
                });
                assert_eq!(number, self.iterations.len());
            }
            SearchEvent::Expanded { state, action, .. } => {
                let children = self.domain.actions_after(state, action).count() as u64;
                self.expanded += 1;
                self.children += children;
                if let Some(iteration) = self.iterations.last_mut() {
                    iteration.expanded += 1;
                    iteration.generated += children;
                }
            }
            SearchEvent::Pruned { g, h, reason, .. } => {
                self.transpositions += u64::from(reason == PruneReason::Transposition);
                if reason == PruneReason::Threshold {
                    let iteration = self.iterations.last();
                    assert!(iteration.is_some_and(|i| g + h > i.threshold));
                }
            }
            SearchEvent::NextThreshold { threshold, state } => {
                let iteration = self.iterations.last();
                assert!(iteration.is_some_and(|i| threshold > i.threshold));
                assert!(state.is_some());
            }
            SearchEvent::Solved { cost, actions } => self.solved = Some((cost, actions.len())),
        }
    }
}

#[test]
fn an_observer_sees_every_expansion_and_the_solution_and_changes_nothing() {
    let lab = manhattan("3x3", &Goal::Classic, Cost::Unit);
    let mut rng = Rng::from_seed(36);
    for _ in 0..10 {
        let start = lab.uniform(&mut rng);
        for algorithm in Algorithm::ALL {
            let mut counter = Counter::new(&lab.domain);
            let watched = lab.run(algorithm, start, &Limits::default(), &mut counter);
            let alone = lab.solve(algorithm, start);
            assert_eq!(watched.outcome, alone.outcome, "{algorithm:?}");
            let (watched, solution) = (watched.statistics, watched.outcome);
            assert_eq!(watched.expanded, alone.statistics.expanded);
            assert_eq!(watched.generated, alone.statistics.generated);
            assert_eq!(watched.iterations, alone.statistics.iterations);
            let Outcome::Solved(solution) = solution else {
                panic!("{algorithm:?}");
            };
            let length = solution.moves.len();
            assert_eq!(counter.solved, Some((solution.cost, length)));
            // Frontier search shows its search, not how it recovers the path.
            let shown = counter.expanded == watched.expanded;
            assert!(shown || algorithm == Algorithm::Frontier, "{algorithm:?}");
        }
    }
}

#[test]
fn generated_nodes_are_the_children_of_expanded_ones() {
    let lab = manhattan("3x3", &Goal::Classic, Cost::Unit);
    let start = lab.start(&board("8 6 7/2 5 4/3 0 1"));
    for nodes in [1, 2, 3, 20, 200] {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        for algorithm in Algorithm::ALL {
            let mut counter = Counter::new(&lab.domain);
            let Report {
                outcome,
                statistics,
            } = lab.run(algorithm, start, &limits, &mut counter);
            assert_eq!(statistics.expanded, counter.expanded, "{algorithm:?}");
            if let Outcome::Solved(_) = outcome {
                assert_eq!(algorithm, Algorithm::Greedy);
            }
            if algorithm == Algorithm::Frontier {
                // It leaves out all ways back to expanded states, not the last one only.
                assert!(statistics.generated <= counter.children);
            } else {
                assert_eq!(statistics.generated, counter.children, "{algorithm:?}");
            }
        }
    }
}

#[test]
fn the_iterations_of_ida_star_add_up() {
    let lab = manhattan("3x3", &Goal::Classic, Cost::Unit);
    let mut rng = Rng::from_seed(37);
    for _ in 0..20 {
        let start = lab.uniform(&mut rng);
        for algorithm in [
            Algorithm::Idastar,
            Algorithm::IdastarTt,
            Algorithm::IdastarTiny,
        ] {
            let mut counter = Counter::new(&lab.domain);
            let report = lab.run(algorithm, start, &Limits::default(), &mut counter);
            let Statistics {
                iterations,
                expanded,
                generated,
                ..
            } = report.statistics;
            let sum = |count: fn(&Iteration) -> u64| iterations.iter().map(count).sum::<u64>();
            assert_eq!(sum(|i| i.expanded), expanded);
            assert_eq!(sum(|i| i.generated), generated);
            // Up to the last iteration all children of an expanded node are made. The last one
            // ends at the goal, before the children beside it.
            let Some((last, others)) = iterations.split_last() else {
                assert!(lab.domain.is_goal(&start), "{algorithm:?}");
                continue;
            };
            assert_eq!(others, &counter.iterations[..others.len()]);
            let seen = counter.iterations[others.len()];
            assert_eq!(last.threshold, seen.threshold);
            assert_eq!(last.expanded, seen.expanded);
            assert!((seen.generated - 2..=seen.generated).contains(&last.generated));
            assert_eq!(Some(last.threshold), counter.solved.map(|(cost, _)| cost));
            assert!(counter.transpositions == 0 || algorithm != Algorithm::Idastar);
        }
    }
}

fn walk(goal: &Board, length: usize, rng: &mut Rng) -> Board {
    goal.after(&random_walk(goal, length, rng))
        .expect("a walk is legal")
}

/// The moves and the iterations of IDA*.
fn deepen<H>(lab: &Lab<H>, algorithm: Algorithm, board: &Board) -> (Path, Vec<Iteration>)
where
    H: taquin::heuristic::Heuristic<Puzzle>,
{
    let report = lab.solve(algorithm, lab.start(board));
    let Outcome::Solved(solution) = report.outcome else {
        panic!("{board}");
    };
    (solution.moves, report.statistics.iterations)
}

/// If one estimate is nowhere less than another, then IDA* with it expands a subset in every
/// iteration: exactly the nodes whose path stays within the threshold. In an iteration that the
/// other does not have, it would expand what it did at its next smaller threshold, since no f lies
/// between. The last iteration is no exception. Its threshold is the cost of the solution, so no
/// estimate cuts off any cheapest path, and both come to the same one first.
#[test]
fn a_stronger_estimate_expands_no_more_nodes_in_any_iteration() {
    use HeuristicKind::{Hamming, LinearConflict, Manhattan, Max, WalkingDistance, Zero};
    let orders = [
        (Zero, Hamming, 3),
        (Hamming, Manhattan, 3),
        (Manhattan, LinearConflict, 3),
        (Manhattan, LinearConflict, 4),
        (Manhattan, WalkingDistance, 4),
        (LinearConflict, Max, 4),
        (WalkingDistance, Max, 4),
    ];
    let mut rng = Rng::from_seed(38);
    for (weak, strong, side) in orders {
        let size = format!("{side}x{side}");
        let [weak, strong] = [weak, strong].map(|h| kind(h, &size, &Goal::Classic, Cost::Unit));
        let mut saved = 0;
        for _ in 0..20 {
            let length = if side == 3 { 16 } else { 40 };
            let board = walk(weak.domain.goal_board(), length, &mut rng);
            let (path, many) = deepen(&weak, Algorithm::Idastar, &board);
            let (same, few) = deepen(&strong, Algorithm::Idastar, &board);
            assert_eq!(path, same, "{board}");
            for one in &few {
                let other = many.iter().rfind(|i| i.threshold <= one.threshold);
                let other = other.expect("the weaker estimate begins no later");
                assert!(one.expanded <= other.expanded, "{board}");
                assert!(one.generated <= other.generated, "{board}");
            }
            // So it expands no more in all, if it has no threshold that the other jumps over.
            let shared = |i: &Iteration| many.iter().any(|j| j.threshold == i.threshold);
            assert!(few.iter().all(shared), "{board}");
            let total = |list: &[Iteration]| list.iter().map(|i| i.expanded).sum::<u64>();
            assert!(total(&few) <= total(&many), "{board}");
            saved += total(&many) - total(&few);
        }
        assert!(saved > 0);
    }
}

/// What is left out in an iteration was expanded elsewhere in it, so a table can only save nodes.
#[test]
fn the_table_changes_no_length_and_saves_nodes() {
    let lab = manhattan("4x4", &Goal::Classic, Cost::Unit);
    let mut rng = Rng::from_seed(44);
    let mut totals = [0; 3];
    for _ in 0..10 {
        let board = walk(lab.domain.goal_board(), 44, &mut rng);
        let runs = [
            Algorithm::Idastar,
            Algorithm::IdastarTiny,
            Algorithm::IdastarTt,
        ]
        .map(|algorithm| deepen(&lab, algorithm, &board));
        let [(plain, all), rest @ ..] = &runs;
        for (moves, iterations) in rest {
            assert_eq!(moves.len(), plain.len(), "{board}");
            let complete = all.len() - 1;
            for (one, other) in iterations.iter().zip(&all[..complete]) {
                assert_eq!(one.threshold, other.threshold, "{board}");
                assert!(one.expanded <= other.expanded, "{board}");
            }
        }
        for (total, (_, iterations)) in totals.iter_mut().zip(&runs) {
            *total += iterations.iter().map(|i| i.expanded).sum::<u64>();
        }
    }
    let [plain, tiny, table] = totals;
    assert!(table * 3 < plain * 2, "{table} of {plain}");
    assert!(table <= tiny && tiny <= plain, "{table}, {tiny}, {plain}");
}

/// Nodes that iterations without a solution generate do not depend on the order of moves. These
/// come from another program (see `benches/search.rs`), which with Korf's order of moves generates
/// the 546,344 nodes that he published for this board.
#[test]
fn complete_iterations_generate_as_many_nodes_as_those_of_korf() {
    let lab = manhattan("4x4", &Goal::BlankFirst, Cost::Unit);
    let board = board("14 1 9 6/4 8 12 5/7 2 3 0/10 11 13 15");
    let (moves, iterations) = deepen(&lab, Algorithm::Idastar, &board);
    assert_eq!(moves.len(), 45);
    let generated: Vec<_> = iterations
        .iter()
        .map(|i| (i.threshold, i.generated))
        .collect();
    assert_eq!(
        generated[..5],
        [(35, 45), (37, 287), (39, 1995), (41, 13_615), (43, 89_247)]
    );
}
