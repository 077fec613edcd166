//! Every search finds what the whole space says.

use taquin::heuristic::{Heuristic, HeuristicKind, Manhattan, Zero};
use taquin::search::{Cost, Domain, FlatState, Reversible, Sliding, idastar, idastar_tt, rbfs};
use taquin::{Goal, Limits, Outcome, Rng, random_walk};

use crate::support::{Algorithm, Lab, Patchy, kind, manhattan, puzzle, true_costs};

/// Pattern databases of 2x3.
fn patterns() -> impl Iterator<Item = HeuristicKind> {
    HeuristicKind::from_name("pdb:3-2+reflected").into_iter()
}

/// Every algorithm with every heuristic on every board of 2x3.
fn check_2x3(goal: &Goal) {
    let costs = true_costs(&puzzle("2x3", goal, Cost::Unit));
    assert_eq!(costs.len(), 360);
    for heuristic in HeuristicKind::ALL.into_iter().chain(patterns()) {
        let lab = kind(heuristic, "2x3", goal, Cost::Unit);
        for algorithm in Algorithm::ALL {
            // One heuristic is enough for those that use none.
            if algorithm.is_blind() && heuristic != HeuristicKind::Zero {
                continue;
            }
            for (&start, &cost) in &costs {
                let report = lab.solve(algorithm, start);
                let found = lab.check(algorithm, &start, &report, cost);
                assert!(cost > 0 || found == 0, "{algorithm:?}");
            }
        }
    }
}

#[test]
fn every_board_of_2x3_to_the_classic_goal() {
    check_2x3(&Goal::Classic);
}

#[test]
fn every_board_of_2x3_to_the_goal_with_the_blank_first() {
    check_2x3(&Goal::BlankFirst);
}

#[test]
fn every_board_of_2x3_to_the_snail() {
    check_2x3(&Goal::Snail);
}

#[test]
fn every_board_of_2x3_to_the_snake() {
    check_2x3(&Goal::Snake);
}

#[test]
fn heavy_moves_on_every_board_of_2x3() {
    let mut misled = 0;
    // What all the others say is checked on whole spaces too.
    let kinds = [HeuristicKind::Zero, HeuristicKind::Max];
    for heuristic in kinds.into_iter().chain(patterns()) {
        let lab = kind(heuristic, "2x3", &Goal::Classic, Cost::Tile);
        for (start, &cost) in &true_costs(&lab.domain) {
            for algorithm in Algorithm::ALL {
                let report = lab.solve(algorithm, *start);
                let found = lab.check(algorithm, start, &report, cost);
                misled += u32::from(algorithm == Algorithm::Bfs && found > cost);
            }
        }
    }
    assert!(misled > 0, "fewest moves are not always cheapest");
}

/// Random boards of 3x3 with Manhattan distance.
fn check_3x3(goal: &Goal, cost: Cost, seed: u64, boards: usize, algorithms: &[Algorithm]) {
    let lab = manhattan("3x3", goal, cost);
    let costs = true_costs(&lab.domain);
    assert_eq!(costs.len(), 181_440);
    let mut rng = Rng::from_seed(seed);
    for _ in 0..boards {
        let start = lab.uniform(&mut rng);
        for &algorithm in algorithms {
            let report = lab.solve(algorithm, start);
            lab.check(algorithm, &start, &report, costs[&start]);
        }
    }
}

#[test]
fn two_hundred_boards_of_3x3_with_an_estimate() {
    let informed = Algorithm::ALL.into_iter().filter(|a| !a.is_blind());
    let informed: Vec<_> = informed.collect();
    check_3x3(&Goal::Classic, Cost::Unit, 33, 200, &informed);
}

#[test]
fn sixty_boards_of_3x3_without_an_estimate() {
    let blind = Algorithm::ALL.into_iter().filter(|a| a.is_blind());
    let blind: Vec<_> = blind.collect();
    check_3x3(&Goal::Classic, Cost::Unit, 8, 60, &blind);
}

