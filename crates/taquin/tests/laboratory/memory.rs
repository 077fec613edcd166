//! Searches that store nodes stay within their memory; SMA* and the table make do with little.

use std::num::NonZeroUsize;

use taquin::heuristic::Manhattan;
use taquin::search::{Cost, FlatState, PackedState, Sliding, idastar_tt, smastar};
use taquin::{Goal, Limit, Limits, Outcome, Rng};

use crate::support::{Algorithm, FAR, Lab, board, manhattan, true_costs};

fn memory(bytes: u64) -> Limits {
    Limits {
        memory: Some(bytes),
        ..Limits::default()
    }
}

#[test]
fn little_memory_stops_a_search_before_it_is_used() {
    let lab = manhattan("4x4", &Goal::Classic, Cost::Unit);
    let start = lab.start(&board(FAR));
    let limits = Limits {
        nodes: Some(200_000),
        ..memory(1_000_000)
    };
    for algorithm in Algorithm::ALL {
        let report = lab.run(algorithm, start, &limits, &mut ());
        let peak = report.statistics.peak_states;
        assert!(peak * 24 < 1_000_000, "{algorithm:?}");
        match report.outcome {
            Outcome::Stopped { limit, lower_bound } => {
                // SMA* goes on in the memory it has, and the depth-first searches need little.
                let goes_on = algorithm == Algorithm::Smastar || algorithm.is_depth_first();
                let expected = if goes_on { Limit::Nodes } else { Limit::Memory };
                assert_eq!(limit, expected, "{algorithm:?}");
                assert!(lower_bound <= 80, "{algorithm:?}");
                assert!(peak > 2000 || algorithm.is_depth_first(), "{algorithm:?}");
            }
            Outcome::Solved(_) => {
                assert!([Algorithm::Greedy, Algorithm::Wastar].contains(&algorithm));
            }
            Outcome::NoSolution => panic!("{algorithm:?}"),
        }
    }
}

#[test]
fn boards_in_an_array_count_what_they_point_to() {
    let packed = manhattan("2x3", &Goal::Classic, Cost::Unit);
    let goal = packed.domain.goal_board();
    let flat = Sliding::<FlatState>::new(goal, Cost::Unit).expect("any size");
    let flat = Lab::new(flat, Manhattan::new);
    let (board, limits) = (board("0 5 4/3 2 1"), memory(12_000));
    for algorithm in [Algorithm::Bfs, Algorithm::Frontier, Algorithm::Bibfs] {
        let packed = packed.run(algorithm, packed.start(&board), &limits, &mut ());
        let flat = flat.run(algorithm, flat.start(&board), &limits, &mut ());
        // Larger states: fewer of them fit.
        let (packed, flat) = (packed.statistics, flat.statistics);
        assert!(flat.peak_states <= packed.peak_states, "{algorithm:?}");
    }
}

#[test]
fn sma_star_is_optimal_in_little_memory() {
    let none = Limits::default();
    for cost in [Cost::Unit, Cost::Tile] {
        let lab = manhattan("2x3", &Goal::Classic, cost);
        for (start, &distance) in &true_costs(&lab.domain) {
            for capacity in [25, 30, 45, 60] {
                let (domain, room) = (&lab.domain, NonZeroUsize::new(capacity));
                let report = smastar(domain, *start, &lab.heuristic, room, &none, &mut ());
                lab.check(Algorithm::Smastar, start, &report, distance);
                assert!(report.statistics.peak_states <= capacity as u64);
            }
        }
    }
    let lab = manhattan("3x3", &Goal::Classic, Cost::Unit);
    let costs = true_costs(&lab.domain);
    let mut rng = Rng::from_seed(5);
    for _ in 0..60 {
        let start = lab.uniform(&mut rng);
        // No board needs more than 31 moves, so 31 nodes are just enough.
        for capacity in [31, 45, 60, 1000] {
            let (domain, room) = (&lab.domain, NonZeroUsize::new(capacity));
            let report = smastar(domain, start, &lab.heuristic, room, &none, &mut ());
            lab.check(Algorithm::Smastar, &start, &report, costs[&start]);
        }
    }
}

#[test]
fn sma_star_stops_when_memory_is_shorter_than_the_path() {
    let none = Limits::default();
    for cost in [Cost::Unit, Cost::Tile] {
        let lab = manhattan("2x3", &Goal::Classic, cost);
        let mut stopped = 0;
        for (start, &distance) in &true_costs(&lab.domain) {
            for capacity in [1, 2, 5, 10, 15] {
                let (domain, room) = (&lab.domain, NonZeroUsize::new(capacity));
                let report = smastar(domain, *start, &lab.heuristic, room, &none, &mut ());
                let Outcome::Stopped { limit, lower_bound } = report.outcome else {
                    lab.check(Algorithm::Smastar, start, &report, distance);
                    continue;
                };
                assert_eq!(limit, Limit::Memory);
                assert!(lower_bound <= distance);
                assert!(cost == Cost::Tile || distance as usize > capacity);
                stopped += 1;
            }
        }
        assert!(stopped > 360);
    }
}

#[test]
fn a_table_that_must_grow_stays_within_its_bytes() {
    let lab = manhattan("3x3", &Goal::Classic, Cost::Unit);
    // 31 moves: as far as it gets.
    let start = lab.start(&board("8 6 7/2 5 4/3 0 1"));
    let limits = memory(1 << 20);
    let report = idastar_tt(&lab.domain, start, &lab.heuristic, None, &limits, &mut ());
    assert_eq!(lab.check(Algorithm::IdastarTt, &start, &report, 31), 31);
    let peak = report.statistics.peak_states;
    assert!(peak > 1024);
    assert!(peak * size_of::<PackedState>() as u64 <= 1 << 20);
}
