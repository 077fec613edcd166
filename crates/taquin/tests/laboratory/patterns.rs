//! The promises of pattern databases as heuristics, on every board of small sizes and along walks
//! on larger ones.

use taquin::heuristic::{
    AnyHeuristic, Heuristic, HeuristicError, HeuristicKind, PatternChoice, PatternDatabase,
    PatternError, debug_check,
};
use taquin::search::{Algorithm, Cost, Domain, FlatState, Laboratory, PackedState, Sliding};
use taquin::tables::TableSet;
use taquin::{Board, Budget, Goal, Limits, Outcome, Rng, Size, Tile, random_walk, uniform};

use crate::heuristics::check_promises;

fn kinds(names: &[&str]) -> Vec<HeuristicKind> {
    let kind = |name: &&str| HeuristicKind::from_name(name).expect("a heuristic");
    names.iter().map(kind).collect()
}

/// A goal with the blank in this cell and the tiles from last to first.
fn goal(rows: usize, columns: usize, blank: usize) -> Board {
    let size = Size::new(rows, columns).unwrap();
    let mut tiles: Vec<Tile> = (1..size.cells() as Tile).rev().collect();
    tiles.insert(blank, 0);
    Board::from_tiles(size, &tiles).unwrap()
}

/// Each name is followed by the same reflected; Manhattan is first and the last one knows all.
fn check(goal: &Board, cost: Cost, names: &[&str]) {
    check_promises(goal, cost, &kinds(names), |values, true_cost| {
        if cost == Cost::Unit {
            assert!(
                values[1..].iter().all(|&value| value >= values[0]),
                "{values:?}"
            );
            assert_eq!(values.last(), Some(&true_cost));
        }
        for pair in values[1..].chunks_exact(2) {
            assert!(pair[0] <= pair[1], "{values:?}");
        }
    });
}

#[test]
fn promises_hold_on_all_boards_of_2x3_and_3x2_for_every_home_of_the_blank() {
    let names = [
        "manhattan",
        "pdb:3-2",
        "pdb:3-2+reflected",
        "pdb:1-1-3",
        "pdb:1-1-3+reflected",
        "pdb:5",
    ];
    for (rows, columns) in [(2, 3), (3, 2)] {
        for blank in 0..6 {
            check(&goal(rows, columns, blank), Cost::Unit, &names);
            check(&goal(rows, columns, blank), Cost::Tile, &names);
        }
    }
}

#[test]
fn promises_hold_on_all_boards_of_2x4_and_4x2() {
    let names = [
        "manhattan",
        "pdb:5-2",
        "pdb:5-2+reflected",
        "pdb:3-4",
        "pdb:3-4+reflected",
        "pdb:quick",
    ];
    for (rows, columns, blank) in [(2, 4, 0), (2, 4, 5), (4, 2, 7), (4, 2, 2)] {
        check(&goal(rows, columns, blank), Cost::Unit, &names);
    }
    check(&goal(2, 4, 6), Cost::Tile, &names);
}

#[test]
fn promises_hold_on_all_boards_of_3x3_with_the_blank_in_a_corner_at_an_edge_and_inside() {
    let names = ["manhattan", "pdb:5-3", "pdb:5-3+reflected", "pdb:8"];
    check(&goal(3, 3, 2), Cost::Unit, &names);
    for blank in [3, 4] {
        check(&goal(3, 3, blank), Cost::Unit, &names[2..]);
    }
}

#[test]
fn tiles_that_cannot_get_home_say_that_no_goal_can_be_reached() {
    let goal = Goal::Classic.board(Size::new(3, 3).unwrap()).unwrap();
    let puzzle = Sliding::<PackedState>::new(&goal, Cost::Unit).unwrap();
    let unsolvable: Board = "1 2 3/4 5 6/8 7 0".parse().unwrap();
    for (name, known) in [("pdb:8", true), ("pdb:7-1", true), ("pdb:6-2", false)] {
        let h = AnyHeuristic::new(kinds(&[name])[0], &puzzle).unwrap();
        let value = |memo: &_| Heuristic::<Sliding<PackedState>>::value(&h, memo);
        let mut state = puzzle.state(&unsolvable).unwrap();
        let mut memo = h.evaluate(&puzzle, &state);
        for m in &random_walk(&unsolvable, 30, &mut Rng::from_seed(3)) {
            assert_eq!(value(&memo) == u32::MAX, known, "{name}");
            puzzle.apply(&mut state, *m);
            memo = h.step(&puzzle, &memo, &state, *m);
            debug_check(&h, &puzzle, &memo, &state);
        }
    }
}