#[test]
fn some_boards_of_3x3_to_another_goal_or_with_heavy_moves() {
    check_3x3(&Goal::BlankFirst, Cost::Unit, 9, 10, &Algorithm::ALL);
    check_3x3(&Goal::Classic, Cost::Tile, 10, 10, &Algorithm::ALL);
}

#[test]
fn walks_on_4x4_are_never_shorter_than_what_every_heuristic_and_search_agree_on() {
    let mut rng = Rng::from_seed(30);
    let goal = Goal::Classic;
    let kinds = [
        HeuristicKind::Manhattan,
        HeuristicKind::LinearConflict,
        HeuristicKind::WalkingDistance,
        HeuristicKind::Max,
    ];
    let labs = kinds.map(|heuristic| kind(heuristic, "4x4", &goal, Cost::Unit));
    for number in 0..20 {
        let (goal, length) = (labs[0].domain.goal_board(), 30 + number % 7);
        let walk = random_walk(goal, length, &mut rng);
        let board = goal.after(&walk).expect("the walk is legal");
        let start = labs[0].start(&board);
        let first = labs[0].solve(Algorithm::Idastar, start);
        let Outcome::Solved(solution) = &first.outcome else {
            panic!("{board}");
        };
        let cost = solution.cost;
        assert!(cost as usize <= length && (length - cost as usize).is_multiple_of(2));
        for (lab, heuristic) in labs.iter().zip(kinds) {
            lab.check(
                Algorithm::Idastar,
                &start,
                &lab.solve(Algorithm::Idastar, start),
                cost,
            );
            if matches!(
                heuristic,
                HeuristicKind::LinearConflict | HeuristicKind::Max
            ) {
                for algorithm in [Algorithm::Astar, Algorithm::Nbs, Algorithm::IdastarTt] {
                    lab.check(algorithm, &start, &lab.solve(algorithm, start), cost);
                }
            }
        }
    }
}

#[test]
fn an_inconsistent_estimate_costs_time_but_not_optimality() {
    for cost in [Cost::Unit, Cost::Tile] {
        let lab = Lab::new(puzzle("2x3", &Goal::Classic, cost), Patchy::new);
        for (start, &cost) in &true_costs(&lab.domain) {
            for algorithm in Algorithm::ALL {
                if !algorithm.is_blind() {
                    let report = lab.solve(algorithm, *start);
                    lab.check(algorithm, start, &report, cost);
                }
            }
        }
    }
}

#[test]
fn boards_in_an_array_are_searched_node_for_node_like_packed_ones() {
    let packed = manhattan("3x3", &Goal::Snail, Cost::Unit);
    let goal = packed.domain.goal_board();
    let flat = Sliding::<FlatState>::new(goal, Cost::Unit).expect("any size");
    let flat = Lab::new(flat, Manhattan::new);
    let mut rng = Rng::from_seed(34);
    for _ in 0..5 {
        let board = taquin::uniform(goal, &mut rng);
        for algorithm in Algorithm::ALL {
            let one = packed.solve(algorithm, packed.start(&board));
            let other = flat.solve(algorithm, flat.start(&board));
            assert_eq!(
                one.statistics.expanded > 0,
                !packed.domain.is_goal(&packed.start(&board))
            );
            // What a table of few bytes holds depends on the size of a state, and what it forgets
            // on the hash.
            if matches!(algorithm, Algorithm::IdastarTt | Algorithm::IdastarTiny) {
                continue;
            }
            assert_eq!(one.outcome, other.outcome, "{algorithm:?}");
            assert_eq!(one.statistics.expanded, other.statistics.expanded);
            assert_eq!(one.statistics.generated, other.statistics.generated);
        }
    }
}

