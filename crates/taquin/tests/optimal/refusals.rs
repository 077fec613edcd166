//! What is refused: boards that cannot be solved, and tables and boards of another puzzle.

use taquin::solve::{Aim, Effort, EngineError, GoalSolver, Improvement};
use taquin::tables::{
    BuildError, Catalogue, CatalogueError, Indexer, Key, KeyError, Partition, PartitionError,
    PartsError, Pattern, Table, TableMismatchError, TableSet, Tier,
};
use taquin::{Board, Budget, Goal, GoalSizeError, Moves, Outcome, Report, Rng, random_walk};

use crate::support::{check_path, classic, goal_with_blank, limited, size, solver, space, tables};

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
        let zeroed = Table::from_bytes(key, table.max(), indexer, bytes)?;
        Ok::<_, BuildError>(if key == victim { zeroed } else { table })
    });
    let solver = GoalSolver::new(&goal, &damaged.unwrap()).unwrap();
    let board: Board = "0 12 9 13 15 11 10 14 3 7 6 2 4 8 5 1".parse().unwrap();
    let refused = solver.solve(&board, &Effort::default()).err();
    let Some(EngineError::Damaged(damaged)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(damaged.subject, victim.into());
}

/// Searches with tables of several views, in which every hundredth byte is wrong, end. What they
/// find is a solution, or refused.
#[test]
fn many_wrong_bytes_do_not_keep_a_search_from_its_end() {
    for goal in ["4x4", "3x6"].map(classic) {
        let good = tables(&goal, Tier::Quick);
        let spoilt = TableSet::new(good.catalogue().clone(), |key, indexer| {
            let sound = good.tables().find(|table| *table.key() == key).unwrap();
            let mut bytes = sound.bytes().to_vec();
            for byte in bytes.iter_mut().step_by(100) {
                *byte ^= 1;
            }
            Ok::<_, BuildError>(Table::from_bytes(key, sound.max(), indexer, bytes.into())?)
        });
        let solver = GoalSolver::new(&goal, &spoilt.unwrap()).unwrap();
        let mut found = 0;
        // Near the goal, where a wrong table may say less than nothing.
        for seed in 0..40 {
            let walk = random_walk(&goal, 20, &mut Rng::from_seed(seed));
            let board = goal.after(&walk).unwrap();
            for aim in [Aim::Best, Aim::First, Aim::Shortest] {
                let effort = Effort {
                    aim,
                    ..limited(2, |limits| limits.nodes = Some(100_000))
                };
                let report = solver.solve(&board, &effort);
                if let Ok(Outcome::Solved(solution)) = report.map(|report| report.outcome) {
                    check_path(&solver, &board, &solution.moves);
                    found += 1;
                }
            }
        }
        assert!(found > 30, "{}: {found}", goal.size());
    }
}