#[test]
fn steps_agree_with_looks_along_random_walks() {
    let mut rng = Rng::from_seed(51);
    for (rows, columns, names) in [
        (
            4,
            4,
            &["pdb:5-5-5+reflected", "pdb:4-4-4-3", "pdb:quick+reflected"][..],
        ),
        (3, 5, &["pdb:5-5-4+reflected"]),
        (5, 5, &["pdb:4-4-4-4-4-4+reflected"]),
        (6, 6, &["pdb:3-3-3-3-3-3-3-3-3-3-3-2+reflected"]),
    ] {
        for blank in [0, 1, rows * columns / 2] {
            let goal = goal(rows, columns, blank);
            let puzzle = Sliding::<FlatState>::new(&goal, Cost::Unit).unwrap();
            for &kind in &kinds(names) {
                let h = AnyHeuristic::new(kind, &puzzle).unwrap();
                let value = |memo: &_| Heuristic::<Sliding<FlatState>>::value(&h, memo);
                let start = uniform(&goal, &mut rng);
                let mut state = puzzle.state(&start).unwrap();
                let mut memo = h.evaluate(&puzzle, &state);
                for m in &random_walk(&start, 300, &mut rng) {
                    let before = value(&memo);
                    puzzle.apply(&mut state, *m);
                    memo = h.step(&puzzle, &memo, &state, *m);
                    debug_check(&h, &puzzle, &memo, &state);
                    assert_eq!(value(&memo).abs_diff(before), 1, "{}", kind.name());
                }
            }
        }
    }
}

#[test]
fn a_partition_that_a_size_does_not_have_is_refused_with_those_that_it_has() {
    let refused = |name: &str, rows, columns| {
        let goal = goal(rows, columns, 0);
        let refused = Laboratory::new(&goal, Cost::Unit, kinds(&[name])[0]);
        refused.unwrap_err().to_string()
    };
    assert_eq!(
        refused("pdb:7-8", 5, 5),
        "these patterns have 15 tiles and 5x5 has 24; its partitions are 4-5-5-5-5 and stripes of \
         any numbers up to 8 that add up"
    );
    assert_eq!(
        refused("pdb:quick", 6, 7),
        "tables are for boards of up to 36 cells, and 6x7 has 42"
    );
    for name in ["pdb:8-8-8", "pdb:7-7-7-3"] {
        let message = refused(name, 5, 5);
        assert!(
            message.contains("of 5x5 take more than 1000 MB"),
            "{message}"
        );
    }
    assert!(refused("pdb:8-8-8-8-3", 6, 6).contains("of 6x6 take more than"));
}

#[test]
fn tables_that_are_there_are_used_and_missing_ones_are_told() {
    let goal = Goal::BlankFirst.board(Size::new(3, 3).unwrap()).unwrap();
    let choice: PatternChoice = "4-4".parse().unwrap();
    let catalogue = choice.catalogue(&goal).unwrap();
    let tables = TableSet::build(catalogue, 1, &Budget::default()).unwrap();
    let laboratory = Laboratory::with_tables(&goal, Cost::Unit, choice.reflected(), &tables);
    let laboratory = laboratory.unwrap();
    assert_eq!(laboratory.heuristic().name(), "pdb:4-4+reflected");
    let board = uniform(&goal, &mut Rng::from_seed(8));
    let built = Laboratory::new(&goal, Cost::Unit, laboratory.heuristic()).unwrap();
    assert_eq!(laboratory.estimate(&board), built.estimate(&board));

    // Another partition, and another home of the blank.
    let other: PatternChoice = "5-3".parse().unwrap();
    let missing = Laboratory::with_tables(&goal, Cost::Unit, other, &tables);
    let is_missing = |error| matches!(error, HeuristicError::Patterns(PatternError::Missing(_)));
    assert!(missing.is_err_and(is_missing));
    let snail = Goal::Snail.board(goal.size()).unwrap();
    let missing = Laboratory::with_tables(&snail, Cost::Unit, choice, &tables);
    assert!(missing.is_err_and(is_missing));

    // The same databases serve goals with the blank in another corner, and build what they lack.
    let puzzle = Sliding::<PackedState>::new(&goal, Cost::Unit).unwrap();
    let database = PatternDatabase::with_tables(&puzzle, choice, &tables).unwrap();
    for goal in [Goal::Classic.board(goal.size()).unwrap(), snail] {
        let puzzle = puzzle.towards(&goal).unwrap();
        let there = database.towards(&puzzle, 1, &Budget::default()).unwrap();
        let memo = there.evaluate(&puzzle, &puzzle.state(&goal).unwrap());
        assert_eq!(Heuristic::<Sliding<PackedState>>::value(&there, &memo), 0);
    }
}

#[test]
fn every_algorithm_finds_the_same_length_with_pattern_databases() {
    let goal = Goal::Snail.board(Size::new(3, 3).unwrap()).unwrap();
    let mut rng = Rng::from_seed(20);
    for name in ["pdb:4-4", "pdb:3-3-2+reflected"] {
        let laboratory = Laboratory::new(&goal, Cost::Unit, kinds(&[name])[0]).unwrap();
        let walk = random_walk(&goal, 18, &mut rng);
        let board = goal.after(&walk).unwrap();
        let length = |algorithm| {
            let report = laboratory.search(&board, algorithm, &Limits::default());
            match report.unwrap().outcome {
                Outcome::Solved(solution) => solution.cost,
                outcome => panic!("{outcome:?}"),
            }
        };
        let shortest = length(Algorithm::Bfs);
        for algorithm in Algorithm::ALL {
            assert!(length(algorithm) >= shortest);
            assert!(!algorithm.is_optimal(Cost::Unit) || length(algorithm) == shortest);
        }
    }
}