#[test]
fn a_goal_needs_no_search() {
    let lab = manhattan("4x4", &Goal::Snail, Cost::Unit);
    for algorithm in Algorithm::ALL {
        let start = lab.domain.goal();
        let report = lab.solve(algorithm, start);
        assert_eq!(lab.check(algorithm, &start, &report, 0), 0);
        assert_eq!(report.statistics.expanded, 0, "{algorithm:?}");
        let Outcome::Solved(solution) = report.outcome else {
            unreachable!("checked above");
        };
        assert!(solution.proof.is_optimal(), "{algorithm:?}");
    }
}

#[test]
fn exhausted_spaces_have_no_solution() {
    use Algorithm::{Astar, Bfs, Dijkstra, Frontier, Greedy};
    for (size, states) in [("2x2", 12), ("2x3", 360)] {
        let lab = manhattan(size, &Goal::Classic, Cost::Unit);
        let goal = lab.domain.goal_board();
        let start = lab.start(&goal.with_swapped(1, 2).expect("two tiles"));
        for algorithm in Algorithm::ALL {
            if algorithm.is_depth_first() {
                continue;
            }
            let report = lab.solve(algorithm, start);
            assert_eq!(report.outcome, Outcome::NoSolution, "{algorithm:?} {size}");
            if [Astar, Bfs, Dijkstra, Frontier, Greedy].contains(&algorithm) {
                assert_eq!(report.statistics.expanded, states, "{algorithm:?} {size}");
            }
        }
    }
}

/// Steps down from a number to 0: a space where every path ends.
struct Countdown {
    steps: &'static [u32],
}

impl Domain for Countdown {
    type State = u32;
    type Action = u32;

    fn actions(&self, state: &u32) -> impl Iterator<Item = u32> + use<'_> {
        let state = *state;
        let steps = self.steps.iter().copied();
        steps.filter(move |&step| step <= state)
    }

    fn apply(&self, state: &mut u32, step: u32) -> u32 {
        *state -= step;
        step
    }

    fn undo(&self, state: &mut u32, step: u32) {
        *state += step;
    }

    fn is_goal(&self, state: &u32) -> bool {
        *state == 0
    }

    fn inverse(&self, _: u32) -> Option<u32> {
        None
    }
}

#[test]
fn where_all_paths_end_a_missing_goal_is_reported() {
    let limits = Limits::default();
    let outcomes = |domain: &Countdown, start| {
        [
            idastar(domain, start, &Zero, &limits, &mut ()).outcome,
            idastar_tt(domain, start, &Zero, None, &limits, &mut ()).outcome,
            rbfs(domain, start, &Zero, &limits, &mut ()).outcome,
        ]
    };
    for outcome in outcomes(&Countdown { steps: &[4, 6] }, 25) {
        assert_eq!(outcome, Outcome::NoSolution);
    }
    for outcome in outcomes(&Countdown { steps: &[4, 7] }, 26) {
        assert!(matches!(outcome, Outcome::Solved(solution) if solution.cost == 26));
    }
}

/// Exactly what remains of a countdown.
struct Exact;

impl Heuristic<Countdown> for Exact {
    type Memo = u32;

    fn evaluate(&self, _: &Countdown, state: &u32) -> u32 {
        *state
    }

    fn step(&self, _: &Countdown, before: &u32, _: &u32, step: u32) -> u32 {
        before - step
    }

    fn value(&self, memo: &u32) -> u32 {
        *memo
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

#[test]
fn paths_of_a_hundred_thousand_steps_do_not_overflow_the_stack() {
    let domain = Countdown { steps: &[1] };
    let limits = Limits::default();
    for report in [
        idastar(&domain, 100_000, &Exact, &limits, &mut ()),
        idastar_tt(&domain, 100_000, &Exact, None, &limits, &mut ()),
        rbfs(&domain, 100_000, &Exact, &limits, &mut ()),
    ] {
        let Outcome::Solved(solution) = report.outcome else {
            panic!("it counts down to 0");
        };
        assert_eq!(solution.moves.len(), 100_000);
    }
}
