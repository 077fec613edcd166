//! What is refused: boards that cannot be solved, and tables and boards of another puzzle.

use taquin::solve::{Effort, EngineError, GoalSolver};
use taquin::tables::{BuildError, Catalogue, Key, Table, TableSet, Tier};
use taquin::{Board, Budget, Goal, GoalSizeError};

use crate::support::{classic, goal_with_blank, size, solver, tables};

#[test]
fn boards_of_the_other_half_are_refused_with_the_verdict() {
    for goal in [classic("2x2"), classic("3x3"), goal_with_blank("4x4", 5)] {
        let solver = solver(&goal);
        let other = goal.with_swapped(1, 2).unwrap();
        let refusals = [
            solver.solve(&other, &Effort::default()).err(),
            solver.all(&other, &Effort::default(), 1, true).err(),
            solver.estimate(&other).err(),
        ];
        for refused in refusals {
            let Some(EngineError::Unsolvable(verdict)) = refused else {
                panic!("{refused:?}");
            };
            assert!(!verdict.is_solvable());
        }
    }
}

#[test]
fn boards_of_another_size_are_refused_with_both_sizes() {
    let solver = solver(&classic("3x4"));
    // The transposed board is a board of another size too.
    for board in ["3x3", "4x3", "4x4", "5x5"].map(classic) {
        let refused = solver.solve(&board, &Effort::default()).err();
        let Some(EngineError::Size(error)) = refused else {
            panic!("{refused:?}");
        };
        let expected = GoalSizeError {
            goal: size("3x4"),
            board: board.size(),
        };
        assert_eq!(error, expected);
    }
}

#[test]
fn tables_of_another_puzzle_are_refused() {
    let corner = tables(&classic("3x3"), Tier::Quick);
    // Another corner, and other tiles, are the same puzzle under a symmetry and other names.
    for goal in [Goal::Snake, Goal::BlankFirst].map(|goal| goal.board(size("3x3")).unwrap()) {
        assert!(GoalSolver::new(&goal, &corner).is_ok(), "{goal}");
    }
    let others = [
        goal_with_blank("3x3", 4),
        goal_with_blank("3x3", 1),
        classic("3x4"),
    ];
    for goal in others {
        assert!(GoalSolver::new(&goal, &corner).is_err(), "{goal}");
    }
}

#[test]
fn a_damaged_table_is_named() {
    let goal = classic("4x4");
    let good = tables(&goal, Tier::Quick);
    let victim: Key = good.catalogue().keys()[0];
    let damaged = TableSet::new(good.catalogue().clone(), |key, indexer| {
        let table = Table::build(key, indexer, 2, &Budget::default())?;
        let bytes = vec![0; table.bytes().len()].into();
        let zeroed = Table::from_bytes(key, table.max(), indexer, bytes);
        Ok::<_, BuildError>(zeroed.filter(|_| key == victim).unwrap_or(table))
    });
    let solver = GoalSolver::new(&goal, &damaged.unwrap()).unwrap();
    let board: Board = "0 12 9 13 15 11 10 14 3 7 6 2 4 8 5 1".parse().unwrap();
    let refused = solver.solve(&board, &Effort::default()).err();
    let Some(EngineError::Damaged(damaged)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(damaged.key, victim);
}

#[test]
fn every_shape_up_to_36_cells_has_a_catalogue_of_every_tier() {
    for rows in 2..=6 {
        for columns in 2..=36 / rows {
            let size = taquin::Size::new(rows, columns).unwrap();
            for blank in 0..size.cells() {
                for tier in Tier::ALL {
                    let goal = goal_with_blank(&size.to_string(), blank);
                    let catalogue = Catalogue::for_goal(&goal, tier).unwrap();
                    for partition in catalogue.partitions() {
                        let homes = partition.keys().iter().map(|key| key.pattern().homes());
                        // Every tile once: no home is in two patterns.
                        let sum: u64 = homes.sum();
                        let all = ((1 << size.cells()) - 1) & !(1 << catalogue.blank());
                        assert_eq!(sum, all, "{size} {tier} {blank}");
                    }
                }
            }
        }
    }
}
