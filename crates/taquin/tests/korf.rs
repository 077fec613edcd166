//! Korf's 100 boards of the 15-puzzle (1985): our estimates and lengths are his. And the 50 boards
//! of the 24-puzzle by Korf and Felner (2002), which nothing here can solve yet.
//!
//! The harder half takes minutes: `cargo xtask bench korf15` solves all of them.

use std::sync::atomic::{AtomicUsize, Ordering};

use taquin::heuristic::HeuristicKind;
use taquin::search::{Algorithm, Cost, Laboratory};
use taquin::{Board, Goal, Limits, Outcome, Size, Solvability};

struct Instance {
    id: u32,
    board: Board,
    manhattan: u32,
    optimal: u32,
    nodes_1985: u64,
}

fn instances() -> Vec<Instance> {
    include_str!("data/korf15.csv")
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let [id, board, manhattan, optimal, nodes] = fields[..] else {
                panic!("{line}");
            };
            Instance {
                id: id.parse().unwrap(),
                board: board.parse().unwrap(),
                manhattan: manhattan.parse().unwrap(),
                optimal: optimal.parse().unwrap(),
                nodes_1985: nodes.parse().unwrap(),
            }
        })
        .collect()
}

/// The goal of that time: the blank first.
fn goal() -> Board {
    Goal::BlankFirst.board(Size::new(4, 4).unwrap()).unwrap()
}

#[test]
fn the_table_is_whole() {
    let instances = instances();
    assert_eq!(instances.len(), 100);
    assert!((1..).zip(&instances).all(|(id, board)| board.id == id));
    assert_eq!(
        instances.iter().map(|board| board.optimal).sum::<u32>(),
        5305
    );
}

#[test]
fn all_boards_are_solvable_and_their_manhattan_distances_are_the_published_ones() {
    let goal = goal();
    let laboratory = Laboratory::new(&goal, Cost::Unit, HeuristicKind::Manhattan).unwrap();
    for instance in instances() {
        let verdict = Solvability::of(&instance.board, &goal).unwrap();
        assert!(verdict.is_solvable(), "board {}", instance.id);
        let manhattan = laboratory.estimate(&instance.board).unwrap();
        assert_eq!(manhattan, instance.manhattan, "board {}", instance.id);
        assert!(manhattan <= instance.optimal, "board {}", instance.id);
        // Every move changes the Manhattan distance by one, so the two are odd or even together.
        assert_eq!(manhattan % 2, instance.optimal % 2, "board {}", instance.id);
    }
}

#[test]
fn the_easier_third_is_solved_in_the_published_lengths() {
    let mut instances = instances();
    instances.sort_by_key(|instance| instance.nodes_1985);
    instances.truncate(35);
    // The hard ones first, so that no thread is left alone with one at the end.
    instances.reverse();
    let laboratory = Laboratory::new(&goal(), Cost::Unit, HeuristicKind::Max).unwrap();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(instance) = instances.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (board, id) = (&instance.board, instance.id);
                    let limits = Limits::default();
                    let report = laboratory.search(board, Algorithm::Idastar, &limits);
                    let Outcome::Solved(solution) = report.unwrap().outcome else {
                        panic!("board {id}: no limit was set");
                    };
                    assert_eq!(solution.cost, instance.optimal, "board {id}");
                    assert!(solution.proof.is_optimal(), "board {id}");
                    assert_eq!(board.after(&solution.moves), Ok(goal()));
                }
            });
        }
    });
}

#[test]
fn pattern_databases_lead_to_the_published_lengths() {
    let mut instances = instances();
    instances.sort_by_key(|instance| instance.nodes_1985);
    for name in ["pdb:6-6-3", "pdb:5-5-5+reflected"] {
        let kind = HeuristicKind::from_name(name).unwrap();
        let laboratory = Laboratory::new(&goal(), Cost::Unit, kind).unwrap();
        for instance in &instances {
            let estimate = laboratory.estimate(&instance.board).unwrap();
            assert!(estimate >= instance.manhattan, "board {}", instance.id);
            assert!(estimate <= instance.optimal, "board {}", instance.id);
            assert_eq!(estimate % 2, instance.optimal % 2, "board {}", instance.id);
        }
        for instance in &instances[..8] {
            let limits = Limits::default();
            let report = laboratory.search(&instance.board, Algorithm::Idastar, &limits);
            let Outcome::Solved(solution) = report.unwrap().outcome else {
                panic!("board {}: no limit was set", instance.id);
            };
            assert_eq!(solution.cost, instance.optimal, "board {}", instance.id);
        }
    }
}

#[test]
fn the_boards_of_the_24_puzzle_are_solvable_and_no_estimate_exceeds_their_published_lengths() {
    let goal = Goal::BlankFirst.board(Size::new(5, 5).unwrap()).unwrap();
    let laboratory = Laboratory::strongest(&goal, Cost::Unit).unwrap();
    let mut total = 0;
    let lines: Vec<&str> = include_str!("data/korf24.csv").lines().skip(1).collect();
    assert_eq!(lines.len(), 50);
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let board: Board = fields[1].parse().unwrap();
        let optimal: u32 = fields[2].parse().unwrap();
        assert!(
            Solvability::of(&board, &goal).unwrap().is_solvable(),
            "{line}"
        );
        let estimate = laboratory.estimate(&board).unwrap();
        assert!(
            estimate <= optimal && estimate % 2 == optimal % 2,
            "{line}: {estimate}"
        );
        total += optimal;
    }
    assert_eq!(total, 5039);
}