/// What a search with wrong tables takes for a solution is replayed, and refused if it is none: with
/// each bit of a table flipped, on all boards.
#[test]
fn wrong_tables_never_give_a_wrong_solution() {
    let goal = classic("2x2");
    let good = tables(&goal, Tier::Quick);
    let sound = good.tables().next().unwrap();
    let boards = space(&goal);
    let mut wrong = [0; 3];
    for bit in 0..sound.bytes().len() * 8 {
        let spoilt = TableSet::new(good.catalogue().clone(), |key, indexer| {
            let mut bytes = sound.bytes().to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            Ok::<_, BuildError>(Table::from_bytes(key, sound.max(), indexer, bytes.into())?)
        });
        let solver = GoalSolver::new(&goal, &spoilt.unwrap()).unwrap();
        let effort = |aim| Effort {
            aim,
            ..limited(1, |limits| limits.nodes = Some(1000))
        };
        for (board, _) in &boards {
            let solved = |report: Report| match report.outcome {
                Outcome::Solved(solution) => vec![solution.moves],
                _ => vec![],
            };
            let mut told: Vec<Moves> = Vec::new();
            let mut tell = |known: Improvement<'_>| told.push(known.moves.to_vec().into());
            let (shortest, best) = (effort(Aim::Shortest), effort(Aim::Best));
            let all = solver.all(board, &shortest, 5, false);
            let found = [
                solver.solve(board, &shortest).map(solved),
                solver.improve(board, &best, &mut tell).map(solved),
                all.map(|all| all.solutions),
            ];
            for moves in &told {
                check_path(&solver, board, moves);
            }
            for (found, wrong) in found.iter().zip(&mut wrong) {
                match found {
                    Ok(solutions) => solutions
                        .iter()
                        .for_each(|moves| check_path(&solver, board, moves)),
                    Err(EngineError::Wrong(_)) => *wrong += 1,
                    Err(EngineError::Damaged(_)) => {}
                    Err(other) => panic!("{other}"),
                }
            }
        }
    }
    // Not for nothing.
    assert!(wrong.iter().sum::<u32>() > 0 && wrong[0] > 0, "{wrong:?}");
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

fn drawn(text: &str, blank: usize, drawing: &str) -> Partition {
    Partition::from_drawing(size(text), blank, drawing).unwrap()
}

#[test]
fn a_catalogue_without_partitions_or_with_those_of_another_puzzle_is_refused() {
    let good = drawn("3x3", 8, "aab/abb/bb.");
    assert_eq!(
        Catalogue::new(size("3x3"), 8, Vec::new()),
        Err(CatalogueError::Empty)
    );
    for other in [drawn("3x3", 7, "aab/abb/b.b"), drawn("2x4", 7, "aabb/aab.")] {
        let refused = Catalogue::new(size("3x3"), 8, vec![good.clone(), other]).unwrap_err();
        assert!(matches!(refused, CatalogueError::OtherPuzzle { .. }));
        assert!(refused.to_string().contains("not for 3x3"), "{refused}");
    }
    let catalogue = Catalogue::new(size("3x3"), 8, vec![good.clone()]).unwrap();
    assert_eq!(catalogue, Catalogue::of_partition(good));
}

#[test]
fn a_home_of_the_blank_that_is_not_on_the_board_is_refused() {
    let size = size("4x4");
    for blank in [16, 63, 64, usize::MAX] {
        let refused = KeyError::Blank { size, blank };
        for tier in Tier::ALL {
            assert_eq!(Catalogue::of(size, blank, tier), Err(refused));
        }
        assert_eq!(Partition::stripes(size, blank, 8), Err(refused));
        assert_eq!(
            Partition::of_parts(size, blank, &[8, 8]),
            Err(PartsError::Pattern(refused))
        );
        assert_eq!(Key::new(size, blank, Pattern::from_homes(1)), Err(refused));
        let drawing = Partition::from_drawing(size, blank, "aabb/aabb/aabb/aabb");
        assert!(matches!(drawing, Err(PartitionError::Pattern { .. })));
    }
}

#[test]
fn patterns_without_tiles_or_with_tiles_elsewhere_are_refused() {
    let size = size("4x4");
    let of = |homes: &[usize]| Key::new(size, 15, homes.iter().copied().collect());
    assert!(of(&[0, 1, 14]).is_ok());
    assert!(matches!(of(&[]), Err(KeyError::Tiles(_))));
    assert!(matches!(
        of(&[0, 1, 2, 3, 4, 5, 6, 7, 8]),
        Err(KeyError::Tiles(_))
    ));
    // The blank, cells beyond the board, and those that no set of homes can hold.
    for home in [15, 16, 36, 63, 64, usize::MAX] {
        assert!(
            matches!(of(&[0, 1, home]), Err(KeyError::Homes(_))),
            "{home}"
        );
    }
    let nothing = Partition::stripes(size, 15, 0);
    assert!(matches!(nothing, Err(KeyError::Tiles(_))));
}

#[test]
fn a_table_of_other_tiles_is_refused() {
    let build = |key| Table::build(key, &Indexer::new(&key), 1, &Budget::default()).unwrap();
    let catalogue = Catalogue::of_partition(drawn("3x3", 8, "aab/abb/bb."));
    let other = drawn("3x3", 8, "aba/bab/bb.");
    let tables = TableSet::new(catalogue, |key, _| {
        let tiles = key.pattern().tiles();
        let same_number = |other: &&Key| other.pattern().tiles() == tiles;
        let given = *other.keys().iter().find(same_number).unwrap();
        Ok::<_, BuildError>(build(given))
    });
    let refused = tables.unwrap_err();
    let BuildError::Mismatch(TableMismatchError::Table(key)) = refused else {
        panic!("{refused}");
    };
    assert!(other.keys().contains(&key));
}
